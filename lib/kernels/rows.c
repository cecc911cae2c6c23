/* Which row code an instruction set runs. */
#include "rows.h"

extern const struct emu_rows emu_rows_baseline;
extern const struct emu_rows emu_rows_avx2;
extern const struct emu_rows emu_rows_avx512;

const struct emu_rows *emu_rows(enum emu_isa isa)
{
#ifdef __x86_64__
	if (isa >= EMU_ISA_AVX512)
		return &emu_rows_avx512;
	if (isa >= EMU_ISA_AVX2)
		return &emu_rows_avx2;
#endif
	(void)isa;
	return &emu_rows_baseline;
}
