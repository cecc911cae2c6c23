/* Small arithmetic of sizes and positions that every kernel needs. Numbers are not negative. */
#ifndef EMU_ARITHMETIC_H
#define EMU_ARITHMETIC_H

#include <stdint.h>

static inline int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static inline int64_t ceil_div(int64_t value, int64_t unit)
{
	return value / unit + (value % unit != 0);
}

/* Rounded down; the value may be negative. */
static inline int64_t floor_div(int64_t value, int64_t unit)
{
	return value / unit - (value % unit < 0);
}

static inline int64_t round_up(int64_t value, int64_t unit)
{
	return ceil_div(value, unit) * unit;
}

static inline int64_t volume(const int64_t size[3])
{
	return size[0] * size[1] * size[2];
}

/* The position of an index in a grid, row-major. */
static inline void split(int64_t index, const int64_t size[3], int64_t at[3])
{
	at[2] = index % size[2];
	at[1] = index / size[2] % size[1];
	at[0] = index / size[2] / size[1];
}

#endif
