/* Instruction sets: their names, and which one this processor and its operating system can run. */
#include <string.h>
#ifdef __x86_64__
#include <cpuid.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "kernels.h"

/* Every AArch64 processor has NEON. */
#ifdef __aarch64__
#define LOWEST "neon"
#else
#define LOWEST "baseline"
#endif

static const char *const names[EMU_ISA_COUNT] = {LOWEST, "avx2", "avx512", "avx512_bf16", "amx"};

#ifdef __x86_64__
/* Two extensions whose names not every compiler's __builtin_cpu_supports() knows, as the processor tells them. */
static bool has_f16c(void)
{
	unsigned a, b, c, d;

	return __get_cpuid(1, &a, &b, &c, &d) && c >> 29 & 1;
}

static bool has_amx_bf16(void)
{
	unsigned a, b, c, d;

	return __get_cpuid_count(7, 0, &a, &b, &c, &d) && d >> 22 & 1 && d >> 24 & 1;
}

static bool may_use_tiles;

/*
 * Linux keeps the tile registers of AMX from a process until it asks. From then on every signal stack must have room
 * for them, so a program whose alternate stacks are too small is refused, and computes without.
 */
static void ask_for_tiles(void)
{
	enum { ARCH_REQ_XCOMP_PERM = 0x1023, XFEATURE_XTILEDATA = 18 };

	may_use_tiles = syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) == 0;
}

static bool has_tiles(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (!has_amx_bf16())
		return false;
	pthread_once(&once, ask_for_tiles);
	return may_use_tiles;
}
#endif

enum emu_isa emu_isa_detect(void)
{
#ifdef __x86_64__
	__builtin_cpu_init();
	if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !has_f16c())
		return EMU_ISA_BASELINE;
	if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
	    !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl"))
		return EMU_ISA_AVX2;
	if (!__builtin_cpu_supports("avx512bf16"))
		return EMU_ISA_AVX512;
	return has_tiles() ? EMU_ISA_AMX : EMU_ISA_AVX512_BF16;
#else
	return EMU_ISA_BASELINE;
#endif
}

bool emu_isa_from_name(const char *name, enum emu_isa *isa)
{
	if (strcmp(name, "baseline") == 0)
		name = LOWEST;
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
