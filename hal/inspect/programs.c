/* SPDX-License-Identifier: MIT */
/*
 * Pixel programs of probes. Each runs the draw's own program, or replaces it, and looks at the batch before and
 * after. Depth is tested after such a program if all fragments are to reach it; the order does not change the result.
 */
#include "base/base.h"
#include "hal/driver.h"
#include "hal/inspect.h"
#include "hal/inspect/internal.h"
#include "raster/narrow.h"
#include "raster/sample/sample.h"
#include "shader/code.h"

#include <stdlib.h>
#include <string.h>

/* A program of the probe's own: the draw's, with other texture reads, or with one instruction alone that may kill. */
struct probe_program {
    struct shader_binding binding;
    struct raster_sampler no_sampler[RASTER_MAX_SAMPLERS];
    struct shader_program program;
    struct shader_code code; /* its instructions are owned */
};

static void run(const struct probe_pass *pass, struct raster_batch *batch)
{
    pass->shade(pass->program, batch);
}

/* --- watched programs ---------------------------------------------------------------------------- */

static void see(const struct probe_pass *pass, const struct raster_batch *batch, uint64_t covered, uint64_t alive)
{
    const struct hal_probe_batch seen = {.covered = covered, .alive = alive, .x = batch->x, .y = batch->y};

    pass->state.see(pass->state.user, pass->state.number, &seen);
}

static void shade_watched(const void *program, struct raster_batch *batch)
{
    const struct probe_pass *pass = program;
    const uint64_t covered = batch->covered;

    run(pass, batch);
    see(pass, batch, covered, batch->covered);
}

static void shade_coverage(const void *program, struct raster_batch *batch)
{
    see(program, batch, batch->covered, 0);
    batch->covered = 0;
}

/* Red, green and blue of one colour; alpha stays, for the alpha test. */
static void shade_solid(const void *program, struct raster_batch *batch)
{
    const struct probe_pass *pass = program;
    const bool white = pass->state.program == HAL_PROBE_WHITE, narrow = pass->probe->draw.narrow;
    const unsigned lanes = batch->group_count * RASTER_GROUP_LANES;
    int16_t *pixels = narrow_of(batch->color[0]);

    run(pass, batch);
    for (unsigned n = 0; n < 4 * lanes && narrow; n++)
        if (n % 4 != 3)
            pixels[n] = white ? NARROW_ONE : 0;
    for (unsigned c = 0; c < 3 && !narrow; c++)
        for (unsigned l = 0; l < lanes; l++)
            batch->color[0][c][l] = white ? 1.0f : 0.0f;
}

/* --- levels of textures -------------------------------------------------------------------------- */

/* The batch that a thread shades: texture reads are for its lanes. */
static _Thread_local struct {
    const struct probe_pass *pass;
    const struct raster_batch *batch;
    uint64_t unread; /* lanes without a read so far */
} shading;

/* A texture of the same levels, each of whose texels is the number of its level. All rows are one. */
static bool number_levels(const struct raster_texture *texture, struct raster_texture *numbered, float *row,
                          size_t row_floats)
{
    size_t used = 0;

    *numbered = (struct raster_texture){.kind = texture->kind, .level_count = texture->level_count, .is_wide = true};
    for (unsigned l = 0; l < texture->level_count; l++) {
        const struct raster_texture_level *level = &texture->level[l];
        const size_t floats = 4 * (size_t)level->width;

        if (used + floats > row_floats)
            return false;
        for (size_t i = 0; i < floats; i++)
            row[used + i] = (float)l;
        numbered->level[l] = *level;
        numbered->level[l].texels = (const uint32_t *)(const void *)(row + used);
        numbered->level[l].pitch = numbered->level[l].slice = 0;
        used += floats;
    }
    return true;
}

static void sample_levels RASTER_SAMPLE_LOD_PARAMETERS
{
    enum { ROW = 4 * 2 * 8192 + 64 };
    _Alignas(64) float level[4][RASTER_LANES];
    struct raster_texture numbered;
    struct raster_sampler copy = *sampler;
    const struct probe_pass *pass = shading.pass;
    const struct shader_binding *binding = pass->probe->draw.program;
    const bool reads = shading.unread && sampler->texture;
    float *row = reads ? mem_calloc(ROW, sizeof(*row)) : NULL;

    if (reads && !row)
        pass->probe->failed = true;
    if (row && number_levels(sampler->texture, &numbered, row, ROW)) {
        struct hal_probe_batch seen = {
            .covered = shading.unread, .alive = shading.unread, .x = shading.batch->x, .y = shading.batch->y};

        copy.texture = &numbered;
        copy.srgb = false;
        copy.fetch4 = RASTER_FETCH4_OFF;
        copy.feedback = NULL;
        memset(copy.address, RASTER_CLAMP, sizeof(copy.address));
        binding->sample(&copy, group_count, coordinate, mode, lod, level);
        seen.level = level[0];
        pass->state.see(pass->state.user, pass->state.number, &seen);
        shading.unread = 0;
    }
    free(row);
    binding->sample(sampler, group_count, coordinate, mode, lod, result);
}

static void shade_levels(const void *program, struct raster_batch *batch)
{
    const struct probe_pass *pass = program;

    shading.pass = pass;
    shading.batch = batch;
    shading.unread = batch->covered;
    run(pass, batch);
}

/* Reads in whole numbers bypass the binding's function, so narrow states are drawn in floats here. */
static void set_levels(struct probe_pass *pass, struct raster_draw_state *state)
{
    pass->own->binding.sample = sample_levels;
    if (state->narrow)
        pass->shade = shader_pixel_executor(pass->probe->context->driver->cpu);
    state->narrow = false;
    state->narrow_inputs = 0;
}

/* --- one pixel ----------------------------------------------------------------------------------- */

static int lane_of(const struct hal_probe_state *state, const struct raster_batch *batch)
{
    for (uint64_t lanes = batch->covered; lanes; lanes &= lanes - 1) {
        const int lane = __builtin_ctzll(lanes);

        if (batch->x[lane] == (float)state->x && batch->y[lane] == (float)state->y)
            return lane;
    }
    return -1;
}

/* The outputs of the program in the lane. */
static void note_output(const struct probe_pass *pass, const struct raster_batch *batch, unsigned lane,
                        struct hal_probe_result *result)
{
    const struct hal_probe *probe = pass->probe;
    const int16_t *narrow = narrow_of_const(batch->color[0]) + 4 * narrow_place(probe->width, lane);

    for (unsigned c = 0; c < 4; c++)
        result->output[c] = probe->draw.narrow ? narrow_channel(batch->color[0], probe->width, lane, c)
                                               : batch->color[pass->state.target][c][lane];
    const float alpha = batch->color[0][3][lane] > 0.0f ? BASE_MIN(batch->color[0][3][lane], 1.0f) : 0.0f;

    result->alpha = probe->draw.narrow ? narrow_byte(narrow[3]) : (uint8_t)(alpha * 255.0f + 0.5f);
}

/* The pixel is in the batch of one thread alone. */
static void shade_at_pixel(const void *program, struct raster_batch *batch)
{
    const struct probe_pass *pass = program;
    const uint64_t covered = batch->covered;
    const int lane = lane_of(&pass->state, batch);
    struct hal_probe_result *result = &pass->probe->result;

    if (lane >= 0 && pass->state.tracer)
        tracer_run_pixel(pass->state.tracer, &pass->probe->draw, batch, (unsigned)lane);
    else
        run(pass, batch);
    if (lane < 0)
        return;
    result->hit = true;
    result->killed = !(batch->covered >> lane & 1);
    result->front_facing = batch->front_facing[lane / RASTER_QUAD_LANES];
    note_output(pass, batch, (unsigned)lane, result);
    batch->covered = covered;
}

/* Disables every other texkill by making it test |x|, which never kills. Returns false if out of memory. */
static bool keep_one_kill(struct probe_pass *pass)
{
    struct probe_program *own = pass->own;
    const struct shader_code *code = own->binding.program->code;
    unsigned kills = 0;

    own->program = *own->binding.program;
    own->code = *code;
    own->code.plan = (struct plan){0};
    own->code.code = mem_calloc((size_t)code->count + 1, sizeof(*code->code));
    if (!own->code.code)
        return false;
    memcpy(own->code.code, code->code, code->count * sizeof(*code->code));
    for (unsigned i = 0; i < code->count; i++)
        if (code->code[i].op == IR_KILL && ++kills != pass->state.kill)
            own->code.code[i].source[0].modifiers = IR_ABS;
    own->program.code = &own->code;
    own->binding.program = &own->program;
    return plan_build(&own->code.plan, own->code.code, code->count);
}

/* --- parts of the work --------------------------------------------------------------------------- */

/* Outputs of a program are filled row by row by copies: the replacement of a part of the work must cost next to
 * nothing. */
#define ONES_4 1.0f, 1.0f, 1.0f, 1.0f
#define ONES   ONES_4, ONES_4, ONES_4, ONES_4
static const float white[RASTER_LANES] = {ONES, ONES, ONES, ONES};

static void sample_white RASTER_SAMPLE_LOD_PARAMETERS
{
    (void)sampler;
    (void)coordinate;
    (void)mode;
    (void)lod;
    for (unsigned c = 0; c < 4; c++)
        memcpy(result[c], white, group_count * RASTER_GROUP_LANES * sizeof(float));
}

/* The same of a narrow state. Lanes of any order are white. */
static void shade_narrow_white(const void *program, struct raster_batch *batch)
{
    int16_t *pixels = narrow_of(batch->color[0]);

    (void)program;
    for (unsigned n = 0; n < 4 * batch->group_count * RASTER_GROUP_LANES; n++)
        pixels[n] = NARROW_ONE;
}

static void shade_white(const void *program, struct raster_batch *batch)
{
    const struct shader_binding *binding = program;
    const uint32_t outputs = binding->program->outputs_written;

    for (unsigned t = 0; t < RASTER_MAX_TARGETS; t++)
        for (unsigned c = 0; c < 4 && (t == 0 || outputs >> t & 1); c++)
            memcpy(batch->color[t][c], white, batch->group_count * RASTER_GROUP_LANES * sizeof(float));
}

/* Both keep the state's properties of the draw's program where possible, so that only the measured part of the work
 * is missing. */
static void leave_out_sampling(const struct probe_pass *pass, struct raster_draw_state *state)
{
    struct probe_program *own = pass->own;

    own->binding.sample = sample_white;
    if (state
            ->narrow) /* reads in whole numbers bypass that function; without a texture they cost as little, and are black */
        own->binding.sampler = own->no_sampler;
    state->program = &own->binding;
}

static void leave_out_program(struct raster_draw_state *state)
{
    state->shade = state->narrow ? shade_narrow_white : shade_white;
    state->shade_block = NULL;
    state->program_writes_depth = false;
    state->pass_through.copied = 0;
}

/* --- passes -------------------------------------------------------------------------------------- */

static raster_shade_fn shade_of(enum hal_probe_program program)
{
    switch (program) {
    case HAL_PROBE_COVERAGE:
        return shade_coverage;
    case HAL_PROBE_LEVELS:
        return shade_levels;
    case HAL_PROBE_AT_PIXEL:
        return shade_at_pixel;
    case HAL_PROBE_BLACK:
    case HAL_PROBE_WHITE:
        return shade_solid;
    default:
        return shade_watched;
    }
}

/* Makes a copy of the draw's program, if it has one. */
static bool copy_program(struct probe_pass *pass)
{
    const struct shader_binding *binding = pass->probe->draw.program;

    pass->own = mem_calloc(1, sizeof(*pass->own));
    if (!pass->own)
        return false;
    if (binding) {
        pass->own->binding = *binding;
        pass->program = &pass->own->binding;
    }
    return true;
}

static void watch(const struct probe_pass *pass, struct raster_draw_state *state)
{
    state->program = pass;
    state->shade = shade_of(pass->state.program);
    state->shade_block = NULL;
    state->program_reads_position = true;
    state->program_reads_inputs_alone = false;
    state->pass_through.copied = 0;
    if (pass->state.changes & HAL_PROBE_TESTS_LATE) {
        state->program_kills = true;   /* depth is tested after the program */
        state->program_records = true; /* and hierarchical Z skips none of its fragments */
    }
}

bool probe_set_program(struct probe_pass *pass, struct raster_draw_state *state)
{
    const enum hal_probe_program program = pass->state.program;
    const bool copies = program == HAL_PROBE_LEVELS || program == HAL_PROBE_UNSAMPLED ||
                        (program == HAL_PROBE_AT_PIXEL && pass->state.kill);

    pass->program = pass->probe->draw.program;
    pass->shade = pass->probe->draw.shade;
    if (copies && !copy_program(pass))
        return false;
    if (program == HAL_PROBE_UNSAMPLED) {
        leave_out_sampling(pass, state);
    } else if (program == HAL_PROBE_UNSHADED) {
        leave_out_program(state);
    } else {
        if (program == HAL_PROBE_LEVELS)
            set_levels(pass, state);
        watch(pass, state);
    }
    return program != HAL_PROBE_AT_PIXEL || !pass->state.kill || keep_one_kill(pass);
}

void probe_free_program(struct probe_pass *pass)
{
    if (!pass->own)
        return;
    plan_clear(&pass->own->code.plan);
    free(pass->own->code.code);
    free(pass->own);
}
