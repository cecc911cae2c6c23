/* aclInit and its ends, the configuration file, versions, the environment, and the error text. */
#include <pthread.h>
#include <regex.h>
#include <stdint.h>
#include <sys/stat.h>

#include "acl/acl.h"
#include "check.h"
#include "child.h"
#include "runtime/config.h"
#include "runtime/error.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static char folder[] = "/tmp/aclemu_test_XXXXXX";
static char path[256];

/* Writes a configuration file and gives its path. */
static const char *file(const char *content)
{
	FILE *out;

	snprintf(path, sizeof(path), "%s/acl.json", folder);
	out = fopen(path, "w");
	fputs(content, out);
	fclose(out);
	return path;
}

/* ---- aclInit ---- */

static void test_init_is_counted_and_finalize_drops_the_whole_count(void)
{
	uint64_t count = 99;

	CHECK_EQUAL(aclInit(NULL), ACL_SUCCESS);
	CHECK_EQUAL(aclInit(NULL), 100002);
	CHECK_EQUAL(aclInit(""), 100002);
	CHECK_EQUAL(aclFinalizeReference(&count), 0);
	CHECK_EQUAL(count, 2);
	CHECK_EQUAL(aclFinalize(), 0);
	CHECK_EQUAL(aclFinalizeReference(&count), 100037);
	CHECK_EQUAL(count, 0);
	CHECK_EQUAL(aclFinalize(), 100037);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "aclFinalize");
	CHECK_EQUAL(aclInit(NULL), 0);
	CHECK_EQUAL(aclFinalizeReference(NULL), 0);
	CHECK_EQUAL(aclFinalize(), 100037);
}

static void test_the_first_finalize_without_init_succeeds(void)
{
	CHECK_EQUAL(aclFinalize(), 0);
	CHECK_EQUAL(aclFinalize(), 100037);
	CHECK_EQUAL(aclInit(NULL), 0);
	CHECK_EQUAL(aclFinalize(), 0);
}

static void test_finalize_reference_without_init_is_refused(void)
{
	uint64_t count = 5;

	CHECK_EQUAL(aclFinalizeReference(&count), 100037);
	CHECK_EQUAL(count, 0);
}

static void test_the_content_of_the_first_configuration_stays_the_only_one(void)
{
	CHECK_EQUAL(aclInit(file("{\"a\": 1}")), 0);
	CHECK_EQUAL(aclInit(file("{\"a\": 2}")), 100000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "differs from the first");
	CHECK_EQUAL(aclInit(file("{\"a\": 1}")), 100002);
	CHECK_EQUAL(aclFinalize(), 0);
	CHECK_EQUAL(aclInit(NULL), 100000);
	CHECK_EQUAL(aclInit(file("{\"a\": 1}")), 0);
}

static void test_null_and_empty_configurations_are_equal(void)
{
	CHECK_EQUAL(aclInit(file("")), 0);
	CHECK_EQUAL(aclInit(NULL), 100002);
	CHECK_EQUAL(aclInit(""), 100002);
}

static void test_a_failed_init_changes_nothing(void)
{
	uint64_t count = 5;

	CHECK_EQUAL(aclInit("/nowhere/acl.json"), 100003);
	CHECK_EQUAL(aclInit(folder), 100003);
	CHECK_EQUAL(aclInit(file("{\"err_msg_mode\": \"2\"}")), 100000);
	CHECK_EQUAL(aclFinalizeReference(&count), 100037);
	CHECK_EQUAL(aclInit(file("{\"b\": 1}")), 0);
}

static void test_text_that_is_no_json_object_is_refused(void)
{
	static const char *const bad[] = {
		"{", "}", "[]", "1", "null", "{\"a\":1,}", "{\"a\" 1}", "{a:1}", "{\"a\":01}", "{\"a\":1}x", "{\"a\":.5}", "{\"a\":1.}",
		"{\"a\":1e}", "{\"a\":tru}", "{\"a\":\"x}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u12\"}", "{\"a\":\"\\ud800\"}",
		"{\"a\":\"\n\"}", "{'a':1}", "// no", "{\"a\":[1 2]}", "{\"a\":--1}", "{\"a\"}", "   ",
		"{\"a\":[[[[[[[[[[[1]]]]]]]]]]]}",
		"{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":1}}}}}}}}}}}",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (!CHECK_EQUAL(aclInit(file(bad[i])), 100006))
			fprintf(stderr, "  for %s\n", bad[i]);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "EH0004");
}

static void test_every_json_construct_is_accepted_up_to_ten_levels(void)
{
	CHECK_EQUAL(aclInit(file(" {\"s\": \"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00\", \"n\": [-0, 1.5e+3, 2E-1, 10],\r\n"
	                         "\t\"w\": [true, false, null, {}, []], \"a\":[[[[[[[[[[1]]]]]]]]]],"
	                         "\"o\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{}}}}}}}}},"
	                         "\"dump\": {\"dump_scene\": \"lite_exception\"}, \"err_msg_mode\": \"0\", \"acl_graph\":"
	                         " {\"event_mode\": 1}, \"StackSize\": {\"aicore_stack_size\": 32768}} ")), 0);
}

static void test_a_file_that_is_a_pipe_is_refused_at_once(void)
{
	char pipe_path[sizeof(folder) + 8];

	snprintf(pipe_path, sizeof(pipe_path), "%s/pipe", folder);
	CHECK_EQUAL(mkfifo(pipe_path, 0600), 0);
	alarm(10);
	CHECK_EQUAL(aclInit(pipe_path), 100003);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "no regular file");
}

static void test_sections_with_bad_values_have_their_statuses(void)
{
	static const struct {
		const char *content;
		int status;
	} rows[] = {
		{"{\"err_msg_mode\": 1}", 100000},
		{"{\"err_msg_mode\": \"yes\"}", 100000},
		{"{\"defaultDevice\": {}}", 500001},
		{"{\"defaultDevice\": {\"default_device\": 0}}", 500001},
		{"{\"defaultDevice\": {\"default_device\": \"x\"}}", 500001},
		{"{\"defaultDevice\": {\"default_device\": \"1\"}}", 500001}, /* there is one device */
		{"{\"defaultDevice\": {\"default_device\": \"-1\"}}", 500001},
		{"{\"aicore_stack_size\": \"big\"}", 500001},
		{"{\"StackSize\": {\"simt_stack_size\": 0}}", 500001},
		{"{\"dump\": 1}", 100009},
		{"{\"profiler\": []}", 100010},
		{"{\"acl_graph\": {\"event_mode\": 2}}", 100000},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!CHECK_EQUAL(aclInit(file(rows[i].content)), rows[i].status))
			fprintf(stderr, "  for %s\n", rows[i].content);
}

static void *get_device_of_new_thread(void *out)
{
	void *memory = NULL;

	CHECK_EQUAL(aclrtGetDevice(out), 0);
	CHECK_EQUAL(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST), 0);
	return NULL;
}

static void test_a_default_device_serves_threads_without_context(void)
{
	int32_t device = -1;
	pthread_t thread;

	CHECK_EQUAL(aclrtGetDevice(&device), 107002);
	CHECK_EQUAL(aclInit(file("{\"defaultDevice\": {\"default_device\": \"0\"}}")), 0);
	pthread_create(&thread, NULL, get_device_of_new_thread, &device);
	pthread_join(thread, NULL);
	CHECK_EQUAL(device, 0);
}

/* ---- versions and names ---- */

static void test_the_version_of_the_interface_is_1_17_0(void)
{
	int32_t major = -1, minor = -1, patch = -1;

	CHECK_EQUAL(aclrtGetVersion(&major, &minor, &patch), 0);
	CHECK(major == 1 && minor == 17 && patch == 0);
	CHECK_EQUAL(aclrtGetVersion(NULL, &minor, &patch), 100000);
	CHECK_EQUAL(aclrtGetVersion(&major, NULL, &patch), 100000);
	CHECK_EQUAL(aclrtGetVersion(&major, &minor, NULL), 100000);
}

static void write_version_file(const char *package, const char *content)
{
	char name[256];
	FILE *out;

	snprintf(name, sizeof(name), "%s/share", folder);
	mkdir(name, 0700);
	snprintf(name, sizeof(name), "%s/share/info", folder);
	mkdir(name, 0700);
	snprintf(name, sizeof(name), "%s/share/info/%s", folder, package);
	mkdir(name, 0700);
	snprintf(name, sizeof(name), "%s/share/info/%s/version.info", folder, package);
	out = fopen(name, "w");
	fputs(content, out);
	fclose(out);
}

static void test_an_install_root_of_any_length_is_refused_or_used(void)
{
	static char root[8192];
	char package[] = "runtime", version[128];

	memset(root, '/', sizeof(root) - 1);
	for (size_t size = 4070; size < sizeof(root); size += size < 4110 ? 1 : 1000) {
		root[size] = 0;
		setenv("ASCEND_HOME_PATH", root, 1);
		CHECK_EQUAL(aclsysGetVersionStr(package, version), 100003);
		root[size] = '/';
	}
}

static void test_package_versions_come_from_the_install_root(void)
{
	char version[128] = "untouched";
	char runtime[] = "runtime", other[] = "opp_kernel", missing[] = "nothing", empty[] = "hollow";

	unsetenv("ASCEND_HOME_PATH");
	CHECK_EQUAL(aclsysGetVersionStr(runtime, version), 100003);
	setenv("ASCEND_HOME_PATH", folder, 1);
	CHECK_EQUAL(aclsysGetVersionStr(NULL, version), 100000);
	CHECK_EQUAL(aclsysGetVersionStr(runtime, NULL), 100000);
	CHECK_EQUAL(aclsysGetVersionStr(missing, version), 100003);
	write_version_file("hollow", "Something=1\n");
	CHECK_EQUAL(aclsysGetVersionStr(empty, version), 500000);
	CHECK(!strcmp(version, "untouched"));

	write_version_file("runtime", "# a comment\nVersion=8.5.0\r\nOther=1\n");
	CHECK_EQUAL(aclsysGetVersionStr(runtime, version), 0);
	CHECK(!strcmp(version, "8.5.0"));
	write_version_file("opp-kernel", "Version=8.1\n");
	CHECK_EQUAL(aclsysGetVersionStr(other, version), 0);
	CHECK(!strcmp(version, "8.1"));
}

static void check_version_number(const char *version, aclError status, int32_t number)
{
	char name[] = "numbered", line[64];
	int32_t got = 7;

	snprintf(line, sizeof(line), "Version=%s\n", version);
	write_version_file(name, line);
	CHECK_EQUAL(aclsysGetVersionNum(name, &got), status);
	CHECK_EQUAL(got, status ? 7 : number);
}

static void test_versions_as_numbers_compare(void)
{
	char name[] = "numbered", missing[] = "nothing";
	int32_t number = 7;

	CHECK_EQUAL(aclsysGetVersionNum(NULL, &number), 100000);
	CHECK_EQUAL(aclsysGetVersionNum(name, NULL), 100000);
	CHECK_EQUAL(aclsysGetVersionNum(missing, &number), 100003);
	check_version_number("9.1.0", 0, 90100000);
	check_version_number("8.5.3", 0, 80503000);
	check_version_number("10.12.34", 0, 101234000);
	check_version_number("9.1.0-alpha.2", 0, 90100000 - 300 + 2);
	check_version_number("9.1.0-beta.3", 0, 90100000 - 200 + 3);
	check_version_number("9.1.0-rc1", 0, 90100000 - 100 + 1);
	check_version_number("9.1", 500000, 0);
	check_version_number("9.1.0.5", 500000, 0);
	check_version_number("9.1.x", 500000, 0);
	check_version_number("9.-1.0", 500000, 0);
	check_version_number("9.100.0", 500000, 0);
	check_version_number("9.1.0-gamma.1", 500000, 0);
	check_version_number("9.1.0-rc", 500000, 0);
	check_version_number("9.1.0-rc.1x", 500000, 0);
	check_version_number("99999999999999999999.1.0", 500000, 0);
	check_version_number("", 500000, 0);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static aclError parts_of(aclCANNPackageName name, aclCANNPackageVersion *version)
{
	return aclsysGetCANNVersion(name, version);
}
#pragma GCC diagnostic pop

static void test_versions_in_parts(void)
{
	aclCANNPackageVersion version;

	memset(&version, 'u', sizeof(version));
	CHECK_EQUAL(parts_of(ACL_PKG_NAME_RUNTIME, NULL), 100000);
	CHECK_EQUAL(parts_of((aclCANNPackageName)8, &version), 100000);
	CHECK_EQUAL(parts_of((aclCANNPackageName)-1, &version), 100000);
	CHECK_EQUAL(parts_of(ACL_PKG_NAME_HCCL, &version), 100003);
	CHECK(version.version[0] == 'u');
	write_version_file("toolkit", "Version=8.0.RC1.alpha003\n");
	CHECK_EQUAL(parts_of(ACL_PKG_NAME_TOOLKIT, &version), 0);
	CHECK(!strcmp(version.version, "8.0.RC1.alpha003"));
	CHECK(!strcmp(version.majorVersion, "8"));
	CHECK(!strcmp(version.minorVersion, "0"));
	CHECK(!strcmp(version.releaseVersion, "RC1"));
	CHECK(!strcmp(version.patchVersion, "alpha003"));
	write_version_file("runtime", "Version=9.1\n");
	CHECK_EQUAL(parts_of(ACL_PKG_NAME_CANN, &version), 0);
	CHECK(!strcmp(version.version, "9.1"));
	CHECK(!strcmp(version.minorVersion, "1"));
	CHECK(!strcmp(version.releaseVersion, ""));
	CHECK(!strcmp(version.patchVersion, ""));
}

static void test_without_an_install_root_the_version_is_the_emulated_one(void)
{
	aclCANNPackageVersion version;

	unsetenv("ASCEND_HOME_PATH");
	CHECK_EQUAL(parts_of(ACL_PKG_NAME_CANN, &version), 0);
	CHECK(!strcmp(version.version, "9.1.0"));
	CHECK(!strcmp(version.majorVersion, "9"));
	CHECK(!strcmp(version.minorVersion, "1"));
	CHECK(!strcmp(version.releaseVersion, "0"));
	CHECK(!strcmp(version.patchVersion, ""));
}

static void test_the_default_chip_is_910b3(void)
{
	CHECK(!strcmp(aclrtGetSocName(), "Ascend910B3"));
}

static void choose_950(void)
{
	setenv("ACLEMU_SOC", "Ascend950PR_9589", 1);
	CHECK(!strcmp(aclrtGetSocName(), "Ascend950PR_9589"));
	CHECK_EQUAL(emu_soc()->architecture, 3510);
	CHECK_EQUAL(aclrtSetDevice(0), 0);
}

static void choose_unknown(void)
{
	setenv("ACLEMU_SOC", "Ascend910B33", 1);
	CHECK(aclrtGetSocName() == NULL);
	CHECK_EQUAL(aclInit(NULL), 500000);
	CHECK_EQUAL(aclrtSetDevice(0), 507033);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "ACLEMU_SOC");
}

static void choose_310b(void)
{
	setenv("ACLEMU_SOC", "Ascend310B1", 1);
	CHECK(aclrtGetSocName() == NULL);
	CHECK_EQUAL(aclrtSetDevice(0), 507033);
}

static void test_an_unknown_chip_is_named_once_and_cannot_be_opened(void)
{
	struct child child = CHECK_CHILD(choose_unknown);
	const char *warning = strstr(child.output, "Ascend910B3.");

	CHECK_CONTAINS(child.output, "ACLEMU_SOC=Ascend910B33");
	CHECK(warning && !strstr(warning + 1, "ACLEMU_SOC="));
	CHECK_CONTAINS(CHECK_CHILD(choose_310b).output, "ACLEMU_SOC=Ascend310B1 is not a supported product");
	CHECK(CHECK_CHILD(choose_950).output[0] == 0);
}

/* ---- the environment ---- */

static void set_bad_variables(void)
{
	setenv("ACLEMU_STREEM", "sync", 1);
	setenv("ACLEMU_STREAM", "asink", 1);
	setenv("ACLEMU_MEMORY_GB", "-3", 1);
	setenv("ACLEMU_DEVICES", "2x", 1);
	setenv("ACLEMU_VERBOSE", "problem,plam", 1);
	CHECK(!emu_config()->streams_in_place);
	CHECK_EQUAL(emu_config()->devices, 1);
	CHECK_EQUAL(emu_config()->memory_bytes, 0);
}

static void set_good_variables(void)
{
	setenv("ACLEMU_STREAM", "sync", 1);
	setenv("ACLEMU_DEVICE_MEMORY", "shared", 1);
	setenv("ACLEMU_MEMORY_GB", "1.5", 1);
	setenv("ACLEMU_DEVICES", "3", 1);
	setenv("ACLEMU_THREADS", "7", 1);
	setenv("ACLEMU_KERNEL", "reference", 1);
	setenv("ACLEMU_ISA", "avx2", 1);
	setenv("ACLEMU_LIMITS", "off", 1);
	setenv("ACLEMU_OVERFLOW", "device", 1);
	setenv("ACLEMU_WORKSPACE", "zero", 1);
	setenv("ACLEMU_VERBOSE", "problem,plan", 1);
	const struct emu_config *config = emu_config();
	CHECK(config->streams_in_place && config->memory_shared && config->workspace_zero && !config->limits);
	CHECK(config->overflow_as_device);
	CHECK(config->verbose_problem && config->verbose_plan);
	CHECK(config->memory_bytes == 1610612736);
	CHECK(config->devices == 3 && config->threads == 7);
	CHECK(!strcmp(config->kernel, "reference") && !strcmp(config->isa, "avx2"));
}

static void test_unknown_variables_and_values_are_warned_of(void)
{
	struct child child = CHECK_CHILD(set_bad_variables);

	CHECK_CONTAINS(child.output, "ACLEMU_STREEM is unknown and does nothing; did you mean ACLEMU_STREAM?");
	CHECK_CONTAINS(child.output, "ACLEMU_STREAM=asink is ignored: expected async or sync; did you mean async?");
	CHECK_CONTAINS(child.output, "ACLEMU_MEMORY_GB=-3");
	CHECK_CONTAINS(child.output, "ACLEMU_DEVICES=2x");
	CHECK_CONTAINS(child.output, "ACLEMU_VERBOSE=problem,plam");
	CHECK(CHECK_CHILD(set_good_variables).output[0] == 0);
}

static const char *visible_list;
static int visible_expected;

static void count_visible(void)
{
	uint32_t count = 77;

	setenv("ACLEMU_DEVICES", "4", 1);
	setenv("ASCEND_RT_VISIBLE_DEVICES", visible_list, 1);
	CHECK_EQUAL(aclrtGetDeviceCount(&count), visible_expected ? 0 : 207004);
	CHECK_EQUAL(count, visible_expected ? visible_expected : 77);
	CHECK_EQUAL(aclrtSetDevice(visible_expected), 107001);
	if (visible_expected)
		CHECK_EQUAL(aclrtSetDevice(visible_expected - 1), 0);
}

static void test_visible_devices_are_counted_up_to_the_first_flaw(void)
{
	static const struct {
		const char *list;
		int count;
	} rows[] = {{"0", 1}, {"0,1,2,3", 4}, {"1,3", 2}, {"3", 1}, {"0,4", 1}, {"1,0", 1}, {"0, 1", 1}, {"0,x", 1}, {"", 0}, {"4", 0},
	            {"x", 0}, {" 0", 0}, {"-1", 0}, {"0,0", 1}, {"2;3", 1}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		visible_list = rows[i].list;
		visible_expected = rows[i].count;
		check_child(count_visible, rows[i].list);
	}
}

/* ---- the error text ---- */

static void test_the_text_is_fetched_once_and_newest_first(void)
{
	regex_t shape;
	const char *text;
	char pid[32];

	aclGetRecentErrMsg();
	CHECK(aclGetRecentErrMsg() == NULL);
	emu_error_add("EZ1001", "oldest %d", 1);
	emu_error_add("EZ1001", "middle");
	emu_error_add("EZ1001", "newest");
	text = aclGetRecentErrMsg();
	CHECK(!regcomp(&shape, "^\\[PID: [0-9]+\\] [0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}\\.[0-9]{3} "
	               "AclNN_Parameter_Error\\(EZ1001\\): newest\n {8}TraceBack \\(most recent call last\\):\n {8}middle\n {8}oldest 1"
	               "\n$", REG_EXTENDED));
	CHECK(text && !regexec(&shape, text, 0, NULL, 0));
	regfree(&shape);
	snprintf(pid, sizeof(pid), "[PID: %d]", (int)getpid());
	CHECK_CONTAINS(text, pid);
	CHECK(aclGetRecentErrMsg() == NULL);
}

static void test_identical_records_are_dropped_and_long_ones_cut(void)
{
	char long_text[3000];
	const char *text;

	memset(long_text, 'x', sizeof(long_text) - 1);
	long_text[sizeof(long_text) - 1] = 0;
	emu_error_add("EZ9903", "twice");
	emu_error_add("EZ9903", "twice");
	text = aclGetRecentErrMsg();
	CHECK_CONTAINS(text, "AclNN_Runtime_Error(EZ9903): twice\n");
	CHECK(!strstr(text, "TraceBack"));
	emu_error_add("EZ1001", "%s", long_text);
	text = aclGetRecentErrMsg();
	CHECK_EQUAL(text ? strspn(strchr(text, 'x'), "x") : 0, 1023);
}

static void test_internal_errors_start_with_their_code(void)
{
	emu_error_add("EZ9999", "core 3");
	CHECK(!strncmp(aclGetRecentErrMsg(), "EZ9999: ", 8));
}

static void *add_record(void *unused)
{
	emu_error_add("EZ1001", "of another thread");
	return unused;
}

static void add_in_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, add_record, NULL);
	pthread_join(thread, NULL);
}

static void test_texts_belong_to_threads(void)
{
	add_in_thread();
	CHECK(aclGetRecentErrMsg() == NULL);
}

static void test_process_mode_shares_the_text(void)
{
	const char *text;

	CHECK_EQUAL(aclInit(file("{\"err_msg_mode\": \"1\"}")), 0);
	add_in_thread();
	text = aclGetRecentErrMsg();
	CHECK_CONTAINS(text, "of another thread [THREAD: ");
	CHECK(aclGetRecentErrMsg() == NULL);
}

/* ---- */

static void test_the_host_runs_in_mode_1(void)
{
	aclrtRunMode mode = ACL_DEVICE;

	CHECK_EQUAL(aclrtGetRunMode(&mode), 0);
	CHECK_EQUAL(mode, 1);
	CHECK_EQUAL(aclrtGetRunMode(NULL), 100000);
	CHECK_EQUAL(aclrtGetDeviceCount(NULL), 100000);
}

int main(void)
{
	char command[64];

	if (!mkdtemp(folder))
		return 1;
	CHECK_CHILD(test_the_first_finalize_without_init_succeeds);
	CHECK_CHILD(test_finalize_reference_without_init_is_refused);
	CHECK_CHILD(test_the_content_of_the_first_configuration_stays_the_only_one);
	CHECK_CHILD(test_null_and_empty_configurations_are_equal);
	CHECK_CHILD(test_a_failed_init_changes_nothing);
	CHECK_CHILD(test_text_that_is_no_json_object_is_refused);
	CHECK_CHILD(test_every_json_construct_is_accepted_up_to_ten_levels);
	CHECK_CHILD(test_sections_with_bad_values_have_their_statuses);
	CHECK_CHILD(test_a_file_that_is_a_pipe_is_refused_at_once);
	CHECK_CHILD(test_a_default_device_serves_threads_without_context);
	CHECK_CHILD(test_process_mode_shares_the_text);
	test_an_unknown_chip_is_named_once_and_cannot_be_opened();
	test_unknown_variables_and_values_are_warned_of();
	test_visible_devices_are_counted_up_to_the_first_flaw();

	test_init_is_counted_and_finalize_drops_the_whole_count();
	test_the_version_of_the_interface_is_1_17_0();
	test_an_install_root_of_any_length_is_refused_or_used();
	test_package_versions_come_from_the_install_root();
	test_versions_as_numbers_compare();
	test_versions_in_parts();
	test_without_an_install_root_the_version_is_the_emulated_one();
	test_the_default_chip_is_910b3();
	test_the_text_is_fetched_once_and_newest_first();
	test_identical_records_are_dropped_and_long_ones_cut();
	test_internal_errors_start_with_their_code();
	test_texts_belong_to_threads();
	test_the_host_runs_in_mode_1();

	snprintf(command, sizeof(command), "rm -r %s", folder);
	CHECK_EQUAL(system(command), 0);
	return check_report();
}
