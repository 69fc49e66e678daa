/* SPDX-License-Identifier: MIT */
/* The rows of jit/forms.def, for tests of the encoder. */
#ifndef HALCYON_TESTS_JIT_ROWS_H
#define HALCYON_TESTS_JIT_ROWS_H

#include <stdbool.h>
#include <string.h>

#include "jit/encode.h"

/* No byte follows the instruction. */
#define NONE (-1)

struct row {
    const char *name, *shape, *tuple, *mnemonic[2];
};

static const struct row rows[JIT_FORMS] = {
#define JIT_FORM(name, shape, tuple, vex, vp, vm, vw, vo, evex, ...) {#name, #shape, #tuple, {vex, evex}},
#include "jit/forms.def"
};

static bool has_immediate(const struct row *row)
{
    return row->shape[strlen(row->shape) - 1] == 'I';
}

/* The form with b in memory, if b is in memory, and with the immediate byte, if it is not NONE. */
static void encode_form(struct jit_buffer *buffer, enum jit_form form, unsigned destination, unsigned a, unsigned b,
                        const struct jit_memory *memory, int immediate)
{
    if (memory && immediate != NONE)
        jit_rrmi(buffer, form, destination, a, *memory, (uint8_t)immediate);
    else if (memory)
        jit_rrm(buffer, form, destination, a, *memory);
    else if (immediate != NONE)
        jit_rrri(buffer, form, destination, a, b, (uint8_t)immediate);
    else
        jit_rrr(buffer, form, destination, a, b);
}

#endif
