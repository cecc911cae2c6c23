/* The kernels, best first. The reference is last and runs everything. */
#include <string.h>

#include "direct.h"
#include "gemm.h"
#include "grouped.h"
#include "implicit.h"
#include "reference.h"
#include "thin.h"
#include "winograd.h"

/* The functions of one method for one instruction set. */
#define METHOD(method, set)                                                              \
	static bool method##_##set##_can_run(const struct emu_conv_call *call)           \
	{                                                                                \
		return emu_##method##_can_run(&emu_##method##_##set, call);              \
	}                                                                                \
	static uint64_t method##_##set##_scratch(const struct emu_conv_call *call)       \
	{                                                                                \
		return emu_##method##_scratch_bytes(&emu_##method##_##set, call);        \
	}                                                                                \
	static void method##_##set##_run(const struct emu_conv_call *call, void *scratch) \
	{                                                                                \
		emu_##method##_run(&emu_##method##_##set, call, scratch);                \
	}

#define ROW(method, set, isa) \
	{#method, isa, method##_##set##_can_run, method##_##set##_scratch, method##_##set##_run}

#ifdef __x86_64__
METHOD(grouped, avx512)
METHOD(grouped, avx2)
METHOD(direct, avx512)
METHOD(direct, avx2)
METHOD(thin, amx)
METHOD(thin, avx512_bf16)
METHOD(thin, avx512)
METHOD(thin, avx2)
METHOD(winograd, avx512)
METHOD(winograd, avx2)
METHOD(implicit, amx)
METHOD(gemm, amx)
METHOD(gemm, avx512_bf16)
METHOD(gemm, avx512)
METHOD(gemm, avx2)
#endif
METHOD(grouped, baseline)
METHOD(direct, baseline)
METHOD(thin, baseline)
METHOD(winograd, baseline)
METHOD(gemm, baseline)

static const struct emu_kernel kernels[] = {
#ifdef __x86_64__
	ROW(implicit, amx, EMU_ISA_AMX),
	ROW(grouped, avx512, EMU_ISA_AVX512),
	ROW(grouped, avx2, EMU_ISA_AVX2),
	ROW(thin, amx, EMU_ISA_AMX),
	ROW(thin, avx512_bf16, EMU_ISA_AVX512_BF16),
	ROW(thin, avx512, EMU_ISA_AVX512),
	ROW(thin, avx2, EMU_ISA_AVX2),
	ROW(direct, avx512, EMU_ISA_AVX512),
	ROW(direct, avx2, EMU_ISA_AVX2),
#endif
	ROW(grouped, baseline, EMU_ISA_BASELINE),
	ROW(thin, baseline, EMU_ISA_BASELINE),
	ROW(direct, baseline, EMU_ISA_BASELINE),
#ifdef __x86_64__
	ROW(winograd, avx512, EMU_ISA_AVX512),
	ROW(winograd, avx2, EMU_ISA_AVX2),
	ROW(gemm, amx, EMU_ISA_AMX),
	ROW(gemm, avx512_bf16, EMU_ISA_AVX512_BF16),
	ROW(gemm, avx512, EMU_ISA_AVX512),
	ROW(gemm, avx2, EMU_ISA_AVX2),
#endif
	ROW(winograd, baseline, EMU_ISA_BASELINE),
	ROW(gemm, baseline, EMU_ISA_BASELINE),
	{"reference", EMU_ISA_BASELINE, emu_reference_can_run, emu_reference_scratch_bytes, emu_reference_run},
};

enum { KERNELS = sizeof(kernels) / sizeof(kernels[0]) };

static const struct emu_kernel *first_fit(const struct emu_conv_call *call, const char *name)
{
	for (int i = 0; i < KERNELS; i++)
		if (kernels[i].needs <= call->isa && (!name || strcmp(name, kernels[i].name) == 0) && kernels[i].can_run(call))
			return &kernels[i];
	return NULL;
}

const struct emu_kernel *emu_kernel_choose(const struct emu_conv_call *call, const char *forced_name)
{
	const struct emu_kernel *forced = forced_name ? first_fit(call, forced_name) : NULL;

	return forced ? forced : first_fit(call, NULL);
}

int emu_kernel_table(const struct emu_kernel **table)
{
	*table = kernels;
	return KERNELS;
}
