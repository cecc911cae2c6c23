/* What devices tell about themselves, and their access to each other. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "acl/acl.h"
#include "check.h"
#include "child.h"

static void check_number(aclrtDevAttr attribute, int64_t want)
{
	int64_t value = -7;

	CHECK_EQUAL(aclrtGetDeviceInfo(0, attribute, &value), 0);
	CHECK_EQUAL(value, want);
}

static void check_chip(int64_t cube, int64_t vector, int64_t cpus, int64_t l2, int64_t memory, int64_t architecture)
{
	int64_t value;

	check_number(ACL_DEV_ATTR_AICPU_CORE_NUM, cpus);
	check_number(ACL_DEV_ATTR_AICORE_CORE_NUM, cube);
	check_number(ACL_DEV_ATTR_CUBE_CORE_NUM, cube);
	check_number(ACL_DEV_ATTR_VECTOR_CORE_NUM, vector);
	check_number(ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE, memory);
	check_number(ACL_DEV_ATTR_L2_CACHE_SIZE, l2);
	check_number(ACL_DEV_ATTR_NPU_ARCH, architecture);
	CHECK_EQUAL(aclGetDeviceCapability(0, ACL_DEVICE_INFO_AI_CORE_NUM, &value), 0);
	CHECK_EQUAL(value, cube);
	CHECK_EQUAL(aclGetDeviceCapability(0, ACL_DEVICE_INFO_VECTOR_CORE_NUM, &value), 0);
	CHECK_EQUAL(value, vector);
	CHECK_EQUAL(aclGetDeviceCapability(0, ACL_DEVICE_INFO_L2_SIZE, &value), 0);
	CHECK_EQUAL(value, l2);
}

static void check_attributes(int32_t infinities, int32_t bf16)
{
	int32_t value = -7;

	CHECK_EQUAL(aclGetCannAttribute(ACL_CANN_ATTR_INF_NAN, &value), 0);
	CHECK_EQUAL(value, infinities);
	CHECK_EQUAL(aclGetCannAttribute(ACL_CANN_ATTR_BF16, &value), 0);
	CHECK_EQUAL(value, bf16);
	CHECK_EQUAL(aclGetCannAttribute(ACL_CANN_ATTR_JIT_COMPILE, &value), 0);
	CHECK_EQUAL(value, 0);
}

static void be_910b1(void)
{
	setenv("ACLEMU_SOC", "Ascend910B1", 1);
	check_chip(24, 48, 6, 201326592, 68719476736, 2201);
	check_attributes(1, 1);
}

static void be_910b4(void)
{
	setenv("ACLEMU_SOC", "Ascend910B4", 1);
	check_chip(20, 40, 6, 100663296, 34359738368, 2201);
}

static void be_310p3(void)
{
	setenv("ACLEMU_SOC", "Ascend310P3", 1);
	check_chip(8, 7, 7, 16777216, 24000000000, 2002);
	check_attributes(0, 0);
}

static void be_950(void)
{
	int64_t value = 7;

	setenv("ACLEMU_SOC", "Ascend950PR_9589", 1);
	check_number(ACL_DEV_ATTR_NPU_ARCH, 3510);
	check_attributes(1, 1);
	for (int attribute = 202; attribute <= 212; attribute++)
		CHECK_EQUAL(aclrtGetDeviceInfo(0, (aclrtDevAttr)attribute, &value), 207000);
	CHECK_EQUAL(value, 7);
}

static void have_64_mib(void)
{
	size_t free, total;

	setenv("ACLEMU_MEMORY_GB", "0.0625", 1);
	check_number(ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE, 64 << 20);
	aclrtSetDevice(0);
	CHECK_EQUAL(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), 0);
	check_number(ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE, (int64_t)total);
}

static void test_numbers_need_neither_context_nor_device(void)
{
	static const int of_machine[] = {401, 403, 404, 405, 406, 407, 408, 409, 501};
	int64_t value = 7;

	check_chip(20, 40, 6, 201326592, 68719476736, 2201);
	for (int attribute = 202; attribute <= 212; attribute++)
		check_number((aclrtDevAttr)attribute, 0);
	for (size_t i = 0; i < sizeof(of_machine) / sizeof(of_machine[0]); i++)
		check_number((aclrtDevAttr)of_machine[i], 0);
	CHECK_EQUAL(aclrtGetDeviceInfo(1, ACL_DEV_ATTR_PHY_CHIP_ID, &value), 0);
	CHECK_EQUAL(value, 1);
}

static void test_wrong_questions_are_refused(void)
{
	static const int unknown[] = {0, 2, 100, 103, 213, 300, 303, 400, 410, 502, 602};
	const aclCannAttr *list = (const aclCannAttr *)&unknown;
	int64_t value = 7;
	int32_t word = 7;
	size_t count = 7;

	CHECK_EQUAL(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_NPU_ARCH, NULL), 100000);
	CHECK_EQUAL(aclrtGetDeviceInfo(2, ACL_DEV_ATTR_NPU_ARCH, &value), 107000);
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		CHECK_EQUAL(aclrtGetDeviceInfo(0, (aclrtDevAttr)unknown[i], &value), 107000);
	CHECK_EQUAL(aclGetDeviceCapability(0, ACL_DEVICE_INFO_L2_SIZE, NULL), 100000);
	CHECK_EQUAL(aclGetDeviceCapability(2, ACL_DEVICE_INFO_L2_SIZE, &value), 100000);
	CHECK_EQUAL(aclGetDeviceCapability(0, (aclDeviceInfo)3, &value), 100000);
	CHECK_EQUAL(aclGetDeviceCapability(0, ACL_DEVICE_INFO_UNDEFINED, &value), 100000);
	CHECK_EQUAL(aclGetCannAttribute(ACL_CANN_ATTR_BF16, NULL), 100000);
	CHECK_EQUAL(aclGetCannAttribute((aclCannAttr)3, &word), 100000);
	CHECK_EQUAL(aclGetCannAttribute(ACL_CANN_ATTR_UNDEFINED, &word), 100000);
	CHECK_EQUAL(aclGetCannAttributeList(NULL, &count), 100000);
	CHECK_EQUAL(aclGetCannAttributeList(&list, NULL), 100000);
	CHECK_EQUAL(aclrtGetDeviceCapability(0, ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV, NULL), 100000);
	CHECK_EQUAL(aclrtGetDeviceCapability(2, ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV, &word), 107001);
	CHECK_EQUAL(aclrtGetDeviceCapability(0, (aclrtDevFeatureType)2, &word), 107000);
	CHECK_EQUAL(aclrtCheckArchCompatibility(NULL, &word), 100000);
	CHECK_EQUAL(aclrtCheckArchCompatibility("Ascend910B1", NULL), 100000);
	CHECK(value == 7 && word == 7 && count == 7 && list == (const aclCannAttr *)&unknown);
}

static void test_the_list_has_what_can_be_asked(void)
{
	const aclCannAttr *list = NULL;
	int32_t value;
	size_t count = 0;

	CHECK_EQUAL(aclGetCannAttributeList(&list, &count), 0);
	CHECK_EQUAL(count, 3);
	for (size_t i = 0; i < count; i++) {
		CHECK_EQUAL(list[i], i);
		CHECK_EQUAL(aclGetCannAttribute(list[i], &value), 0);
	}
}

static void check_compatible(const char *chip, int32_t want)
{
	int32_t value = -7;

	CHECK_EQUAL(aclrtCheckArchCompatibility(chip, &value), 0);
	CHECK_EQUAL(value, want);
}

static void test_code_runs_on_chips_of_its_architecture(void)
{
	check_compatible("Ascend910B1", 1);
	check_compatible("Ascend910_9391", 1);
	check_compatible("Ascend310P3", 0);
	check_compatible("Ascend950PR_9589", 0);
	check_compatible("Ascend2", 0);
}

static void test_features_are_absent(void)
{
	int32_t value = -7;

	CHECK_EQUAL(aclrtGetDeviceCapability(0, ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV, &value), 0);
	CHECK_EQUAL(value, 0);
	CHECK_EQUAL(aclrtGetDeviceCapability(1, ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV, &value), 0);
	CHECK_EQUAL(value, 0);
}

/* ---- how it is doing ---- */

static void test_devices_are_well(void)
{
	aclrtDeviceStatus status = ACL_RT_DEVICE_STATUS_END;

	CHECK_EQUAL(aclrtQueryDeviceStatus(1, NULL), 100000);
	CHECK_EQUAL(aclrtQueryDeviceStatus(2, &status), 107001);
	CHECK_EQUAL(aclrtQueryDeviceStatus(-1, &status), 107001);
	CHECK_EQUAL(status, ACL_RT_DEVICE_STATUS_END);
	CHECK_EQUAL(aclrtQueryDeviceStatus(1, &status), 0);
	CHECK_EQUAL(status, ACL_RT_DEVICE_STATUS_NORMAL);
}

static void check_load(int32_t device, int32_t want)
{
	aclrtUtilizationInfo info = {7, 7, 7, 7, NULL};

	CHECK_EQUAL(aclrtGetDeviceUtilizationRate(device, &info), 0);
	CHECK_EQUAL(info.cubeUtilization, want);
	CHECK_EQUAL(info.vectorUtilization, want);
	CHECK_EQUAL(info.aicpuUtilization, 0);
	CHECK_EQUAL(info.memoryUtilization, -1);
}

static void test_a_device_with_work_is_busy(void)
{
	aclrtUtilizationInfo info = {7, 7, 7, 7, NULL};
	uint64_t *word;

	aclrtSetDevice(0);
	aclrtMalloc((void **)&word, 8, ACL_MEM_MALLOC_HUGE_FIRST);
	aclrtMemset(word, 8, 0, 8);
	check_load(0, 0);
	CHECK_EQUAL(aclrtValueWait(word, 1, ACL_STREAM_WAIT_VALUE_EQ, NULL), 0);
	check_load(0, 100);
	check_load(1, 0);
	CHECK_EQUAL(aclrtStreamAbort(NULL), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(NULL), 0);
	check_load(0, 0);
	aclrtFree(word);
	aclrtResetDevice(0);

	CHECK_EQUAL(aclrtGetDeviceUtilizationRate(0, NULL), 100000);
	CHECK_EQUAL(aclrtGetDeviceUtilizationRate(2, &info), 107001);
	info.utilizationExtend = (aclrtUtilizationExtendInfo *)&info;
	CHECK_EQUAL(aclrtGetDeviceUtilizationRate(0, &info), 100000);
	CHECK_EQUAL(info.cubeUtilization, 7);
}

/* ---- which one it is ---- */

static void test_devices_have_numbers(void)
{
	aclrtUuid first, second;
	int32_t number = -7;

	CHECK_EQUAL(aclrtGetLogicDevIdByUserDevId(1, &number), 0);
	CHECK_EQUAL(number, 1);
	CHECK_EQUAL(aclrtGetLogicDevIdByUserDevId(2, &number), 107001);
	CHECK_EQUAL(aclrtGetLogicDevIdByUserDevId(1, NULL), 100000);
	CHECK_EQUAL(aclrtGetPhyDevIdByLogicDevId(0, &number), 0);
	CHECK_EQUAL(number, 0);
	CHECK_EQUAL(aclrtGetPhyDevIdByLogicDevId(2, &number), 107001);
	CHECK_EQUAL(aclrtGetPhyDevIdByLogicDevId(-1, &number), 107001);
	CHECK_EQUAL(aclrtGetPhyDevIdByLogicDevId(0, NULL), 100000);
	CHECK_EQUAL(number, 0);
	CHECK_EQUAL(aclrtDeviceGetBareTgid(NULL), 100000);
	CHECK_EQUAL(aclrtDeviceGetBareTgid(&number), 0);
	CHECK_EQUAL(number, getpid());
	CHECK_EQUAL(aclrtDeviceGetUuid(0, NULL), 100000);
	CHECK_EQUAL(aclrtDeviceGetUuid(2, &first), 107001);
	CHECK_EQUAL(aclrtDeviceGetUuid(0, &first), 0);
	CHECK_EQUAL(aclrtDeviceGetUuid(1, &second), 0);
	CHECK(memcmp(first.bytes, second.bytes, 16) != 0);
	CHECK_EQUAL(aclrtDeviceGetUuid(0, &second), 0);
	CHECK(memcmp(first.bytes, second.bytes, 16) == 0);
}

static void see_the_last_two_of_four(void)
{
	aclrtUuid uuid;
	int32_t number;
	int64_t chip;

	setenv("ACLEMU_DEVICES", "4", 1);
	setenv("ASCEND_RT_VISIBLE_DEVICES", "2,3", 1);
	CHECK_EQUAL(aclrtGetLogicDevIdByUserDevId(0, &number), 0);
	CHECK_EQUAL(number, 2);
	CHECK_EQUAL(aclrtGetLogicDevIdByUserDevId(1, &number), 0);
	CHECK_EQUAL(number, 3);
	CHECK_EQUAL(aclrtGetLogicDevIdByUserDevId(2, &number), 107001);
	CHECK_EQUAL(aclrtGetPhyDevIdByLogicDevId(3, &number), 0);
	CHECK_EQUAL(number, 3);
	CHECK_EQUAL(aclrtGetDeviceInfo(1, ACL_DEV_ATTR_PHY_CHIP_ID, &chip), 0);
	CHECK_EQUAL(chip, 3);
	CHECK_EQUAL(aclrtDeviceGetUuid(1, &uuid), 0);
	CHECK_EQUAL(uuid.bytes[15], '3');
}

static int32_t is_active(int32_t device)
{
	int32_t active = -7;

	CHECK_EQUAL(aclrtGetPrimaryCtxState(device, NULL, &active), 0);
	return active;
}

static void test_a_primary_context_is_active_while_its_device_is_set(void)
{
	aclrtContext context;
	uint32_t flags = 7;
	int32_t active = -7;

	CHECK_EQUAL(is_active(1), 0);
	aclrtCreateContext(&context, 1);
	CHECK_EQUAL(is_active(1), 0);
	aclrtDestroyContext(context);
	aclrtSetDevice(1);
	CHECK_EQUAL(is_active(1), 1);
	CHECK_EQUAL(is_active(0), 0);
	aclrtResetDevice(1);
	CHECK_EQUAL(is_active(1), 0);
	CHECK_EQUAL(aclrtGetPrimaryCtxState(1, &flags, &active), 100000);
	CHECK_EQUAL(aclrtGetPrimaryCtxState(1, NULL, NULL), 100000);
	CHECK_EQUAL(aclrtGetPrimaryCtxState(2, NULL, &active), 107001);
	CHECK(active == -7 && flags == 7);
}

static void test_there_are_two_task_schedulers(void)
{
	CHECK_EQUAL(aclrtSetTsDevice(ACL_TS_ID_AICORE), 0);
	CHECK_EQUAL(aclrtSetTsDevice(ACL_TS_ID_AIVECTOR), 0);
	CHECK_EQUAL(aclrtSetTsDevice(ACL_TS_ID_RESERVED), 100000);
}

/* ---- peers ---- */

static int32_t peer_status(int32_t device, int32_t peer)
{
	int32_t status = -7;

	CHECK_EQUAL(aclrtDevicePeerAccessStatus(device, peer, &status), 0);
	return status;
}

static void test_peers_are_reached_and_access_is_remembered(void)
{
	char *here, *there, byte = 0;
	int32_t can = -7;

	CHECK_EQUAL(aclrtDeviceCanAccessPeer(&can, 0, 1), 0);
	CHECK_EQUAL(can, 1);
	aclrtSetDevice(0);
	CHECK_EQUAL(peer_status(0, 1), 0);
	CHECK_EQUAL(aclrtDeviceEnablePeerAccess(1, 0), 0);
	CHECK_EQUAL(aclrtDeviceEnablePeerAccess(1, 0), 0);
	CHECK_EQUAL(peer_status(0, 1), 1);
	CHECK_EQUAL(peer_status(1, 0), 0);
	aclrtMalloc((void **)&here, 8, ACL_MEM_MALLOC_HUGE_FIRST);
	aclrtSetDevice(1);
	aclrtMalloc((void **)&there, 8, ACL_MEM_MALLOC_HUGE_FIRST);
	aclrtSetDevice(0);
	aclrtMemset(here, 8, 6, 8);
	CHECK_EQUAL(aclrtMemcpy(there, 8, here, 8, ACL_MEMCPY_DEVICE_TO_DEVICE), 0);
	CHECK_EQUAL(aclrtMemcpy(&byte, 1, there + 7, 1, ACL_MEMCPY_DEFAULT), 0);
	CHECK_EQUAL(byte, 6);
	CHECK_EQUAL(aclrtDeviceDisablePeerAccess(1), 0);
	CHECK_EQUAL(peer_status(0, 1), 0);
	aclrtFree(here);
	aclrtFree(there);
}

static void *without_context(void *argument)
{
	CHECK_EQUAL(aclrtDeviceEnablePeerAccess(1, 0), 107002);
	CHECK_EQUAL(aclrtDeviceDisablePeerAccess(1), 107002);
	return argument;
}

static void test_wrong_peers_are_refused(void)
{
	int32_t value = -7;
	pthread_t thread;

	CHECK_EQUAL(aclrtDeviceCanAccessPeer(NULL, 0, 1), 100000);
	CHECK_EQUAL(aclrtDeviceCanAccessPeer(&value, 1, 1), 100000);
	CHECK_EQUAL(aclrtDeviceCanAccessPeer(&value, 0, 2), 107001);
	CHECK_EQUAL(aclrtDeviceCanAccessPeer(&value, -1, 0), 107001);
	CHECK_EQUAL(aclrtDevicePeerAccessStatus(0, 1, NULL), 100000);
	CHECK_EQUAL(aclrtDevicePeerAccessStatus(0, 0, &value), 100000);
	CHECK_EQUAL(aclrtDevicePeerAccessStatus(2, 0, &value), 107001);
	CHECK_EQUAL(aclrtDeviceEnablePeerAccess(1, 1), 200006);
	CHECK_EQUAL(aclrtDeviceEnablePeerAccess(0, 0), 100000);
	CHECK_EQUAL(aclrtDeviceEnablePeerAccess(2, 0), 107001);
	CHECK_EQUAL(aclrtDeviceDisablePeerAccess(0), 100000);
	CHECK_EQUAL(aclrtDeviceDisablePeerAccess(2), 107001);
	CHECK_EQUAL(value, -7);
	pthread_create(&thread, NULL, without_context, NULL);
	pthread_join(thread, NULL);
}

int main(void)
{
	CHECK_CHILD(be_910b1);
	CHECK_CHILD(be_910b4);
	CHECK_CHILD(be_310p3);
	CHECK_CHILD(be_950);
	CHECK_CHILD(have_64_mib);
	CHECK_CHILD(see_the_last_two_of_four);
	setenv("ACLEMU_DEVICES", "2", 1);
	test_numbers_need_neither_context_nor_device();
	test_wrong_questions_are_refused();
	test_the_list_has_what_can_be_asked();
	test_code_runs_on_chips_of_its_architecture();
	test_features_are_absent();
	test_devices_are_well();
	test_a_device_with_work_is_busy();
	test_devices_have_numbers();
	test_a_primary_context_is_active_while_its_device_is_set();
	test_there_are_two_task_schedulers();
	test_peers_are_reached_and_access_is_remembered();
	test_wrong_peers_are_refused();
	aclrtResetDeviceForce(0);
	aclrtResetDeviceForce(1);
	return check_report();
}
