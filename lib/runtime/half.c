#include <math.h>

#include "acl/acl_base.h"

/* IEEE binary16, but the largest exponent is an ordinary one, as on the device: infinity is 65536, NaN is more. */
float aclFloat16ToFloat(aclFloat16 value)
{
	int exponent = value >> 10 & 31;
	int mantissa = value & 1023;
	float size = exponent ? ldexpf((float)(1024 + mantissa), exponent - 25) : ldexpf((float)mantissa, -24);

	return value & 0x8000 ? -size : size;
}

/* Nearest, ties to even; what is too large becomes the largest finite number, NaN the positive one. */
aclFloat16 aclFloatToFloat16(float value)
{
	const aclFloat16 sign = signbit(value) && !isnan(value) ? 0x8000 : 0;
	const float size = fabsf(value);
	int exponent;
	int steps; /* of the last place */

	if (!(size < 65520.0f)) /* half a step above 65504, the largest; or NaN */
		return sign | 0x7BFF;
	if (size < 0x1p-14f) /* subnormal: steps of 2^-24. A carry into the first normal number is right as it is */
		return sign | (aclFloat16)rintf(size * 0x1p24f);
	exponent = ilogbf(size);
	steps = (int)rintf(ldexpf(size, 10 - exponent)); /* 1024 to 2048; 2048 carries into the exponent */
	return sign | (aclFloat16)((exponent + 14) * 1024 + steps);
}
