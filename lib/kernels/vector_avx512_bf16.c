/* The vector code for AVX-512 with dot products of BFLOAT16. */
#include <immintrin.h>

#define GEMM emu_gemm_avx512_bf16
#define THIN emu_thin_avx512_bf16
#define THIN_PAIRS &emu_gemm_avx512_bf16
#define LANES 16
#define TILE_ROWS 12
#define DEPTH 192
#define PAIRS 1
#define TILE_VECTORS 2
#include "vector.inc"
#include "gemm_vector.inc"
#include "gemm_multiply.inc"
#include "thin_vector.inc"
