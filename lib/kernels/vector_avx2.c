/* The vector code for AVX2 with FMA: 16 registers of 8 lanes. */
#define GEMM emu_gemm_avx2
#define ROWS emu_rows_avx2
#define DIRECT emu_direct_avx2
#define THIN emu_thin_avx2
#define WINOGRAD emu_winograd_avx2
#define GROUPED emu_grouped_avx2
#define LANES 8
#define REGISTERS 16
#define TILE_ROWS 6
#define DEPTH 256
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
