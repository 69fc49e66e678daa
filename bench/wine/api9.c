/* SPDX-License-Identifier: MIT */
/* bench-wine9: the device for Direct3D 9 scenes. */
#include "bench/wine/bench.h"
#include "bench/wine/canvas.h"
#include "bench/wine/scenes9.h"
#include "bench/wine/version9.h"

#include <stdio.h>
#include <string.h>

#define WITHOUT_WHQL 0

static unsigned own_scene_count(void)
{
    return pixel_scene_count + work_scene_count + frame_scene_count + example_scene_count;
}

static const struct scene *own_scene(unsigned i)
{
    if (i < pixel_scene_count)
        return &pixel_scenes[i];
    i -= pixel_scene_count;
    if (i < work_scene_count)
        return &work_scenes[i];
    i -= work_scene_count;
    return i < frame_scene_count ? &frame_scenes[i] : &example_scenes[i - frame_scene_count];
}

static bool wants_samples(const struct scene *scene)
{
    (void)scene;
    return false;
}

static IDirect3D9 *create_d3d(void)
{
    return Direct3DCreate9(D3D_SDK_VERSION);
}

static void do_not_wait(D3DPRESENT_PARAMETERS *parameters)
{
    parameters->PresentationInterval = D3DPRESENT_INTERVAL_IMMEDIATE;
}

static HRESULT get_back_buffer(IDirect3DDevice9 *device, IDirect3DSurface9 **back)
{
    return IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, back);
}

static HRESULT create_copy(IDirect3DDevice9 *device, unsigned width, unsigned height, IDirect3DSurface9 **copy)
{
    return IDirect3DDevice9_CreateOffscreenPlainSurface(device, width, height, D3DFMT_X8R8G8B8, D3DPOOL_SYSTEMMEM, copy,
                                                        NULL);
}

static HRESULT create_resolved(IDirect3DDevice9 *device, unsigned width, unsigned height, IDirect3DSurface9 **resolved)
{
    return IDirect3DDevice9_CreateRenderTarget(device, width, height, D3DFMT_X8R8G8B8, D3DMULTISAMPLE_NONE, 0, FALSE,
                                               resolved, NULL);
}

static HRESULT copy_picture(IDirect3DDevice9 *device, IDirect3DSurface9 *back, IDirect3DSurface9 *resolved,
                            IDirect3DSurface9 *copy)
{
    HRESULT hr = D3D_OK;

    if (resolved)
        hr = IDirect3DDevice9_StretchRect(device, back, NULL, resolved, NULL, D3DTEXF_NONE);
    return FAILED(hr) ? hr : IDirect3DDevice9_GetRenderTargetData(device, resolved ? resolved : back, copy);
}

#include "bench/wine/session.h"
