#include "product.h"

#include <stddef.h>

#define AXES(d, h, w) {d, h, w}
#define PRODUCT(...)

#define LIMITS(name, stride, padding, dilation, kernel) \
	static const struct emu_limits name = {stride, padding, dilation, kernel};
#include "products.def"
#undef LIMITS
#undef PRODUCT

static const struct emu_product products[] = {
#define LIMITS(...)
#define PRODUCT(...) {__VA_ARGS__},
#include "products.def"
};

const struct emu_product *emu_product_find(int architecture)
{
	for (size_t i = 0; i < sizeof(products) / sizeof(products[0]); i++)
		if (products[i].architecture == architecture)
			return &products[i];
	return NULL;
}
