/* SPDX-License-Identifier: MIT */
/*
 * Random narrow states, drawn through the driver interface, and the same states in floats: with one more stage, which
 * adds a black texture with 16 bits per channel. A state that reads such a texture is not narrow, and adding black
 * changes nothing.
 */
#ifndef HALCYON_TESTS_NARROW_STATES_H
#define HALCYON_TESTS_NARROW_STATES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "caps/caps.h"
#include "d3d/ddi.h"
#include "d3d/states.h"
#include "raster/format/format.h"
#include "tests/random.h"
#include "tests/stage/stage.h"
#include "tests/unit/shader_tools.h"

#define PICTURE_WIDTH    60
#define PICTURE_HEIGHT   44
#define PICTURE_TARGETS  8
#define PICTURE_TEXTURES 24
#define FORMAT_WIDE      36 /* D3DFMT_A16B16G16R16 */
#define WIDE_HANDLE      (PICTURE_TEXTURES - 1)

struct picture {
    uint32_t word[PICTURE_HEIGHT * PICTURE_WIDTH]; /* as A8R8G8B8 */
};

/* Facts about a state: how far numbers may be from floats. */
struct state_facts {
    double gain;               /* the factor by which errors of its colours are multiplied at most */
    enum raster_format format; /* of the target */
    /* A rounded value decides something: texels of point filters, levels, pixels of an alpha test. Or there are
     * samples: pixels whose middle is outside a triangle have colours beyond 0..1, which floats keep and numbers do
     * not. */
    bool jumps;
};

struct states {
    struct stage stage;
    struct client_chain *target[PICTURE_TARGETS], *texture[PICTURE_TEXTURES];
    unsigned texture_count;
    bool in_floats;
    struct state_facts facts;
};

/* --- surfaces -------------------------------------------------------------------------------------------- */

static const struct {
    uint32_t format;
    unsigned samples;
} picture_targets[PICTURE_TARGETS] = {{D3DFMT_A8R8G8B8, 0}, {D3DFMT_X8R8G8B8, 0}, {D3DFMT_R5G6B5, 0},
                                      {D3DFMT_A4R4G4B4, 0}, {D3DFMT_A1R5G5B5, 0}, {D3DFMT_A8R8G8B8, 4},
                                      {D3DFMT_R5G6B5, 2},   {D3DFMT_X8R8G8B8, 0}};

/* Noise, or few colours that change slowly. */
static inline void fill_level(struct client_surface *surface, uint32_t d3d_format)
{
    const enum raster_format format = caps_find_format(d3d_format)->format;
    const size_t bytes = (size_t)raster_format_row_bytes(format, surface->width);
    const unsigned rows = (unsigned)raster_format_rows(format, surface->height), noise = random_below(2) ? 255 : 15;
    const unsigned base = random_below(256), step = random_below(9);
    struct client_lock lock;

    assert_int_equal(client_lock(surface, NULL, 0, &lock), DD_OK);
    for (unsigned y = 0; y < rows; y++)
        for (size_t x = 0; x < bytes; x++)
            lock.bits[y * lock.pitch + x] =
                (uint8_t)(d3d_format == FORMAT_WIDE ? 0 : base + step * (x + y) + (random_below(256) & noise));
    client_unlock(surface);
}

static inline void states_texture(struct states *s, uint32_t format, unsigned width, unsigned height)
{
    struct client_chain_desc desc = {
        .usage = CLIENT_TEXTURE, .format = format, .width = width, .height = height, .levels = 1};

    for (unsigned side = BASE_MAX(width, height); side > 1 && format != FORMAT_WIDE; side /= 2)
        desc.levels++;
    struct client_chain **chain = &s->texture[s->texture_count++];
    assert_int_equal(client_chain_create(s->stage.client, &desc, chain), DD_OK);
    for (unsigned level = 0; level < desc.levels; level++)
        fill_level(client_level(*chain, 0, level), format);
}

static inline void states_open(struct states *s)
{
    static const uint32_t formats[] = {D3DFMT_A8R8G8B8, D3DFMT_X8R8G8B8, D3DFMT_R5G6B5, D3DFMT_A1R5G5B5,
                                       D3DFMT_A4R4G4B4, D3DFMT_L8,       D3DFMT_A8,     D3DFMT_DXT1,
                                       D3DFMT_DXT3,     D3DFMT_DXT5};

    memset(s, 0, sizeof(*s));
    random_seed = 5;
    assert_true(stage_open(&s->stage, PICTURE_WIDTH, PICTURE_HEIGHT, D3DFMT_A8R8G8B8, 0));
    assert_true(stage_set_level(&s->stage, DDI_LEVEL_DX9));
    for (unsigned t = 0; t < PICTURE_TARGETS; t++) {
        const struct client_chain_desc desc = {.usage = CLIENT_TARGET,
                                               .format = picture_targets[t].format,
                                               .width = PICTURE_WIDTH,
                                               .height = PICTURE_HEIGHT,
                                               .samples = picture_targets[t].samples};

        assert_int_equal(client_chain_create(s->stage.client, &desc, &s->target[t]), DD_OK);
    }
    for (unsigned n = 0; s->texture_count < WIDE_HANDLE; n++) {
        const unsigned side = n % 3 == 2 ? 32 : 8;
        const bool block = n % ARRAY_COUNT(formats) >= 7;

        states_texture(s, formats[n % ARRAY_COUNT(formats)], n % 4 == 1 && !block ? 13 : side, n % 5 == 3 ? 4 : side);
    }
    states_texture(s, FORMAT_WIDE, 1, 1);
}

static inline void states_close(struct states *s)
{
    for (unsigned t = 0; t < PICTURE_TARGETS; t++)
        client_chain_destroy(s->target[t]);
    for (unsigned t = 0; t < s->texture_count; t++)
        client_chain_destroy(s->texture[t]);
    stage_close(&s->stage);
}

/* --- states --------------------------------------------------------------------------------------------------- */

static inline void set_stage(struct states *s, unsigned stage, uint32_t state, uint32_t value)
{
    stage_texture_state(&s->stage, stage, state, value);
}

static inline uint32_t any_word(void)
{
    static const uint32_t ends[] = {0, 0xffffffff, 0x80808080, 0xff000000, 0x00ffffff};

    return random_below(4) ? random_word() << 8 ^ random_word() : ends[random_below(5)];
}

static inline double gain_of(unsigned op)
{
    return op == D3DTOP_MODULATE4X || op == D3DTOP_DOTPRODUCT3   ? 4.0
           : op == D3DTOP_MODULATE2X || op == D3DTOP_ADDSIGNED2X ? 2.0
                                                                 : 1.0;
}

/* How a stage reads its texture. */
static inline void random_sampler(struct states *s, unsigned stage)
{
    const unsigned t = random_below(WIDE_HANDLE), mag = 1 + random_below(3), min = 1 + random_below(3),
                   mip = random_below(3);
    const float bias = random_below(4) ? 0.0f : 2.0f * random_unit() - 1.0f;

    set_stage(s, stage, D3DTSS_TEXTUREMAP, client_handle(client_part(s->texture[t], 0)));
    set_stage(s, stage, D3DTSS_ADDRESSU, 1 + random_below(5));
    set_stage(s, stage, D3DTSS_ADDRESSV, 1 + random_below(5));
    set_stage(s, stage, D3DTSS_BORDERCOLOR, any_word());
    set_stage(s, stage, D3DTSS_MAGFILTER, mag);
    set_stage(s, stage, D3DTSS_MINFILTER, min);
    set_stage(s, stage, D3DTSS_MIPFILTER, mip);
    set_stage(s, stage, D3DTSS_MAXANISOTROPY, 1 + random_below(8));
    set_stage(s, stage, D3DTSS_MIPMAPLODBIAS, float_bits(bias));
    set_stage(s, stage, D3DTSS_TEXCOORDINDEX, stage);
    s->facts.jumps |= mag == D3DTEXF_POINT || min == D3DTEXF_POINT || mip == D3DTEXF_POINT;
}

static inline void random_stage(struct states *s, unsigned stage, bool last)
{
    static const uint32_t arguments[] = {D3DTA_TEXTURE, D3DTA_TEXTURE, D3DTA_CURRENT, D3DTA_CURRENT,
                                         D3DTA_DIFFUSE, D3DTA_TFACTOR, D3DTA_SPECULAR};
    unsigned op[2];

    random_sampler(s, stage);
    for (unsigned k = 0; k < 2; k++) {
        do
            op[k] = D3DTOP_SELECTARG1 + random_below(D3DTOP_LERP - D3DTOP_SELECTARG1 + 1);
        while (op[k] == D3DTOP_BUMPENVMAP || op[k] == D3DTOP_BUMPENVMAPLUMINANCE ||
               (k && op[k] == D3DTOP_DOTPRODUCT3) ||
               (k && op[k] >= D3DTOP_MODULATEALPHA_ADDCOLOR && op[k] <= D3DTOP_MODULATEINVCOLOR_ADDALPHA) ||
               (last && op[k] == D3DTOP_PREMODULATE) || (gain_of(op[k]) > 1.0 && random_below(2)));
        set_stage(s, stage, k ? D3DTSS_ALPHAOP : D3DTSS_COLOROP, op[k]);
        for (unsigned a = 0; a < 3; a++)
            set_stage(s, stage,
                      a == 0 ? (k ? D3DTSS_ALPHAARG0 : D3DTSS_COLORARG0)
                             : (k ? D3DTSS_ALPHAARG1 : D3DTSS_COLORARG1) + a - 1,
                      arguments[a == 1 && !random_below(3) ? 0 : random_below(7)] |
                          (random_below(6) ? 0 : D3DTA_COMPLEMENT) | (random_below(6) ? 0 : D3DTA_ALPHAREPLICATE));
    }
    s->facts.gain *= BASE_MAX(gain_of(op[0]), gain_of(op[1]));
}

static inline void read_black(struct states *s, unsigned stage)
{
    set_stage(s, stage, D3DTSS_TEXTUREMAP, client_handle(client_part(s->texture[WIDE_HANDLE], 0)));
    for (uint32_t state = D3DTSS_MAGFILTER; state <= D3DTSS_MINFILTER; state++)
        set_stage(s, stage, state, D3DTEXF_POINT);
    set_stage(s, stage, D3DTSS_MIPFILTER, D3DTEXF_NONE);
    set_stage(s, stage, D3DTSS_ADDRESSU, D3DTADDRESS_WRAP);
    set_stage(s, stage, D3DTSS_ADDRESSV, D3DTADDRESS_WRAP);
}

/* A stage after all others that changes nothing, except that it has no narrow form. */
static inline void add_black(struct states *s, unsigned stage)
{
    read_black(s, stage);
    set_stage(s, stage, D3DTSS_COLOROP, D3DTOP_ADD);
    set_stage(s, stage, D3DTSS_COLORARG1, D3DTA_CURRENT);
    set_stage(s, stage, D3DTSS_COLORARG2, D3DTA_TEXTURE);
    set_stage(s, stage, D3DTSS_ALPHAOP, D3DTOP_SELECTARG1);
    set_stage(s, stage, D3DTSS_ALPHAARG1, D3DTA_CURRENT);
    set_stage(s, stage, D3DTSS_TEXCOORDINDEX, 0);
}

static inline void random_stages(struct states *s)
{
    const unsigned count = 1 + random_below(4);

    for (unsigned stage = 0; stage < count; stage++)
        random_stage(s, stage, stage + 1 == count);
    /* there is a texture that is read */
    set_stage(s, count - 1, D3DTSS_COLORARG2, D3DTA_TEXTURE);
    if (s->in_floats)
        add_black(s, count);
    set_stage(s, count + s->in_floats, D3DTSS_COLOROP, D3DTOP_DISABLE);
    stage_state(&s->stage, D3DRS_TEXTUREFACTOR, any_word());
    stage_state(&s->stage, D3DRS_SPECULARENABLE, random_below(4) == 0);
}

/* mov, mul and the like on three textures; t3 is black. */
static inline void random_shader(struct states *s)
{
    static const uint32_t programs[][12] = {
        {OP1(MUL), DST(TEMP, 0, 15), SRC(TEXTURE, 0), SRC(INPUT, 0), OP1(NOP)},
        {OP1(MAD), DST(TEMP, 0, 15) | SATURATED, SRC(TEXTURE, 0), SRC(INPUT, 0), SRC(INPUT, 1), OP1(NOP)},
        {OP1(LRP), DST(TEMP, 0, 15), SWZ(TEXTURE, 1, 3, 3, 3, 3), SRC(TEXTURE, 0), SRC(TEXTURE, 2), OP1(NOP)},
        {OP1(MUL), DST(TEMP, 0, 15), SRC(TEXTURE, 0), SRC(TEXTURE, 1), OP1(MUL),
         DST(TEMP, 0, 15) | SHIFT(1) | SATURATED, SRC(TEMP, 0), SRC(INPUT, 0), OP1(NOP)},
        {OP1(DP3), DST(TEMP, 0, 15) | SATURATED, MODIFIED(SRC(TEXTURE, 0), BX2), MODIFIED(SRC(INPUT, 0), BX2),
         OP1(NOP)},
        {OP1(SUB), DST(TEMP, 0, 15), SRC(TEXTURE, 2), SRC(TEXTURE, 0), OP1(NOP)},
    };
    const unsigned n = random_below(ARRAY_COUNT(programs));
    uint32_t code[48] = {PS(1, 1 + random_below(3))};
    unsigned length = 1;

    for (unsigned t = 0; t < 4; t++) {
        random_sampler(s, t);
        code[length++] = OP1(TEX);
        code[length++] = DST(TEXTURE, t, 15);
    }
    read_black(s, 3);
    if (!s->in_floats)
        length -= 2;
    for (unsigned k = 0; programs[n][k] != OP1(NOP); k++)
        code[length++] = programs[n][k];
    if (s->in_floats) {
        const uint32_t add[] = {OP1(ADD), DST(TEMP, 0, 15), SRC(TEMP, 0), SRC(TEXTURE, 3)};

        memcpy(code + length, add, sizeof(add));
        length += 4;
    }
    code[length] = END;
    s->facts.gain = n == 4 ? 4.0 : n == 3 ? 2.0 : 1.0;
    stage_pixel_shader(&s->stage, s->in_floats ? 103 : 101, code);
}

static inline void random_output(struct states *s)
{
    static const uint8_t usual[][2] = {{5, 6}, {2, 2}, {5, 2}, {9, 1}, {1, 3}, {9, 3}, {2, 6}, {2, 4}};
    const bool any = random_below(3) == 0, test = random_below(6) == 0;
    const uint8_t *pair = usual[random_below(ARRAY_COUNT(usual))];
    struct stage *t = &s->stage;

    s->facts.jumps |= test;
    stage_state(t, D3DRS_ALPHATESTENABLE, test);
    stage_state(t, D3DRS_ALPHAFUNC, 1 + random_below(8));
    stage_state(t, D3DRS_ALPHAREF, random_below(256));
    stage_state(t, D3DRS_ALPHABLENDENABLE, random_below(3) != 0);
    stage_state(t, D3DRS_SRCBLEND, any ? 1 + random_below(13) : pair[0]);
    stage_state(t, D3DRS_DESTBLEND, any ? 1 + random_below(10) : pair[1]);
    stage_state(t, D3DRS_BLENDOP, random_below(5) ? D3DBLENDOP_ADD : 1 + random_below(5));
    stage_state(t, D3D_RS_SEPARATEALPHABLENDENABLE, random_below(8) == 0);
    stage_state(t, D3D_RS_SRCBLENDALPHA, 1 + random_below(10));
    stage_state(t, D3D_RS_DESTBLENDALPHA, 1 + random_below(10));
    stage_state(t, D3D_RS_BLENDOPALPHA, D3DBLENDOP_ADD);
    stage_state(t, D3DRS_COLORWRITEENABLE, random_below(5) ? 15 : random_below(16));
    stage_state(t, D3DRS_DITHERENABLE, random_below(4) == 0);
    stage_state(t, D3DRS_FOGENABLE, random_below(4) == 0);
    stage_state(t, D3DRS_FOGCOLOR, any_word());
    stage_state(t, D3DRS_FOGTABLEMODE, random_below(2) ? D3DFOG_LINEAR : D3DFOG_NONE);
    stage_state(t, D3DRS_SHADEMODE, random_below(6) ? D3DSHADE_GOURAUD : D3DSHADE_FLAT);
}

/* --- draws ------------------------------------------------------------------------------------------------------ */

struct states_vertex {
    float x, y, z, rhw;
    uint32_t color, specular;
    float uv[4][2];
};
#define STATES_FVF (D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_SPECULAR | D3DFVF_TEX4)

/* A few triangles; w the same everywhere, or not; textures small, large, or far away from (0, 0). */
static inline void draw_triangles(struct states *s)
{
    const float scale = random_below(3) ? 1.5f : 12.0f,
                far_away = random_below(4) ? 0.0f : 300.0f * random_unit() - 150.0f;
    const bool perspective = random_below(2);
    struct states_vertex v[9];

    for (unsigned k = 0; k < ARRAY_COUNT(v); k++) {
        v[k] = (struct states_vertex){.x = random_unit() * 1.6f * PICTURE_WIDTH - 0.3f * PICTURE_WIDTH,
                                      .y = random_unit() * 1.6f * PICTURE_HEIGHT - 0.3f * PICTURE_HEIGHT,
                                      .z = random_unit(),
                                      .rhw = perspective ? 0.3f + random_unit() : 1.0f,
                                      .color = any_word(),
                                      .specular = any_word()};
        for (unsigned n = 0; n < 8; n++)
            v[k].uv[n / 2][n % 2] = scale * (random_unit() - 0.3f) + far_away;
    }
    stage_draw(&s->stage, D3DPT_TRIANGLELIST, 3, STATES_FVF, v, ARRAY_COUNT(v));
}

static inline void read_picture(struct client_surface *target, uint32_t d3d_format, struct picture *out)
{
    struct client_lock lock;

    assert_int_equal(client_lock(target, NULL, DDLOCK_READONLY, &lock), DD_OK);
    raster_decode(caps_find_format(d3d_format)->format, lock.bits, lock.pitch, out->word, PICTURE_WIDTH * 4,
                  PICTURE_WIDTH, PICTURE_HEIGHT, NULL);
    client_unlock(target);
}

/* Draws the scene of a number over a random picture, with narrow states or in floats. Facts are about the state. */
static inline void states_draw(struct states *s, unsigned number, bool in_floats, struct picture *out)
{
    const unsigned t = number % PICTURE_TARGETS;
    const D3DHAL_DP2SETRENDERTARGET body = {client_handle(client_part(s->target[t], 0)), 0};
    const uint32_t format = picture_targets[t].format;

    random_seed = number * 7919 + 3;
    s->in_floats = in_floats;
    s->facts = (struct state_facts){
        .gain = 1.0, .format = caps_find_format(format)->format, .jumps = picture_targets[t].samples > 1};
    stage_command(&s->stage, D3DDP2OP_SETRENDERTARGET, 1, &body, sizeof(body));
    stage_submit(&s->stage);
    stage_finish(&s->stage);
    fill_level(client_part(s->target[t], 0), format);
    stage_pixel_shader(&s->stage, 0, NULL);
    if (number % 5 == 4)
        random_shader(s);
    else
        random_stages(s);
    random_output(s);
    draw_triangles(s);
    stage_submit(&s->stage);
    stage_finish(&s->stage);
    if (s->stage.failed)
        fail_msg("state %u: %s failed with %#x", number, s->stage.failed, (unsigned)s->stage.error);
    read_picture(client_part(s->target[t], 0), format, out);
}

#endif
