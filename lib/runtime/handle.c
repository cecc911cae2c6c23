#include "handle.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "fork.h"

enum {
	SLOT_BITS = 20,
	GENERATION_BITS = 20,
	SLOTS = 1 << SLOT_BITS,
	GENERATIONS = 1 << GENERATION_BITS,
	CHUNK = 1024,       /* slots that are allocated together */
	REST = 4096,        /* a closed slot rests until this many others were closed after it */
	STRIPES = 16,       /* locks; a slot always uses the same one */
};

static const uint64_t TAG = 0x0ACE;

struct slot {
	struct emu_object *object; /* NULL while closed */
	uint32_t generation;       /* of the last handle */
	uint32_t next_free;
	enum emu_kind kind;
	const char *how;           /* the last handle ended */
};

static _Atomic(struct slot *) chunks[SLOTS / CHUNK];

#define TWO {PTHREAD_MUTEX_INITIALIZER}, {PTHREAD_MUTEX_INITIALIZER}
#define FOUR TWO, TWO
static struct {
	_Alignas(64) pthread_mutex_t lock;
} stripes[STRIPES] = {FOUR, FOUR, FOUR, FOUR};
#undef FOUR
#undef TWO

/* Closed slots, first closed first used. */
static struct {
	pthread_mutex_t lock;
	uint32_t head;
	uint32_t tail;
	uint32_t count;
	uint32_t used; /* slots that were ever opened */
} closed = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const char *const kind_names[] = {
	[EMU_KIND_CONTEXT] = "an aclrtContext",
	[EMU_KIND_STREAM] = "an aclrtStream",
	[EMU_KIND_EVENT] = "an aclrtEvent",
	[EMU_KIND_DATA_BUFFER] = "an aclDataBuffer",
	[EMU_KIND_TENSOR] = "an aclTensor",
	[EMU_KIND_SCALAR] = "an aclScalar",
	[EMU_KIND_INT_ARRAY] = "an aclIntArray",
	[EMU_KIND_FLOAT_ARRAY] = "an aclFloatArray",
	[EMU_KIND_BOOL_ARRAY] = "an aclBoolArray",
	[EMU_KIND_TENSOR_LIST] = "an aclTensorList",
	[EMU_KIND_SCALAR_LIST] = "an aclScalarList",
	[EMU_KIND_EXECUTOR] = "an aclOpExecutor",
	[EMU_KIND_TENSOR_DESC] = "an aclTensorDesc",
	[EMU_KIND_OP_ATTR] = "an aclopAttr",
	[EMU_KIND_PHYSICAL_MEMORY] = "an aclrtDrvMemHandle",
};
enum { KINDS = sizeof(kind_names) / sizeof(kind_names[0]) };

static void *make_handle(uint32_t index, const struct slot *slot)
{
	uint64_t name = (uint64_t)slot->kind << 40 | (uint64_t)slot->generation << SLOT_BITS | index;

	return (void *)(uintptr_t)(TAG << 48 | name);
}

static uint32_t index_of(const void *handle)
{
	return (uintptr_t)handle & (SLOTS - 1);
}

static uint32_t generation_of(const void *handle)
{
	return (uintptr_t)handle >> SLOT_BITS & (GENERATIONS - 1);
}

static unsigned kind_of(const void *handle)
{
	return (uintptr_t)handle >> 40 & 0xff;
}

static struct slot *slot_at(uint32_t index)
{
	struct slot *chunk = atomic_load_explicit(&chunks[index / CHUNK], memory_order_acquire);

	return chunk ? &chunk[index % CHUNK] : NULL;
}

/* The slot a handle speaks of, whatever its state; NULL for a number that is none of our handles. */
static struct slot *slot_of(const void *handle)
{
	unsigned kind = kind_of(handle);

	if ((uintptr_t)handle >> 48 != TAG || kind == 0 || kind >= KINDS)
		return NULL;
	return slot_at(index_of(handle));
}

static pthread_mutex_t *lock_of(const void *handle)
{
	return &stripes[index_of(handle) % STRIPES].lock;
}

static bool is_live(const struct slot *slot, const void *handle)
{
	return slot->object && slot->generation == generation_of(handle) && slot->kind == kind_of(handle);
}

/* A slot to open, or SLOTS when none is left. The closed lock is held. */
static uint32_t pick_slot(void)
{
	uint32_t index;

	if (closed.count > REST || (closed.used == SLOTS && closed.count)) {
		index = closed.head;
		closed.head = slot_at(index)->next_free;
		closed.count--;
		return index;
	}
	if (closed.used == SLOTS)
		return SLOTS;
	index = closed.used;
	if (index % CHUNK == 0) {
		struct slot *chunk = calloc(CHUNK, sizeof(*chunk));

		if (!chunk)
			return SLOTS;
		atomic_store_explicit(&chunks[index / CHUNK], chunk, memory_order_release);
	}
	closed.used++;
	return index;
}

static void rest_slot(uint32_t index)
{
	pthread_mutex_lock(&closed.lock);
	if (closed.count)
		slot_at(closed.tail)->next_free = index;
	else
		closed.head = index;
	closed.tail = index;
	closed.count++;
	pthread_mutex_unlock(&closed.lock);
}

void *emu_handle_open(struct emu_object *object, enum emu_kind kind, void (*destroy)(struct emu_object *))
{
	struct slot *slot;
	uint32_t index;

	pthread_mutex_lock(&closed.lock);
	index = pick_slot();
	pthread_mutex_unlock(&closed.lock);
	if (index == SLOTS)
		return NULL;

	slot = slot_at(index);
	object->kind = kind;
	object->destroy = destroy;
	atomic_init(&object->references, 1);
	pthread_mutex_lock(&stripes[index % STRIPES].lock);
	slot->generation = (slot->generation + 1) % GENERATIONS;
	slot->kind = kind;
	slot->object = object;
	object->handle = make_handle(index, slot);
	pthread_mutex_unlock(&stripes[index % STRIPES].lock);
	return object->handle;
}

struct emu_object *emu_handle_acquire(const void *handle, enum emu_kind kind)
{
	struct slot *slot = slot_of(handle);
	struct emu_object *object = NULL;

	if (!slot || kind_of(handle) != kind)
		return NULL;
	pthread_mutex_lock(lock_of(handle));
	if (is_live(slot, handle)) {
		object = slot->object;
		emu_object_retain(object);
	}
	pthread_mutex_unlock(lock_of(handle));
	return object;
}

bool emu_handle_close(const void *handle, enum emu_kind kind, const char *how)
{
	struct slot *slot = slot_of(handle);
	struct emu_object *object = NULL;

	if (!slot || kind_of(handle) != kind)
		return false;
	pthread_mutex_lock(lock_of(handle));
	if (is_live(slot, handle)) {
		object = slot->object;
		slot->object = NULL;
		slot->how = how;
	}
	pthread_mutex_unlock(lock_of(handle));
	if (!object)
		return false;
	rest_slot(index_of(handle));
	emu_object_release(object);
	return true;
}

bool emu_handle_ended(const void *handle, enum emu_kind kind)
{
	struct slot *slot = slot_of(handle);
	uint32_t generation = generation_of(handle);
	bool ended;

	if (!slot || kind_of(handle) != kind || !generation)
		return false;
	pthread_mutex_lock(lock_of(handle));
	ended = generation < slot->generation ||
	        (generation == slot->generation && slot->kind == kind && !slot->object);
	pthread_mutex_unlock(lock_of(handle));
	return ended;
}

void emu_object_retain(struct emu_object *object)
{
	atomic_fetch_add_explicit(&object->references, 1, memory_order_relaxed);
}

void emu_object_release(struct emu_object *object)
{
	if (atomic_fetch_sub_explicit(&object->references, 1, memory_order_acq_rel) == 1)
		object->destroy(object);
}

const char *emu_handle_describe(const void *handle, char text[EMU_HANDLE_TEXT])
{
	struct slot *slot = slot_of(handle);
	const char *kind = slot ? kind_names[kind_of(handle)] : NULL;
	const char *how;
	uint32_t newest;
	bool live;

	if (!handle) {
		snprintf(text, EMU_HANDLE_TEXT, "a null pointer");
		return text;
	}
	if (!slot) {
		snprintf(text, EMU_HANDLE_TEXT, "%p is no handle of this library", handle);
		return text;
	}
	pthread_mutex_lock(lock_of(handle));
	live = is_live(slot, handle);
	newest = slot->generation;
	how = slot->object ? NULL : slot->how;
	pthread_mutex_unlock(lock_of(handle));

	if (live)
		snprintf(text, EMU_HANDLE_TEXT, "%p is %s that is live", handle, kind);
	else if (how && newest == generation_of(handle))
		snprintf(text, EMU_HANDLE_TEXT, "%p is %s that was %s", handle, kind, how);
	else if (newest > generation_of(handle) && generation_of(handle))
		snprintf(text, EMU_HANDLE_TEXT, "%p is %s that ended long ago", handle, kind);
	else
		snprintf(text, EMU_HANDLE_TEXT, "%p is no handle of this library", handle);
	return text;
}

void emu_handles_lock(void)
{
	pthread_mutex_lock(&closed.lock);
	for (int i = 0; i < STRIPES; i++)
		pthread_mutex_lock(&stripes[i].lock);
}

void emu_handles_unlock(void)
{
	for (int i = STRIPES - 1; i >= 0; i--)
		pthread_mutex_unlock(&stripes[i].lock);
	pthread_mutex_unlock(&closed.lock);
}
