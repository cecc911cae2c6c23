#include "init_file.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device.h"
#include "error.h"
#include "fail.h"
#include "json.h"

enum { MAX_FILE = 10 << 20 }; /* far above any sensible one */

/* FNV-1a. Equal content is what counts, wherever the file lies. */
static uint64_t fingerprint_of(const char *bytes, size_t size)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3;
	return size ? hash | 1 : 0;
}

/* Not fopen(): that waits for ever at a pipe that nobody writes to. */
static FILE *open_regular(const char *path)
{
	int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat facts;
	FILE *file = NULL;

	if (descriptor < 0)
		return NULL;
	if (!fstat(descriptor, &facts) && S_ISREG(facts.st_mode))
		file = fdopen(descriptor, "r");
	if (!file)
		close(descriptor);
	return file;
}

static aclError read_content(const char *function, const char *path, char **bytes, size_t *size)
{
	FILE *file = open_regular(path);
	aclError status = ACL_SUCCESS;

	*size = 0;
	*bytes = file ? malloc(MAX_FILE) : NULL;
	if (*bytes)
		*size = fread(*bytes, 1, MAX_FILE, file);
	if (!*bytes || ferror(file) || *size == MAX_FILE) {
		free(*bytes);
		status = emu_fail(ACL_ERROR_INVALID_FILE, "EH0004",
		                  "%s failed because the configuration file \"%s\" cannot be read%s.", function, path,
		                  file ? "" : ": it is missing, no regular file, or may not be opened");
	}
	if (file)
		fclose(file);
	return status;
}

/* ---- the sections ---- */

static bool read_whole(const char *text, long least, long most, long *number)
{
	char *end;

	*number = strtol(text, &end, 10);
	return end != text && !*end && *number >= least && *number <= most;
}

static aclError read_error_scope(const char *function, const struct emu_json *root, struct emu_init_file *file)
{
	const struct emu_json *mode = emu_json_member(root, "err_msg_mode");

	if (!mode)
		return ACL_SUCCESS;
	if (mode->type == EMU_JSON_STRING && (!strcmp(mode->text, "0") || !strcmp(mode->text, "1"))) {
		file->error_scope = mode->text[0] - '0';
		return ACL_SUCCESS;
	}
	return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009",
	                "%s failed because err_msg_mode is %s; it must be \"0\" (per thread) or "
	                "\"1\" (per process).",
	                function, mode->text ? mode->text : "no string");
}

static aclError read_default_device(const char *function, const struct emu_json *root, struct emu_init_file *file)
{
	const struct emu_json *section = emu_json_member(root, "defaultDevice");
	const struct emu_json *device = emu_json_member(section, "default_device");
	long id;

	if (!section)
		return ACL_SUCCESS;
	if (device && device->type == EMU_JSON_STRING && read_whole(device->text, 0, emu_device_count() - 1L, &id)) {
		file->default_device = (int)id;
		return ACL_SUCCESS;
	}
	return emu_fail(ACL_ERROR_FAILURE, "EH0009",
	                "%s failed because defaultDevice.default_device is %s; it must be the id of one of "
	                "%d devices as a string, such as \"0\".",
	                function, device && device->text ? device->text : "missing", emu_device_count());
}

/* Sizes that only a card uses: checked, not kept. They stand at the top or in a section of their own. */
static aclError check_stack_sizes(const char *function, const struct emu_json *root)
{
	static const char *const keys[] = {"aicore_stack_size", "simt_stack_size", "simt_divergence_stack_size"};
	const struct emu_json *section = emu_json_member(root, "StackSize");

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const struct emu_json *size = emu_json_member(section ? section : root, keys[i]);
		long number;

		if (size && !(size->type == EMU_JSON_NUMBER && read_whole(size->text, 1, 1L << 31, &number)))
			return emu_fail(ACL_ERROR_FAILURE, "EH0009",
			                "%s failed because %s is %s; it must be a whole number above 0.", function,
			                keys[i], size->text ? size->text : "no number");
	}
	return ACL_SUCCESS;
}

static aclError check_other_sections(const char *function, const struct emu_json *root)
{
	const struct emu_json *dump = emu_json_member(root, "dump");
	const struct emu_json *profiler = emu_json_member(root, "profiler");
	const struct emu_json *mode = emu_json_member(emu_json_member(root, "acl_graph"), "event_mode");

	if (dump && dump->type != EMU_JSON_OBJECT)
		return emu_fail(ACL_ERROR_INVALID_DUMP_CONFIG, "EH0009", "%s failed because dump is no object.",
		                function);
	if (profiler && profiler->type != EMU_JSON_OBJECT)
		return emu_fail(ACL_ERROR_INVALID_PROFILING_CONFIG, "EH0009",
		                "%s failed because profiler is no object.", function);
	if (mode && !(mode->text && (!strcmp(mode->text, "0") || !strcmp(mode->text, "1"))))
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009",
		                "%s failed because acl_graph.event_mode is %s; it must be 0 or 1.", function,
		                mode->text ? mode->text : "no number");
	return ACL_SUCCESS;
}

static aclError read_sections(const char *function, const struct emu_json *root, struct emu_init_file *file)
{
	aclError status = read_error_scope(function, root, file);

	if (!status)
		status = read_default_device(function, root, file);
	if (!status)
		status = check_stack_sizes(function, root);
	return status ? status : check_other_sections(function, root);
}

aclError emu_init_file_read(const char *function, const char *path, struct emu_init_file *file)
{
	struct emu_json *root;
	char why[EMU_JSON_WHY];
	aclError status;

	*file = (struct emu_init_file){.default_device = -1};
	if (!path || !*path)
		return ACL_SUCCESS;
	status = read_content(function, path, &file->content, &file->size);
	if (status)
		return status;
	file->fingerprint = fingerprint_of(file->content, file->size);
	if (file->size == 0)
		return ACL_SUCCESS;
	root = emu_json_read(file->content, file->size, why);
	if (!root || root->type != EMU_JSON_OBJECT)
		status = emu_fail(ACL_ERROR_PARSE_FILE, "EH0004",
		                  "%s failed because the configuration file \"%s\" is no JSON object: %s.", function,
		                  path, root ? "it holds another value" : why);
	else
		status = read_sections(function, root, file);
	emu_json_free(root);
	if (status)
		emu_init_file_free(file);
	return status;
}

void emu_init_file_free(struct emu_init_file *file)
{
	free(file->content);
	file->content = NULL;
}

void emu_init_file_apply(const struct emu_init_file *file)
{
	emu_error_share(file->error_scope == 1);
	emu_device_choose_default(file->default_device);
}
