/* SPDX-License-Identifier: MIT */
/* Render states, stage states, viewport and the like: groups of states that change together, if the scene has the
 * feature. */
#include "tests/scenes/scenes.h"

#include "d3d/extension.h"
#include "d3d/feedback.h"
#include "d3d/states.h"

#include <stddef.h>
#include <string.h>

static void set(struct scene *s, uint32_t state, uint32_t value)
{
    stage_state(&s->stage, state, value);
}

static void set_float(struct scene *s, uint32_t state, float value)
{
    stage_state_float(&s->stage, state, any_float(s, value));
}

static uint32_t compare(struct scene *s)
{
    static const uint8_t often[] = {D3DCMP_LESSEQUAL,    D3DCMP_LESSEQUAL, D3DCMP_LESS,
                                    D3DCMP_GREATEREQUAL, D3DCMP_ALWAYS,    D3DCMP_ALWAYS};

    return chance(s, 75) ? often[below(s, ARRAY_COUNT(often))] : 1 + below(s, 8);
}

static void change_depth(struct scene *s)
{
    set(s, D3DRS_ZENABLE, chance(s, 88));
    set(s, D3DRS_ZWRITEENABLE, chance(s, 75));
    set(s, D3DRS_ZFUNC, compare(s));
    set(s, D3DRS_ZBIAS, chance(s, 20) ? below(s, 4) : 0);
    set_float(s, D3D_RS_DEPTHBIAS, chance(s, 10) ? 0.01f * fraction(s) : 0);
    set_float(s, D3D_RS_SLOPESCALEDEPTHBIAS, chance(s, 10) ? 4 * fraction(s) - 2 : 0);
}

static void change_stencil(struct scene *s)
{
    set(s, D3DRS_STENCILENABLE, chance(s, 75));
    set(s, D3DRS_STENCILFUNC, chance(s, 50) ? D3DCMP_ALWAYS : 1 + below(s, 8));
    set(s, D3DRS_STENCILREF, chance(s, 70) ? below(s, 4) : below(s, 256));
    set(s, D3DRS_STENCILMASK, chance(s, 70) ? 255 : below(s, 256));
    set(s, D3DRS_STENCILWRITEMASK, chance(s, 70) ? 255 : below(s, 256));
    for (uint32_t op = D3DRS_STENCILFAIL; op <= D3DRS_STENCILPASS; op++)
        set(s, op, 1 + below(s, chance(s, 40) ? 8 : 3));
    set(s, D3D_RS_TWOSIDEDSTENCILMODE, chance(s, 30));
    for (uint32_t op = D3D_RS_CCW_STENCILFAIL; op <= D3D_RS_CCW_STENCILFUNC; op++)
        set(s, op, 1 + below(s, 8));
}

static void change_alpha_test(struct scene *s)
{
    set(s, D3DRS_ALPHATESTENABLE, chance(s, 75));
    set(s, D3DRS_ALPHAFUNC, chance(s, 60) ? D3DCMP_GREATEREQUAL : 1 + below(s, 8));
    set(s, D3DRS_ALPHAREF, chance(s, 50) ? 1 + below(s, 60) : below(s, 256));
}

static void change_blend(struct scene *s)
{
    static const uint8_t usual[][2] = {{5, 6}, {2, 2}, {5, 2}, {9, 1}, {4, 3}};
    const uint8_t *pair = usual[below(s, ARRAY_COUNT(usual))];
    const bool any = chance(s, 30);

    set(s, D3DRS_ALPHABLENDENABLE, chance(s, 65));
    set(s, D3DRS_SRCBLEND, any ? 1 + below(s, 13) : pair[0]);
    set(s, D3DRS_DESTBLEND, any ? 1 + below(s, 11) : pair[1]);
    set(s, D3DRS_BLENDOP, chance(s, 80) ? 1 : 1 + below(s, 5));
    set(s, D3D_RS_SEPARATEALPHABLENDENABLE, chance(s, 15));
    set(s, D3D_RS_SRCBLENDALPHA, 1 + below(s, 11));
    set(s, D3D_RS_DESTBLENDALPHA, 1 + below(s, 11));
    set(s, D3D_RS_BLENDOPALPHA, 1 + below(s, 5));
    set(s, D3D_RS_BLENDFACTOR, scene_random(s));
    set(s, D3D_RS_SRGBWRITEENABLE, chance(s, 10));
    set(s, D3DRS_COLORWRITEENABLE, chance(s, 80) ? 15 : below(s, 16));
}

static void change_fog(struct scene *s)
{
    set(s, D3DRS_FOGENABLE, chance(s, 70));
    set(s, D3DRS_FOGCOLOR, scene_random(s));
    set(s, D3DRS_FOGTABLEMODE, below(s, 4));
    set(s, D3DRS_FOGVERTEXMODE, below(s, 4));
    set(s, D3DRS_RANGEFOGENABLE, chance(s, 20));
    set_float(s, D3DRS_FOGSTART, fraction(s));
    set_float(s, D3DRS_FOGEND, 0.5f + 2 * fraction(s));
    set_float(s, D3DRS_FOGDENSITY, fraction(s));
}

static void change_dither(struct scene *s)
{
    set(s, D3DRS_DITHERENABLE, chance(s, 60));
}

static void change_coverage(struct scene *s)
{
    static const uint32_t sources[] = {EXTENSION_INPUT_COVERAGE, EXTENSION_INPUT_COVERAGE, EXTENSION_INNER_COVERAGE, 2};

    set(s, D3DRS_SPECULARMATERIALSOURCE, sources[below(s, ARRAY_COUNT(sources))]);
    set(s, D3DRS_SPECULARENABLE, chance(s, 60));
    stage_texture_state(&s->stage, 0, D3DTSS_COLORARG1, chance(s, 60) ? D3DTA_SPECULAR : D3DTA_TEXTURE);
    stage_texture_state(&s->stage, 0, D3DTSS_ALPHAARG1, chance(s, 40) ? D3DTA_SPECULAR : D3DTA_TEXTURE);
    set(s, D3DRS_MULTISAMPLEMASK, chance(s, 60) ? 0xffffffff : scene_random(s));
}

static void change_conservative(struct scene *s)
{
    set(s, D3DRS_MULTISAMPLEANTIALIAS,
        chance(s, 60) ? EXTENSION_CONSERVATIVE(1 + below(s, EXTENSION_MAX_TIER), chance(s, 60) ? 0 : below(s, 4))
                      : chance(s, 80));
}

/* The object of d3d/wddm2.h: depth clip, smooth lines, forced sample counts. */
static void change_rasterizer_object(struct scene *s)
{
    static const uint8_t counts[] = {0, 0, 1, 2, 4, 8, 16};

    set(s, EXTENSION_RS_BOUND, chance(s, 60));
    set(s, EXTENSION_RS_FILL, chance(s, 85) ? 3 : 2);
    set(s, EXTENSION_RS_CULL, chance(s, 70) ? 1 : 1 + below(s, 3));
    set(s, EXTENSION_RS_FRONT_CCW, chance(s, 30));
    set(s, EXTENSION_RS_DEPTH_BIAS, chance(s, 20) ? below(s, 64) : 0);
    set_float(s, EXTENSION_RS_DEPTH_BIAS_SLOPE, chance(s, 20) ? fraction(s) : 0);
    set(s, EXTENSION_RS_DEPTH_CLIP, chance(s, 60));
    set(s, EXTENSION_RS_SCISSOR, chance(s, 20));
    set(s, EXTENSION_RS_MULTISAMPLE, chance(s, 80));
    set(s, EXTENSION_RS_LINE_SMOOTH, chance(s, 30));
    set(s, EXTENSION_RS_FORCED_SAMPLES, s->samples > 1 ? 0 : counts[below(s, ARRAY_COUNT(counts))]);
    set(s, EXTENSION_RS_CONSERVATIVE, chance(s, 30));
}

static void change_depth_bounds(struct scene *s)
{
    const float low = 0.7f * fraction(s);

    set(s, D3D_RS_ADAPTIVETESS_X, chance(s, 60) ? EXTENSION_DEPTH_BOUNDS : 0);
    set_float(s, D3D_RS_ADAPTIVETESS_Z, low);
    set_float(s, D3D_RS_ADAPTIVETESS_W, low + 0.4f * fraction(s));
}

static void change_alpha_coverage(struct scene *s)
{
    set(s, D3DRS_POINTSIZE, chance(s, 50) ? EXTENSION_ALPHA_COVERAGE_ON : EXTENSION_ALPHA_COVERAGE_OFF);
    set(s, D3D_RS_ADAPTIVETESS_Y, chance(s, 40) ? EXTENSION_ALPHA_COVERAGE : 0);
}

static void change_clip_planes(struct scene *s)
{
    for (uint32_t n = 0; n < 3; n++) {
        struct {
            uint32_t index;
            float plane[4];
        } body = {n, {2 * fraction(s) - 1, 2 * fraction(s) - 1, 0.5f * fraction(s), fraction(s) - 0.2f}};

        any_floats(s, body.plane, 4);
        stage_command(&s->stage, D3DDP2OP_SETCLIPPLANE, 1, &body, sizeof(body));
    }
    set(s, D3DRS_CLIPPLANEENABLE, chance(s, 60) ? below(s, 8) : 0);
}

static void change_scissor(struct scene *s)
{
    const int32_t x = (int32_t)below(s, s->width / 2), y = (int32_t)below(s, s->height / 2);
    const int32_t rect[4] = {x, y, x + (int32_t)below(s, s->width), y + (int32_t)below(s, s->height)};

    set(s, D3D_RS_SCISSORTESTENABLE, chance(s, 60));
    stage_command(&s->stage, D3DDP2OP_SETSCISSORRECT, 1, rect, sizeof(rect));
}

static void change_viewport(struct scene *s)
{
    const uint32_t x = chance(s, 50) ? below(s, 100) : 0, y = chance(s, 50) ? below(s, 60) : 0;
    const D3DHAL_DP2VIEWPORTINFO view = {x, y, s->width - x - (chance(s, 30) ? below(s, 100) : 0), s->height - y};
    const float low = chance(s, 20) ? 0.5f * fraction(s) : 0;
    const D3DHAL_DP2ZRANGE range = {any_float(s, low),
                                    any_float(s, low + (1 - low) * (chance(s, 80) ? 1 : fraction(s)))};

    stage_command(&s->stage, D3DDP2OP_VIEWPORTINFO, 1, &view, sizeof(view));
    stage_command(&s->stage, D3DDP2OP_ZRANGE, 1, &range, sizeof(range));
}

static void change_points(struct scene *s)
{
    set_float(s, D3DRS_POINTSIZE, chance(s, 30) ? 1 : 40 * fraction(s));
    set(s, D3DRS_POINTSPRITEENABLE, chance(s, 60));
    set(s, D3DRS_POINTSCALEENABLE, chance(s, 30));
    set_float(s, D3DRS_POINTSIZE_MAX, 64);
    set_float(s, D3DRS_POINTSCALE_A, fraction(s));
    set_float(s, D3DRS_POINTSCALE_B, fraction(s));
    set_float(s, D3DRS_POINTSCALE_C, fraction(s));
    set_float(s, D3DRS_POINTSIZE_MIN, 1);
}

static void change_lines(struct scene *s)
{
    set(s, D3DRS_LINEPATTERN, chance(s, 40) ? scene_random(s) & 0xffff0003 : 0);
    set(s, D3DRS_LASTPIXEL, chance(s, 70));
}

static void change_fill_modes(struct scene *s)
{
    set(s, D3DRS_FILLMODE, chance(s, 75) ? D3DFILL_SOLID : 1 + below(s, 2));
    set(s, D3DRS_SHADEMODE, 1 + below(s, 2));
    set(s, D3DRS_CULLMODE, chance(s, 60) ? D3DCULL_NONE : 2 + below(s, 2));
}

static void change_lighting(struct scene *s)
{
    D3DLIGHT8 light = {.Type = chance(s, 60)   ? D3DLIGHT_DIRECTIONAL
                               : chance(s, 50) ? D3DLIGHT_POINT
                                               : D3DLIGHT_SPOT,
                       .Diffuse = {fraction(s), fraction(s), fraction(s), 1},
                       .Specular = {fraction(s), 1, fraction(s), 1},
                       .Position = {2 * fraction(s) - 1, 2 * fraction(s) - 1, -fraction(s)},
                       .Direction = {fraction(s) - 0.5f, fraction(s) - 0.5f, 1},
                       .Range = 4,
                       .Falloff = 2 * fraction(s),
                       .Attenuation0 = fraction(s),
                       .Attenuation1 = fraction(s),
                       .Theta = 0.5f,
                       .Phi = 0.5f + fraction(s)};
    D3DMATERIAL8 material = {.Diffuse = {fraction(s), fraction(s), fraction(s), fraction(s)},
                             .Ambient = {fraction(s), fraction(s), fraction(s), 1},
                             .Specular = {1, 1, 1, 1},
                             .Power = 20 * fraction(s)};

    any_floats(s, &light.Diffuse.r, (sizeof(light) - offsetof(D3DLIGHT8, Diffuse)) / sizeof(float));
    any_floats(s, &material.Diffuse.r, sizeof(material) / sizeof(float));

    set(s, D3DRS_LIGHTING, chance(s, 60));
    set(s, D3DRS_SPECULARENABLE, chance(s, 50));
    set(s, D3DRS_AMBIENT, scene_random(s) & 0x3f3f3f);
    stage_material(&s->stage, &material);
    stage_light(&s->stage, below(s, 2), &light);
}

/* --- textures ---------------------------------------------------------------------------------------- */

static void bind_texture(struct scene *s, unsigned stage)
{
    unsigned n = below(s, SCENE_TEXTURES + (has(s, TARGET_TEXTURE) ? 4 : 0));

    if (has(s, FEEDBACK) && chance(s, 60))
        n = below(s, SCENE_MAPS);
    stage_texture_state(&s->stage, stage, D3DTSS_TEXTUREMAP,
                        world_handle(n < SCENE_TEXTURES       ? s->textures[n]
                                     : n < SCENE_TEXTURES + 2 ? s->targets[2]
                                                              : s->depths[1]));
    if (has(s, FEEDBACK))
        stage_texture_state(&s->stage, stage, D3D_TSS_FEEDBACK,
                            n < SCENE_MAPS && chance(s, 75) ? world_handle(s->maps[n]) : 0);
}

static void set_stage_float(struct scene *s, unsigned stage, uint32_t state, float value)
{
    uint32_t bits;

    value = any_float(s, value);
    memcpy(&bits, &value, sizeof(bits));
    stage_texture_state(&s->stage, stage, state, bits);
}

/* Coordinates that are transformed, and the states of bump mapping. */
static void change_coordinates(struct scene *s, unsigned stage)
{
    float matrix[16];

    for (unsigned i = 0; i < 16; i++)
        matrix[i] = (i % 5 == 0 ? 1.0f : 0.0f) + (chance(s, 50) ? 0.0f : fraction(s) - 0.5f);
    any_floats(s, matrix, 16);
    stage_transform(&s->stage, D3DTS_TEXTURE0 + stage, matrix);
    stage_texture_state(&s->stage, stage, D3DTSS_TEXTURETRANSFORMFLAGS,
                        chance(s, 60) ? 0 : below(s, 5) | (chance(s, 30) ? D3DTTFF_PROJECTED : 0));
    for (uint32_t state = D3DTSS_BUMPENVMAT00; state <= D3DTSS_BUMPENVMAT11; state++)
        set_stage_float(s, stage, state, fraction(s) - 0.5f);
    set_stage_float(s, stage, D3DTSS_BUMPENVLSCALE, fraction(s));
    set_stage_float(s, stage, D3DTSS_BUMPENVLOFFSET, fraction(s));
}

static void change_stage(struct scene *s, unsigned stage)
{
    static const uint8_t operations[] = {D3DTOP_MODULATE,   D3DTOP_SELECTARG1,        D3DTOP_ADD,
                                         D3DTOP_MODULATE2X, D3DTOP_BLENDDIFFUSEALPHA, D3DTOP_SUBTRACT};
    static const uint32_t arguments[] = {D3DTA_TEXTURE, D3DTA_TEXTURE, D3DTA_DIFFUSE,
                                         D3DTA_CURRENT, D3DTA_TFACTOR, D3DTA_SPECULAR};
    const unsigned count = ARRAY_COUNT(operations);
    struct stage *t = &s->stage;

    bind_texture(s, stage);
    stage_texture_state(t, stage, D3DTSS_COLOROP, chance(s, 80) ? operations[below(s, count)] : 1 + below(s, 26));
    stage_texture_state(t, stage, D3DTSS_COLORARG1, arguments[below(s, 6)]);
    stage_texture_state(t, stage, D3DTSS_COLORARG2, arguments[below(s, 6)]);
    stage_texture_state(t, stage, D3DTSS_ALPHAOP, chance(s, 80) ? operations[below(s, count)] : 2 + below(s, 15));
    stage_texture_state(t, stage, D3DTSS_ALPHAARG1, arguments[below(s, 6)]);
    stage_texture_state(t, stage, D3DTSS_ALPHAARG2, arguments[below(s, 6)]);
    stage_texture_state(t, stage, D3DTSS_ADDRESSU, 1 + below(s, 5));
    stage_texture_state(t, stage, D3DTSS_ADDRESSV, 1 + below(s, 5));
    stage_texture_state(t, stage, D3DTSS_BORDERCOLOR, scene_random(s));
    stage_texture_state(t, stage, D3DTSS_MAGFILTER, 1 + below(s, 3));
    stage_texture_state(t, stage, D3DTSS_MINFILTER, 1 + below(s, 3));
    stage_texture_state(t, stage, D3DTSS_MIPFILTER, below(s, 3));
    stage_texture_state(t, stage, D3DTSS_MAXANISOTROPY, 1 + below(s, 8));
    stage_texture_state(t, stage, D3DTSS_MAXMIPLEVEL, chance(s, 85) ? 0 : below(s, 3));
    set_stage_float(s, stage, D3DTSS_MIPMAPLODBIAS, chance(s, 20) ? 4 * fraction(s) - 2 : 0);
    stage_texture_state(t, stage, D3DTSS_TEXCOORDINDEX, chance(s, 80) ? stage & 1 : below(s, 2));
    stage_texture_state(t, stage, D3D_TSS_SRGBTEXTURE, chance(s, 10));
    if (chance(s, 20))
        change_coordinates(s, stage);
}

static void change_stages(struct scene *s)
{
    const unsigned stages = 1 + below(s, 3);

    for (unsigned n = 0; n < stages; n++)
        change_stage(s, n);
    stage_texture_state(&s->stage, stages, D3DTSS_COLOROP, D3DTOP_DISABLE);
    set(s, D3DRS_TEXTUREFACTOR, scene_random(s));
}

static void change_transforms(struct scene *s)
{
    const float distance = 0.3f + fraction(s), w = chance(s, 70) ? 1 : 0;
    float projection[16] = {1.3f, 0, 0, 0, 0, 1.5f, 0, 0, 0, 0, 1, w, 0, 0, -0.1f * w, 1 - w};
    float view[16];

    for (unsigned i = 0; i < 16; i++)
        view[i] = (i % 5 == 0 ? 1.0f : 0.0f) + (i % 4 == 3 || chance(s, 50) ? 0.0f : 0.5f * fraction(s) - 0.25f);
    view[14] = w != 0 ? distance : 0.2f;
    any_floats(s, view, 16);
    any_floats(s, projection, 16);
    stage_transform(&s->stage, D3DTS_VIEW, view);
    stage_transform(&s->stage, D3DTS_PROJECTION, projection);
}

/* --- all of them ---------------------------------------------------------------------------------------- */

void states_begin(struct scene *s)
{
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const D3DHAL_DP2VIEWPORTINFO view = {0, 0, s->width, s->height};
    const D3DHAL_DP2ZRANGE range = {0, 1};
    const D3DMATERIAL8 material = {.Diffuse = {1, 0.5f, 0.25f, 1}, .Ambient = {0.5f, 1, 1, 1}};

    set(s, D3DRS_CULLMODE, D3DCULL_NONE);
    set(s, D3DRS_LIGHTING, FALSE);
    set(s, D3DRS_ZENABLE, FALSE);
    set(s, D3DRS_CLIPPING, TRUE);
    set(s, D3DRS_MULTISAMPLEANTIALIAS, TRUE);
    set(s, D3DRS_MULTISAMPLEMASK, 0xffffffff);
    stage_texture_state(&s->stage, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG2);
    stage_texture_state(&s->stage, 0, D3DTSS_COLORARG2, D3DTA_DIFFUSE);
    stage_texture_state(&s->stage, 0, D3DTSS_ALPHAOP, D3DTOP_SELECTARG2);
    stage_texture_state(&s->stage, 0, D3DTSS_ALPHAARG2, D3DTA_DIFFUSE);
    stage_command(&s->stage, D3DDP2OP_VIEWPORTINFO, 1, &view, sizeof(view));
    stage_command(&s->stage, D3DDP2OP_ZRANGE, 1, &range, sizeof(range));
    stage_material(&s->stage, &material);
    stage_transform(&s->stage, 256 /* world */, identity);
    stage_transform(&s->stage, D3DTS_VIEW, identity);
    stage_transform(&s->stage, D3DTS_PROJECTION, identity);
}

void states_change(struct scene *s)
{
    static const struct {
        enum feature feature;
        void (*change)(struct scene *s);
    } groups[] = {
        {DEPTH, change_depth},
        {STENCIL, change_stencil},
        {ALPHA_TEST, change_alpha_test},
        {BLEND, change_blend},
        {FOG, change_fog},
        {DITHER, change_dither},
        {CONSERVATIVE, change_conservative},
        {RASTERIZER_OBJECT, change_rasterizer_object},
        {DEPTH_BOUNDS, change_depth_bounds},
        {CLIP_PLANES, change_clip_planes},
        {SCISSOR, change_scissor},
        {VIEWPORTS, change_viewport},
        {POINT_SPRITES, change_points},
        {ALPHA_COVERAGE, change_alpha_coverage},
        {LINES, change_lines},
        {FILL_MODES, change_fill_modes},
        {LIGHTING, change_lighting},
    };

    if (chance(s, 50))
        change_stages(s);
    if (chance(s, 30))
        change_transforms(s);
    for (unsigned g = 0; g < ARRAY_COUNT(groups); g++)
        if (has(s, groups[g].feature) && chance(s, 45))
            groups[g].change(s);
    if (has(s, COVERAGE) && chance(s, 60)) /* after those of the stages, whose arguments it replaces */
        change_coverage(s);
    programs_change(s);
}
