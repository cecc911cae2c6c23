/* Functions that are called when the process is initialised and finalised, and the log that clients write. */
#include <stdint.h>

#include "acl/acl.h"
#include "check.h"
#include "child.h"

static char calls[32];
static char configuration[64];
static aclError answer;

static void add_call(char name)
{
	size_t size = strlen(calls);

	if (size < sizeof(calls) - 1)
		calls[size] = name;
}

static aclError at_start(const char *text, size_t size, void *name)
{
	snprintf(configuration, sizeof(configuration), "%.*s", (int)size, text);
	add_call((char)(intptr_t)name);
	return answer;
}

static aclError at_end(void *name)
{
	add_call((char)(intptr_t)name);
	return answer;
}

static void *named(char name)
{
	return (void *)(intptr_t)name;
}

static void check_calls(const char *wanted)
{
	CHECK(!strcmp(calls, wanted));
	memset(calls, 0, sizeof(calls));
}

static void bad_registrations(void)
{
	CHECK_EQUAL(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, NULL, NULL), 100000);
	CHECK_EQUAL(aclFinalizeCallbackRegister(ACL_REG_TYPE_OTHER, NULL, NULL), 100000);
	CHECK_EQUAL(aclInitCallbackUnRegister(ACL_REG_TYPE_OTHER, NULL), 100000);
	CHECK_EQUAL(aclFinalizeCallbackUnRegister(ACL_REG_TYPE_OTHER, NULL), 100000);
	CHECK_EQUAL(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, at_start, NULL), 0);
	CHECK_EQUAL(aclFinalizeCallbackRegister(ACL_REG_TYPE_OTHER, at_end, NULL), 0);
	CHECK_EQUAL(aclInitCallbackUnRegister(ACL_REG_TYPE_ACL_MODEL, at_start), 100000);
	CHECK_EQUAL(aclFinalizeCallbackUnRegister(ACL_REG_TYPE_ACL_MODEL, at_end), 100000);
	CHECK_EQUAL(aclInitCallbackUnRegister(ACL_REG_TYPE_OTHER, at_start), 0);
	CHECK_EQUAL(aclFinalizeCallbackUnRegister(ACL_REG_TYPE_OTHER, at_end), 0);
	CHECK_EQUAL(aclInitCallbackUnRegister(ACL_REG_TYPE_OTHER, at_start), 100000);
	CHECK_EQUAL(aclFinalizeCallbackUnRegister(ACL_REG_TYPE_OTHER, at_end), 100000);
	CHECK_EQUAL(aclInit(NULL), 0);
	CHECK_EQUAL(aclFinalize(), 0);
	check_calls("");
}

static void calls_around_the_life_of_the_process(void)
{
	uint64_t users = 7;

	CHECK_EQUAL(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, at_start, named('a')), 0);
	CHECK_EQUAL(aclInitCallbackRegister(ACL_REG_TYPE_ACL_DVPP, at_start, named('b')), 0);
	CHECK_EQUAL(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, at_start, named('c')), 0); /* instead of a */
	CHECK_EQUAL(aclFinalizeCallbackRegister(ACL_REG_TYPE_OTHER, at_end, named('z')), 0);
	check_calls("");
	CHECK_EQUAL(aclInit(NULL), 0);
	check_calls("cb");
	CHECK_EQUAL(aclInit(NULL), 100002); /* only counts */
	check_calls("");
	CHECK_EQUAL(aclFinalizeReference(&users), 0);
	CHECK_EQUAL(users, 1);
	check_calls("");
	CHECK_EQUAL(aclFinalizeReference(&users), 0);
	CHECK_EQUAL(users, 0);
	check_calls("z");
	CHECK_EQUAL(aclFinalize(), 100037);
	check_calls("");
	CHECK_EQUAL(aclInit(NULL), 0);
	CHECK_EQUAL(aclFinalize(), 0);
	check_calls("cbz");
}

static void the_late_are_called_at_once(void)
{
	CHECK_EQUAL(aclInit(NULL), 0);
	CHECK_EQUAL(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, at_start, named('a')), 0);
	check_calls("a");
	answer = 4711;
	CHECK_EQUAL(aclInitCallbackRegister(ACL_REG_TYPE_ACL_DVPP, at_start, named('b')), 4711);
	check_calls("b");
}

static char config_path[] = "/tmp/aclemu_test_XXXXXX";

static void the_configuration_is_handed_over(void)
{
	CHECK_EQUAL(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, at_start, named('a')), 0);
	CHECK_EQUAL(aclInit(config_path), 0);
	CHECK(!strcmp(configuration, "{\"max_opqueue_num\": 5}"));
}

static void what_a_callback_refuses_does_not_happen(void)
{
	uint64_t users = 7;

	answer = 4711;
	CHECK_EQUAL(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, at_start, named('a')), 0);
	CHECK_EQUAL(aclInitCallbackRegister(ACL_REG_TYPE_ACL_DVPP, at_start, named('b')), 0);
	CHECK_EQUAL(aclFinalizeCallbackRegister(ACL_REG_TYPE_OTHER, at_end, named('z')), 0);
	CHECK_EQUAL(aclFinalizeCallbackRegister(ACL_REG_TYPE_ACL_DVPP, at_end, named('y')), 0);
	CHECK_EQUAL(aclInit(config_path), 4711);
	CHECK_EQUAL(aclFinalizeReference(&users), 100037);
	answer = 0;
	CHECK_EQUAL(aclInit(NULL), 0); /* another configuration: the first one never held */
	answer = 4712;
	CHECK_EQUAL(aclFinalizeReference(&users), 4712);
	CHECK_EQUAL(users, 1);
	CHECK_EQUAL(aclFinalize(), 4712);
	answer = 0;
	CHECK_EQUAL(aclInit(NULL), 100002);
	CHECK_EQUAL(aclFinalize(), 0);
	check_calls("aabzzzy"); /* the first refusal is the last call */
}

/* ---- the log ---- */

static void write_log(void)
{
	char text[3001];

	memset(text, 'x', 3000);
	text[3000] = 0;
	dup2(STDERR_FILENO, STDOUT_FILENO);
	aclAppLog(ACL_ERROR, "f", "a.c", 1, "silent");
	setenv("ASCEND_SLOG_PRINT_TO_STDOUT", "1", 1);
	aclAppLog(ACL_WARNING, "f", "a.c", 2, "too low");
	aclAppLog(ACL_ERROR, "f", "a.c", 3, "heard %d %s", 17, "times");
	setenv("ASCEND_GLOBAL_LOG_LEVEL", "1", 1);
	aclAppLog(ACL_DEBUG, "f", "a.c", 4, "still too low");
	aclAppLog(ACL_INFO, NULL, NULL, 5, "%s", text);
	aclAppLog((aclLogLevel)4, "f", "a.c", 6, "no level");
	aclAppLog(ACL_ERROR, "f", "a.c", 7, NULL);
}

static void test_the_log_is_printed_when_the_environment_wants_it(void)
{
	struct child child = run_child(write_log);
	const char *x = strchr(child.output, 'x');

	CHECK_EQUAL(child.exit_code, 0);
	CHECK_CONTAINS(child.output, "a.c:3 f: heard 17 times\n");
	CHECK(!strstr(child.output, "silent") && !strstr(child.output, "too low") && !strstr(child.output, "no level"));
	CHECK(x && strspn(x, "x") == 1023);
}

int main(void)
{
	int file = mkstemp(config_path);

	CHECK(file >= 0 && write(file, "{\"max_opqueue_num\": 5}", 22) == 22);
	close(file);
	CHECK_CHILD(bad_registrations);
	CHECK_CHILD(calls_around_the_life_of_the_process);
	CHECK_CHILD(the_late_are_called_at_once);
	CHECK_CHILD(the_configuration_is_handed_over);
	CHECK_CHILD(what_a_callback_refuses_does_not_happen);
	test_the_log_is_printed_when_the_environment_wants_it();
	unlink(config_path);
	return check_report();
}
