/* SPDX-License-Identifier: MIT */
/*
 * Twins: one scene drawn through both faces of the driver, by functions of the WDDM interface and by tokens of a command stream, with
 * surfaces of each. twin_compare demands the same bytes. Each step below does the same on both sides; the first face is driven by
 * client/ alone, so nothing of umd/ is on that side.
 */
#ifndef HALCYON_TESTS_UMD_TWIN_H
#define HALCYON_TESTS_UMD_TWIN_H

#include "tests/unit/umd_runtime.h"

#include "client/batch.h"
#include "client/client.h"
#include "d3d/ddi.h"

#define TWIN_RESOURCES 64

struct twin_resource {
    struct client_chain *chain; /* the first face's */
    HANDLE handle;              /* the second's */
    unsigned parts, levels, width, height, depth;
    uint32_t usage, format;
    uint8_t *memory[2]; /* of system memory: one block for each face, all parts in it */
    size_t offset[6 * 15], pitch[6 * 15], slice[6 * 15];
};

static struct twin {
    struct client_driver driver;
    struct client *client;
    struct client_chain *nowhere;
    struct client_batch batch;
    struct twin_resource resources[TWIN_RESOURCES];
    unsigned count;
    HANDLE shaders[64];
    uint32_t numbers[64]; /* the first face's names of the same */
    unsigned shader_count;
} twin;

#define TWIN_CALL(name, ...) assert_int_equal(umd_f.pfn##name(umd_rt.device, __VA_ARGS__), S_OK)

static inline void twin_token(uint8_t token, const void *entry, size_t size)
{
    assert_true(client_batch_put_entry(&twin.batch, token, entry, size));
}

/* An entry followed by data. */
static inline void twin_token_data(uint8_t token, const void *entry, size_t size, const void *data, size_t bytes)
{
    uint8_t *place = client_batch_put(&twin.batch, token, 1, NULL, size + bytes);

    assert_non_null(place);
    memcpy(place, entry, size);
    if (bytes)
        memcpy(place + size, data, bytes);
}

static inline void twin_flush(void)
{
    assert_int_equal(client_batch_flush(&twin.batch), DD_OK);
    assert_int_equal(umd_f.pfnFlush(umd_rt.device), S_OK);
}

static inline void twin_open(void)
{
    const struct client_chain_desc desc = {.usage = CLIENT_TARGET, .format = D3DFMT_X8R8G8B8, .width = 1, .height = 1};

    memset(&twin, 0, sizeof(twin));
    umd_rt_open();
    assert_int_equal(client_driver_init(&twin.driver, HalcyonDriverInit), DD_OK);
    twin.client = client_create(&twin.driver);
    assert_int_equal(client_chain_create(twin.client, &desc, &twin.nowhere), DD_OK);
    assert_int_equal(client_batch_open(&twin.batch, twin.client), DD_OK);
    assert_int_equal(
        client_context_create(twin.client, client_part(twin.nowhere, 0), NULL, DDI_LEVEL_DX9, &twin.batch.context),
        DD_OK);
}

static inline void twin_close(void)
{
    client_batch_flush(&twin.batch);
    client_context_destroy(twin.client, twin.batch.context);
    client_batch_close(&twin.batch);
    for (unsigned i = 0; i < twin.count; i++)
        client_chain_destroy(twin.resources[i].chain);
    client_chain_destroy(twin.nowhere);
    client_destroy(twin.client);
    client_driver_close(&twin.driver);
    umd_rt_close();
    for (unsigned i = 0; i < twin.count; i++) {
        free(twin.resources[i].memory[0]);
        free(twin.resources[i].memory[1]);
    }
}

/* --- resources -------------------------------------------------------------------------------------- */

static inline unsigned twin_side(unsigned size, unsigned level)
{
    return size >> level ? size >> level : 1;
}

/* usage: enum client_usage. Formats of system memory have four bytes a texel. Returns the resource's number. */
static inline unsigned twin_create(uint32_t usage, uint32_t format, unsigned width, unsigned height, unsigned depth,
                                   unsigned levels, unsigned samples)
{
    struct twin_resource *r = &twin.resources[twin.count];
    const unsigned faces = usage & CLIENT_CUBE ? 6 : 1;
    const bool system = usage & CLIENT_SYSTEM_MEMORY, buffer = usage & CLIENT_BUFFER;
    D3DDDI_SURFACEINFO surfaces[6 * 15] = {{.Width = 0}};
    uint8_t *memory[6 * 15];
    struct client_chain_desc desc = {.usage = usage,
                                     .format = buffer ? 0 : format,
                                     .width = width,
                                     .height = buffer ? 0 : height,
                                     .depth = depth,
                                     .levels = levels,
                                     .samples = samples};
    D3DDDIARG_CREATERESOURCE create = {.Format = buffer ? D3DDDIFMT_VERTEXDATA : format,
                                       .Pool = system ? D3DDDIPOOL_SYSTEMMEM : D3DDDIPOOL_VIDEOMEMORY,
                                       .MultisampleType = samples,
                                       .pSurfList = surfaces,
                                       .SurfCount = faces * levels,
                                       .MipLevels = levels,
                                       .hResource = (HANDLE)(uintptr_t)(0x5000 + twin.count)};
    size_t bytes = 0;

    assert_true(twin.count < TWIN_RESOURCES);
    *r = (struct twin_resource){.parts = faces * levels, .levels = levels, .usage = usage, .format = format};
    r->width = width;
    r->height = height;
    r->depth = depth;
    create.Flags.Texture = !!(usage & CLIENT_TEXTURE);
    create.Flags.CubeMap = !!(usage & CLIENT_CUBE);
    create.Flags.Volume = !!(usage & CLIENT_VOLUME);
    create.Flags.RenderTarget = !!(usage & CLIENT_TARGET);
    create.Flags.ZBuffer = !!(usage & CLIENT_DEPTH);
    create.Flags.VertexBuffer = !!(usage & CLIENT_VERTEX_BUFFER);
    create.Flags.IndexBuffer = !!(usage & CLIENT_INDEX_BUFFER);
    create.Flags.Dynamic = !!(usage & CLIENT_DYNAMIC);
    for (unsigned i = 0; i < r->parts; i++) {
        const unsigned level = i % levels;

        surfaces[i].Width = twin_side(width, level);
        surfaces[i].Height = twin_side(height, level);
        surfaces[i].Depth = twin_side(depth, level);
        r->offset[i] = bytes;
        r->pitch[i] = surfaces[i].Width * 4 + 4;
        r->slice[i] = r->pitch[i] * surfaces[i].Height;
        bytes += r->slice[i] * surfaces[i].Depth;
    }
    for (unsigned side = 0; system && side < 2; side++) {
        r->memory[side] = calloc(1, bytes);
        for (unsigned i = 0; i < r->parts; i++) {
            memory[i] = r->memory[0] + r->offset[i];
            surfaces[i].pSysMem = r->memory[side] + r->offset[i];
            surfaces[i].SysMemPitch = (UINT)r->pitch[i];
            surfaces[i].SysMemSlicePitch = (UINT)r->slice[i];
        }
    }
    if (system) {
        desc.memory = memory;
        desc.pitch = r->pitch;
        desc.slice_pitch = r->slice;
    }
    assert_int_equal(client_chain_create(twin.client, &desc, &r->chain), DD_OK);
    assert_int_equal(umd_f.pfnCreateResource(umd_rt.device, &create), S_OK);
    r->handle = create.hResource;
    return twin.count++;
}

static inline uint32_t twin_number(unsigned resource, unsigned part)
{
    return client_handle(client_part(twin.resources[resource].chain, part));
}

/* Both memories of a sub-resource, from its first byte. flags: of D3DDDI_LOCKFLAGS that have the same meaning in DirectDraw. */
static inline void twin_lock(unsigned resource, unsigned part, UINT flags, uint8_t *bits[2], size_t *pitch,
                             size_t *slice)
{
    const struct twin_resource *r = &twin.resources[resource];
    uint32_t first = 0;
    struct client_lock lock;
    D3DDDI_LOCKFLAGS second = {.Value = flags};
    D3DDDIARG_LOCK args = {.hResource = r->handle, .SubResourceIndex = part};

    first |= second.ReadOnly ? DDLOCK_READONLY : 0;
    first |= second.Discard ? DDLOCK_DISCARDCONTENTS : 0;
    first |= second.NoOverwrite ? DDLOCK_NOOVERWRITE : 0;
    if (!second.NoOverwrite)
        assert_int_equal(client_batch_flush(&twin.batch), DD_OK);
    assert_int_equal(client_lock(client_part(r->chain, part), NULL, first, &lock), DD_OK);
    second.NotifyOnly = !!(r->usage & CLIENT_SYSTEM_MEMORY);
    args.Flags = second;
    assert_int_equal(umd_f.pfnLock(umd_rt.device, &args), S_OK);
    bits[0] = r->memory[0] ? r->memory[0] + r->offset[part] : lock.bits;
    bits[1] = r->memory[1] ? r->memory[1] + r->offset[part] : args.pSurfData;
    *pitch = r->memory[0] ? r->pitch[part] : lock.pitch;
    *slice = r->memory[0] ? r->slice[part] : lock.slice_pitch;
    if (!r->memory[0] && !(r->usage & CLIENT_BUFFER))
        assert_int_equal(args.Pitch, lock.pitch);
}

static inline void twin_unlock(unsigned resource, unsigned part)
{
    const D3DDDIARG_UNLOCK args = {.hResource = twin.resources[resource].handle, .SubResourceIndex = part};

    client_unlock(client_part(twin.resources[resource].chain, part));
    assert_int_equal(umd_f.pfnUnlock(umd_rt.device, &args), S_OK);
}

/* Bytes of a row, and rows, of a sub-resource: buffers are one row. */
static inline void twin_extent(unsigned resource, unsigned part, size_t *row, unsigned *rows, unsigned *slices)
{
    const struct twin_resource *r = &twin.resources[resource];
    const unsigned level = part % r->levels;

    *row = r->usage & CLIENT_BUFFER ? r->width : (size_t)twin_side(r->width, level) * 4;
    *rows = r->usage & CLIENT_BUFFER ? 1 : twin_side(r->height, level);
    *slices = r->usage & CLIENT_VOLUME ? twin_side(r->depth, level) : 1;
    if (r->format == D3DFMT_R5G6B5 || r->format == D3DFMT_D16)
        *row /= 2;
}

/* The same bytes into both; `next` gives them. */
static inline void twin_fill(unsigned resource, unsigned part, UINT flags, uint8_t (*next)(void))
{
    uint8_t *bits[2];
    size_t pitch, slice, row;
    unsigned rows, slices;

    twin_lock(resource, part, flags, bits, &pitch, &slice);
    twin_extent(resource, part, &row, &rows, &slices);
    for (unsigned z = 0; z < slices; z++)
        for (unsigned y = 0; y < rows; y++)
            for (size_t x = 0; x < row; x++)
                bits[0][z * slice + y * pitch + x] = bits[1][z * slice + y * pitch + x] = next();
    twin_unlock(resource, part);
}

static inline void twin_write(unsigned resource, const void *data, size_t bytes)
{
    uint8_t *bits[2];
    size_t pitch, slice;

    twin_lock(resource, 0, 0, bits, &pitch, &slice);
    memcpy(bits[0], data, bytes);
    memcpy(bits[1], data, bytes);
    twin_unlock(resource, 0);
}

/* The same bytes in all parts. Returns whether any byte differs from the first one. */
static inline bool twin_compare(unsigned resource)
{
    bool varied = false;

    for (unsigned part = 0; part < twin.resources[resource].parts; part++) {
        uint8_t *bits[2];
        size_t pitch, slice, row;
        unsigned rows, slices;

        twin_lock(resource, part, 1 /* ReadOnly */, bits, &pitch, &slice);
        twin_extent(resource, part, &row, &rows, &slices);
        for (unsigned z = 0; z < slices; z++)
            for (unsigned y = 0; y < rows; y++) {
                const uint8_t *a = bits[0] + z * slice + y * pitch, *b = bits[1] + z * slice + y * pitch;

                assert_memory_equal(a, b, row);
                for (size_t x = 0; x < row; x++)
                    varied |= a[x] != bits[0][x % 4];
            }
        twin_unlock(resource, part);
    }
    return varied;
}

/* --- state ------------------------------------------------------------------------------------------- */

static inline void twin_state(uint32_t state, uint32_t value)
{
    const D3DDDIARG_RENDERSTATE args = {state, value};

    twin_token(D3DDP2OP_RENDERSTATE, &args, sizeof(args));
    TWIN_CALL(SetRenderState, &args);
}

static inline void twin_stage(unsigned stage, uint32_t state, uint32_t value)
{
    const D3DHAL_DP2TEXTURESTAGESTATE entry = {(WORD)stage, (WORD)state, value};
    const D3DDDIARG_TEXTURESTAGESTATE args = {stage, state, value};

    twin_token(D3DDP2OP_TEXTURESTAGESTATE, &entry, sizeof(entry));
    TWIN_CALL(SetTextureStageState, &args);
}

/* resource -1: none. */
static inline void twin_texture(unsigned stage, int resource)
{
    const D3DHAL_DP2TEXTURESTAGESTATE entry = {(WORD)stage, 0, resource < 0 ? 0 : twin_number((unsigned)resource, 0)};

    twin_token(D3DDP2OP_TEXTURESTAGESTATE, &entry, sizeof(entry));
    TWIN_CALL(SetTexture, stage, resource < 0 ? NULL : twin.resources[resource].handle);
}

static inline void twin_viewport(unsigned x, unsigned y, unsigned width, unsigned height)
{
    const D3DDDIARG_VIEWPORTINFO args = {x, y, width, height};
    const D3DDDIARG_ZRANGE range = {0.0f, 1.0f};

    twin_token(D3DDP2OP_VIEWPORTINFO, &args, sizeof(args));
    TWIN_CALL(SetViewport, &args);
    twin_token(D3DDP2OP_ZRANGE, &range, sizeof(range));
    TWIN_CALL(SetZRange, &range);
}

static inline void twin_scissor(RECT rect)
{
    twin_token(D3DDP2OP_SETSCISSORRECT, &rect, sizeof(rect));
    TWIN_CALL(SetScissorRect, &rect);
}

static inline void twin_transform(uint32_t which, const float matrix[16])
{
    D3DDDIARG_SETTRANSFORM args = {.TransformType = which};

    memcpy(args.Matrix, matrix, sizeof(args.Matrix));
    twin_token(D3DDP2OP_SETTRANSFORM, &args, sizeof(args));
    TWIN_CALL(SetTransform, &args);
}

/* resource -1: none. */
static inline void twin_target(unsigned index, int resource, unsigned part)
{
    const D3DDDIARG_SETRENDERTARGET args = {index, resource < 0 ? NULL : twin.resources[resource].handle, part};
    D3DHAL_DP2SETRENDERTARGET2 entry = {index, 0};

    if (resource >= 0)
        entry.hRenderTarget = twin_number((unsigned)resource, part);
    else if (!index)
        entry.hRenderTarget = client_handle(client_part(twin.nowhere, 0));
    twin_token(D3DDP2OP_SETRENDERTARGET2, &entry, sizeof(entry));
    TWIN_CALL(SetRenderTarget, &args);
}

static inline void twin_depth(int resource)
{
    const D3DDDIARG_SETDEPTHSTENCIL args = {resource < 0 ? NULL : twin.resources[resource].handle};
    const D3DHAL_DP2SETDEPTHSTENCIL entry = {resource < 0 ? 0 : twin_number((unsigned)resource, 0)};

    twin_token(D3DDP2OP_SETDEPTHSTENCIL, &entry, sizeof(entry));
    TWIN_CALL(SetDepthStencil, &args);
}

static inline void twin_clear(uint32_t flags, uint32_t color, float depth, uint32_t stencil, unsigned count,
                              const RECT *rects)
{
    const D3DDDIARG_CLEAR args = {flags, color, depth, stencil};
    uint8_t *place = client_batch_put(&twin.batch, D3DDP2OP_CLEAR, (uint16_t)count, NULL,
                                      sizeof(args) + (count ? count : 1) * sizeof(RECT));

    assert_non_null(place);
    memcpy(place, &args, sizeof(args));
    memset(place + sizeof(args), 0, sizeof(RECT));
    if (count)
        memcpy(place + sizeof(args), rects, count * sizeof(RECT));
    assert_int_equal(umd_f.pfnClear(umd_rt.device, &args, count, rects), S_OK);
}

/* --- shaders ------------------------------------------------------------------------------------------ */

/* Both numbers of a new shader are in the lists; the result is its place there. */
static inline unsigned twin_add_shader(uint8_t token, uint32_t second, const void *data, size_t bytes, HANDLE handle)
{
    const uint32_t head[2] = {2 * twin.shader_count + 1, second};

    assert_true(twin.shader_count < 64);
    twin_token_data(token, head, sizeof(head), data, bytes);
    twin.shaders[twin.shader_count] = handle;
    twin.numbers[twin.shader_count] = head[0];
    return twin.shader_count++;
}

static inline unsigned twin_declare(const D3DDDIVERTEXELEMENT *elements, unsigned count)
{
    D3DDDIARG_CREATEVERTEXSHADERDECL args = {.NumVertexElements = count};

    TWIN_CALL(CreateVertexShaderDecl, &args, elements);
    return twin_add_shader(D3DDP2OP_CREATEVERTEXSHADERDECL, count, elements, count * sizeof(*elements),
                           args.ShaderHandle);
}

static inline unsigned twin_vertex_shader(const uint32_t *code, unsigned bytes)
{
    D3DDDIARG_CREATEVERTEXSHADERFUNC args = {.Size = bytes};

    TWIN_CALL(CreateVertexShaderFunc, &args, (const UINT *)code);
    return twin_add_shader(D3DDP2OP_CREATEVERTEXSHADERFUNC, bytes, code, bytes, args.ShaderHandle);
}

static inline unsigned twin_pixel_shader(const uint32_t *code, unsigned bytes)
{
    D3DDDIARG_CREATEPIXELSHADER args = {.CodeSize = bytes};

    TWIN_CALL(CreatePixelShader, &args, (const UINT *)code);
    return twin_add_shader(D3DDP2OP_CREATEPIXELSHADER, bytes, code, bytes, args.ShaderHandle);
}

static inline void twin_set_declaration(unsigned shader)
{
    twin_token(D3DDP2OP_SETVERTEXSHADERDECL, &twin.numbers[shader], 4);
    TWIN_CALL(SetVertexShaderDecl, twin.shaders[shader]);
}

/* shader -1: the fixed function. */
static inline void twin_set_shader(bool pixel, int shader)
{
    const uint32_t number = shader < 0 ? 0 : twin.numbers[shader];
    const HANDLE handle = shader < 0 ? NULL : twin.shaders[shader];

    twin_token(pixel ? D3DDP2OP_SETPIXELSHADER : D3DDP2OP_SETVERTEXSHADERFUNC, &number, 4);
    if (pixel)
        TWIN_CALL(SetPixelShader, handle);
    else
        TWIN_CALL(SetVertexShaderFunc, handle);
}

static inline void twin_constants(bool pixel, unsigned first, unsigned count, const float *values)
{
    const D3DDDIARG_SETVERTEXSHADERCONST args = {first, count};

    twin_token_data(pixel ? D3DDP2OP_SETPIXELSHADERCONST : D3DDP2OP_SETVERTEXSHADERCONST, &args, sizeof(args), values,
                    count * 16);
    if (pixel)
        TWIN_CALL(SetPixelShaderConst, &args, values);
    else
        TWIN_CALL(SetVertexShaderConst, &args, values);
}

/* --- draws ---------------------------------------------------------------------------------------------- */

static inline void twin_stream(unsigned stream, int resource, unsigned offset, unsigned stride)
{
    const D3DDDIARG_SETSTREAMSOURCE args = {stream, resource < 0 ? NULL : twin.resources[resource].handle, offset,
                                            stride};
    const D3DHAL_DP2SETSTREAMSOURCE2 entry = {stream, resource < 0 ? 0 : twin_number((unsigned)resource, 0), offset,
                                              stride};

    twin_token(D3DDP2OP_SETSTREAMSOURCE2, &entry, sizeof(entry));
    TWIN_CALL(SetStreamSource, &args);
}

static inline void twin_indices(int resource, unsigned stride)
{
    const D3DDDIARG_SETINDICES args = {resource < 0 ? NULL : twin.resources[resource].handle, stride};
    const D3DHAL_DP2SETINDICES entry = {resource < 0 ? 0 : twin_number((unsigned)resource, 0), stride};

    twin_token(D3DDP2OP_SETINDICES, &entry, sizeof(entry));
    TWIN_CALL(SetIndices, &args);
}

static inline void twin_draw(unsigned type, unsigned start, unsigned primitives)
{
    const D3DDDIARG_DRAWPRIMITIVE args = {type, start, primitives};

    twin_token(D3DDP2OP_DRAWPRIMITIVE, &args, sizeof(args));
    TWIN_CALL(DrawPrimitive, &args, NULL);
}

static inline void twin_draw_indexed(unsigned type, int base, unsigned min, unsigned vertices, unsigned start,
                                     unsigned primitives)
{
    const D3DDDIARG_DRAWINDEXEDPRIMITIVE args = {type, base, min, vertices, start, primitives};

    twin_token(D3DDP2OP_DRAWINDEXEDPRIMITIVE, &args, sizeof(args));
    TWIN_CALL(DrawIndexedPrimitive, &args);
}

/* From the caller's memory: the first face gets the vertices with a call of their own. */
static inline void twin_draw_user(unsigned type, unsigned primitives, const void *vertices, unsigned count,
                                  unsigned stride)
{
    const D3DDDIARG_SETSTREAMSOURCEUM source = {0, stride};
    const D3DDDIARG_DRAWPRIMITIVE args = {type, 0, primitives};
    uint32_t first;

    assert_int_equal(client_batch_flush(&twin.batch), DD_OK);
    twin_token(D3DDP2OP_SETSTREAMSOURCEUM, &source, sizeof(source));
    assert_true(client_batch_put_vertices(&twin.batch, vertices, count, stride, 0, &first));
    twin_token(D3DDP2OP_DRAWPRIMITIVE, &args, sizeof(args));
    assert_int_equal(client_batch_flush(&twin.batch), DD_OK);
    TWIN_CALL(SetStreamSourceUm, &source, vertices);
    TWIN_CALL(DrawPrimitive, &args, NULL);
}

/* --- copies ------------------------------------------------------------------------------------------------ */

static inline void twin_blt(unsigned to, unsigned to_part, RECT to_rect, unsigned from, unsigned from_part,
                            RECT from_rect, bool linear)
{
    D3DDDIARG_BLT args = {.hSrcResource = twin.resources[from].handle,
                          .SrcSubResourceIndex = from_part,
                          .SrcRect = from_rect,
                          .hDstResource = twin.resources[to].handle,
                          .DstSubResourceIndex = to_part,
                          .DstRect = to_rect};
    D3DHAL_DP2BLT entry = {.dwSource = twin_number(from, from_part), .dwDest = twin_number(to, to_part)};

    memcpy(&entry.rSource, &from_rect, sizeof(from_rect));
    memcpy(&entry.rDest, &to_rect, sizeof(to_rect));
    entry.Flags = linear ? DP2BLT_LINEAR : 0;
    args.Flags.Linear = linear;
    twin_token(D3DDP2OP_BLT, &entry, sizeof(entry));
    TWIN_CALL(Blt, &args);
}

static inline void twin_color_fill(unsigned resource, unsigned part, RECT rect, uint32_t color)
{
    const D3DDDIARG_COLORFILL args = {
        .hResource = twin.resources[resource].handle, .SubResourceIndex = part, .DstRect = rect, .Color = color};
    D3DHAL_DP2COLORFILL entry = {.dwSurface = twin_number(resource, part), .Color = color};

    memcpy(&entry.rRect, &rect, sizeof(rect));
    twin_token(D3DDP2OP_COLORFILL, &entry, sizeof(entry));
    TWIN_CALL(ColorFill, &args);
}

#endif
