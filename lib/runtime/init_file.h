/* The configuration file of aclInit(): reading it, checking its sections, putting them into force. */
#ifndef EMU_INIT_FILE_H
#define EMU_INIT_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

struct emu_init_file {
	uint64_t fingerprint; /* of the content; 0 for no content */
	int error_scope;      /* err_msg_mode: 0 thread, 1 process */
	int default_device;   /* -1 for none */
	char *content;        /* NULL for none */
	size_t size;
};

/* Reads and checks a file; a null or empty path is an empty file. 0, or a status with a record and nothing to free. */
aclError emu_init_file_read(const char *function, const char *path, struct emu_init_file *file);

void emu_init_file_apply(const struct emu_init_file *file);
void emu_init_file_free(struct emu_init_file *file);

#endif
