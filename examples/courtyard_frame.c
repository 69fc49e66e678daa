/* SPDX-License-Identifier: MIT */
/* The courtyard's frames: for each view its shadows, its objects and its sky, all views into one half-float target;
 * then the picture. */
#include "examples/courtyard.h"

#define SHADOW_FORMAT D3DFMT_D24X8

static const DWORD depth_vertex[] = {
#include "examples/shaders/courtyard_depth.vsa.h"
};
static const DWORD depth_pixel[] = {
#include "examples/shaders/courtyard_depth.psa.h"
};
static const DWORD lit_vertex[] = {
#include "examples/shaders/courtyard_lit.vsa.h"
};
static const DWORD lit_pixel[] = {
#include "examples/shaders/courtyard_lit.psa.h"
};
static const DWORD sky_vertex[] = {
#include "examples/shaders/courtyard_sky.vsa.h"
};
static const DWORD sky_pixel[] = {
#include "examples/shaders/courtyard_sky.psa.h"
};
static const DWORD tone_vertex[] = {
#include "examples/shaders/courtyard_tone.vsa.h"
};
static const DWORD tone_pixel[] = {
#include "examples/shaders/courtyard_tone.psa.h"
};

static struct courtyard scene;
static unsigned shown = VIEW_COUNT;

void courtyard_show(unsigned view)
{
    shown = view;
}

/* --- passes -------------------------------------------------------------------------------------------- */

struct corner {
    float x, y, z, w;
    float u, v, t;
};

/* One triangle that covers the viewport, with a direction or coordinates at its corners. */
static void draw_all_over(IDirect3DDevice9 *device, struct vec3 (*at)(const struct view *view, float x, float y),
                          const struct view *view)
{
    static const float places[3][2] = {{-1, 1}, {3, 1}, {-1, -3}};
    struct corner corners[3];

    for (unsigned i = 0; i < 3; i++) {
        float x = places[i][0], y = places[i][1];
        struct vec3 value = at(view, x, y);

        corners[i] = (struct corner){x, y, 0, 1, value.x, value.y, value.z};
    }
    IDirect3DDevice9_SetVertexDeclaration(device, scene.flat);
    IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, corners, sizeof(corners[0]));
}

static struct vec3 ray_at(const struct view *view, float x, float y)
{
    const D3DMATRIX *m = &view->matrix;
    float right = x / view->projection._11, up = y / view->projection._22;

    return v3(m->_11 * right + m->_12 * up + m->_13, m->_21 * right + m->_22 * up + m->_23,
              m->_31 * right + m->_32 * up + m->_33);
}

static struct vec3 coordinates_at(const struct view *view, float x, float y)
{
    (void)view;
    return v3(0.5f + 0.5f * x, 0.5f - 0.5f * y, 0);
}

static void set_pixel_light(IDirect3DDevice9 *device, unsigned number, struct vec3 light)
{
    set_pixel_constant(device, number, light.x, light.y, light.z, 0);
}

/* Drawn after everything that hides it. */
static void draw_sky(IDirect3DDevice9 *device, const struct view *view)
{
    float drift = (float)view->frame * 0.0004f;

    use_texture(device, 0, scene.materials.clouds, D3DTADDRESS_WRAP, D3DTEXF_LINEAR, D3DTEXF_LINEAR);
    set_pixel_light(device, 0, courtyard_to_sun());
    set_pixel_light(device, 1, courtyard_haze);
    set_pixel_light(device, 2, courtyard_zenith);
    set_pixel_light(device, 3, courtyard_halo);
    set_pixel_constant(device, 4, drift, 0.3f + 0.4f * drift, 0, 0);
    program_use(device, &scene.sky);
    set(device, D3DRS_ZWRITEENABLE, FALSE);
    draw_all_over(device, ray_at, view);
    set(device, D3DRS_ZWRITEENABLE, TRUE);
}

/* The shadow map holds the cascades of one view and is redrawn for the next view. */
static void draw_view(IDirect3DDevice9 *device, unsigned which, unsigned frame, const D3DVIEWPORT9 *viewport)
{
    struct view view = courtyard_view(which, frame, viewport);

    courtyard_draw_cascades(device, &scene, &view);
    use_target(device, scene.light);
    IDirect3DDevice9_SetDepthStencilSurface(device, scene.depth);
    IDirect3DDevice9_SetViewport(device, viewport);
    courtyard_draw_objects(device, &scene, &view);
    draw_sky(device, &view);
}

static void draw_picture(IDirect3DDevice9 *device)
{
    use_target(device, NULL);
    set(device, D3DRS_ZENABLE, D3DZB_FALSE);
    use_texture(device, 0, scene.light, D3DTADDRESS_CLAMP, D3DTEXF_POINT, D3DTEXF_NONE);
    set_vertex_constant(device, 0, -1.0f / VIEW_WIDTH, 1.0f / VIEW_HEIGHT, 0, 0);
    set_pixel_constant(device, 0, 0.52f, 0, 0, 0);
    program_use(device, &scene.tone);
    draw_all_over(device, coordinates_at, NULL);
    IDirect3DDevice9_SetTexture(device, 0, NULL); /* the next frame draws to it */
    set(device, D3DRS_ZENABLE, D3DZB_TRUE);
}

/* --- frame ------------------------------------------------------------------------------------------------- */

bool courtyard_create(IDirect3DDevice9 *device)
{
    static const D3DVERTEXELEMENT9 flat[] = {
        {0, 0, D3DDECLTYPE_FLOAT4, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_POSITION, 0},
        {0, 16, D3DDECLTYPE_FLOAT3, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_TEXCOORD, 0},
        D3DDECL_END(),
    };

    courtyard_models_create(device, scene.models);
    scene.materials = courtyard_materials_create(device);
    scene.surroundings = courtyard_surroundings_create(device);
    scene.depth_only = make_program(device, depth_vertex, depth_pixel);
    scene.lit = make_program(device, lit_vertex, lit_pixel);
    scene.sky = make_program(device, sky_vertex, sky_pixel);
    scene.tone = make_program(device, tone_vertex, tone_pixel);
    scene.flat = make_declaration(device, flat);
    scene.shadow = make_target(device, ATLAS_SIZE, ATLAS_SIZE, D3DUSAGE_DEPTHSTENCIL, SHADOW_FORMAT);
    scene.shadow_color =
        make_target(device, ATLAS_SIZE, ATLAS_SIZE, D3DUSAGE_RENDERTARGET, unused_color_format(device));
    scene.light = make_target(device, VIEW_WIDTH, VIEW_HEIGHT, D3DUSAGE_RENDERTARGET, D3DFMT_A16B16G16R16F);
    return SUCCEEDED(IDirect3DDevice9_GetDepthStencilSurface(device, &scene.depth));
}

void courtyard_draw(IDirect3DDevice9 *device, unsigned frame)
{
    const DWORD width = VIEW_WIDTH / 2 - 1, height = VIEW_HEIGHT / 2 - 1; /* a line between the views stays black */

    courtyard_objects_place(&scene.objects, scene.models, frame);
    use_target(device, scene.light);
    IDirect3DDevice9_SetDepthStencilSurface(device, scene.depth);
    IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, 0xff000000, 1, 0);
    if (shown < VIEW_COUNT) {
        draw_view(device, shown, frame, &(D3DVIEWPORT9){0, 0, VIEW_WIDTH, VIEW_HEIGHT, 0, 1});
    } else {
        for (unsigned i = 0; i < VIEW_COUNT; i++)
            draw_view(device, i, frame,
                      &(D3DVIEWPORT9){i % 2 * (width + 2), i / 2 * (height + 2), width, height, 0, 1});
    }
    draw_picture(device);
}

void courtyard_destroy(void)
{
    IDirect3DTexture9 *const targets[] = {scene.shadow, scene.shadow_color, scene.light};
    struct program *const programs[] = {&scene.depth_only, &scene.lit, &scene.sky, &scene.tone};

    for (unsigned i = 0; i < MODEL_COUNT; i++)
        model_destroy(&scene.models[i].model);
    courtyard_materials_destroy(&scene.materials);
    IDirect3DCubeTexture9_Release(scene.surroundings);
    for (unsigned i = 0; i < COUNT(programs); i++)
        program_destroy(programs[i]);
    for (unsigned i = 0; i < COUNT(targets); i++)
        IDirect3DTexture9_Release(targets[i]);
    IDirect3DVertexDeclaration9_Release(scene.flat);
    IDirect3DSurface9_Release(scene.depth);
}
