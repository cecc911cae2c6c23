/* Lists of tensors or scalars: the handles of their elements, looked up anew whenever they are used. */
#ifndef EMU_LIST_H
#define EMU_LIST_H

#include "base/container.h"

struct emu_list {
	struct emu_container container;
	const void *elements[];
};

#endif
