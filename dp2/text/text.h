/* SPDX-License-Identifier: MIT */
/*
 * Captures as text, and text as captures. One notation for both directions (docs/dp2-text.md):
 * the assembler turns the output of the FULL style into the same bytes again. Values are driven by
 * the field letters of dp2/tokens.h, for events as for tokens.
 */
#ifndef HALCYON_DP2_TEXT_TEXT_H
#define HALCYON_DP2_TEXT_TEXT_H

#include "dp2/capture/capture.h"
#include "dp2/tokens.h"

/* The destination of text. */
struct dp2_sink {
    void (*put)(void *user, const char *text, size_t size);
    void *user;
};

void dp2_sink_printf(const struct dp2_sink *sink, const char *format, ...) __attribute__((format(gnu_printf, 2, 3)));

/* --- printing ----------------------------------------------------------------------------- */

enum dp2_text_style {
    DP2_TEXT_BRIEF, /* long arrays end in "..." */
    DP2_TEXT_FULL,  /* everything; can be assembled again */
};

/* A command without a newline at the end; `lines`: a line for each entry. */
void dp2_print_command(const struct dp2_sink *sink, const struct dp2_command *command, enum dp2_text_style style,
                       bool lines);

struct dp2_print_options {
    enum dp2_text_style style;
    bool lines;    /* a line for each entry of a command */
    bool vertices; /* BRIEF: vertices and memory too */
    bool commands_only;
    /* After a command, on a line of its own; may be NULL. */
    void (*after_command)(void *user, const struct dp2_sink *sink, const struct dp2_command *command);
    void *user;
};

/* A valid event, with a newline at its end. */
void dp2_print_event(const struct dp2_sink *sink, const struct capture_event *event,
                     const struct dp2_print_options *options);
/* The format of a draw's vertices in user memory: the one that the stream set last (`set`, 0: none), or that of DirectX
 * 7 calls. 0: it is unknown. */
uint32_t dp2_user_vertex_format(const struct capture_draw *head, uint32_t set);
/* Notes in *set the format that a command sets. */
void dp2_note_vertex_format(const struct dp2_command *command, uint32_t *set);

/* Fields of `data` up to ';' or the end of `fields`. */
enum { DP2_SKIP_ZERO = 1 };
const char *dp2_print_fields(const struct dp2_sink *sink, const char *fields, const uint8_t *data, unsigned flags);

/* "...", with \\ for a backslash and \xNN for quotes, control characters (base/utf8.h) and bytes that are not UTF-8. */
void dp2_print_string(const struct dp2_sink *sink, const char *text, size_t size);

void dp2_print_value(const struct dp2_sink *sink, char letter, const uint8_t *data);
struct dp2_value;
/* A value of dp2/text/visit.h; nothing for bytes and text. */
void dp2_print_decoded(const struct dp2_sink *sink, const struct dp2_value *value);

/* --- events as rows of a table ------------------------------------------------------------ */

/* Field letters of an event's structure, NULL for an unknown type; counts are not among them. */
const char *dp2_event_fields(unsigned type);
extern const char dp2_part_fields[], dp2_link_fields[], dp2_name_fields[], dp2_rect_fields[];
/* Field letters of the data after entries: dp2_fields_of_LIGHT and so on. */
#define DATA(name, fields) extern const char dp2_fields_of_##name[];
#include "d3d/tokens.def"
/* "segments" and the structure after them. */
const char *dp2_patch_segment_fields(enum dp2_size_rule rule);
const char *dp2_patch_info_fields(enum dp2_size_rule rule);
/* Bytes of all fields up to ';' or the end. */
uint32_t dp2_fields_size(const char *fields);

/* Bytes and number of the rows of a surface's memory, without the gaps between them; rows of blocks for DXT. *row_count
 * is 0 for a format not known here. */
uint32_t dp2_row_bytes(uint32_t format, uint32_t width, uint32_t height, uint32_t *row_count);

/* Parts of a vertex in their order. Letters: f number, c colour, u bytes of UBYTE4 as a DWORD. */
struct dp2_vertex_layout {
    char letters[64]; /* one for each DWORD, 0-terminated */
    uint32_t size;    /* bytes, 0: no such format */
};
void dp2_vertex_layout(uint32_t fvf, struct dp2_vertex_layout *layout);

/* --- assembling ---------------------------------------------------------------------------- */

struct dp2_asm_error {
    unsigned line, column; /* from 1, in bytes */
    char text[200];
    bool no_memory; /* the text may have no mistake */
};

/* The offset with which dp2_asm_output.line gets the line of a statement. */
#define DP2_ASM_EVENT UINT32_MAX

struct dp2_asm_output {
    /* A whole event; false ends the work ("cannot be written"). */
    bool (*event)(void *user, enum capture_event_type type, const void *data, size_t size);
    /* A line "key=value" of the capture's information; may be NULL. False: out of memory. */
    bool (*info)(void *user, const char *line);
    /* The line of a statement, with DP2_ASM_EVENT, before its events; then those of the commands of a draw, with their offsets in its
     * stream. May be NULL. */
    void (*line)(void *user, uint32_t offset, unsigned line);
    /* For asm("..."): the shader's DWORDs, at most `capacity`; 0 with *error, whose line and column count from 1 in the text. May be NULL:
     * the text has no shaders. */
    size_t (*shader)(const char *text, uint32_t *tokens, size_t capacity, struct dp2_asm_error *error);
    void *user;
    const char *folder; /* of file("...") names that are relative; NULL: no files at all */
};

bool dp2_assemble(const char *text, size_t size, const struct dp2_asm_output *output, struct dp2_asm_error *error);

/* The same for several texts: names, numbers and the shapes of surfaces stay known from one text to the next, also after a
 * mistake. NULL: out of memory. */
struct dp2_assembler;
struct dp2_assembler *dp2_assembler_create(void);
bool dp2_assembler_run(struct dp2_assembler *assembler, const char *text, size_t size,
                       const struct dp2_asm_output *output, struct dp2_asm_error *error);
/* NULL is fine. */
void dp2_assembler_destroy(struct dp2_assembler *assembler);

/* Words of the notation that are not in a table of d3d/, for editors: word `index` of a list, from 0. NULL: past the
 * last. */
enum dp2_text_words {
    DP2_WORDS_SHORT,  /* the short forms: create, present, info */
    DP2_WORDS_CREATE, /* what "create" makes */
    DP2_WORDS_DATA,   /* what makes bytes: hex, floats, checker, ... */
};
const char *dp2_text_word(enum dp2_text_words words, unsigned index);

/* One command in the notation, appended to a stream that has `length` bytes already (what inline
 * vertices are aligned to). Returns its bytes, or 0 with *error; never more than `capacity`. */
size_t dp2_assemble_command(const char *text, size_t size, uint8_t *bytes, size_t length, size_t capacity,
                            struct dp2_asm_error *error);

#endif
