/* The libraries that a framework's loader asks for: what is harmless does nothing, what is missing says so. */
#include <stddef.h>
#include <stdint.h>

#include "acl/acl_rt.h"
#include "check.h"

/* As a client declares them; no header of ours does. */
typedef struct aclopAttr aclopAttr;
aclopAttr *aclopCreateAttr(void);
void aclopDestroyAttr(const aclopAttr *attr);
aclError aclopSetAttrBool(aclopAttr *attr, const char *name, uint8_t value);
aclError aclopSetAttrInt(aclopAttr *attr, const char *name, int64_t value);
aclError aclopSetAttrFloat(aclopAttr *attr, const char *name, float value);
aclError aclopSetAttrDataType(aclopAttr *attr, const char *name, aclDataType value);
aclError aclopSetAttrString(aclopAttr *attr, const char *name, const char *value);
aclError aclopSetAttrListBool(aclopAttr *attr, const char *name, int count, const uint8_t *values);
aclError aclopSetAttrListInt(aclopAttr *attr, const char *name, int count, const int64_t *values);
aclError aclopSetAttrListFloat(aclopAttr *attr, const char *name, int count, const float *values);
aclError aclopSetAttrListListInt(aclopAttr *attr, const char *name, int count, const int *lengths,
                                 const int64_t *const values[]);
aclError aclopCompileAndExecute(const char *type, int inputs, const void *input_descs, const void *input_buffers,
                                int outputs, const void *output_descs, const void *output_buffers,
                                const aclopAttr *attr, int engine, int flag, const char *path, aclrtStream stream);
aclError aclopCompileAndExecuteV2(const char *type, int inputs, const void *input_descs, const void *input_buffers,
                                  int outputs, const void *output_descs, const void *output_buffers,
                                  const aclopAttr *attr, int engine, int flag, const char *path, aclrtStream stream);

static const int64_t ints[] = {1, 2};
static const uint8_t bools[] = {1, 0};
static const float floats[] = {1, 2};
static const int64_t *const rows[] = {ints, ints};
static const int lengths[] = {2, 1};

/* Every setter, of one object, name and number of values. */
static void check_setters(aclopAttr *attr, const char *name, int count, aclError single, aclError list)
{
	CHECK_EQUAL(aclopSetAttrBool(attr, name, 1), single);
	CHECK_EQUAL(aclopSetAttrInt(attr, name, 1), single);
	CHECK_EQUAL(aclopSetAttrFloat(attr, name, 1), single);
	CHECK_EQUAL(aclopSetAttrDataType(attr, name, ACL_FLOAT), single);
	CHECK_EQUAL(aclopSetAttrString(attr, name, "text"), single);
	CHECK_EQUAL(aclopSetAttrListBool(attr, name, count, bools), list);
	CHECK_EQUAL(aclopSetAttrListInt(attr, name, count, ints), list);
	CHECK_EQUAL(aclopSetAttrListFloat(attr, name, count, floats), list);
	CHECK_EQUAL(aclopSetAttrListListInt(attr, name, count, lengths, rows), list);
}

static void test_attributes_can_be_set(void)
{
	aclopAttr *attr = aclopCreateAttr();

	CHECK(attr);
	check_setters(attr, "name", 2, 0, 0);
	check_setters(attr, NULL, 2, 100000, 100000);
	check_setters(attr, "name", -1, 0, 100000);
	CHECK_EQUAL(aclopSetAttrListInt(attr, "name", 0, NULL), 0);
	CHECK_EQUAL(aclopSetAttrListInt(attr, "name", 1, NULL), 100000);
	CHECK_EQUAL(aclopSetAttrListListInt(attr, "name", 1, NULL, rows), 100000);
	CHECK_EQUAL(aclopSetAttrString(attr, "name", NULL), 100000);
	aclopDestroyAttr(attr);
	aclopDestroyAttr(attr);
	check_setters(attr, "name", 2, 100000, 100000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "an aclopAttr that was destroyed");
	check_setters(NULL, "name", 2, 100000, 100000);
	aclopDestroyAttr(NULL);
}

static void test_an_operator_called_by_name_is_not_found(void)
{
	aclGetRecentErrMsg();
	CHECK_EQUAL(aclopCompileAndExecute("Add", 0, NULL, NULL, 0, NULL, NULL, NULL, 0, 0, NULL, NULL), 100024);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "no operator can be called by its name (\"Add\")");
	CHECK_EQUAL(aclopCompileAndExecuteV2("Add", 0, NULL, NULL, 0, NULL, NULL, NULL, 0, 0, NULL, NULL), 100024);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "aclopCompileAndExecuteV2");
	CHECK_EQUAL(aclopCompileAndExecute(NULL, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, 0, NULL, NULL), 100000);
	CHECK_EQUAL(aclopCompileAndExecuteV2(NULL, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, 0, NULL, NULL), 100000);
}

int32_t rtDevBinaryRegister(const void *binary, void **handle);
int32_t rtFunctionRegister(void *binary, const void *stub, const char *name, const void *kernel, uint32_t mode);
int32_t rtKernelLaunch(const void *stub, uint32_t blocks, void *arguments, uint32_t size, void *desc, void *stream);
int32_t rtGetC2cCtrlAddr(uint64_t *address, uint32_t *length);

static void test_device_code_is_refused(void)
{
	uint64_t address = 7;
	uint32_t length = 7;
	void *handle = &address;

	aclGetRecentErrMsg();
	CHECK_EQUAL(rtDevBinaryRegister(&address, &handle), 207000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "rtDevBinaryRegister failed because device machine code");
	CHECK_EQUAL(rtFunctionRegister(&address, &address, "kernel", NULL, 0), 207000);
	CHECK_EQUAL(rtKernelLaunch(&address, 1, NULL, 0, NULL, NULL), 207000);
	CHECK_EQUAL(rtGetC2cCtrlAddr(&address, &length), 207000);
	CHECK(address == 7 && length == 7 && handle == &address);
}

union HcclConfigValue {
	int32_t value;
};
int HcclSetConfig(int config, union HcclConfigValue value);

static void test_collectives_can_be_told_to_be_deterministic(void)
{
	CHECK_EQUAL(HcclSetConfig(0, (union HcclConfigValue){1}), 0);
	aclGetRecentErrMsg();
	CHECK_EQUAL(HcclSetConfig(9, (union HcclConfigValue){1}), 1);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "config is 9");
}

int32_t MsprofRegisterCallback(uint32_t module, int32_t (*handle)(uint32_t type, void *data, uint32_t length));
int32_t MsprofReportApi(uint32_t persistent, const void *api);
int32_t MsprofReportCompactInfo(uint32_t persistent, const void *data, uint32_t length);
int32_t MsprofReportAdditionalInfo(uint32_t persistent, const void *data, uint32_t length);
uint64_t MsprofGetHashId(const char *text, size_t length);
uint64_t MsprofSysCycleTime(void);

static int32_t never_called(uint32_t type, void *data, uint32_t length)
{
	(void)type;
	(void)data;
	(void)length;
	CHECK(!"a profiler was started");
	return 0;
}

static void test_reports_go_nowhere(void)
{
	uint64_t before = MsprofSysCycleTime();

	CHECK_EQUAL(MsprofRegisterCallback(1, never_called), 0);
	CHECK_EQUAL(MsprofReportApi(0, NULL), 0);
	CHECK_EQUAL(MsprofReportCompactInfo(0, NULL, 0), 0);
	CHECK_EQUAL(MsprofReportAdditionalInfo(0, NULL, 0), 0);
	CHECK(MsprofSysCycleTime() >= before);
	/* published values of FNV-1a, 64 bits */
	CHECK(MsprofGetHashId("a", 1) == 0xaf63dc4c8601ec8c);
	CHECK(MsprofGetHashId("foobar", 6) == 0x85944171f73967e8);
	CHECK(MsprofGetHashId(NULL, 1) == 0);
}

int main(void)
{
	test_attributes_can_be_set();
	test_an_operator_called_by_name_is_not_found();
	test_device_code_is_refused();
	test_collectives_can_be_told_to_be_deterministic();
	test_reports_go_nowhere();
	return check_report();
}
