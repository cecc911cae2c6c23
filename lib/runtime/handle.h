/*
 * Handles: what a client holds instead of an address.
 *
 * A handle is a number shaped like a pointer that no processor can dereference:
 *
 *	63    48 47  40 39        20 19    0
 *	0x0ACE  | kind | generation | slot |
 *
 * so that a null, foreign, destroyed or reused handle is recognised without touching memory, and is answered with a
 * status and a sentence. A slot that was closed is not used again at once, and its next use has another generation.
 */
#ifndef EMU_HANDLE_H
#define EMU_HANDLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "export.h"

enum emu_kind {
	EMU_KIND_CONTEXT = 1,
	EMU_KIND_STREAM,
	EMU_KIND_EVENT,
	EMU_KIND_DATA_BUFFER,
	EMU_KIND_TENSOR,
	EMU_KIND_SCALAR,
	EMU_KIND_INT_ARRAY,
	EMU_KIND_FLOAT_ARRAY,
	EMU_KIND_BOOL_ARRAY,
	EMU_KIND_TENSOR_LIST,
	EMU_KIND_SCALAR_LIST,
	EMU_KIND_EXECUTOR,
	EMU_KIND_TENSOR_DESC,
	EMU_KIND_OP_ATTR,
	EMU_KIND_PHYSICAL_MEMORY,
};

/* First member of everything that has a handle. The table owns one reference while the handle is open. */
struct emu_object {
	void *handle;
	enum emu_kind kind;
	atomic_uint references;
	void (*destroy)(struct emu_object *object); /* called when the last reference goes */
};

/**
 * Opens a handle for an object; the table takes the first reference.
 *
 * @return the handle, also stored in object->handle; NULL if memory is exhausted (the object stays the caller's)
 */
EMU_SHARED void *emu_handle_open(struct emu_object *object, enum emu_kind kind, void (*destroy)(struct emu_object *));

/**
 * Takes a reference on the object behind a live handle. Give it back with emu_object_release().
 *
 * @return the object, or NULL when the handle is null, foreign, closed or of another kind
 */
EMU_SHARED struct emu_object *emu_handle_acquire(const void *handle, enum emu_kind kind);

/**
 * Closes a live handle: from now on it is unknown. Drops the table's reference.
 *
 * @param how  static text for emu_handle_describe(), e.g. "destroyed" or "used up by phase two"
 * @return false when the handle was not live (nothing happens): of two racing closes exactly one gets true
 */
EMU_SHARED bool emu_handle_close(const void *handle, enum emu_kind kind, const char *how);

/* Was this a live handle of that kind once, and is no more? As far as the table remembers. */
EMU_SHARED bool emu_handle_ended(const void *handle, enum emu_kind kind);

EMU_SHARED void emu_object_retain(struct emu_object *object);
EMU_SHARED void emu_object_release(struct emu_object *object);

enum { EMU_HANDLE_TEXT = 160 };

/* Writes what is known of a handle, e.g. "0xace0c0000100002 is an aclOpExecutor that was used up by phase two". */
EMU_SHARED const char *emu_handle_describe(const void *handle, char text[EMU_HANDLE_TEXT]);

#endif
