/* SPDX-License-Identifier: MIT */
/*
 * Draws whole blocks of narrow states by generated code (shader/run/narrow_block.h). Decides which textures of a block
 * the generated function samples itself: rotated textures whose reads all lie inside. Kernels sample the others
 * beforehand.
 */
#include "base/assert.h"
#include "base/base.h"
#include "base/simd/simd.h"
#include "raster/kernels/narrow_planes.h"
#include "raster/narrow.h"
#include "shader/run/narrow_machine.h"

bool KERNEL(shader_shade_narrow_block)(const void *program, const struct raster_block *block,
                                       struct raster_batch *batch);
void KERNEL(shader_run_narrow)(const void *program, struct raster_batch *batch);

#if SIMD_HAS_GATHER
/* --- what follows from the state --------------------------------------------------------------------------- */

static void splat(int32_t lanes[16], int32_t v)
{
    for (unsigned l = 0; l < 16; l++)
        lanes[l] = v;
}

static void use_level(const struct raster_affine_level *level, bool opaque, struct narrow_block_texture *texture)
{
    /* biases are 3 texels too large, so that the shifted value is never negative */
    const uint32_t *first = level->texels - 3 * (ptrdiff_t)level->pitch - 3;

    texture->upper = first;
    texture->lower = first + level->pitch;
    splat(texture->repeat_u, level->mode_u == RASTER_WRAP ? RASTER_AFFINE_ONE - 1 : -1);
    splat(texture->repeat_v, level->mode_v == RASTER_WRAP ? RASTER_AFFINE_ONE - 1 : -1);
    splat(texture->bias_u, (int32_t)level->bias_u);
    splat(texture->bias_v, (int32_t)level->bias_v);
    splat(texture->shift_u, level->shift_u);
    splat(texture->shift_v, level->shift_v);
    splat(texture->pitch, level->pitch);
    for (unsigned i = 0; i < 32; i++)
        texture->opaque[i] = opaque && i % 4 == 3 ? NARROW_ONE : 0;
}

/* The next texture step from step k on. */
static const struct narrow_step *next_texture(const struct narrow_program *narrow, unsigned *k)
{
    while (narrow->step[*k].op != NARROW_TEX)
        ++*k;
    return &narrow->step[(*k)++];
}

static unsigned sampler_of(const struct narrow_machine *m, const struct narrow_step *s)
{
    return m->binding->program->code->code[s->instruction].sampler;
}

static void use_state(struct narrow_machine *m, const struct raster_surface *target, unsigned textures)
{
    const bool alpha = target->format == RASTER_FORMAT_A8R8G8B8;
    struct narrow_block *b = &m->block;

    for (unsigned p = 0; p < NARROW_PLACES; p++)
        b->place[p] = m->place[p];
    for (unsigned l = 0; l < 16; l++) {
        b->kept[l] = alpha ? 0xffffffffu : 0x00ffffffu;
        b->ones[l] = ~b->kept[l];
    }
    b->pitch = target->pitch;
    for (unsigned n = 0, k = 0; n < textures; n++) {
        const struct narrow_step *s = next_texture(m->narrow, &k);
        const struct raster_narrow_reads *reads = &m->reads[sampler_of(m, s)];
        const unsigned input = m->binding->input[s->from[0] - NARROW_FIRST_INPUT];

        b->texel[n] = m->reg[NARROW_FIRST_REGISTER + n];
        if (!reads->direct || !reads->linear || input >= RASTER_MAX_INPUTS)
            continue;
        use_level(&reads->affine_level, reads->opaque, &b->texture[n]);
    }
    m->has_block = true;
}

/* --- textures ------------------------------------------------------------------------------------------------- */

/* The coordinates that a texture step reads, if they are integers that the step uses directly; else NULL. */
static const struct narrow_coordinate *direct_coordinate(const struct narrow_machine *m, const struct narrow_step *s,
                                                         const struct narrow_planes *planes)
{
    const struct raster_narrow_reads *reads = &m->reads[sampler_of(m, s)];
    const unsigned input = m->binding->input[s->from[0] - NARROW_FIRST_INPUT];

    for (unsigned i = 0; i < planes->coordinate_count && reads->direct && reads->linear; i++)
        if (planes->coordinate[i].input == input)
            return &planes->coordinate[i];
    return NULL;
}

static void use_steps(const struct narrow_coordinate *coordinate, struct narrow_block_texture *texture)
{
    for (unsigned l = 0; l < RASTER_GROUP_LANES; l++) {
        const int32_t x = raster_lane_x[l], y = raster_lane_y[l];

        texture->offset_u[l] = x * coordinate->step_x[0] + y * coordinate->step_y[0];
        texture->offset_v[l] = x * coordinate->step_x[1] + y * coordinate->step_y[1];
    }
}

/* Gives the function what it needs to sample texture n, if it can. Textures that are not rotated are left to the
 * kernels, which are faster for them. */
static bool use_coordinate(struct narrow_machine *m, const struct narrow_step *s, const struct raster_block *block,
                           unsigned n)
{
    const struct narrow_coordinate *coordinate = direct_coordinate(m, s, block->planes);
    struct narrow_block_texture *texture = &m->block.texture[n];
    int32_t start[2][NARROW_BLOCK_GROUPS];

    if (!coordinate || !(coordinate->step_y[0] | coordinate->step_x[1]) || ((block->x | block->y) & 3))
        return false; /* steps count from multiples of four */
    KERNEL(raster_start_narrow_coordinate)(block->planes, coordinate, block->x, block->y, start);
    if (!KERNEL(raster_block_is_inner)(&m->reads[sampler_of(m, s)].affine_level, coordinate,
                                       (const int32_t(*)[NARROW_BLOCK_GROUPS])start))
        return false;
    for (unsigned g = 0; g < NARROW_BLOCK_GROUPS; g++) {
        texture->start_u[g][0] = start[0][g];
        texture->start_v[g][0] = start[1][g];
    }
    if (m->stepped[n] != block->planes->primitive) {
        m->stepped[n] = block->planes->primitive;
        use_steps(coordinate, texture);
    }
    return true;
}

/* The textures that the function samples itself, as bits. */
static unsigned choose_inlined(struct narrow_machine *m, const struct raster_block *block, unsigned textures)
{
    unsigned inlined = 0;

    for (unsigned n = 0, k = 0; n < textures; n++)
        inlined |= (unsigned)use_coordinate(m, next_texture(m->narrow, &k), block, n) << n;
    return inlined;
}

static void read_textures(struct narrow_machine *m, const struct raster_block *block, unsigned textures,
                          unsigned inlined)
{
    for (unsigned n = 0, k = 0; n < textures; n++) {
        const struct narrow_step *s = next_texture(m->narrow, &k);
        const unsigned input = m->binding->input[s->from[0] - NARROW_FIRST_INPUT];

        if (inlined >> n & 1)
            continue;
        if (input < RASTER_MAX_INPUTS && (m->batch->affine >> input & 1))
            KERNEL(raster_interpolate_narrow_coordinates)(block->planes, block->x, block->y, 1u << input, m->batch);
        narrow_read_texture(m, s, m->reg[NARROW_FIRST_REGISTER + n]);
    }
}

/* --- blocks ----------------------------------------------------------------------------------------------------- */

static bool is_inside(const struct raster_block *block)
{
    return (unsigned)block->x + 8 <= block->target->width && (unsigned)block->y + 8 <= block->target->height;
}

static void use_place(const struct raster_block *block, struct narrow_block *b)
{
    uint8_t *first = block->target->pixels + (size_t)block->y * block->target->pitch + (size_t)block->x * 4;
    const size_t below = 4 * block->target->pitch;

    UNROLLED
    for (unsigned g = 0; g < NARROW_BLOCK_GROUPS; g++) {
        b->target[g].first = first + (g >> 1) * below + (g & 1) * 16;
        b->mask[g] = block->mask >> g * RASTER_GROUP_LANES & 0xffff;
    }
}

static const struct narrow_block_code *find_code(const struct shader_generated *generated,
                                                 const struct raster_blend *blend)
{
    const struct narrow_block_store store = narrow_block_store(blend);
    const struct narrow_block_code *code = __atomic_load_n(&generated->blocks, __ATOMIC_ACQUIRE);

    while (code && !narrow_block_same_store(code->store, store))
        code = code->next;
    return code;
}

/* Draws the block by code and by kernels, outside the target, and compares the results. */
static __attribute__((noinline)) void check_block(struct narrow_machine *m, const struct raster_block *block,
                                                  narrow_block_fn *run)
{
    uint32_t words[2][8][8];
    struct raster_surface apart = *block->target;
    struct raster_block moved = {.target = &apart, .mask = block->mask};
    struct raster_place place[NARROW_BLOCK_GROUPS];
    raster_pack_fn opaque;

    apart.width = apart.height = 8;
    apart.pitch = sizeof(words[0][0]);
    for (unsigned way = 0; way < 2; way++)
        for (unsigned row = 0; row < 8; row++)
            memcpy(words[way][row],
                   block->target->pixels + (size_t)(block->y + (int)row) * block->target->pitch + (size_t)block->x * 4,
                   sizeof(words[way][row]));
    apart.pixels = (uint8_t *)words[0];
    use_place(&moved, &m->block);
    m->block.pitch = apart.pitch;
    run(&m->block, &narrow_literals);
    m->block.pitch = block->target->pitch;
    KERNEL(raster_interpolate_narrow_coordinates)(block->planes, block->x, block->y, m->batch->affine, m->batch);
    KERNEL(shader_run_narrow)(m->binding, m->batch);
    for (unsigned g = 0; g < NARROW_BLOCK_GROUPS; g++)
        place[g] = (struct raster_place){(int)(g & 1) * 4, (int)(g >> 1) * 4, g * RASTER_GROUP_LANES, 15,
                                         (uint32_t)(block->mask >> g * RASTER_GROUP_LANES & 0xffff)};
    apart.pixels = (uint8_t *)words[1];
    KERNEL(raster_choose_narrow_store)
    (block->state, apart.format, &opaque)(block->state, &apart, 0, m->batch, place, NARROW_BLOCK_GROUPS);
    if (memcmp(words[0], words[1], sizeof(words[0])))
        log_error("machine code of a block at (%d, %d) differs from its steps", block->x, block->y);
}

bool KERNEL(shader_shade_narrow_block)(const void *program, const struct raster_block *block,
                                       struct raster_batch *batch)
{
    const struct shader_binding *binding = program;
    const struct shader_generated *generated = __atomic_load_n(&binding->program->code->generated, __ATOMIC_ACQUIRE);
    const struct narrow_block_code *code = generated ? find_code(generated, &block->state->blend) : NULL;
    struct narrow_machine *m = batch->scratch;

    if (!code || !m || !is_inside(block))
        return false;
    const unsigned textures = code->textures;

    BASE_ASSERT(narrow_block_takes(&block->state->blend));
    if (!batch->again)
        narrow_link(m, binding, batch);
    m->lanes = RASTER_LANES;
    unsigned inlined = choose_inlined(m, block, textures);
    narrow_block_fn *run = code->run[inlined];

    if (!run) {
        inlined = 0;
        run = code->run[inlined];
    }
    if (!run)
        return false;
    if (!m->has_block)
        use_state(m, block->target, textures);
    read_textures(m, block, textures, inlined);
    if (__builtin_expect(generated->checks, 0)) {
        check_block(m, block, run);
        return false;
    }
    use_place(block, &m->block);
    run(&m->block, &narrow_literals);
    return true;
}

#else

bool KERNEL(shader_shade_narrow_block)(const void *program, const struct raster_block *block,
                                       struct raster_batch *batch)
{
    (void)program, (void)block, (void)batch;
    return false;
}

#endif
