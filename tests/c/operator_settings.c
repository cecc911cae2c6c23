/* aclemuDescribeSettings(): what the environment, the process and the thread chose. */
#include <stdio.h>

#include "acl/acl_rt.h"
#include "aclemu/aclemu.h"
#include "check.h"
#include "child.h"

enum { ROOM = 512 };

/* " soc=Ascend910B3": with the space before it, so that no other item ends in the same letters */
static bool says(const char *item)
{
	char text[ROOM], line[ROOM + 2];

	snprintf(line, sizeof(line), " %s ", aclemuDescribeSettings(text, sizeof(text)) ? "" : text);
	return strstr(line, item);
}

static bool lacks(const char *item)
{
	return !says(item) && says(" version=");
}

static void tells_the_defaults(void)
{
	CHECK(says(" version=" EMU_VERSION " "));
	CHECK(says(" soc=Ascend910B3 "));
	CHECK(says(" memory=68719476736 "));
	CHECK(says(" devices=1 "));
	CHECK(says(" cann=9.1 "));
	CHECK(says(" stream=async deviceMemory=isolated workspace=real limits=device overflow=ieee "));
	CHECK(lacks(" kernel="));
	CHECK(lacks(" verbose="));
}

static void tells_what_the_environment_chose(void)
{
	setenv("ACLEMU_SOC", "Ascend310P3", 1);
	setenv("ACLEMU_MEMORY_GB", "0.5", 1);
	setenv("ACLEMU_DEVICES", "3", 1);
	setenv("ACLEMU_CANN_VERSION", "8.3.RC1", 1);
	setenv("ACLEMU_ISA", "baseline", 1);
	setenv("ACLEMU_THREADS", "7", 1);
	setenv("ACLEMU_KERNEL", "reference", 1);
	setenv("ACLEMU_STREAM", "sync", 1);
	setenv("ACLEMU_DEVICE_MEMORY", "shared", 1);
	setenv("ACLEMU_WORKSPACE", "zero", 1);
	setenv("ACLEMU_LIMITS", "off", 1);
	setenv("ACLEMU_OVERFLOW", "device", 1);
	setenv("ACLEMU_VERBOSE", "memory,problem", 1);
	CHECK(says(" soc=Ascend310P3 memory=536870912 devices=3 cann=8.3 "));
	CHECK(says(" threads=7 kernel=reference "));
	CHECK(says(" stream=sync deviceMemory=shared workspace=zero limits=off overflow=device "));
	CHECK(says(" verbose=problem,memory "));
#ifdef __aarch64__
	CHECK(says(" isa=neon "));
#else
	CHECK(says(" isa=baseline "));
#endif
}

static void follows_the_process_and_the_thread(void)
{
	CHECK_EQUAL(aclemuSetSoc("Ascend910A"), 0);
	CHECK(says(" soc=Ascend910A "));
	CHECK_EQUAL(aclemuSetThreadSoc("Ascend310P1"), 0);
	CHECK(says(" soc=Ascend310P1 "));
}

static void has_no_chip_when_the_variable_names_none(void)
{
	setenv("ACLEMU_SOC", "Ascend310B4", 1);
	CHECK(says(" soc=none "));
	CHECK(lacks(" memory="));
}

static void needs_room(void)
{
	char text[ROOM] = "untouched", exact[ROOM];
	size_t length;

	CHECK_EQUAL(aclemuDescribeSettings(NULL, ROOM), 161001);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "aclemuDescribeSettings failed because argument text is null");
	CHECK_EQUAL(aclemuDescribeSettings(exact, sizeof(exact)), 0);
	length = strlen(exact);
	CHECK_EQUAL(aclemuDescribeSettings(text, length), 161002);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "aclemuDescribeSettings failed because size is");
	CHECK(!strcmp(text, "untouched"));
	CHECK_EQUAL(aclemuDescribeSettings(text, length + 1), 0);
	CHECK(!strcmp(text, exact));
}

int main(void)
{
	unsetenv("ACLEMU_SOC");
	CHECK_CHILD(tells_the_defaults);
	CHECK_CHILD(tells_what_the_environment_chose);
	CHECK_CHILD(follows_the_process_and_the_thread);
	CHECK_CHILD(has_no_chip_when_the_variable_names_none);
	CHECK_CHILD(needs_room);
	return check_report();
}
