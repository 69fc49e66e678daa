/* SPDX-License-Identifier: MIT */
/* Cuts a plan into segments, and makes a function of each. */
#include "shader/jit/generate.h"

#include "base/base.h"
#include "base/digest.h"
#include "jit/memory.h"
#include "shader/code.h"
#include "shader/jit/emit.h"
#include "shader/jit/live.h"
#include "shader/jit/narrow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_STEPS 2u /* a single step gains nothing, unlike an instruction without steps */
#define NAME_BYTES  64

struct generator {
    enum cpu_level level;
    bool checks;
    struct jit_memory_pool *pool;
    struct segment segment; /* the current segment, and the memory for emitting it */
    struct jit_buffer buffer;
    void *room;
    char program_name[NAME_BYTES / 2]; /* "": names are not needed */
};

/* --- which steps become a function -------------------------------------------------------------------- */

/* An instruction without steps of its own was merged into the one before it, which happens only in programs without
 * flow control. */
static bool takes_entry(const struct shader_code *code, const struct plan_entry *entry)
{
    const struct plan *plan = &code->plan;
    bool takes = entry->count > 0 || (plan->straight && entry->covers > 0);

    for (unsigned n = 0; n < entry->count; n++)
        takes &= segment_takes(code, &plan->steps[entry->first + n]);
    return takes;
}

/* The maximum number of values that a step can become. */
static unsigned most_values(const struct plan_step *step)
{
    switch (step->kernel) {
    case STEP_SCALAR: /* pow is the longest */
        return 96;
    case STEP_INSTRUCTION: /* four components of three indexed sources with modifiers */
        return 320;
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

/* Ends a run; `piece`: where to store it, NULL if runs are only counted. */
static void end_run(const struct shader_piece *run, struct shader_piece *piece, unsigned *count)
{
    if (run->steps < LEAST_STEPS && !run->has_instructions)
        return;
    if (piece)
        piece[*count] = *run;
    (*count)++;
}

/* The longest runs of whole instructions, separated by flow, textures and interpreted instructions. A jump target
 * always follows a flow instruction, so it begins a run. Returns the number of runs; `piece` NULL: only counts them. */
static unsigned find_runs(const struct shader_code *code, struct shader_piece *piece)
{
    const struct plan *plan = &code->plan;
    struct shader_piece run = {.run = NULL};
    unsigned values = 0, count = 0;

    for (unsigned at = 0; at < code->count;) {
        const struct plan_entry *entry = &plan->entries[at];
        const bool takes = takes_entry(code, entry);
        const unsigned more = takes ? most_values_of_entry(plan, entry) : 0;

        if (!takes || values + more > SEGMENT_MAX_VALUES / 2) { /* that many make 60 KiB of code at most */
            end_run(&run, piece, &count);
            run = (struct shader_piece){.run = NULL};
            values = 0;
        }
        if (takes && !run.steps)
            run.first = entry->first;
        if (takes) {
            run.steps += entry->count;
            run.instructions += entry->covers;
            run.has_instructions |= entry->count && plan->steps[entry->first].kernel == STEP_INSTRUCTION;
            values += more;
        }
        at += BASE_MAX(entry->covers, 1u);
    }
    end_run(&run, piece, &count);
    return count;
}

/* --- names ---------------------------------------------------------------------------------------- */

/* The program's name for profilers: kind and version, and a digest that distinguishes programs. */
static void name_program(struct generator *generator, const struct shader_program *program)
{
    const struct shader_code *code = program->code;
    const char kind = program->stage == SHADER_VERTEX ? 'v' : 'p';
    char version[16];

    generator->program_name[0] = 0;
    if (!jit_memory_names(generator->pool))
        return;
    if (code->is_fixed)
        snprintf(version, sizeof(version), "fixed");
    else if (program->minor == 255)
        snprintf(version, sizeof(version), "%u_sw", program->major);
    else if (program->major == 2 && program->minor == 1)
        snprintf(version, sizeof(version), "2_x");
    else
        snprintf(version, sizeof(version), "%u_%u", program->major, program->minor);
    snprintf(generator->program_name, sizeof(generator->program_name), "%cs_%s %08x", kind, version,
             (unsigned)digest_of(code->code, code->count * sizeof(*code->code), 0));
}

/* The buffer's code, which begins with a step. NULL: the pool is full. */
static const void *place_code(struct generator *generator, unsigned first)
{
    const struct jit_buffer *buffer = &generator->buffer;
    char name[NAME_BYTES];

    if (!generator->program_name[0])
        return jit_memory_place(generator->pool, buffer->bytes, buffer->length, NULL);
    snprintf(name, sizeof(name), "%s +%u", generator->program_name, first);
    return jit_memory_place(generator->pool, buffer->bytes, buffer->length, name);
}

/* --- functions ----------------------------------------------------------------------------------- */

static bool takes_differences(const struct segment *segment)
{
    for (unsigned n = 0; n < segment->value_count; n++)
        if (segment->value[n].used && segment->value[n].operation == SEGMENT_SHUFFLE)
            return true;
    return false;
}

/* The function of a run, with the places that it writes. `live`: places read after it. lacks_room: set if the pool has
 * no room for it. */
static void make_function(struct generator *generator, const struct shader_code *code, struct shader_piece *piece,
                          const bool live[SEGMENT_PLACES], struct plan_operand *place, bool *lacks_room)
{
    struct segment *segment = &generator->segment;
    struct jit_buffer *buffer = &generator->buffer;

    segment_begin(segment, code);
    for (unsigned n = 0; n < piece->steps; n++)
        segment_add(segment, &code->plan.steps[piece->first + n]);
    segment_end(segment, live);
    if (segment->full)
        return;
    segment_simplify(segment);
    buffer->length = 0;
    buffer->full = false;
    if (!segment_emit(buffer, segment, generator->room))
        return;
    piece->run = (generated_fn *)(uintptr_t)place_code(generator, piece->first);
    *lacks_room |= !piece->run;
    piece->place = place;
    piece->kills = segment->dirty[SEGMENT_PREDICATE];
    piece->takes_differences = takes_differences(segment);
    piece->place_count = (uint16_t)segment->store_count;
    for (unsigned n = 0; n < segment->store_count; n++)
        place[n] = segment->store[n].to;
}

/* From the last run to the first, because each needs the places that are read after it. After flow control any place
 * may be read. */
static void make_functions(struct generator *generator, const struct shader_code *code,
                           struct shader_generated *generated, bool *lacks_room)
{
    const struct plan *plan = &code->plan;
    struct plan_operand *place = generated->places;
    unsigned behind = plan->step_count;
    bool live[SEGMENT_PLACES];

    memset(live, !plan->straight, sizeof(live));
    memset(live + SEGMENT_OUTPUTS, 0, SEGMENT_SCRATCH - SEGMENT_OUTPUTS); /* of one instruction alone */
    for (unsigned n = generated->piece_count; n-- > 0;) {
        struct shader_piece *piece = &generated->piece[n];

        while (plan->straight && behind > piece->first + piece->steps)
            live_before(code, &plan->steps[--behind], live);
        make_function(generator, code, piece, live, place, lacks_room);
        if (!piece->run)
            continue;
        place += piece->place_count;
        generated->at_step[piece->first] = (uint16_t)(n + 1);
    }
}

/* --- blocks of narrow states --------------------------------------------------------------------------------- */

/* The sets of textures that a program's functions sample themselves: every subset of up to two textures, else none or
 * all. */
static bool is_made(unsigned textures, unsigned inlined)
{
    const unsigned all = (1u << textures) - 1;

    return textures <= 2 ? inlined <= all : !inlined || inlined == all;
}

static void release_blocks(struct generator *generator, struct narrow_block_code *code)
{
    while (code) {
        struct narrow_block_code *next = code->next;

        for (unsigned n = 0; n < ARRAY_COUNT(code->run); n++)
            if (code->run[n])
                jit_memory_release(generator->pool, (const void *)(uintptr_t)code->run[n]);
        free(code);
        code = next;
    }
}

bool generator_add_blocks(struct generator *generator, const struct shader_program *program,
                          struct shader_generated *generated, struct narrow_block_store store)
{
    const struct narrow_program *narrow = program->code->narrow;
    const unsigned textures = narrow_texture_count(narrow);
    struct narrow_block_code *code = mem_calloc(1, sizeof(*code));
    const size_t used = generator_used(generator);
    bool fits = true;

    if (!code)
        return true; /* the next use tries it again */
    name_program(generator, program);
    code->store = store;
    code->textures = textures;
    code->next = generated->blocks;
    for (unsigned n = 0; textures <= NARROW_BLOCK_TEXTURES && n < ARRAY_COUNT(code->run); n++) {
        if (!is_made(textures, n))
            continue;
        generator->buffer.length = 0;
        generator->buffer.full = false;
        if (!narrow_emit(&generator->buffer, narrow, store, n))
            continue;
        code->run[n] = (narrow_block_fn *)(uintptr_t)place_code(generator, n);
        fits &= code->run[n] != NULL;
    }
    generated->bytes += generator_used(generator) - used;
    __atomic_store_n(&generated->blocks, code, __ATOMIC_RELEASE);
    return fits;
}

void generator_release(struct generator *generator, struct shader_generated *generated)
{
    if (!generated)
        return;
    release_blocks(generator, generated->blocks);
    for (unsigned n = 0; generated->piece && n < generated->piece_count; n++)
        if (generated->piece[n].run)
            jit_memory_release(generator->pool, (const void *)(uintptr_t)generated->piece[n].run);
    free(generated->piece);
    free(generated->at_step);
    free(generated->places);
    free(generated);
}

/* Room for the pieces of a program, which are the runs of its steps. */
static struct shader_generated *new_generated(struct generator *generator, const struct shader_code *code,
                                              unsigned runs)
{
    struct shader_generated *generated = mem_calloc(1, sizeof(*generated));
    size_t steps = 0;

    if (!generated)
        return NULL;
    generated->level = generator->level;
    generated->checks = generator->checks;
    generated->piece_count = runs;
    generated->piece = mem_calloc(runs, sizeof(*generated->piece));
    if (!generated->piece)
        goto fail;
    find_runs(code, generated->piece);
    for (unsigned n = 0; n < runs; n++)
        steps += generated->piece[n].steps;
    generated->at_step = mem_calloc(code->plan.step_count, sizeof(*generated->at_step));
    generated->places = mem_calloc(4 * steps, sizeof(*generated->places)); /* a step has at most four parts */
    if (generated->at_step && generated->places)
        return generated;
fail:
    generator_release(generator, generated);
    return NULL;
}

struct shader_generated *generator_make(struct generator *generator, const struct shader_program *program,
                                        bool *lacks_room)
{
    const struct shader_code *code = program->code;
    const unsigned runs = find_runs(code, NULL);
    const bool has_any = (runs || code->narrow) && runs <= UINT16_MAX;
    struct shader_generated *generated = has_any ? new_generated(generator, code, runs) : NULL;

    const size_t used = generator_used(generator);

    *lacks_room = false;
    if (!generated)
        return NULL;
    name_program(generator, program);
    make_functions(generator, code, generated, lacks_room);
    generated->bytes = generator_used(generator) - used;
    if (generated->bytes || *lacks_room || code->narrow)
        return generated;
    generator_release(generator, generated);
    return NULL;
}

/* --- the generator ------------------------------------------------------------------------------------ */

/* The registers that code for a level uses. Returns false if the level has no generated code. */
static bool set_of_level(enum cpu_level level, enum jit_set *set)
{
#if defined(__x86_64__) || defined(__i386__)
    *set = level == CPU_AVX512 ? JIT_AVX512 : JIT_AVX2;
    return level == CPU_AVX2 || level == CPU_AVX512;
#else
    (void)level;
    (void)set;
    return false;
#endif
}

struct generator *generator_create(enum cpu_level level, size_t bytes, bool checks)
{
    struct generator *generator;
    enum jit_set set;

    if (!set_of_level(level, &set))
        return NULL;
    generator = mem_calloc(1, sizeof(*generator));
    if (!generator)
        return NULL;
    generator->level = level;
    generator->checks = checks;
    generator->pool = jit_memory_create(bytes);
    generator->room = mem_calloc(1, segment_emit_room());
    generator->buffer = (struct jit_buffer){.bytes = mem_calloc(1, JIT_MEMORY_LARGEST),
                                            .capacity = JIT_MEMORY_LARGEST,
                                            .set = set,
                                            .is_32_bit = sizeof(void *) == 4};
    if (generator->pool && generator->room && generator->buffer.bytes)
        return generator;
    generator_destroy(generator);
    return NULL;
}

void generator_destroy(struct generator *generator)
{
    if (!generator)
        return;
    jit_memory_destroy(generator->pool);
    free(generator->buffer.bytes);
    free(generator->room);
    free(generator);
}

size_t generator_used(const struct generator *generator)
{
    return jit_memory_used(generator->pool);
}
