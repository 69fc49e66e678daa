/* SPDX-License-Identifier: MIT */
/* Bytes of buffers as rows of a table: by the elements of the draw that reads them, or by a layout that a user types. */
#ifndef HALCYON_INSPECT_BUFFER_H
#define HALCYON_INSPECT_BUFFER_H

#include "inspect/inspect.h"
#include "inspect/state/elements.h"

#define INSPECT_MOST_COLUMNS 96

/* Types of columns: those of vertex elements, and plain numbers. */
enum inspect_number {
    INSPECT_NUMBER_FLOAT,
    INSPECT_NUMBER_SIGNED,
    INSPECT_NUMBER_UNSIGNED,
    INSPECT_NUMBER_HEX,   /* shown in hexadecimal */
    INSPECT_NUMBER_COLOR, /* 0xaarrggbb */
};

struct inspect_column {
    char name[40];    /* "position"; of a typed layout as it was typed, else "" */
    const char *type; /* "FLOAT3" */
    uint32_t offset;  /* bytes from the row's beginning */
    uint32_t bytes;   /* of the type */
    unsigned count;   /* of its components, 1 to 4 */
};

struct inspect_layout {
    unsigned count;
    struct inspect_column column[INSPECT_MOST_COLUMNS];
    uint32_t bytes; /* up to the end of the last column */
};

/* "FLOAT3 position, D3DCOLOR, FLOAT2 uv @24": types in any case, each with a name and an offset or without; without one it follows the
 * column before. False: `why` says which word means nothing, and what it may have been. */
bool inspect_parse_layout(const char *text, struct inspect_layout *layout, char *why, size_t why_size);
/* The layout as such a text. */
void inspect_layout_text(const struct inspect_layout *layout, char *out, size_t size);

/* A component of a cell, or all of a colour. */
struct inspect_cell {
    enum inspect_number kind;
    float number;    /* FLOAT */
    int64_t integer; /* the others */
};
/* The cells of a column of the row that begins at `row`; `size` bytes are there. Returns how many; 0: some bytes are missing. */
unsigned inspect_read_cells(const struct inspect_column *column, const uint8_t *row, size_t size,
                            struct inspect_cell out[4]);

/* A buffer that a draw reads, or a whole surface. */
enum inspect_buffer_kind {
    INSPECT_STREAM, /* `number`: of the stream */
    INSPECT_INDICES,
    INSPECT_SURFACE, /* `number`: of the surface */
};

struct inspect_buffer {
    uint32_t surface; /* 0: memory of the call */
    uint8_t *data;    /* freed by inspect_buffer_free */
    size_t bytes;
    int64_t offset;  /* of row 0, bytes; may be negative or beyond the end */
    uint32_t stride; /* bytes from row to row, at least 1 */
    struct inspect_layout
        layout; /* of the draw's declaration or format; of indices USHORT or UINT; of a surface empty */
};

/* The buffer as the action of the loaded frame reads it (of a surface: as it is after the action). False: the draw does not read it,
 * or out of memory, see the error. */
bool inspect_buffer(struct inspect *session, uint32_t action, enum inspect_buffer_kind kind, uint32_t number,
                    struct inspect_buffer *out, struct capture_error *error);
void inspect_buffer_free(struct inspect_buffer *buffer);
/* Rows [first, end) are at least partly there: a row before the memory's beginning is not. */
uint64_t inspect_buffer_first(const struct inspect_buffer *buffer);
uint64_t inspect_buffer_end(const struct inspect_buffer *buffer);
/* The bytes of a row; *size: how many of them are there. NULL: none. */
const uint8_t *inspect_buffer_row(const struct inspect_buffer *buffer, uint64_t row, size_t *size);

#endif
