/* SPDX-License-Identifier: MIT */
/*
 * Copy propagation, dead code, narrower write masks. Values of inactive lanes matter to differences inside quads (ddx,
 * ddy, levels of detail): such reads are not changed in programs with flow.
 */
#include "shader/ir/optimize.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ROUNDS 8

static bool is_flow(const struct ir_instruction *i)
{
    return i->op > IR_KILL;
}

static unsigned sources_of(const struct ir_instruction *i)
{
    return i->op == IR_TEX && i->lod == RASTER_LOD_GRADIENTS ? 3 : ir_source_count((enum ir_op)i->op);
}

/* Components of the register that source k reads. */
static unsigned register_components(const struct ir_instruction *i, unsigned k)
{
    unsigned needed = ir_components_read((enum ir_op)i->op, k, i->destination.mask), read = 0;

    for (unsigned c = 0; c < 4; c++)
        read |= needed & (1u << c) ? 1u << (i->source[k].swizzle >> 2 * c & 3) : 0;
    return read;
}

static bool writes_temp(const struct ir_instruction *i)
{
    return !is_flow(i) && i->op != IR_KILL && i->destination.file == IR_TEMP;
}

static bool has_flow(const struct shader_code *code)
{
    /* the last two are the program's own ret and end */
    for (unsigned n = 0; n + 2 < code->count; n++)
        if (is_flow(&code->code[n]))
            return true;
    return false;
}

/* --- copies ---------------------------------------------------------------------------- */

/* Component c of a temporary is a copy of component `component` of `from`. */
struct copy {
    bool valid;
    uint8_t component;
    struct ir_source from;
};

struct copies {
    struct copy of[CODE_TEMP_COUNT][4];
};

static void invalidate(struct copies *copies, unsigned temp, unsigned mask)
{
    for (unsigned t = 0; t < CODE_TEMP_COUNT; t++)
        for (unsigned c = 0; c < 4; c++) {
            struct copy *copy = &copies->of[t][c];
            bool gone = t == temp && mask & (1u << c);

            if (gone || (copy->valid && copy->from.file == IR_TEMP && copy->from.index == temp &&
                         mask & (1u << copy->component)))
                copy->valid = false;
        }
}

static void remember(struct copies *copies, const struct ir_instruction *i)
{
    const struct ir_destination *d = &i->destination;
    const struct ir_source *s = &i->source[0];
    bool itself = s->file == IR_TEMP && s->index == d->index;

    if (i->op != IR_MOV || i->predicate != IR_ALWAYS || d->saturate || d->shift || s->relative || itself ||
        s->file > IR_IMMEDIATE || s->file == IR_ADDRESS || s->file == IR_PREDICATE)
        return;
    for (unsigned c = 0; c < 4; c++)
        if (d->mask & (1u << c))
            copies->of[d->index][c] = (struct copy){true, s->swizzle >> 2 * c & 3, *s};
}

static bool same_register(const struct ir_source *a, const struct ir_source *b)
{
    return a->file == b->file && a->index == b->index && a->modifiers == b->modifiers;
}

/* If source k of the instruction reads a copy, and all of it comes from one register, makes it read that register. */
static bool replace_source(const struct copies *copies, struct ir_instruction *i, unsigned k)
{
    struct ir_source *s = &i->source[k];
    unsigned needed = ir_components_read((enum ir_op)i->op, k, i->destination.mask), swizzle = 0;
    const struct copy *first = NULL;

    if (s->file != IR_TEMP || s->relative || !needed)
        return false;
    for (unsigned c = 0; c < 4; c++) {
        const struct copy *copy = &copies->of[s->index][s->swizzle >> 2 * c & 3];

        if (!(needed & (1u << c)))
            continue;
        if (!copy->valid || (copy->from.modifiers && s->modifiers) ||
            (first && !same_register(&first->from, &copy->from)))
            return false;
        first = first ? first : copy;
        swizzle |= (unsigned)copy->component << 2 * c;
    }
    for (unsigned c = 0; c < 4; c++) /* components that are not read repeat one that is */
        if (!(needed & (1u << c)))
            swizzle |= (unsigned)first->component << 2 * c;
    s->modifiers |= first->from.modifiers;
    s->file = first->from.file;
    s->index = first->from.index;
    s->swizzle = (uint8_t)swizzle;
    return true;
}

/* Reads of a copy become reads of its source. */
static void optimize_copies(struct shader_code *code, bool *changed)
{
    bool flow = has_flow(code);
    struct copies copies;

    memset(&copies, 0, sizeof(copies));
    for (unsigned n = 0; n < code->count; n++) {
        struct ir_instruction *i = &code->code[n];
        bool neighbours = i->op == IR_DDX || i->op == IR_DDY || i->op == IR_TEX;

        if (is_flow(i)) { /* conditions are read before the block ends, but gain nothing */
            memset(&copies, 0, sizeof(copies));
            continue;
        }
        for (unsigned k = 0; k < sources_of(i) && !(flow && neighbours); k++)
            *changed |= replace_source(&copies, i, k);
        if (writes_temp(i)) {
            invalidate(&copies, i->destination.index, i->destination.mask);
            remember(&copies, i);
        }
    }
}

/* --- dead code ---------------------------------------------------------------------------- */

static void note_reads(const struct ir_instruction *i, uint8_t live[CODE_TEMP_COUNT])
{
    for (unsigned k = 0; k < sources_of(i); k++)
        if (i->source[k].file == IR_TEMP)
            live[i->source[k].index] |= (uint8_t)register_components(i, k);
}

/* Reduces the components that the instruction writes to live ones; true: none is left. */
static bool optimize_narrow(struct ir_instruction *i, uint8_t live[CODE_TEMP_COUNT], bool *changed)
{
    struct ir_destination *d = &i->destination;

    if (!writes_temp(i))
        return false;
    unsigned wanted = d->mask & live[d->index];

    if (i->op != IR_TEX && wanted != d->mask) {
        d->mask = (uint8_t)wanted;
        *changed = true;
        if (!wanted)
            return true;
    }
    if (i->predicate == IR_ALWAYS)
        live[d->index] &= (uint8_t)~d->mask;
    return false;
}

/* Removes the marked instructions; flow continues where it did before. */
static void compact(struct shader_code *code, const bool *dead, uint32_t *moved)
{
    unsigned kept = 0;

    for (unsigned n = 0; n < code->count; n++) {
        moved[n] = kept;
        if (!dead[n])
            code->code[kept++] = code->code[n];
    }
    moved[code->count] = kept;
    code->count = kept;
    for (unsigned n = 0; n < kept; n++)
        code->code[n].target = moved[code->code[n].target];
}

/* Components without a reader are not written; instructions that write no component are removed. */
static bool optimize_dead(struct shader_code *code, bool *changed)
{
    uint8_t everywhere[CODE_TEMP_COUNT] = {0}, live[CODE_TEMP_COUNT] = {0};
    bool flow = has_flow(code), any = false, done = false;
    bool *dead = mem_calloc(code->count + 1, sizeof(*dead));
    uint32_t *moved = mem_calloc(code->count + 1, sizeof(*moved));

    if (!dead || !moved)
        goto done; /* the cost of a program must not depend on memory */
    for (unsigned n = 0; flow && n < code->count; n++)
        note_reads(&code->code[n], everywhere);
    for (unsigned n = code->count; n-- > 0;) {
        struct ir_instruction *i = &code->code[n];

        if (is_flow(i)) {
            memcpy(live, everywhere, sizeof(live));
            continue;
        }
        dead[n] = optimize_narrow(i, live, changed);
        any |= dead[n];
        if (!dead[n])
            note_reads(i, live);
    }
    if (any)
        compact(code, dead, moved);
    done = true;
done:
    free(dead);
    free(moved);
    return done;
}

bool optimize_code(struct shader_code *code)
{
    bool changed = true;

    if (!optimize_unroll(code))
        return false;
    for (unsigned round = 0; changed && round < MAX_ROUNDS; round++) {
        changed = false;
        if (!optimize_fold(code, &changed))
            return false;
        optimize_copies(code, &changed);
        if (!optimize_dead(code, &changed))
            return false;
    }
    return true;
}
