#include "rules.h"

#include <stdarg.h>
#include <stdio.h>

#include "aclnn/opdev/op_errno.h"
#include "base/violation.h"
#include "runtime/error.h"

enum { VALUES_TEXT = 768, CALLERS_MISTAKE = 1, STATUS_CLASS = 100000 };

const struct emu_rule emu_rules[EMU_RULES] = {
#define STAGE(...)
#define RULE(id, stage, status, sentence, hint, products, source) \
	[id] = {#id, EMU_STAGE_##stage, #stage, ACLNN_ERR_##status, sentence, hint, products, source},
#include "rules.def"
#undef RULE
#undef STAGE
};

static __thread struct {
	bool collecting;
	unsigned broken; /* stages, since it began */
} thread;

void emu_rules_collect(bool collecting)
{
	thread.collecting = collecting;
	thread.broken = 0;
}

bool emu_rules_collecting(void)
{
	return thread.collecting;
}

bool emu_rules_broken(unsigned stages)
{
	return thread.broken & stages;
}

/* The first digit of a status tells whose side failed, and with it the title of the record. */
static const char *code_of(aclnnStatus status)
{
	return status / STATUS_CLASS == CALLERS_MISTAKE ? "EZ1001" : "EZ9999";
}

aclnnStatus emu_rule_broken(enum emu_rule_id id, const char *format, ...)
{
	const struct emu_rule *rule = &emu_rules[id];
	char values[VALUES_TEXT];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(values, sizeof(values), format, arguments);
	va_end(arguments);

	emu_violations_add(&(struct aclemuViolation){
		.rule = rule->name,
		.stage = rule->stage_name,
		.status = rule->status,
		.sentence = rule->sentence,
		.hint = rule->hint,
		.values = values,
	});
	if (thread.collecting)
		thread.broken |= rule->stage;
	else
		emu_error_add(code_of(rule->status), "%s: %s; %s; %s", rule->name, values, rule->sentence, rule->hint);
	return rule->status;
}
