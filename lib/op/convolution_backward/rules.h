/* The rules of rules.def as data, and how a check says that one is broken. */
#ifndef EMU_RULES_H
#define EMU_RULES_H

#include <stdbool.h>

#include "aclnn/acl_meta.h"
#include "runtime/export.h"

enum emu_rule_id {
#define STAGE(...)
#define RULE(id, ...) id,
#include "rules.def"
#undef RULE
#undef STAGE
	EMU_RULES
};

enum {
#define STAGE(name, title) EMU_STAGE_AT_##name,
#define RULE(...)
#include "rules.def"
#undef RULE
#undef STAGE
};

/* The groups of rules, as bits of a set. */
enum emu_stage {
#define STAGE(name, title) EMU_STAGE_##name = 1 << EMU_STAGE_AT_##name,
#define RULE(...)
#include "rules.def"
#undef RULE
#undef STAGE
};

struct emu_rule {
	const char *name;
	enum emu_stage stage;
	const char *stage_name;
	aclnnStatus status;
	const char *sentence;
	const char *hint;
	const char *products;
	const char *source;
};

extern const struct emu_rule emu_rules[EMU_RULES];

/*
 * Says that a rule is broken: as a violation, and unless they are being collected, as error text
 * "<rule>: <values>; <sentence>; <hint>". Returns the rule's status.
 */
aclnnStatus emu_rule_broken(enum emu_rule_id id, const char *format, ...) EMU_PRINTF(2, 3);

/*
 * While the calling thread collects, a check goes on after a broken rule as far as that makes sense, so that every
 * broken rule is found, and none of them is the one that decides the status.
 */
void emu_rules_collect(bool collecting);
bool emu_rules_collecting(void);

/* Has the thread found a rule of one of these groups broken since it began to collect? */
bool emu_rules_broken(unsigned stages);

/* Leaves the calling check with the rule's status unless the condition holds. The values come as for printf(). */
#define EMU_REQUIRE(condition, id, ...) \
	do { \
		if (!(condition)) \
			return emu_rule_broken((id), __VA_ARGS__); \
	} while (0)

/* Leaves the calling check with the status of a check inside it, unless that is 0. What follows relies on it. */
#define EMU_NEED(check) \
	do { \
		aclnnStatus status_of_check = (check); \
		if (status_of_check) \
			return status_of_check; \
	} while (0)

/* The same for a check that nothing after it relies on: goes on while collecting. */
#define EMU_PASS(check) \
	do { \
		aclnnStatus status_of_check = (check); \
		if (status_of_check && !emu_rules_collecting()) \
			return status_of_check; \
	} while (0)

#endif
