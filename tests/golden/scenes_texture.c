/* SPDX-License-Identifier: MIT */
/* Texture reads that the filters of scenes_pixel.c do not show. */
#include "tests/golden/scenes.h"

#include <string.h>

/* Squares of an eighth of the texture, lighter ones with a thin cross: fine detail that shows what a filter loses. */
static void fill_tiles(const struct client_lock *lock, unsigned level, unsigned width, unsigned height)
{
    unsigned side = width / 8 ? width / 8 : 1;

    (void)level;
    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < width; x++) {
            bool light = (x / side + y / side) % 2;
            bool cross = side > 4 && (x % side == side / 2 || y % side == side / 2);
            uint32_t texel = width < 8 ? 0xff80766a : light ? (cross ? 0xff902020 : 0xfff0e8d8) : 0xff203050;

            memcpy(lock->bits + y * lock->pitch + 4 * x, &texel, 4);
        }
}

/* Half of a floor that runs to the horizon. */
static void floor_half(struct stage *stage, float left, float right)
{
    struct flat_vertex v[4];

    for (unsigned k = 0; k < 4; k++) {
        float x = k & 1 ? right : left, near_edge = (float)(k >> 1), rhw = near_edge > 0 ? 1 : 0.03f;
        float middle = SCENE_WIDTH / 2;

        v[k] = (struct flat_vertex){x - 0.5f, (near_edge > 0 ? SCENE_HEIGHT : 24) - 0.5f, 0,      rhw, 0xffffffff,
                                    0,        (x - middle) / SCENE_WIDTH * 1.5f / rhw,    1 / rhw};
    }
    stage_draw(stage, D3DPT_TRIANGLESTRIP, 2, FLAT_FVF, v, 4);
}

/* Trilinear on the left, 16 times anisotropic on the right. */
void scene_anisotropic(struct stage *stage)
{
    uint32_t texture = stage_texture(stage, D3DFMT_A8R8G8B8, 128, 128, 8, fill_tiles);

    stage_clear(stage, D3DCLEAR_TARGET, 0xff90b0d0, 1, 0);
    stage_texture_state(stage, 0, D3DTSS_TEXTUREMAP, texture);
    stage_texture_state(stage, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    stage_texture_state(stage, 0, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    stage_texture_state(stage, 0, D3DTSS_MAGFILTER, D3DTEXF_LINEAR);
    stage_texture_state(stage, 0, D3DTSS_MIPFILTER, D3DTEXF_LINEAR);
    stage_texture_state(stage, 0, D3DTSS_MAXANISOTROPY, 16);
    stage_texture_state(stage, 0, D3DTSS_MINFILTER, D3DTEXF_LINEAR);
    floor_half(stage, 0, SCENE_WIDTH / 2 - 1);
    stage_texture_state(stage, 0, D3DTSS_MINFILTER, D3DTEXF_ANISOTROPIC);
    floor_half(stage, SCENE_WIDTH / 2 + 1, SCENE_WIDTH);
}
