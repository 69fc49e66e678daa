/* SPDX-License-Identifier: MIT */
/*
 * dp2 coverage: shared by its files. Primitives are given in text, drawn by the rasterizer's native interface (the one
 * verb that does not go through the DDI: most of raster_state has no Direct3D 8 spelling), and shown as text, JSON or a
 * picture.
 */
#ifndef HALCYON_TOOLS_COVERAGE_COVERAGE_H
#define HALCYON_TOOLS_COVERAGE_COVERAGE_H

#include "hal/vertex/clip.h"
#include "raster/raster.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum coverage_space { COVERAGE_NDC, COVERAGE_PIXEL, COVERAGE_CLIP };
/* The values that cells of a picture can show. */
enum coverage_show { COVERAGE_SHOW_COVERAGE, COVERAGE_SHOW_COLOR, COVERAGE_SHOW_DEPTH };

enum coverage_topology {
    COVERAGE_POINT,
    COVERAGE_LINE,
    COVERAGE_TRI,
    COVERAGE_LINE_STRIP,
    COVERAGE_TRI_STRIP,
    COVERAGE_FAN,
    COVERAGE_QUAD,
    COVERAGE_POLYGON,
    COVERAGE_TOPOLOGIES,
};
#define COVERAGE_MAX_CORNERS 16 /* a multiple of 4: vertices are projected by fours */

struct coverage_primitive {
    enum coverage_topology topology;
    unsigned corners;
    float position[COVERAGE_MAX_CORNERS][4]; /* x, y, z, w in the space of the settings */
};

/* The name of a topology and its number of corners. Indexed by enum coverage_topology. */
struct coverage_shape {
    const char *name;
    unsigned least, most;
};
extern const struct coverage_shape coverage_shapes[COVERAGE_TOPOLOGIES];

struct coverage_settings {
    unsigned width, height; /* of viewport and target, pixels */
    unsigned samples;       /* 1, 2, 4, 8, 16 */
    enum coverage_space space;
    bool conservative, inner;
    int tier; /* 1..3 */
    enum coverage_show show;
    unsigned gain;     /* 1..16: factor for the brightness of colours of corners; the picture is divided by it */
    float vertex_size; /* pixels; of each point if point_size_per_vertex is set */
    float plane[CLIP_MAX_PLANES][4]; /* user clip planes, clip space */
    struct raster_draw_state state;
};

/* --- coverage_draw.c ------------------------------------------------------------------ */

struct coverage_canvas {
    const struct coverage_settings *settings;
    struct raster *raster;
    struct raster_targets targets;
    struct hal_projection projection;
    struct clip_pool pool;
    uint32_t *flags;   /* by coverage_place: red covered, green inner, alpha smoothed coverage */
    float (*color)[4]; /* likewise: RGBA, if colours are shown */
    float *depth;      /* likewise: as stored, 0..1, if depths are shown */
    bool front_facing; /* of the first triangle drawn since the last clear; true without triangles */
    bool seen_triangle;
    bool conservative;
};

/* Starts from the defaults of the document and of Direct3D 10: solid, no culling, centres at half. */
void coverage_settings_init(struct coverage_settings *settings);
bool coverage_canvas_create(struct coverage_canvas *canvas, const struct coverage_settings *settings);
void coverage_canvas_destroy(struct coverage_canvas *canvas);
void coverage_clear(struct coverage_canvas *canvas);
void coverage_draw(struct coverage_canvas *canvas, const struct coverage_primitive *primitive);
/* Index of a sample of a pixel in flags, colours and depths. */
size_t coverage_place(const struct coverage_canvas *canvas, unsigned sample, unsigned x, unsigned y);
/* Samples of a pixel that are covered: bit s. */
uint32_t coverage_samples(const struct coverage_canvas *canvas, unsigned x, unsigned y);
bool coverage_inner(const struct coverage_canvas *canvas, unsigned x, unsigned y);
/* The first sample that is covered; of covered pixels. */
unsigned coverage_first_sample(const struct coverage_canvas *canvas, unsigned x, unsigned y);
/* Position in pixels of a corner; false if it is behind the eye. */
bool coverage_window(const struct coverage_canvas *canvas, const float position[4], float xy[2]);

/* --- coverage_state.c ----------------------------------------------------------------- */

/* Sets "key=value" in the state. Returns NULL, or an error message. */
const char *coverage_state_set(struct raster_draw_state *state, const char *assignment);
void coverage_state_list(FILE *file);

/* --- coverage_text.c ------------------------------------------------------------------ */

/* Parses "x,y[,z[,w]]"; *end: after it. False if it is not a point. */
bool coverage_parse_point(const char *text, const char **end, float position[4]);

/* A file that is read line by line. */
struct coverage_reader {
    FILE *file;
    unsigned long line; /* number of the line read last, from 1 */
};
enum coverage_read { COVERAGE_READ_END, COVERAGE_READ_PRIMITIVE, COVERAGE_READ_MALFORMED };
/* The next line that is neither blank nor a '#' comment: one, two or three points; or the name of a topology and its
 * points. */
enum coverage_read coverage_read(struct coverage_reader *reader, struct coverage_primitive *primitive);
void coverage_ascii(FILE *file, const struct coverage_canvas *canvas);
/* One object on a line. With `show` the colours or depths of the covered pixels too. False: out of memory. */
bool coverage_json(FILE *file, const struct coverage_canvas *canvas);
/* Writes one object on a line for a line that is not a primitive. False: out of memory. */
bool coverage_json_malformed(FILE *file, unsigned long line);

/* --- coverage_png.c ------------------------------------------------------------------- */

/* False with the reason in `why`. zoom: pixels of the picture per pixel drawn. */
bool coverage_png(const struct coverage_canvas *canvas, const struct coverage_primitive *primitives, unsigned count,
                  unsigned zoom, const char *path, char *why, size_t why_size);

#endif
