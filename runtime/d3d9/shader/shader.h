/* SPDX-License-Identifier: MIT */
/* Vertex and pixel shaders. */
#ifndef HALCYON_RUNTIME_D3D9_SHADER_SHADER_H
#define HALCYON_RUNTIME_D3D9_SHADER_SHADER_H

#include "runtime/d3d9/device/d3d9_objects.h"

struct d3d9_shader {
    RT_OBJECT;       /* RT_KIND_VERTEX_SHADER or RT_KIND_PIXEL_SHADER */
    uint32_t number; /* the driver's */
    /* The same for a target that is so many times as large as the program believes; NULL: the code is the same there. */
    struct d3d9_shader *enlarged;
    uint32_t enlarged_times; /* 0: not made yet */
    bool needs_software;     /* a vertex shader that the device's hardware mode cannot run */
    size_t bytes;            /* of code */
    DWORD code[];
};

extern const IDirect3DVertexShader9Vtbl d3d9_vertex_shader_vtbl;
extern const IDirect3DPixelShader9Vtbl d3d9_pixel_shader_vtbl;
extern const GUID *const d3d9_vertex_shader_ids[];
extern const GUID *const d3d9_pixel_shader_ids[];

/* The driver's number of the code for the target that is set. */
uint32_t d3d9_shader_number(struct d3d9_shader *shader);
void d3d9_shader_send(const struct d3d9_shader *shader);

HRESULT WINAPI d3d9_device_CreateVertexShader(IDirect3DDevice9Ex *iface, const DWORD *code,
                                              IDirect3DVertexShader9 **out);
HRESULT WINAPI d3d9_device_CreatePixelShader(IDirect3DDevice9Ex *iface, const DWORD *code, IDirect3DPixelShader9 **out);

#endif
