/* SPDX-License-Identifier: MIT */
/* The pictures whose hashes are in tests/golden/expected.txt: one function, one subject. */
#ifndef TESTS_GOLDEN_SCENES_H
#define TESTS_GOLDEN_SCENES_H

#include "tests/stage/stage.h"

struct scene {
    const char *name;
    uint32_t format, depth_format; /* D3DFMT_* */
    void (*draw)(struct stage *stage);
};

extern const struct scene scenes[];
extern const unsigned scene_count;

#define SCENE_WIDTH  256
#define SCENE_HEIGHT 192

/* tests/golden/scenes_pixel.c */
void scene_operations(struct stage *stage);
void scene_blend_factors(struct stage *stage);
void scene_alpha_test(struct stage *stage);
void scene_stencil(struct stage *stage);
void scene_filters(struct stage *stage);
void scene_addresses(struct stage *stage);
void scene_texture_formats(struct stage *stage);

/* tests/golden/scenes_texture.c */
void scene_anisotropic(struct stage *stage);

/* tests/golden/scenes_vertex.c */
void scene_fill(struct stage *stage);
void scene_primitives(struct stage *stage);
void scene_clipping(struct stage *stage);
void scene_lights(struct stage *stage);
void scene_vertex_fog(struct stage *stage);
void scene_table_fog(struct stage *stage);
void scene_coordinates(struct stage *stage);
void scene_indexed(struct stage *stage);

/* tests/golden/scenes_shader.c */
void scene_shaders(struct stage *stage);

/* tests/golden/scenes_patch.c */
void scene_patches(struct stage *stage);
void scene_npatches(struct stage *stage);
void scene_cut_points(struct stage *stage);

struct flat_vertex { /* already in screen coordinates */
    float x, y, z, rhw;
    uint32_t color, specular;
    float u, v;
};
#define FLAT_FVF (D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_SPECULAR | D3DFVF_TEX1)

/* A rectangle with a colour at each corner: left top, right top, left bottom, right bottom. */
void scene_quad(struct stage *stage, float x, float y, float width, float height, const uint32_t colors[4], float z);
/* Cell `index` of a grid of columns x rows over the target, with a one-pixel margin. */
void scene_cell(unsigned index, unsigned columns, unsigned rows, float rect[4]);

#endif
