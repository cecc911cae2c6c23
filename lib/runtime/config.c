#include "config.h"

#include <ctype.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"
#include "soc.h"

enum {
	MAX_THREADS = 1024,
	MAX_TEXT = 64,
	MAX_VERSION = 99,
};

static const char default_soc[] = "Ascend910B3";
static const int default_cann_version = EMU_CANN_VERSION(9, 1);
static const double max_memory_gb = 4096;

static struct emu_config config;
static pthread_once_t read_once = PTHREAD_ONCE_INIT;

/* One variable. A word of `choices` sets what its place says; without choices, `set` reads the text itself. */
struct variable {
	const char *name;
	const char *expected;            /* for the warning */
	const char *const *choices;      /* up to NULL */
	bool (*set)(const char *value);  /* false: not a good value */
};

/* A copy that outlives the environment's; made once per process. */
static const char *keep(const char *value)
{
	const char *copy = strdup(value);

	return copy ? copy : "";
}

static bool set_soc(const char *value)
{
	char nearest[EMU_SOC_NAMES];

	config.soc = emu_soc_find(value);
	if (!config.soc)
		fprintf(stderr,
		        "aclemu: ACLEMU_SOC=%s is not a supported product, so no device can be opened. "
		        "The nearest supported name: %s.\n",
		        value, emu_soc_nearest(value, nearest));
	return true;
}

/* "8.3" and longer spellings such as "8.3.RC1". What was before 8.0 is not known well enough to be told apart. */
static bool set_cann_version(const char *value)
{
	char *dot, *end;
	long major = strtol(value, &dot, 10);
	long minor = *dot == '.' ? strtol(dot + 1, &end, 10) : -1;

	if (!isdigit((unsigned char)*value) || *dot != '.' || !isdigit((unsigned char)dot[1]) || (*end && *end != '.') ||
	    major < 8 || major > MAX_VERSION || minor > MAX_VERSION)
		return false;
	config.cann_version = EMU_CANN_VERSION((int)major, (int)minor);
	return true;
}

static bool set_stream(const char *value)
{
	config.streams_in_place = !strcmp(value, "sync");
	return true;
}

static bool set_device_memory(const char *value)
{
	config.memory_shared = !strcmp(value, "shared");
	return true;
}

static bool set_limits(const char *value)
{
	config.limits = !strcmp(value, "device");
	return true;
}

static bool set_overflow(const char *value)
{
	config.overflow_as_device = !strcmp(value, "device");
	return true;
}

static bool set_workspace(const char *value)
{
	config.workspace_zero = !strcmp(value, "zero");
	return true;
}

static bool set_kernel(const char *value)
{
	config.kernel = keep(value);
	return true;
}

static bool set_isa(const char *value)
{
	config.isa = keep(value);
	return true;
}

static bool set_memory(const char *value)
{
	char *end;
	double gigabytes = strtod(value, &end);

	if (end == value || *end || !(gigabytes > 0) || gigabytes > max_memory_gb)
		return false;
	config.memory_bytes = (uint64_t)ceil(gigabytes * (1 << 30));
	return true;
}

static bool read_count(const char *value, int most, int *count)
{
	char *end;
	long number = strtol(value, &end, 10);

	if (end == value || *end || number < 1 || number > most)
		return false;
	*count = (int)number;
	return true;
}

static bool set_devices(const char *value)
{
	return read_count(value, EMU_MAX_DEVICES, &config.devices);
}

static bool set_threads(const char *value)
{
	return read_count(value, MAX_THREADS, &config.threads);
}

static const char *const stream_choices[] = {"async", "sync", NULL};
static const char *const memory_choices[] = {"isolated", "shared", NULL};
static const char *const limits_choices[] = {"device", "off", NULL};
static const char *const overflow_choices[] = {"ieee", "device", NULL};
static const char *const workspace_choices[] = {"real", "zero", NULL};
static const char *const verbose_choices[] = {"problem", "plan", "memory", NULL};

static bool is_one_of(const char *const *choices, const char *value)
{
	for (; *choices; choices++)
		if (!strcmp(*choices, value))
			return true;
	return false;
}

/* A comma list of verbose_choices. */
static bool set_verbose(const char *value)
{
	char words[MAX_TEXT];
	char *rest = words;

	if ((size_t)snprintf(words, sizeof(words), "%s", value) >= sizeof(words))
		return false;
	for (char *word; (word = strsep(&rest, ","));) {
		if (!is_one_of(verbose_choices, word))
			return false;
		config.verbose_problem |= !strcmp(word, "problem");
		config.verbose_plan |= !strcmp(word, "plan");
		config.verbose_memory |= !strcmp(word, "memory");
	}
	return true;
}

static const struct variable variables[] = {
	{"ACLEMU_SOC", "the name of a chip", NULL, set_soc},
	{"ACLEMU_CANN_VERSION", "a version from 8.0 on, such as 8.3 or 9.1", NULL, set_cann_version},
	{"ACLEMU_STREAM", "async or sync", stream_choices, set_stream},
	{"ACLEMU_DEVICE_MEMORY", "isolated or shared", memory_choices, set_device_memory},
	{"ACLEMU_MEMORY_GB", "a number above 0, at most 4096", NULL, set_memory},
	{"ACLEMU_DEVICES", "a whole number from 1 to 16", NULL, set_devices},
	{"ACLEMU_THREADS", "a whole number from 1 to 1024", NULL, set_threads},
	{"ACLEMU_KERNEL", "the name of a kernel", NULL, set_kernel},
	{"ACLEMU_ISA", "the name of an instruction set", NULL, set_isa},
	{"ACLEMU_LIMITS", "device or off", limits_choices, set_limits},
	{"ACLEMU_OVERFLOW", "ieee or device", overflow_choices, set_overflow},
	{"ACLEMU_WORKSPACE", "real or zero", workspace_choices, set_workspace},
	{"ACLEMU_VERBOSE", "problem, plan, memory, or several with commas between", NULL, set_verbose},
};
enum { VARIABLES = sizeof(variables) / sizeof(variables[0]) };

static void warn_of_name(const char *name)
{
	const char *names[VARIABLES];

	for (int i = 0; i < VARIABLES; i++)
		names[i] = variables[i].name;
	fprintf(stderr, "aclemu: the environment variable %s is unknown and does nothing; did you mean %s?\n", name,
	        emu_nearest(name, names, VARIABLES));
}

static void warn_of_value(const struct variable *variable, const char *value)
{
	size_t choices = 0;

	while (variable->choices && variable->choices[choices])
		choices++;
	fprintf(stderr, "aclemu: %s=%s is ignored: expected %s", variable->name, value, variable->expected);
	if (choices)
		fprintf(stderr, "; did you mean %s?\n", emu_nearest(value, variable->choices, choices));
	else
		fprintf(stderr, ".\n");
}

static void read_variable(const struct variable *variable, const char *value)
{
	bool known = !variable->choices || is_one_of(variable->choices, value);

	if (*value && !(known && variable->set(value)))
		warn_of_value(variable, value);
}

/* `entry` is "NAME=value" out of the environment. */
static void read_entry(const char *entry)
{
	const char *equals = strchr(entry, '=');
	char name[MAX_TEXT];

	if (!equals || strncmp(entry, "ACLEMU_", 7))
		return;
	snprintf(name, sizeof(name), "%.*s", (int)(equals - entry), entry);
	for (int i = 0; i < VARIABLES; i++) {
		if (!strcmp(variables[i].name, name)) {
			read_variable(&variables[i], equals + 1);
			return;
		}
	}
	warn_of_name(name);
}

static int available_cores(void)
{
	cpu_set_t cores;

	if (sched_getaffinity(0, sizeof(cores), &cores))
		return 1;
	return CPU_COUNT(&cores);
}

static void read_environment(void)
{
	extern char **environ;

	config.soc = emu_soc_find(default_soc);
	config.cann_version = default_cann_version;
	config.devices = 1;
	config.threads = available_cores();
	config.limits = true;
	for (char **entry = environ; entry && *entry; entry++)
		read_entry(*entry);
}

const struct emu_config *emu_config(void)
{
	pthread_once(&read_once, read_environment);
	return &config;
}
