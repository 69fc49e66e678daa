/* SPDX-License-Identifier: MIT */
/* Layers over the whole target as in scenes.c, with textures and targets that have more than 8 bits per channel or are
 * not linear. */
#include "bench/scenes.h"

#include "d3d/states.h"

#include <string.h>

#define MAP_SIDE 1024 /* of the shadow map, which must not be smaller than the target */

struct shadow_vertex { /* on the screen already */
    float x, y, z, rhw;
    uint32_t color;
    float u, v, depth;
};
#define SHADOW_FVF (D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE3(0))

/* The texture modulates the diffuse colour; bilinear, one level. */
static void modulate(struct stage *stage, uint32_t texture)
{
    stage_state(stage, D3DRS_SHADEMODE, D3DSHADE_GOURAUD);
    stage_texture_state(stage, 0, D3DTSS_TEXTUREMAP, texture);
    stage_texture_state(stage, 0, D3DTSS_TEXCOORDINDEX, 0);
    stage_texture_state(stage, 0, D3DTSS_COLOROP, D3DTOP_MODULATE);
    stage_texture_state(stage, 0, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    stage_texture_state(stage, 0, D3DTSS_COLORARG2, D3DTA_CURRENT);
    stage_texture_state(stage, 0, D3DTSS_ALPHAOP, D3DTOP_SELECTARG2);
    stage_texture_state(stage, 0, D3DTSS_ALPHAARG2, D3DTA_CURRENT);
    stage_texture_state(stage, 0, D3DTSS_MAGFILTER, D3DTEXF_LINEAR);
    stage_texture_state(stage, 0, D3DTSS_MINFILTER, D3DTEXF_LINEAR);
}

/* Halves of 0.5 to 1. */
static void fill_halves(const struct client_lock *lock, unsigned level, unsigned width, unsigned height)
{
    (void)level;
    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < 4 * width; x++) {
            const uint16_t half = (uint16_t)(0x3800 + ((x * 0x9e3779b1u ^ y * 0x85ebca6bu) >> 22));

            memcpy(lock->bits + y * lock->pitch + 2 * x, &half, 2);
        }
}

void bench_prepare_half_texture(struct stage *stage)
{
    modulate(stage, stage_texture(stage, BENCH_A16B16G16R16F, 256, 256, 1, fill_halves));
}

static void fill_words(const struct client_lock *lock, unsigned level, unsigned width, unsigned height)
{
    (void)level;
    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < width; x++) {
            const uint32_t texel = x * 0x9e3779b1u ^ y * 0x85ebca6bu;

            memcpy(lock->bits + y * lock->pitch + 4 * x, &texel, 4);
        }
}

void bench_prepare_srgb_texture(struct stage *stage)
{
    modulate(stage, stage_texture(stage, D3DFMT_A8R8G8B8, 256, 256, 1, fill_words));
    stage_texture_state(stage, 0, D3D_TSS_SRGBTEXTURE, TRUE);
}

/* Draws the depth that the layers then read. */
void bench_prepare_shadow(struct stage *stage)
{
    const struct client_chain_desc desc = {.usage = CLIENT_DEPTH | CLIENT_TEXTURE,
                                           .format = D3DFMT_D24X8,
                                           .width = MAP_SIDE,
                                           .height = MAP_SIDE,
                                           .levels = 1};
    struct client_chain **map = &stage->textures[stage->texture_count];

    if (client_chain_create(stage->client, &desc, map) != DD_OK)
        return;
    stage->texture_count++;
    stage_submit(stage);
    client_set_target(stage->client, stage->context, client_part(stage->target, 0), client_part(*map, 0));
    stage_clear(stage, D3DCLEAR_ZBUFFER, 0, 0.5f, 0);
    stage_submit(stage);
    client_set_target(stage->client, stage->context, client_part(stage->target, 0), client_part(stage->depth, 0));
    modulate(stage, client_handle(client_part(*map, 0)));
}

void bench_round_shadow(struct stage *stage)
{
    for (unsigned i = 0; i < BENCH_FILL_LAYERS; i++) {
        struct shadow_vertex v[4];

        for (unsigned k = 0; k < 4; k++) {
            const float across = (float)(k & 1), down = (float)(k >> 1);

            v[k] = (struct shadow_vertex){across * BENCH_WIDTH,
                                          down * BENCH_HEIGHT,
                                          0.5f,
                                          1,
                                          0xff804020 + 0x101010 * k,
                                          across * 0.9f + down * 0.1f,
                                          down * 0.9f - across * 0.1f,
                                          0.1f * (float)(i + k)};
        }
        stage_draw(stage, D3DPT_TRIANGLESTRIP, 2, SHADOW_FVF, v, 4);
    }
}
