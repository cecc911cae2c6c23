/* What phase one of the copy refuses, and the nearest call that it takes. */
#include <stddef.h>

#include "acl/acl_rt.h"
#include "aclemu/aclemu.h"
#include "aclnnop/aclnn_copy.h"
#include "check.h"

/* A tensor without memory: phase one looks at numbers only. */
struct description {
	int64_t dims[9];
	uint64_t rank;
	aclDataType dtype;
	int64_t strides[9];
	bool strided;
	int64_t offset;
	int64_t storage;
};

static const struct description square = {{4, 5}, 2, ACL_FLOAT, {5, 1}, false, 0, 20};

static aclTensor *make(const struct description *d)
{
	return aclCreateTensor(d->dims, d->rank, d->dtype, d->strided ? d->strides : NULL, d->offset, ACL_FORMAT_ND,
	                       &d->storage, 1, NULL);
}

static aclnnStatus phase_one(aclTensor *self, const aclTensor *src)
{
	uint64_t size = 77;
	aclOpExecutor *const none = (aclOpExecutor *)(void *)&size, *executor = none;
	aclnnStatus status = aclnnInplaceCopyGetWorkspaceSize(self, src, &size, &executor);

	if (status) {
		CHECK_EQUAL(size, 77);
		CHECK(executor == none);
		return status;
	}
	CHECK_EQUAL(size, 0);
	CHECK_EQUAL(aclDestroyAclOpExecutor(executor), 0);
	CHECK_EQUAL(aclemuGetViolations(NULL), 0);
	return 0;
}

static aclnnStatus call(const struct description *self, const struct description *src)
{
	aclTensor *to = make(self), *from = make(src);
	aclnnStatus status = phase_one(to, from);

	CHECK_EQUAL(aclDestroyTensor(to), 0);
	CHECK_EQUAL(aclDestroyTensor(from), 0);
	return status;
}

static void check_broken(const char *rule, aclnnStatus status, aclnnStatus expected)
{
	const struct aclemuViolation *violation;

	CHECK_EQUAL(status, expected);
	if (!CHECK_EQUAL(aclemuGetViolations(&violation), 1))
		return;
	CHECK_CONTAINS(violation->rule, rule);
	CHECK_EQUAL(violation->status, expected);
	CHECK_CONTAINS(aclGetRecentErrMsg(), rule);
}

static void rejects(const char *rule, aclnnStatus status, struct description self, struct description src)
{
	check_broken(rule, call(&self, &src), status);
}

static void accepts(struct description self, struct description src)
{
	if (!CHECK_EQUAL(call(&self, &src), 0))
		fprintf(stderr, "%s\n", aclGetRecentErrMsg());
}

static struct description typed(aclDataType dtype)
{
	struct description d = square;

	d.dtype = dtype;
	return d;
}

static struct description shaped(uint64_t rank, const int64_t *dims)
{
	struct description d = square;

	d.rank = rank;
	for (uint64_t i = 0; i < rank; i++)
		d.dims[i] = dims[i];
	return d;
}

#define SHAPED(...) shaped(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (int64_t[]){__VA_ARGS__})

static struct description strided(int64_t outer, int64_t inner, int64_t offset, int64_t storage)
{
	struct description d = square;

	d.strided = true;
	d.strides[0] = outer;
	d.strides[1] = inner;
	d.offset = offset;
	d.storage = storage;
	return d;
}

static void test_missing_arguments(void)
{
	aclTensor *tensor = make(&square), *dead = make(&square);
	aclOpExecutor *executor = NULL;
	uint64_t size = 7;

	aclDestroyTensor(dead);
	check_broken("COPY_OUT_POINTER", aclnnInplaceCopyGetWorkspaceSize(tensor, tensor, NULL, &executor), 161001);
	check_broken("COPY_OUT_POINTER", aclnnInplaceCopyGetWorkspaceSize(tensor, tensor, &size, NULL), 161001);
	check_broken("COPY_ARGUMENT_NULL", phase_one(NULL, tensor), 161001);
	check_broken("COPY_ARGUMENT_NULL", phase_one(tensor, NULL), 161001);
	check_broken("COPY_HANDLE_LIVE", phase_one(dead, tensor), 161002);
	check_broken("COPY_HANDLE_LIVE", phase_one(tensor, dead), 161002);
	CHECK_EQUAL(phase_one(tensor, tensor), 0);
	CHECK(size == 7 && !executor);
	aclDestroyTensor(tensor);
}

static void test_types(void)
{
	rejects("COPY_DTYPE", 161002, typed(ACL_INT4), typed(ACL_INT4));
	rejects("COPY_DTYPE", 161002, square, typed(ACL_STRING));
	rejects("COPY_DTYPE", 161002, square, typed(ACL_DT_UNDEFINED));
	rejects("COPY_DTYPE", 161002, typed((aclDataType)99), square);
	accepts(typed(ACL_HIFLOAT8), typed(ACL_HIFLOAT8));
	accepts(typed(ACL_COMPLEX128), typed(ACL_COMPLEX128));
	rejects("COPY_CAST", 161002, typed(ACL_COMPLEX64), square);
	rejects("COPY_CAST", 161002, square, typed(ACL_HIFLOAT8));
	accepts(typed(ACL_BOOL), square);
	accepts(square, typed(ACL_UINT64));
}

static void test_shapes(void)
{
	rejects("COPY_RANK", 161002, SHAPED(1, 1, 1, 1, 1, 1, 1, 1, 2), SHAPED(2));
	accepts(SHAPED(1, 1, 1, 1, 1, 1, 1, 2), SHAPED(2));
	rejects("COPY_SIZES", 161002, SHAPED(-1), SHAPED(1));
	accepts(SHAPED(0), SHAPED(1));
	rejects("COPY_BROADCAST", 161002, SHAPED(4, 5), SHAPED(4, 4));
	rejects("COPY_BROADCAST", 161002, SHAPED(4, 5), SHAPED(1, 4, 5));
	rejects("COPY_BROADCAST", 161002, SHAPED(4, 5), SHAPED(0, 5));
	rejects("COPY_BROADCAST", 161002, SHAPED(4, 1), SHAPED(4, 5));
	accepts(SHAPED(4, 5), SHAPED(4, 5));
	accepts(SHAPED(4, 5), SHAPED(4, 1));
	accepts(SHAPED(4, 5), SHAPED(5));
	accepts(SHAPED(4, 0), SHAPED(4, 0));
	accepts(SHAPED(4, 5), shaped(0, NULL));
}

static void test_views(void)
{
	const int64_t far = (int64_t)1 << 56;

	rejects("COPY_IN_STORAGE", 561103, square, strided(1, 4, 0, 19));
	accepts(square, strided(1, 4, 0, 20));
	rejects("COPY_IN_STORAGE", 561103, strided(1, 4, 1, 20), square);
	accepts(strided(1, 4, 1, 21), square);
	rejects("COPY_IN_STORAGE", 561103, square, strided(-5, 1, 14, 20));
	accepts(square, strided(-5, 1, 15, 20));
	rejects("COPY_DISTINCT", 161002, strided(0, 1, 0, 20), square);
	accepts(square, strided(0, 1, 0, 5));
	rejects("COPY_ELEMENTS", 561103, square, strided(5, 1, far, 20));
	accepts(square, strided(5, 1, far - 19, 20)); /* contiguous: the run looks at the memory */
	rejects("COPY_ELEMENTS", 561103, square, strided(INT64_MAX, INT64_MIN, 0, 20));
	rejects("COPY_ELEMENTS", 561103, SHAPED(((int64_t)1 << 48) + 1), SHAPED(1));
	accepts(SHAPED((int64_t)1 << 48), SHAPED(1));
	rejects("COPY_ELEMENTS", 561103, SHAPED(INT64_MAX, INT64_MAX, INT64_MAX), SHAPED(1));
	accepts(SHAPED(INT64_MAX, INT64_MAX, 0), SHAPED(1));
}

static void test_strides_without_a_shape(void)
{
	aclTensor *tensor = make(&square), *plain = make(&square);

	/* strides are taken for the shape that is kept, and here there are none */
	CHECK_EQUAL(aclInitTensor(tensor, NULL, 3, ACL_FLOAT, (int64_t[]){20, 5, 1}, 0, ACL_FORMAT_ND, NULL, 0, NULL), 0);
	check_broken("COPY_STRIDES_COUNT", phase_one(plain, tensor), 161002);
	CHECK_EQUAL(aclInitTensor(tensor, NULL, 2, ACL_FLOAT, (int64_t[]){5, 1}, 0, ACL_FORMAT_ND, NULL, 0, NULL), 0);
	CHECK_EQUAL(phase_one(plain, tensor), 0);
	aclDestroyTensor(tensor);
	aclDestroyTensor(plain);
}

static void test_the_arithmetic_in_one_line(void)
{
	struct description half = typed(ACL_FLOAT16);
	aclTensor *to = make(&half), *from = make(&square);
	aclOpExecutor *executor = NULL;
	uint64_t size;
	char text[512];

	CHECK_EQUAL(aclnnInplaceCopyGetWorkspaceSize(to, from, &size, &executor), 0);
	CHECK_EQUAL(aclemuDescribeExecutor(executor, text, sizeof(text)), 0);
	CHECK(!strcmp(text, "op=copy from=DT_FLOAT to=DT_FLOAT16 elements=20 loops=1"));
	aclDestroyAclOpExecutor(executor);
	aclDestroyTensor(to);
	aclDestroyTensor(from);
}

int main(void)
{
	test_missing_arguments();
	test_types();
	test_shapes();
	test_views();
	test_strides_without_a_shape();
	test_the_arithmetic_in_one_line();
	return check_report();
}
