/* The chip of the process and of a thread, chosen at run time. */
#include <pthread.h>
#include <stdatomic.h>

#include "acl/acl_rt.h"
#include "aclemu/aclemu.h"
#include "check.h"
#include "child.h"
#include "runtime/soc.h"
#include "runtime/window.h"

static bool is_soc(const char *wanted)
{
	const char *name = aclrtGetSocName();

	return name && !strcmp(name, wanted);
}

static void test_the_process_chooses_and_goes_back(void)
{
	CHECK(is_soc("Ascend910B3"));
	CHECK_EQUAL(aclemuSetSoc("Ascend310P3"), 0);
	CHECK(is_soc("Ascend310P3"));
	CHECK_EQUAL(emu_soc()->architecture, 2002);
	CHECK_EQUAL(aclemuSetSoc("Ascend910_9391"), 0);
	CHECK_EQUAL(emu_soc()->architecture, 2201);
	CHECK_EQUAL(aclemuSetSoc(NULL), 0);
	CHECK(is_soc("Ascend910B3"));
}

static void test_a_thread_chooses_and_goes_back_to_the_process(void)
{
	CHECK_EQUAL(aclemuSetSoc("Ascend910A"), 0);
	CHECK_EQUAL(aclemuSetThreadSoc("Ascend310P1"), 0);
	CHECK(is_soc("Ascend310P1"));
	CHECK_EQUAL(aclemuSetSoc("Ascend910ProB"), 0);
	CHECK(is_soc("Ascend310P1"));
	CHECK_EQUAL(aclemuSetThreadSoc(NULL), 0);
	CHECK(is_soc("Ascend910ProB"));
	CHECK_EQUAL(aclemuSetSoc(NULL), 0);
}

static void test_every_name_of_the_950_family_is_kept(void)
{
	char name[] = "Ascend950PR_9589";
	const char *kept;

	CHECK_EQUAL(aclemuSetSoc(name), 0);
	memset(name, 'x', sizeof(name) - 1);
	kept = aclrtGetSocName();
	CHECK(!strcmp(kept, "Ascend950PR_9589"));
	CHECK_EQUAL(emu_soc()->architecture, 3510);
	CHECK_EQUAL(aclemuSetSoc("Ascend950DT_1"), 0);
	CHECK(!strcmp(kept, "Ascend950PR_9589"));
	CHECK_EQUAL(aclemuSetSoc("Ascend950PR_9589"), 0);
	CHECK(aclrtGetSocName() == kept);
	CHECK_EQUAL(aclemuSetSoc(NULL), 0);
}

static void test_an_unknown_name_is_refused_with_the_nearest(void)
{
	static const char *const wrong[] = {"", "Ascend", "ascend910b3", "Ascend910B33", "Ascend910B3 "};
	char long_950[80] = "Ascend950";
	const char *text;

	CHECK_EQUAL(aclemuSetSoc("Ascend310P3"), 0);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		aclGetRecentErrMsg();
		CHECK_EQUAL(aclemuSetSoc(wrong[i]), 100000);
		CHECK_CONTAINS(aclGetRecentErrMsg(), "aclemuSetSoc failed because name is \"");
		CHECK_EQUAL(aclemuSetThreadSoc(wrong[i]), 100000);
		CHECK_CONTAINS(aclGetRecentErrMsg(), "aclemuSetThreadSoc failed because name is \"");
		CHECK(is_soc("Ascend310P3"));
	}
	aclemuSetSoc("Ascend910B33");
	CHECK_CONTAINS(aclGetRecentErrMsg(),
	               "name is \"Ascend910B33\", which no supported chip has; the nearest: Ascend910B3.");
	aclemuSetSoc("Ascend910C");
	CHECK_CONTAINS(aclGetRecentErrMsg(), "the nearest: Ascend910A or Ascend910B.");
	memset(long_950 + 9, 'P', sizeof(long_950) - 10);
	CHECK_EQUAL(aclemuSetSoc(long_950), 100000);
	text = aclGetRecentErrMsg();
	CHECK_CONTAINS(text, "Ascend950PPPP");
	CHECK(!strstr(text, long_950)); /* cut */
	long_950[63] = 0;
	CHECK_EQUAL(aclemuSetSoc(long_950), 0);
	CHECK(is_soc(long_950));
	CHECK_EQUAL(aclemuSetSoc(NULL), 0);
}

static void test_the_310b_family_is_refused_as_unsupported(void)
{
	aclGetRecentErrMsg();
	CHECK_EQUAL(aclemuSetSoc("Ascend310B4"), 100000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "\"Ascend310B4\", a chip that is not supported; the nearest: ");
	CHECK(is_soc("Ascend910B3"));
}

/* ---- device facts ---- */

static void memory_is_that_of_the_first_open(void)
{
	CHECK_EQUAL(aclemuSetSoc("Ascend310P3"), 0);
	CHECK_EQUAL(aclrtSetDevice(0), 0);
	CHECK_EQUAL(aclemuSetSoc("Ascend910B3"), 0);
	CHECK_EQUAL(emu_window_get()->memory_bytes, 24000000000);
	CHECK_EQUAL(aclrtResetDevice(0), 0);
	CHECK_EQUAL(aclrtSetDevice(0), 0);
	CHECK_EQUAL(emu_window_get()->memory_bytes, 24000000000);
}

static void a_choice_mends_a_bad_environment(void)
{
	setenv("ACLEMU_SOC", "Ascend77", 1);
	CHECK(aclrtGetSocName() == NULL);
	CHECK_EQUAL(aclInit(NULL), 500000);
	CHECK_EQUAL(aclrtSetDevice(0), 507033);
	CHECK_EQUAL(aclemuSetSoc("Ascend910B4"), 0);
	CHECK_EQUAL(aclInit(NULL), 0);
	CHECK_EQUAL(aclrtSetDevice(0), 0);
	CHECK_EQUAL(aclemuSetSoc(NULL), 0);
	CHECK(aclrtGetSocName() == NULL);
}

static void the_environment_is_what_null_goes_back_to(void)
{
	setenv("ACLEMU_SOC", "Ascend310P5", 1);
	CHECK_EQUAL(aclemuSetSoc("Ascend910A"), 0);
	CHECK_EQUAL(aclemuSetSoc(NULL), 0);
	CHECK(is_soc("Ascend310P5"));
}

/* ---- threads ---- */

enum { ROUNDS = 2000 };

static atomic_int wrong_answers;

static void *keeps_its_own(void *name)
{
	if (aclemuSetThreadSoc(name))
		atomic_fetch_add(&wrong_answers, 1);
	for (int i = 0; i < ROUNDS; i++)
		if (!is_soc(name))
			atomic_fetch_add(&wrong_answers, 1);
	return NULL;
}

static void *changes_the_process(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		char name[32];

		snprintf(name, sizeof(name), "Ascend950PR_%d", i % 50);
		if (aclemuSetSoc(i % 3 ? name : NULL))
			atomic_fetch_add(&wrong_answers, 1);
	}
	return unused;
}

static void *follows_the_process(void *unused)
{
	for (int i = 0; i < ROUNDS; i++)
		if (strncmp(aclrtGetSocName(), "Ascend9", 7))
			atomic_fetch_add(&wrong_answers, 1);
	return unused;
}

static void test_threads_do_not_disturb_each_other(void)
{
	static void *(*const bodies[])(void *) = {keeps_its_own, keeps_its_own, changes_the_process, changes_the_process,
	                                          follows_the_process};
	static char names[2][32] = {"Ascend310P3", "Ascend950PR_7"};
	pthread_t threads[5];

	for (int i = 0; i < 5; i++)
		CHECK_EQUAL(pthread_create(&threads[i], NULL, bodies[i], i < 2 ? names[i] : NULL), 0);
	for (int i = 0; i < 5; i++)
		pthread_join(threads[i], NULL);
	CHECK_EQUAL(atomic_load(&wrong_answers), 0);
	CHECK_EQUAL(aclemuSetSoc(NULL), 0);
	CHECK(is_soc("Ascend910B3")); /* the choices of the threads ended with them */
}

int main(void)
{
	unsetenv("ACLEMU_SOC");
	CHECK_CHILD(memory_is_that_of_the_first_open);
	CHECK_CHILD(a_choice_mends_a_bad_environment);
	CHECK_CHILD(the_environment_is_what_null_goes_back_to);
	test_the_process_chooses_and_goes_back();
	test_a_thread_chooses_and_goes_back_to_the_process();
	test_every_name_of_the_950_family_is_kept();
	test_an_unknown_name_is_refused_with_the_nearest();
	test_the_310b_family_is_refused_as_unsupported();
	test_threads_do_not_disturb_each_other();
	return check_report();
}
