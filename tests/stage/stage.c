/* SPDX-License-Identifier: MIT */
/* The stage: surfaces, command buffer and draws of golden tests and benchmarks. */
#include "tests/stage/stage.h"
#include "base/base.h"
#include "client/umd/bridge.h"

#include <stdlib.h>
#include <string.h>

#define COMMAND_BYTES (64 * 1024)

static bool check(struct stage *stage, HRESULT result, const char *what)
{
    if (FAILED(result) && !stage->failed) {
        stage->error = result;
        stage->failed = what;
    }
    return !stage->failed;
}

static void open_surfaces(struct stage *stage, uint32_t format, uint32_t depth_format, unsigned samples)
{
    struct client_chain_desc desc = {
        .usage = CLIENT_TARGET, .format = format, .width = stage->width, .height = stage->height, .samples = samples};

    check(stage, client_chain_create(stage->client, &desc, &stage->target), "render target");
    if (depth_format) {
        desc.usage = CLIENT_DEPTH;
        desc.format = depth_format;
        check(stage, client_chain_create(stage->client, &desc, &stage->depth), "depth buffer");
    }
    memset(&desc, 0, sizeof(desc));
    desc.usage = CLIENT_COMMAND_BUFFER;
    desc.width = COMMAND_BYTES;
    check(stage, client_chain_create(stage->client, &desc, &stage->commands), "command buffer");
}

bool stage_open(struct stage *stage, unsigned width, unsigned height, uint32_t format, uint32_t depth_format)
{
    return stage_open_samples(stage, width, height, format, depth_format, 0);
}

bool stage_open_samples(struct stage *stage, unsigned width, unsigned height, uint32_t format, uint32_t depth_format,
                        unsigned samples)
{
    memset(stage, 0, sizeof(*stage));
    stage->width = width;
    stage->height = height;
    if (!check(stage, client_driver_init(&stage->driver, client_umd_or(HalcyonDriverInit, OpenAdapter)), "driver"))
        return false;
    stage->client = client_create(&stage->driver);
    check(stage, stage->client ? DD_OK : DDERR_OUTOFMEMORY, "client");
    if (stage->client)
        open_surfaces(stage, format, depth_format, samples);
    return stage_set_level(stage, DDI_LEVEL_DX8);
}

bool stage_set_level(struct stage *stage, uint32_t level)
{
    if (stage->failed)
        return false;
    stage_submit(stage); /* starts the command buffer */
    if (stage->context)
        client_context_destroy(stage->client, stage->context);
    check(stage,
          client_context_create(stage->client, client_part(stage->target, 0),
                                stage->depth ? client_part(stage->depth, 0) : NULL, level, &stage->context),
          "context");
    stage_state(stage, D3DRS_CULLMODE, D3DCULL_NONE);
    stage_state(stage, D3DRS_LIGHTING, FALSE);
    stage_state(stage, D3DRS_ZENABLE, FALSE);
    stage_state(stage, D3DRS_CLIPPING, TRUE);
    stage_texture_state(stage, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG2);
    stage_texture_state(stage, 0, D3DTSS_COLORARG2, D3DTA_DIFFUSE);
    stage_texture_state(stage, 0, D3DTSS_ALPHAOP, D3DTOP_SELECTARG2);
    stage_texture_state(stage, 0, D3DTSS_ALPHAARG2, D3DTA_DIFFUSE);
    return !stage->failed;
}

void stage_close(struct stage *stage)
{
    if (stage->client) {
        if (stage->command_lock.bits)
            client_unlock(client_part(stage->commands, 0));
        if (stage->context)
            client_context_destroy(stage->client, stage->context);
        for (unsigned i = 0; i < stage->texture_count; i++)
            client_chain_destroy(stage->textures[i]);
        for (unsigned i = 0; i < stage->buffer_count; i++)
            client_chain_destroy(stage->buffers[i]);
        client_chain_destroy(stage->commands);
        client_chain_destroy(stage->depth);
        client_chain_destroy(stage->target);
        client_destroy(stage->client);
    }
    client_driver_close(&stage->driver);
}

/* --- commands ----------------------------------------------------------------------- */

static void submit(struct stage *stage, const void *vertices, unsigned vertex_count, unsigned vertex_size)
{
    struct client_surface *commands = client_part(stage->commands, 0);
    struct client_draw draw = {.context = stage->context,
                               .commands = commands,
                               .command_length = (uint32_t)stage->builder.length,
                               .user_vertices = vertices,
                               .vertex_count = vertex_count,
                               .vertex_size = vertex_size};

    if (stage->failed)
        return;
    if (stage->command_lock.bits) {
        client_unlock(commands);
        stage->command_lock.bits = NULL;
        if (draw.command_length)
            check(stage, client_draw(stage->client, &draw), "DrawPrimitives2");
    }
    check(stage, client_lock(commands, NULL, DDLOCK_DISCARDCONTENTS, &stage->command_lock),
          "lock of the command buffer");
    if (!stage->failed)
        dp2_builder_init(&stage->builder, stage->command_lock.bits, COMMAND_BYTES);
}

void stage_submit(struct stage *stage)
{
    submit(stage, NULL, 0, 0);
}

HRESULT stage_take_error(struct stage *stage)
{
    HRESULT error;

    stage_submit(stage);
    error = stage->failed ? stage->error : DD_OK;
    stage->failed = NULL;
    stage->error = DD_OK;
    dp2_builder_init(&stage->builder, stage->command_lock.bits, COMMAND_BYTES);
    return error;
}

static void put(struct stage *stage, uint8_t token, uint16_t count, const void *body, size_t size)
{
    if (stage->failed)
        return;
    if (!dp2_put(&stage->builder, token, count, body, size)) {
        stage_submit(stage);
        if (!stage->failed && !dp2_put(&stage->builder, token, count, body, size))
            check(stage, DDERR_OUTOFMEMORY, "command buffer too small");
    }
}

void stage_command(struct stage *stage, uint8_t token, uint16_t count, const void *body, size_t size)
{
    put(stage, token, count, body, size);
}

void stage_state(struct stage *stage, uint32_t state, uint32_t value)
{
    D3DHAL_DP2RENDERSTATE entry = {.RenderState = (D3DRENDERSTATETYPE)state};

    entry.dwState = value;
    put(stage, D3DDP2OP_RENDERSTATE, 1, &entry, sizeof(entry));
}

void stage_state_float(struct stage *stage, uint32_t state, float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    stage_state(stage, state, bits);
}

void stage_texture_state(struct stage *stage, unsigned texture_stage, uint32_t state, uint32_t value)
{
    D3DHAL_DP2TEXTURESTAGESTATE entry = {(WORD)texture_stage, (WORD)state, value};

    put(stage, D3DDP2OP_TEXTURESTAGESTATE, 1, &entry, sizeof(entry));
}

void stage_transform(struct stage *stage, uint32_t which, const float matrix[16])
{
    D3DHAL_DP2SETTRANSFORM entry = {.xfrmType = (D3DTRANSFORMSTATETYPE)which};

    memcpy(&entry.matrix, matrix, sizeof(entry.matrix));
    put(stage, D3DDP2OP_SETTRANSFORM, 1, &entry, sizeof(entry));
}

void stage_light(struct stage *stage, unsigned index, const D3DLIGHT8 *light)
{
    D3DHAL_DP2CREATELIGHT create = {index};
    struct {
        D3DHAL_DP2SETLIGHT head;
        D3DLIGHT8 light;
    } data = {{index, D3DHAL_SETLIGHT_DATA}, *light};
    D3DHAL_DP2SETLIGHT enable = {index, D3DHAL_SETLIGHT_ENABLE};

    put(stage, D3DDP2OP_CREATELIGHT, 1, &create, sizeof(create));
    put(stage, D3DDP2OP_SETLIGHT, 1, &data, sizeof(data));
    put(stage, D3DDP2OP_SETLIGHT, 1, &enable, sizeof(enable));
}

void stage_material(struct stage *stage, const D3DMATERIAL8 *material)
{
    put(stage, D3DDP2OP_SETMATERIAL, 1, material, sizeof(*material));
}

void stage_clear(struct stage *stage, uint32_t flags, uint32_t color, float depth, uint32_t stencil)
{
    stage_submit(stage);
    if (!stage->failed)
        check(stage, client_clear(stage->client, stage->context, flags, color, depth, stencil, NULL, 0), "Clear");
}

static void put_fvf(struct stage *stage, uint32_t fvf)
{
    D3DHAL_DP2VERTEXSHADER shader = {stage->vertex_shader ? stage->vertex_shader : fvf};

    put(stage, D3DDP2OP_SETVERTEXSHADER, 1, &shader, sizeof(shader));
}

/* The DWORDs up to and including `end`. */
static size_t words(const uint32_t *tokens, uint32_t end)
{
    size_t n = 0;

    while (tokens[n++] != end)
        ;
    return n;
}

void stage_vertex_shader(struct stage *stage, uint32_t handle, const uint32_t *declaration, const uint32_t *code)
{
    uint32_t body[1024] = {handle};

    stage->vertex_shader = code ? handle : 0;
    if (!code)
        return;
    size_t a = words(declaration, 0xffffffff), b = words(code, 0x0000ffff);
    body[1] = (uint32_t)(4 * a);
    body[2] = (uint32_t)(4 * b);
    memcpy(&body[3], declaration, 4 * a);
    memcpy(&body[3 + a], code, 4 * b);
    put(stage, D3DDP2OP_CREATEVERTEXSHADER, 1, body, 4 * (3 + a + b));
}

void stage_pixel_shader(struct stage *stage, uint32_t handle, const uint32_t *code)
{
    uint32_t body[1024] = {handle};

    if (code) {
        size_t n = words(code, 0x0000ffff);
        body[1] = (uint32_t)(4 * n);
        memcpy(&body[2], code, 4 * n);
        put(stage, D3DDP2OP_CREATEPIXELSHADER, 1, body, 4 * (2 + n));
    }
    body[0] = code ? handle : 0;
    put(stage, D3DDP2OP_SETPIXELSHADER, 1, body, 4);
}

void stage_constants(struct stage *stage, bool pixel, unsigned first, unsigned count, const float *values)
{
    uint32_t body[2 + 4 * 32] = {first, count};

    memcpy(&body[2], values, 16 * count);
    put(stage, pixel ? D3DDP2OP_SETPIXELSHADERCONST : D3DDP2OP_SETVERTEXSHADERCONST, 1, body, 8 + 16 * count);
}

void stage_draw(struct stage *stage, D3DPRIMITIVETYPE type, unsigned primitives, uint32_t fvf, const void *vertices,
                unsigned vertex_count)
{
    unsigned stride = dp2_fvf_size(fvf);
    D3DHAL_DP2SETSTREAMSOURCEUM source = {0, stride};
    D3DHAL_DP2DRAWPRIMITIVE draw = {type, 0, primitives};

    put_fvf(stage, fvf);
    put(stage, D3DDP2OP_SETSTREAMSOURCEUM, 1, &source, sizeof(source));
    put(stage, D3DDP2OP_DRAWPRIMITIVE, 1, &draw, sizeof(draw));
    submit(stage, vertices, vertex_count, stride);
}

void stage_draw_vertices(struct stage *stage, D3DPRIMITIVETYPE type, unsigned primitives, const void *vertices,
                         unsigned vertex_count, unsigned stride)
{
    D3DHAL_DP2SETSTREAMSOURCEUM source = {0, stride};
    D3DHAL_DP2DRAWPRIMITIVE draw = {type, 0, primitives};

    put(stage, D3DDP2OP_SETSTREAMSOURCEUM, 1, &source, sizeof(source));
    put(stage, D3DDP2OP_DRAWPRIMITIVE, 1, &draw, sizeof(draw));
    submit(stage, vertices, vertex_count, stride);
}

void stage_draw_buffer(struct stage *stage, D3DPRIMITIVETYPE type, unsigned primitives, uint32_t fvf,
                       uint32_t vertex_buffer, uint32_t index_buffer, unsigned vertex_count)
{
    D3DHAL_DP2SETSTREAMSOURCE source = {0, vertex_buffer, dp2_fvf_size(fvf)};
    D3DHAL_DP2SETINDICES indices = {index_buffer, 2};
    D3DHAL_DP2DRAWPRIMITIVE draw = {type, 0, primitives};
    D3DHAL_DP2DRAWINDEXEDPRIMITIVE indexed = {type, 0, 0, vertex_count, 0, primitives};

    put_fvf(stage, fvf);
    put(stage, D3DDP2OP_SETSTREAMSOURCE, 1, &source, sizeof(source));
    if (!index_buffer) {
        put(stage, D3DDP2OP_DRAWPRIMITIVE, 1, &draw, sizeof(draw));
        return;
    }
    put(stage, D3DDP2OP_SETINDICES, 1, &indices, sizeof(indices));
    put(stage, D3DDP2OP_DRAWINDEXEDPRIMITIVE, 1, &indexed, sizeof(indexed));
}

/* --- resources ------------------------------------------------------------------------ */

uint32_t stage_buffer(struct stage *stage, bool indices, uint32_t fvf, const void *data, unsigned bytes)
{
    struct client_chain_desc desc = {
        .usage = indices ? CLIENT_INDEX_BUFFER : CLIENT_VERTEX_BUFFER, .width = bytes, .fvf = fvf};
    struct client_chain **slot = &stage->buffers[stage->buffer_count];
    struct client_lock lock;

    if (stage->failed || stage->buffer_count == ARRAY_COUNT(stage->buffers) ||
        !check(stage, client_chain_create(stage->client, &desc, slot), "buffer"))
        return 0;
    stage->buffer_count++;
    if (!check(stage, client_lock(client_part(*slot, 0), NULL, 0, &lock), "lock of a buffer"))
        return 0;
    memcpy(lock.bits, data, bytes);
    client_unlock(client_part(*slot, 0));
    return client_handle(client_part(*slot, 0));
}

uint32_t stage_texture(struct stage *stage, uint32_t format, unsigned width, unsigned height, unsigned levels,
                       stage_fill fill)
{
    struct client_chain_desc desc = {
        .usage = CLIENT_TEXTURE, .format = format, .width = width, .height = height, .levels = levels};
    struct client_chain **slot = &stage->textures[stage->texture_count];

    if (stage->failed || stage->texture_count == STAGE_MAX_TEXTURES ||
        !check(stage, client_chain_create(stage->client, &desc, slot), "texture"))
        return 0;
    stage->texture_count++;
    for (unsigned level = 0; level < levels; level++) {
        struct client_surface *surface = client_level(*slot, 0, level);
        struct client_lock lock;

        if (!check(stage, client_lock(surface, NULL, 0, &lock), "lock of a texture"))
            return 0;
        if (fill)
            fill(&lock, level, BASE_MAX(width >> level, 1u), BASE_MAX(height >> level, 1u));
        client_unlock(surface);
    }
    return client_handle(client_part(*slot, 0));
}

/* --- results ----------------------------------------------------------------------------- */

static bool lock_target(struct stage *stage, struct client_lock *lock)
{
    stage_submit(stage);
    return !stage->failed &&
           check(stage, client_lock(client_part(stage->target, 0), NULL, DDLOCK_READONLY, lock), "lock of the target");
}

void stage_finish(struct stage *stage)
{
    struct client_lock lock;

    if (lock_target(stage, &lock))
        client_unlock(client_part(stage->target, 0));
}

uint64_t stage_hash(struct stage *stage)
{
    uint64_t hash = 0xcbf29ce484222325u;
    struct client_lock lock;
    size_t row;

    if (!lock_target(stage, &lock))
        return 0;
    row = stage->width * (stage->target->format == D3DFMT_X8R8G8B8 || stage->target->format == D3DFMT_A8R8G8B8 ? 4 : 2);
    for (unsigned y = 0; y < stage->height; y++)
        for (size_t x = 0; x < row; x++)
            hash = (hash ^ lock.bits[y * lock.pitch + x]) * 0x100000001b3u;
    client_unlock(client_part(stage->target, 0));
    return hash;
}

bool stage_read_rgb(struct stage *stage, uint8_t *rgb)
{
    struct client_lock lock;

    if (!lock_target(stage, &lock))
        return false;
    for (unsigned y = 0; y < stage->height; y++) {
        for (unsigned x = 0; x < stage->width; x++, rgb += 3) {
            uint32_t pixel = dp2_read_u32(lock.bits + y * lock.pitch + 4 * x);

            rgb[0] = (uint8_t)(pixel >> 16);
            rgb[1] = (uint8_t)(pixel >> 8);
            rgb[2] = (uint8_t)pixel;
        }
    }
    client_unlock(client_part(stage->target, 0));
    return true;
}
