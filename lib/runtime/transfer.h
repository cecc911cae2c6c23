/* Moving bytes, now or in the order of a stream: what copies and fills of every shape have in common. */
#ifndef EMU_TRANSFER_H
#define EMU_TRANSFER_H

#include "allocation.h"

/* A copy or fill of `rows` rows. Its maker names the addresses; the functions below find and pin what is there. */
struct emu_transfer {
	const char *function;
	const char *to_name;       /* of the argument */
	void *to_address;
	const void *from_address;  /* of a copy; NULL for a fill */
	uint64_t width;            /* bytes of a row */
	uint64_t rows;             /* 0 counts as 1 */
	uint64_t to_pitch;
	uint64_t from_pitch;
	unsigned pattern_bytes;    /* of a fill: 1 or 4 */
	uint32_t pattern;
	aclError (*accepts)(const struct emu_transfer *transfer); /* a look at both sides; NULL: anything goes */
	struct emu_side to;
	struct emu_side from;
};

/* Finds and pins both sides; then emu_transfer_move() or emu_transfer_drop(). */
aclError emu_transfer_view(struct emu_transfer *transfer);
void emu_transfer_drop(struct emu_transfer *transfer);

/* Does a viewed one lie there, with either side? */
bool emu_transfer_touches(const struct emu_transfer *transfer, enum emu_place place);

struct emu_context;
struct emu_stream;

/* Moves what was viewed, and drops it: at once, or in the order of a stream. */
void emu_transfer_move_now(struct emu_transfer *viewed, struct emu_context *context);
aclError emu_transfer_move_in_stream(struct emu_transfer *viewed, struct emu_stream *stream);

/* All of it: context or stream, view, move. */
aclError emu_transfer_now(struct emu_transfer *transfer);
aclError emu_transfer_in_stream(struct emu_transfer *transfer, aclrtStream stream);

#endif
