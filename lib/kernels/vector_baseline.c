/* The vector code for whatever the compiler targets by default: 16 registers of 4 lanes are assumed. */
#define GEMM emu_gemm_baseline
#define ROWS emu_rows_baseline
#define DIRECT emu_direct_baseline
#define THIN emu_thin_baseline
#define WINOGRAD emu_winograd_baseline
#define LANES 4
#define TILE_ROWS 6
#define DEPTH 256
#define PAIRS 0
#include "vector.inc"
#include "rows_vector.inc"
#include "gemm_vector.inc"
#include "gemm_multiply.inc"
#include "direct_vector.inc"
#include "thin_vector.inc"
#include "winograd_vector.inc"
