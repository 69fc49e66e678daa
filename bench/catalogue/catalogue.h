/* SPDX-License-Identifier: MIT */
/*
 * The catalogue of benchmark scenes: each draws one frame of known work on a canvas, starting with its clear. Halcyon
 * promises speeds for these scenes (docs/performance.md names them by their letters).
 */
#ifndef BENCH_CATALOGUE_CATALOGUE_H
#define BENCH_CATALOGUE_CATALOGUE_H

#include "bench/catalogue/canvas.h"

struct catalogue_scene {
    const char *letter;
    const char *name;
    const char *work; /* of one frame, as text */
    void (*create)(struct canvas *canvas);
    void (*draw)(struct canvas *canvas, unsigned frame);
    unsigned samples; /* of the target; 0: not multisampled */
    bool fills;       /* the work grows with the target, pixel by pixel */
};

extern const struct catalogue_scene catalogue_scenes[];
extern const unsigned catalogue_scene_count;

/* NULL if there is none of that name. */
const struct catalogue_scene *catalogue_find(const char *name);

/* Sets every state that scenes rely on to its initial value in Direct3D 8, except that lighting and tests are off; then
 * creates the scene's resources. */
void catalogue_open(struct canvas *canvas, const struct catalogue_scene *scene);

/* Small lit triangles of equal size, some tens of thousands to millions: shows whether the cost of a frame grows in
 * proportion. `triangles` is a multiple of CATALOGUE_PATCH_TRIANGLES. */
#define CATALOGUE_PATCH_TRIANGLES 10000
void catalogue_create_patches(struct canvas *canvas, unsigned triangles);
void catalogue_draw_patches(struct canvas *canvas, unsigned frame);

/* The scenes, by file. */
void gouraud_create(struct canvas *canvas);
void gouraud_draw(struct canvas *canvas, unsigned frame);
void front_to_back_create(struct canvas *canvas);
void back_to_front_create(struct canvas *canvas);
void bilinear_create(struct canvas *canvas);
void dxt1_create(struct canvas *canvas);
void dxt5_create(struct canvas *canvas);
void textured_draw(struct canvas *canvas, unsigned frame);
void hall_create(struct canvas *canvas);
void hall_draw(struct canvas *canvas, unsigned frame);
void stages_create(struct canvas *canvas);
void stages_draw(struct canvas *canvas, unsigned frame);
void empty_draw(struct canvas *canvas, unsigned frame);
void quads_create(struct canvas *canvas);
void quads_draw(struct canvas *canvas, unsigned frame);
void points_create(struct canvas *canvas);
void points_draw(struct canvas *canvas, unsigned frame);
void states_create(struct canvas *canvas);
void states_draw(struct canvas *canvas, unsigned frame);
void discard_create(struct canvas *canvas);
void discard_draw(struct canvas *canvas, unsigned frame);
void mesh_create(struct canvas *canvas);
void mesh_draw(struct canvas *canvas, unsigned frame);
void bumps_create(struct canvas *canvas);
void bumps_draw(struct canvas *canvas, unsigned frame);
void volumes_create(struct canvas *canvas);
void volumes_draw(struct canvas *canvas, unsigned frame);

/* Helpers of all files. */
void canvas_clear(struct canvas *canvas, uint32_t color, unsigned frame);
void canvas_filter(struct canvas *canvas, unsigned stage, uint32_t filter, uint32_t mip_filter);
/* Stage `stage` combines a texture with the result of the previous stage. */
void canvas_stage(struct canvas *canvas, unsigned stage, uint32_t operation, unsigned texture);
uint32_t canvas_float(float value);

/* Textures. Levels are filled from the same functions, without a filter between them. */
void fill_marble(uint8_t *bits, size_t pitch, unsigned size);
void fill_checker(uint8_t *bits, size_t pitch, unsigned size);
void fill_spot(uint8_t *bits, size_t pitch, unsigned size);
void fill_normals(uint8_t *bits, size_t pitch, unsigned size);
void fill_marble_dxt1(uint8_t *bits, size_t pitch, unsigned size);
void fill_marble_dxt5(uint8_t *bits, size_t pitch, unsigned size);

#endif
