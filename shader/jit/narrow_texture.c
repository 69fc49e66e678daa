/* SPDX-License-Identifier: MIT */
/*
 * Samples a texture bilinearly at integer coordinates: the same arithmetic as raster/sample/kernels/words_affine.c and
 * raster/sample/kernels/narrow_filter.h. All texels lie inside the texture, so there are no bounds checks.
 */
#include "shader/jit/narrow.h"

/* Scratch registers: weights of the right and the lower texels; texel indices; a temporary; two halves of the upper row's pairs and two of
 * the lower row's; a pair, which 32-bit programs have elsewhere. */
enum { WEIGHT_U, WEIGHT_V, INDEX, TEMPORARY, UPPER, LOWER = UPPER + 2, PAIR = LOWER + 2 };

#define TEXTURE(member)                                                                                        \
    memory_at(NARROW_BLOCK, offsetof(struct narrow_block, texture) + n * sizeof(struct narrow_block_texture) + \
                                offsetof(struct narrow_block_texture, member))

/* A coordinate's lanes, as 1/256 of texels from `bias` on. */
static void emit_coordinate(struct narrow_emitter *e, unsigned to, struct jit_memory start, struct jit_memory offset,
                            struct jit_memory repeat, struct jit_memory bias, struct jit_memory shift)
{
    start.index = NARROW_GROUPS;
    offset.displacement += (int32_t)(e->vector * narrow_bytes(e));
    jit_rrm(e->out, JIT_BROADCAST, to, 0, start);
    jit_rrm(e->out, JIT_PADDD, to, to, offset);
    jit_rrm(e->out, JIT_PAND, to, to, repeat);
    jit_rrm(e->out, JIT_PADDD, to, to, bias);
    jit_rrm(e->out, JIT_PSRAVD, to, to, shift);
}

static struct jit_memory texels_at(const struct narrow_emitter *e, enum jit_register index)
{
    return (struct jit_memory){.base = e->roles.pointer, .index = (uint8_t)index, .scale = 4};
}

/* Scratch for a pair while texels are read: 32-bit programs have their indices in memory then. */
static unsigned pair_register(const struct narrow_emitter *e)
{
    return e->out->is_32_bit ? INDEX : PAIR;
}

/* Two pairs, into the 16 bytes of number `part` of a register. */
static void emit_pairs(struct narrow_emitter *e, unsigned to, unsigned part, enum jit_register first,
                       enum jit_register second)
{
    const unsigned pair = part ? pair_register(e) : to;

    jit_load_low(e->out, pair, texels_at(e, first));
    jit_load_high(e->out, pair, pair, texels_at(e, second));
    if (part)
        jit_rrri(e->out, JIT_INSERT_LANE, to, to, pair, (uint8_t)part);
}

/* The pairs of four lanes, of two rows. */
static void emit_quad(struct narrow_emitter *e, unsigned n, unsigned part)
{
    const unsigned indices = part ? TEMPORARY : INDEX;

    if (part)
        jit_rrri(e->out, JIT_EXTRACT_LANE, TEMPORARY, 0, INDEX, (uint8_t)part);
    jit_take_low(e->out, JIT_R8, indices);
    jit_take_high(e->out, JIT_R10, indices);
    jit_move_dword(e->out, JIT_RAX, JIT_R8);
    jit_shift_right(e->out, JIT_R8, 32);
    jit_move_dword(e->out, JIT_R9, JIT_R10);
    jit_shift_right(e->out, JIT_R10, 32);
    jit_load_pointer(e->out, (enum jit_register)e->roles.pointer, TEXTURE(upper));
    emit_pairs(e, UPPER, part, JIT_RAX, JIT_R8);
    emit_pairs(e, UPPER + 1, part, JIT_R9, JIT_R10);
    jit_load_pointer(e->out, (enum jit_register)e->roles.pointer, TEXTURE(lower));
    emit_pairs(e, LOWER, part, JIT_RAX, JIT_R8);
    emit_pairs(e, LOWER + 1, part, JIT_R9, JIT_R10);
}

/* The pairs of two lanes, of the row that the pointer is at. */
static void emit_row_pairs(struct narrow_emitter *e, unsigned to, unsigned part)
{
    emit_pairs(e, to, part, NARROW_WORK, (enum jit_register)e->roles.other);
}

/* Likewise with three general registers: two lanes at a time, whose indices are in memory. The pointer is at the upper row before and
 * after. */
static void emit_narrow_quad(struct narrow_emitter *e, unsigned n, unsigned part)
{
    const enum jit_register pointer = (enum jit_register)e->roles.pointer;

    for (unsigned half = 0; half < 2; half++) {
        const size_t at = offsetof(struct narrow_block, index) + (4 * part + 2 * half) * sizeof(uint32_t);

        jit_load_dword(e->out, NARROW_WORK, memory_at(NARROW_BLOCK, at));
        jit_load_dword(e->out, (enum jit_register)e->roles.other, memory_at(NARROW_BLOCK, at + sizeof(uint32_t)));
        emit_row_pairs(e, (half ? LOWER : UPPER) + half, part);
        if (half)
            jit_load_pointer(e->out, pointer, TEXTURE(upper));
        else
            jit_load_pointer(e->out, pointer, TEXTURE(lower));
        emit_row_pairs(e, (half ? UPPER : LOWER) + half, part);
    }
}

static void emit_texels(struct narrow_emitter *e, unsigned n)
{
    if (e->out->is_32_bit) {
        jit_rrm(e->out, JIT_STORE, INDEX, 0, NARROW_AT(index));
        jit_load_pointer(e->out, (enum jit_register)e->roles.pointer, TEXTURE(upper));
    }
    for (unsigned part = 0; part < narrow_bytes(e) / 16; part++)
        if (e->out->is_32_bit)
            emit_narrow_quad(e, n, part);
        else
            emit_quad(e, n, part);
}

/* A row's pairs, mixed by the weights in TEMPORARY. */
static void emit_mix(struct narrow_emitter *e, unsigned row)
{
    jit_rrm(e->out, JIT_PSHUFB, row, row, NARROW_LITERAL(pair_order));
    jit_rrm(e->out, JIT_PXOR, row, row, NARROW_LITERAL(bias));
    jit_rrr(e->out, JIT_PMADDUBSW, row, TEMPORARY, row);
}

/* Half of the lanes, into UPPER + half: weights of the columns in INDEX, of the rows in WEIGHT_V. */
static void emit_filter(struct narrow_emitter *e, unsigned half)
{
    const unsigned upper = UPPER + half, lower = LOWER + half, product = WEIGHT_U;
    const struct jit_memory halves = half ? NARROW_LITERAL(high_halves) : NARROW_LITERAL(low_halves);

    jit_rrm(e->out, JIT_PSHUFB, TEMPORARY, INDEX, halves);
    emit_mix(e, upper);
    emit_mix(e, lower);
    jit_rrm(e->out, JIT_PSHUFB, TEMPORARY, WEIGHT_V, halves);
    jit_rrr(e->out, JIT_PMULHRSW, product, upper, TEMPORARY);
    jit_rrr(e->out, JIT_PSUBW, upper, upper, product);
    jit_rrr(e->out, JIT_PMULHRSW, product, lower, TEMPORARY);
    jit_rrr(e->out, JIT_PADDW, upper, upper, product);
    jit_rrm(e->out, JIT_PMULHRSW, upper, upper, NARROW_LITERAL(filter_scale));
    jit_rrm(e->out, JIT_PADDSW, upper, upper, NARROW_LITERAL(filter_middle));
}

void narrow_emit_texture(struct narrow_emitter *e, unsigned n)
{
    emit_coordinate(e, WEIGHT_U, TEXTURE(start_u), TEXTURE(offset_u), TEXTURE(repeat_u), TEXTURE(bias_u),
                    TEXTURE(shift_u));
    emit_coordinate(e, WEIGHT_V, TEXTURE(start_v), TEXTURE(offset_v), TEXTURE(repeat_v), TEXTURE(bias_v),
                    TEXTURE(shift_v));
    jit_rrri(e->out, JIT_PSRLD, INDEX, 0, WEIGHT_V, 8);
    jit_rrm(e->out, JIT_PMADDWD, INDEX, INDEX, TEXTURE(pitch));
    jit_rrri(e->out, JIT_PSRLD, TEMPORARY, 0, WEIGHT_U, 8);
    jit_rrr(e->out, JIT_PADDD, INDEX, INDEX, TEMPORARY);
    emit_texels(e, n);
    jit_rrm(e->out, JIT_PAND, WEIGHT_U, WEIGHT_U, NARROW_LITERAL(low_byte));
    jit_rrm(e->out, JIT_PAND, WEIGHT_V, WEIGHT_V, NARROW_LITERAL(low_byte));
    jit_rrri(e->out, JIT_PSLLD, WEIGHT_V, 0, WEIGHT_V, 7);
    /* pair_bytes */
    jit_rrri(e->out, JIT_PSRLD, INDEX, 0, WEIGHT_U, 7);
    jit_rrr(e->out, JIT_PSUBD, WEIGHT_U, WEIGHT_U, INDEX);
    jit_rrri(e->out, JIT_PSLLD, INDEX, 0, WEIGHT_U, 8);
    jit_rrr(e->out, JIT_PSUBD, INDEX, INDEX, WEIGHT_U);
    jit_rrm(e->out, JIT_PADDD, INDEX, INDEX, NARROW_LITERAL(low_byte));
    emit_filter(e, 0);
    emit_filter(e, 1);
}
