/* SPDX-License-Identifier: MIT */
/* Shaders, declarations and their constants. */
#include "umd/device.h"

#include <stdlib.h>
#include <string.h>

#include "d3d/ddi.h"

#define MOST_ELEMENTS  64   /* MAXD3DDECLLENGTH */
#define MOST_CONSTANTS 8192 /* of software vertex processing */

/* --- objects ------------------------------------------------------------------------------------ */

/* Creates the object, its handle, and by `token` what the stream knows: two DWORDs, its number and `second`, then data. */
static HRESULT create_shader(struct umd_device *device, enum umd_kind kind, uint8_t token, uint32_t second,
                             const void *data, size_t bytes, struct umd_shader **result, HANDLE *handle)
{
    struct umd_shader *shader = mem_calloc(1, sizeof(*shader));
    uint32_t head[2] = {0, second};
    HRESULT hr = E_OUTOFMEMORY;

    *handle = shader ? umd_handle_new(kind, device, shader) : NULL;
    if (*handle) {
        shader->number = head[0] = 2 * umd_handle_number(*handle) + 1;
        umd_send(device);
        hr = umd_put_with_data(device, token, head, sizeof(head), data, bytes);
        if (SUCCEEDED(hr))
            hr = umd_result(client_batch_flush(&device->batch));
        if (FAILED(hr))
            umd_handle_delete(*handle);
    }
    if (FAILED(hr))
        free(shader);
    *result = shader;
    return hr;
}

static HRESULT delete_shader(HANDLE hDevice, enum umd_kind kind, uint8_t token, HANDLE handle)
{
    struct umd_device *device = umd_enter(hDevice);
    struct umd_shader *shader = device ? umd_handle_get(handle, kind, device) : NULL;
    HRESULT hr = E_FAIL;

    if (shader) {
        hr = umd_put(device, token, &shader->number, sizeof(shader->number));
        umd_handle_delete(handle);
        free(shader);
    }
    return umd_leave(device, hr);
}

/* handle NULL: number 0. */
static HRESULT set_shader(HANDLE hDevice, enum umd_kind kind, uint8_t token, HANDLE handle)
{
    struct umd_device *device = umd_enter(hDevice);
    const struct umd_shader *shader = device && handle ? umd_handle_get(handle, kind, device) : NULL;
    const uint32_t number = shader ? shader->number : 0;
    HRESULT hr = E_FAIL;

    if (device && (shader || !handle))
        hr = umd_put(device, token, &number, sizeof(number));
    return umd_leave(device, hr);
}

static HRESULT create_code(HANDLE hDevice, enum umd_kind kind, uint8_t token, UINT bytes, const UINT *code,
                           HANDLE *handle)
{
    struct umd_device *device = umd_enter(hDevice);
    struct umd_shader *shader;
    HANDLE made;
    HRESULT hr = E_FAIL;

    if (device && code && bytes >= 8 && bytes % 4 == 0) /* a version and an end */
        hr = create_shader(device, kind, token, bytes, code, bytes, &shader, &made);
    if (SUCCEEDED(hr))
        *handle = made;
    return umd_leave(device, hr);
}

HRESULT APIENTRY umd_CreateVertexShaderFunc(HANDLE hDevice, D3DDDIARG_CREATEVERTEXSHADERFUNC *data, const UINT *code)
{
    return data ? create_code(hDevice, UMD_VERTEX_SHADER, D3DDP2OP_CREATEVERTEXSHADERFUNC, data->Size, code,
                              &data->ShaderHandle)
                : E_FAIL;
}

HRESULT APIENTRY umd_DeleteVertexShaderFunc(HANDLE hDevice, HANDLE shader)
{
    return delete_shader(hDevice, UMD_VERTEX_SHADER, D3DDP2OP_DELETEVERTEXSHADERFUNC, shader);
}

HRESULT APIENTRY umd_SetVertexShaderFunc(HANDLE hDevice, HANDLE shader)
{
    return set_shader(hDevice, UMD_VERTEX_SHADER, D3DDP2OP_SETVERTEXSHADERFUNC, shader);
}

HRESULT APIENTRY umd_CreatePixelShader(HANDLE hDevice, D3DDDIARG_CREATEPIXELSHADER *data, const UINT *code)
{
    return data ? create_code(hDevice, UMD_PIXEL_SHADER, D3DDP2OP_CREATEPIXELSHADER, data->CodeSize, code,
                              &data->ShaderHandle)
                : E_FAIL;
}

HRESULT APIENTRY umd_DeletePixelShader(HANDLE hDevice, HANDLE shader)
{
    return delete_shader(hDevice, UMD_PIXEL_SHADER, D3DDP2OP_DELETEPIXELSHADER, shader);
}

HRESULT APIENTRY umd_SetPixelShader(HANDLE hDevice, HANDLE shader)
{
    return set_shader(hDevice, UMD_PIXEL_SHADER, D3DDP2OP_SETPIXELSHADER, shader);
}

/* --- declarations --------------------------------------------------------------------------------- */

/* Bytes of an element, by D3DDECLTYPE. */
static unsigned element_bytes(unsigned type)
{
    static const uint8_t bytes[] = {4, 8, 12, 16, 4, 4, 4, 8, 4, 4, 8, 4, 8, 4, 4, 4, 8};

    return type < ARRAY_COUNT(bytes) ? bytes[type] : 0;
}

static void measure(struct umd_shader *declaration, const D3DDDIVERTEXELEMENT *elements, UINT count)
{
    for (UINT i = 0; i < count; i++) {
        const uint32_t end = elements[i].Offset + element_bytes(elements[i].Type);

        if (elements[i].Stream < D3D_STREAMS && declaration->reach[elements[i].Stream] < end)
            declaration->reach[elements[i].Stream] = end;
    }
}

HRESULT APIENTRY umd_CreateVertexShaderDecl(HANDLE hDevice, D3DDDIARG_CREATEVERTEXSHADERDECL *data,
                                            const D3DDDIVERTEXELEMENT *elements)
{
    struct umd_device *device = umd_enter(hDevice);
    struct umd_shader *declaration;
    HANDLE handle;
    HRESULT hr = E_FAIL;

    if (device && data && data->NumVertexElements <= MOST_ELEMENTS && (elements || !data->NumVertexElements))
        hr = create_shader(device, UMD_DECLARATION, D3DDP2OP_CREATEVERTEXSHADERDECL, data->NumVertexElements, elements,
                           data->NumVertexElements * sizeof(*elements), &declaration, &handle);
    if (SUCCEEDED(hr)) {
        measure(declaration, elements, data->NumVertexElements);
        data->ShaderHandle = handle;
    }
    return umd_leave(device, hr);
}

HRESULT APIENTRY umd_DeleteVertexShaderDecl(HANDLE hDevice, HANDLE declaration)
{
    return delete_shader(hDevice, UMD_DECLARATION, D3DDP2OP_DELETEVERTEXSHADERDECL, declaration);
}

HRESULT APIENTRY umd_SetVertexShaderDecl(HANDLE hDevice, HANDLE handle)
{
    struct umd_device *device = umd_enter(hDevice);
    const struct umd_shader *declaration = device ? umd_handle_get(handle, UMD_DECLARATION, device) : NULL;
    HRESULT hr = E_FAIL;

    if (declaration) {
        hr = umd_put(device, D3DDP2OP_SETVERTEXSHADERDECL, &declaration->number, sizeof(declaration->number));
        *(device->now.recording ? &device->now.recording->declaration : &device->now.declaration) = handle;
    }
    return umd_leave(device, hr);
}

/* --- constants --------------------------------------------------------------------------------------- */

/* size: bytes of one. */
static HRESULT put_constants(HANDLE hDevice, uint8_t token, const D3DDDIARG_SETVERTEXSHADERCONST *data,
                             const void *values, size_t size)
{
    struct umd_device *device = umd_enter(hDevice);
    HRESULT hr = E_FAIL;

    if (device && data && data->Count <= MOST_CONSTANTS && (values || !data->Count))
        hr = data->Count ? umd_put_with_data(device, token, data, sizeof(*data), values, data->Count * size) : S_OK;
    return umd_leave(device, hr);
}

HRESULT APIENTRY umd_SetVertexShaderConst(HANDLE hDevice, const D3DDDIARG_SETVERTEXSHADERCONST *data,
                                          const VOID *values)
{
    return put_constants(hDevice, D3DDP2OP_SETVERTEXSHADERCONST, data, values, 16);
}

HRESULT APIENTRY umd_SetVertexShaderConstI(HANDLE hDevice, const D3DDDIARG_SETVERTEXSHADERCONSTI *data,
                                           const INT *values)
{
    return put_constants(hDevice, D3DDP2OP_SETVERTEXSHADERCONSTI, data, values, 16);
}

HRESULT APIENTRY umd_SetVertexShaderConstB(HANDLE hDevice, const D3DDDIARG_SETVERTEXSHADERCONSTB *data,
                                           const BOOL *values)
{
    return put_constants(hDevice, D3DDP2OP_SETVERTEXSHADERCONSTB, data, values, 4);
}

HRESULT APIENTRY umd_SetPixelShaderConst(HANDLE hDevice, const D3DDDIARG_SETPIXELSHADERCONST *data, const FLOAT *values)
{
    return put_constants(hDevice, D3DDP2OP_SETPIXELSHADERCONST, data, values, 16);
}

HRESULT APIENTRY umd_SetPixelShaderConstI(HANDLE hDevice, const D3DDDIARG_SETPIXELSHADERCONSTI *data, const INT *values)
{
    return put_constants(hDevice, D3DDP2OP_SETPIXELSHADERCONSTI, data, values, 16);
}

HRESULT APIENTRY umd_SetPixelShaderConstB(HANDLE hDevice, const D3DDDIARG_SETPIXELSHADERCONSTB *data,
                                          const BOOL *values)
{
    return put_constants(hDevice, D3DDP2OP_SETPIXELSHADERCONSTB, data, values, 4);
}
