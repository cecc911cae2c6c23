/* The vector code for AVX2 with FMA: 16 registers of 8 lanes. */
#define GEMM emu_gemm_avx2
#define DIRECT emu_direct_avx2
#define LANES 8
#define TILE_ROWS 6
#define DEPTH 256
#include "vector.inc"
#include "gemm_vector.inc"
#include "direct_vector.inc"
