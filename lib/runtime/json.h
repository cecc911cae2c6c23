/* A small strict JSON reader for aclInit's file: a tree of nodes, numbers kept as their text. */
#ifndef EMU_JSON_H
#define EMU_JSON_H

#include <stddef.h>

enum emu_json_type { EMU_JSON_OBJECT, EMU_JSON_ARRAY, EMU_JSON_STRING, EMU_JSON_NUMBER, EMU_JSON_WORD };

struct emu_json {
	enum emu_json_type type;
	char *key;                /* of a member of an object */
	char *text;               /* of a string (unescaped), a number, or true, false, null */
	struct emu_json *first;   /* of an object or array */
	struct emu_json *next;
};

/* The tree of a whole text, or NULL with a sentence in `why`: flawed, or more than 10 objects or 10 arrays deep. */
enum { EMU_JSON_WHY = 96 };
struct emu_json *emu_json_read(const char *text, size_t size, char why[EMU_JSON_WHY]);

void emu_json_free(struct emu_json *node);

/* The member of an object, or NULL. A null or other node has none. */
const struct emu_json *emu_json_member(const struct emu_json *object, const char *key);

#endif
