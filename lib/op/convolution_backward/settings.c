/* All that was chosen by the environment, the process and the calling thread, as one line for people and tools. */
#include <inttypes.h>

#include "aclemu/aclemu.h"
#include "aclnn/opdev/op_errno.h"
#include "base/line.h"
#include "in_force.h"
#include "runtime/config.h"
#include "runtime/error.h"

static void put_soc(struct emu_line *line, const struct emu_config *config)
{
	const struct emu_soc *soc = emu_soc();

	emu_line_put(line, " soc=%s", soc ? soc->name : "none");
	if (soc)
		emu_line_put(line, " memory=%" PRIu64, config->memory_bytes ? config->memory_bytes : soc->memory_bytes);
}

static void put_verbose(struct emu_line *line, const struct emu_config *config)
{
	const char *before = " verbose=";

	if (config->verbose_problem) {
		emu_line_put(line, "%sproblem", before);
		before = ",";
	}
	if (config->verbose_plan) {
		emu_line_put(line, "%splan", before);
		before = ",";
	}
	if (config->verbose_memory)
		emu_line_put(line, "%smemory", before);
}

static size_t describe(char *text, size_t size)
{
	const struct emu_config *config = emu_config();
	struct emu_line line = {.text = text, .size = size};

	emu_line_put(&line, "version=%s", EMU_VERSION);
	put_soc(&line, config);
	emu_line_put(&line, " devices=%d", config->devices);
	emu_line_put(&line, " cann=%d.%d", config->cann_version / 1000, config->cann_version % 1000);
	emu_line_put(&line, " isa=%s threads=%d", emu_isa_name(emu_isa_in_force()), config->threads);
	if (config->kernel)
		emu_line_put(&line, " kernel=%s", config->kernel);
	emu_line_put(&line, " stream=%s", config->streams_in_place ? "sync" : "async");
	emu_line_put(&line, " deviceMemory=%s", config->memory_shared ? "shared" : "isolated");
	emu_line_put(&line, " workspace=%s", config->workspace_zero ? "zero" : "real");
	emu_line_put(&line, " limits=%s", config->limits ? "device" : "off");
	emu_line_put(&line, " overflow=%s", config->overflow_as_device ? "device" : "ieee");
	put_verbose(&line, config);
	return line.used;
}

aclnnStatus aclemuDescribeSettings(char *text, size_t size)
{
	size_t length = describe(NULL, 0);

	if (!text) {
		emu_error_add("EZ1001", "%s failed because argument text is null", __func__);
		return ACLNN_ERR_PARAM_NULLPTR;
	}
	if (size <= length) {
		emu_error_add("EZ1001", "%s failed because size is %zu and the line takes %zu bytes", __func__, size,
		              length + 1);
		return ACLNN_ERR_PARAM_INVALID;
	}
	describe(text, size);
	return ACLNN_SUCCESS;
}
