/* SPDX-License-Identifier: MIT */
/*
 * Decides which programs have machine code: when it is generated, and which program loses it when the pool is full. All
 * of this happens on the thread that owns the generator. Executors on other threads only read shader_code.generated,
 * once for each batch: eviction unlinks the code there, waits until no thread uses it any more, and only then reuses
 * its memory.
 */
#include "shader/jit/keep.h"

#include "base/base.h"
#include "shader/code.h"
#include "shader/jit/generate.h"

#include <stdlib.h>

#define USES_BEFORE_CODE 2u
#define USES_NEVER       (USES_BEFORE_CODE + 1) /* of a program for which nothing can be generated */
#define EVICTED_PART \
    4u /* of the pool's bytes: the least recently used quarter is evicted at
                                                 * once */
/* More programs than fit may be used in turn, each losing its code before it is used again. At least this many uses of
 * programs separate two evictions: generating code costs about as much as that many changes of state. */
#define USES_PER_EVICTION 64u
/* Programs that draws use in turn keep their places in the list for this many uses. */
#define USES_PER_MOVE 16u

/* A program that has code. Separate from the data that executors read, because each use writes it. */
struct kept {
    struct kept *newer, *older;
    struct shader_jit *jit;
    struct shader_code *code;
    uint64_t moved; /* counts.uses when it became the newest */
};

struct shader_jit {
    struct generator *generator;
    size_t bytes;
    struct kept *newest, *oldest;
    bool is_full;         /* a function did not fit, and no code has been released since */
    uint64_t evicts_from; /* code is evicted again from this value of counts.uses on */
    struct shader_jit_counts counts;
    shader_wait_fn *wait; /* NULL: nothing is evicted */
    void *wait_argument;
};

/* --- the list of programs that have code ------------------------------------------------------------- */

static void unlink_kept(struct kept *kept)
{
    struct shader_jit *jit = kept->jit;

    *(kept->newer ? &kept->newer->older : &jit->newest) = kept->older;
    *(kept->older ? &kept->older->newer : &jit->oldest) = kept->newer;
}

static void link_newest(struct kept *kept)
{
    struct shader_jit *jit = kept->jit;

    kept->newer = NULL;
    kept->older = jit->newest;
    *(jit->newest ? &jit->newest->newer : &jit->oldest) = kept;
    jit->newest = kept;
    kept->moved = jit->counts.uses;
}

/* Frees code that the program has lost already and that no thread runs. */
static void release(struct kept *kept, struct shader_generated *generated)
{
    struct shader_jit *jit = kept->jit;

    generator_release(jit->generator, generated);
    jit->is_full = false;
    jit->counts.programs--;
    free(kept);
}

void shader_generated_drop(struct shader_code *code)
{
    struct shader_generated *generated = code->generated;

    if (!generated)
        return;
    unlink_kept(generated->kept);
    release(generated->kept, generated);
}

/* --- eviction ------------------------------------------------------------------------------------------ */

static bool may_evict(const struct shader_jit *jit)
{
    return jit->wait && jit->oldest && jit->counts.uses >= jit->evicts_from;
}

/* Evicts the code of the least recently used programs, a part of the pool. */
static void evict(struct shader_jit *jit)
{
    struct shader_generated *evicted = NULL;
    size_t left = jit->bytes / EVICTED_PART;
    unsigned count = 0;

    while (left && jit->oldest) {
        struct kept *kept = jit->oldest;
        struct shader_generated *generated = kept->code->generated;

        unlink_kept(kept);
        kept->code->uses = 0;
        __atomic_store_n(&kept->code->generated, NULL, __ATOMIC_RELEASE);
        generated->next = evicted;
        evicted = generated;
        left -= BASE_MIN(left, generated->bytes);
        count++;
    }
    jit->counts.evicted += count;
    jit->wait(jit->wait_argument);
    while (evicted) {
        struct shader_generated *generated = evicted;

        evicted = generated->next;
        release(generated->kept, generated);
    }
    jit->evicts_from = jit->counts.uses + (uint64_t)count * USES_PER_EVICTION;
}

/* --- making code -------------------------------------------------------------------------------------------- */

static struct shader_generated *make_timed(struct shader_jit *jit, const struct shader_program *program,
                                           bool *lacks_room)
{
    const double before = clock_seconds();
    struct shader_generated *generated = generator_make(jit->generator, program, lacks_room);

    jit->counts.seconds += clock_seconds() - before;
    return generated;
}

/* NULL: there is no code; `uses` of the program tells whether to try again when there is room. */
static struct shader_generated *make(struct shader_jit *jit, const struct shader_program *program)
{
    struct shader_code *code = program->code;
    bool lacks_room;
    struct shader_generated *generated = make_timed(jit, program, &lacks_room);

    code->uses = lacks_room ? USES_BEFORE_CODE : USES_NEVER;
    if (!lacks_room)
        return generated;
    generator_release(jit->generator, generated);
    jit->is_full = true;
    if (!may_evict(jit))
        return NULL;
    evict(jit);
    return make_timed(jit, program, &lacks_room); /* evicts more, if that was not enough */
}

void shader_generate(const struct shader_program *program, struct shader_jit *jit)
{
    struct shader_code *code = program->code;
    struct shader_generated *generated;
    struct kept *kept;

    if (!jit || code->generated)
        return;
    kept = mem_calloc(1, sizeof(*kept));
    generated = kept ? make(jit, program) : NULL;
    if (!generated) {
        free(kept);
        return;
    }
    generated->kept = kept;
    kept->jit = jit;
    kept->code = code;
    link_newest(kept);
    jit->counts.programs++;
    jit->counts.made++;
    __atomic_store_n(&code->generated, generated, __ATOMIC_RELEASE);
}

void shader_note_use(const struct shader_program *program, struct shader_jit *jit)
{
    struct shader_code *code = program->code;

    if (!jit)
        return;
    jit->counts.uses++;
    if (code->generated) {
        struct kept *kept = code->generated->kept;

        jit->counts.generated_uses++;
        if (kept->newer && jit->counts.uses - kept->moved >= USES_PER_MOVE) {
            unlink_kept(kept);
            link_newest(kept);
        }
        return;
    }
    if (code->uses < USES_BEFORE_CODE)
        code->uses++;
    if (code->uses == USES_BEFORE_CODE && (!jit->is_full || may_evict(jit)))
        shader_generate(program, jit);
}

/* The maximum number of ways of storing per program: block functions do not pay off for a program drawn with many
 * blends. */
#define MOST_STORES 8u

void shader_note_narrow_use(const struct shader_program *program, const struct raster_blend *blend,
                            struct shader_jit *jit)
{
    struct shader_generated *generated = program->code->generated;
    const struct narrow_block_store store = narrow_block_store(blend);
    unsigned count = 0;

    if (!jit || !generated || !program->code->narrow || !narrow_block_takes(blend))
        return;
    for (const struct narrow_block_code *code = generated->blocks; code; code = code->next, count++)
        if (narrow_block_same_store(code->store, store))
            return;
    if (count == MOST_STORES || jit->is_full)
        return;
    const double before = clock_seconds();

    jit->is_full = !generator_add_blocks(jit->generator, program, generated, store);
    jit->counts.seconds += clock_seconds() - before;
}

void shader_jit_get_counts(const struct shader_jit *jit, struct shader_jit_counts *counts)
{
    *counts = jit ? jit->counts : (struct shader_jit_counts){.programs = 0};
    counts->bytes = jit ? generator_used(jit->generator) : 0;
}

struct shader_steps shader_count_steps(const struct shader_program *program)
{
    const struct shader_generated *generated = program->code->generated;
    struct shader_steps steps = {.all = program->code->plan.step_count};

    for (unsigned n = 0; generated && n < generated->piece_count; n++)
        steps.generated += generated->piece[n].run ? generated->piece[n].steps : 0;
    return steps;
}

/* --- the generator ------------------------------------------------------------------------------------ */

struct shader_jit *shader_jit_create(enum cpu_level level, size_t bytes, bool checks)
{
    struct shader_jit *jit = mem_calloc(1, sizeof(*jit));

    if (!jit)
        return NULL;
    jit->bytes = bytes;
    jit->generator = generator_create(level, bytes, checks);
    if (jit->generator)
        return jit;
    free(jit);
    return NULL;
}

void shader_jit_on_eviction(struct shader_jit *jit, shader_wait_fn *wait, void *argument)
{
    if (!jit)
        return;
    jit->wait = wait;
    jit->wait_argument = argument;
}

void shader_jit_destroy(struct shader_jit *jit)
{
    if (!jit)
        return;
    generator_destroy(jit->generator);
    free(jit);
}
