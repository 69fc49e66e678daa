/* SPDX-License-Identifier: MIT */
/*
 * Shared declarations of the assembler: words of the text, values, growing buffers.
 */
#ifndef HALCYON_DP2_TEXT_ASSEMBLE_H
#define HALCYON_DP2_TEXT_ASSEMBLE_H

#include "base/word.h"
#include "dp2/text/text.h"

#define ASM_MAX_BYTES (64u << 20) /* of one event */

enum asm_kind {
    ASM_END,
    ASM_WORD,
    ASM_KEY, /* a word directly followed by '=', which belongs to it */
    ASM_STRING,
    ASM_MARK, /* one of {}()[] */
};

struct asm_bytes {
    uint8_t *data;
    size_t size, capacity;
};

struct asm_symbol;

struct asm_parser {
    const char *text;
    size_t size, at;
    unsigned line;
    /* The current word. */
    enum asm_kind kind;
    const char *word;
    size_t length;
    const char *folder;
    bool long_strings; /* a string may have several lines */
    size_t (*shader)(const char *text, uint32_t *tokens, size_t capacity, struct dp2_asm_error *error);
    struct asm_symbol *symbols;  /* most recent first */
    struct asm_symbol **buckets; /* by name; their number is a power of two */
    size_t symbol_count, bucket_count;
    /* The field whose value is next, for messages; length 0: none. */
    const char *field;
    size_t field_length;
    struct dp2_asm_error *error;
    bool failed; /* *error is set; stop */
};

void asm_init(struct asm_parser *p, const char *text, size_t size, struct dp2_asm_error *error);
void asm_next(struct asm_parser *p);
bool asm_is(const struct asm_parser *p, const char *word);
bool asm_is_mark(const struct asm_parser *p, char mark);
/* Consumes the mark, or fails. */
bool asm_expect(struct asm_parser *p, char mark);
/* Returns false; keeps the first error. */
bool asm_fail(struct asm_parser *p, const char *format, ...) __attribute__((format(gnu_printf, 2, 3)));
/* The same for a lack of memory: also sets no_memory. */
bool asm_no_memory(struct asm_parser *p);

/* --- assemble_guess.c: unknown names */
struct word_guess asm_guess_word(const struct asm_parser *p);
/* All names among fields (dp2/tokens.h). */
void asm_guess_field(struct word_guess *guess, const char *fields);
/* Fail with 'no WHAT is called "word" in WHERE; did you mean "best"?'; where may be NULL. */
bool asm_unknown(struct asm_parser *p, const struct word_guess *guess, const char *what, const char *where);
bool asm_unknown_format(struct asm_parser *p);
bool asm_unknown_state(struct asm_parser *p, bool stage);
bool asm_unknown_value(struct asm_parser *p, char type, const char *of);

/* Makes room for `size` more bytes, zeroed; NULL, and fails, if out of memory. */
uint8_t *asm_grow(struct asm_parser *p, struct asm_bytes *bytes, size_t size);

/* A number, a colour or a symbol (with "+N"). */
bool asm_number(struct asm_parser *p, uint32_t *value);
/* Reads a number as the value of a field with this name. */
bool asm_number_of(struct asm_parser *p, const char *field, uint32_t *value);
bool asm_float(struct asm_parser *p, uint32_t *bits);
bool asm_set_symbol(struct asm_parser *p, const char *name, size_t length, uint32_t value);
/* The names that another parser has defined, which loses them. */
void asm_take_symbols(struct asm_parser *p, const struct asm_parser *from);
void asm_free_symbols(struct asm_parser *p);

/* The text of a string (dp2_print_string), without its quotes. */
bool asm_string(struct asm_parser *p, struct asm_bytes *out);

/* Reads "name=value" while the names are among `fields`, into `data`. *given: one bit per field seen. */
bool asm_fields(struct asm_parser *p, const char *fields, uint8_t *data, uint32_t *given);
bool asm_value(struct asm_parser *p, char letter, uint8_t *at);

/* hex(...), floats(...), u8(...), u16(...), u32(...), fvf(...), fill(...), checker(...),
 * gradient(...), asm("..."), file("..."): true if the word begins one. */
bool asm_at_data(const struct asm_parser *p);
/* Their names, from 0; NULL: past the last. */
const char *asm_maker(unsigned index);
bool asm_data(struct asm_parser *p, struct asm_bytes *bytes, uint32_t *fvf);

/* Does the word begin a statement: an event, or a shorthand for one? */
bool asm_is_statement(const struct asm_parser *p);

/* Appends a command to `stream`, whose first byte is at `base` of the command buffer. */
bool asm_command(struct asm_parser *p, struct asm_bytes *stream, size_t base);

#endif
