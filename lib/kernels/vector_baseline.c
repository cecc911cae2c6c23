/* The vector code for whatever the compiler targets by default: 16 registers of 4 lanes are assumed. */
#define GEMM emu_gemm_baseline
#define DIRECT emu_direct_baseline
#define LANES 4
#define TILE_ROWS 6
#define DEPTH 256
#include "vector.inc"
#include "gemm_vector.inc"
#include "direct_vector.inc"
