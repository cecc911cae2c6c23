/* Instruction sets: their names, and which one this processor and its operating system can run. */
#include <string.h>

#include "kernels.h"

static const char *const names[EMU_ISA_COUNT] = {"baseline", "avx2", "avx512"};

enum emu_isa emu_isa_detect(void)
{
#ifdef __x86_64__
	__builtin_cpu_init();
	if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("f16c"))
		return EMU_ISA_BASELINE;
	if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
	    __builtin_cpu_supports("avx512vl"))
		return EMU_ISA_AVX512;
	return EMU_ISA_AVX2;
#else
	return EMU_ISA_BASELINE;
#endif
}

bool emu_isa_from_name(const char *name, enum emu_isa *isa)
{
	for (int i = 0; i < EMU_ISA_COUNT; i++) {
		if (strcmp(name, names[i]) == 0) {
			*isa = (enum emu_isa)i;
			return true;
		}
	}
	return false;
}

const char *emu_isa_name(enum emu_isa isa)
{
	return names[isa];
}
