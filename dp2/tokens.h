/* SPDX-License-Identifier: MIT */
/*
 * Numbers, size rules and field letters of the token table (d3d/tokens.def).
 */
#ifndef HALCYON_DP2_TOKENS_H
#define HALCYON_DP2_TOKENS_H

#include "dp2/dp2.h"

/* DP2OP_RENDERSTATE = 8 and so on: D3DDP2OP_* for code that includes no D3D header. */
enum dp2_token_number {
#define TOKEN(number, name, ...) DP2OP_##name = (number),
#include "d3d/tokens.def"
};

/* "n" is the count word of the header, "entry" the entry_size bytes of the row. */
enum dp2_size_rule {
    DP2_SIZE_NONE,      /* not allowed in a command stream: treated as unknown */
    DP2_SIZE_FIXED,     /* only the fixed part, for any n */
    DP2_SIZE_ARRAY,     /* n entries */
    DP2_SIZE_PLUS1,     /* n + 1 entries (indices of a line strip) */
    DP2_SIZE_PLUS2,     /* n + 2 entries (indices of a strip or fan) */
    DP2_SIZE_CLEAR,     /* n entries, but space for one if n = 0 */
    DP2_SIZE_FAN_IMM,   /* padding to 4 bytes after the fixed part, then n + 2 vertices */
    DP2_SIZE_LINES_IMM, /* padding to 4 bytes, then 2n vertices */
    DP2_SIZE_PALETTE,   /* exactly one entry + 4 bytes for each of its entries */
    DP2_SIZE_KERNEL,    /* exactly one entry + row weights, column weights (floats) */
    /* n entries, each followed by ... */
    DP2_SIZE_LIGHT,     /* D3DLIGHT7 if the data type is 2 */
    DP2_SIZE_SHADER,    /* declaration, then code */
    DP2_SIZE_BYTES,     /* the number of bytes in the second DWORD */
    DP2_SIZE_TEXT,      /* the same, padded to a whole DWORD: UTF-8, not terminated */
    DP2_SIZE_VECTORS,   /* vectors of 4 floats */
    DP2_SIZE_IVECTORS,  /* vectors of 4 ints */
    DP2_SIZE_BOOLS,     /* DWORDs */
    DP2_SIZE_ELEMENTS,  /* D3DVERTEXELEMENT9, 8 bytes each */
    DP2_SIZE_RECTPATCH, /* 4 floats if flag 1, D3DRECTPATCH_INFO if flag 2 */
    DP2_SIZE_TRIPATCH,  /* 3 floats if flag 1, D3DTRIPATCH_INFO if flag 2 */
};

/* Columns of the table that say what a token means. */
enum dp2_draws {
    DP2_DRAWS_NOTHING,
    DP2_DRAWS_COUNT,   /* the header's count is the number of primitives */
    DP2_DRAWS_FIELD,   /* the field `primitives` of each entry */
    DP2_DRAWS_UNKNOWN, /* something: patches, spans */
};

/* How the surface whose handle is a DWORD of an entry is used. */
enum dp2_surface_use {
    DP2_SURFACE_NONE = '.',
    DP2_SURFACE_BOUND = 'b',   /* later commands read it or draw to it */
    DP2_SURFACE_COPIED = 'c',  /* the token itself reads it or writes to it */
    DP2_SURFACE_FILLED = 'f',  /* the same, but the caller's memory is not read */
    DP2_SURFACE_NAMED = 'n',   /* contents do not matter */
    DP2_SURFACE_DEPENDS = '?', /* on the preceding DWORD: a state that is a texture, a map that may be none */
};

/* The older entries that a new entry replaces: those of the token in the next column ... */
enum dp2_key {
    DP2_KEY_NONE,     /* sets no lasting state */
    DP2_KEY_TOKEN,    /* all */
    DP2_KEY_FIRST,    /* those with the same first DWORD */
    DP2_KEY_RANGE,    /* with the same first two, a first register and a count */
    DP2_KEY_THIRD,    /* with the same third */
    DP2_KEY_BLOCK,    /* a state block is recorded, executed or deleted */
    DP2_KEY_MULTIPLY, /* none: the result depends on the previous value */
    DP2_KEY_PALETTE,  /* entries of a palette, by ranges */
    DP2_KEY_CREATE,   /* none: creates an object */
    DP2_KEY_DELETE,   /* the entry that created the object */
};

enum dp2_blocks { DP2_BLOCKS_NOT, DP2_BLOCKS_STORED };
/* The project's runtimes that send a token: bits. */
enum dp2_sender { DP2_SENDER_OTHERS, DP2_SENDER_D3D8, DP2_SENDER_D3D9, DP2_SENDER_BOTH };

#define DP2_LIGHT_DATA    2u /* SETLIGHT dwDataType followed by a D3DLIGHT7 */
#define DP2_PATCH_HASSEGS 1u
#define DP2_PATCH_HASINFO 2u
#define DP2_KERNEL_ROW    1u
#define DP2_KERNEL_COLUMN 2u

/*
 * Field letters. As text, fields are a sequence of "<letter> <name>,"; the last comma may be missing.
 *   w WORD   u DWORD   i INT    f float   x DWORD in hex   h handle   c colour   4 four floats
 *   M 16 floats        R RECT   B BOX     Q POINT          E edge flags (WORD)
 *   S render state     T texture stage state (WORD)        V its value (DWORD)
 *   P primitive type   X transform        F FVF or handle  L clear flags
 *   l light operation  O state block operation             K its type   q query type
 * and, in events and in data after entries:
 *   3 three floats     y BYTE    t element type (BYTE)     g usage (BYTE)   D format
 *   Y light type       a patch basis                       d patch degree
 *   k kind of colour key
 *   A C capabilities of surfaces (DDSCAPS, DDSCAPS2)         N DDLOCK   G DDBLT   J D3DHALDP2 flags
 *   H of written memory  I of surfaces (CAPTURE_* flags)
 *   e DDRAWISURF   j DDRAWISURFGBL   r DDPF   s DDFLIP   v DDBLTFX   Z of CreateSurfaceEx
 *   z DP2BLT   U D3DISSUE   W RTPATCHFLAG   b kind of MARKER
 *   5 texture filter   6 method of tessellation (BYTE)     7 D3DSTREAMSOURCE
 *   8 DDRAWIPAL   9 raster operation
 */

/* clang-format off */
/* The letters and their bytes; frequent ones first. */
#define DP2_LETTERS(LETTER) \
    LETTER(u, 4) LETTER(f, 4) LETTER(x, 4) LETTER(h, 4) LETTER(S, 4) LETTER(V, 4) LETTER(w, 2) LETTER(T, 2) \
    LETTER(c, 4) LETTER(4, 16) LETTER(i, 4) LETTER(y, 1) LETTER(t, 1) LETTER(g, 1) LETTER(E, 2) LETTER(Q, 8) \
    LETTER(3, 12) LETTER(R, 16) LETTER(B, 24) LETTER(M, 64) LETTER(P, 4) LETTER(X, 4) LETTER(F, 4) LETTER(L, 4) \
    LETTER(l, 4) LETTER(O, 4) LETTER(K, 4) LETTER(q, 4) LETTER(D, 4) LETTER(Y, 4) LETTER(a, 4) LETTER(d, 4) \
    LETTER(k, 4) LETTER(A, 4) LETTER(C, 4) LETTER(N, 4) LETTER(G, 4) LETTER(J, 4) LETTER(H, 4) LETTER(I, 4) \
    LETTER(e, 4) LETTER(j, 4) LETTER(r, 4) LETTER(s, 4) LETTER(v, 4) LETTER(Z, 4) LETTER(z, 4) LETTER(U, 4) \
    LETTER(W, 4) LETTER(b, 4) LETTER(5, 4) LETTER(6, 1) LETTER(7, 4) LETTER(8, 4) LETTER(9, 4)
/* clang-format on */

#define DP2_ITEM_COUNT 4u /* offset in an entry of the number of its items (dp2_token_info.item_bytes) */

/* dp2_data_size, of a token without items. */
uint64_t dp2_other_data_size(enum dp2_size_rule rule, const uint8_t *head);
/* Bytes of data after an entry whose fixed part is at `head`; 0 for rules without data. */
static inline uint64_t dp2_data_size(const struct dp2_token_info *info, const uint8_t *head)
{
    return info->item_bytes ? (uint64_t)info->item_bytes * dp2_read_u32(head + DP2_ITEM_COUNT)
                            : dp2_other_data_size(info->size_rule, head);
}
/* Entries of a command with this rule and count word. */
static inline uint32_t dp2_entry_count(enum dp2_size_rule rule, uint16_t count)
{
    switch (rule) {
    case DP2_SIZE_NONE:
    case DP2_SIZE_FIXED:
    case DP2_SIZE_FAN_IMM:
    case DP2_SIZE_LINES_IMM:
        return 0;
    case DP2_SIZE_PLUS1:
        return count + 1u;
    case DP2_SIZE_PLUS2:
        return count + 2u;
    case DP2_SIZE_PALETTE:
    case DP2_SIZE_KERNEL:
        return 1;
    default:
        return count;
    }
}

/* May entries be followed by data, so that the size of the body is known only after walking it? */
static inline bool dp2_rule_is_walked(enum dp2_size_rule rule)
{
    return rule >= DP2_SIZE_PALETTE;
}

/* dp2_token_info, inline. */
static inline const struct dp2_token_info *dp2_token_row(uint8_t number)
{
    return dp2_token_table[number].name ? &dp2_token_table[number] : NULL;
}
/* dp2_next, of a command that is neither a plain array nor one entry with items, or that is not whole. */
enum dp2_status dp2_next_other(struct dp2_cursor *cursor, struct dp2_command *command);
/* dp2_next_other with a copy of the cursor, so that the caller's can stay in registers. */
static inline enum dp2_status dp2_next_uncommon(struct dp2_cursor *cursor, struct dp2_command *command)
{
    struct dp2_cursor copy = *cursor;
    const enum dp2_status status = dp2_next_other(&copy, command);

    cursor->offset = copy.offset;
    return status;
}
/* dp2_next, inline for most commands of a stream. */
static inline enum dp2_status dp2_next_of_many(struct dp2_cursor *cursor, struct dp2_command *command)
{
    const uint8_t *header = cursor->base + cursor->offset, *body = header + DP2_HEADER_BYTES;
    const size_t left = cursor->length > cursor->offset ? cursor->length - cursor->offset : 0;
    const struct dp2_token_info *info;
    uint16_t count;
    uint64_t size;

    if (left < DP2_HEADER_BYTES)
        return dp2_next_uncommon(cursor, command);
    info = &dp2_token_table[header[0]]; /* rows without a name are not arrays and have no items */
    count = dp2_read_u16(header + 2);
    size = info->fixed_size + (uint32_t)count * info->entry_size;
    if (info->size_rule != DP2_SIZE_ARRAY) {
        if (!info->item_bytes || count != 1 || size > left - DP2_HEADER_BYTES)
            return dp2_next_uncommon(cursor, command);
        size += dp2_data_size(info, body + info->fixed_size);
    }
    if (size > left - DP2_HEADER_BYTES)
        return dp2_next_uncommon(cursor, command);
    command->info = info;
    command->count = count;
    command->offset = cursor->offset;
    command->body = body;
    command->body_size = (size_t)size;
    command->vertices = NULL;
    cursor->offset += DP2_HEADER_BYTES + (size_t)size;
    return DP2_OK;
}
/* Bytes of a field letter, 0 if it is not one. */
uint32_t dp2_field_size(char letter);
/* The offset of a field in the entries of a token, in bytes. False: they do not have this field. */
bool dp2_field_offset(const struct dp2_token_info *info, const char *name, uint32_t *offset);
/* Primitives that a command draws; also 0 if the number is not in the command. */
uint64_t dp2_primitive_count(const struct dp2_command *command);

const char *dp2_status_text(enum dp2_status status);

#endif
