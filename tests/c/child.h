/* Runs a piece of a test in a process of its own: for what a process reads once, and for what kills it. */
#ifndef CHILD_H
#define CHILD_H

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

struct child {
	int exit_code;      /* -1 when a signal ended it */
	int signal;
	char output[8192];  /* what it wrote to stderr */
};

/* Checks made in the child count: it exits with the number of those that failed. */
static inline struct child run_child(void (*body)(void))
{
	struct child child = {.exit_code = -1};
	size_t size = 0;
	ssize_t got;
	int pipe_ends[2];
	int state;
	pid_t pid;

	fflush(NULL);
	if (pipe(pipe_ends))
		abort();
	pid = fork();
	if (pid == 0) {
		dup2(pipe_ends[1], STDERR_FILENO);
		close(pipe_ends[0]);
		close(pipe_ends[1]);
		checks_failed = 0;
		body();
		fflush(NULL);
		_exit(checks_failed);
	}
	close(pipe_ends[1]);
	while (size < sizeof(child.output) - 1 &&
	       (got = read(pipe_ends[0], child.output + size, sizeof(child.output) - 1 - size)) > 0)
		size += (size_t)got;
	child.output[size] = 0;
	close(pipe_ends[0]);
	waitpid(pid, &state, 0);
	if (WIFEXITED(state))
		child.exit_code = WEXITSTATUS(state);
	else
		child.signal = WTERMSIG(state);
	return child;
}

/* The child ran to its end and all of its checks held. */
static inline struct child check_child(void (*body)(void), const char *name)
{
	struct child child = run_child(body);

	checks_made++;
	if (child.exit_code != 0) {
		checks_failed++;
		fprintf(stderr, "%s: exit %d, signal %d:\n%s\n", name, child.exit_code, child.signal, child.output);
	}
	return child;
}

#define CHECK_CHILD(body) check_child((body), #body)

#endif
