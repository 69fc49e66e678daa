/* SPDX-License-Identifier: MIT */
/*
 * The offsets of the fields in d3d/tokens.def: structures of bytes, generated from the table, and functions that read
 * fields. Nothing is aligned. All field names end in an underscore, because some of them are words of C.
 */
#ifndef HALCYON_DP2_FIELDS_H
#define HALCYON_DP2_FIELDS_H

#include "dp2/tokens.h"

#include <stddef.h>

enum dp2_letter_bytes {
#define LETTER(letter, bytes) DP2_BYTES_##letter = (bytes),
    DP2_LETTERS(LETTER)
#undef LETTER
};

/* struct dp2_fixed_CLEAR, struct dp2_entry_BLT, struct dp2_data_LIGHT and so on. */
#define F(letter, name) uint8_t name##_[DP2_BYTES_##letter];
#define TOKEN(number, name, level, rule, fixed, entry, ...) \
    struct dp2_fixed_##name {                               \
        fixed                                               \
    };                                                      \
    struct dp2_entry_##name {                               \
        entry                                               \
    };
#define DATA(name, fields)   \
    struct dp2_data_##name { \
        fields               \
    };
#include "d3d/tokens.def"
#undef F

/* Offset and bytes of a field: DP2_OFFSET(entry_BLT, src_rect). */
#define DP2_OFFSET(part, field) offsetof(struct dp2_##part, field##_)
#define DP2_WIDTH(part, field)  sizeof(((const struct dp2_##part *)0)->field##_)

/* DWORD n of an entry, for rules that count them (DP2_KEY_THIRD). */
static inline uint32_t dp2_read_dword(const uint8_t *head, unsigned n)
{
    return dp2_read_u32(head + sizeof(uint32_t) * n);
}

/* The value of a field of a part that begins at `p`: DP2_U32(entry->head, entry_STATESET, block). */
#define DP2_U32(p, part, field) dp2_read_u32((p) + DP2_OFFSET(part, field))
#define DP2_U16(p, part, field) dp2_read_u16((p) + DP2_OFFSET(part, field))

#endif
