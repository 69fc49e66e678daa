/* SPDX-License-Identifier: MIT */
/*
 * DrawPrimitives2 command streams as bytes: one table of all tokens, and made from it a reader that never copies and
 * never reads outside its buffer, a builder, a validator and a disassembler. Knows nothing about drivers or pixels;
 * tools and fuzzers use it without them.
 *
 * Read first: a command is {bCommand, bReserved, wCount} + body. Nothing is aligned (read fields
 * with memcpy, or the dp2_read_* helpers), except the inline vertices of the two *_IMM tokens.
 * Source: DX8 DDI document; docs/reference/command-stream.md, sections 1 to 3.
 */
#ifndef HALCYON_DP2_H
#define HALCYON_DP2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum dp2_status {
    DP2_OK,
    DP2_END,           /* the cursor is exactly at the end of the stream */
    DP2_UNKNOWN_TOKEN, /* no row in the token table */
    DP2_TRUNCATED,     /* header or body runs past the end of the stream */
    DP2_BAD_SIZE,      /* a size field inside the body overflows */
};

/* A row of the token table (dp2/tokens.c; expanded from d3d/tokens.def). */
struct dp2_token_info {
    uint8_t number;
    uint8_t dx_level;     /* 6, 7, 8, 81 or 9: first DirectX whose DDI has it */
    const char *name;     /* without D3DDP2OP_ */
    uint16_t fixed_size;  /* bytes before the entries */
    uint16_t entry_size;  /* bytes of one entry's fixed part; 0 if the body is not an array */
    uint8_t size_rule;    /* enum dp2_size_rule in dp2/tokens.h */
    uint8_t entries;      /* enum dp2_entries: how dp2_put_entry writes them */
    uint8_t item_bytes;   /* of each item after an entry, whose second DWORD counts them; 0: no items */
    const char *fields;   /* "fixed part;entry", for the disassembler: see dp2/tokens.h */
    uint8_t draws;        /* enum dp2_draws in dp2/tokens.h */
    uint8_t key;          /* enum dp2_key in dp2/tokens.h */
    uint8_t key_token;    /* the token whose entries this one replaces */
    bool in_blocks;       /* state blocks store it */
    const char *surfaces; /* one enum dp2_surface_use per DWORD of an entry that may be a surface handle */
    const char *sent;     /* when it is sent; for tokens of other senders also by whom */
    uint8_t sender;       /* enum dp2_sender: bit 0 this project's d3d8.dll, bit 1 its d3d9.dll */
};

enum dp2_entries {
    DP2_ENTRIES_NOT,    /* the body has other parts, so an entry cannot be added */
    DP2_ENTRIES_SINGLE, /* one a command: drivers of the time read only the first entry of SETSTREAMSOURCE */
    DP2_ENTRIES_MANY,   /* up to 65,535 a command */
};

/* By number; rows without a name have no meaning. */
extern const struct dp2_token_info dp2_token_table[256];
/* NULL if the number has no meaning. */
const struct dp2_token_info *dp2_token_info(uint8_t number);

#define DP2_HEADER_BYTES 4u /* bCommand, bReserved, wCount */

struct dp2_command {
    const struct dp2_token_info *info;
    uint16_t count;          /* wPrimitiveCount / wStateCount */
    size_t offset;           /* of the header, in bytes from the start of the stream: dwErrorOffset */
    const uint8_t *body;     /* first byte after the header */
    size_t body_size;        /* bytes up to the next command */
    const uint8_t *vertices; /* *_IMM tokens: first inline vertex, else NULL */
};

/* Reading. `base` must be 4-byte aligned when the stream holds *_IMM tokens. */
struct dp2_cursor {
    const uint8_t *base;
    size_t length;
    size_t offset;        /* of the next command */
    uint32_t vertex_size; /* bytes of one inline vertex (FVF of dwVertexType); 0 if inline vertices are not allowed */
};

/* At the first command of a stream of `length` bytes. */
static inline void dp2_cursor_init(struct dp2_cursor *cursor, const void *base, size_t length, uint32_t vertex_size)
{
    cursor->base = base;
    cursor->length = length;
    cursor->offset = 0;
    cursor->vertex_size = vertex_size;
}

/* Reads the next command; the cursor moves only on DP2_OK. On an error `command->offset` is that of
 * the bad command; nothing outside the stream has been read. */
enum dp2_status dp2_next(struct dp2_cursor *cursor, struct dp2_command *command);

/* Entries of tokens with a variable part (CREATEVERTEXSHADER, SETLIGHT, SET*CONST, patches...), and
 * of plain arrays alike. `head` is the entry's fixed part, `data` what follows it (may be empty).
 * Start with {0}. Never fails on a command that dp2_next returned; false when no entry is left. */
struct dp2_entry {
    const uint8_t *head, *data;
    size_t head_size, data_size;
    size_t next;    /* private: offset in the body of the next entry */
    unsigned index; /* private: entries returned so far */
};
bool dp2_read_entry(const struct dp2_command *command, struct dp2_entry *entry); /* dp2_next_entry, before the end */
static inline bool dp2_next_entry(const struct dp2_command *command, struct dp2_entry *entry)
{
    return (!entry->index || entry->next < command->body_size) && dp2_read_entry(command, entry);
}

static inline uint32_t dp2_read_u32(const uint8_t *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof(v));
    return v;
}
static inline uint16_t dp2_read_u16(const uint8_t *p)
{
    uint16_t v;
    memcpy(&v, p, sizeof(v));
    return v;
}
static inline float dp2_read_f32(const uint8_t *p)
{
    float v;
    memcpy(&v, p, sizeof(v));
    return v;
}

/* Building into memory of the caller. length and last are not neighbours, because GCC would join their stores to one that takes longer. */
struct dp2_builder {
    uint8_t *base;
    size_t length; /* bytes used */
    size_t capacity;
    size_t last; /* offset of the last header; SIZE_MAX if none */
};

void dp2_builder_init(struct dp2_builder *builder, void *base, size_t capacity);

/* Appends a command with its whole body. Returns the address of the body (so that the caller can fill it in when `body`
 * is NULL), or NULL, with nothing written, if it does not fit. */
void *dp2_put(struct dp2_builder *builder, uint8_t token, uint16_t count, const void *body, size_t body_size);

/* Adds one entry of an array token (RENDERSTATE, TEXTURESTAGESTATE, SETTRANSFORM...), growing the
 * last command when it is the same token and its count is below 65535, else starting a new one.
 * The caller fills it in. Returns its address, or NULL if it does not fit. Inline, because runtimes call it for each state and draw. */
static inline void *dp2_put_entry(struct dp2_builder *builder, uint8_t token, size_t entry_size)
{
    const uint8_t entries = dp2_token_table[token].entries, header[DP2_HEADER_BYTES] = {token, 0, 1, 0};
    const size_t at = builder->length, left = builder->capacity - at;
    uint8_t *const base = builder->base;
    uint8_t *last;
    uint16_t count;

    if (left < entry_size || left == 0)
        return NULL;
    if (entries == DP2_ENTRIES_MANY && builder->last != SIZE_MAX) {
        last = base + builder->last;
        count = dp2_read_u16(last + 2);
        if (last[0] == token && count < UINT16_MAX) {
            count++;
            memcpy(last + 2, &count, sizeof(count));
            builder->length = at + entry_size;
            return base + at;
        }
    }
    if (left < sizeof(header) || left - sizeof(header) < entry_size || entries == DP2_ENTRIES_NOT)
        return NULL;
    builder->last = at;
    builder->length = at + sizeof(header) + entry_size;
    memcpy(base + at, header, sizeof(header));
    return base + at + sizeof(header);
}

/* Bytes of one vertex of a flexible vertex format (D3DFVF_*); 0 for an impossible one. */
uint32_t dp2_fvf_size(uint32_t fvf);

#endif
