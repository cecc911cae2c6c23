/* Handles: what is null, foreign, closed or reused is recognised without touching memory. */
#include <pthread.h>
#include <stdlib.h>

#include "check.h"
#include "runtime/handle.h"

struct thing {
	struct emu_object object;
	int value;
};

static atomic_int destroyed;

static void destroy(struct emu_object *object)
{
	atomic_fetch_add(&destroyed, 1);
	((struct thing *)object)->value = -1;
	free(object);
}

static void *make(int value)
{
	struct thing *thing = calloc(1, sizeof(*thing));

	thing->value = value;
	return emu_handle_open(&thing->object, EMU_KIND_TENSOR, destroy);
}

static void test_a_live_handle_gives_its_object(void)
{
	void *handle = make(7);
	struct emu_object *object = emu_handle_acquire(handle, EMU_KIND_TENSOR);
	char text[EMU_HANDLE_TEXT];

	CHECK(object && ((struct thing *)object)->value == 7);
	CHECK(object->handle == handle);
	CHECK_CONTAINS(emu_handle_describe(handle, text), "an aclTensor that is live");
	emu_object_release(object);
	CHECK(emu_handle_close(handle, EMU_KIND_TENSOR, "destroyed"));
}

static void test_a_closed_handle_is_unknown_but_remembered(void)
{
	void *handle = make(1);
	int before = atomic_load(&destroyed);
	char text[EMU_HANDLE_TEXT];

	CHECK(emu_handle_close(handle, EMU_KIND_TENSOR, "used up by phase two"));
	CHECK_EQUAL(atomic_load(&destroyed), before + 1);
	CHECK(!emu_handle_acquire(handle, EMU_KIND_TENSOR));
	CHECK(!emu_handle_close(handle, EMU_KIND_TENSOR, "destroyed"));
	CHECK_CONTAINS(emu_handle_describe(handle, text), "an aclTensor that was used up by phase two");
}

static void test_a_reference_keeps_the_object_of_a_closed_handle(void)
{
	void *handle = make(5);
	struct emu_object *object = emu_handle_acquire(handle, EMU_KIND_TENSOR);
	int before = atomic_load(&destroyed);

	CHECK(emu_handle_close(handle, EMU_KIND_TENSOR, "destroyed"));
	CHECK_EQUAL(atomic_load(&destroyed), before);
	CHECK_EQUAL(((struct thing *)object)->value, 5);
	emu_object_release(object);
	CHECK_EQUAL(atomic_load(&destroyed), before + 1);
}

static void test_foreign_numbers_are_no_handles(void)
{
	void *handle = make(1);
	uintptr_t number = (uintptr_t)handle;
	int heap = 0;
	const void *foreign[] = {
		NULL,
		&heap,
		(void *)(uintptr_t)0x10,
		(void *)UINTPTR_MAX,
		(void *)(number ^ 0xff00000000000000),          /* another tag */
		(void *)(number | (uintptr_t)0xff << 40),       /* no such kind */
		(void *)(number + ((uintptr_t)1 << 20)),        /* a generation to come */
		(void *)(number + 900000),                      /* a slot never used */
	};
	char text[EMU_HANDLE_TEXT];

	for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++) {
		CHECK(!emu_handle_acquire(foreign[i], EMU_KIND_TENSOR));
		CHECK(!emu_handle_close(foreign[i], EMU_KIND_TENSOR, "destroyed"));
		CHECK(!emu_handle_ended(foreign[i], EMU_KIND_TENSOR));
		CHECK_CONTAINS(emu_handle_describe(foreign[i], text), foreign[i] ? "no handle of this library" : "a null pointer");
	}
	CHECK(emu_handle_close(handle, EMU_KIND_TENSOR, "destroyed"));
}

static void test_a_handle_of_another_kind_is_refused(void)
{
	void *handle = make(1);

	CHECK(!emu_handle_acquire(handle, EMU_KIND_STREAM));
	CHECK(!emu_handle_close(handle, EMU_KIND_STREAM, "destroyed"));
	CHECK(emu_handle_close(handle, EMU_KIND_TENSOR, "destroyed"));
}

static unsigned slot_of(const void *handle)
{
	return (uintptr_t)handle & 0xfffff;
}

static void test_a_closed_slot_rests_for_4096_others_and_returns_as_another_handle(void)
{
	void *first = make(1);
	unsigned slot = slot_of(first);
	void *reused = NULL;
	char text[EMU_HANDLE_TEXT];
	int rounds = 0;

	emu_handle_close(first, EMU_KIND_TENSOR, "destroyed");
	while (!reused && rounds < 20000) {
		void *next = make(2);

		rounds++;
		if (slot_of(next) == slot)
			reused = next;
		else
			emu_handle_close(next, EMU_KIND_TENSOR, "destroyed");
	}
	CHECK(rounds >= 4096);
	CHECK(reused != NULL);
	CHECK(reused != first);
	CHECK(!emu_handle_acquire(first, EMU_KIND_TENSOR));
	CHECK_CONTAINS(emu_handle_describe(first, text), "ended long ago");
	CHECK(emu_handle_ended(first, EMU_KIND_TENSOR));
	CHECK(!emu_handle_ended(first, EMU_KIND_STREAM));
	CHECK(!emu_handle_ended(reused, EMU_KIND_TENSOR));
	emu_handle_close(reused, EMU_KIND_TENSOR, "destroyed");
}

static void test_many_live_handles_are_all_different(void)
{
	enum { MANY = 5000 };
	static void *handles[MANY];
	int right = 0;

	for (int i = 0; i < MANY; i++)
		handles[i] = make(i);
	for (int i = 0; i < MANY; i++) {
		struct emu_object *object = emu_handle_acquire(handles[i], EMU_KIND_TENSOR);

		right += object && ((struct thing *)object)->value == i;
		if (object)
			emu_object_release(object);
	}
	CHECK_EQUAL(right, MANY);
	for (int i = 0; i < MANY; i++)
		emu_handle_close(handles[i], EMU_KIND_TENSOR, "destroyed");
}

enum { RACERS = 4, ROUNDS = 500 };
static void *raced[ROUNDS];
static atomic_int closes;
static atomic_int bad_reads;

static void *race(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct emu_object *object = emu_handle_acquire(raced[i], EMU_KIND_TENSOR);

		if (object) {
			if (((struct thing *)object)->value != i)
				atomic_fetch_add(&bad_reads, 1);
			emu_object_release(object);
		}
		if (emu_handle_close(raced[i], EMU_KIND_TENSOR, "destroyed"))
			atomic_fetch_add(&closes, 1);
	}
	return unused;
}

static void test_of_racing_closes_exactly_one_wins(void)
{
	int before = atomic_load(&destroyed);
	pthread_t threads[RACERS];

	for (int i = 0; i < ROUNDS; i++)
		raced[i] = make(i);
	for (int i = 0; i < RACERS; i++)
		pthread_create(&threads[i], NULL, race, NULL);
	for (int i = 0; i < RACERS; i++)
		pthread_join(threads[i], NULL);
	CHECK_EQUAL(atomic_load(&closes), ROUNDS);
	CHECK_EQUAL(atomic_load(&bad_reads), 0);
	CHECK_EQUAL(atomic_load(&destroyed), before + ROUNDS);
}

int main(void)
{
	test_a_live_handle_gives_its_object();
	test_a_closed_handle_is_unknown_but_remembered();
	test_a_reference_keeps_the_object_of_a_closed_handle();
	test_foreign_numbers_are_no_handles();
	test_a_handle_of_another_kind_is_refused();
	test_a_closed_slot_rests_for_4096_others_and_returns_as_another_handle();
	test_many_live_handles_are_all_different();
	test_of_racing_closes_exactly_one_wins();
	return check_report();
}
