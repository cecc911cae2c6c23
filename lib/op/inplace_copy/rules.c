#include "rules.h"

#include <stdarg.h>
#include <stdio.h>

#include "aclnn/opdev/op_errno.h"
#include "base/violation.h"
#include "runtime/error.h"

enum { VALUES_TEXT = 640, FIRST_INNER_STATUS = 500000 };

static const struct {
	const char *name;
	aclnnStatus status;
	const char *sentence;
	const char *hint;
} rules[EMU_COPY_RULES] = {
#define RULE(id, status, sentence, hint) [id] = {#id, ACLNN_ERR_##status, sentence, hint},
#include "rules.def"
#undef RULE
};

aclnnStatus emu_copy_broken(enum emu_copy_rule id, const char *format, ...)
{
	char values[VALUES_TEXT];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(values, sizeof(values), format, arguments);
	va_end(arguments);

	emu_violations_add(&(struct aclemuViolation){
		.rule = rules[id].name,
		.stage = "COPY",
		.status = rules[id].status,
		.sentence = rules[id].sentence,
		.hint = rules[id].hint,
		.values = values,
	});
	emu_error_add(rules[id].status < FIRST_INNER_STATUS ? "EZ1001" : "EZ9999", "%s: %s; %s; %s", rules[id].name, values,
	              rules[id].sentence, rules[id].hint);
	return rules[id].status;
}
