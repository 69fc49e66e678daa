/* SPDX-License-Identifier: MIT */
/* The measured scenes: each draws one round of known work through the driver interface. */
#ifndef BENCH_SCENES_H
#define BENCH_SCENES_H

#include "tests/stage/stage.h"

#define BENCH_WIDTH  1024
#define BENCH_HEIGHT 768

struct bench_scene {
    const char *name;
    void (*prepare)(struct stage *stage); /* states, textures, buffers */
    void (*round)(struct stage *stage);
    double pixels, triangles; /* of one round; 0: not the subject of the scene */
    double vertices;
    const char *without; /* the scene without this one's addition, for a ratio; or NULL */
    unsigned samples;    /* of the target; 0: not multisampled */
    uint32_t target;     /* its D3DFMT_*; 0: X8R8G8B8 */
};

/* scenes_vertex.c */
#define BENCH_VERTICES 99999
void bench_prepare_transform(struct stage *stage);
void bench_prepare_lit(struct stage *stage);
void bench_prepare_program(struct stage *stage);
void bench_round_vertices(struct stage *stage);

/* scenes_wide.c */
#define BENCH_FILL_LAYERS   8   /* of a round */
#define BENCH_A16B16G16R16F 113 /* D3DFMT_A16B16G16R16F, which Direct3D 8 does not name */
void bench_prepare_half_texture(struct stage *stage);
void bench_prepare_srgb_texture(struct stage *stage);
void bench_prepare_shadow(struct stage *stage);
void bench_round_shadow(struct stage *stage);

/* The cost of a pixel of one scene compared with a pixel of another; mark: the maximum, 0 if nothing is promised. */
struct bench_ratio {
    const char *scene, *beside;
    double mark;
};

extern const struct bench_ratio bench_ratios[];
extern const unsigned bench_ratio_count;

extern const struct bench_scene bench_scenes[];
extern const unsigned bench_scene_count;

#endif
