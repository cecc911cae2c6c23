/* What differs between the products: one row each in products.def, keyed by the chip's architecture number. */
#ifndef EMU_PRODUCT_H
#define EMU_PRODUCT_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/kernels.h"

/* Bits over the accepted dtypes. */
enum {
	EMU_HAS_FLOAT = 1,
	EMU_HAS_FLOAT16 = 2,
	EMU_HAS_BF16 = 4,
	EMU_HAS_HIFLOAT8 = 8,
	EMU_HAS_FLOAT8_E4M3FN = 16
};

/* The largest value per axis d, h, w that the planning takes; INT64_MAX where there is no limit. */
struct emu_limits {
	int64_t stride[3];
	int64_t padding[3];
	int64_t dilation[3];
	int64_t kernel[3];
};

/* docs/products.md is made from these comments. What stands in brackets is not: sections and rows of the contract. */
struct emu_product {
	const char *name;               /* "A2" */
	int architecture;               /* number of the architecture */
	unsigned dtypes;                /* element types of a normal call (6.1) */
	unsigned dtypes_transposed;     /* element types of a transposed call (6.1) */
	bool outputs_follow_inputs;     /* an output has the element type of its input (C5, C7, C9) */
	bool is_big;                    /* empty tensors are welcome, and gradBias must be ND (E6, G3, 9) */
	bool computes_fp32;             /* computes in FLOAT (G2) */
	bool has_3d;                    /* computes 3-D calls (10) */
	bool checks_depthwise;          /* looks at the other channel count of a depthwise call (I4, I5) */
	enum emu_number hf32;           /* mantissa bits of HF32; EMU_F32 where there is none (12.3) */
	bool saturates;                 /* has no infinity and no NaN (12.5) */
	bool weight_through_fp16;       /* grouped 16-bit weight gradients pass through FLOAT16 in 1-D and 2-D (12.1) */
	bool float_weight_3d_needs_float; /* computes grouped 3-D weight gradients in FLOAT from FLOAT or HF32 only (10) */
	int64_t failing_dilation_1d;    /* dilation that 1-D calls with groups fail with; 0: none (10) */
	const struct emu_limits *limits[2][2]; /* [3-D][transposed] */
};

/* The row of an architecture number, or NULL. */
const struct emu_product *emu_product_find(int architecture);

#endif
