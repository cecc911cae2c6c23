/*
 * Problems that nobody would make: a good one with a few members replaced by any value. Under the sanitizers this shows
 * that no list of arguments makes the checks read what is not there or compute what has no value.
 */
#include "problem_builder.h"

enum { ROUNDS = 40000 };

/* xorshift: the same problems in every run */
static uint64_t state = 88172645463325252;

static uint64_t any_number(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static uint64_t below(uint64_t end)
{
	return any_number() % end;
}

static bool one_in(uint64_t chances)
{
	return below(chances) == 0;
}

static int64_t any_value(void)
{
	static const int64_t odd[] = {0, 1, -1, 2, 3, 7, -7, 255, 256, 65536, INT32_MAX, INT32_MIN, INT64_C(1) << 48,
	                              INT64_C(1) << 56, INT64_MAX, INT64_MIN};

	return one_in(20) ? (int64_t)any_number() : odd[below(sizeof(odd) / sizeof(odd[0]))];
}

static const aclDataType dtypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_HIFLOAT8, ACL_FLOAT8_E4M3FN, ACL_INT8,
                                     (aclDataType)12345};
static const aclFormat formats[] = {ACL_FORMAT_NCL, ACL_FORMAT_NCHW, ACL_FORMAT_NCDHW, ACL_FORMAT_ND,
                                    ACL_FORMAT_NHWC, (aclFormat)-77};

static void spoil_tensor(struct emu_tensor_argument *tensor)
{
	struct emu_tensor_numbers *numbers = &tensor->numbers;
	uint64_t at = below(EMU_MAX_RANK);

	if (one_in(2))
		at = below(5);
	switch (below(10)) {
	case 0:
		tensor->presence = (enum emu_presence)below(3);
		break;
	case 1:
		numbers->rank = (int)below(EMU_MAX_RANK + 1);
		break;
	case 2:
		numbers->storage_rank = (int)below(EMU_MAX_RANK + 1);
		break;
	case 3:
		numbers->strides_count = (int)below(EMU_MAX_RANK + 1);
		break;
	case 4:
		numbers->offset = any_value();
		break;
	case 5:
		numbers->dtype = dtypes[below(sizeof(dtypes) / sizeof(dtypes[0]))];
		break;
	case 6:
		numbers->format = formats[below(sizeof(formats) / sizeof(formats[0]))];
		break;
	case 7:
		numbers->strides[at] = any_value();
		break;
	case 8:
		numbers->storage_dims[at] = any_value();
		break;
	default:
		numbers->dims[at] = any_value();
	}
}

/* As emu_problem_read() leaves it: an array exists exactly when its handle is live. */
static void spoil_ints(struct emu_ints_argument *argument)
{
	static const int64_t no_values[] = {0};
	uint64_t size = below(6);

	argument->handle = &p;
	if (one_in(4)) {
		argument->presence = one_in(2) ? EMU_ABSENT : EMU_DEAD;
		argument->array = NULL;
	} else if (argument->array && argument->array->size && one_in(2)) {
		argument->array->values[below(argument->array->size)] = any_value();
	} else {
		set_ints(argument, 0, no_values);
		argument->array = new_array(sizeof(*argument->array) + size * sizeof(int64_t));
		argument->array->size = size;
		for (uint64_t i = 0; i < size; i++)
			argument->array->values[i] = one_in(2) ? 1 : any_value();
	}
}

static void spoil_mask(void)
{
	if (one_in(6)) {
		p.output_mask.presence = one_in(2) ? EMU_ABSENT : EMU_DEAD;
		p.output_mask.handle = &p;
		p.output_mask.array = NULL;
	} else {
		set_mask(one_in(4) ? below(5) : 3, one_in(2), one_in(2), one_in(2));
	}
}

static void spoil(void)
{
	struct emu_ints_argument *const ints[] = {&p.bias_sizes, &p.stride, &p.padding, &p.dilation, &p.output_padding};

	switch (below(12)) {
	case 0:
		p.groups = (int)any_value();
		break;
	case 1:
		p.cube_math_type = (int8_t)any_value();
		break;
	case 2:
		p.transposed = one_in(2);
		break;
	case 3:
		spoil_mask();
		break;
	case 4:
	case 5:
		spoil_ints(ints[below(5)]);
		break;
	case 6:
		if (one_in(10))
			p.product = NULL;
		break;
	default:
		spoil_tensor(&p.tensors[below(EMU_OPERANDS)]);
	}
}

static void make_any(void)
{
	int product = (const int[]){A2, C950, P310, A910}[below(4)], rank = 3 + (int)below(3);

	if (one_in(4))
		make_empty(product, rank, one_in(2));
	else if (one_in(4))
		make_grouped(product, rank);
	else
		make(product, rank, one_in(2));
	for (uint64_t spoils = below(6); spoils; spoils--)
		spoil();
}

/* The status is that of the first violation; every text is there; no rule is said twice of the same values. */
static void check_violations(aclnnStatus status)
{
	const struct aclemuViolation *found;
	size_t count = aclemuGetViolations(&found);

	CHECK((count > 0) == (status != 0));
	for (size_t i = 0; i < count; i++) {
		CHECK(found[i].status == NULLPTR || found[i].status == INVALID || found[i].status == INNER);
		CHECK(*found[i].rule && *found[i].stage && *found[i].sentence && *found[i].hint && *found[i].values);
		for (size_t j = 0; j < i; j++)
			CHECK(strcmp(found[i].rule, found[j].rule) || strcmp(found[i].values, found[j].values));
	}
	if (count)
		CHECK_EQUAL(found[0].status, status);
}

int main(void)
{
	int accepted = 0, several = 0;

	for (int i = 0; i < ROUNDS; i++) {
		enum emu_route route;
		aclnnStatus status;

		make_any();
		emu_violations_clear();
		status = emu_validate(&p, &route);
		emu_validate_rest(&p);
		check_violations(status);
		accepted += status == 0;
		several += aclemuGetViolations(NULL) > 1;
	}
	/* neither only good ones nor only hopeless ones */
	CHECK(accepted > ROUNDS / 20 && several > ROUNDS / 20);
	aclGetRecentErrMsg();
	free_arrays();
	return check_report();
}
