/* The vector code for AVX-512: 32 registers of 16 lanes. */
#define GEMM emu_gemm_avx512
#define DIRECT emu_direct_avx512
#define LANES 16
#define TILE_ROWS 12
#define DEPTH 192
#include "vector.inc"
#include "gemm_vector.inc"
#include "direct_vector.inc"
