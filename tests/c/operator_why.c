/* What an emulator can say beyond a device, through the exported functions: violations, arithmetic, another product. */
#include <pthread.h>
#include <stdlib.h>

#include "acl/acl_rt.h"
#include "aclemu/aclemu.h"
#include "aclnnop/aclnn_convolution_backward.h"
#include "check.h"

/* ---- a 2-D call: batch 1, 4 channels to 4, size 5, kernel 3, padding 1 ---- */

struct call {
	aclDataType dtype;
	aclDataType result;
	int64_t stride;
	int groups;
	int8_t cube_math_type;
	bool mask[3];
};

static const struct call good = {ACL_FLOAT, ACL_FLOAT, 1, 1, 1, {true, true, true}};

static aclTensor *tensor(const int64_t *dims, uint64_t rank, aclDataType dtype)
{
	return aclCreateTensor(dims, rank, dtype, NULL, 0, rank == 4 ? ACL_FORMAT_NCHW : ACL_FORMAT_ND, dims, rank, NULL);
}

static aclIntArray *pair(int64_t value)
{
	return aclCreateIntArray((int64_t[]){value, value}, 2);
}

static aclnnStatus phase_one(const struct call *call, uint64_t *size, aclOpExecutor **executor)
{
	static const int64_t maps[] = {1, 4, 5, 5}, weights[] = {4, 4, 3, 3}, biases[] = {4};
	aclTensor *const tensors[] = {
		tensor(maps, 4, call->dtype),    tensor(maps, 4, call->dtype),       tensor(weights, 4, call->dtype),
		tensor(maps, 4, call->result),   tensor(weights, 4, call->result),   tensor(biases, 1, call->result),
	};
	aclIntArray *const ints[] = {pair(call->stride), pair(1), pair(1), pair(0)};
	aclBoolArray *mask = aclCreateBoolArray(call->mask, 3);
	aclnnStatus status = aclnnConvolutionBackwardGetWorkspaceSize(
		tensors[0], tensors[1], tensors[2], NULL, ints[0], ints[1], ints[2], false, ints[3], call->groups, mask,
		call->cube_math_type, tensors[3], tensors[4], tensors[5], size, executor);

	for (int i = 0; i < 6; i++)
		aclDestroyTensor(tensors[i]);
	for (int i = 0; i < 4; i++)
		aclDestroyIntArray(ints[i]);
	aclDestroyBoolArray(mask);
	return status;
}

static aclnnStatus status_of(const struct call *call)
{
	aclOpExecutor *executor;
	uint64_t size;
	aclnnStatus status = phase_one(call, &size, &executor);

	if (!status)
		aclDestroyAclOpExecutor(executor);
	return status;
}

/* ---- violations ---- */

static void test_violations_last_until_the_next_phase_one(void)
{
	const struct aclemuViolation *found;
	struct call bad = good;

	CHECK_EQUAL(aclemuGetViolations(&found), 0);
	CHECK(found == NULL);
	bad.stride = 0;
	bad.cube_math_type = 5;
	CHECK_EQUAL(status_of(&bad), 161002);
	CHECK_EQUAL(aclemuGetViolations(&found), 2);
	CHECK(!strcmp(found[0].rule, "CONVBWD_STRIDE_RANGE") && !strcmp(found[0].values, "stride[0] is 0"));
	CHECK(!strcmp(found[1].rule, "CONVBWD_CUBE_MATH_TYPE_RANGE") && !strcmp(found[1].values, "cubeMathType is 5"));
	CHECK_EQUAL(status_of(&good), 0);
	CHECK_EQUAL(aclemuGetViolations(&found), 0);
	aclGetRecentErrMsg();
}

static void test_missing_out_pointers_hide_nothing(void)
{
	const struct aclemuViolation *found;
	struct call bad = good;

	bad.groups = 0;
	CHECK_EQUAL(phase_one(&bad, NULL, NULL), 161001);
	CHECK_EQUAL(aclemuGetViolations(&found), 2);
	CHECK(!strcmp(found[0].rule, "CONVBWD_OUT_POINTER") && !strcmp(found[0].stage, "CALL"));
	CHECK(!strcmp(found[1].rule, "CONVBWD_GROUPS_RANGE"));
	aclGetRecentErrMsg();
}

static void *counts_violations(void *count)
{
	*(size_t *)count = aclemuGetViolations(NULL);
	return NULL;
}

static void test_violations_belong_to_the_thread(void)
{
	struct call bad = good;
	pthread_t thread;
	size_t count = 99;

	bad.groups = 0;
	CHECK_EQUAL(status_of(&bad), 161002);
	pthread_create(&thread, NULL, counts_violations, &count);
	pthread_join(thread, NULL);
	CHECK_EQUAL(count, 0);
	CHECK_EQUAL(aclemuGetViolations(NULL), 1);
	aclGetRecentErrMsg();
}

/* ---- the arithmetic ---- */

/* The line has this item, with a blank or an end on both sides. */
static bool has_item(const char *line, const char *item)
{
	size_t length = strlen(item);

	for (const char *at = line; (at = strstr(at, item)); at++)
		if ((at == line || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0))
			return true;
	fprintf(stderr, "%s not in: %s\n", item, line);
	return false;
}

static const char *description_of(const struct call *call)
{
	static char text[512];
	aclOpExecutor *executor;
	uint64_t size;

	text[0] = 0;
	if (CHECK_EQUAL(phase_one(call, &size, &executor), 0)) {
		CHECK_EQUAL(aclemuDescribeExecutor(executor, text, sizeof(text)), 0);
		aclDestroyAclOpExecutor(executor);
	}
	return text;
}

static void test_the_description_has_the_rounding_points_of_the_product(void)
{
	struct call call = good;
	const char *line = description_of(&call);

	CHECK(has_item(line, "route=compute") && has_item(line, "operands=hf32-11") && has_item(line, "accumulate=f32"));
	CHECK(has_item(line, "gradInput=f32") && has_item(line, "gradWeight=f32") && has_item(line, "gradBias=f32"));
	CHECK(strstr(line, " kernels=") && strstr(line, "/to-big,") && strstr(line, "/to-weight "));

	CHECK_EQUAL(aclemuSetThreadSoc("Ascend950PR_1"), 0);
	CHECK(has_item(description_of(&call), "operands=hf32-10"));
	CHECK_EQUAL(aclemuSetThreadSoc("Ascend310P3"), 0);
	line = description_of(&call);
	CHECK(has_item(line, "operands=f16") && has_item(line, "gradInput=f16>f32"));
	CHECK(has_item(line, "gradWeight=f32") && has_item(line, "gradBias=f32"));
	CHECK_EQUAL(aclemuSetThreadSoc(NULL), 0);

	call.cube_math_type = 0;
	CHECK(has_item(description_of(&call), "operands=f32"));
	call.dtype = ACL_BF16;
	line = description_of(&call);
	CHECK(has_item(line, "operands=bf16") && has_item(line, "gradInput=bf16>f32"));
	CHECK(has_item(line, "gradWeight=f32") && has_item(line, "gradBias=bf16>f32"));
	call.result = ACL_FLOAT16;
	CHECK(has_item(description_of(&call), "gradBias=bf16>f16"));
}

static void test_the_description_has_what_is_asked_for_only(void)
{
	struct call call = good;
	const char *line;

	call.mask[1] = call.mask[2] = false;
	line = description_of(&call);
	CHECK(has_item(line, "gradInput=f32") && !strstr(line, "gradWeight") && !strstr(line, "gradBias"));
	call.mask[0] = false;
	call.mask[2] = true;
	line = description_of(&call);
	CHECK(has_item(line, "gradBias=f32") && !strstr(line, "operands") && !strstr(line, "kernels"));
}

static void test_a_description_needs_an_executor_and_room(void)
{
	char text[512] = "untouched", exact[512];
	aclOpExecutor *executor;
	uint64_t size;
	size_t length;

	aclGetRecentErrMsg();
	CHECK_EQUAL(aclemuDescribeExecutor(NULL, text, sizeof(text)), 161001);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "aclemuDescribeExecutor failed because executor");
	CHECK_EQUAL(phase_one(&good, &size, &executor), 0);
	CHECK_EQUAL(aclemuDescribeExecutor(executor, NULL, sizeof(text)), 161001);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "text");
	CHECK_EQUAL(aclemuDescribeExecutor(executor, exact, sizeof(exact)), 0);
	length = strlen(exact);
	CHECK_EQUAL(aclemuDescribeExecutor(executor, text, length), 161002);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "aclemuDescribeExecutor failed because size is");
	CHECK(!strcmp(text, "untouched"));
	CHECK_EQUAL(aclemuDescribeExecutor(executor, text, length + 1), 0);
	CHECK(!strcmp(text, exact));
	CHECK_EQUAL(aclDestroyAclOpExecutor(executor), 0);
	CHECK_EQUAL(aclemuDescribeExecutor(executor, text, sizeof(text)), 561000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "destroyed");
}

/* ---- products by thread ---- */

enum { ROUNDS = 300 };

struct expectation {
	char soc[32];
	aclnnStatus float_kept;  /* DT_FLOAT with cubeMathType 0 */
	aclnnStatus bfloat16;
	aclnnStatus other_result; /* DT_FLOAT16 into DT_FLOAT */
	int wrong_answers;
};

static void *asks_its_product(void *argument)
{
	struct expectation *expected = argument;
	const struct call float_kept = {ACL_FLOAT, ACL_FLOAT, 1, 1, 0, {true, true, true}};
	const struct call bfloat16 = {ACL_BF16, ACL_BF16, 1, 1, 0, {true, true, true}};
	const struct call other_result = {ACL_FLOAT16, ACL_FLOAT, 1, 1, 0, {true, true, true}};

	expected->wrong_answers += aclemuSetThreadSoc(expected->soc) != 0;
	for (int i = 0; i < ROUNDS; i++) {
		const struct aclemuViolation *found;

		expected->wrong_answers += status_of(&other_result) != expected->other_result;
		expected->wrong_answers += status_of(&float_kept) != expected->float_kept;
		expected->wrong_answers += status_of(&bfloat16) != expected->bfloat16;
		if (expected->bfloat16)
			expected->wrong_answers += !aclemuGetViolations(&found) || strcmp(found[0].rule, "CONVBWD_DTYPE");
		aclGetRecentErrMsg();
	}
	return NULL;
}

static void test_threads_have_products_of_their_own_at_once(void)
{
	struct expectation expected[] = {
		{"Ascend910B3", 0, 0, 0, 0},
		{"Ascend950PR_2", 0, 0, 161002, 0},
		{"Ascend310P3", 161002, 161002, 0, 0},
		{"Ascend910A", 161002, 161002, 0, 0},
	};
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, asks_its_product, &expected[i]);
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], NULL);
		CHECK_EQUAL(expected[i].wrong_answers, 0);
	}
	CHECK_EQUAL(status_of(&good), 0);
}

int main(void)
{
	unsetenv("ACLEMU_SOC");
	test_violations_last_until_the_next_phase_one();
	test_missing_out_pointers_hide_nothing();
	test_violations_belong_to_the_thread();
	test_the_description_has_the_rounding_points_of_the_product();
	test_the_description_has_what_is_asked_for_only();
	test_a_description_needs_an_executor_and_room();
	test_threads_have_products_of_their_own_at_once();
	return check_report();
}
