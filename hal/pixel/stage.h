/* SPDX-License-Identifier: MIT */
/*
 * The pixel stage: a program of the shader IR with its constants, the attributes that vertices must deliver to it, and
 * the properties that the rest of a draw's state depends on. Two producers make stages: one lowers the texture stages
 * to IR (texture_stages.c), the other takes a pixel shader (pixel_shader.c). Only stage.c chooses between them;
 * pipeline.c reads the stage and does not depend on which one made it.
 *
 * Making and binding are separate, because constants change more often than code. The rasterizer runs stages: it calls
 * raster_draw_state.shade with `binding` for batches of up to 64 pixels. That function is the only place where code of
 * the program runs, so a code generator puts its own there. Sources: docs/reference/pixel-output.md, sections 1 to 5;
 * docs/reference/shader-code.md, sections 6 and 8.
 */
#ifndef HALCYON_HAL_PIXEL_STAGE_H
#define HALCYON_HAL_PIXEL_STAGE_H

#include "hal/pixel/pipeline.h"
#include "hal/pixel/pixel_shader.h"
#include "hal/pixel/texture_stages.h"
#include "hal/pool.h"
#include "hal/state/values.h"
#include "raster/raster.h"
#include "shader/shader.h"

#include <stdbool.h>
#include <stdint.h>

struct hal_renderer;
struct hal_state;
struct hal_texture;

/* Textures and feedback maps of a draw, by texture stage or sampler. */
struct hal_pixel_textures {
    unsigned count; /* the others are NULL */
    struct hal_texture *texture[HAL_MAX_SAMPLERS];
    struct hal_texture *map[HAL_MAX_SAMPLERS]; /* NULL: none. A map without a texture records writes */
    bool changed;                              /* they differ from those in the last binding */
};

struct hal_pixel_stage {
    const struct shader_program *shader; /* the source of the stage; NULL: the texture stages */

    /* hal_pixel_stage_make fills in: */
    const struct shader_program *program; /* what runs */
    struct hal_pipeline_inputs inputs;    /* links: vertex attributes that the program reads */
    uint32_t constant_groups; /* enum hal_dirty: states that constants come from, besides HAL_DIRTY_SAMPLER */
    uint32_t samplers;        /* bit n: texture n is read */
    uint32_t outputs;         /* bit n: colour n is written */
    bool applies_fog;         /* the program applies fog, so the rasterizer does not */
    bool kills;               /* only the program decides whether a pixel is drawn, or its depth */
    bool writes_depth;
    bool reads_position;
    bool reads_inputs_alone; /* pixels of a primitive with equal inputs get equal colours */

    /* hal_pixel_stage_bind fills in: */
    const struct shader_binding *binding; /* the program with its constants; NULL: make a new one */
    struct raster_pass_through pass_through;
    uint64_t price; /* of a pixel, for hal/work.h */
};

/* A binding and its key: everything its values depend on, except for the states of HAL_DIRTY_BINDINGS. */
#define HAL_RECENT_TEXTURES 3
struct hal_recent_binding {
    const struct shader_program *program; /* NULL: none */
    const struct hal_texture *texture[HAL_RECENT_TEXTURES];
    uint32_t factor;     /* D3DRS_TEXTUREFACTOR, for programs of the texture stages */
    uint32_t generation; /* of the states; if it differs, the binding is out of date */
    const struct shader_binding *binding;
    uint64_t price; /* hal_pixel_stage.price */
};

/* Cached bindings: sets by hash. WAYS: a power of two. The tags of a set, bits of the hashes, are neighbours, so that mostly one
 * binding is read; 0: empty. */
#define HAL_RECENT_BITS 8
#define HAL_RECENT_SETS (1 << HAL_RECENT_BITS)
#define HAL_RECENT_WAYS 4
struct hal_recent_bindings {
    uint32_t tags[HAL_RECENT_SETS][HAL_RECENT_WAYS];
    struct hal_recent_binding bindings[HAL_RECENT_SETS][HAL_RECENT_WAYS];
};

/* State of the two producers that is kept from draw to draw. */
struct hal_pixel_producers {
    struct hal_pool pool; /* of bindings: each is constant until the scene that refers to it has been drawn */
    struct hal_recent_bindings recent;
    uint32_t generation; /* of the recent bindings that are up to date */
    unsigned replaced;   /* counts recent bindings that were replaced */
    struct hal_texture_stages stages;
    struct hal_pixel_shader shader;
};

/* Bit n: the texture of stage or sampler n must be found before the stage is made. shader: NULL: the texture stages. */
uint32_t hal_pixel_stage_textures(const struct hal_state *state, const struct shader_program *shader);
/* A number for everything in these textures that the stage's code depends on: while it is equal, other textures change
 * only constants. */
uint64_t hal_pixel_stage_shapes(const struct hal_state *state, const struct shader_program *shader,
                                const struct hal_pixel_textures *textures);
/* Makes the stage from stage->shader. shapes: from hal_pixel_stage_shapes. May flush colours. False: out of memory,
 * which has been logged. */
bool hal_pixel_stage_make(struct hal_renderer *renderer, struct hal_pixel_producers *producers, uint64_t shapes,
                          struct hal_pixel_stage *stage);
/* Call it after hal_pixel_stage_make if nothing reads the alpha of colour 0. Removes alpha from program and inputs if
 * the producer can; the stage's properties of the program stay true. */
void hal_pixel_stage_leave_alpha(struct hal_pixel_producers *producers, struct hal_pixel_stage *stage);
/* Binds constants and textures to the program; draws that do not change them share a binding. False: the pool is full,
 * or out of memory. */
bool hal_pixel_stage_bind(const struct hal_renderer *renderer, struct hal_pixel_producers *producers,
                          const struct hal_pixel_textures *textures, struct hal_pixel_stage *stage);
/* States of HAL_DIRTY_BINDINGS have changed: all programs get new bindings. */
void hal_pixel_stage_outdate(struct hal_pixel_producers *producers);
/* No scene refers to a binding any more: reuses their memory. */
void hal_pixel_stage_flushed(struct hal_pixel_producers *producers, struct hal_pixel_stage *stage);
void hal_pixel_producers_free(struct hal_pixel_producers *producers);

/* Adds an attribute (enum hal_attribute); mask: the components that are read, bit 0 x .. bit 3 w. */
void hal_pixel_add_input(struct hal_pipeline_inputs *inputs, unsigned attribute, unsigned mask);

#endif
