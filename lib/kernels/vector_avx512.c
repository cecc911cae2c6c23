/* The vector code for AVX-512: 32 registers of 16 lanes. */
#define GEMM emu_gemm_avx512
#define ROWS emu_rows_avx512
#define DIRECT emu_direct_avx512
#define THIN emu_thin_avx512
#define WINOGRAD emu_winograd_avx512
#define GROUPED emu_grouped_avx512
#define LANES 16
#define REGISTERS 32
#define TILE_ROWS 12
#define DEPTH 192
#define PAIRS 0
#define TILE_VECTORS 2
#include "vector.inc"
#include "rows_vector.inc"
#include "gemm_vector.inc"
#include "gemm_multiply.inc"
#include "direct_vector.inc"
#include "thin_vector.inc"
#include "winograd_vector.inc"
#include "grouped_vector.inc"
