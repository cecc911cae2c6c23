/* The two layouts of the error text, byte by byte, and which version of the toolkit has which. */
#include <ctype.h>

#include "acl/acl_rt.h"
#include "check.h"
#include "child.h"
#include "runtime/error.h"

/* "2026-01-02-03:04:05.678.901" by its shape: 0 stands for any digit. */
static const char *skip_time(const char *text)
{
	for (const char *shape = "0000-00-00-00:00:00.000.000"; *shape; shape++, text++)
		if (*shape == '0' ? !isdigit((unsigned char)*text) : *text != *shape)
			return NULL;
	return text;
}

/* Equal to the last byte, where <pid> stands for the number of this process and <time> for any time. */
static bool is_text(const char *text, const char *wanted)
{
	char pid[16];
	int length = snprintf(pid, sizeof(pid), "%d", (int)getpid());

	while (text && *wanted) {
		if (!strncmp(wanted, "<pid>", 5)) {
			text = strncmp(text, pid, (size_t)length) ? NULL : text + length;
			wanted += 5;
		} else if (!strncmp(wanted, "<time>", 6)) {
			text = skip_time(text);
			wanted += 6;
		} else {
			text = *text == *wanted ? text + 1 : NULL;
			wanted++;
		}
	}
	return text && !*text;
}

static void check_text(const char *wanted)
{
	const char *text = aclGetRecentErrMsg();

	if (!CHECK(is_text(text, wanted)))
		fprintf(stderr, "wanted:\n%sgot:\n%s", wanted, text ? text : "(null)\n");
}

static void add_two(void)
{
	emu_error_add("EZ1001", "T2");
	emu_error_add("EZ1001", "T1");
}

static void expect_newest(void)
{
	add_two();
	check_text("[PID: <pid>] <time> AclNN_Parameter_Error(EZ1001): T1\n"
	           "        TraceBack (most recent call last):\n"
	           "        T2\n");
	emu_error_add("EZ9903", "T3");
	check_text("[PID: <pid>] <time> AclNN_Runtime_Error(EZ9903): T3\n");
	emu_error_add("EZ9999", "T4");
	check_text("EZ9999: a failure inside the device or the library\n"
	           "[PID: <pid>] <time> AclNN_Inner_Error(EZ9999): T4\n");
}

static void expect_older(void)
{
	add_two();
	check_text("EZ1001: [PID: <pid>] <time> T1\n"
	           "        TraceBack (most recent call last):\n"
	           "        T2\n");
	emu_error_add("EZ9903", "T3");
	check_text("EZ9903: [PID: <pid>] <time> T3\n");
	emu_error_add("EZ9999", "T4");
	check_text("EZ9999: a failure inside the device or the library\n"
	           "EZ9999: [PID: <pid>] <time> T4\n");
}

/* ---- the version ---- */

static const char *version;

static void newest_with_version(void)
{
	setenv("ACLEMU_CANN_VERSION", version, 1);
	expect_newest();
}

static void older_with_version(void)
{
	setenv("ACLEMU_CANN_VERSION", version, 1);
	expect_older();
}

static void test_versions_since_8_5_print_the_newest_layout(void)
{
	static const char *const versions[] = {"8.5", "8.5.0", "8.10", "9.0", "9.1", "9.1.RC1", "10.0", ""};

	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		version = versions[i];
		CHECK(CHECK_CHILD(newest_with_version).output[0] == 0);
	}
	CHECK_CHILD(expect_newest); /* without the variable */
}

static void test_versions_before_8_5_print_the_older_layout(void)
{
	static const char *const versions[] = {"8.0", "8.0.RC1", "8.3", "8.4.99"};

	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		version = versions[i];
		CHECK(CHECK_CHILD(older_with_version).output[0] == 0);
	}
}

static void test_what_is_no_known_version_is_warned_of(void)
{
	static const char *const versions[] = {"7.9", "8", "8.", ".5", "8.x", "8.3RC1", "-8.3", "eight", "8.100", "100.0",
	                                       "99999999999999999999.1", "8.99999999999999999999"};

	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		char warning[128];

		version = versions[i];
		snprintf(warning, sizeof(warning), "ACLEMU_CANN_VERSION=%s is ignored: expected a version from 8.0 on",
		         version);
		CHECK_CONTAINS(CHECK_CHILD(newest_with_version).output, warning);
	}
}

int main(void)
{
	unsetenv("ACLEMU_CANN_VERSION");
	test_versions_since_8_5_print_the_newest_layout();
	test_versions_before_8_5_print_the_older_layout();
	test_what_is_no_known_version_is_warned_of();
	return check_report();
}
