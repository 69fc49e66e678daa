/* SPDX-License-Identifier: MIT */
/*
 * The token table, expanded, and the arithmetic of its size rules.
 */
#include "dp2/tokens.h"
#include "dp2/fields.h"

#include <string.h>

/* Bodies that consist of entries alone can grow. */
#define ENTRIES(number, rule, name)                                                                             \
    (sizeof(struct dp2_fixed_##name) || (DP2_SIZE_##rule != DP2_SIZE_ARRAY && DP2_SIZE_##rule < DP2_SIZE_LIGHT) \
         ? DP2_ENTRIES_NOT                                                                                      \
     : (number) == DP2OP_SETSTREAMSOURCE ? DP2_ENTRIES_SINGLE                                                   \
                                         : DP2_ENTRIES_MANY)
/* Rules by which the second DWORD of an entry counts the items that follow it. */
#define ITEM_BYTES(rule)                                                                                           \
    (DP2_SIZE_##rule == DP2_SIZE_VECTORS || DP2_SIZE_##rule == DP2_SIZE_IVECTORS ? 16                              \
     : DP2_SIZE_##rule == DP2_SIZE_ELEMENTS                                      ? sizeof(struct dp2_data_ELEMENT) \
     : DP2_SIZE_##rule == DP2_SIZE_BOOLS                                         ? 4                               \
     : DP2_SIZE_##rule == DP2_SIZE_BYTES                                         ? 1                               \
                                                                                 : 0)
#define COUNTS(name, field) _Static_assert(DP2_OFFSET(entry_##name, field) == DP2_ITEM_COUNT, #name)
COUNTS(SETVERTEXSHADERCONST, count);
COUNTS(SETVERTEXSHADERCONSTB, count);
COUNTS(CREATEVERTEXSHADERDECL, elements);
COUNTS(CREATEPIXELSHADER, code_bytes);

/* clang-format off */
const struct dp2_token_info dp2_token_table[256] = {
#define F(letter, name) #letter " " #name ","
#define TOKEN(number, name, level, rule, fixed, entry, draws, surfaces, key, key_name, blocks, sender, sent)          \
    [number] = {(number), (level), #name, sizeof(struct dp2_fixed_##name), sizeof(struct dp2_entry_##name),           \
                DP2_SIZE_##rule, ENTRIES(number, rule, name), ITEM_BYTES(rule), fixed ";" entry, DP2_DRAWS_##draws, DP2_KEY_##key, DP2OP_##key_name, DP2_BLOCKS_##blocks, \
                (surfaces), (sent), DP2_SENDER_##sender},
#include "d3d/tokens.def"
#undef F
};
/* clang-format on */

const struct dp2_token_info *dp2_token_info(uint8_t number)
{
    return dp2_token_row(number);
}

uint64_t dp2_primitive_count(const struct dp2_command *command)
{
    struct dp2_entry entry = {0};
    uint64_t count = 0;
    uint32_t offset;

    if (command->info->draws == DP2_DRAWS_COUNT)
        return command->count;
    if (command->info->draws != DP2_DRAWS_FIELD || !dp2_field_offset(command->info, "primitives", &offset))
        return 0;
    while (dp2_next_entry(command, &entry))
        count += dp2_read_u32(entry.head + offset);
    return count;
}

bool dp2_field_offset(const struct dp2_token_info *info, const char *name, uint32_t *offset)
{
    const char *field = strchr(info->fields, ';');
    const size_t length = strlen(name);

    *offset = 0;
    while (field && field[1]) {
        const size_t end = 2 + strcspn(field + 3, ",");

        field++;
        if (end == 2 + length && memcmp(field + 2, name, length) == 0)
            return true;
        *offset += dp2_field_size(field[0]);
        field = field[end] ? field + end : NULL;
    }
    return false;
}

static uint64_t patch_size(const uint8_t *head, size_t segments, size_t info)
{
    const uint32_t flags = DP2_U32(head, entry_DRAWRECTPATCH, flags);

    return (flags & DP2_PATCH_HASSEGS ? segments : 0) + (flags & DP2_PATCH_HASINFO ? info : 0);
}

static uint64_t kernel_size(const uint8_t *head)
{
    const uint32_t flags = DP2_U32(head, entry_SETCONVOLUTIONKERNELMONO, flags);
    const uint64_t width = DP2_U32(head, entry_SETCONVOLUTIONKERNELMONO, width);
    const uint64_t height = DP2_U32(head, entry_SETCONVOLUTIONKERNELMONO, height);

    return 4 * ((flags & DP2_KERNEL_ROW ? width : 0) + (flags & DP2_KERNEL_COLUMN ? height : 0));
}

uint64_t dp2_other_data_size(enum dp2_size_rule rule, const uint8_t *head)
{
    switch (rule) {
    case DP2_SIZE_PALETTE:
        return 4 * (uint64_t)DP2_U16(head, entry_UPDATEPALETTE, entries);
    case DP2_SIZE_KERNEL:
        return kernel_size(head);
    case DP2_SIZE_LIGHT:
        return DP2_U32(head, entry_SETLIGHT, op) == DP2_LIGHT_DATA ? sizeof(struct dp2_data_LIGHT) : 0;
    case DP2_SIZE_SHADER:
        return (uint64_t)DP2_U32(head, entry_CREATEVERTEXSHADER, decl_bytes) +
               DP2_U32(head, entry_CREATEVERTEXSHADER, code_bytes);
    case DP2_SIZE_TEXT:
        return ((uint64_t)DP2_U32(head, entry_MARKER, text_bytes) + 3) & ~(uint64_t)3;
    case DP2_SIZE_RECTPATCH:
        return patch_size(head, sizeof(struct dp2_data_RECTPATCH_SEGMENTS), sizeof(struct dp2_data_RECTPATCH_INFO));
    case DP2_SIZE_TRIPATCH:
        return patch_size(head, sizeof(struct dp2_data_TRIPATCH_SEGMENTS), sizeof(struct dp2_data_TRIPATCH_INFO));
    default:
        return 0;
    }
}

uint32_t dp2_field_size(char letter)
{
    static const struct {
        char letter[2];
        uint8_t bytes;
    } letters[] = {
#define LETTER(letter, bytes) {#letter, (bytes)},
        DP2_LETTERS(LETTER)
#undef LETTER
    };

    for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]); i++)
        if (letters[i].letter[0] == letter)
            return letters[i].bytes;
    return 0;
}

const char *dp2_status_text(enum dp2_status status)
{
    switch (status) {
    case DP2_OK:
        return "ok";
    case DP2_END:
        return "end of the stream";
    case DP2_UNKNOWN_TOKEN:
        return "unknown token";
    case DP2_TRUNCATED:
        return "the command runs past the end of the stream";
    case DP2_BAD_SIZE:
        return "impossible size inside the command";
    }
    return "unknown status";
}
