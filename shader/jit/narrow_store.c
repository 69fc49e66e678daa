/* SPDX-License-Identifier: MIT */
/* Blends and stores a block: the same arithmetic as raster/kernels/narrow_output.c. */
#include "shader/jit/narrow.h"

/* Scratch registers: the words to store; a term of the blend; the target, as pixels and as words; a blend factor; the source. */
enum { WORDS, TERM, MASK = TERM, OLD_PIXELS, OLD = OLD_PIXELS + 2, FACTOR, SOURCE };

/* vpermq: exchanges qwords 1 and 2 of each four, which turns rows of pixels into quads and back. */
#define SWAP_MIDDLE_QWORDS 0xd8
#define ALL_ALPHA          0xff

/* Row `row` of the register's pixels, 16 bytes each. */
static struct jit_memory row_memory(const struct narrow_emitter *e, unsigned row)
{
    struct jit_memory at = memory_at(row & 2 ? NARROW_WORK : e->roles.pointer, 0);

    if (row & 1)
        at.index = e->roles.other;
    return at;
}

/* Two rows further down. */
static struct jit_memory below(const struct narrow_emitter *e)
{
    return (struct jit_memory){.base = e->roles.pointer, .index = e->roles.other, .scale = 2};
}

static void emit_rows(struct narrow_emitter *e)
{
    const enum jit_register pointer = (enum jit_register)e->roles.pointer;
    struct jit_memory target = NARROW_AT(target);

    target.index = NARROW_GROUPS;
    jit_load_pointer(e->out, pointer, target);
    jit_load_pointer(e->out, (enum jit_register)e->roles.other, NARROW_AT(pitch));
    for (unsigned n = 0; n < e->vector; n++)
        jit_address(e->out, pointer, below(e));
}

/* Called before rows are loaded or stored: NARROW_WORK is used for masks in between. */
static void emit_lower_rows(struct narrow_emitter *e)
{
    if (e->out->set == JIT_AVX512)
        jit_address(e->out, NARROW_WORK, below(e));
}

static void emit_load(struct narrow_emitter *e)
{
    emit_lower_rows(e);
    jit_rrr(e->out, JIT_PXOR, OLD, OLD, OLD);
    for (unsigned row = 0; row < narrow_bytes(e) / 16; row++)
        jit_rrmi(e->out, JIT_INSERT_LANE, OLD, OLD, row_memory(e, row), (uint8_t)row);
    jit_rrri(e->out, JIT_PERMQ, OLD, 0, OLD, SWAP_MIDDLE_QWORDS);
}

/* --- blending ----------------------------------------------------------------------------------------- */

static void emit_alpha(struct narrow_emitter *e, unsigned to, unsigned from)
{
    jit_rrri(e->out, JIT_PSHUFLW, to, 0, from, ALL_ALPHA);
    jit_rrri(e->out, JIT_PSHUFHW, to, 0, to, ALL_ALPHA);
}

static bool is_inverse(unsigned factor)
{
    return factor == RASTER_BLEND_INV_SRC_COLOR || factor == RASTER_BLEND_INV_SRC_ALPHA ||
           factor == RASTER_BLEND_INV_DST_ALPHA || factor == RASTER_BLEND_INV_DST_COLOR;
}

/* The register of a factor that is not 0 or 1, of the source and the target's pixels. */
static unsigned emit_factor(struct narrow_emitter *e, unsigned factor, unsigned source, unsigned old)
{
    const bool of_alpha = factor == RASTER_BLEND_SRC_ALPHA || factor == RASTER_BLEND_INV_SRC_ALPHA ||
                          factor == RASTER_BLEND_DST_ALPHA || factor == RASTER_BLEND_INV_DST_ALPHA;
    const bool of_old = factor == RASTER_BLEND_DST_ALPHA || factor == RASTER_BLEND_INV_DST_ALPHA ||
                        factor == RASTER_BLEND_DST_COLOR || factor == RASTER_BLEND_INV_DST_COLOR;
    unsigned from = of_old ? old : source;

    if (of_alpha) {
        emit_alpha(e, FACTOR, from);
        from = FACTOR;
    }
    if (is_inverse(factor)) {
        jit_rrm(e->out, JIT_LOAD, WORDS, 0, NARROW_LITERAL(one));
        jit_rrr(e->out, JIT_PSUBW, FACTOR, WORDS, from);
        from = FACTOR;
    }
    return from;
}

/* v times a blend factor. Returns the register: `to`, or v itself. */
static unsigned emit_term(struct narrow_emitter *e, unsigned factor, unsigned to, unsigned v, unsigned source,
                          unsigned old)
{
    if (factor == RASTER_BLEND_ONE)
        return v;
    if (factor == RASTER_BLEND_ZERO)
        jit_rrr(e->out, JIT_PXOR, to, to, to);
    else
        jit_rrr(e->out, JIT_PMULHRSW, to, v, emit_factor(e, factor, source, old));
    return to;
}

static void emit_blend(struct narrow_emitter *e)
{
    jit_rrm(e->out, JIT_POR, FACTOR, OLD, NARROW_AT(ones));
    jit_rrr(e->out, JIT_PUNPCKLBW, OLD_PIXELS, FACTOR, FACTOR);
    jit_rrr(e->out, JIT_PUNPCKHBW, OLD_PIXELS + 1, FACTOR, FACTOR);
    for (unsigned half = 0; half < 2; half++) {
        const unsigned old = OLD_PIXELS + half, source = narrow_operand(e, NARROW_OUTPUT, half, SOURCE);

        jit_rrri(e->out, JIT_PSRLW, old, 0, old, 1);
        const unsigned first = emit_term(e, e->store.source, TERM, source, source, old);
        const unsigned second = emit_term(e, e->store.destination, old, old, source, old);

        jit_rrr(e->out, JIT_PADDSW, old, first, second);
    }
}

/* --- storing -------------------------------------------------------------------------------------------- */

/* Two registers of pixels to one of words. */
static void emit_words(struct narrow_emitter *e, unsigned low, unsigned high)
{
    jit_rrm(e->out, JIT_PMULHRSW, WORDS, low, NARROW_LITERAL(byte));
    jit_rrm(e->out, JIT_PMULHRSW, TERM, high, NARROW_LITERAL(byte));
    jit_rrr(e->out, JIT_PACKUSWB, WORDS, WORDS, TERM);
    jit_rrm(e->out, JIT_PAND, WORDS, WORDS, NARROW_AT(kept));
}

/* Lanes that are not to be stored keep what the target has. */
static void emit_select(struct narrow_emitter *e)
{
    const struct jit_memory bits =
        memory_at(NARROW_LITERALS, offsetof(struct narrow_literals, lane_bit) + e->vector * 64);
    struct jit_memory mask = NARROW_AT(mask);
    size_t whole;

    mask.index = NARROW_GROUPS;
    jit_load_dword(e->out, NARROW_WORK, mask);
    jit_compare_constant(e->out, NARROW_WORK, 0xffff);
    whole = jit_jump(e->out, JIT_EQUAL);
    if (e->out->set == JIT_AVX512)
        jit_mask_from_bits(e->out, 1, NARROW_WORK);
    if (!e->store.blends)
        emit_load(e);
    if (e->out->set == JIT_AVX512) {
        jit_blend(e->out, WORDS, OLD, WORDS, 1);
    } else {
        jit_broadcast_dword(e->out, MASK, NARROW_WORK);
        jit_rrm(e->out, JIT_PAND, MASK, MASK, bits);
        jit_rrm(e->out, JIT_PCMPEQD, MASK, MASK, bits);
        jit_blend(e->out, WORDS, OLD, WORDS, MASK);
    }
    jit_land(e->out, whole);
}

void narrow_emit_store(struct narrow_emitter *e)
{
    if (e->store.blends && e->out->is_32_bit)
        narrow_spill_values(e);
    emit_rows(e);
    if (e->store.blends) {
        emit_load(e);
        emit_blend(e);
        emit_words(e, OLD_PIXELS, OLD_PIXELS + 1);
    } else {
        const unsigned low = narrow_operand(e, NARROW_OUTPUT, 0, WORDS);

        emit_words(e, low, narrow_operand(e, NARROW_OUTPUT, 1, TERM));
    }
    emit_select(e);
    emit_lower_rows(e);
    jit_rrri(e->out, JIT_PERMQ, WORDS, 0, WORDS, SWAP_MIDDLE_QWORDS);
    for (unsigned row = 0; row < narrow_bytes(e) / 16; row++)
        jit_rrmi(e->out, JIT_EXTRACT_LANE, WORDS, 0, row_memory(e, row), (uint8_t)row);
}
