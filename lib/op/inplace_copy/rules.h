/* The rules of rules.def as data, and how a check says that one is broken. */
#ifndef EMU_COPY_RULES_H
#define EMU_COPY_RULES_H

#include "aclnn/acl_meta.h"
#include "runtime/export.h"

enum emu_copy_rule {
#define RULE(id, ...) id,
#include "rules.def"
#undef RULE
	EMU_COPY_RULES
};

/* Records "<rule>: <values>; <sentence>; <hint>", as error text and as a violation. Returns the rule's status. */
aclnnStatus emu_copy_broken(enum emu_copy_rule id, const char *format, ...) EMU_PRINTF(2, 3);

/* Leaves the calling check with the rule's status unless the condition holds. The values come as for printf(). */
#define EMU_COPY_REQUIRE(condition, id, ...) \
	do { \
		if (!(condition)) \
			return emu_copy_broken((id), __VA_ARGS__); \
	} while (0)

#endif
