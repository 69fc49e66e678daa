/* SPDX-License-Identifier: MIT */
/* Shader handles and vertex declarations. A fixed-function declaration that is a flexible vertex
 * format in disguise reaches the driver as that FVF; others, and programs, as CREATEVERTEXSHADER.
 *
 * Three kinds of numbers name a shader: its slot in the device's table; the driver's handle, which is odd because
 * bit 0 tells vertex shaders from FVF codes (DirectX 8 DDI document, "Vertex Shaders and Fixed Function Hardware");
 * the program's handle. Some programs test bit 0 of their handle, others keep flags in bits 0 and 1. A vertex
 * shader's handle is therefore odd, and even with the two bits cleared it is not a valid FVF, because it counts
 * fifteen texture coordinate sets. Both forms are accepted. A pixel shader's handle is a multiple of four. */
#include "runtime/d3d8/device_methods.h"
#include "base/behind.h"
#include "runtime/common/state/record.h"
#include "runtime/d3d8/declaration.h"
#include "runtime/common/state/shader_pixels.h"

/* --- declarations ---------------------------------------------------------------------- */

static unsigned token_kind(DWORD token)
{
    return token >> D3DVSD_TOKENTYPESHIFT;
}

/* The fixed pipeline takes each input in the form an FVF has, and no other. */
static bool fixed_input_is_valid(unsigned reg, unsigned type)
{
    switch (reg) {
    case D3DVSDE_POSITION:
    case D3DVSDE_NORMAL:
    case D3DVSDE_POSITION2:
    case D3DVSDE_NORMAL2:
        return type == D3DVSDT_FLOAT3;
    case D3DVSDE_BLENDWEIGHT:
        return type <= D3DVSDT_FLOAT4;
    case D3DVSDE_BLENDINDICES:
        return type == D3DVSDT_UBYTE4;
    case D3DVSDE_PSIZE:
        return type == D3DVSDT_FLOAT1;
    case D3DVSDE_DIFFUSE:
    case D3DVSDE_SPECULAR:
        return type == D3DVSDT_D3DCOLOR;
    default:
        return reg <= D3DVSDE_TEXCOORD7 && type <= D3DVSDT_FLOAT4;
    }
}

static bool fixed_declaration_is_valid(const DWORD *declaration)
{
    for (const DWORD *t = declaration; *t != D3DVSD_END(); t++)
        if (d3d8_declaration_is_data(*t) &&
            !fixed_input_is_valid(*t & D3DVSD_VERTEXREGMASK, *t >> D3DVSD_DATATYPESHIFT & 0xf))
            return false;
    return true;
}

/* FVF bits of an input of the fixed pipeline, given what came before; 0 if it would be out of
 * order. */
static bool add_to_fvf(unsigned reg, unsigned type, uint32_t *fvf, int *last)
{
    static const uint32_t size_bits[] = {3, 0, 1, 2}; /* FLOAT1...4 */

    if ((int)reg <= *last)
        return false;
    *last = (int)reg;
    if (reg >= D3DVSDE_TEXCOORD0 && reg <= D3DVSDE_TEXCOORD7) {
        unsigned set = reg - D3DVSDE_TEXCOORD0;
        if (set != (*fvf & D3DFVF_TEXCOUNT_MASK) >> D3DFVF_TEXCOUNT_SHIFT)
            return false;
        *fvf += 1u << D3DFVF_TEXCOUNT_SHIFT;
        *fvf |= size_bits[type] << (16 + 2 * set);
        return true;
    }
    switch (reg) {
    case D3DVSDE_POSITION:
        *fvf |= D3DFVF_XYZ;
        return true;
    case D3DVSDE_NORMAL:
        *fvf |= D3DFVF_NORMAL;
        return true;
    case D3DVSDE_PSIZE:
        *fvf |= D3DFVF_PSIZE;
        return true;
    case D3DVSDE_DIFFUSE:
        *fvf |= D3DFVF_DIFFUSE;
        return true;
    case D3DVSDE_SPECULAR:
        *fvf |= D3DFVF_SPECULAR;
        return true;
    case D3DVSDE_BLENDWEIGHT: /* XYZB1 is 6, B2 8, ... */
        *fvf = (*fvf & ~(uint32_t)D3DFVF_POSITION_MASK) | (D3DFVF_XYZB1 + 2 * type);
        return true;
    default:
        return false;
    }
}

/* 0: not an FVF. */
static uint32_t declaration_fvf(const DWORD *declaration)
{
    uint32_t fvf = 0;
    int last = -1;

    for (const DWORD *t = declaration; *t != D3DVSD_END(); t++) {
        if (token_kind(*t) == D3DVSD_TOKEN_STREAM && !(*t & D3DVSD_STREAMNUMBERMASK) && !(*t & D3DVSD_STREAMTESSMASK))
            continue;
        if (!d3d8_declaration_is_data(*t) ||
            !add_to_fvf(*t & D3DVSD_VERTEXREGMASK, *t >> D3DVSD_DATATYPESHIFT & 0xf, &fvf, &last))
            return *t == D3DVSD_NOP() ? fvf : 0;
    }
    return fvf & D3DFVF_POSITION_MASK ? fvf : 0;
}

/* --- programs -------------------------------------------------------------------------- */

/* A program may have hundreds of shaders that break one rule: each rule is logged once. */
static void tell_broken_rule(void *user, unsigned rule, const struct shader_error *broken)
{
    (void)user;
    log_once(LOG_WARN, rule, "a shader breaks a rule of the API and is created all the same: word %zu: %s",
             broken->offset, broken->text);
}

/* The code's bytes; 0: it breaks a rule, which the log names. */
static size_t checked_code(const struct d3d8_device *device, const DWORD *code, bool pixel, const DWORD *declaration)
{
    bool strict = !strcmp(config_string("shader_rules"), "strict");
    struct shader_error error;

    if (d3d8_code_is_valid(code, pixel, declaration, &device->rt.caps, strict ? NULL : tell_broken_rule, &error))
        return d3d8_code_bytes(code);
    log_warn("%s shader refused: word %zu: %s", pixel ? "pixel" : "vertex", error.offset, error.text);
    return 0;
}

/* --- the table ------------------------------------------------------------------------- */

#define VERTEX_HANDLE       (0x80000000u | D3DFVF_TEXCOUNT_MASK | D3DFVF_RESERVED0)
#define VERTEX_HANDLE_MASK  (0x80000ffcu)
#define VERTEX_HANDLE_SHIFT 12
#define PIXEL_HANDLE_SHIFT  2
#define MAX_SHADERS         (1u << 19) /* what bits 12 to 30 can tell apart */

static DWORD program_handle(unsigned slot, bool pixel)
{
    return pixel ? slot << PIXEL_HANDLE_SHIFT : VERTEX_HANDLE | slot << VERTEX_HANDLE_SHIFT;
}

static uint32_t driver_handle(unsigned slot)
{
    return slot << 1 | 1;
}

/* A program's vertex shader handle that is not an FVF, whether it names a shader or not. */
static bool is_vertex_handle(DWORD handle)
{
    return (handle & D3DFVF_RESERVED0) || (handle & VERTEX_HANDLE_MASK) == (VERTEX_HANDLE & VERTEX_HANDLE_MASK);
}

/* 0: it names nothing. */
static unsigned slot_of(DWORD handle, bool pixel)
{
    if (pixel)
        return handle & ((1u << PIXEL_HANDLE_SHIFT) - 1) ? 0 : handle >> PIXEL_HANDLE_SHIFT;
    if ((handle & VERTEX_HANDLE_MASK) != (VERTEX_HANDLE & VERTEX_HANDLE_MASK))
        return 0;
    return handle >> VERTEX_HANDLE_SHIFT & (MAX_SHADERS - 1);
}

struct d3d8_shader *d3d8_shader_find(struct d3d8_device *device, DWORD handle, bool pixel)
{
    const unsigned slot = slot_of(handle, pixel);
    struct d3d8_shader *shader = slot < device->shader_count ? device->shaders[slot] : NULL;

    return shader && shader->pixel == pixel && !shader->hidden ? shader : NULL;
}

static void free_shader(struct d3d8_shader *shader)
{
    free(shader->declaration);
    free(shader->sent);
    free(shader->code);
    free(shader);
}

void d3d8_shaders_free(struct d3d8_device *device)
{
    for (unsigned i = 0; i < device->shader_count; i++)
        if (device->shaders[i])
            free_shader(device->shaders[i]);
    free(device->shaders);
}

/* Its slot, or 0 when there is no room. Slot 0 stays empty: its handle would be an odd "no shader". */
static unsigned add_shader(struct d3d8_device *device, struct d3d8_shader *shader)
{
    unsigned slot = 1;

    while (slot < device->shader_count && device->shaders[slot])
        slot++;
    if (slot >= device->shader_count) {
        unsigned count = device->shader_count ? device->shader_count * 2 : 16;
        struct d3d8_shader **shaders =
            count <= MAX_SHADERS ? mem_realloc(device->shaders, count, sizeof(*shaders)) : NULL;
        if (!shaders)
            return 0;
        memset(shaders + device->shader_count, 0, (count - device->shader_count) * sizeof(*shaders));
        device->shaders = shaders;
        device->shader_count = count;
    }
    device->shaders[slot] = shader;
    return slot;
}

static struct d3d8_shader *make_shader(const DWORD *declaration, size_t declaration_bytes, const DWORD *code,
                                       size_t code_size, bool pixel)
{
    struct d3d8_shader *shader = mem_calloc(1, sizeof(*shader));

    if (!shader)
        return NULL;
    shader->pixel = pixel;
    shader->declaration_bytes = declaration_bytes;
    shader->code_bytes = code_size;
    shader->declaration = mem_calloc_behind(4, declaration_bytes, 1);
    shader->sent = mem_calloc_behind(4, declaration_bytes, 1);
    shader->code = mem_calloc_behind(4, code_size, 1);
    if (!shader->declaration || !shader->sent || !shader->code) {
        free_shader(shader);
        return NULL;
    }
    if (declaration) {
        memcpy(shader->declaration, declaration, declaration_bytes);
        shader->sent_bytes = d3d8_declaration_strip(declaration, shader->sent) * sizeof(*declaration);
    }
    if (code)
        memcpy(shader->code, code, code_size);
    return shader;
}

/* The driver does not get constants with the declaration: they are sent as separate tokens, in order with the
 * program's (load_constants). */
static void send_create(struct d3d8_device *device, DWORD handle, const struct d3d8_shader *shader)
{
    D3DHAL_DP2CREATEVERTEXSHADER vertex = {handle, (DWORD)shader->sent_bytes, (DWORD)shader->code_bytes};
    D3DHAL_DP2CREATEPIXELSHADER pixel = {handle, (DWORD)shader->code_bytes};
    size_t head = shader->pixel ? sizeof(pixel) : sizeof(vertex);
    uint8_t *body;

    if (shader->fvf)
        return;
    body = rt_put(device->rt.link, shader->pixel ? D3DDP2OP_CREATEPIXELSHADER : D3DDP2OP_CREATEVERTEXSHADER, 1, NULL,
                  head + shader->sent_bytes + shader->code_bytes);
    if (!body)
        return;
    memcpy(body, shader->pixel ? (void *)&pixel : (void *)&vertex, head);
    memcpy(body + head, shader->sent, shader->sent_bytes);
    memcpy(body + head + shader->sent_bytes, shader->code, shader->code_bytes);
}

void d3d8_shaders_resend(struct rt_device *base)
{
    struct d3d8_device *device = (struct d3d8_device *)base;

    for (unsigned i = 0; i < device->shader_count; i++)
        if (device->shaders[i])
            send_create(device, driver_handle(i), device->shaders[i]);
}

/* Creation is synchronous: the caller gets the driver's refusal. */
static HRESULT register_shader(struct d3d8_device *device, struct d3d8_shader *shader, DWORD *out)
{
    unsigned slot = add_shader(device, shader);
    HRESULT hr;

    if (!slot) {
        free_shader(shader);
        return E_OUTOFMEMORY;
    }
    rt_flush(device->rt.link);
    send_create(device, driver_handle(slot), shader);
    hr = rt_flush(device->rt.link);
    if (FAILED(hr)) {
        device->shaders[slot] = NULL;
        free_shader(shader);
        return D3DERR_INVALIDCALL;
    }
    *out = program_handle(slot, shader->pixel);
    return D3D_OK;
}

static void delete_shader(struct d3d8_device *device, unsigned slot, uint8_t token)
{
    struct d3d8_shader *shader = device->shaders[slot];
    const uint32_t handle = driver_handle(slot);

    if (shader->enlarged)
        delete_shader(device, shader->enlarged, token);
    if (!shader->fvf)
        rt_put_entry(device->rt.link, token, &handle, sizeof(handle));
    device->shaders[slot] = NULL;
    free_shader(shader);
}

/* Makes the code of a vertex shader for targets that are `times` as large. */
static void enlarge(struct d3d8_device *device, struct d3d8_shader *shader, uint32_t times)
{
    const size_t words = shader->code_bytes / sizeof(*shader->code);
    uint32_t *code = mem_calloc(words + RT_SHADER_GROWTH, sizeof(*code));
    struct d3d8_shader *enlarged = NULL;
    const char *problem = "out of memory";
    size_t count = 0;
    DWORD handle = 0;

    if (shader->enlarged)
        delete_shader(device, shader->enlarged, D3DDP2OP_DELETEVERTEXSHADER);
    shader->enlarged = 0;
    shader->enlarged_times = times;
    if (code)
        count = rt_shader_in_pixels((const uint32_t *)shader->code, words, times, code, &problem);
    if (count) {
        enlarged = make_shader(shader->declaration, shader->declaration_bytes, (const DWORD *)code,
                               count * sizeof(*code), false);
        problem = "out of memory";
    }
    if (enlarged) {
        enlarged->hidden = true;
        problem = SUCCEEDED(register_shader(device, enlarged, &handle)) ? NULL : "the driver refuses the code";
        shader->enlarged = slot_of(handle, false);
    }
    if (problem)
        log_once(LOG_WARN, 0, "internal_resolution: a shader counts pixels of the enlarged target: %s", problem);
    free(code);
}

uint32_t d3d8_vertex_shader_handle(void *user, uint32_t handle)
{
    struct d3d8_device *device = user;
    const uint32_t times = device->rt.pipe.times;
    struct d3d8_shader *shader;

    if (!is_vertex_handle(handle))
        return handle & ~(uint32_t)D3DFVF_FOG; /* reserved in the API */
    shader = d3d8_shader_find(user, handle, false);
    if (!shader)
        return 0;
    if (shader->fvf)
        return shader->fvf;
    if (times && shader->enlarged_times != times)
        enlarge(device, shader, times);
    return driver_handle(times && shader->enlarged ? shader->enlarged : slot_of(handle, false));
}

uint32_t d3d8_pixel_shader_handle(void *user, uint32_t handle)
{
    return d3d8_shader_find(user, handle, true) ? driver_handle(slot_of(handle, true)) : 0;
}

/* --- vertex shaders -------------------------------------------------------------------- */

HRESULT WINAPI d3d8_device_CreateVertexShader(IDirect3DDevice8 *iface, const DWORD *declaration, const DWORD *code,
                                              DWORD *out, DWORD usage)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    size_t length, bytes = 0;
    struct d3d8_shader *shader;
    RT_LOCK(&device->rt.base);

    (void)usage;
    if (!declaration || !out)
        return D3DERR_INVALIDCALL;
    *out = 0;
    length = d3d8_declaration_length(declaration);
    if (!length)
        return D3DERR_INVALIDCALL;
    if (code) {
        bytes = checked_code(device, code, false, declaration);
        if (!bytes)
            return D3DERR_INVALIDCALL;
    } else if (!fixed_declaration_is_valid(declaration)) {
        return D3DERR_INVALIDCALL;
    }
    shader = make_shader(declaration, length * sizeof(*declaration), code, bytes, false);
    if (!shader)
        return E_OUTOFMEMORY;
    shader->vertex_bytes = d3d8_declaration_vertex_bytes(declaration);
    if (!code)
        shader->fvf = declaration_fvf(declaration);
    return register_shader(device, shader, out);
}

/* D3DVSD_CONST: constants are loaded whenever the shader is set; the program may change them afterwards. */
void d3d8_load_declared_constants(struct d3d8_device *device, DWORD handle)
{
    const struct d3d8_shader *shader = d3d8_shader_find(device, handle, false);
    struct d3d8_declared_constants constants;
    float values[15][4];
    size_t at = 0;

    if (!shader)
        return;
    while (d3d8_declaration_constants(shader->declaration, &at, &constants)) {
        if (!constants.count || constants.first + constants.count > RT_VS_CONSTANTS)
            continue;
        memcpy(values, constants.values, constants.count * sizeof(values[0]));
        rt_set_vs_constants(&device->rt.pipe, constants.first, constants.count, values[0]);
    }
}

HRESULT WINAPI d3d8_device_SetVertexShader(IDirect3DDevice8 *iface, DWORD handle)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->rt.base);

    if (is_vertex_handle(handle) && !d3d8_shader_find(device, handle, false))
        return D3DERR_INVALIDCALL;
    if (device->rt.recording) {
        device->rt.recording->state.vertex_shader = handle;
        device->rt.recording->mask.vertex_shader = true;
    } else {
        rt_set_vertex_shader(&device->rt.pipe, handle);
        d3d8_load_declared_constants(device, handle);
    }
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetVertexShader(IDirect3DDevice8 *iface, DWORD *handle)
{
    RT_LOCK(&rt_device_of(iface)->base);

    if (!handle)
        return D3DERR_INVALIDCALL;
    *handle = rt_device_of(iface)->pipe.state.vertex_shader;
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_DeleteVertexShader(IDirect3DDevice8 *iface, DWORD handle)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->rt.base);

    if (!d3d8_shader_find(device, handle, false))
        return D3DERR_INVALIDCALL;
    if (slot_of(device->rt.pipe.state.vertex_shader, false) == slot_of(handle, false))
        rt_set_vertex_shader(&device->rt.pipe, 0);
    delete_shader(device, slot_of(handle, false), D3DDP2OP_DELETEVERTEXSHADER);
    return D3D_OK;
}

static DWORD vs_constant_count(const struct d3d8_device *device)
{
    return device->rt.caps.MaxVertexShaderConst ? BASE_MIN(device->rt.caps.MaxVertexShaderConst, RT_VS_CONSTANTS) : 96;
}

static bool range_is_valid(DWORD first, DWORD count, DWORD limit)
{
    return first < limit && count <= limit - first;
}

HRESULT WINAPI d3d8_device_SetVertexShaderConstant(IDirect3DDevice8 *iface, DWORD first, const void *data, DWORD count)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->rt.base);

    if (!data || !range_is_valid(first, count, vs_constant_count(device)))
        return D3DERR_INVALIDCALL;
    if (!device->rt.recording) {
        rt_set_vs_constants(&device->rt.pipe, first, count, data);
        return D3D_OK;
    }
    rt_record_constants(device->rt.recording, RT_VS_FLOAT, first, count, data);
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetVertexShaderConstant(IDirect3DDevice8 *iface, DWORD first, void *data, DWORD count)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->rt.base);

    if (!data || !range_is_valid(first, count, vs_constant_count(device)) || d3d8_device_is_pure(iface))
        return D3DERR_INVALIDCALL;
    memcpy(data, device->rt.pipe.state.vs_constant[first], count * 16);
    return D3D_OK;
}

static HRESULT copy_out(const void *from, size_t bytes, void *data, DWORD *size)
{
    if (!size)
        return D3DERR_INVALIDCALL;
    if (!data) {
        *size = (DWORD)bytes;
        return D3D_OK;
    }
    if (*size < bytes)
        return D3DERR_INVALIDCALL;
    memcpy(data, from, bytes);
    *size = (DWORD)bytes;
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetVertexShaderDeclaration(IDirect3DDevice8 *iface, DWORD handle, void *data, DWORD *size)
{
    RT_LOCK(&rt_device_of(iface)->base);
    const struct d3d8_shader *shader = d3d8_shader_find(d3d8_device_of(iface), handle, false);

    return shader ? copy_out(shader->declaration, shader->declaration_bytes, data, size) : D3DERR_INVALIDCALL;
}

HRESULT WINAPI d3d8_device_GetVertexShaderFunction(IDirect3DDevice8 *iface, DWORD handle, void *data, DWORD *size)
{
    RT_LOCK(&rt_device_of(iface)->base);
    const struct d3d8_shader *shader = d3d8_shader_find(d3d8_device_of(iface), handle, false);

    return shader ? copy_out(shader->code, shader->code_bytes, data, size) : D3DERR_INVALIDCALL;
}

/* --- pixel shaders --------------------------------------------------------------------- */

HRESULT WINAPI d3d8_device_CreatePixelShader(IDirect3DDevice8 *iface, const DWORD *code, DWORD *out)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    struct d3d8_shader *shader;
    size_t bytes;
    RT_LOCK(&device->rt.base);

    if (!code || !out)
        return D3DERR_INVALIDCALL;
    bytes = checked_code(device, code, true, NULL);
    if (!bytes)
        return D3DERR_INVALIDCALL;
    shader = make_shader(NULL, 0, code, bytes, true);
    return shader ? register_shader(device, shader, out) : E_OUTOFMEMORY;
}

HRESULT WINAPI d3d8_device_SetPixelShader(IDirect3DDevice8 *iface, DWORD handle)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->rt.base);

    if (handle && !d3d8_shader_find(device, handle, true))
        return D3DERR_INVALIDCALL;
    if (device->rt.recording) {
        device->rt.recording->state.pixel_shader = handle;
        device->rt.recording->mask.pixel_shader = true;
    } else {
        rt_set_pixel_shader(&device->rt.pipe, handle);
    }
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetPixelShader(IDirect3DDevice8 *iface, DWORD *handle)
{
    RT_LOCK(&rt_device_of(iface)->base);

    if (!handle)
        return D3DERR_INVALIDCALL;
    *handle = rt_device_of(iface)->pipe.state.pixel_shader;
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_DeletePixelShader(IDirect3DDevice8 *iface, DWORD handle)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->rt.base);

    if (!d3d8_shader_find(device, handle, true))
        return D3DERR_INVALIDCALL;
    if (device->rt.pipe.state.pixel_shader == handle)
        rt_set_pixel_shader(&device->rt.pipe, 0);
    delete_shader(device, slot_of(handle, true), D3DDP2OP_DELETEPIXELSHADER);
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_SetPixelShaderConstant(IDirect3DDevice8 *iface, DWORD first, const void *data, DWORD count)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->rt.base);

    if (!data || !range_is_valid(first, count, 8))
        return D3DERR_INVALIDCALL;
    if (!device->rt.recording) {
        rt_set_ps_constants(&device->rt.pipe, first, count, data);
        return D3D_OK;
    }
    rt_record_constants(device->rt.recording, RT_PS_FLOAT, first, count, data);
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetPixelShaderConstant(IDirect3DDevice8 *iface, DWORD first, void *data, DWORD count)
{
    RT_LOCK(&rt_device_of(iface)->base);

    if (!data || !range_is_valid(first, count, 8) || d3d8_device_is_pure(iface))
        return D3DERR_INVALIDCALL;
    memcpy(data, rt_device_of(iface)->pipe.state.ps_constant[first], count * 16);
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetPixelShaderFunction(IDirect3DDevice8 *iface, DWORD handle, void *data, DWORD *size)
{
    RT_LOCK(&rt_device_of(iface)->base);
    const struct d3d8_shader *shader = d3d8_shader_find(d3d8_device_of(iface), handle, true);

    return shader ? copy_out(shader->code, shader->code_bytes, data, size) : D3DERR_INVALIDCALL;
}
