/* The log that clients write to beside the toolkit's own lines. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "acl/acl_base_rt.h"

enum { MAX_TEXT = 1024 };

static const char *const names[] = {"DEBUG", "INFO", "WARNING", "ERROR"};

/* The toolkit's variables: ASCEND_GLOBAL_LOG_LEVEL, by default 3 (errors), and whether to print instead of to file. */
static int wanted_level(void)
{
	const char *level = getenv("ASCEND_GLOBAL_LOG_LEVEL");

	return level ? atoi(level) : ACL_ERROR;
}

static int prints(void)
{
	const char *print = getenv("ASCEND_SLOG_PRINT_TO_STDOUT");

	return print && !strcmp(print, "1");
}

/* There are no log files here. */
void aclAppLog(aclLogLevel logLevel, const char *func, const char *file, uint32_t line, const char *fmt, ...)
{
	char text[MAX_TEXT];
	va_list values;

	if ((unsigned)logLevel > ACL_ERROR || (int)logLevel < wanted_level() || !prints() || !fmt)
		return;
	va_start(values, fmt);
	vsnprintf(text, sizeof(text), fmt, values);
	va_end(values);
	printf("[%s] APP(%d): %s:%u %s: %s\n", names[logLevel], (int)getpid(), file ? file : "?", line, func ? func : "?",
	       text);
	fflush(stdout);
}
