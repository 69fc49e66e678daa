/* SPDX-License-Identifier: MIT */
/* Vertex declarations: those that programs create, and one for each flexible vertex format that they set. */
#ifndef HALCYON_RUNTIME_D3D9_SHADER_DECLARATION_H
#define HALCYON_RUNTIME_D3D9_SHADER_DECLARATION_H

#include "runtime/d3d9/device/d3d9_objects.h"

struct d3d9_declaration {
    RT_OBJECT;
    uint32_t number;       /* the driver's */
    DWORD fvf;             /* result of GetFVF while it is set; 0: no format */
    unsigned count;        /* of elements, with the end */
    unsigned vertex_bytes; /* of stream 0, as d3d9_elements_bytes says */
    D3DVERTEXELEMENT9 elements[];
};

extern const IDirect3DVertexDeclaration9Vtbl d3d9_declaration_vtbl;
extern const GUID *const d3d9_declaration_ids[];

/* The declaration of a format, created at its first use; the device owns it, and the caller gets no reference.
 * D3DERR_INVALIDCALL: no such format. */
HRESULT d3d9_declaration_of_fvf(struct d3d9_device *device, DWORD fvf, struct d3d9_declaration **declaration);
/* The flexible vertex format that describes all elements of the vertices; 0: there is none. For ProcessVertices. */
DWORD d3d9_declaration_layout(const struct d3d9_declaration *declaration);
/* The device is destroyed, and nothing is bound any more. */
void d3d9_declarations_free(struct d3d9_device *device);
void d3d9_declaration_send(const struct d3d9_declaration *declaration);

HRESULT WINAPI d3d9_device_CreateVertexDeclaration(IDirect3DDevice9Ex *iface, const D3DVERTEXELEMENT9 *elements,
                                                   IDirect3DVertexDeclaration9 **out);

static inline struct d3d9_declaration *d3d9_declaration_at(IDirect3DVertexDeclaration9 *iface)
{
    return (struct d3d9_declaration *)iface;
}

#endif
