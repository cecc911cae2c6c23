#include "error.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "acl/acl_rt.h"
#include "config.h"
#include "fail.h"
#include "fork.h"
#include "last_error.h"
#include "thread_store.h"

enum {
	MAX_RECORDS = 32,   /* per store; the oldest goes */
	MAX_MESSAGE = 1024, /* with the closing zero */
};

struct record {
	struct record *older;
	struct timespec time;
	pid_t process;
	unsigned long thread;
	char code[8];
	char message[];
};

struct emu_error_parcel {
	struct record *newest;
};

struct store {
	struct emu_error_parcel records;
	struct emu_error_parcel *aside; /* where records go between collect and take */
	bool collecting;
	char *text; /* what the last aclGetRecentErrMsg() returned */
};

static atomic_bool process_wide;
static pthread_mutex_t shared_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t zone_lock = PTHREAD_MUTEX_INITIALIZER; /* no fork while libc holds its own for the time zone */
static struct emu_error_parcel shared;

/* The first row whose code begins the record's code holds. */
static const struct {
	const char *code;
	const char *title;
} titles[] = {
	{"EZ1001", "AclNN_Parameter_Error"},
	{"EZ1006", "Not_Supported_Data_Type"},
	{"EZ1008", "Execution_Error"},
	{"EZ1009", "Execution_Error"},
	{"EZ1010", "Invalid_Argument"},
	{"EZ1011", "Invalid_Argument_Null_Pointer"},
	{"EZ1013", "Config_Error"},
	{"EZ1014", "Execution_Error"},
	{"EZ9903", "AclNN_Runtime_Error"},
	{"EZ9999", "AclNN_Inner_Error"},
	{"EZ", "AclNN_Error"},
	{"EH0004", "File_Error"},
	{"EH0007", "Invalid_Argument"},
	{"EH0008", "Invalid_Argument_Null_Pointer"},
	{"EH0009", "Invalid_Argument"},
	{"EH", "ACL_Error"},
	{"EE1003", "Invalid_Argument"},
	{"EE1004", "Invalid_Argument_Null_Pointer"},
	{"EE1010", "Wrong_Context"},
	{"EE1016", "Wrong_State"},
	{"EE1017", "Invalid_Handle"},
	{"EE1018", "Wrong_Call_Order"},
	{"EE", "Runtime_Error"},
	{"EL", "Driver_Error"},
};

static const char *title_of(const char *code)
{
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		if (!strncmp(code, titles[i].code, strlen(titles[i].code)))
			return titles[i].title;
	return "Error";
}

static void clear(struct emu_error_parcel *records)
{
	while (records->newest) {
		struct record *older = records->newest->older;

		free(records->newest);
		records->newest = older;
	}
}

static void free_store(void *memory)
{
	struct store *store = memory;

	clear(&store->records);
	emu_error_discard(store->aside);
	free(store->text);
	free(store);
}

static struct emu_thread_store stores = {.size = sizeof(struct store), .end = free_store};

/* NULL when memory is exhausted: the record is lost, the status is not. */
static struct store *own_store(void)
{
	return emu_thread_store_get(&stores);
}

static bool holds(const struct emu_error_parcel *records, const struct record *wanted)
{
	for (const struct record *r = records->newest; r; r = r->older)
		if (!strcmp(r->code, wanted->code) && !strcmp(r->message, wanted->message))
			return true;
	return false;
}

/* Puts a record in front, drops what is now too much. Takes the record over. */
static void push(struct emu_error_parcel *records, struct record *record)
{
	int kept = 1;

	if (holds(records, record)) {
		free(record);
		return;
	}
	record->older = records->newest;
	records->newest = record;
	for (struct record *r = record; r; r = r->older, kept++) {
		if (kept == MAX_RECORDS) {
			struct emu_error_parcel rest = {r->older};

			r->older = NULL;
			clear(&rest);
		}
	}
}

static void publish(struct record *record)
{
	struct store *store;

	if (atomic_load(&process_wide)) {
		pthread_mutex_lock(&shared_lock);
		push(&shared, record);
		pthread_mutex_unlock(&shared_lock);
		return;
	}
	store = own_store();
	if (store)
		push(&store->records, record);
	else
		free(record);
}

void emu_error_add_list(const char *code, const char *format, va_list values)
{
	struct store *own = emu_thread_store_peek(&stores);
	char message[MAX_MESSAGE];
	struct record *record;
	size_t size;

	vsnprintf(message, sizeof(message), format, values);
	size = strlen(message) + 1;
	record = malloc(sizeof(*record) + size);
	if (!record)
		return;
	*record = (struct record){.process = getpid(), .thread = (unsigned long)pthread_self()};
	clock_gettime(CLOCK_REALTIME, &record->time);
	snprintf(record->code, sizeof(record->code), "%s", code);
	memcpy(record->message, message, size);

	if (!own || !own->collecting) {
		publish(record);
		return;
	}
	if (!own->aside)
		own->aside = calloc(1, sizeof(*own->aside));
	if (own->aside)
		push(own->aside, record);
	else
		free(record);
}

void emu_error_add(const char *code, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	emu_error_add_list(code, format, values);
	va_end(values);
}

aclError emu_fail(aclError status, const char *code, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	emu_error_add_list(code, format, values);
	va_end(values);
	emu_last_error_set(status);
	return status;
}

aclError emu_fail_null(const char *function, const char *argument)
{
	return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0008", "%s failed because %s is a null pointer.", function,
	                argument);
}

void emu_error_collect(void)
{
	struct store *store = own_store();

	if (store)
		store->collecting = true;
}

struct emu_error_parcel *emu_error_take(void)
{
	struct store *own = emu_thread_store_peek(&stores);
	struct emu_error_parcel *parcel;

	if (!own)
		return NULL;
	parcel = own->aside;
	own->aside = NULL;
	own->collecting = false;
	return parcel;
}

/* Oldest first, so that the order stays. */
static void publish_from(struct record *record)
{
	if (!record)
		return;
	publish_from(record->older);
	publish(record);
}

void emu_error_give(struct emu_error_parcel *parcel)
{
	if (!parcel)
		return;
	publish_from(parcel->newest);
	free(parcel);
}

void emu_error_discard(struct emu_error_parcel *parcel)
{
	if (!parcel)
		return;
	clear(parcel);
	free(parcel);
}

void emu_error_share(bool all_threads)
{
	atomic_store(&process_wide, all_threads);
}

static void print_time(FILE *out, const struct timespec *time)
{
	struct tm parts;
	char date[32];

	pthread_mutex_lock(&zone_lock);
	localtime_r(&time->tv_sec, &parts);
	pthread_mutex_unlock(&zone_lock);
	strftime(date, sizeof(date), "%Y-%m-%d-%H:%M:%S", &parts);
	fprintf(out, "%s.%03ld.%03ld", date, time->tv_nsec / 1000000, time->tv_nsec / 1000 % 1000);
}

static void print_message(FILE *out, const struct record *record, bool with_thread)
{
	fputs(record->message, out);
	if (with_thread)
		fprintf(out, " [THREAD: %lu]", record->thread);
	fputc('\n', out);
}

/* The two layouts of aclnn_base section 10: since 8.5 there is a title, before that the code begins the line. */
static void print_head(FILE *out, const struct record *record)
{
	bool has_title = emu_config()->cann_version >= EMU_CANN_VERSION(8, 5);

	if (!has_title)
		fprintf(out, "%s: ", record->code);
	fprintf(out, "[PID: %d] ", (int)record->process);
	print_time(out, &record->time);
	if (has_title)
		fprintf(out, " %s(%s): ", title_of(record->code), record->code);
	else
		fputc(' ', out);
}

/* An internal error (....9999) is announced by a line of its own. */
static void print_records(FILE *out, const struct record *newest, bool with_thread)
{
	if (!strcmp(newest->code + 2, "9999"))
		fprintf(out, "%s: a failure inside the device or the library\n", newest->code);
	print_head(out, newest);
	print_message(out, newest, with_thread);
	if (newest->older)
		fputs("        TraceBack (most recent call last):\n", out);
	for (const struct record *r = newest->older; r; r = r->older) {
		fputs("        ", out);
		print_message(out, r, with_thread);
	}
}

static char *text_of(const struct emu_error_parcel *records, bool with_thread)
{
	char *text = NULL;
	size_t size;
	FILE *out;

	if (!records->newest)
		return NULL;
	out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	print_records(out, records->newest, with_thread);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

const char *aclGetRecentErrMsg(void)
{
	struct store *store = own_store();
	struct emu_error_parcel records;

	if (!store)
		return NULL;
	free(store->text);
	store->text = NULL;

	if (atomic_load(&process_wide)) {
		pthread_mutex_lock(&shared_lock);
		records = shared;
		shared.newest = NULL;
		pthread_mutex_unlock(&shared_lock);
		store->text = text_of(&records, true);
	} else {
		records = store->records;
		store->records.newest = NULL;
		store->text = text_of(&records, false);
	}
	clear(&records);
	return store->text;
}

void emu_error_lock(void)
{
	pthread_mutex_lock(&zone_lock);
	pthread_mutex_lock(&shared_lock);
}

void emu_error_unlock(void)
{
	pthread_mutex_unlock(&shared_lock);
	pthread_mutex_unlock(&zone_lock);
}
