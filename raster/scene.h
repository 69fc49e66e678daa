/* SPDX-License-Identifier: MIT */
/*
 * Scenes go from the front end to the workers: setup builds a scene, tiles consume it. A scene holds states, set-up
 * primitives and, per tile, the list of commands that touch it, in the order they were given. It is written, then read
 * by many threads, then emptied.
 *
 * Commands lie in chunks; a chunk is written by one thread. Each chunk has bins of its own, and a tile's list is its
 * bin in the first chunk, then in the second and so on. So the order of chunks gives the order of commands, and threads
 * that write chunks need neither locks nor sorting. A scene written by a single thread is one chunk (docs/threads.md).
 */
#ifndef HALCYON_RASTER_SCENE_H
#define HALCYON_RASTER_SCENE_H

#include "base/assert.h"
#include "base/base.h"
#include "raster/raster.h"

#include <stddef.h>

/* Bytes of an arena block; a scene that has used SCENE_FLUSH_BYTES is flushed before it grows further. */
#define SCENE_BLOCK_BYTES (256u << 10)
#define SCENE_FLUSH_BYTES (24u << 20)
/* Once it has grown by this much, or covers that many pixels, other threads may begin to draw it. */
#define SCENE_START_BYTES  (128u << 10)
#define SCENE_START_PIXELS (128u << 10)

struct scene_block {
    struct scene_block *next;
    size_t used;
    _Alignas(64) uint8_t bytes[SCENE_BLOCK_BYTES];
};

enum scene_command_kind {
    SCENE_TRIANGLE,
    SCENE_LINE,
    SCENE_CLEAR,
};

/* Linear functions of the pixel position: value = a + dx * (x - reference_x) + dy * (y - reference_y). */
struct scene_plane4 {
    _Alignas(16) float a[4], dx[4], dy[4];
};
struct scene_plane2 {
    float a[2], dx[2], dy[2];
};

/*
 * An edge of a triangle over pixel indices: covered when c - dy * x + dx * y >= 0. dx and dy are the edge's deltas in
 * subpixels; c is the edge function at the centre of pixel (0,0) with the fill rule's bias, divided by 256 and floored.
 * This is exact because one pixel changes the function by a multiple of 256.
 */
struct scene_edge {
    int64_t c;
    int32_t dx, dy;
    int64_t inner; /* conservative: c of the edge moved inwards; a pixel is wholly inside if all three are >= 0 */
    int32_t low;   /* the division's remainder, 0..255: other sample positions start from 256 c + low */
};

/*
 * The edges of a small triangle: one whose bounds, before they are clipped, are at most RASTER_TILE_SIZE pixels each
 * way. Within these bounds its edge functions fit 32 bits, and their steps 16.
 */
struct scene_small {
    int32_t c[3];       /* at pixel (x, y): as in scene_edge; for coverage of samples: 256 c + low */
    int16_t step[3][2]; /* added for one pixel to the right, and one down */
    int32_t x, y;       /* first pixel of the bounds */
};

/* The outline that smoothing takes coverage from: up to four edges with full precision, or a circle. */
struct scene_smooth {
    unsigned edges; /* 0: the circle */
    struct {
        int64_t e; /* edge function at (0, 0), subpixels squared */
        int32_t dx, dy;
    } edge[4];
    int64_t x, y, radius; /* of the circle, subpixels */
    bool stippled;        /* a line: the gaps of the pattern are not covered */
    /* Steps of the pattern at a point (subpixels): phase + along[0] * (px - x) + along[1] * (py - y). */
    double phase, along[2];
};

/* The further data of a conservative primitive: the limit of extrapolation and the edges after the first three. */
struct scene_outline {
    float least_rhw; /* least 1/w that inputs are divided by (tile/conservative.c) */
    unsigned count;  /* of edges */
    struct scene_edge edge[];
};

/* The shape of a primitive that is neither a small triangle nor a rectangle. */
struct scene_shape {
    const struct scene_smooth *smooth;   /* alpha is scaled by coverage; NULL: no */
    const struct scene_outline *outline; /* NULL: not conservative */
    bool degenerate;                     /* conservative and without area: never inside */
    bool wide; /* conservative, with edge deltas too large for the tiles' arithmetic; `edge` holds them anyway */
    union {
        struct scene_edge edge[3];
        struct scene_line {
            int64_t x0, y0, x1, y1; /* subpixels, centre-shifted */
            int32_t first, last;    /* along the major axis: pixel columns or rows walked, inclusive */
            bool y_major;
            bool add_first; /* the pixel whose diamond holds the start is drawn */
            bool add_last;  /* likewise the end */
            bool drop_last; /* the pixel whose diamond holds the end is not drawn */
            int32_t first_x, first_y, last_x, last_y;
            int32_t width;    /* pixels along the minor axis, from the line's own on */
            uint32_t stipple; /* steps of the stipple pattern before the pixel at `origin` */
            int32_t origin;   /* along the major axis: the first pixel that the line takes */
        } line;
    };
};

/* Primitives whose bounds are their shape. */
enum scene_rectangle {
    SCENE_NO_RECTANGLE,
    SCENE_SQUARE,    /* of a point: its quads start where it starts, or anywhere */
    SCENE_RECTANGLE, /* two triangles: its quads start at even pixels, as theirs */
};

/*
 * Thousands of small triangles are written by one core and read by another, so the structure is short. The members read
 * first are in the first cache line, edges and the first input in the next.
 */
struct scene_primitive {
    const struct raster_draw_state *state;
    int32_t left, top, right, bottom; /* pixels that may be covered; right, bottom exclusive */
    float reference_x, reference_y;   /* pixel position (centre-relative) where planes have value a */
    uint8_t front_facing;
    uint8_t is_small;          /* a triangle whose edges are in `small_edges` */
    uint8_t is_rectangle;      /* enum scene_rectangle */
    uint8_t clipped : 1;       /* bounds of a small triangle were clipped: its edges may cover more */
    uint8_t stippled : 1;      /* the state's poly_stipple applies */
    uint8_t conservative : 1;  /* coverage is the outer one; `inner` of the edges holds */
    uint8_t same_colors : 1;   /* narrow states: all corners have the same colours */
    uint8_t unused : 4;        /* cleared too, so that the byte is written without being read from memory */
    uint16_t affine_inputs;    /* narrow states: bit i: input i is a coordinate in integers (raster_batch.affine) */
    uint16_t constant_inputs;  /* bit i: the planes of input i are constant */
    struct scene_plane2 depth; /* z and 1/w */
    union {
        struct scene_small small_edges;
        struct scene_shape *shape; /* NULL: a rectangle */
    };
    struct scene_plane4 input[]; /* those of the state */
};
_Static_assert(offsetof(struct scene_primitive, small_edges) <= 64, "the first line of the cache");

/* Depth bias where depth is eye w: constant + slope w^2, because the slope of w is that of 1/w times w^2. */
struct scene_w_bias {
    _Alignas(16) float constant;
    float slope;
};

/* The depth bias of a primitive whose state sets depth_from_w; others have none. It is stored after the planes of the
 * inputs. */
static inline struct scene_w_bias *scene_w_bias_of(const struct scene_primitive *primitive)
{
    return (struct scene_w_bias *)&primitive->input[primitive->state->input_count];
}

/* Bytes of a primitive without its shape. */
static inline size_t scene_primitive_bytes(const struct raster_draw_state *state)
{
    return sizeof(struct scene_primitive) + state->input_count * sizeof(struct scene_plane4) +
           (state->depth_from_w ? sizeof(struct scene_w_bias) : 0);
}

/* The outline that smoothing takes coverage from; NULL: alpha is unchanged. */
static inline const struct scene_smooth *scene_smooth_of(const struct scene_primitive *primitive)
{
    return primitive->is_small || !primitive->shape ? NULL : primitive->shape->smooth;
}

/* Where a pixel is sampled that has one sample: its centre, in px from there. */
static const float scene_pixel_centre[2] = {0.0f, 0.0f};

/* Is eye w the same everywhere? */
static inline bool scene_has_one_w(const struct scene_primitive *primitive)
{
    return primitive->depth.dx[1] == 0.0f && primitive->depth.dy[1] == 0.0f;
}

/* Eye w where the planes have their value a; everywhere, if it is the same everywhere. 1 / -0 must not be -infinity. */
static inline float scene_reference_w(const struct scene_primitive *primitive)
{
    return 1.0f / (primitive->depth.a[1] + 0.0f);
}

struct scene_clear {
    unsigned what; /* RASTER_CLEAR_* */
    struct raster_rect rect;
    uint8_t color_texel[RASTER_MAX_TARGETS][RASTER_TEXEL_BYTES]; /* in the target's format */
    float depth;                                                 /* 0..1 */
    uint32_t depth_value, depth_mask;                            /* in the format of the depth target */
};

/* A command in a tile's list. */
struct scene_command {
    const void *data;
    uint32_t kind;
    uint32_t edge_mask; /* triangles: bit i: edge i crosses this tile */
};
#define SCENE_NODE_COMMANDS 15
struct scene_node {
    struct scene_node *next;
    uint32_t count;
    struct scene_command command[SCENE_NODE_COMMANDS];
};

struct scene_bin {
    struct scene_node *first, *last;
    uint32_t nodes;
};

/* The bins of one chunk. */
struct scene_chunk {
    struct scene_bin *bins; /* tiles_x * tiles_y */
    uint64_t *touched;      /* bit t: bins[t] holds commands; other bins are undefined */
};

/* Memory of what one thread writes. */
struct scene_arena {
    struct scene_block *blocks; /* first block; kept across scenes */
    struct scene_block *current;
};

/* The states of a scene. raster/queue.c lists the transitions. */
enum scene_life {
    SCENE_CLOSED,  /* there are no targets: the scene accepts nothing */
    SCENE_EMPTY,   /* nothing has been given */
    SCENE_CLEARED, /* a clear of everything, and no other command */
    SCENE_COPIED,  /* the same, and its colour has been copied, charged like the flush that the copy saved */
    SCENE_FILLED,  /* other commands */
    SCENE_DRAWING, /* it waits for other threads or is drawn by them, and does not change */
};

struct scene {
    enum scene_life life;
    struct raster_targets targets;
    unsigned tiles_x, tiles_y;
    unsigned samples;           /* 1, or those of the targets */
    struct scene_chunk writing; /* the chunk that grows: the last one */
    struct scene_chunk *chunks; /* in the order of their commands */
    unsigned chunk_count;       /* used; the others have empty bins */
    unsigned chunk_room;        /* chunks that have bins */
    size_t bin_capacity;        /* tiles that each chunk has bins for */
    struct scene_arena arena;   /* of the thread that ends the scene */
    struct scene_arena *arenas; /* of the threads that write chunks; NULL: no thread has yet */
    unsigned arena_count;
    size_t bytes;       /* used in this scene */
    size_t started;     /* `bytes` when it was last found too small to be drawn by others */
    uint64_t pixels;    /* of the primitives' bounds since then */
    bool out_of_memory; /* something was dropped */
    struct scene_clear
        *last_clear; /* is the last command of all tiles while `bytes` is last_clear_end; NULL: none was */
    size_t last_clear_end;
    struct tile_depth
        *depth;         /* per tile, shared by the scenes of a raster; written by the worker that draws the tile */
    uint32_t epoch;     /* counts flushes of depth: what a tile keeps from an older epoch is void */
    bool flushes_depth; /* dirty blocks of depth are written back at the end of each tile */
};

/* The bytes of a state that are copied into the scene: of any state, and of one with stipple, colours of faces, depth
 * bounds or depth from w. */
#define SCENE_STATE_BYTES       offsetof(struct raster_draw_state, bounds_min)
#define SCENE_WHOLE_STATE_BYTES offsetof(struct raster_draw_state, viewport)
_Static_assert(SCENE_STATE_BYTES <= 256, "four lines of the cache");

static inline bool scene_has_whole_state(const struct raster_draw_state *state)
{
    return state->color_inputs || state->depth_bounds || state->rasterizer.poly_stipple_enable || state->depth_from_w;
}

/* The clear of everything, if the scene holds nothing else; otherwise NULL. */
static inline const struct scene_clear *scene_sole_clear(const struct scene *scene)
{
    const bool sole = scene->life == SCENE_CLEARED || scene->life == SCENE_COPIED;

    return sole && scene->bytes == scene->last_clear_end ? scene->last_clear : NULL;
}

/* Samples per pixel for coverage: those of the targets, or those that the state forces. */
static inline unsigned scene_samples(const struct scene *scene, const struct raster_draw_state *state)
{
    return scene->samples > 1 ? scene->samples : BASE_MAX(state->forced_samples, (uint8_t)1);
}

/* Does the line stipple pattern draw at that step? */
static inline bool scene_stipple_draws(const struct raster_state *rs, uint32_t step)
{
    return rs->line_stipple_pattern >> (step / (rs->line_stipple_factor + 1u) & 15) & 1;
}

/* The most that an edge's value can differ between a pixel's centre and a sample, which is up to half a pixel away on
 * each axis. */
static inline int64_t scene_edge_margin(const struct scene_edge *edge)
{
    const int64_t dx = edge->dx, dy = edge->dy;

    return ((dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy)) / 2 + 1;
}

/* scene_alloc when the current block is full: begins another one. */
void *scene_alloc_block(struct scene *scene, size_t bytes);
/* NULL when memory is short; the caller drops the primitive. Aligned to 16 bytes. */
static inline void *scene_alloc(struct scene *scene, size_t bytes)
{
    struct scene_block *block = scene->arena.current;

    bytes = (bytes + 15) & ~(size_t)15;
    BASE_ASSERT(!block || (block->used <= SCENE_BLOCK_BYTES && block->used % 16 == 0));
    if (!block || bytes > SCENE_BLOCK_BYTES - block->used)
        return scene_alloc_block(scene, bytes);
    void *p = block->bytes + block->used;
    block->used += bytes;
    scene->bytes += bytes;
    return p;
}
/* Room for more commands of a bin; NULL when memory is short. */
struct scene_node *scene_grow_bin(struct scene *scene, struct scene_bin *bin);
/* False when memory is short. */
static inline bool scene_bin_command(struct scene *scene, unsigned tile_x, unsigned tile_y,
                                     enum scene_command_kind kind, const void *data, uint32_t edge_mask)
{
    struct scene_bin *bin = &scene->writing.bins[tile_y * scene->tiles_x + tile_x];
    struct scene_node *node = bin->last;

    BASE_ASSERT(scene->life != SCENE_CLOSED && scene->life != SCENE_DRAWING);
    BASE_ASSERT(tile_x < scene->tiles_x && tile_y < scene->tiles_y && (!node || node->count <= SCENE_NODE_COMMANDS));
    if (!node || node->count == SCENE_NODE_COMMANDS)
        node = scene_grow_bin(scene, bin);
    if (!node)
        return false;
    node->command[node->count++] = (struct scene_command){data, kind, edge_mask};
    scene->life = SCENE_FILLED;
    return true;
}
/* Does the chunk hold commands for the tile of that number? */
static inline bool scene_chunk_touches(const struct scene_chunk *chunk, size_t tile)
{
    return chunk->touched[tile / 64] >> tile % 64 & 1;
}
/* Does any chunk? */
bool scene_touches(const struct scene *scene, size_t tile);
/* Commands for the tile of that number. */
size_t scene_tile_commands(const struct scene *scene, size_t tile);
/* Makes room for `count` chunks and one more after those in use, and for one arena per thread. False: memory is
 * short. */
bool scene_reserve(struct scene *scene, unsigned count, unsigned threads);
/* Sets up `part` to write the reserved chunk of that number with the arena of a thread. */
void scene_begin_chunk(struct scene *scene, struct scene *part, unsigned chunk, unsigned thread);
/* `part` has been written: returns its arena to the scene. */
void scene_end_chunk(struct scene *scene, const struct scene *part, unsigned thread);
/* The reserved chunks, `count` of them, follow the commands so far (true), or are emptied again. */
void scene_take_chunks(struct scene *scene, unsigned count, bool take);
/* Sets the targets, sizes the bins, empties the scene. False when memory is short: the scene is closed. */
bool scene_begin(struct scene *scene, const struct raster_targets *targets);
/* Empties the scene, which has targets; keeps its memory. */
void scene_reset(struct scene *scene);
void scene_free(struct scene *scene);

#endif
