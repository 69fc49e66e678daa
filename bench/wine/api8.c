/* SPDX-License-Identifier: MIT */
/* bench-wine: the device for Direct3D 8 scenes. */
#include "bench/wine/bench.h"
#include "bench/wine/canvas.h"
#include "bench/wine/scenes.h"
#include "bench/wine/version8.h"

#include <stdio.h>
#include <string.h>

#define WITHOUT_WHQL D3DENUM_NO_WHQL_LEVEL

static unsigned own_scene_count(void)
{
    return fill_scene_count + work_scene_count;
}

static const struct scene *own_scene(unsigned i)
{
    return i < fill_scene_count ? &fill_scenes[i] : &work_scenes[i - fill_scene_count];
}

static bool wants_samples(const struct scene *scene)
{
    return scene->wants_samples;
}

static IDirect3D8 *create_d3d(void)
{
    return Direct3DCreate8(D3D_SDK_VERSION);
}

/* In version 8, Present to a window does not wait. */
static void do_not_wait(D3DPRESENT_PARAMETERS *parameters)
{
    (void)parameters;
}

static HRESULT get_back_buffer(IDirect3DDevice8 *device, IDirect3DSurface8 **back)
{
    return IDirect3DDevice8_GetBackBuffer(device, 0, D3DBACKBUFFER_TYPE_MONO, back);
}

static HRESULT create_copy(IDirect3DDevice8 *device, unsigned width, unsigned height, IDirect3DSurface8 **copy)
{
    return IDirect3DDevice8_CreateImageSurface(device, width, height, D3DFMT_X8R8G8B8, copy);
}

/* CopyRects resolves samples itself. */
static HRESULT create_resolved(IDirect3DDevice8 *device, unsigned width, unsigned height, IDirect3DSurface8 **resolved)
{
    (void)device;
    (void)width;
    (void)height;
    *resolved = NULL;
    return D3D_OK;
}

static HRESULT copy_picture(IDirect3DDevice8 *device, IDirect3DSurface8 *back, IDirect3DSurface8 *resolved,
                            IDirect3DSurface8 *copy)
{
    (void)resolved;
    return IDirect3DDevice8_CopyRects(device, back, NULL, 0, copy, NULL);
}

#include "bench/wine/session.h"
