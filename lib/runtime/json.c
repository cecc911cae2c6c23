#include "json.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NESTING = 10 }; /* of objects, and of arrays */

struct reader {
	const char *at;
	const char *end;
	const char *start;
	int objects;
	int arrays;
	const char *problem; /* the first one */
};

static struct emu_json *read_value(struct reader *reader);

static bool fail(struct reader *reader, const char *problem)
{
	if (!reader->problem)
		reader->problem = problem;
	return false;
}

static void skip_space(struct reader *reader)
{
	while (reader->at < reader->end && strchr(" \t\r\n", *reader->at) && *reader->at)
		reader->at++;
}

static char peek(const struct reader *reader)
{
	return reader->at < reader->end ? *reader->at : 0;
}

static bool take(struct reader *reader, char wanted)
{
	if (peek(reader) != wanted || reader->at == reader->end)
		return false;
	reader->at++;
	return true;
}

/* ---- strings ---- */

static bool read_hex4(struct reader *reader, uint32_t *unit)
{
	*unit = 0;
	for (int i = 0; i < 4; i++) {
		char c = peek(reader);

		if (!isxdigit((unsigned char)c))
			return fail(reader, "\\u needs four hexadecimal digits");
		*unit = *unit * 16 +
		        (uint32_t)(isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10);
		reader->at++;
	}
	return true;
}

static size_t put_utf8(char *out, uint32_t code)
{
	static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
	int size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

	for (int i = size - 1; i > 0; i--, code >>= 6)
		out[i] = (char)(0x80 | (code & 0x3F));
	out[0] = (char)(lead[size] | code);
	return (size_t)size;
}

/* After "\u": one code point, from one unit or a surrogate pair. */
static bool read_code_point(struct reader *reader, uint32_t *code)
{
	uint32_t low;

	if (!read_hex4(reader, code))
		return false;
	if (*code == 0)
		return fail(reader, "\\u0000 is not allowed");
	if (*code < 0xD800 || *code > 0xDFFF)
		return true;
	if (*code > 0xDBFF || !take(reader, '\\') || !take(reader, 'u') || !read_hex4(reader, &low) || low < 0xDC00 ||
	    low > 0xDFFF)
		return fail(reader, "half of a surrogate pair");
	*code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
	return true;
}

static bool read_escape(struct reader *reader, char *out, size_t *size)
{
	static const char letters[] = "\"\\/bfnrt";
	static const char meanings[] = "\"\\/\b\f\n\r\t";
	const char *letter;
	uint32_t code;

	if (take(reader, 'u')) {
		if (!read_code_point(reader, &code))
			return false;
		*size += put_utf8(out + *size, code);
		return true;
	}
	letter = peek(reader) ? strchr(letters, peek(reader)) : NULL;
	if (!letter)
		return fail(reader, "unknown escape in a string");
	out[(*size)++] = meanings[letter - letters];
	reader->at++;
	return true;
}

/* An unescaped copy for free(), or NULL. It is never longer than its source. */
static char *read_string(struct reader *reader)
{
	char *out;
	size_t size = 0;

	if (!take(reader, '"')) {
		fail(reader, "a string was expected");
		return NULL;
	}
	out = malloc((size_t)(reader->end - reader->at) + 1);
	if (!out) {
		fail(reader, "out of memory");
		return NULL;
	}
	while (!take(reader, '"')) {
		unsigned char c = (unsigned char)peek(reader);

		if (c < 0x20) {
			fail(reader, "a string does not end, or holds a control character");
			goto bad;
		}
		reader->at++;
		if (c != '\\')
			out[size++] = (char)c;
		else if (!read_escape(reader, out, &size))
			goto bad;
	}
	out[size] = 0;
	return out;
bad:
	free(out);
	return NULL;
}

/* ---- numbers and words ---- */

static bool skip_digits(struct reader *reader)
{
	const char *before = reader->at;

	while (isdigit((unsigned char)peek(reader)))
		reader->at++;
	return reader->at > before;
}

static bool skip_number(struct reader *reader)
{
	take(reader, '-');
	if (!take(reader, '0') && !skip_digits(reader))
		return fail(reader, "a value was expected");
	if (take(reader, '.') && !skip_digits(reader))
		return fail(reader, "digits must follow the point of a number");
	if (take(reader, 'e') || take(reader, 'E')) {
		if (!take(reader, '+'))
			take(reader, '-');
		if (!skip_digits(reader))
			return fail(reader, "digits must follow the exponent of a number");
	}
	return true;
}

static bool skip_word(struct reader *reader)
{
	static const char *const words[] = {"true", "false", "null"};

	for (int i = 0; i < 3; i++) {
		size_t size = strlen(words[i]);

		if ((size_t)(reader->end - reader->at) >= size && !memcmp(reader->at, words[i], size)) {
			reader->at += size;
			return true;
		}
	}
	return fail(reader, "a value was expected");
}

/* ---- trees ---- */

static bool read_member(struct reader *reader, enum emu_json_type parent, struct emu_json **member)
{
	char *key = NULL;

	skip_space(reader);
	if (parent == EMU_JSON_OBJECT) {
		key = read_string(reader);
		if (!key)
			return false;
		skip_space(reader);
		if (!take(reader, ':')) {
			free(key);
			return fail(reader, "a colon must follow a key");
		}
	}
	*member = read_value(reader);
	if (!*member) {
		free(key);
		return false;
	}
	(*member)->key = key;
	return true;
}

static bool read_members(struct reader *reader, struct emu_json *node, char closing)
{
	struct emu_json **last = &node->first;

	reader->at++;
	skip_space(reader);
	if (take(reader, closing))
		return true;
	do {
		if (!read_member(reader, node->type, last))
			return false;
		last = &(*last)->next;
		skip_space(reader);
	} while (take(reader, ','));
	return take(reader, closing) || fail(reader, "a comma or a closing bracket was expected");
}

static bool read_container(struct reader *reader, struct emu_json *node)
{
	bool object = node->type == EMU_JSON_OBJECT;
	int *depth = object ? &reader->objects : &reader->arrays;
	bool whole;

	if (++*depth > MAX_NESTING)
		return fail(reader, "more than 10 braces or brackets in each other");
	whole = read_members(reader, node, object ? '}' : ']');
	--*depth;
	return whole;
}

static bool read_scalar(struct reader *reader, struct emu_json *node)
{
	const char *start = reader->at;

	if (node->type == EMU_JSON_STRING) {
		node->text = read_string(reader);
		return node->text != NULL;
	}
	if (node->type == EMU_JSON_NUMBER ? !skip_number(reader) : !skip_word(reader))
		return false;
	node->text = strndup(start, (size_t)(reader->at - start));
	return node->text || fail(reader, "out of memory");
}

static enum emu_json_type type_of(char first)
{
	switch (first) {
	case '{':
		return EMU_JSON_OBJECT;
	case '[':
		return EMU_JSON_ARRAY;
	case '"':
		return EMU_JSON_STRING;
	case 't':
	case 'f':
	case 'n':
		return EMU_JSON_WORD;
	default:
		return EMU_JSON_NUMBER;
	}
}

static struct emu_json *read_value(struct reader *reader)
{
	struct emu_json *node = calloc(1, sizeof(*node));
	bool whole;

	if (!node) {
		fail(reader, "out of memory");
		return NULL;
	}
	skip_space(reader);
	node->type = type_of(peek(reader));
	whole = node->type <= EMU_JSON_ARRAY ? read_container(reader, node) : read_scalar(reader, node);
	if (!whole) {
		emu_json_free(node);
		return NULL;
	}
	return node;
}

struct emu_json *emu_json_read(const char *text, size_t size, char why[EMU_JSON_WHY])
{
	struct reader reader = {.at = text, .start = text, .end = text + size};
	struct emu_json *root = read_value(&reader);

	skip_space(&reader);
	if (root && reader.at == reader.end)
		return root;
	emu_json_free(root);
	fail(&reader, "something follows the value");
	snprintf(why, EMU_JSON_WHY, "%s, at byte %td", reader.problem, reader.at - reader.start);
	return NULL;
}

/* Depth is bounded by the reader's limits, length is not: siblings in a loop. */
void emu_json_free(struct emu_json *node)
{
	while (node) {
		struct emu_json *next = node->next;

		emu_json_free(node->first);
		free(node->key);
		free(node->text);
		free(node);
		node = next;
	}
}

const struct emu_json *emu_json_member(const struct emu_json *object, const char *key)
{
	if (!object || object->type != EMU_JSON_OBJECT)
		return NULL;
	for (const struct emu_json *member = object->first; member; member = member->next)
		if (!strcmp(member->key, key))
			return member;
	return NULL;
}
