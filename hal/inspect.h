/* SPDX-License-Identifier: MIT */
/*
 * The view that the frame debugger (inspect/) has of the driver: the only way in, together with the observer of draws
 * (hal/observer.h). All answers are copies, as plain data; pointers to contexts, draws and resources are only passed on.
 * Of the debugger, only hal/inspect/ reads or writes members of the driver's structures, so these may change.
 *
 *   driver     its contexts, counters and threads, between two calls
 *   states     a copy of everything that a context's stream has set
 *   resources  surfaces and buffers: their shape, samples and texels
 *   draws      the vertices, primitives and pixel state of a draw, for its observer
 *   probes     parts of a draw drawn with other tests or another program, and then as the draw has them
 *
 * The driver pays nothing for any of this while nobody asks. Nothing here is called by the driver, and the dlls do not
 * contain it (hal/inspect/ is part of the tools). The driver itself only tests the pointer to its observer, once for
 * each draw and once for each piece of a draw.
 *
 * The debugger calls these functions between two calls of the driver or, where they say so, in an observer; always on
 * the thread that calls the driver. Only the functions of a watch and of a probe's program are called by other threads.
 * Flushes cost work and count in statistics.
 */
#ifndef HALCYON_HAL_INSPECT_H
#define HALCYON_HAL_INSPECT_H

#include "hal/flush.h"
#include "hal/observer.h"
#include "hal/state/state.h"
#include "hal/vertex/outcode.h"
#include "raster/format/format.h"
#include "raster/watch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hal_context;
struct hal_draw;
struct hal_driver;
struct hal_resource;

#define HAL_INSPECT_SAMPLES  16 /* of a pixel, at most */
#define HAL_INSPECT_TARGETS  4  /* of colour, of a draw */
#define HAL_INSPECT_SAMPLERS 16 /* of a pixel program */
#define HAL_INSPECT_INPUTS   12 /* of a pixel program, four floats each */
#define HAL_INSPECT_STREAMS  HAL_MAX_STREAMS
#define HAL_INSPECT_PLANES   6  /* of the user */
#define HAL_INSPECT_LANES    64 /* pixels that a program runs over at once */

/* --- the driver (its root: ddi/root.h) ------------------------------------------------------------- */

/* The context of a handle as the driver gave it out; NULL: there is none. */
struct hal_context *hal_inspect_context(struct hal_driver *driver, uint32_t handle);
/* Sets the observer of all draws that follow; it must outlive them. NULL: none. */
void hal_inspect_observe(struct hal_driver *driver, const struct hal_observer *observer);
/* Draws everything that contexts have deferred; depth: writes depth buffers back, too. */
void hal_inspect_flush(struct hal_driver *driver, bool depth);
/* hal_inspect_flush without depth; and waits until everything that was queued for presenting is done. */
void hal_inspect_finish(struct hal_driver *driver);

/* Has memory run out since the last time, so that the driver drew less than it was told, or in another way than it
 * would have? Calls may have said so. */
bool hal_inspect_take_out_of_memory(struct hal_driver *driver);

/* How many threads draw for contexts that are created from now on, the calling one included. */
unsigned hal_inspect_threads(const struct hal_driver *driver);
void hal_inspect_set_threads(struct hal_driver *driver, unsigned threads);
/* Reports to the watch what threads of contexts do that are created from now on; it must outlive these. NULL: no
 * watch, which holds for existing contexts, too; nothing may be waiting to be drawn. */
void hal_inspect_watch(struct hal_driver *driver, const struct raster_watch *watch);

/* Work of the rasterizer so far. */
struct hal_inspect_work {
    double busy;         /* seconds of drawing tiles, of all threads together */
    uint64_t primitives; /* given to it, after clipping */
    uint64_t fragments;  /* that passed all tests */
};
/* The work of one context, also from inside a draw; the work of all contexts. */
struct hal_inspect_work hal_inspect_work(const struct hal_context *context);
struct hal_inspect_work hal_inspect_work_of_all(const struct hal_driver *driver);

/* Scenes and machine code of a driver so far. */
struct hal_inspect_counts {
    uint64_t scenes[HAL_FLUSH_COUNT]; /* drawn, by reason */
    uint32_t programs;                /* that have machine code now */
    uint64_t code_bytes;              /* of it */
    uint64_t made;                    /* programs that machine code was generated for */
    double seconds;                   /* spent on that */
};
void hal_inspect_counts(const struct hal_driver *driver, struct hal_inspect_counts *counts);

/* The surfaces that a context draws to; NULL: none. */
struct hal_inspect_bound {
    struct hal_resource *color[HAL_INSPECT_TARGETS], *depth;
};
void hal_inspect_bound(const struct hal_context *context, struct hal_inspect_bound *bound);

/* --- surfaces and buffers ------------------------------------------------------------------------------------- */

struct hal_inspect_surface {
    uint32_t d3d_format;           /* D3DFORMAT or FOURCC */
    enum raster_format format;     /* layout of its texels */
    unsigned width, height, depth; /* texels; of buffers: bytes, 1, 1 */
    size_t bytes;                  /* of its memory */
    unsigned samples;              /* 2 to 16; 0: not multisampled */
    unsigned faces;                /* 6: of a cube, if this is its first level */
    bool is_volume, is_buffer;
    bool has_pixels; /* false: nothing is ever stored (D3DFMT "NULL") */
};

/* The driver's surface or buffer of a DirectDraw surface (DDRAWI_DDRAWSURFACE_LCL *); NULL: the driver does not know it. */
struct hal_resource *hal_inspect_find_resource(const void *lcl);
/* The DirectDraw surface (DDRAWI_DDRAWSURFACE_LCL *) of a driver's resource. */
const void *hal_inspect_owner(const struct hal_resource *resource);
void hal_inspect_surface(const struct hal_resource *resource, struct hal_inspect_surface *out);

/* A level that lies in the memory of this surface. */
struct hal_inspect_level {
    unsigned width, height;            /* texels */
    size_t offset, pitch, slice_pitch; /* bytes, from the first texel of the surface */
};
/* level: 0, or of a lightweight MIP map one of those below. False if the level does not exist, or for a buffer. */
bool hal_inspect_level(const struct hal_resource *resource, unsigned level, struct hal_inspect_level *out);

/* Bytes of all samples of a multisampled surface; 0: it is not one. */
size_t hal_inspect_samples_bytes(struct hal_resource *resource);
/* All samples: of sample 0 all rows without gaps, then those of sample 1, and so on. Draws what the surface waits
 * for. */
void hal_inspect_read_samples(struct hal_resource *resource, uint8_t *samples);
/* From then on the pixels are derived from these samples. */
void hal_inspect_write_samples(struct hal_resource *resource, const uint8_t *samples);

/* The texels of one pixel: one for each sample, of a surface without samples the first alone. */
struct hal_inspect_texels {
    enum raster_format format; /* RASTER_FORMAT_NONE: no surface, so there are none */
    unsigned samples;          /* 0 or 1: not multisampled */
    uint8_t bytes[HAL_INSPECT_SAMPLES][16];
};
/* Reads the pixel (x, y), and draws what the surface waits for. False, and no texels: it is a buffer, compressed or
 * without pixels, or has no such pixel; or memory ran out (hal_inspect_take_out_of_memory). resource: may be NULL: no
 * texels. */
bool hal_inspect_read_texels(struct hal_resource *resource, unsigned x, unsigned y, struct hal_inspect_texels *out);

/* --- blits ---------------------------------------------------------------------------------------- */

/* A colour key of a surface, which blits compare with texels: equal if the bits of the mask are. */
struct hal_inspect_key {
    bool set;
    uint32_t value, mask; /* bits of a texel, from bit 0 of its first byte; mask 0: the format has no keys */
};
/* The key that the surface has now. resource: not NULL; buffers have none. */
struct hal_inspect_key hal_inspect_source_key(const struct hal_resource *resource);
struct hal_inspect_key hal_inspect_destination_key(const struct hal_resource *resource);
/* The texel of a row or column of `source_size` texels that a blit puts at place i of `destination_size`; i is smaller. */
uint32_t hal_inspect_blit_tap(uint32_t i, uint32_t destination_size, uint32_t source_size);

/* --- draws: vertices ------------------------------------------------------------------------------ */

#define HAL_INSPECT_POSITION   0  /* the component of positions */
#define HAL_INSPECT_COMPONENTS 17 /* of the fixed function: numbers below this */
#define HAL_INSPECT_ELEMENTS   81 /* of a vertex, at most */

/* An element of a vertex. */
struct hal_inspect_element {
    uint8_t component;          /* number for hal_inspect_fetch; below HAL_INSPECT_COMPONENTS: of the fixed function */
    uint8_t usage, usage_index; /* of the others: D3DDECLUSAGE, and its index */
    uint8_t count;              /* of its components, 1 to 4 */
    uint8_t stream;
    uint16_t offset;  /* bytes from the start of the vertex in its stream */
    const char *type; /* "FLOAT3", "D3DCOLOR" ...: D3DVSDT and D3DDECLTYPE without their prefix */
};

/* "position", "texcoord 0": of a component of the fixed function; NULL: it is not one. */
const char *hal_inspect_component_name(unsigned component);

/* A stream as the draw reads it. Vertex i begins at offset + e * stride, where e is i / divider, or i % period. */
struct hal_inspect_stream {
    bool is_read;                 /* by the draw's format */
    bool is_bound;                /* it has memory; else it reads as zeros */
    uint64_t bytes;               /* of its memory; reads beyond them are 0 */
    int64_t offset;               /* bytes, may be negative */
    uint32_t stride;              /* bytes */
    uint32_t divider, period;     /* 0 (or divider 1): none */
    uint32_t vertex_bytes;        /* that are read of one vertex */
    uint32_t stated_stride;       /* as the state has it */
    struct hal_resource *surface; /* the buffer whose memory it is; NULL: memory of the call. Not bound: the buffer that
                                    the state names */
    const uint8_t *memory;        /* `bytes` of it, until the draw ends; NULL: not bound */
};

/* A draw, or an instance or part of one, with everything looked up. */
struct hal_inspect_draw {
    const struct hal_draw *draw; /* for hal_inspect_index, until the draw ends */
    uint32_t type;               /* D3DPRIMITIVETYPE */
    uint32_t primitives;         /* that the draw asks for */
    uint32_t most;               /* primitives that the driver draws at most */
    int64_t base;                /* added to indices, or the first vertex */
    bool transformed;            /* positions are x, y in pixels, z, 1/w */
    bool tessellated;            /* made from a patch: there are no streams to look at */
    bool indexed;
    uint32_t index_stride; /* bytes of an index: 2 or 4 */
    uint32_t index_step;   /* bytes from triangle to triangle of a list; 0: packed */
    uint64_t index_bytes;  /* from the first index on; indices beyond them are 0 */
    uint64_t index_begin;  /* bytes of index_surface before the first index, which may lie beyond its end */
    struct hal_resource *index_surface; /* NULL: indices of the call */
    uint64_t index_surface_bytes;
    int position_stream;                  /* that positions come from; -1: none */
    uint32_t vertex_shader, pixel_shader; /* handles; 0: fixed function */
    unsigned element_count;
    struct hal_inspect_element element[HAL_INSPECT_ELEMENTS]; /* those of the fixed function first */
    struct hal_inspect_stream stream[HAL_INSPECT_STREAMS];
};
/* In the functions `draw`, `tessellates` and `skipped` of an observer, with their arguments. */
void hal_inspect_draw(const struct hal_context *context, const struct hal_draw *draw, struct hal_inspect_draw *out);
/* The n-th index of an indexed draw; 0 beyond the last one. */
uint32_t hal_inspect_index(const struct hal_draw *draw, uint64_t n);

/* The memory that a draw reads vertices from. */
struct hal_inspect_source;
struct hal_inspect_source *hal_inspect_source_create(void); /* NULL: out of memory */
void hal_inspect_source_destroy(struct hal_inspect_source *source);
/* Until the draw ends. */
void hal_inspect_source_bind(struct hal_inspect_source *source, const struct hal_draw *draw);
/* A component of a vertex, as the vertex stage reads it; missing components are 0, 0, 0, 1. */
void hal_inspect_fetch(const struct hal_inspect_source *source, int64_t vertex, unsigned component, float value[4]);

/* A corner of a primitive after vertex processing. */
struct hal_inspect_corner {
    float clip[4];                   /* clip space; of transformed vertices: x, y in pixels, z, 1/w */
    float plane[HAL_INSPECT_PLANES]; /* distances to the user planes that are enabled, inside from 0 on */
    bool has_window;                 /* it lies in front of the eye */
    float window[4];                 /* then: x, y in pixels, z, 1/w */
    uint32_t outcode;                /* enum hal_outcode */
    float point_size;                /* pixels */
    uint32_t slot;                   /* among the vertices that were processed with it, from 0 */
    const float (*input)[4];         /* inputs of the pixel program; components that it does not read are undefined */
};

/* A primitive that is about to be clipped. */
struct hal_inspect_primitive {
    uint32_t number;                     /* in its part of the draw, from 0 */
    unsigned corners;                    /* 1, 2 or 3 */
    struct hal_inspect_corner corner[3]; /* the provoking one first */
    uint32_t any, all;                   /* outcodes of any corner, and those that all have */
    uint32_t reject; /* enum hal_outcode: a triangle all of whose corners lie outside one of these is not visible */
    /* Set for a triangle that no plane clips, as snapped and by the rasterizer's present state: */
    bool has_area, is_culled;
    /* From clip space to pixels, and what clips. */
    struct {
        float half_width, half_height, x, y; /* pixels */
        bool transformed;                    /* vertices come in pixels */
        bool near_open, far_open;            /* nothing is clipped there */
        unsigned user_planes;                /* bit n: plane n clips */
    } view;
};
/* In the function `primitive` of an observer. */
void hal_inspect_primitive(const struct hal_observed_primitive *primitive, struct hal_inspect_primitive *out);

/* --- states --------------------------------------------------------------------------------------- */

struct hal_inspect_light {
    uint32_t index; /* the application's */
    bool enabled;
    struct hal_light light;
};

/* A shader as it was created. */
struct hal_inspect_code {
    uint32_t *tokens; /* NULL: none */
    size_t count;     /* DWORDs */
};

/* The state of a context, and what its handles name. */
struct hal_inspect_state {
    struct hal_state state; /* its constants are copies, too */
    struct hal_inspect_bound bound;
    /* NULL: the handle names nothing */
    struct hal_resource *texture[HAL_STAGE_ROWS], *stream_buffer[HAL_MAX_STREAMS], *index_buffer;
    struct hal_inspect_light *lights; /* by ascending index */
    size_t light_count;
    unsigned declaration_count; /* elements of the declaration of DirectX 9 */
    struct hal_inspect_element declaration[HAL_INSPECT_ELEMENTS];
    struct hal_inspect_code vertex_code, pixel_code;
};
/* A copy that hal_inspect_state_free frees; NULL: out of memory. */
struct hal_inspect_state *hal_inspect_state(const struct hal_context *context);
void hal_inspect_state_free(struct hal_inspect_state *state);
/* The state itself, until the next call of the driver: for those who compare a few numbers of many draws. The floats of its constants
 * are the driver's, and may move. */
const struct hal_state *hal_inspect_settings(const struct hal_context *context);
/* The surface or buffer that a handle of the state names; NULL: none. */
struct hal_resource *hal_inspect_named(const struct hal_context *context, uint32_t handle);
/* "depth bounds": of a vendor extension. */
const char *hal_inspect_extension_name(enum hal_extension extension);

/* --- draws: pixels -------------------------------------------------------------------------------- */

struct hal_inspect_stencil {
    bool enable;
    uint8_t func; /* D3DCMPFUNC */
    uint8_t ref, mask, write_mask;
};

struct hal_inspect_target {
    bool is_bound;
    enum raster_format format; /* RASTER_FORMAT_NULL: nothing is stored */
    unsigned samples;          /* 0 or 1: not multisampled */
};

/* Everything that decides about the pixels of a draw, as far as the debugger asks for it. */
struct hal_inspect_pixels {
    struct hal_inspect_target color[HAL_INSPECT_TARGETS], depth;
    struct hal_rect viewport, scissor;
    bool scissor_test;
    bool half_pixel_center; /* centres of pixels lie at + 0.5 */
    bool is_solid;          /* both sides of triangles are filled */
    float line_width;       /* pixels */
    float dilate;           /* pixels, of conservative rasterization */
    bool depth_test, depth_write, depth_bounds;
    uint8_t depth_func; /* D3DCMPFUNC */
    bool two_sided_stencil;
    struct hal_inspect_stencil stencil, stencil_back; /* stencil_back: of back faces, if two_sided_stencil */
    bool alpha_test;
    uint8_t alpha_func, alpha_ref;                 /* D3DCMPFUNC; 8 bits */
    uint8_t color_write_mask[HAL_INSPECT_TARGETS]; /* R1 G2 B4 A8 */
    bool blend;
    uint8_t blend_source, blend_destination; /* D3DBLEND, of colour */
    bool fog;
    /* The pixel program: */
    bool narrow;                              /* it runs on colours of 16 bits */
    bool shades;                              /* there is one, and it does more than copy a colour */
    bool may_kill;                            /* it may kill pixels */
    unsigned kill_count;                      /* its instructions that may */
    uint8_t output_mask[HAL_INSPECT_TARGETS]; /* components of each colour that it writes: bit 0 x .. bit 3 w */
    unsigned input_count;
    uint32_t samplers;                                  /* bit s: sampler or texture stage s is read */
    struct hal_resource *texture[HAL_INSPECT_SAMPLERS]; /* bound there; NULL: none */
};
/* In the functions of an observer. It is the present state, so a probe changes it. */
void hal_inspect_pixels(const struct hal_context *context, struct hal_inspect_pixels *out);
/* The channels that a format stores, R1 G2 B4 A8 as in write masks. */
uint8_t hal_inspect_channels(enum raster_format format);

/* Steps of a program of the draw, and those of them that are machine code. */
struct hal_inspect_steps {
    uint32_t all, generated;
};
struct hal_inspect_steps hal_inspect_vertex_steps(const struct hal_context *context);
struct hal_inspect_steps hal_inspect_pixel_steps(const struct hal_context *context);

/* --- probes --------------------------------------------------------------------------------------- */

/*
 * A probe draws parts of a draw differently, to see what becomes of them. An observer calls, in this order:
 *
 *   hal_probe_begin    in its function `draw`: notes the draw's state
 *   hal_probe_set      as often as it likes: what follows is drawn with a changed state, or as the draw has it
 *   hal_probe_end      in its function `drawn`: everything as it was
 *
 * In between, in its function `primitive`, it may draw one primitive several times, with the pixel restored in between:
 * hal_probe_hold, for each time hal_probe_set and hal_probe_finish, then hal_probe_release.
 */
struct hal_probe;

struct hal_probe *hal_probe_create(void); /* NULL: out of memory */
void hal_probe_destroy(struct hal_probe *probe);

/* The work that is drawn before the state is saved. */
enum hal_probe_flush { HAL_PROBE_FLUSH_NOTHING, HAL_PROBE_FLUSH_COLORS, HAL_PROBE_FLUSH_ALL };
void hal_probe_begin(struct hal_probe *probe, struct hal_context *context, enum hal_probe_flush flush);
/* Draws everything (depth: and writes depth back), and restores state and budget. Does nothing before
 * hal_probe_begin. */
void hal_probe_end(struct hal_probe *probe, bool depth);

/* In the function `draw` of a draw that is repeated (hal_observer.again): it may cost again what the draw may. */
void hal_probe_repeat(struct hal_probe *probe);

/* Changes of the state: bits. */
enum hal_probe_change {
    HAL_PROBE_ONE_PIXEL = 1 << 0,       /* the scissor rectangle is the pixel */
    HAL_PROBE_NO_CULLING = 1 << 1,      /* both sides are drawn */
    HAL_PROBE_NO_ALPHA_TEST = 1 << 2,   /* and alpha does not decide about samples */
    HAL_PROBE_NO_BOUNDS = 1 << 3,       /* no depth bounds */
    HAL_PROBE_NO_STENCIL = 1 << 4,      /* neither tested nor written */
    HAL_PROBE_STENCIL_PASSES = 1 << 5,  /* the test always passes; stencil is written as by the draw */
    HAL_PROBE_STENCIL_KEEPS = 1 << 6,   /* tested, not written */
    HAL_PROBE_NO_DEPTH = 1 << 7,        /* neither tested nor written */
    HAL_PROBE_DEPTH_PASSES = 1 << 8,    /* the test, if there is one, always passes */
    HAL_PROBE_DEPTH_KEEPS = 1 << 9,     /* tested, not written */
    HAL_PROBE_DEPTH_WRITES = 1 << 10,   /* written if it is tested */
    HAL_PROBE_DEPTH_STORED = 1 << 11,   /* the test passes, and depth is written, whatever the draw does */
    HAL_PROBE_NO_COLOR = 1 << 12,       /* not written */
    HAL_PROBE_ALL_CHANNELS = 1 << 13,   /* of target number `target` are written */
    HAL_PROBE_NO_BLENDING = 1 << 14,    /* and no fog, dithering and sRGB: what the program writes is stored */
    HAL_PROBE_TESTS_LATE = 1 << 15,     /* all covered fragments reach the program; tests come after it */
    HAL_PROBE_EDGES = 1 << 16,          /* triangles are drawn as their edges */
    HAL_PROBE_TOUCHED_PIXELS = 1 << 17, /* pixels count that a primitive touches anywhere */
    HAL_PROBE_CENTER_PIXELS = 1 << 18,  /* pixels count whose centres are covered */
};

/* Programs that run in place of the draw's. */
enum hal_probe_program {
    HAL_PROBE_OWN,      /* the draw's own, not observed */
    HAL_PROBE_WATCHED,  /* its own; `see` is told which fragments reach it, and which are left */
    HAL_PROBE_COVERAGE, /* none; `see` is told which fragments there are, and nothing is drawn */
    HAL_PROBE_LEVELS,   /* its own; `see` is told the level of detail of its first texture read */
    HAL_PROBE_AT_PIXEL, /* its own; hal_probe_result tells what became of the pixel, and fragments that it kills continue */
    HAL_PROBE_BLACK,     /* its own, but red, green and blue of colour 0 are 0 */
    HAL_PROBE_WHITE,     /* the same with 1 */
    HAL_PROBE_UNSAMPLED, /* its own, but texture reads give a constant at no cost */
    HAL_PROBE_UNSHADED,  /* none: white at no cost */
};

/* Fragments of one primitive or several that a program runs over; lanes 4q to 4q + 3 are a quad. */
struct hal_probe_batch {
    uint64_t covered;   /* bit l: lane l is a fragment; LEVELS: a fragment that has read no texture before */
    uint64_t alive;     /* bit l: the program did not kill it */
    const float *x, *y; /* by lane, also of others in a quad with a fragment: the pixel */
    const float *level; /* LEVELS: by lane; below 0: there is no texture. Else NULL */
};
/* Called by threads that draw tiles, by several at once. */
typedef void hal_probe_see_fn(void *user, uint32_t number, const struct hal_probe_batch *batch);

struct hal_tracer; /* hal/inspect/run.h */

struct hal_probe_state {
    uint32_t changes;     /* enum hal_probe_change */
    unsigned x, y;        /* the pixel: ONE_PIXEL, AT_PIXEL */
    unsigned target;      /* of colour: ALL_CHANNELS, AT_PIXEL */
    uint16_t sample_mask; /* samples that may be written; 0: as the draw has it */
    enum hal_probe_program program;
    hal_probe_see_fn *see; /* of the programs that call it */
    void *user;
    uint32_t number;           /* handed to `see` */
    unsigned kill;             /* AT_PIXEL: only this instruction of those that may kill does, from 1; 0: all do */
    struct hal_tracer *tracer; /* AT_PIXEL: runs the program for the pixel; NULL: the draw's executor does */
};
/* Sets the state of the primitives that follow. state NULL: the draw's own. False: out of memory; the draw's own state
 * is set. */
bool hal_probe_set(struct hal_probe *probe, const struct hal_probe_state *state);

/* Draws everything before the primitive at hand, whose work is free until hal_probe_release. */
void hal_probe_hold(struct hal_probe *probe);
/* Draws everything, after which texels, fragments and result may be read. */
void hal_probe_finish(struct hal_probe *probe);
/* The primitive is drawn as the draw has it: sets its own state, and the budget from before hal_probe_hold. */
void hal_probe_release(struct hal_probe *probe);

/* Fragments that have passed all tests since hal_probe_set (or hal_probe_begin). */
uint64_t hal_probe_passed(const struct hal_probe *probe);

/* The findings of AT_PIXEL since hal_probe_set. */
struct hal_probe_result {
    bool hit;    /* the program ran for the pixel */
    bool killed; /* and killed it */
    bool front_facing;
    float output[4]; /* colour of the target, before fog */
    uint8_t alpha;   /* of colour 0, as the alpha test compares it */
};
struct hal_probe_result hal_probe_result(const struct hal_probe *probe);

/* Planes (enum hal_outcode: near, far and the user's) do not clip the draw, until hal_probe_end. In the function
 * `draw`. */
void hal_probe_open_planes(struct hal_probe *probe, uint32_t planes);

/* The texels of a draw's targets at a pixel; zeros where a target does not have the pixel. May be compared as bytes. */
struct hal_probe_texels {
    struct hal_inspect_texels color[HAL_INSPECT_TARGETS], depth;
};
/* Reads and writes them as they are in memory, without drawing anything. */
void hal_probe_read(const struct hal_context *context, unsigned x, unsigned y, struct hal_probe_texels *texels);
void hal_probe_write(const struct hal_context *context, unsigned x, unsigned y, const struct hal_probe_texels *texels);

/* Copies the memory of all targets; writes the copy back. False: out of memory. */
bool hal_probe_keep_targets(struct hal_probe *probe);
void hal_probe_restore_targets(const struct hal_probe *probe);

#endif
