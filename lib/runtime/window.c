#include "window.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "config.h"
#include "fault.h"
#include "fork.h"

static const uint64_t TIB = 1ULL << 40;
static const uint64_t SMALLEST = 1ULL << 28; /* per device; below this a window is of no use */

static struct emu_window window;
static _Atomic(const struct emu_window *) opened;
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

/* An inaccessible range that costs nothing, aligned to huge pages; 0 on failure. `at` 0: wherever the kernel wants. */
static uintptr_t reserve(uintptr_t at, uint64_t size)
{
	uint64_t slack = at ? 0 : EMU_HUGE_PAGE;
	void *range = mmap((void *)at, size + slack, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (range == MAP_FAILED)
		return 0;
	if (at && (uintptr_t)range != at) { /* the place is only a wish: it was taken */
		munmap(range, size);
		return 0;
	}
	return ((uintptr_t)range + slack) / EMU_HUGE_PAGE * EMU_HUGE_PAGE;
}

/* Device addresses start at 16 TiB; sanitizers keep tables there, hence the other places. */
static uintptr_t reserve_device_range(uint64_t size)
{
	static const unsigned places_tib[] = {16, 17, 24, 40};

	for (size_t i = 0; i < sizeof(places_tib) / sizeof(places_tib[0]); i++) {
		uintptr_t start = reserve(places_tib[i] * TIB, size);

		if (start)
			return start;
	}
	return reserve(0, size);
}

static bool reserve_both(uint64_t size)
{
	uintptr_t bytes;

	window.start = reserve_device_range(size);
	if (!window.start)
		return false;
	window.end = window.start + size;
	window.distance = 0;
	if (emu_config()->memory_shared)
		return true;
	bytes = reserve(0, size);
	if (!bytes) {
		munmap((void *)window.start, size);
		return false;
	}
	window.distance = bytes - window.start;
	return true;
}

static uint64_t configured_bytes(const struct emu_soc *soc)
{
	return emu_config()->memory_bytes ? emu_config()->memory_bytes : soc->memory_bytes;
}

/*
 * Many times the capacity, so that addresses are not used again at once and frameworks can reserve the device's size
 * for each of their streams; less where address space is limited.
 */
static bool reserve_windows(void)
{
	uint64_t devices = (uint64_t)emu_config()->devices;
	const struct emu_soc *soc = emu_soc();
	uint64_t wanted = 4 * TIB;

	if (!soc)
		return false;
	/* fixed here: a chip that is chosen later does not change a device that is open */
	window.memory_bytes = configured_bytes(soc);
	while (wanted < 4 * window.memory_bytes && wanted * devices < 16 * TIB)
		wanted *= 2;
	for (; wanted >= SMALLEST; wanted /= 2) {
		window.device_bytes = wanted;
		if (reserve_both(wanted * devices))
			return true;
	}
	return false;
}

const struct emu_window *emu_window_open(void)
{
	if (!emu_window_get()) {
		pthread_mutex_lock(&opening);
		if (!emu_window_get() && reserve_windows()) {
			emu_fault_watch();
			atomic_store_explicit(&opened, &window, memory_order_release);
		}
		pthread_mutex_unlock(&opening);
	}
	return emu_window_get();
}

const struct emu_window *emu_window_get(void)
{
	return atomic_load_explicit(&opened, memory_order_acquire);
}

uint64_t emu_window_memory_bytes(void)
{
	const struct emu_window *open = emu_window_get();
	const struct emu_soc *soc = emu_soc();

	if (open)
		return open->memory_bytes;
	return soc ? configured_bytes(soc) : 0;
}

bool emu_window_commit(const struct emu_window *w, uintptr_t address, uint64_t size)
{
	void *bytes = emu_window_bytes(w, address);

	if (mprotect(bytes, size, PROT_READ | PROT_WRITE))
		return false;
	if (size >= EMU_HUGE_PAGE)
		madvise(bytes, size, MADV_HUGEPAGE); /* a wish: kernels without huge pages refuse it */
	return true;
}

void emu_window_decommit(const struct emu_window *w, uintptr_t address, uint64_t size)
{
	void *bytes = emu_window_bytes(w, address);

	madvise(bytes, size, MADV_DONTNEED);
	mprotect(bytes, size, PROT_NONE);
}

bool emu_window_show(const struct emu_window *w, uintptr_t address, void *shared, uint64_t size)
{
	/* an old size of 0 maps the same pages a second time */
	return mremap(shared, 0, size, MREMAP_MAYMOVE | MREMAP_FIXED, emu_window_bytes(w, address)) != MAP_FAILED;
}

void emu_window_hide(const struct emu_window *w, uintptr_t address, uint64_t size)
{
	mmap(emu_window_bytes(w, address), size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
	     0);
}

/* ---- fork ---- */

void emu_window_lock(void)
{
	pthread_mutex_lock(&opening);
}

void emu_window_unlock(void)
{
	pthread_mutex_unlock(&opening);
}
