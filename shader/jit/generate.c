/* SPDX-License-Identifier: MIT */
/* Cuts a plan into segments, and makes a function of each. */
#include "shader/jit/generate.h"

#include "base/assert.h"
#include "base/base.h"
#include "jit/memory.h"
#include "shader/jit/emit.h"

#include <stdlib.h>
#include <string.h>

#define CODE_BYTES       (64u << 10) /* of one function */
#define LEAST_STEPS      2u          /* a single one is as fast as it is */
#define USES_BEFORE_CODE 2u

struct shader_jit {
    enum cpu_level level;
    bool checks;
    struct jit_memory_pool *pool;
    struct segment segment; /* the one that is being made, and what that takes */
    struct jit_buffer buffer;
    void *room;
};

struct generator {
    struct shader_code *code;
    struct shader_generated *generated;
    struct shader_jit *jit;
    unsigned place_count;
};

/* --- what is read behind a segment ------------------------------------------------------------ */

static unsigned sources_of_step(const struct plan_step *step)
{
    switch (step->kernel) {
    case STEP_DP3_VV:
    case STEP_DP3_VU:
    case STEP_TEXTURE:
        return 3;
    case STEP_DP4_VV:
    case STEP_DP4_VU:
    case STEP_ROWS3:
    case STEP_ROWS4:
        return 4;
    case STEP_SCALAR:
    case STEP_RSQ:
        return 1;
    default:
        return step->parts;
    }
}

static void note_reads_of_step(const struct plan_step *step, const bool written[SEGMENT_PLACES],
                               bool live[SEGMENT_PLACES])
{
    for (unsigned k = 0; k < 3; k++) {
        for (unsigned n = 0; n < sources_of_step(step); n++) {
            const struct plan_operand o = step->source[k][n];

            if (plan_is_uniform(o))
                continue;
            const unsigned place = segment_place(o);

            live[place] |= !written[place];
        }
    }
}

/* An instruction as it is: all components of each temporary that it names. */
static void note_reads_of_instruction(const struct ir_instruction *i, const bool written[SEGMENT_PLACES],
                                      bool live[SEGMENT_PLACES])
{
    for (unsigned k = 0; k < ARRAY_COUNT(i->source); k++) {
        const bool any = i->source[k].relative != IR_ABSOLUTE;

        if (i->source[k].file != IR_TEMP)
            continue;
        for (unsigned place = any ? 0 : 4u * i->source[k].index;
             place < (any ? SEGMENT_TEMPS : 4u * i->source[k].index + 4); place++)
            live[place] |= !written[place];
    }
}

/* Which places are read by steps from `first` on before they are written. */
static void find_live(const struct generator *g, unsigned first, bool live[SEGMENT_PLACES])
{
    const struct plan *plan = &g->code->plan;
    bool written[SEGMENT_PLACES] = {false};

    memset(live, !plan->straight, SEGMENT_PLACES * sizeof(*live));
    for (unsigned n = first; plan->straight && n < plan->step_count; n++) {
        const struct plan_step *step = &plan->steps[n];

        if (step->kernel == STEP_INSTRUCTION) {
            note_reads_of_instruction(&g->code->code[step->instruction], written, live);
            continue;
        }
        note_reads_of_step(step, written, live);
        if (step->kernel == STEP_TEXTURE)
            note_reads_of_instruction(&g->code->code[step->instruction], written, live);
        for (unsigned p = 0; p < step->parts; p++)
            written[segment_place(step->out[p])] = true;
    }
}

/* --- functions ----------------------------------------------------------------------------------- */

static generated_fn *make_function(struct generator *g, unsigned first, unsigned count)
{
    struct segment *segment = &g->jit->segment;
    struct jit_buffer *buffer = &g->jit->buffer;
    bool live[SEGMENT_PLACES];

    segment_begin(segment);
    for (unsigned n = first; n < first + count; n++)
        segment_add(segment, &g->code->plan.steps[n]);
    find_live(g, first + count, live);
    segment_end(segment, live);
    if (segment->full)
        return NULL;
    segment_simplify(segment);
    buffer->length = 0;
    buffer->full = false;
    if (!segment_emit(buffer, segment, g->jit->room))
        return NULL;
    return (generated_fn *)(uintptr_t)jit_memory_place(g->jit->pool, buffer->bytes, buffer->length, "shader");
}

/* The places that the segment's stores write. */
static void note_places(struct generator *g, struct shader_piece *piece)
{
    piece->place = g->generated->places + g->place_count;
    piece->place_count = (uint16_t)g->jit->segment.store_count;
    for (unsigned n = 0; n < g->jit->segment.store_count; n++)
        g->generated->places[g->place_count++] = g->jit->segment.store[n].to;
}

static void add_piece(struct generator *g, unsigned first, unsigned steps, unsigned instructions)
{
    struct shader_generated *generated = g->generated;
    generated_fn *run = steps < LEAST_STEPS ? NULL : make_function(g, first, steps);

    if (!run)
        return;
    struct shader_piece *piece = &generated->piece[generated->piece_count];

    *piece = (struct shader_piece){
        .run = run, .first = (uint16_t)first, .steps = (uint16_t)steps, .instructions = (uint16_t)instructions};
    note_places(g, piece);
    generated->at_step[first] = (uint16_t)++generated->piece_count;
}

/* An instruction without steps of its own was made part of the one before it, which happens without flow alone. */
static bool takes_entry(const struct plan *plan, const struct plan_entry *entry)
{
    bool takes = entry->count > 0 || (plan->straight && entry->covers > 0);

    for (unsigned n = 0; n < entry->count; n++)
        takes &= segment_takes(&plan->steps[entry->first + n]);
    return takes;
}

/* How many values a step becomes at most. */
static unsigned most_values(const struct plan_step *step)
{
    switch (step->kernel) {
    case STEP_SCALAR: /* pow is the longest */
        return 96;
    case STEP_ROWS3:
    case STEP_ROWS4:
        return 24u * step->parts;
    default:
        return 16u * BASE_MAX(step->parts, 1u);
    }
}

static unsigned most_values_of_entry(const struct plan *plan, const struct plan_entry *entry)
{
    unsigned values = 0;

    for (unsigned n = 0; n < entry->count; n++)
        values += most_values(&plan->steps[entry->first + n]);
    return values;
}

/* The longest runs of whole instructions: between them are flow, textures, and what runs as it is. Where flow leads to is
 * always behind flow, and so the first of a run. */
static void add_pieces(struct generator *g)
{
    const struct plan *plan = &g->code->plan;
    unsigned first = 0, steps = 0, instructions = 0, values = 0;

    for (unsigned at = 0; at < g->code->count;) {
        const struct plan_entry *entry = &plan->entries[at];
        const bool takes = takes_entry(plan, entry);
        const unsigned more = takes ? most_values_of_entry(plan, entry) : 0;

        if (!takes || values + more > SEGMENT_MAX_VALUES / 2) { /* that many make 60 KiB of code at most */
            add_piece(g, first, steps, instructions);
            steps = instructions = values = 0;
        }
        if (takes && !steps)
            first = entry->first;
        if (takes) {
            steps += entry->count;
            instructions += entry->covers;
            values += more;
        }
        at += BASE_MAX(entry->covers, 1u);
    }
    add_piece(g, first, steps, instructions);
}

void shader_generated_free(struct shader_generated *generated)
{
    if (!generated)
        return;
    for (unsigned n = 0; n < generated->piece_count; n++)
        jit_memory_release(generated->pool, (const void *)(uintptr_t)generated->piece[n].run);
    free(generated->piece);
    free(generated->at_step);
    free(generated->places);
    free(generated);
}

static struct shader_generated *new_generated(const struct shader_jit *jit, unsigned steps)
{
    struct shader_generated *generated = mem_calloc(1, sizeof(*generated));

    if (!generated)
        return NULL;
    generated->pool = jit->pool;
    generated->level = jit->level;
    generated->checks = jit->checks;
    generated->piece = mem_calloc(BASE_MAX(steps, 1u), sizeof(*generated->piece));
    generated->at_step = mem_calloc(BASE_MAX(steps, 1u), sizeof(*generated->at_step));
    generated->places =
        mem_calloc(BASE_MAX(4 * steps, 1u), sizeof(*generated->places)); /* a step has four parts at most */
    if (generated->piece && generated->at_step && generated->places)
        return generated;
    shader_generated_free(generated);
    return NULL;
}

void shader_generate(const struct shader_program *program, struct shader_jit *jit)
{
    struct generator g = {.code = program->code, .jit = jit};

    if (!jit || g.code->generated)
        return;
    g.generated = new_generated(jit, g.code->plan.step_count);
    if (!g.generated)
        return;
    add_pieces(&g);
    __atomic_store_n(&g.code->generated, g.generated, __ATOMIC_RELEASE);
}

void shader_note_use(const struct shader_program *program, struct shader_jit *jit)
{
    struct shader_code *code = program->code;

    if (jit && code->uses < USES_BEFORE_CODE && ++code->uses == USES_BEFORE_CODE)
        shader_generate(program, jit);
}

/* --- the generator ------------------------------------------------------------------------------------ */

/* The registers that code of a level uses. False: none is made for it. */
static bool set_of_level(enum cpu_level level, enum jit_set *set)
{
#ifdef __x86_64__
    *set = level == CPU_AVX512 ? JIT_AVX512 : JIT_AVX2;
    return level == CPU_AVX2 || level == CPU_AVX512;
#else
    (void)level;
    (void)set;
    return false;
#endif
}

struct shader_jit *shader_jit_create(enum cpu_level level, size_t bytes, bool checks)
{
    struct shader_jit *jit;
    enum jit_set set;

    if (!set_of_level(level, &set))
        return NULL;
    jit = mem_calloc(1, sizeof(*jit));
    if (!jit)
        return NULL;
    jit->level = level;
    jit->checks = checks;
    jit->pool = jit_memory_create(bytes);
    jit->room = mem_calloc(1, segment_emit_room());
    jit->buffer = (struct jit_buffer){.bytes = mem_calloc(1, CODE_BYTES), .capacity = CODE_BYTES, .set = set};
    if (jit->pool && jit->room && jit->buffer.bytes)
        return jit;
    shader_jit_destroy(jit);
    return NULL;
}

void shader_jit_destroy(struct shader_jit *jit)
{
    if (!jit)
        return;
    jit_memory_destroy(jit->pool);
    free(jit->buffer.bytes);
    free(jit->room);
    free(jit);
}
