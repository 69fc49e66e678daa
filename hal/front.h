/* SPDX-License-Identifier: MIT */
/*
 * The vertex side of the device: what it keeps between draws, and the calls among its files. A
 * drawing token becomes a hal_draw (execute.c -> vertex/draw_tokens.c), its vertices are read (vertex/stream.c),
 * processed (tnl*.c, vertex/vertex_shader.c), assembled into primitives (vertex/prim.c), clipped if they must be
 * (vertex/clip.c) and given to raster/.
 */
#ifndef HALCYON_HAL_FRONT_H
#define HALCYON_HAL_FRONT_H

#include "hal/map.h"
#include "hal/math.h"
#include "hal/state.h"
#include "hal/vertex/clip.h"
#include "hal/vertex/stream.h"
#include "hal/vertex/tnl/tnl.h"
#include "hal/vertex/vertex_shader.h"

#include <stdlib.h>

/* D3DCAPS8.MaxPointSize. */
#define HAL_MAX_POINT_SIZE 256.0f
/* Entries a stream may create under numbers of its own. */
#define HAL_MAX_LIGHT_ENTRIES  4096
#define HAL_MAX_SHADERS        4096 /* of each kind */
#define HAL_MAX_STATE_BLOCKS   4096
/* Bytes of all recorded state blocks of a context. */
#define HAL_MAX_STATE_BLOCK_BYTES (32u << 20)
/* Bytes of all shader code and declarations of a context. */
#define HAL_MAX_SHADER_BYTES (64u << 20)
/* Primitives of one token; what goes beyond is not drawn. */
#define HAL_MAX_PRIMITIVES 0xfffffu

/* A vertex shader of DirectX 8 (declaration and code), a declaration or vertex function of DirectX 9, a pixel
 * shader (hal/state/shader_tokens.c). */
struct hal_shader {
    struct hal_layout layout; /* of the declaration, if it has one */
    struct shader_program *program; /* of the code, if there is some */
    uint32_t declaration_bytes, code_bytes;
    uint8_t bytes[]; /* the declaration, then the code */
};

/* Lights by the application's index (hal/vertex/tnl/light.c). */
struct hal_light_entry {
    struct hal_light light;
    uint32_t index;
    bool enabled;
};
struct hal_light_table {
    struct hal_map map;
    struct hal_light_entry *active[HAL_MAX_LIGHT_ENTRIES]; /* in the order of enabling */
    unsigned active_count;
};

struct hal_state_block; /* hal/state/stateset.c */
struct hal_patches;     /* hal/vertex/patch/patch.h */

struct hal_front {
    uint32_t dirty; /* enum hal_dirty: changes the vertex program has not seen */

    struct hal_map vertex_shaders, pixel_shaders, declarations, vertex_functions; /* hal_shader */
    size_t shader_bytes;
    struct hal_layout fvf_layout; /* of fvf_of_layout */
    uint32_t fvf_of_layout;
    bool fvf_is_valid;
    struct hal_layout legacy_layout; /* of the DirectX 6/7 tokens' dwVertexType */
    uint32_t fvf_of_legacy_layout;
    bool legacy_is_valid;
    const struct hal_layout *layout_of_program;

    struct hal_map state_blocks;
    size_t state_block_bytes;
    struct hal_state_block *recording; /* between STATESET BEGIN and END */
    bool executing_block;              /* STATESET EXECUTE is under way */

    struct hal_patches *patches; /* NULL until one is drawn */

    struct hal_projection projection;
    struct tnl_program program;
    struct tnl_cache tnl_cache;
    struct tnl_batch batch; /* scratch */
    struct hal_vertex_stage vertex_stage;
    /* how the distance to a user plane changes along x and y of clip space */
    float plane_slope[HAL_MAX_CLIP_PLANES][2];
    struct clip_pool pool;  /* scratch */
    uint32_t extra_triangles; /* that clipping made, for the statistics query */
    /* Vertex numbers of one chunk of primitives, then their slots among the processed vertices. */
    uint32_t numbers[HAL_CHUNK_VERTICES];
    _Alignas(64) uint8_t scratch[RASTER_SCRATCH_BYTES]; /* of vertex programs */
};

/* A render state that is a float. */
static inline float hal_state_float(const struct hal_context *context, unsigned state)
{
    float value;
    memcpy(&value, &context->render_state[state], sizeof(value));
    return value;
}

/* --- context.c ---------------------------------------------------------------------- */

bool hal_front_create(struct hal_context *context);
void hal_front_destroy(struct hal_context *context);
/* Room for `count` processed vertices, contents lost. False: no memory. */
bool hal_front_reserve(struct hal_context *context, size_t count);

/* --- vertex/tnl/light.c ------------------------------------------------------------------------ */

struct hal_light_table *hal_lights_create(void);
void hal_lights_destroy(struct hal_light_table *table);
/* NULL: the table is full, or no memory (hal_map_is_full). A new light is a white directional one along +z, not enabled. */
struct hal_light_entry *hal_light_make(struct hal_light_table *table, uint32_t index);
void hal_light_enable(struct hal_light_table *table, struct hal_light_entry *entry, bool enable);

/* --- vertex/prim.c ------------------------------------------------------------------------- */

/* A draw with everything looked up. Vertex numbers are those of the stream: number n of the draw is
 * vertex base + (indices ? index[n] : n). */
struct hal_draw {
    const struct hal_layout *layout;
    const struct shader_program *program; /* NULL: fixed function */
    uint32_t type; /* D3DPRIMITIVETYPE */
    uint32_t primitives;
    int64_t base;
    const uint8_t *indices; /* NULL: not indexed */
    uint32_t index_stride;  /* bytes of one index: 2 or 4 */
    uint32_t index_step;    /* bytes from triangle to triangle of a list; 0: packed */
    bool list_flags; /* the WORD behind each triangle's indices holds D3DTRIFLAG_EDGEENABLE* */
    bool fan_flags;  /* edges of a fan come from fan_edges: bit i V[i]-V[i+1] */
    uint32_t fan_edges;
    bool tessellated; /* made of a high order surface */
    struct hal_buffer buffers[HAL_MAX_STREAMS]; /* those that the layout reads, and the first one */
};

void hal_draw_primitives(struct hal_context *context, const struct hal_draw *draw);
/* Runs the prepared vertex stages over vertices first .. of the source, into the context's slots 0 ..; room is reserved. */
void hal_process_range(struct hal_context *context, const struct hal_source *source, uint32_t first, uint32_t count);
/* Vertices that `primitives` of a type use; 0 for an unknown type. */
uint64_t hal_primitive_vertices(uint32_t type, uint64_t primitives);
/* The lesser of `primitives` and what `vertices` (or indices) make. */
uint32_t hal_cut_primitives(uint32_t type, uint32_t primitives, uint64_t vertices);

/* --- vertex/index.c ------------------------------------------------------------------------ */

/* A vertex number no buffer reaches: its primitives are dropped. */
#define HAL_NO_VERTEX UINT32_MAX

/* Number of the draw's vertex that is the i-th of a chunk that begins with primitive first_primitive. */
uint64_t hal_chunk_vertex(uint32_t type, uint32_t first_primitive, uint32_t i);
/* Looks up the source's vertex number of each of the chunk's vertices; *lowest and *highest bound those that exist. Returns
 * whether one does not: HAL_NO_VERTEX. */
bool hal_number_vertices(const struct hal_draw *draw, const struct hal_source *source, uint32_t first_primitive,
                         uint32_t *numbers, uint32_t count, uint32_t *lowest, uint32_t *highest);
/* Numbers become distances from the lowest one; absent: what HAL_NO_VERTEX becomes, 0 if there is none. */
void hal_numbers_to_slots(uint32_t *numbers, uint32_t count, uint32_t lowest, uint32_t absent);
uint32_t hal_highest_slot(const uint32_t *slots, uint32_t count);
/* Vertices of the source that triangle `number` of a draw has for corners, the provoking one first.
 * False: one does not exist. */
bool hal_triangle_corners(const struct hal_draw *draw, const struct hal_source *source,
                          uint32_t number, uint32_t corners[3]);

/* --- vertex/point.c ------------------------------------------------------------------------ */

/* Before points are drawn with user planes on. */
void hal_points_prepare(struct hal_context *context, const struct shader_program *program);

/* --- vertex/wrap.c ------------------------------------------------------------------------- */

/* programmable: coordinate set i goes with stage i whatever TEXCOORDINDEX says. */
void hal_wrap_prepare(struct tnl_program *program, const struct hal_context *context,
                      bool programmable);
/* Replaces corners[1..] by copies whose wrapped coordinates are nearest to those of corners[0]. */
void hal_wrap_corners(const struct tnl_program *program, const struct raster_vertex **corners,
                      unsigned count, struct raster_vertex *copies);

/* --- query.c ------------------------------------------------------------------------- */

void hal_queries_destroy(struct hal_context *context);

/* --- resource/resource_tokens.c ---------------------------------------------------------------- */

struct hal_surface *hal_surface_of(struct hal_context *context, uint32_t handle);
/* True if the handle names what it must: 0, or a surface of the kind. */
bool hal_find_target(struct hal_context *context, uint32_t handle, uint32_t kind,
                     struct hal_surface **surface);

/* --- state/shader_tokens.c ------------------------------------------------------------------ */

/* The shader whose declaration is set; NULL: unknown. */
const struct hal_shader *hal_current_declaration(const struct hal_context *context);
void hal_shaders_destroy(struct hal_context *context);

/* Where a constants token writes: an array of `limit` registers of `bytes` each. */
struct hal_register_bank {
    uint8_t *registers;
    uint32_t limit, bytes;
};
struct hal_register_bank hal_register_bank(struct hal_context *context, uint8_t token);

/* --- state/stateset.c --------------------------------------------------------------------- */

void hal_state_blocks_destroy(struct hal_context *context);
/* While a block is recorded: keeps the command if a block can hold it. */
bool hal_state_block_record(struct hal_context *context, const struct dp2_command *command);

/* --- execute.c ---------------------------------------------------------------------- */

/* A handler executes one command. It returns DD_OK, or the code for ddrval. */
typedef HRESULT hal_token_fn(struct hal_context *context, const struct dp2_command *command);

/* Runs a command by the table, without recording. */
HRESULT hal_execute_command(struct hal_context *context, const struct dp2_command *command);

hal_token_fn hal_token_exit, hal_token_span;
hal_token_fn hal_token_render_state, hal_token_stage_state, hal_token_viewport, hal_token_z_range,
    hal_token_w_info, hal_token_set_transform, hal_token_multiply_transform, hal_token_material,
    hal_token_create_light, hal_token_set_light, hal_token_clip_plane, hal_token_set_vertex_shader,
    hal_token_create_vertex_shader, hal_token_delete_vertex_shader, hal_token_stream_source,
    hal_token_stream_source_um, hal_token_stream_source2, hal_token_stream_frequency,
    hal_token_indices, hal_token_state_set;
hal_token_fn hal_token_create_pixel_shader, hal_token_delete_pixel_shader,
    hal_token_set_pixel_shader, hal_token_create_declaration, hal_token_delete_declaration,
    hal_token_set_declaration, hal_token_create_vertex_function, hal_token_delete_vertex_function,
    hal_token_set_vertex_function, hal_token_shader_constants;
hal_token_fn hal_token_dirty_rect, hal_token_dirty_box, hal_token_scissor, hal_token_blt,
    hal_token_color_fill, hal_token_render_target2, hal_token_mip_sublevels,
    hal_token_convolution_kernel, hal_token_compose_rects;
hal_token_fn hal_token_create_query, hal_token_delete_query, hal_token_issue_query;
hal_token_fn hal_token_render_target, hal_token_depth_stencil, hal_token_clear, hal_token_palette,
    hal_token_update_palette, hal_token_priority, hal_token_tex_lod, hal_token_tex_blt,
    hal_token_volume_blt, hal_token_buffer_blt;
hal_token_fn hal_token_draw, hal_token_draw_indexed, hal_token_draw2, hal_token_draw_indexed2,
    hal_token_clipped_fan, hal_token_rect_patch, hal_token_tri_patch;
hal_token_fn hal_token_points, hal_token_legacy_draw, hal_token_legacy_indexed,
    hal_token_legacy_inline;

/* state/state_tokens.c: the matrix with a D3DTRANSFORMSTATETYPE number, NULL if there is none. */
struct hal_matrix *hal_transform(struct hal_context *context, uint32_t type);

/* state/legacy.c: render states of DirectX 6 and before that are stage states now, and what DirectX 8 no longer has of the stage
 * states (`row` of stage_state). For contexts up to DirectX 7; the value is stored under its own number already. */
void hal_legacy_render_state(struct hal_context *context, uint32_t state, uint32_t value);
void hal_legacy_stage_state(struct hal_context *context, unsigned row, uint32_t state, uint32_t value);

#endif
