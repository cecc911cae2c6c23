/*
 * The vector code for whatever the compiler targets by default: 32 registers of 4 lanes are NEON, elsewhere 16 are
 * assumed.
 */
#define GEMM emu_gemm_baseline
#define ROWS emu_rows_baseline
#define DIRECT emu_direct_baseline
#define THIN emu_thin_baseline
#define WINOGRAD emu_winograd_baseline
#define GROUPED emu_grouped_baseline
#define LANES 4
#ifdef __aarch64__
#define REGISTERS 32
#define TILE_ROWS 12
#else
#define REGISTERS 16
#define TILE_ROWS 6
#endif
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
