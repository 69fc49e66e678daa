/* SPDX-License-Identifier: MIT */
/* IDirect3DVertexDeclaration9: creation, declarations that SetFVF makes, and the commands for the driver. */
#include "runtime/d3d9/shader/declaration.h"

#include <stdlib.h>
#include <string.h>

#include "base/behind.h"
#include "d3d/dp2_tokens.h"
#include "runtime/common/object/methods.h"

/* --- life -------------------------------------------------------------------------------- */

static void destroy(struct rt_resource *resource)
{
    struct d3d9_declaration *declaration = RT_FROM_RES(d3d9_declaration, resource);

    if (declaration->number) {
        rt_put_entry(declaration->device->link, D3DDP2OP_DELETEVERTEXSHADERDECL, &declaration->number,
                     sizeof(declaration->number));
        d3d9_named_remove(&d3d9_device_of(declaration->device)->named, declaration->number);
    }
    free(declaration);
}

static const struct rt_resource_ops declaration_ops = {destroy};

/* `elements` have been checked; `count` is with the end. owned: one hold, for the caller, in place of a COM reference. */
static HRESULT create(struct d3d9_device *device, const D3DVERTEXELEMENT9 *elements, unsigned count, DWORD fvf,
                      bool owned, struct d3d9_declaration **out)
{
    struct d3d9_declaration *declaration = mem_calloc_behind(sizeof(*declaration), count, sizeof(*elements));
    HRESULT hr = E_OUTOFMEMORY;

    if (!declaration)
        return hr;
    memcpy(declaration->elements, elements, count * sizeof(*elements));
    declaration->count = count;
    declaration->vertex_bytes = d3d9_elements_bytes(elements, count - 1);
    declaration->fvf = fvf;
    rt_object_init(declaration, &device->common, RT_KIND_DECLARATION, &declaration_ops, owned);
    declaration->number = d3d9_named_add(&device->named, (struct rt_object *)declaration);
    if (declaration->number)
        hr = d3d9_named_announce((struct rt_object *)declaration);
    if (FAILED(hr)) {
        log_warn("the driver does not accept a vertex declaration of %u elements", count - 1);
        if (owned)
            rt_resource_unhold(&declaration->res);
        else
            rt_resource_release(&declaration->res);
        return hr == E_OUTOFMEMORY ? hr : E_FAIL;
    }
    *out = declaration;
    return D3D_OK;
}

void d3d9_declaration_send(const struct d3d9_declaration *declaration)
{
    const DWORD elements = declaration->count - 1;
    const D3DHAL_DP2CREATEVERTEXSHADERDECL head = {declaration->number, elements};
    const size_t bytes = elements * sizeof(declaration->elements[0]);
    uint8_t *body = rt_put(declaration->device->link, D3DDP2OP_CREATEVERTEXSHADERDECL, 1, NULL, sizeof(head) + bytes);

    if (!body)
        return;
    memcpy(body, &head, sizeof(head));
    memcpy(body + sizeof(head), declaration->elements, bytes);
}

HRESULT WINAPI d3d9_device_CreateVertexDeclaration(IDirect3DDevice9Ex *iface, const D3DVERTEXELEMENT9 *elements,
                                                   IDirect3DVertexDeclaration9 **out)
{
    struct d3d9_device *device = d3d9_device_of(iface);
    struct d3d9_declaration *declaration;
    unsigned count;
    HRESULT hr;
    RT_LOCK(&device->common.base);

    if (!elements || !out)
        return D3DERR_INVALIDCALL;
    hr = d3d9_elements_check(elements, &count);
    if (SUCCEEDED(hr))
        hr = create(device, elements, count + 1, d3d9_told_fvf(elements, count), false, &declaration);
    if (SUCCEEDED(hr))
        *out = (IDirect3DVertexDeclaration9 *)declaration;
    return hr;
}

/* --- flexible vertex formats ---------------------------------------------------------------- */

/* Index of the format, or where to insert it. */
static unsigned find_fvf(const struct d3d9_device *device, DWORD fvf)
{
    unsigned low = 0, high = device->fvf_count;

    while (low < high) {
        const unsigned middle = (low + high) / 2;

        if (device->fvf_declarations[middle]->fvf < fvf)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

HRESULT d3d9_declaration_of_fvf(struct d3d9_device *device, DWORD fvf, struct d3d9_declaration **declaration)
{
    const unsigned at = find_fvf(device, fvf);
    D3DVERTEXELEMENT9 elements[D3D9_MAX_FVF_ELEMENTS];
    struct d3d9_declaration **list;
    unsigned count;
    HRESULT hr;

    if (at < device->fvf_count && device->fvf_declarations[at]->fvf == fvf) {
        *declaration = device->fvf_declarations[at];
        return D3D_OK;
    }
    count = d3d9_elements_of_fvf(fvf, elements);
    if (!count)
        return D3DERR_INVALIDCALL;
    list = mem_realloc(device->fvf_declarations, device->fvf_count + 1, sizeof(*list));
    if (!list)
        return E_OUTOFMEMORY;
    device->fvf_declarations = list;
    hr = create(device, elements, count, fvf, true, declaration);
    if (FAILED(hr))
        return hr;
    memmove(list + at + 1, list + at, (device->fvf_count - at) * sizeof(*list));
    list[at] = *declaration;
    device->fvf_count++;
    return D3D_OK;
}

DWORD d3d9_declaration_layout(const struct d3d9_declaration *declaration)
{
    return d3d9_fvf_of_elements(declaration->elements, declaration->count - 1);
}

void d3d9_declarations_free(struct d3d9_device *device)
{
    for (unsigned i = 0; i < device->fvf_count; i++)
        rt_resource_unhold(&device->fvf_declarations[i]->res);
    free(device->fvf_declarations);
    device->fvf_declarations = NULL;
    device->fvf_count = 0;
}

/* --- methods ----------------------------------------------------------------------------------- */

/* *count is only an output, not the size of the array. */
static HRESULT WINAPI declaration_GetDeclaration(IDirect3DVertexDeclaration9 *iface, D3DVERTEXELEMENT9 *elements,
                                                 UINT *count)
{
    const struct d3d9_declaration *declaration = d3d9_declaration_at(iface);

    if (!count)
        return D3DERR_INVALIDCALL;
    *count = declaration->count;
    if (elements)
        memcpy(elements, declaration->elements, declaration->count * sizeof(*elements));
    return D3D_OK;
}

const GUID *const d3d9_declaration_ids[] = {&IID_IDirect3DVertexDeclaration9, &IID_IUnknown, NULL};

RT_OBJECT_METHODS(RT_METHOD, IDirect3DVertexDeclaration9, IDirect3DDevice9)

/* clang-format off */
const IDirect3DVertexDeclaration9Vtbl d3d9_declaration_vtbl = {
    RT_OBJECT_METHODS(RT_ENTRY, IDirect3DVertexDeclaration9, IDirect3DDevice9)
    .GetDeclaration = declaration_GetDeclaration,
};
/* clang-format on */
