/* SPDX-License-Identifier: MIT */
/* Pixel stages of the texture stages: from states to a key, from the key to a program and its constants. */
#include "hal/pixel/texture_stages.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "d3d/states.h"
#include "hal/driver.h"
#include "hal/hal.h"
#include "hal/math.h"
#include "hal/pixel/draw_state.h"
#include "hal/pixel/sampler.h"
#include "hal/pixel/stage.h"
#include "hal/pool.h"
#include "hal/renderer.h"
#include "hal/resource/color_key.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "hal/scene.h"
#include "hal/state/dirty.h"
#include "hal/state/state.h"
#include "hal/state/values.h"
#include "hal/vertex/vertex.h"
#include "hal/work.h"
#include "raster/raster.h"
#include "raster/sample/sample.h"
#include "shader/shader.h"
#include "shader/stages.h"

#include <stdlib.h>
#include <string.h>

struct texture_stages_entry {
    struct stages_key key;
    struct stages_program program;
    struct stages_program opaque; /* without alpha; no shader: not worthwhile, or no memory */
};

_Static_assert((int)HAL_ATTRIBUTE_DIFFUSE == (int)STAGES_DIFFUSE && (int)HAL_ATTRIBUTE_FOG == (int)STAGES_FOG &&
                   (int)HAL_ATTRIBUTE_TEXCOORD0 == (int)STAGES_TEXCOORD0,
               "vertex attributes and the cascade's inputs share their numbers");

/* --- key ------------------------------------------------------------------------------------------ */

/* Shapes: bit s: stage s samples a texture; and the positions of other bits. */
enum {
    SHAPE_VERTEX_ALPHA = 1 << STAGES_MAX, /* stage 0 keeps the alpha of the vertex */
    SHAPE_AXES = 16,                      /* one bit per stage: it is sampled with three coordinates */
    SHAPE_KEYED = 32,                     /* two bits per stage: enum stage_keyed */
};

uint32_t hal_texture_stages_enabled(const struct hal_state *state)
{
    unsigned s = 0;

    while (s < STAGES_MAX && state->stage_state[s][D3DTSS_COLOROP] > D3DTOP_DISABLE)
        s++;
    return (1u << s) - 1;
}

/* D3DTBLEND_MODULATE of DirectX 5: a stage without a texture, or with one that has no alpha, keeps the vertex's
 * alpha. */
static bool takes_vertex_alpha(const struct hal_state *state, const struct hal_pixel_textures *textures)
{
    return state->modulate_of_dx5 && !(textures->texture[0] && hal_texture_has_alpha(textures->texture[0]));
}

static uint64_t shape_of(const struct hal_texture *texture, struct hal_texture *map, unsigned s)
{
    const struct raster_texture *sampled = hal_sampled_texture(texture, map);
    uint64_t shape = texture ? (uint64_t)hal_key_kind(texture) << (SHAPE_KEYED + 2 * s) : 0;

    if (sampled)
        shape |= 1u << s | (raster_texture_axes(sampled) == 3 ? 1u << (SHAPE_AXES + s) : 0);
    return shape;
}

uint64_t hal_texture_stages_shapes(const struct hal_state *state, const struct hal_pixel_textures *textures)
{
    uint64_t shapes = takes_vertex_alpha(state, textures) ? SHAPE_VERTEX_ALPHA : 0;

    for (unsigned s = 0; s < textures->count; s++)
        shapes |= shape_of(textures->texture[s], textures->map[s], s);
    return shapes;
}

static void derive_key(const struct hal_state *state, uint64_t shapes, struct stages_key *key)
{
    memset(key, 0, sizeof(*key));
    for (unsigned s = 0; s < STAGES_MAX; s++) {
        const uint32_t *t = state->stage_state[s];
        struct stage_key *k = &key->stage[s];

        k->color_op = (uint8_t)BASE_MIN(t[D3DTSS_COLOROP], 255u);
        if (k->color_op <= D3DTOP_DISABLE)
            break;
        k->alpha_op = (uint8_t)BASE_MIN(t[D3DTSS_ALPHAOP], 255u);
        if (s == 0 && shapes & SHAPE_VERTEX_ALPHA)
            k->alpha_op = D3DTOP_SELECTARG2;
        const uint32_t color[3] = {t[D3DTSS_COLORARG0], t[D3DTSS_COLORARG1], t[D3DTSS_COLORARG2]};
        const uint32_t alpha[3] = {t[D3DTSS_ALPHAARG0], t[D3DTSS_ALPHAARG1], t[D3DTSS_ALPHAARG2]};
        for (unsigned i = 0; i < 3; i++) {
            k->color_arg[i] = (uint8_t)color[i];
            k->alpha_arg[i] = (uint8_t)alpha[i];
        }
        k->result_temp = (t[D3DTSS_RESULTARG] & D3DTA_SELECTMASK) == D3DTA_TEMP;
        k->projected = (t[D3DTSS_TEXTURETRANSFORMFLAGS] & D3DTTFF_PROJECTED) != 0;
        if (shapes >> s & 1) {
            k->textured = 1;
            k->three_axes = shapes >> (SHAPE_AXES + s) & 1;
            k->keyed = shapes >> (SHAPE_KEYED + 2 * s) & 3;
        }
    }
    key->specular_add = state->render_state[D3DRS_SPECULARENABLE] != 0;
}

/* --- program -------------------------------------------------------------------------------------- */

static void release_entry(struct texture_stages_entry *entry)
{
    stages_destroy(&entry->program);
    stages_destroy(&entry->opaque);
    free(entry);
}

void hal_texture_stages_free(struct hal_texture_stages *stages)
{
    for (unsigned i = 0; i < stages->program_count; i++)
        release_entry(stages->programs[i]);
    stages->program_count = 0;
}

/* Compiles a program; NULL: out of memory. */
static struct texture_stages_entry *make_entry(struct hal_renderer *renderer, const struct stages_key *key)
{
    struct texture_stages_entry *entry = mem_calloc(1, sizeof(*entry));

    if (!entry)
        return NULL;
    entry->key = *key;
    stages_compile(key, &entry->program);
    if (!entry->program.shader) {
        free(entry);
        return NULL;
    }
    /* Without a texture it is short, or copied: what reads no alpha knows how to leave it out (raster/tile/state.c). */
    if (entry->program.shader->samplers) {
        stages_compile_opaque(key, &entry->program, &entry->opaque);
        renderer->scene->driver->out_of_memory |= !entry->opaque.shader;
    }
    hal_work_spend(&renderer->scene->work, entry->program.shader->instruction_count, HAL_WORK_CODE_TOKEN);
    return entry;
}

/* Finds or compiles a program; its entry moves to the front. If the cache is full, the oldest entry is evicted, after a flush of the draws that may
 * refer to it. A hit must not flush: an update that is repeated after each flush would never end. */
static const struct texture_stages_entry *find_entry(struct hal_renderer *renderer, struct hal_texture_stages *stages,
                                                     const struct stages_key *key)
{
    struct texture_stages_entry *entry;
    unsigned i;

    for (i = 0; i < stages->program_count; i++)
        if (!memcmp(&stages->programs[i]->key, key, sizeof(*key)))
            break;
    if (i < stages->program_count) {
        entry = stages->programs[i];
    } else {
        if (i == HAL_MAX_STAGES_PROGRAMS) {
            hal_scene_flush_colors(renderer->scene, HAL_FLUSH_PROGRAMS);
            release_entry(stages->programs[--i]);
        }
        stages->program_count = i;
        entry = make_entry(renderer, key);
        if (!entry)
            return NULL;
        stages->program_count++;
    }
    memmove(&stages->programs[1], &stages->programs[0], i * sizeof(stages->programs[0]));
    stages->programs[0] = entry;
    return entry;
}

static void use_program(struct hal_texture_stages *stages, const struct stages_program *program,
                        struct hal_pixel_stage *stage)
{
    struct hal_pipeline_inputs *inputs = &stage->inputs;

    stages->program = program;
    stage->program = program->shader;
    memset(inputs, 0, sizeof(*inputs));
    for (unsigned i = 0; i < program->input_count; i++)
        hal_pixel_add_input(inputs, program->input[i], program->input_mask[i]);
}

bool hal_texture_stages_make(struct hal_renderer *renderer, struct hal_texture_stages *stages, uint64_t shapes,
                             struct hal_pixel_stage *stage)
{
    struct stages_key key;

    derive_key(renderer->state, shapes, &key);
    stages->entry = find_entry(renderer, stages, &key);
    if (!stages->entry) {
        hal_work_lacks_memory(&renderer->scene->work, "the program of texture stages");
        return false;
    }
    stage->constant_groups = HAL_DIRTY_FACTOR;
    stage->applies_fog = false;
    use_program(stages, &stages->entry->program, stage);
    return true;
}

void hal_texture_stages_leave_alpha(struct hal_texture_stages *stages, struct hal_pixel_stage *stage)
{
    if (stages->entry->opaque.shader)
        use_program(stages, &stages->entry->opaque, stage);
}

/* --- constants ------------------------------------------------------------------------------------ */

static void fill(const struct hal_renderer *renderer, const struct stages_program *program,
                 const struct hal_pixel_textures *textures, struct shader_binding *binding)
{
    for (unsigned left = program->samplers; left; left &= left - 1) {
        const unsigned s = (unsigned)__builtin_ctz(left);
        const uint32_t *t = renderer->state->stage_state[s];
        float bump[4], luminance[4] = {hal_float_from_bits(t[D3DTSS_BUMPENVLSCALE]),
                                       hal_float_from_bits(t[D3DTSS_BUMPENVLOFFSET])};

        for (unsigned i = 0; i < 4; i++)
            bump[i] = hal_float_from_bits(t[D3DTSS_BUMPENVMAT00 + i]);
        stages_set_constant(binding, STAGES_CONSTANT_BUMP + s, bump);
        stages_set_constant(binding, STAGES_CONSTANT_LUMINANCE + s, luminance);
        hal_pipeline_sampler(renderer->state, renderer->scene, s, textures->texture[s], textures->map[s],
                             &binding->sampler[s]);
    }
    for (unsigned left = program->colors; left; left &= left - 1) {
        const unsigned s = (unsigned)__builtin_ctz(left);
        float color[4];

        hal_state_color(renderer->state->stage_state[s][D3D_TSS_CONSTANT], color);
        stages_set_constant(binding, STAGES_CONSTANT_COLOR + s, color);
    }
}

/* Draws that change nothing share a binding. */
const struct shader_binding *hal_texture_stages_bind(const struct hal_renderer *renderer,
                                                     struct hal_texture_stages *stages, struct hal_pool *pool,
                                                     const struct hal_pixel_textures *textures)
{
    const uint32_t groups = HAL_DIRTY_PIXEL & ~HAL_DIRTY_FACTOR & ~HAL_DIRTY_OUTPUT;
    const struct stages_program *program = stages->program;
    const struct shader_binding *last = stages->last;
    const size_t bytes = stages_binding_size(program);
    void *memory = hal_pool_take(pool, bytes);
    float factor[4];

    if (!memory)
        return NULL;
    struct shader_binding *fresh = stages_bind(memory, program, renderer->scene->driver->cpu);
    if (last && last->program != fresh->program)
        last = NULL;
    if (last && !textures->changed && !(renderer->dirty & groups))
        stages_copy_values(fresh, last, program);
    else
        fill(renderer, program, textures, fresh);
    hal_state_color(renderer->state->render_state[D3DRS_TEXTUREFACTOR], factor);
    stages_set_constant(fresh, STAGES_CONSTANT_FACTOR, factor);
    if (last && shader_same_values(last, fresh, bytes))
        hal_pool_give_back(pool, bytes);
    else
        stages->last = fresh;
    return stages->last;
}
