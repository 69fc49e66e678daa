/* SPDX-License-Identifier: MIT */
/* Shared by the other parts of the compiler: appends instructions and updates the program's tables; errors; growing
 * arrays. */
#include "shader/compile/compiler.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool compiler_fail(struct compiler *c, const char *format, ...)
{
    char text[160];
    va_list args;

    if (c->failed)
        return false;
    c->failed = true;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    return shader_fail(c->error, c->instruction.offset, "%s", text);
}

bool compiler_reserve(struct compiler *c, void **array, unsigned count, unsigned *capacity, size_t size)
{
    unsigned bigger = *capacity ? *capacity * 2 : 32;
    void *moved;

    if (count < *capacity)
        return true;
    moved = mem_realloc(*array, bigger, size);
    if (!moved) {
        c->failed = true;
        return shader_fail_memory(c->error, c->instruction.offset);
    }
    *array = moved;
    *capacity = bigger;
    return true;
}

/* --- instructions ------------------------------------------------------------------------------- */

/* Depth textures, and textures bound against the declaration, read a third coordinate where 2D textures have two. */
static void note_third(struct compiler *c, const struct ir_instruction *i)
{
    const struct ir_source *s = &i->source[0];

    if (s->file != IR_INPUT)
        return;
    c->input_third[s->index] |= (uint8_t)(1u << (s->swizzle >> 4 & 3));
    c->third_samplers[s->index] |= (uint16_t)(1u << i->sampler);
}

/* In ps_1_0..1_3 a state makes stages projected; they then also read the fourth coordinate. */
static void note_divisor(struct compiler *c, const struct ir_instruction *i)
{
    const struct ir_source *s = &i->source[0];

    if (s->file != IR_INPUT)
        return;
    c->input_divisor[s->index] |= (uint8_t)(1u << (s->swizzle >> 6 & 3));
    c->divided_samplers[s->index] |= (uint16_t)(1u << i->sampler);
}

/* The coordinates that every texture of the sampler reads; records further coordinates that some textures read. */
static unsigned coordinates_read(struct compiler *c, const struct ir_instruction *i)
{
    if (i->project || i->lod == RASTER_LOD_BIASED || i->lod == RASTER_LOD_GIVEN)
        return 15;
    if (i->stage_project)
        note_divisor(c, i);
    else if (c->program->sampler_kind[i->sampler] > 2)
        return 7;
    note_third(c, i);
    return 3;
}

static void compile_note_source(struct compiler *c, const struct ir_instruction *i, unsigned k)
{
    const struct ir_source *s = &i->source[k];
    unsigned needed = ir_components_read(i->op, k, i->destination.mask), read = 0;

    if (i->op == IR_TEX && k == 0) {
        needed = coordinates_read(c, i);
        if (s->file == IR_TEMP) /* a bound texture may read more than the program writes: then 0 */
            needed |= i->stage_project ? 15 : 7;
    }
    for (unsigned n = 0; n < 4; n++)
        if (needed & (1u << n))
            read |= 1u << (s->swizzle >> 2 * n & 3);
    if (s->file == IR_TEMP && (read & ~(unsigned)c->written[s->index]))
        c->code->zero_temps |= 1ull << s->index;
    if (s->file == IR_INPUT)
        c->input_read[s->index] |= (uint8_t)read;
}

static void note_destination(struct compiler *c, const struct ir_instruction *i)
{
    const struct ir_destination *d = &i->destination;
    bool certain = !c->depth && !c->conditional && !i->predicate && !d->relative;

    if (i->op == IR_KILL) /* has a mask only */
        return;
    if (d->file == IR_TEMP && (certain || d->index >= CODE_TEMP_ROWS))
        c->written[d->index] |= d->mask;
    if (d->file == IR_OUTPUT && certain)
        c->output_written[d->index] |= d->mask;
}

void compiler_emit(struct compiler *c, const struct ir_instruction *instruction)
{
    struct shader_code *code = c->code;
    struct ir_instruction *i;
    unsigned count = ir_source_count(instruction->op);

    if (instruction->op == IR_TEX && instruction->lod == RASTER_LOD_GRADIENTS)
        count = 3;
    if (instruction->op <= IR_PROJECT && !instruction->destination.mask)
        return;
    if (code->count >= CODE_MAX_INSTRUCTIONS) {
        compiler_fail(c, "more than %u instructions", CODE_MAX_INSTRUCTIONS);
        return;
    }
    if (!compiler_reserve(c, (void **)&code->code, code->count, &code->capacity, sizeof(*i)))
        return;
    i = &code->code[code->count++];
    *i = *instruction;
    i->origin = c->instruction.size ? (uint32_t)c->instruction.offset : 0;
    if (c->instruction.predicated && !(i->destination.file == IR_TEMP && i->destination.index >= CODE_TEMP_ROWS)) {
        i->predicate = c->instruction.predicate.modifier == SMOD_NOT ? IR_IF_CLEAR : IR_IF_SET;
        i->predicate_swizzle = c->instruction.predicate.swizzle;
        code->uses_predicate = true;
    }
    for (unsigned k = 0; k < count; k++)
        compile_note_source(c, i, k);
    note_destination(c, i);
}
