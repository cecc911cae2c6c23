#include <stdlib.h>

#include "acl/acl_base.h"
#include "fail.h"
#include "handle.h"

/* Fields change only by aclUpdateDataBuffer, which a client does not call while others read. */
struct data_buffer {
	struct emu_object object;
	_Atomic(void *) data;
	_Atomic size_t size;
};

static void destroy(struct emu_object *object)
{
	free(object);
}

static struct data_buffer *acquire(const aclDataBuffer *buffer)
{
	return (struct data_buffer *)emu_handle_acquire(buffer, EMU_KIND_DATA_BUFFER);
}

static aclError dead_buffer(const char *function, const aclDataBuffer *buffer)
{
	char text[EMU_HANDLE_TEXT];

	return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009",
	                "%s failed because dataBuffer is not a live data buffer: %s.", function,
	                emu_handle_describe(buffer, text));
}

aclDataBuffer *aclCreateDataBuffer(void *data, size_t size)
{
	struct data_buffer *buffer = calloc(1, sizeof(*buffer));

	if (!buffer)
		return NULL;
	atomic_init(&buffer->data, data);
	atomic_init(&buffer->size, size);
	if (!emu_handle_open(&buffer->object, EMU_KIND_DATA_BUFFER, destroy)) {
		free(buffer);
		return NULL;
	}
	return buffer->object.handle;
}

aclError aclDestroyDataBuffer(const aclDataBuffer *dataBuffer)
{
	if (!dataBuffer)
		return emu_fail_null(__func__, "dataBuffer");
	if (!emu_handle_close(dataBuffer, EMU_KIND_DATA_BUFFER, "destroyed"))
		return dead_buffer(__func__, dataBuffer);
	return ACL_SUCCESS;
}

aclError aclUpdateDataBuffer(aclDataBuffer *dataBuffer, void *data, size_t size)
{
	struct data_buffer *buffer;

	if (!dataBuffer)
		return emu_fail_null(__func__, "dataBuffer");
	buffer = acquire(dataBuffer);
	if (!buffer)
		return dead_buffer(__func__, dataBuffer);
	atomic_store(&buffer->data, data);
	atomic_store(&buffer->size, size);
	emu_object_release(&buffer->object);
	return ACL_SUCCESS;
}

void *aclGetDataBufferAddr(const aclDataBuffer *dataBuffer)
{
	struct data_buffer *buffer = acquire(dataBuffer);
	void *data;

	if (!buffer)
		return NULL;
	data = atomic_load(&buffer->data);
	emu_object_release(&buffer->object);
	return data;
}

uint32_t aclGetDataBufferSize(const aclDataBuffer *dataBuffer)
{
	return (uint32_t)aclGetDataBufferSizeV2(dataBuffer);
}

size_t aclGetDataBufferSizeV2(const aclDataBuffer *dataBuffer)
{
	struct data_buffer *buffer = acquire(dataBuffer);
	size_t size;

	if (!buffer)
		return 0;
	size = atomic_load(&buffer->size);
	emu_object_release(&buffer->object);
	return size;
}
