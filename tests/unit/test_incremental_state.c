/* SPDX-License-Identifier: MIT */
/*
 * State derived for a draw is kept for the next one (hal/pixel/pipeline.c, hal/vertex/tnl/tnl.c, hal/vertex/stream.c).
 * Between draws, states, textures, memory, formats and targets change at random: the pixels must be those of a driver
 * that derives everything again for each draw.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bytecode/bytecode.h"
#include "ddi/entry.h"
#include "hal/context.h"
#include "hal/hal.h"
#include "hal/handles.h"
#include "hal/vertex/front_end.h"
#include "tests/random.h"
#include "tests/stage/stage.h"
#include "tests/unit/rounds.h"

#define SIZE     64 /* of targets, in pixels */
#define TEXTURES 5  /* the last one has a palette */
#define TEXELS   8  /* of their sides */
#define ROUNDS   800
#define DRAWS    40 /* of a round */
#define CHANGES  3  /* before a draw, at most */

struct scene {
    struct stage stage;
    unsigned round;
    struct client_chain *targets[2];
    uint32_t random;
    uint32_t textures[TEXTURES];
    bool invalidates;
};

static uint32_t below(struct scene *s, uint32_t limit)
{
    return random_next(&s->random) % limit;
}

/* One of `count` things, but only few of them in one round: with all states at random nothing would be visible any
 * more. */
static unsigned one_of(struct scene *s, unsigned count, unsigned few)
{
    return (s->round * few + below(s, few + few / 2)) % count;
}

static float fraction(struct scene *s)
{
    return (float)below(s, 257) / 256.0f;
}

/* --- states ------------------------------------------------------------------------------- */

enum { ANY_COLOR = 1000, NUMBER }; /* any colour, a number of 0..1; else: a value up to this */

struct choice {
    uint32_t state, last;
};

/* clang-format off */
static const struct choice render_states[] = {
    {D3DRS_ZENABLE, 2}, {D3DRS_SHADEMODE, 2}, {D3DRS_ZWRITEENABLE, 1}, {D3DRS_ALPHATESTENABLE, 1}, {D3DRS_SRCBLEND, 13},
    {D3DRS_DESTBLEND, 13}, {D3DRS_CULLMODE, 3}, {D3DRS_ZFUNC, 8}, {D3DRS_ALPHAREF, 255}, {D3DRS_ALPHAFUNC, 8},
    {D3DRS_DITHERENABLE, 1}, {D3DRS_ALPHABLENDENABLE, 1}, {D3DRS_FOGENABLE, 1}, {D3DRS_SPECULARENABLE, 1},
    {D3DRS_FOGCOLOR, ANY_COLOR}, {D3DRS_FOGTABLEMODE, 3}, {D3DRS_FOGSTART, NUMBER}, {D3DRS_FOGEND, NUMBER},
    {D3DRS_FOGDENSITY, NUMBER}, {D3DRS_ZBIAS, 16}, {D3DRS_RANGEFOGENABLE, 1}, {D3DRS_STENCILENABLE, 1},
    {D3DRS_STENCILFAIL, 8}, {D3DRS_STENCILZFAIL, 8}, {D3DRS_STENCILPASS, 8}, {D3DRS_STENCILFUNC, 8},
    {D3DRS_STENCILREF, 255}, {D3DRS_STENCILMASK, 255}, {D3DRS_STENCILWRITEMASK, 255}, {D3DRS_TEXTUREFACTOR, ANY_COLOR},
    {D3DRS_WRAP0, 3}, {D3DRS_LIGHTING, 1}, {D3DRS_AMBIENT, ANY_COLOR}, {D3DRS_FOGVERTEXMODE, 3}, {D3DRS_COLORVERTEX, 1},
    {D3DRS_LOCALVIEWER, 1}, {D3DRS_NORMALIZENORMALS, 1}, {D3DRS_DIFFUSEMATERIALSOURCE, 2},
    {D3DRS_SPECULARMATERIALSOURCE, 2}, {D3DRS_AMBIENTMATERIALSOURCE, 2}, {D3DRS_EMISSIVEMATERIALSOURCE, 2},
    {D3DRS_CLIPPLANEENABLE, 1}, {D3DRS_COLORWRITEENABLE, 15}, {D3DRS_BLENDOP, 5}, {D3DRS_LASTPIXEL, 1},
    {174 /* SCISSORTESTENABLE */, 1}, {185 /* TWOSIDEDSTENCILMODE */, 1}, {186 /* CCW_STENCILFAIL */, 8},
    {187 /* CCW_STENCILZFAIL */, 8}, {188 /* CCW_STENCILPASS */, 8}, {189 /* CCW_STENCILFUNC */, 8},
    {193 /* BLENDFACTOR */, ANY_COLOR}, {194 /* SRGBWRITEENABLE */, 1}, {206 /* SEPARATEALPHABLENDENABLE */, 1},
    {207 /* SRCBLENDALPHA */, 13}, {208 /* DESTBLENDALPHA */, 13}, {209 /* BLENDOPALPHA */, 5},
};

static const struct choice stage_states[] = {
    {D3DTSS_COLOROP, 26}, {D3DTSS_COLORARG1, 3}, {D3DTSS_COLORARG2, 3}, {D3DTSS_ALPHAOP, 15}, {D3DTSS_ALPHAARG1, 3},
    {D3DTSS_ALPHAARG2, 3}, {D3DTSS_BUMPENVMAT00, NUMBER}, {D3DTSS_BUMPENVMAT01, NUMBER}, {D3DTSS_BUMPENVMAT10, NUMBER},
    {D3DTSS_BUMPENVMAT11, NUMBER}, {D3DTSS_TEXCOORDINDEX, 1}, {D3DTSS_ADDRESSU, 5}, {D3DTSS_ADDRESSV, 5},
    {D3DTSS_BORDERCOLOR, ANY_COLOR}, {D3DTSS_MAGFILTER, 2}, {D3DTSS_MINFILTER, 3}, {D3DTSS_MIPFILTER, 2},
    {D3DTSS_MIPMAPLODBIAS, NUMBER}, {D3DTSS_MAXMIPLEVEL, 2}, {D3DTSS_MAXANISOTROPY, 4}, {D3DTSS_BUMPENVLSCALE, NUMBER},
    {D3DTSS_BUMPENVLOFFSET, NUMBER}, {D3DTSS_TEXTURETRANSFORMFLAGS, 3}, {D3DTSS_RESULTARG, 1},
    {29 /* SRGBTEXTURE */, 1},
};
/* clang-format on */

static uint32_t value_of(struct scene *s, const struct choice *choice)
{
    const float f = fraction(s);
    uint32_t value = choice->last == ANY_COLOR ? below(s, 1u << 24) * 257u : below(s, choice->last + 1);

    if (choice->last == NUMBER)
        memcpy(&value, &f, sizeof(value));
    return value;
}

static void change_render_state(struct scene *s)
{
    const struct choice *choice = &render_states[one_of(s, ARRAY_COUNT(render_states), 4)];

    stage_state(&s->stage, choice->state, value_of(s, choice));
}

static void change_stage_state(struct scene *s)
{
    const struct choice *choice = &stage_states[one_of(s, ARRAY_COUNT(stage_states), 3)];

    stage_texture_state(&s->stage, below(s, 2), choice->state, value_of(s, choice));
}

/* --- textures --------------------------------------------------------------------------------- */

static void change_texture(struct scene *s)
{
    const unsigned n = below(s, TEXTURES + 1);

    stage_texture_state(&s->stage, below(s, 2), D3DTSS_TEXTUREMAP, n < TEXTURES ? s->textures[n] : 0);
}

/* One of a few values, so that draws meet the values of others again. */
static void change_factor(struct scene *s)
{
    stage_state(&s->stage, D3DRS_TEXTUREFACTOR, 0xff402060 + 0x101010 * below(s, 3));
}

static void change_blending(struct scene *s)
{
    stage_state(&s->stage, D3DRS_ALPHABLENDENABLE, below(s, 2));
}

static void write_level(struct scene *s, unsigned n, unsigned level, uint32_t flags)
{
    struct client_surface *surface = client_part(s->stage.textures[n], level);
    struct client_lock lock;

    assert_int_equal(client_lock(surface, NULL, flags, &lock), DD_OK);
    for (unsigned y = 0; y < surface->gbl.wHeight; y++)
        for (unsigned x = 0; x < (unsigned)lock.pitch; x++)
            lock.bits[y * (unsigned)lock.pitch + x] = (uint8_t)below(s, 256);
    client_unlock(surface);
}

static void change_texels(struct scene *s)
{
    const unsigned n = below(s, TEXTURES);

    stage_submit(&s->stage);
    write_level(s, n, 0, below(s, 2) ? DDLOCK_DISCARDCONTENTS : 0);
}

static void create_texture(struct scene *s, unsigned n)
{
    static const uint32_t formats[TEXTURES] = {D3DFMT_A8R8G8B8, D3DFMT_R5G6B5, D3DFMT_X8R8G8B8, D3DFMT_A4R4G4B4,
                                               D3DFMT_P8};
    const unsigned levels = n == 0 ? 3 : 1;

    s->stage.texture_count = n;
    s->textures[n] = stage_texture(&s->stage, formats[n], TEXELS, TEXELS, levels, NULL);
    for (unsigned level = 0; level < levels; level++)
        write_level(s, n, level, 0);
    s->stage.texture_count = TEXTURES;
}

/* Another texture, often under the same handle and at the same address; the old one may still be bound. */
static void replace_texture(struct scene *s)
{
    const unsigned n = below(s, TEXTURES);

    stage_submit(&s->stage);
    client_chain_destroy(s->stage.textures[n]);
    create_texture(s, n);
}

static void change_palette(struct scene *s)
{
    const D3DHAL_DP2SETPALETTE set = {1 + below(s, 2), 1 << 3 /* DDRAWIPAL_256 */, s->textures[TEXTURES - 1]};
    struct {
        D3DHAL_DP2UPDATEPALETTE head;
        PALETTEENTRY entries[256];
    } update = {.head = {1 + below(s, 2), 0, 256}};

    for (unsigned i = 0; i < 256; i++)
        update.entries[i] = (PALETTEENTRY){(BYTE)below(s, 256), (BYTE)below(s, 256), (BYTE)i, 255};
    if (below(s, 2))
        stage_command(&s->stage, D3DDP2OP_SETPALETTE, 1, &set, sizeof(set));
    else
        stage_command(&s->stage, D3DDP2OP_UPDATEPALETTE, 1, &update, sizeof(update));
}

static void change_lod(struct scene *s)
{
    const D3DHAL_DP2SETTEXLOD body = {s->textures[0], below(s, 3)};

    stage_command(&s->stage, D3DDP2OP_SETTEXLOD, 1, &body, sizeof(body));
}

/* --- all else ----------------------------------------------------------------------------------- */

static void change_pixel_shader(struct scene *s)
{
    static const char *const texts[] = {"ps_1_1\ntex t0\nmul r0, t0, c0\n", "ps_1_1\ntex t1\nadd r0, t1, v0\n",
                                        "ps_1_1\nmov r0, c1\n"};
    const uint32_t n = below(s, 2 + ARRAY_COUNT(texts));
    const uint32_t handle = n < ARRAY_COUNT(texts) ? 101 + 2 * n : 0;
    struct shader_error error;
    uint32_t tokens[64];

    if (handle)
        assert_true(shader_assemble(texts[n], tokens, ARRAY_COUNT(tokens), &error));
    stage_pixel_shader(&s->stage, handle, handle ? tokens : NULL);
}

static void change_constants(struct scene *s)
{
    const float values[4] = {fraction(s), fraction(s), fraction(s), fraction(s)};
    const bool pixel = below(s, 2);

    stage_constants(&s->stage, pixel, below(s, 2), 1, values);
}

static void change_vertex_shader(struct scene *s)
{
    static const char text[] = "vs_1_1\nadd oPos, v0, c0\nmov oD0, v5\nmov oT0, v7\nmov oT1, c1\n";
    static const uint32_t declaration[] = {0x20000000, 0x40020000, 0x40020003, 0x40040005, 0x40010007, 0xffffffff};
    struct shader_error error;
    uint32_t tokens[128];

    assert_true(shader_assemble(text, tokens, ARRAY_COUNT(tokens), &error));
    stage_vertex_shader(&s->stage, 201, declaration, below(s, 2) ? tokens : NULL);
}

static void change_transform(struct scene *s)
{
    static const uint32_t which[] = {D3DTS_VIEW, D3DTS_PROJECTION, D3DTS_TEXTURE0, D3DTS_TEXTURE1, 256};
    float m[16];

    for (unsigned i = 0; i < 16; i++)
        m[i] = (i % 5 == 0 ? 1.0f : 0.0f) + (below(s, 3) ? 0.0f : 0.25f * fraction(s) - 0.125f);
    stage_transform(&s->stage, which[below(s, ARRAY_COUNT(which))], m);
}

static void change_light(struct scene *s)
{
    const D3DLIGHT8 light = {.Type = D3DLIGHT_DIRECTIONAL,
                             .Diffuse = {fraction(s), fraction(s), fraction(s), 1},
                             .Direction = {fraction(s), 0.25f, 1}};
    D3DMATERIAL8 material = {.Diffuse = {fraction(s), fraction(s), fraction(s), fraction(s)},
                             .Ambient = {fraction(s), 1, 1, 1}};

    if (below(s, 2))
        stage_light(&s->stage, below(s, 2), &light);
    else
        stage_material(&s->stage, &material);
}

static void change_view(struct scene *s)
{
    const uint32_t x = below(s, 16), y = below(s, 16);
    const D3DHAL_DP2VIEWPORTINFO view = {x, y, SIZE - x - below(s, 16), SIZE - y};
    const D3DHAL_DP2ZRANGE range = {0.25f * fraction(s), 1.0f};
    const D3DHAL_DP2WINFO w = {0.5f * fraction(s), 1.0f + 2.0f * fraction(s)};
    const int32_t scissor[4] = {(int32_t)below(s, 20), 4, 60, 60 - (int32_t)below(s, 20)};

    switch (below(s, 4)) {
    case 3:
        stage_command(&s->stage, D3DDP2OP_WINFO, 1, &w, sizeof(w));
        break;
    case 0:
        stage_command(&s->stage, D3DDP2OP_VIEWPORTINFO, 1, &view, sizeof(view));
        break;
    case 1:
        stage_command(&s->stage, D3DDP2OP_ZRANGE, 1, &range, sizeof(range));
        break;
    default:
        stage_command(&s->stage, D3DDP2OP_SETSCISSORRECT, 1, scissor, sizeof(scissor));
        break;
    }
}

static void change_target(struct scene *s)
{
    struct client_chain *target = s->targets[below(s, 2)], *depth = below(s, 4) ? s->stage.depth : NULL;
    const D3DHAL_DP2SETRENDERTARGET body = {client_handle(client_part(target, 0)),
                                            depth ? client_handle(client_part(depth, 0)) : 0};

    stage_command(&s->stage, D3DDP2OP_SETRENDERTARGET, 1, &body, sizeof(body));
}

/* The picture so far is read, and the target is written to, by somebody else. */
static void touch_target(struct scene *s)
{
    struct client_surface *surface = client_part(s->targets[below(s, 2)], 0);
    struct client_lock lock;

    stage_submit(&s->stage);
    assert_int_equal(client_lock(surface, NULL, 0, &lock), DD_OK);
    memset(lock.bits + below(s, SIZE) * (unsigned)lock.pitch, (int)below(s, 256), SIZE * 4);
    client_unlock(surface);
}

static void clear(struct scene *s)
{
    stage_clear(&s->stage, D3DCLEAR_TARGET | (below(s, 2) ? D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL : 0),
                below(s, 1u << 24), fraction(s), below(s, 256));
}

static void change(struct scene *s)
{
    static void (*const kinds[])(struct scene *) = {
        change_render_state,  change_texture,   change_factor,  change_texels,    replace_texture,
        change_stage_state,   change_palette,   change_lod,     change_texture,   change_render_state,
        change_pixel_shader,  change_constants, change_texture, change_transform, change_render_state,
        change_vertex_shader, change_constants, change_light,   change_view,      change_factor,
        change_render_state,  change_target,    touch_target,   change_texture,   clear,
    };

    /* In some rounds draws alternate between a few textures, factors and programs, and change nothing else. */
    static void (*const recurring[])(struct scene *) = {
        change_texture, change_factor,       change_blending,  change_texture,
        change_factor,  change_pixel_shader, change_constants,
    };

    if (s->round % 4 == 0)
        recurring[one_of(s, ARRAY_COUNT(recurring), 3)](s);
    else
        kinds[one_of(s, ARRAY_COUNT(kinds), 6)](s);
}

/* --- draws ---------------------------------------------------------------------------------------- */

/* A quad in one of several formats: x, y, z in clip space or pixels, then the other elements. */
static void draw(struct scene *s)
{
    static const uint32_t formats[] = {
        D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1,
        D3DFVF_XYZRHW | D3DFVF_SPECULAR | D3DFVF_TEX2,
        D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_DIFFUSE | D3DFVF_TEX1,
        D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_TEX2,
        D3DFVF_XYZ | D3DFVF_DIFFUSE | D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE3(0),
    };
    /* the vertex shader's declaration has the third */
    const unsigned n = s->stage.vertex_shader ? 2 : below(s, ARRAY_COUNT(formats));
    const bool in_pixels = (formats[n] & D3DFVF_POSITION_MASK) == D3DFVF_XYZRHW;
    const float left = fraction(s), top = fraction(s), size = 0.5f * fraction(s), z = fraction(s);
    const unsigned words = dp2_fvf_size(formats[n]) / 4;
    float vertices[4 * 16];

    for (unsigned i = 0; i < 4; i++) {
        float *v = vertices + i * words;
        const float x = left + (i & 1 ? size : 0), y = top + (i & 2 ? size : 0);

        for (unsigned w = 4; w < words; w++)
            v[w] = 2 * fraction(s) - 0.5f;
        v[0] = in_pixels ? x * SIZE : 2 * x - 1;
        v[1] = in_pixels ? y * SIZE : 1 - 2 * y;
        v[2] = z;
        v[3] = 1;
    }
    stage_draw(&s->stage, D3DPT_TRIANGLESTRIP, 2, formats[n], vertices, 4);
}

static void invalidate_all(const struct stage *stage)
{
    struct hal_context *context = hal_context_find(ddi_root.driver, (uint32_t)stage->context);

    assert_non_null(context);
    hal_scene_flush(&context->scene, HAL_FLUSH_LOOK);
    hal_renderer_forget(&context->renderer);
    hal_targets_changed(&context->scene);
    hal_handles_set(context->resources.handles, HAL_MAX_SURFACE_HANDLE - 1, NULL);
}

static uint64_t hash_of(struct client_chain *chain, unsigned bytes)
{
    uint64_t hash = 0xcbf29ce484222325u;
    struct client_lock lock;

    assert_int_equal(client_lock(client_part(chain, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
    for (unsigned y = 0; y < SIZE; y++)
        for (unsigned x = 0; x < SIZE * bytes; x++)
            hash = (hash ^ lock.bits[y * (unsigned)lock.pitch + x]) * 0x100000001b3u;
    client_unlock(client_part(chain, 0));
    return hash;
}

static void open(struct scene *s, unsigned round)
{
    const struct client_chain_desc desc = {
        .usage = CLIENT_TARGET, .format = D3DFMT_A8R8G8B8, .width = SIZE, .height = SIZE};

    const D3DMATERIAL8 material = {.Diffuse = {1, 0.5f, 0.25f, 1}, .Ambient = {0.5f, 1, 1, 1}};

    assert_true(stage_open(&s->stage, SIZE, SIZE, D3DFMT_A8R8G8B8, D3DFMT_D24S8));
    stage_material(&s->stage, &material);
    s->round = s->random = round;
    s->targets[0] = s->stage.target;
    assert_int_equal(client_chain_create(s->stage.client, &desc, &s->targets[1]), DD_OK);
    for (unsigned n = 0; n < TEXTURES; n++)
        create_texture(s, n);
    for (unsigned t = 0; t < 2; t++) {
        stage_texture_state(&s->stage, t, D3DTSS_TEXTUREMAP, s->textures[t]);
        stage_texture_state(&s->stage, t, D3DTSS_COLOROP, t ? D3DTOP_BLENDFACTORALPHA : D3DTOP_MODULATE);
        stage_texture_state(&s->stage, t, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    }
}

static void close(struct scene *s)
{
    stage_submit(&s->stage);
    client_chain_destroy(s->targets[1]);
    assert_null(s->stage.failed);
    stage_close(&s->stage);
}

/* The surfaces after one round. */
static void play(unsigned round, bool invalidates, uint64_t hashes[3])
{
    static struct scene s;

    memset(&s, 0, sizeof(s));
    open(&s, round);
    for (unsigned i = 0; i < DRAWS; i++) {
        for (unsigned n = below(&s, CHANGES + 1); n > 0; n--)
            change(&s);
        stage_submit(&s.stage);
        if (invalidates)
            invalidate_all(&s.stage);
        draw(&s);
    }
    hashes[0] = hash_of(s.targets[0], 4);
    hashes[1] = hash_of(s.targets[1], 4);
    hashes[2] = hash_of(s.stage.depth, 4);
    close(&s);
}

static void test_random_changes(void **state)
{
    (void)state;
    for (unsigned round = first_round(ROUNDS); round < end_round(ROUNDS); round++) {
        uint64_t kept[3], anew[3];

        play(round, false, kept);
        play(round, true, anew);
        for (unsigned i = 0; i < 3; i++)
            if (kept[i] != anew[i])
                fail_msg("round %u: surface %u differs", round, i);
    }
}

/* --- single cases that need several conditions at once --------------------------------------------------- */

struct corner {
    float x, y, z, w, u, v;
};

/* The whole target: coordinates run from -1 to 1. */
static void fill(struct scene *s, bool in_pixels, float z)
{
    float v[4][6];

    for (unsigned i = 0; i < 4; i++) {
        const float x = i & 1 ? 1 : 0, y = i & 2 ? 1 : 0;
        const struct corner pixels = {x * SIZE, y * SIZE, z, 1, 2 * x - 1, 2 * y - 1};
        const float clip[5] = {2 * x - 1, 1 - 2 * y, z, 2 * x - 1, 2 * y - 1};

        memcpy(in_pixels ? v[i] : v[0] + 5 * i, in_pixels ? &pixels.x : clip,
               in_pixels ? sizeof(pixels) : sizeof(clip));
    }
    stage_draw(&s->stage, D3DPT_TRIANGLESTRIP, 2, (in_pixels ? D3DFVF_XYZRHW : D3DFVF_XYZ) | D3DFVF_TEX1, v, 4);
}

static uint32_t pixel(struct scene *s, unsigned x, unsigned y)
{
    struct client_lock lock;
    uint32_t word;

    stage_submit(&s->stage);
    assert_int_equal(client_lock(client_part(s->targets[0], 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
    memcpy(&word, lock.bits + y * (unsigned)lock.pitch + 4 * x, 4);
    client_unlock(client_part(s->targets[0], 0));
    assert_null(s->stage.failed);
    return word & 0xffffff;
}

static struct scene *begin(void)
{
    static struct scene s;

    memset(&s, 0, sizeof(s));
    open(&s, 0);
    stage_texture_state(&s.stage, 1, D3DTSS_COLOROP, D3DTOP_DISABLE);
    return &s;
}

/* A sampler's states change while a shader that reads the same texture is bound instead of the stages. */
static void test_sampler_behind_a_shader(void **state)
{
    struct scene *s = begin();
    struct shader_error error;
    uint32_t tokens[64];

    (void)state;
    assert_true(shader_assemble("ps_1_1\ntex t0\nmov r0, t0\n", tokens, ARRAY_COUNT(tokens), &error));
    stage_texture_state(&s->stage, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    stage_texture_state(&s->stage, 0, D3DTSS_ADDRESSU, D3DTADDRESS_CLAMP);
    fill(s, true, 0);
    stage_pixel_shader(&s->stage, 1, tokens);
    stage_texture_state(&s->stage, 0, D3DTSS_ADDRESSU, D3DTADDRESS_BORDER);
    stage_texture_state(&s->stage, 0, D3DTSS_BORDERCOLOR, 0xff123456);
    fill(s, true, 0);
    stage_pixel_shader(&s->stage, 0, NULL);
    fill(s, true, 0);
    assert_int_equal(pixel(s, 2, 2), 0x123456);
    close(s);
}

/* Table fog uses the depth of vertices in pixels and of others if the projection is affine, else 1 / rhw and w. */
static void test_fog_of_both(void **state)
{
    static const float affine[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    static const float perspective[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0.5f, 0}; /* z 1/2, w = z */
    struct scene *s = begin();

    (void)state;
    stage_texture_state(&s->stage, 0, D3DTSS_COLOROP, D3DTOP_DISABLE);
    stage_state(&s->stage, D3DRS_FOGENABLE, 1);
    stage_state(&s->stage, D3DRS_FOGCOLOR, 0);
    stage_state(&s->stage, D3DRS_FOGTABLEMODE, D3DFOG_LINEAR);
    stage_state_float(&s->stage, D3DRS_FOGSTART, 0.5f);
    stage_state_float(&s->stage, D3DRS_FOGEND, 0.75f);
    for (unsigned i = 0; i < 2; i++) {
        stage_transform(&s->stage, D3DTS_PROJECTION, affine);
        fill(s, true, 0.5f);
        assert_int_equal(pixel(s, 5, 5), 0xffffff);
        stage_transform(&s->stage, D3DTS_PROJECTION, perspective);
        fill(s, true, 0.5f);
        assert_int_equal(pixel(s, 5, 5), 0);
        stage_transform(&s->stage, D3DTS_PROJECTION, affine);
        fill(s, false, 0.5f);
        assert_int_equal(pixel(s, 32, 32), 0xffffff);
        stage_transform(&s->stage, D3DTS_PROJECTION, perspective);
        fill(s, false, 1.0f);
        assert_int_equal(pixel(s, 32, 32), 0);
    }
    close(s);
}

/* The depth of vertices in pixels is clipped if depth is tested, else clamped. */
static void test_depth_buffer_goes(void **state)
{
    struct scene *s = begin();

    (void)state;
    stage_texture_state(&s->stage, 0, D3DTSS_COLOROP, D3DTOP_DISABLE);
    stage_clear(&s->stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1, 0);
    stage_state(&s->stage, D3DRS_ZENABLE, 1);
    for (unsigned i = 0; i < 2; i++) {
        const D3DHAL_DP2SETRENDERTARGET body = {client_handle(client_part(s->stage.target, 0)),
                                                i ? 0 : client_handle(client_part(s->stage.depth, 0))};

        stage_command(&s->stage, D3DDP2OP_SETRENDERTARGET, 1, &body, sizeof(body));
        fill(s, true, 1.5f);
        assert_int_equal(pixel(s, 5, 5), i ? 0xffffff : 0);
    }
    close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_changes),
        cmocka_unit_test(test_sampler_behind_a_shader),
        cmocka_unit_test(test_fog_of_both),
        cmocka_unit_test(test_depth_buffer_goes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
