/* The whole test framework: count the checks, print those that fail, say how many there were. */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int checks_made;
static int checks_failed;

#define CHECK(condition) check_that((condition), #condition, __FILE__, __LINE__)
#define CHECK_EQUAL(got, want) check_equal((long long)(got), (long long)(want), #got, __FILE__, __LINE__)
#define CHECK_CONTAINS(text, part) check_contains((text), (part), __FILE__, __LINE__)

static inline bool check_that(bool holds, const char *condition, const char *file, int line)
{
	checks_made++;
	if (!holds) {
		checks_failed++;
		fprintf(stderr, "%s:%d: not true: %s\n", file, line, condition);
	}
	return holds;
}

static inline bool check_equal(long long got, long long want, const char *expression, const char *file, int line)
{
	checks_made++;
	if (got != want) {
		checks_failed++;
		fprintf(stderr, "%s:%d: %s is %lld, expected %lld\n", file, line, expression, got, want);
	}
	return got == want;
}

static inline bool check_contains(const char *text, const char *part, const char *file, int line)
{
	checks_made++;
	if (!text || !strstr(text, part)) {
		checks_failed++;
		fprintf(stderr, "%s:%d: \"%s\" not found in \"%s\"\n", file, line, part, text ? text : "(null)");
		return false;
	}
	return true;
}

/* Last line of main(): `return check_report();` */
static inline int check_report(void)
{
	printf("%d checks, %d failed\n", checks_made, checks_failed);
	return checks_failed ? 1 : 0;
}

#endif
