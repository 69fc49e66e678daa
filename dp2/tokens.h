/* SPDX-License-Identifier: MIT */
/*
 * Numbers, size rules and field letters of the token table (dp2/tokens.def).
 */
#ifndef HALCYON_DP2_TOKENS_H
#define HALCYON_DP2_TOKENS_H

#include "dp2/dp2.h"

/* DP2OP_RENDERSTATE = 8 and so on: D3DDP2OP_* for code that includes no D3D header. */
enum dp2_token_number {
#define TOKEN(number, name, level, fixed, entry, rule, fields) DP2OP_##name = (number),
#include "dp2/tokens.def"
#undef TOKEN
};

/* "n" is the count word of the header, "entry" the entry_size bytes of the row. */
enum dp2_size_rule {
    DP2_SIZE_NONE,      /* may not stand in a command stream: treated as unknown */
    DP2_SIZE_FIXED,     /* the fixed part alone, whatever n is */
    DP2_SIZE_ARRAY,     /* n entries */
    DP2_SIZE_PLUS1,     /* n + 1 entries (indices of a line strip) */
    DP2_SIZE_PLUS2,     /* n + 2 entries (indices of a strip or fan) */
    DP2_SIZE_CLEAR,     /* n entries, but room for one if n = 0 */
    DP2_SIZE_FAN_IMM,   /* padding to 4 bytes after the fixed part, then n + 2 vertices */
    DP2_SIZE_LINES_IMM, /* padding to 4 bytes, then 2n vertices */
    DP2_SIZE_PALETTE,   /* exactly one entry + 4 bytes for each of its entries */
    DP2_SIZE_KERNEL,    /* exactly one entry + row weights, column weights (floats) */
    /* n entries, each followed by ... */
    DP2_SIZE_LIGHT,     /* D3DLIGHT7 if the data type is 2 */
    DP2_SIZE_SHADER,    /* declaration, then code */
    DP2_SIZE_BYTES,     /* as many bytes as the second DWORD says */
    DP2_SIZE_VECTORS,   /* vectors of 4 floats */
    DP2_SIZE_IVECTORS,  /* vectors of 4 ints */
    DP2_SIZE_BOOLS,     /* DWORDs */
    DP2_SIZE_ELEMENTS,  /* D3DVERTEXELEMENT9, 8 bytes each */
    DP2_SIZE_RECTPATCH, /* 4 floats if flag 1, D3DRECTPATCH_INFO if flag 2 */
    DP2_SIZE_TRIPATCH,  /* 3 floats if flag 1, D3DTRIPATCH_INFO if flag 2 */
};

#define DP2_LIGHT_DATA     2u /* SETLIGHT dwDataType with a D3DLIGHT7 behind it */
#define DP2_LIGHT_SIZE     104u
#define DP2_PATCH_HASSEGS  1u
#define DP2_PATCH_HASINFO  2u
#define DP2_RECTPATCH_INFO 28u
#define DP2_TRIPATCH_INFO  16u
#define DP2_KERNEL_ROW     1u
#define DP2_KERNEL_COLUMN  2u

/*
 * Field letters, "<letter> <name>" joined by commas:
 *   w WORD   u DWORD   i INT    f float   x DWORD in hex   h handle   c colour   4 four floats
 *   M 16 floats        R RECT   B BOX     Q POINT          E edge flags (WORD)
 *   S render state     T texture stage state (WORD)        V its value (DWORD)
 *   P primitive type   X transform        F FVF or handle  L clear flags
 *   l light operation  O state block operation             K its type   q query type
 * and, in events and in data behind tokens:
 *   3 three floats     y BYTE    t element type (BYTE)     g usage (BYTE)   D format
 *   Y light type       a patch basis                       d patch degree
 *   k kind of colour key
 *   A C capabilities of surfaces (DDSCAPS, DDSCAPS2)         N DDLOCK   G DDBLT   J D3DHALDP2 flags
 *   H of written memory  I of surfaces (CAPTURE_* flags)
 *   e DDRAWISURF   j DDRAWISURFGBL   r DDPF   s DDFLIP   v DDBLTFX   Z of CreateSurfaceEx
 *   z DP2BLT   U D3DISSUE   W RTPATCHFLAG
 */

/* Bytes behind an entry whose fixed part stands at `head`; 0 for rules without such data. */
uint64_t dp2_trailing_size(enum dp2_size_rule rule, const uint8_t *head);
/* Entries of a command with this rule and count word. */
uint32_t dp2_entry_count(enum dp2_size_rule rule, uint16_t count);
/* Entries may be followed by data: the body must be walked to know its size. */
bool dp2_rule_is_walked(enum dp2_size_rule rule);
/* Bytes of a field letter, 0 if there is none such. */
uint32_t dp2_field_size(char letter);

/* Who sends a token (dp2/senders.def). */
struct dp2_sender {
    bool ours;        /* this project's d3d8.dll */
    const char *when; /* of others: who, and when */
};
/* NULL: nobody has said so. */
const struct dp2_sender *dp2_token_sender(uint8_t number);

/* Does the token draw? Clears, copies and fills do not. */
bool dp2_token_draws(uint8_t number);
/* Primitives that a command draws; 0 for those that do not say (patches, spans), and for what does not draw. */
uint64_t dp2_primitive_count(const struct dp2_command *command);

const char *dp2_status_text(enum dp2_status status);

#endif
