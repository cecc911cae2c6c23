/* The kernels, best first. The reference is last and runs everything. */
#include <string.h>

#include "direct.h"
#include "gemm.h"
#include "reference.h"

/* The functions of one method for one instruction set. */
#define METHOD(method, set) \
	static bool method##_##set##_can_run(enum emu_direction direction, const struct emu_conv *conv) \
	{ \
		return emu_##method##_can_run(&emu_##method##_##set, direction, conv); \
	} \
	static uint64_t method##_##set##_scratch(enum emu_direction direction, const struct emu_conv *conv, int threads) \
	{ \
		return emu_##method##_scratch_bytes(&emu_##method##_##set, direction, conv, threads); \
	} \
	static void method##_##set##_run(enum emu_direction direction, const struct emu_conv *conv, \
	                                 const struct emu_conv_data *data, void *scratch, int threads) \
	{ \
		emu_##method##_run(&emu_##method##_##set, direction, conv, data, scratch, threads); \
	}

#define ROW(method, set, isa) \
	{#method, isa, method##_##set##_can_run, method##_##set##_scratch, method##_##set##_run}

#ifdef __x86_64__
METHOD(direct, avx512)
METHOD(direct, avx2)
METHOD(gemm, avx512)
METHOD(gemm, avx2)
#endif
METHOD(direct, baseline)
METHOD(gemm, baseline)

static const struct emu_kernel kernels[] = {
#ifdef __x86_64__
	ROW(direct, avx512, EMU_ISA_AVX512),
	ROW(direct, avx2, EMU_ISA_AVX2),
#endif
	ROW(direct, baseline, EMU_ISA_BASELINE),
#ifdef __x86_64__
	ROW(gemm, avx512, EMU_ISA_AVX512),
	ROW(gemm, avx2, EMU_ISA_AVX2),
#endif
	ROW(gemm, baseline, EMU_ISA_BASELINE),
	{"reference", EMU_ISA_BASELINE, emu_reference_can_run, emu_reference_scratch_bytes, emu_reference_run},
};

enum { KERNELS = sizeof(kernels) / sizeof(kernels[0]) };

static const struct emu_kernel *first_fit(enum emu_direction direction, const struct emu_conv *conv, enum emu_isa isa,
                                          const char *name)
{
	for (int i = 0; i < KERNELS; i++)
		if (kernels[i].needs <= isa && (!name || strcmp(name, kernels[i].name) == 0) &&
		    kernels[i].can_run(direction, conv))
			return &kernels[i];
	return NULL;
}

const struct emu_kernel *emu_kernel_choose(enum emu_direction direction, const struct emu_conv *conv, enum emu_isa isa,
                                           const char *forced_name)
{
	const struct emu_kernel *forced = forced_name ? first_fit(direction, conv, isa, forced_name) : NULL;

	return forced ? forced : first_fit(direction, conv, isa, NULL);
}

int emu_kernel_table(const struct emu_kernel **table)
{
	*table = kernels;
	return KERNELS;
}
