/* SPDX-License-Identifier: MIT */
/* IDirect3DVertexShader9 and IDirect3DPixelShader9. */
#include "runtime/d3d9/shader/shader.h"

#include <stdlib.h>
#include <string.h>

#include "base/behind.h"
#include "d3d/dp2_tokens.h"
#include "runtime/common/object/methods.h"
#include "runtime/common/state/shader_pixels.h"
#include "runtime/d3d9/shader/shader_rules.h"

/* --- rules ------------------------------------------------------------------------------- */

/* A program may have hundreds of shaders that break one rule: each rule is logged once. */
static void tell_broken_rule(void *user, unsigned rule, const struct shader_error *broken)
{
    (void)user;
    log_once(LOG_WARN, rule, "a shader breaks a rule of the API and is created all the same: word %zu: %s",
             broken->offset, broken->text);
}

static void tell_nobody(void *user, unsigned rule, const struct shader_error *broken)
{
    (void)user;
    (void)rule;
    (void)broken;
}

/* Vertex shaders that the device has accepted because it can process vertices in software. */
static bool needs_software(const struct d3d9_device *device, const DWORD *code)
{
    struct shader_error error;

    return d3d9_has_software(device) && !d3d9_code_is_valid(code, false, &device->caps, false, tell_nobody, &error);
}

static bool is_taken(const struct d3d9_device *device, const DWORD *code, bool pixel)
{
    const bool strict = !strcmp(config_string("shader_rules"), "strict");
    struct shader_error error;

    if (d3d9_code_is_valid(code, pixel, &device->caps, d3d9_has_software(device), strict ? NULL : tell_broken_rule,
                           &error))
        return true;
    log_warn("%s shader refused: word %zu: %s", pixel ? "pixel" : "vertex", error.offset, error.text);
    return false;
}

/* --- life ---------------------------------------------------------------------------------- */

static void destroy(struct rt_resource *resource)
{
    struct d3d9_shader *shader = RT_FROM_RES(d3d9_shader, resource);
    const uint8_t token =
        shader->kind == RT_KIND_PIXEL_SHADER ? D3DDP2OP_DELETEPIXELSHADER : D3DDP2OP_DELETEVERTEXSHADERFUNC;

    if (shader->number) {
        rt_put_entry(shader->device->link, token, &shader->number, sizeof(shader->number));
        d3d9_named_remove(&d3d9_device_of(shader->device)->named, shader->number);
    }
    if (shader->enlarged)
        rt_resource_unhold(&shader->enlarged->res);
    free(shader);
}

static const struct rt_resource_ops shader_ops = {destroy};

/* The two tokens have the same layout. */
_Static_assert(sizeof(D3DHAL_DP2CREATEPIXELSHADER) == sizeof(D3DHAL_DP2CREATEVERTEXSHADERFUNC), "heads of shaders");

void d3d9_shader_send(const struct d3d9_shader *shader)
{
    const D3DHAL_DP2CREATEVERTEXSHADERFUNC head = {shader->number, (DWORD)shader->bytes};
    const uint8_t token =
        shader->kind == RT_KIND_PIXEL_SHADER ? D3DDP2OP_CREATEPIXELSHADER : D3DDP2OP_CREATEVERTEXSHADERFUNC;
    uint8_t *body = rt_put(shader->device->link, token, 1, NULL, sizeof(head) + shader->bytes);

    if (!body)
        return;
    memcpy(body, &head, sizeof(head));
    memcpy(body + sizeof(head), shader->code, shader->bytes);
}

/* owned: with one hold, for the caller, in place of a COM reference. */
static HRESULT make(struct d3d9_device *device, const DWORD *code, size_t bytes, bool pixel, bool owned,
                    struct d3d9_shader **out)
{
    struct d3d9_shader *shader = mem_calloc_behind(sizeof(*shader), bytes, 1);
    HRESULT hr = E_OUTOFMEMORY;

    if (!shader)
        return hr;
    memcpy(shader->code, code, bytes);
    shader->bytes = bytes;
    rt_object_init(shader, &device->common, pixel ? RT_KIND_PIXEL_SHADER : RT_KIND_VERTEX_SHADER, &shader_ops, owned);
    shader->number = d3d9_named_add(&device->named, (struct rt_object *)shader);
    if (shader->number)
        hr = d3d9_named_announce((struct rt_object *)shader);
    if (FAILED(hr)) {
        if (owned)
            rt_resource_unhold(&shader->res);
        else
            rt_resource_release(&shader->res);
        return hr;
    }
    *out = shader;
    return D3D_OK;
}

static HRESULT create(struct d3d9_device *device, const DWORD *code, bool pixel, void **out)
{
    struct d3d9_shader *shader;
    HRESULT hr;

    if (!code || !out || !is_taken(device, code, pixel))
        return D3DERR_INVALIDCALL;
    hr = make(device, code, d3d9_code_bytes(code), pixel, false, &shader);
    if (FAILED(hr))
        return hr;
    shader->needs_software = !pixel && needs_software(device, code);
    *out = shader;
    return D3D_OK;
}

HRESULT WINAPI d3d9_device_CreateVertexShader(IDirect3DDevice9Ex *iface, const DWORD *code,
                                              IDirect3DVertexShader9 **out)
{
    struct d3d9_device *device = d3d9_device_of(iface);
    RT_LOCK(&device->common.base);

    return create(device, code, false, (void **)out);
}

HRESULT WINAPI d3d9_device_CreatePixelShader(IDirect3DDevice9Ex *iface, const DWORD *code, IDirect3DPixelShader9 **out)
{
    struct d3d9_device *device = d3d9_device_of(iface);
    RT_LOCK(&device->common.base);

    return create(device, code, true, (void **)out);
}

/* --- enlarged targets ------------------------------------------------------------------------ */

/* Makes the code for targets that are `times` as large. */
static void enlarge(struct d3d9_shader *shader, uint32_t times)
{
    const size_t words = shader->bytes / sizeof(*shader->code);
    uint32_t *code = mem_calloc(words + RT_SHADER_GROWTH, sizeof(*code));
    const char *problem = "out of memory";
    size_t count = 0;

    if (shader->enlarged)
        rt_resource_unhold(&shader->enlarged->res);
    shader->enlarged = NULL;
    shader->enlarged_times = times;
    if (code)
        count = rt_shader_in_pixels((const uint32_t *)shader->code, words, times, code, &problem);
    if (count && FAILED(make(d3d9_device_of(shader->device), (const DWORD *)code, count * sizeof(*code),
                             shader->kind == RT_KIND_PIXEL_SHADER, true, &shader->enlarged)))
        problem = "the driver refuses the code";
    if (problem)
        log_once(LOG_WARN, 0, "internal_resolution: a shader counts pixels of the enlarged target: %s", problem);
    free(code);
}

uint32_t d3d9_shader_number(struct d3d9_shader *shader)
{
    const uint32_t times = shader->device->pipe.times;

    if (!times)
        return shader->number;
    if (shader->enlarged_times != times)
        enlarge(shader, times);
    return shader->enlarged ? shader->enlarged->number : shader->number;
}

/* --- methods --------------------------------------------------------------------------------- */

static HRESULT shader_GetFunction(void *iface, void *data, UINT *size)
{
    const struct d3d9_shader *shader = iface;

    if (!size)
        return D3DERR_INVALIDCALL;
    if (data && *size < shader->bytes)
        return D3DERR_INVALIDCALL;
    if (data)
        memcpy(data, shader->code, shader->bytes);
    *size = (UINT)shader->bytes;
    return D3D_OK;
}

const GUID *const d3d9_vertex_shader_ids[] = {&IID_IDirect3DVertexShader9, &IID_IUnknown, NULL};
const GUID *const d3d9_pixel_shader_ids[] = {&IID_IDirect3DPixelShader9, &IID_IUnknown, NULL};

#define SHADER_METHODS(X, I)                  \
    RT_OBJECT_METHODS(X, I, IDirect3DDevice9) \
    X(I, HRESULT, GetFunction, shader_GetFunction, (void *, data, VALUE), (UINT *, size, VALUE))

SHADER_METHODS(RT_METHOD, IDirect3DVertexShader9)
SHADER_METHODS(RT_METHOD, IDirect3DPixelShader9)

const IDirect3DVertexShader9Vtbl d3d9_vertex_shader_vtbl = {SHADER_METHODS(RT_ENTRY, IDirect3DVertexShader9)};
const IDirect3DPixelShader9Vtbl d3d9_pixel_shader_vtbl = {SHADER_METHODS(RT_ENTRY, IDirect3DPixelShader9)};
