/* ACLEMU_ISA and ACLEMU_KERNEL against what this processor has and what the kernels are called. */
#include "in_force.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "runtime/config.h"

static enum emu_isa chosen_isa;

static void warn_of_isa(const char *asked)
{
	fprintf(stderr, "aclemu: ACLEMU_ISA=%s is not known; valid:", asked);
	for (int i = 0; i < EMU_ISA_COUNT; i++)
		fprintf(stderr, " %s", emu_isa_name((enum emu_isa)i));
	fputc('\n', stderr);
}

static void warn_of_kernel(const char *asked)
{
	const struct emu_kernel *kernels;
	int count = emu_kernel_table(&kernels);

	for (int i = 0; i < count; i++)
		if (!strcmp(kernels[i].name, asked))
			return;
	fprintf(stderr, "aclemu: ACLEMU_KERNEL=%s is not known; valid:", asked);
	for (int i = 0; i < count; i++)
		if (i == 0 || strcmp(kernels[i].name, kernels[i - 1].name))
			fprintf(stderr, " %s", kernels[i].name);
	fputc('\n', stderr);
}

/* An instruction set or kernel that was asked for by name but does not exist is worth one warning, not a failure. */
static void choose_isa(void)
{
	const struct emu_config *config = emu_config();
	enum emu_isa asked;

	chosen_isa = emu_isa_detect();
	if (config->kernel)
		warn_of_kernel(config->kernel);
	if (!config->isa)
		return;
	if (!emu_isa_from_name(config->isa, &asked))
		warn_of_isa(config->isa);
	else if (asked > chosen_isa)
		fprintf(stderr, "aclemu: ACLEMU_ISA=%s is beyond this processor; using %s\n", config->isa,
		        emu_isa_name(chosen_isa));
	else
		chosen_isa = asked;
}

enum emu_isa emu_isa_in_force(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, choose_isa);
	return chosen_isa;
}
