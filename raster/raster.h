/* SPDX-License-Identifier: MIT */
/*
 * The rasterizer: takes primitives in window space and state, leaves pixels in targets. It contains no D3D.
 *
 * The front end (one thread, or a group of chunks: raster_run_group) sets up primitives and bins them into 64x64-pixel
 * tiles of a scene. Workers draw the tiles, at the latest in a flush. Inside a tile primitives keep their order, so the
 * result depends neither on the number of workers nor on the SIMD width. Targets, textures and programs named by state
 * must not change until the next flush has returned.
 *
 * Window space: x right, y down, pixels. Pixel centres are on integers (Direct3D 8/9) or at +0.5
 * (raster_state.half_pixel_center).
 */
#ifndef HALCYON_RASTER_H
#define HALCYON_RASTER_H

#include "base/base.h"
#include "raster/format/format.h"

#define RASTER_TILE_SIZE    64 /* pixels */
#define RASTER_LANES        64 /* fragments in a batch: four 4x4 groups */
#define RASTER_GROUP_LANES  16
#define RASTER_QUAD_LANES   4
#define RASTER_MAX_INPUTS   12 /* interpolated vec4 */
#define RASTER_MAX_TARGETS  4
#define RASTER_MAX_SAMPLERS 16
#define RASTER_MAX_SAMPLES  16
#define RASTER_AFFINE_ONE   (1 << 24)
#define RASTER_MAX_CORNERS  24   /* of a clipped triangle */
#define RASTER_MAX_SIZE     8192 /* width and height of a target in pixels */

/* Half the guard band in pixels: vertices handed to the rasterizer have |x|, |y| <= this. With it an
 * edge's deltas stay within 2^23 subpixels (16.8), so that edge values inside a tile that
 * the edge crosses fit 32 bits after dropping the constant low 8 (raster/setup/triangle.c derives it). */
#define RASTER_GUARD_BAND 16376.0f

/* --- targets ------ ---------------------------------------------------------- */

/*
 * A multisampled surface is stored in groups of 4x4 pixels, row by row, so that a small primitive touches few cache
 * lines. A group holds the 16 texels of sample 0, row by row, then those of sample 1, and so on. Groups at the right
 * and lower borders are whole; texels beyond the border are undefined.
 */
struct raster_surface {
    uint8_t *pixels; /* NULL: nothing is bound; RASTER_FORMAT_NULL: any address, never accessed */
    size_t pitch;    /* bytes of a row of pixels; multisampled: of a row of groups */
    unsigned width, height;
    enum raster_format format;
    unsigned samples; /* 2, 4, 8 or 16; 0 or 1: not multisampled */
};

/* The position of a sample in its pixel, from the centre in 1/16 px. Source: docs/reference/rasterization.md, section
 * 11. */
struct raster_sample_position {
    int16_t x, y;
};
const struct raster_sample_position *raster_sample_positions(unsigned samples);

/* The pitch of a multisampled surface without gaps, and the bytes of all of it. */
size_t raster_samples_pitch(enum raster_format format, unsigned width, unsigned samples);
uint64_t raster_samples_bytes(enum raster_format format, unsigned width, unsigned height, unsigned samples);

/* The texels of a sample in the group of a multisampled surface that pixel (x, y) lies in; bytes: of a texel. */
static inline uint8_t *raster_sample_group(const struct raster_surface *surface, unsigned sample, unsigned x,
                                           unsigned y, unsigned bytes)
{
    return surface->pixels + y / 4 * surface->pitch +
           ((size_t)(x / 4) * surface->samples + sample) * (RASTER_GROUP_LANES * bytes);
}
/* One texel of a multisampled surface. */
static inline uint8_t *raster_sample_texel(const struct raster_surface *surface, unsigned sample, unsigned x,
                                           unsigned y)
{
    const unsigned bytes = raster_format_info(surface->format)->block_bytes;

    return raster_sample_group(surface, sample, x, y, bytes) + (size_t)(y % 4 * 4 + x % 4) * bytes;
}

/* One sample of a row of pixels of a multisampled surface, to memory and back. */
void raster_read_samples(const struct raster_surface *surface, unsigned sample, unsigned y, uint8_t *to);
void raster_write_samples(const struct raster_surface *surface, unsigned sample, unsigned y, const uint8_t *from);

/* Resolves a multisampled surface into single-sample memory of the same format (colours: the average; depth: sample 0),
 * and the reverse: every sample gets the pixel. For depth and formats of at most 8 bits a channel. */
void raster_resolve(const struct raster_surface *surface, uint8_t *pixels, size_t pitch);
void raster_splat_samples(const struct raster_surface *surface, const uint8_t *pixels, size_t pitch);

struct raster_targets {
    struct raster_surface color[RASTER_MAX_TARGETS];
    struct raster_surface depth;
};

/* --- fragments ------------------------------------------------------------------ */

/*
 * A batch of fragments in SoA form: up to sixteen 2x2 quads, each from one primitive. Lanes 4q..4q+3 are quad q:
 * (0,0) (1,0) (0,1) (1,1). Quads come from 4x4 groups, whose lane l has bits 0, 2 of l as x and bits 1, 3 as y (Morton
 * order); those without fragments are left out. Lanes outside `covered` but inside a quad that has fragments are helper
 * pixels: they are interpolated and shaded (for derivatives) and never stored.
 */
struct raster_batch {
    void *scratch;        /* RASTER_SCRATCH_BYTES, aligned to 64; NULL: the program finds room itself */
    bool again;           /* the same program has run over this batch before, and scratch is unchanged since */
    uint64_t covered;     /* bit l: lane l is a fragment */
    uint64_t inner;       /* bit l: the whole pixel lies inside its primitive (if inner_coverage); 0 on helpers */
    unsigned group_count; /* 16 lanes each: 1..4; lanes after them are undefined */
    uint8_t front_facing[RASTER_LANES / RASTER_QUAD_LANES];
    /* Narrow states (raster/narrow.h): color[0] and inputs that are colours are pixels of 16-bit numbers. Bit i of
     * `affine`: input i is a coordinate in integers, in units of 1 / RASTER_AFFINE_ONE. */
    uint16_t affine;
    bool is_block;                                       /* the lanes are those of an 8x8 block of one primitive */
    uint8_t pass_through_input;                          /* 1 + the input that is interpolated into color[0]; 0: none */
    uint8_t pass_through_components;                     /* the components of it that are */
    _Alignas(64) float x[RASTER_LANES], y[RASTER_LANES]; /* pixel index; if program_reads_position */
    _Alignas(64) float z[RASTER_LANES];                  /* depth as the depth buffer takes it, 0..1 */
    /* Eye w (1 / interpolated 1/w) if fog_from_w; else, with table fog only, window z before clamping to 0..1. */
    _Alignas(64) float w[RASTER_LANES];
    _Alignas(64) float input[RASTER_MAX_INPUTS][4][RASTER_LANES];
    /* written by the pixel program */
    _Alignas(64) float color[RASTER_MAX_TARGETS][4][RASTER_LANES]; /* r, g, b, a */
    /* the same as words of the target's format, if only words are stored */
    _Alignas(64) uint32_t packed[RASTER_MAX_TARGETS][RASTER_LANES];
};

/* Memory of a worker for the pixel program's own use. It is not on the stack because some systems (Windows) require
 * stack pages to be probed one by one, here for each batch. */
#define RASTER_SCRATCH_BYTES (80u << 10)

/* The pixel program, provided by shader/. Reads inputs, writes color[], clears bits of `covered` for killed fragments.
 * Called from several threads at once. */
typedef void (*raster_shade_fn)(const void *program, struct raster_batch *batch);

struct narrow_planes;
struct raster_draw_state;
struct raster_surface;

/* An 8x8 block and its target. */
struct raster_block {
    const struct raster_draw_state *state;
    const struct raster_surface *target;
    int x, y;                           /* its first pixel */
    uint64_t mask;                      /* bit l: lane l is stored; lanes as in a batch of the four 4x4 groups */
    const struct narrow_planes *planes; /* of its inputs */
};
/* Shades, blends and stores a block in one call. The batch holds its inputs, except for coordinates in integers. False:
 * nothing was stored, and the caller has to use `shade` and the store function of the target. Called from several
 * threads at once. */
typedef bool (*raster_block_fn)(const void *program, const struct raster_block *block, struct raster_batch *batch);

/* --- state ------------------------------------------------------------------------ */

enum raster_compare { /* D3DCMP - 1: bit 0 less, bit 1 equal, bit 2 greater */
                      RASTER_NEVER,
                      RASTER_LESS,
                      RASTER_EQUAL,
                      RASTER_LEQUAL,
                      RASTER_GREATER,
                      RASTER_NOTEQUAL,
                      RASTER_GEQUAL,
                      RASTER_ALWAYS,
};
enum raster_stencil_op { /* D3DSTENCILOP - 1 */
                         RASTER_KEEP,
                         RASTER_ZERO,
                         RASTER_REPLACE,
                         RASTER_INCR_SAT,
                         RASTER_DECR_SAT,
                         RASTER_INVERT,
                         RASTER_INCR,
                         RASTER_DECR,
};
enum raster_blend_factor { /* D3DBLEND - 1 */
                           RASTER_BLEND_ZERO,
                           RASTER_BLEND_ONE,
                           RASTER_BLEND_SRC_COLOR,
                           RASTER_BLEND_INV_SRC_COLOR,
                           RASTER_BLEND_SRC_ALPHA,
                           RASTER_BLEND_INV_SRC_ALPHA,
                           RASTER_BLEND_DST_ALPHA,
                           RASTER_BLEND_INV_DST_ALPHA,
                           RASTER_BLEND_DST_COLOR,
                           RASTER_BLEND_INV_DST_COLOR,
                           RASTER_BLEND_SRC_ALPHA_SAT,
                           RASTER_BLEND_BOTH_SRC_ALPHA,
                           RASTER_BLEND_BOTH_INV_SRC_ALPHA,
                           RASTER_BLEND_CONST_COLOR,
                           RASTER_BLEND_INV_CONST_COLOR,
};
enum raster_blend_op { /* D3DBLENDOP - 1 */
                       RASTER_BLEND_ADD,
                       RASTER_BLEND_SUBTRACT,
                       RASTER_BLEND_REVSUBTRACT,
                       RASTER_BLEND_MIN,
                       RASTER_BLEND_MAX,
};
enum raster_fill { RASTER_FILL_POINT, RASTER_FILL_LINE, RASTER_FILL_SOLID }; /* D3DFILL - 1 */
enum raster_cull { RASTER_CULL_NONE, RASTER_CULL_FRONT, RASTER_CULL_BACK, RASTER_CULL_BOTH };
enum raster_sprite_mode { RASTER_SPRITE_UPPER_LEFT, RASTER_SPRITE_LOWER_LEFT };
enum raster_conservative { RASTER_CONSERVATIVE_OFF, RASTER_CONSERVATIVE_POST_SNAP, RASTER_CONSERVATIVE_PRE_SNAP };
/* Coverage as an input of the program. INPUT: the samples that are shaded, after the sample mask: bits 0..7 / 255, bits
 * 8..15 / 255, 0, their share of all samples. INNER: (1, 1, 1, 1) or 0 (batch.inner). Helper pixels get 0. */
enum raster_coverage { RASTER_COVERAGE_NONE, RASTER_COVERAGE_INPUT, RASTER_COVERAGE_INNER };
enum raster_interpolation { RASTER_PERSPECTIVE, RASTER_FLAT };
enum raster_fog_mode { RASTER_FOG_OFF, RASTER_FOG_VERTEX, RASTER_FOG_LINEAR, RASTER_FOG_EXP, RASTER_FOG_EXP2 };

/* Every field of Mesa's gallium rasterizer state (docs/reference/rasterization.md, section 12) under its own name.
 * raster/ implements all fields that need pixels. hal/ implements flatshade and flatshade_first (`provoking`),
 * clip_halfz, depth_clip_* and clip_plane_enable (hal/vertex/clip.c) and point_size_per_vertex (the size passed to
 * raster_point). Smoothing multiplies alpha by coverage if there is one sample or `multisample` is off. Conservative
 * mode ignores smoothing and line stipple, but not polygon stipple. */
struct raster_state {
    bool clamp_vertex_color, clamp_fragment_color;
    bool flatshade; /* see `interpolation`: the front end copies the provoking vertex's values */
    bool flatshade_first;
    bool light_twoside;
    bool front_ccw;                /* front = counter-clockwise on the screen */
    uint8_t cull_mode;             /* enum raster_cull */
    uint8_t fill_front, fill_back; /* enum raster_fill */
    bool poly_stipple_enable, poly_smooth;
    bool offset_point, offset_line, offset_tri;
    bool offset_units_unscaled; /* units are depth, not multiples of the format's resolution */
    bool line_smooth;
    bool line_stipple_enable;
    bool line_last_pixel;
    uint8_t sprite_coord_mode; /* enum raster_sprite_mode */
    bool point_quad_rasterization, point_tri_clip, point_smooth, point_size_per_vertex;
    bool scissor;
    bool multisample;
    bool half_pixel_center;
    bool bottom_edge_rule;
    bool clip_halfz, depth_clip_near, depth_clip_far, depth_clamp;
    uint8_t conservative_raster_mode;                   /* enum raster_conservative */
    uint8_t subpixel_precision_x, subpixel_precision_y; /* bits; from 8 on 8, or 7 where |x|, |y| exceed 8190 px */
    uint16_t line_stipple_pattern, line_stipple_factor; /* factor: repeat - 1 */
    float offset_units, offset_scale, offset_clamp;
    float line_width;             /* pixels; rounded to an integer, 1..256, for aliased lines */
    uint32_t sprite_coord_enable; /* bit i: input i gets sprite coordinates on points */
    float point_size;             /* pixels */
    uint32_t clip_plane_enable;
    float conservative_raster_dilate;
};

struct raster_rect {
    int left, top, right, bottom; /* pixels; right and bottom exclusive */
};

struct raster_stencil {
    bool enable;
    uint8_t func, fail, zfail, pass; /* enum raster_compare, enum raster_stencil_op */
    uint8_t ref, mask, write_mask;
};

struct raster_blend {
    bool enable;
    uint8_t src_color, dst_color, op_color, src_alpha, dst_alpha, op_alpha;
    float constant[4];
};

/* A pass-through program only writes colour 0 and only copies to it. Component c in `copied` is that of the input if
 * bit c of `components` is set, else constant[c]; either is clamped to 0..1 on demand. */
struct raster_pass_through {
    uint8_t copied; /* bit 0 red .. bit 3 alpha; 0: no pass-through program */
    uint8_t input, components;
    float constant[4];
};

/* The state of a draw, apart from vertices. Plain data, compared as bytes, so clear it with memset before filling it.
 * Each change is copied from the front end's core to the cores that draw, so the structure is packed and rarely read
 * members come last. */
struct raster_draw_state {
    /* pixel program */
    const void *program;
    raster_shade_fn shade;
    raster_block_fn shade_block; /* narrow states; may be NULL. Code that replaces `shade` sets it to NULL */
    struct raster_state rasterizer;
    bool depth_test, depth_write;
    bool depth_bounds;             /* nothing changes where the stored depth lies outside the bounds */
    bool depth_from_w;             /* W buffering: depth is not window z but eye w in its range (w_near) */
    uint8_t depth_func;            /* enum raster_compare */
    bool narrow;                   /* colours have 16 bits (narrow.h): so do those of `shade`; only target 0 exists */
    uint16_t narrow_inputs;        /* then bit i: input i is a colour */
    struct raster_stencil stencil; /* of front faces if two_sided_stencil, else of all primitives */
    struct raster_stencil stencil_back;
    bool two_sided_stencil;
    bool alpha_test;
    uint8_t alpha_func, alpha_ref;
    uint8_t color_write_mask[RASTER_MAX_TARGETS]; /* R1 G2 B4 A8 */
    struct raster_blend blend;
    uint16_t sample_mask;   /* bit s: sample s is written; of single-sample targets only if samples are forced */
    uint16_t color_inputs;  /* bit i: input i is a colour: clamp_vertex_color and light_twoside apply */
    bool dither;            /* of channels with less than 8 bits, by a pattern of 4x4 pixels */
    bool srgb_write;        /* colours become sRGB before blending, on targets with 8 bits a channel */
    bool alpha_to_coverage; /* multisampled targets: alpha of target 0 says how many samples are drawn */
    /* Fog, after the program. VERTEX: factor is input[fog_input].x; else the coordinate is batch.w. */
    uint8_t fog_mode; /* enum raster_fog_mode */
    bool fog_from_w;
    uint8_t fog_input;
    bool inner_coverage; /* batch.inner is wanted (conservative rasterization, tier 3) */
    uint8_t coverage;    /* enum raster_coverage: input `coverage_input` of the program is this, not of vertices */
    uint8_t coverage_input;
    /* Target-independent rasterization: coverage has this many samples a pixel although targets have one, and there are
     * no depth and stencil tests. 0, 1: off. Not for multisampled targets. */
    uint8_t forced_samples;
    bool program_reads_position;     /* batch.x and batch.y are wanted */
    bool program_reads_inputs_alone; /* equal inputs give equal colours */
    bool program_records;            /* some of its samplers have feedback maps */
    bool program_kills;              /* may clear `covered`, so depth is tested after it */
    bool program_writes_depth;       /* the program replaces batch.z, for all samples; `program_kills` is set too */
    uint8_t input_count;
    struct raster_pass_through pass_through;
    uint32_t cost, sample_cost; /* of a pixel, and of each of its samples, in units of raster_set_budget; both 0: 1 */
    float fog_color[3], fog_start, fog_end, fog_density;
    float depth_min, depth_max;               /* conservative rasterization extrapolates depth and clamps it to these */
    uint8_t interpolation[RASTER_MAX_INPUTS]; /* enum raster_interpolation */
    uint8_t input_mask[RASTER_MAX_INPUTS];    /* components the program reads: bit 0 x .. bit 3 w */
    /* The copy in the scene has the next members only if color_inputs, depth_bounds, poly_stipple_enable or
     * depth_from_w is set, */
    float bounds_min, bounds_max;          /* 0..1 */
    uint8_t back_input[RASTER_MAX_INPUTS]; /* of colour i: the input with the back face's colour */
    /* Depth from w: (w - w_near) * w_scale clamped to 0..1, in eye units. The rasterizer's offsets apply to the result;
     * its slope is that of w at each pixel. */
    float w_near, w_scale;
    uint32_t poly_stipple[32]; /* row y & 31, bit x & 31 (of the pixel): drawn if set */
    /* and never the last two. */
    struct raster_rect viewport; /* nothing is drawn outside it */
    struct raster_rect scissor;  /* in effect if rasterizer.scissor */
};

/* --- vertices ----------------------------------------------------------------------- */

struct raster_vertex {
    float x, y; /* pixels, after the viewport transform */
    float z;    /* 0..1 */
    float rhw;  /* 1 / clip w, > 0 */
    float input[RASTER_MAX_INPUTS][4];
};

/* A position on the subpixel grid, where coverage is exact. */
struct raster_snapped {
    int32_t x, y; /* subpixels, centre-shifted: the centre of pixel i is at 256 i + 128 */
};

/* --- the rasterizer ------------------------------------------------------------------ */

struct raster;

struct raster_statistics {             /* since raster_create */
    uint64_t triangles, lines, points; /* given */
    uint64_t binned;                   /* primitives that reached a bin */
    uint64_t fragments;                /* passed all tests, with one sample or more */
    uint64_t samples;                  /* of fragments, each that passed; without multisampling, one per fragment */
    uint64_t flushes;
    double busy; /* seconds of drawing tiles, summed over all threads */
};

/* threads: 1..64 including the caller. NULL without memory. */
struct raster *raster_create(enum cpu_level level, unsigned threads);
void raster_destroy(struct raster *raster);

/* For tests: scenes also end at pseudo-random places derived from the seed, not only when they are large or threads are
 * idle. The pixels must not depend on it. 0: off, as in a new raster. */
void raster_split_scenes(struct raster *raster, uint32_t seed);

/* From now on appends the cost of each part of the work to the file (raster/trace.h). For a raster of one thread. */
void raster_trace(struct raster *raster, const char *path);
/* For that record: the work that follows is a chunk of a draw, which any thread could do (true), or belongs to the
 * front end. */
void raster_trace_part(struct raster *raster, bool chunk);

/* Reports to the watch what threads do from now on (raster/watch.h); it must outlive the raster. NULL: no watch, as in
 * a new raster. Nothing may be waiting to be drawn. */
struct raster_watch;
void raster_watch(struct raster *raster, const struct raster_watch *watch);

/* Has anything been dropped for lack of memory since the last call? Resets the answer. */
bool raster_take_out_of_memory(struct raster *raster);
/* Is the budget used up, or has something been dropped for lack of memory since raster_take_out_of_memory? */
bool raster_is_short(const struct raster *raster);

/* Reads a colour target without a flush, if the scene holds nothing but one clear of everything. `pixels`, `width` and
 * `height` identify the target, which has one sample. Returns the texel (RASTER_TEXEL_BYTES) of all its pixels and
 * charges the budget for a flush, once for each clear. The clear stays in the scene. False: the scene is empty or holds
 * anything else; nothing is charged. */
bool raster_copy_clear(struct raster *raster, const uint8_t *pixels, unsigned width, unsigned height, uint8_t *texel);

/* Sets the targets for everything that follows; flushes when they change. False: out of memory; nothing is drawn until
 * targets are set again. */
bool raster_set_targets(struct raster *raster, const struct raster_targets *targets);

/* Sets the state of the primitives that follow. Copied. Cheap when equal to the last one. */
void raster_set_state(struct raster *raster, const struct raster_draw_state *state);

/* Topologies, as far as flat shading distinguishes them. */
enum raster_topology {
    RASTER_POINTS_AND_LISTS, /* points, lines, triangles, their lists and strips */
    RASTER_TRIANGLE_FAN,
    RASTER_QUADS, /* and strips of them */
    RASTER_POLYGON,
};
/* Which of a primitive's corners (in the order of its topology; fans: centre first) is the provoking one: the first or,
 * without flatshade_first, the last. A fan's first is its second corner, so that each of its triangles has its own; a
 * quad's is always the last, a polygon's always the first. Source: gallium rasterizer document, "flatshade_first". */
unsigned raster_provoking_corner(enum raster_topology topology, unsigned corners, bool flatshade_first);

/* Flat inputs take their value from the vertex `provoking` points to. A and B of an edge must be given with identical
 * bits by all primitives that share it. edge_flags (bit 0: v0-v1, 1: v1-v2, 2: v2-v0) say which edges are drawn when
 * the fill mode is line. RASTER_OUTLINE_GOES_ON: the edges continue an outline that has begun already
 * (raster_begin_strip), because the triangle is one of several that clipping made of another. */
enum { RASTER_ALL_EDGES = 7, RASTER_OUTLINE_GOES_ON = 8 };
void raster_triangle(struct raster *raster, const struct raster_vertex *v0, const struct raster_vertex *v1,
                     const struct raster_vertex *v2, const struct raster_vertex *provoking, unsigned edge_flags);
/* Snaps the positions of vertices to 16.8, by the current state. */
void raster_snap(const struct raster *raster, const struct raster_vertex *vertices, size_t count,
                 struct raster_snapped *snapped);
/* raster_triangle for count triangles, all edges drawn. vertices[corners[0]], [1], [2] are the corners of the first
 * triangle, of which the first is provoking, and so on. snapped: the vertices' positions from raster_snap. */
void raster_triangles(struct raster *raster, const struct raster_vertex *vertices, const struct raster_snapped *snapped,
                      const uint32_t *corners, size_t count);
/* Largest coordinate of a polygon's corner, in pixels: RASTER_GUARD_BAND computed in floats, with room for their
 * rounding. */
#define RASTER_POLYGON_BAND 16380.0

/* A triangle in conservative mode that needs positions more exact than 32-bit floats, or what clipping left of a
 * triangle: a convex polygon with its corners in the triangle's order. */
struct raster_polygon {
    unsigned count; /* 1..RASTER_MAX_CORNERS; one or two corners: only a point or a line is left */
    /* Pixels, clamped to RASTER_POLYGON_BAND. Each true coordinate lies within `error` (>= 0, pixels) of these; where
     * the error may have changed the rounding to 16.8, the uncertainty region grows by it. */
    double x[RASTER_MAX_CORNERS], y[RASTER_MAX_CORNERS], error;
    const struct raster_vertex *vertex[RASTER_MAX_CORNERS]; /* values at the corners; x and y are ignored */
    /* Facing and degeneracy are those of the triangle. `whole`: nothing was cut off, and they follow from the snapped
     * corners. Else they follow from the triangle's vertices, `placed` (pixels, x and y), if all of them have a
     * position on the screen that the grid can hold, else from `turn`: > 0 clockwise on the screen, < 0
     * counter-clockwise, 0 degenerate. */
    bool whole, placed;
    double own[3][2];
    int turn;
    const struct raster_vertex *provoking; /* the triangle's; a degenerate one takes all inputs from it */
};
/* Draws a polygon as one shape: each pixel once, inner if the whole pixel lies inside. */
void raster_polygon(struct raster *raster, const struct raster_polygon *polygon);
/* Does the polygon face front, by the current state? Degenerate polygons face back. */
bool raster_polygon_front_facing(const struct raster *raster, const struct raster_polygon *polygon);
/* Does the triangle face front after snapping, by the current state? Degenerate triangles face back. */
bool raster_front_facing(const struct raster *raster, const struct raster_vertex *v0, const struct raster_vertex *v1,
                         const struct raster_vertex *v2);
/* Does the triangle have an area after snapping? Without area it covers no pixel, unless the current state draws it
 * conservatively in tier 2 or 3; then the result is true. */
bool raster_has_area(const struct raster *raster, const struct raster_vertex *v0, const struct raster_vertex *v1,
                     const struct raster_vertex *v2);
/* Begins a line, a strip of lines or an outline: the next line starts the stipple pattern at its first bit. */
void raster_begin_strip(struct raster *raster);
/* last_segment: draw the end pixel if the state's line_last_pixel says so (false inside strips). The stipple pattern
 * continues from the previous line, one step for each pixel of that line (for each pixel of length, if it was smooth),
 * until raster_begin_strip. Source: OpenGL 2.1 specification, 3.4.2, "Line Stipple"; glLineStipple's manual page. */
void raster_line(struct raster *raster, const struct raster_vertex *v0, const struct raster_vertex *v1,
                 const struct raster_vertex *provoking, bool last_segment);
/* The ends of a line before clipping, in pixels like vertices; for an end behind the eye, the clipped end. */
struct raster_line_span {
    float x0, y0, x1, y1;
};
/* raster_line for the part of `whole` that clipping left, v0 to v1; the stipple pattern also counts the parts cut
 * off. */
void raster_clipped_line(struct raster *raster, const struct raster_vertex *v0, const struct raster_vertex *v1,
                         const struct raster_vertex *provoking, bool last_segment,
                         const struct raster_line_span *whole);
/* raster_clipped_line for a line that is clipped completely: only advances the stipple pattern. */
void raster_hidden_line(struct raster *raster, const struct raster_line_span *whole);
/* size: width and height in pixels. */
void raster_point(struct raster *raster, const struct raster_vertex *v, float size);
/* Draws a convex part of a point: corners in sprite coordinates, (0, 0) top left to (1, 1). */
void raster_point_part(struct raster *raster, const struct raster_vertex *v, float size, const float (*corners)[2],
                       unsigned count);

/* SRGB goes with COLOR: the colour becomes sRGB on targets with 8 bits a channel. */
enum { RASTER_CLEAR_COLOR = 1, RASTER_CLEAR_DEPTH = 2, RASTER_CLEAR_STENCIL = 4, RASTER_CLEAR_SRGB = 8 };
/* Clears, in order with the primitives. `rect` is clipped to the targets. color: 0xAARRGGBB. */
void raster_clear(struct raster *raster, unsigned what, const struct raster_rect *rect, uint32_t color, float depth,
                  uint32_t stencil);

/* Draws everything given so far; returns when the targets hold it. */
void raster_flush(struct raster *raster);
/* raster_flush for readers of anything except depth: the depth target's memory may be out of date (dirty blocks) until
 * raster_flush and must not be read or written before. Returns whether it is. Setting other colour targets of the same
 * size with the same depth needs no more than this. */
bool raster_flush_colors(struct raster *raster);
/* Waits until the other threads have drawn all scenes that they were given. Has no visible effect: the scene being
 * filled stays, and no budget is charged. */
void raster_wait(struct raster *raster);
/* Gives everything so far to the other threads without waiting. True if raster_flush_colors would not wait for them
 * either: everything is drawn, or the caller will draw the rest itself because it is small or there are no other
 * threads. */
bool raster_advance(struct raster *raster);

/*
 * Limits the work of callers: the pixels that primitives and clears can touch, at the state's cost, plus whatever the
 * caller charges itself. The unit is about a picosecond of one core. When the budget is used up, primitives and clears
 * are dropped until a new budget is set. A new raster has no limit.
 */
void raster_set_budget(struct raster *raster, uint64_t units);
/* Returns the rest of the budget. */
uint64_t raster_get_budget(const struct raster *raster);
/* Charges the budget. False: it is used up. */
bool raster_spend(struct raster *raster, uint64_t units);

/* --- geometry on several threads (docs/threads.md) ----------------------------------------- */

/* The most chunks in a group. */
#define RASTER_MAX_CHUNKS 64

/* Gives the primitives of a chunk to `raster`, which has the current state and counts the cost of primitives and
 * raster_spend, but has no limit of its own. Called from any thread, several at once; `thread` is the number of the
 * calling thread, below raster_thread_count. False: out of memory. */
typedef bool raster_chunk_fn(void *argument, struct raster *raster, unsigned chunk, unsigned thread);

/* Threads that may run chunks at once; 1: only the caller. */
unsigned raster_thread_count(const struct raster *raster);

/* Is any thread without work? If not, a group would only take threads away from tiles. */
bool raster_has_idle_threads(const struct raster *raster);

/* Runs parts 0 .. count - 1, at most RASTER_MAX_CHUNKS, on all threads, and returns when all have run. For work that
 * draws nothing. */
void raster_share(struct raster *raster, unsigned count, void (*run)(void *argument, unsigned part, unsigned thread),
                  void *argument);

/* Runs chunks 0 .. count - 1 on all threads, and returns when all have run. True: their primitives follow those given
 * before, in the order of the chunks' numbers, and have been charged to the budget. False: nothing is drawn or charged,
 * because there are no other threads, the budget is too small, or memory is short; the caller then gives all primitives
 * again itself, in order. */
bool raster_run_group(struct raster *raster, unsigned count, raster_chunk_fn *run, void *argument);

void raster_get_statistics(const struct raster *raster, struct raster_statistics *statistics);

#endif
