/* SPDX-License-Identifier: MIT */
/*
 * d3d8.dll: the face that version 8 gives to the common objects (runtime/common/). It adds IDirect3D8, state blocks and
 * shaders under handles, and the rules for parameters. An interface pointer is the object.
 */
#ifndef HALCYON_D3D8_OBJECTS_H
#define HALCYON_D3D8_OBJECTS_H

#define COBJMACROS
#include <windows.h>

#include <d3d8.h>

#include "base/base.h"
#include "runtime/common/device/frame.h"
#include "runtime/common/driver/formats.h"
#include "runtime/common/driver/load.h"
#include "runtime/common/state/pure_block.h"
#include "runtime/common/window/modes.h"
#include "runtime/d3d8/rules.h"

struct d3d8 {
    IDirect3D8 iface;
    LONG refs;
    struct rt_adapter *adapter;
    struct rt_modes modes;
};

struct d3d8_shader {
    DWORD *declaration, *code;
    DWORD *sent; /* the declaration as the driver gets it: without constants */
    size_t declaration_bytes, sent_bytes, code_bytes;
    uint32_t fvf;          /* fixed function declaration with this layout in stream 0; 0 otherwise */
    unsigned vertex_bytes; /* of stream 0, as d3d8_declaration_vertex_bytes says */
    bool pixel;
    /* The slot of the same code for a target that is so many times as large as the program believes; 0: the code is the same
     * there, or not made yet. */
    unsigned enlarged;
    uint32_t enlarged_times; /* 0: not made yet */
    bool hidden;             /* it is such code, and has no handle of the API */
};

/* The driver keeps the blocks of a pure device. */
union d3d8_block {
    void *any; /* NULL: free */
    struct rt_block *own;
    struct rt_pure_block *pure;
};

struct d3d8_device {
    struct rt_device rt;
    struct rt_frame frame;
    union d3d8_block *blocks; /* token - 1 */
    unsigned block_count;
    struct d3d8_shader **shaders; /* by slot, from 1 on (shader.c) */
    unsigned shader_count;
};

static inline struct d3d8_device *d3d8_device_of(void *iface)
{
    return iface;
}

/* A pure device does not keep states: the getters of all states that a block can hold fail. */
static inline bool d3d8_device_is_pure(void *iface)
{
    return rt_device_of(iface)->creation.BehaviorFlags & D3DCREATE_PUREDEVICE;
}

/* api.c: what is different about version 8 */
extern const struct rt_api d3d8_api;

/* resources.c: vtables of what a device creates */
extern const IDirect3DSurface8Vtbl d3d8_surface_vtbl;
extern const IDirect3DVolume8Vtbl d3d8_volume_vtbl;
extern const IDirect3DTexture8Vtbl d3d8_texture_vtbl;
extern const IDirect3DCubeTexture8Vtbl d3d8_cube_texture_vtbl;
extern const IDirect3DVolumeTexture8Vtbl d3d8_volume_texture_vtbl;
extern const IDirect3DVertexBuffer8Vtbl d3d8_vertex_buffer_vtbl;
extern const IDirect3DIndexBuffer8Vtbl d3d8_index_buffer_vtbl;
extern const IDirect3DSwapChain8Vtbl d3d8_swapchain_vtbl;

/* direct3d.c */
struct d3d8 *d3d8_create(void);
void d3d8_fill_caps(const struct d3d8 *d3d, UINT adapter, D3DDEVTYPE type, D3DCAPS8 *caps);

/* device.c */
HRESULT d3d8_device_create(struct d3d8 *d3d, const D3DDEVICE_CREATION_PARAMETERS *creation,
                           D3DPRESENT_PARAMETERS *params, IDirect3DDevice8 **device);

/* shader.c */
uint32_t d3d8_vertex_shader_handle(void *device, uint32_t handle);
/* Loads the constants from the declaration of a vertex shader that becomes current. */
void d3d8_load_declared_constants(struct d3d8_device *device, DWORD handle);
uint32_t d3d8_pixel_shader_handle(void *device, uint32_t handle);
/* For a new context, which does not know any of the shaders. */
void d3d8_shaders_resend(struct rt_device *device);
void d3d8_shaders_free(struct d3d8_device *device);
struct d3d8_shader *d3d8_shader_find(struct d3d8_device *device, DWORD handle, bool pixel);

/* device_block.c */
void d3d8_blocks_free(struct d3d8_device *device);
/* The context is destroyed, and with it all blocks of a pure device. */
void d3d8_blocks_lost(struct rt_device *device);

#endif
