/* SPDX-License-Identifier: MIT */
/*
 * Methods of d3d9.dll's device that set states, bind, record and draw, on a link that records tokens and a shared part
 * that records draws. Wine's tests of the same rules need Wine; these do not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define INITGUID
#include "runtime/d3d9/device/device_state.c"
#include "runtime/d3d9/rules.c"
#include "runtime/d3d9/device/device_shader.c"
#include "runtime/d3d9/device/device_constants.c"
#include "runtime/d3d9/device/device_draw.c"
#include "runtime/d3d9/device/stateblock.c"

#include "runtime/common/state/constants.c"
#include "runtime/common/state/bind.c"
#include "runtime/common/state/record.c"
#include "runtime/common/state/state.c"
/* Files of the state layer have tables of the same names. */
#define render_states block_render_states
#include "runtime/common/state/stateblock.c"

/* --- the link ------------------------------------------------------------------------------ */

static struct {
    uint8_t token;
    uint32_t body[4];
} sent[8192];
static unsigned sent_count;

void *rt_put(struct rt_link *link, uint8_t token, uint16_t count, const void *body, size_t size)
{
    static uint32_t room[8192];

    (void)link;
    (void)count;
    assert_true(sent_count < ARRAY_COUNT(sent) && size <= sizeof(room));
    sent[sent_count].token = token;
    memset(sent[sent_count].body, 0, sizeof(sent[0].body));
    if (body)
        memcpy(sent[sent_count].body, body, BASE_MIN(size, sizeof(sent[0].body)));
    sent_count++;
    return room;
}

void rt_put_entry(struct rt_link *link, uint8_t token, const void *entry, size_t size)
{
    rt_put(link, token, 1, entry, size);
}

uint32_t rt_chain_handle(const struct rt_chain *chain, unsigned part)
{
    (void)chain;
    return part;
}

struct rt_adapter *rt_link_adapter(const struct rt_link *link)
{
    (void)link;
    return NULL;
}

/* No displacement maps. */
const struct d3d_caps9 *rt_adapter_caps9(const struct rt_adapter *adapter)
{
    (void)adapter;
    return NULL;
}

/* --- objects: as runtime/common/object/resource.h says, without containers --------------------- */

HRESULT rt_flush(struct rt_link *link)
{
    (void)link;
    return DD_OK;
}

/* Sizes of points matter to an internal resolution, which this device does not have. */
void rt_pipe_note_point_state(struct rt_pipe *pipe, uint32_t state, uint32_t value)
{
    (void)pipe;
    (void)state;
    (void)value;
}

void rt_resource_hold(struct rt_resource *resource)
{
    resource->holds++;
}

void rt_resource_unhold(struct rt_resource *resource)
{
    if (!--resource->holds && resource->ops)
        resource->ops->destroy(resource);
}

ULONG rt_resource_addref(struct rt_resource *resource)
{
    if (!resource->refs)
        resource->holds++;
    return (ULONG)++resource->refs;
}

ULONG rt_resource_release(struct rt_resource *resource)
{
    const ULONG refs = (ULONG)--resource->refs;

    if (!refs)
        rt_resource_unhold(resource);
    return refs;
}

void rt_object_init(void *object, struct rt_device *device, enum rt_kind kind, const struct rt_resource_ops *ops,
                    bool owned)
{
    struct rt_object *o = object;

    o->device = device;
    o->kind = (uint8_t)kind;
    o->res.ops = ops;
    o->res.holds = 1;
    o->res.refs = owned ? 0 : 1;
}

#include "tests/unit/rt_object_stubs.h"

/* --- the shared device, and the other layers below ------------------------------------------------- */

static unsigned draws;
static DWORD processed_fvf, processed_flags;
static struct d3d9_declaration *of_fvf;
bool d3d9_perf_is_used;

void d3d9_perf_send_kept(struct rt_link *link)
{
    (void)link;
}

HRESULT d3d9_declaration_of_fvf(struct d3d9_device *device, DWORD fvf, struct d3d9_declaration **declaration)
{
    (void)device;
    if (fvf == 0xdead)
        return D3DERR_INVALIDCALL;
    of_fvf->fvf = fvf;
    *declaration = of_fvf;
    return D3D_OK;
}

DWORD d3d9_declaration_layout(const struct d3d9_declaration *declaration)
{
    return declaration->fvf;
}

void rt_device_bind_target(struct rt_device *device, unsigned index, struct rt_surface *target)
{
    device->target[index] = target;
}

void rt_device_bind_depth(struct rt_device *device, struct rt_surface *depth)
{
    device->depth = depth;
}

void rt_device_reset_viewport(struct rt_device *device)
{
    const struct rt_surface_desc *desc = &device->target[0]->desc;

    rt_set_viewport(&device->pipe, &(D3DVIEWPORT8){0, 0, desc->width, desc->height, 0.0f, 1.0f});
}

bool rt_surface_can_be_bound(const struct rt_device *device, const struct rt_surface *surface, DWORD usage)
{
    return surface->device == device && (surface->desc.usage & usage);
}

HRESULT rt_device_get_surface(struct rt_surface *bound, void **out)
{
    *out = bound;
    return bound ? D3D_OK : D3DERR_NOTFOUND;
}

void rt_device_set_texture(struct rt_device *device, unsigned slot, struct rt_texture *texture)
{
    rt_set_texture(&device->pipe, slot, texture ? &texture->res : NULL);
}

struct rt_texture *rt_device_get_texture(struct rt_device *device, unsigned slot)
{
    struct rt_resource *bound = device->pipe.state.texture[slot];

    return bound ? RT_FROM_RES(rt_texture, bound) : NULL;
}

HRESULT WINAPI rt_device_Clear(void *iface, DWORD count, const D3DRECT *rects, DWORD flags, D3DCOLOR color, float z,
                               DWORD stencil)
{
    (void)iface;
    (void)rects;
    (void)color;
    (void)z;
    (void)stencil;
    return count || flags ? D3D_OK : D3DERR_INVALIDCALL;
}

HRESULT rt_draw(struct rt_device *device, D3DPRIMITIVETYPE type, UINT start, UINT count)
{
    (void)device;
    (void)type;
    draws += start + count;
    return D3D_OK;
}

HRESULT rt_draw_indexed(struct rt_device *device, D3DPRIMITIVETYPE type, INT base_vertex, UINT min_index,
                        UINT vertex_count, UINT start, UINT count)
{
    (void)base_vertex;
    (void)min_index;
    (void)vertex_count;
    return rt_draw(device, type, start, count);
}

HRESULT rt_draw_up(struct rt_device *device, D3DPRIMITIVETYPE type, UINT count, const void *vertices, UINT stride)
{
    (void)vertices;
    (void)stride;
    return rt_draw(device, type, 0, count);
}

HRESULT rt_draw_indexed_up(struct rt_device *device, D3DPRIMITIVETYPE type, UINT min_index, UINT vertex_count,
                           UINT count, const void *indices, uint32_t format, const void *vertices, UINT stride)
{
    (void)min_index;
    (void)vertex_count;
    (void)indices;
    (void)format;
    return rt_draw_up(device, type, count, vertices, stride);
}

HRESULT rt_draw_patch(struct rt_device *device, uint8_t token, UINT handle, const float *segments, const void *info)
{
    (void)token;
    (void)segments;
    (void)info;
    return rt_draw(device, 0, handle, 0);
}

HRESULT rt_process_vertices(struct rt_device *device, UINT source_start, UINT destination_start, UINT count,
                            struct rt_buffer *destination, DWORD fvf, DWORD flags)
{
    (void)device;
    (void)source_start;
    (void)destination_start;
    (void)count;
    (void)destination;
    processed_fvf = fvf;
    processed_flags = flags;
    return D3D_OK;
}

/* --- set-up ------------------------------------------------------------------------------------ */

static struct d3d9_device device;
static IDirect3DDevice9Ex *const iface = (void *)&device;
static struct rt_surface back, little;
static struct d3d9_declaration declarations[2];

static uint32_t no_handle(struct rt_resource *resource)
{
    (void)resource;
    return 0;
}

static void make_object(void *object)
{
    rt_object_init(object, &device.common, RT_KIND_SURFACE, NULL, false);
}

static void open_device(DWORD behavior)
{
    static const struct rt_state_ops ops = {no_handle, no_handle, NULL, NULL, no_handle};
    const struct rt_state_options options = {&d3d9_state_rules, true, 64.0f,
                                             behavior != D3DCREATE_HARDWARE_VERTEXPROCESSING};

    memset(&device, 0, sizeof(device));
    device.common.creation.BehaviorFlags = behavior;
    assert_true(rt_state_init(&device.common.pipe.state, &options));
    device.common.pipe.ops = &ops;
    memset(declarations, 0, sizeof(declarations));
    for (unsigned i = 0; i < 2; i++)
        make_object(&declarations[i]);
    of_fvf = &declarations[1];
    make_object(&back);
    make_object(&little);
    back.desc = (struct rt_surface_desc){.usage = D3DUSAGE_RENDERTARGET, .width = 640, .height = 480};
    little.desc = (struct rt_surface_desc){.usage = D3DUSAGE_RENDERTARGET, .width = 128, .height = 64};
    device.common.target[0] = &back;
    sent_count = 0;
    draws = 0;
}

static int set_up(void **unused)
{
    (void)unused;
    open_device(D3DCREATE_HARDWARE_VERTEXPROCESSING);
    return 0;
}

static int tear_down(void **unused)
{
    (void)unused;
    assert_null(device.common.recording);
    rt_state_release(&device.common.pipe.state);
    return 0;
}

/* --- tests ------------------------------------------------------------------------------------- */

static void test_targets(void **unused)
{
    struct rt_state *state = &device.common.pipe.state;
    IDirect3DStateBlock9 *block;
    IDirect3DSurface9 *found;
    RECT rect = {1, 2, 3, 4};

    (void)unused;
    assert_int_equal(d3d9_device_SetRenderTarget(iface, 0, NULL), D3DERR_INVALIDCALL);
    assert_int_equal(d3d9_device_SetRenderTarget(iface, RT_TARGETS, (void *)&little), D3DERR_INVALIDCALL);
    assert_int_equal(d3d9_device_SetDepthStencilSurface(iface, (void *)&little), D3DERR_INVALIDCALL);
    assert_int_equal(d3d9_device_SetScissorRect(iface, &rect), D3D_OK);
    assert_int_equal(d3d9_device_SetRenderTarget(iface, 1, (void *)&little), D3D_OK);
    assert_int_equal(state->scissor.right, 3);
    assert_int_equal(d3d9_device_GetRenderTarget(iface, 1, &found), D3D_OK);
    assert_ptr_equal(found, &little);
    assert_int_equal(d3d9_device_SetRenderTarget(iface, 1, NULL), D3D_OK);
    assert_int_equal(d3d9_device_GetRenderTarget(iface, 1, &found), D3DERR_NOTFOUND);
    /* at once, while a block is recorded, too */
    assert_int_equal(d3d9_device_BeginStateBlock(iface), D3D_OK);
    assert_int_equal(d3d9_device_SetScissorRect(iface, &rect), D3D_OK);
    assert_int_equal(d3d9_device_SetRenderTarget(iface, 0, (void *)&little), D3D_OK);
    assert_int_equal(d3d9_device_EndStateBlock(iface, &block), D3D_OK);
    assert_int_equal(state->viewport.Width, 128);
    assert_int_equal(state->scissor.bottom, 64);
    assert_int_equal(stateblock_Apply(block), D3D_OK);
    assert_int_equal(state->scissor.bottom, 4);
    assert_int_equal(state->viewport.Width, 128);
    /* the same target again */
    assert_int_equal(d3d9_device_SetRenderTarget(iface, 0, (void *)&little), D3D_OK);
    assert_int_equal(state->scissor.bottom, 64);
    rt_object_Release(block);
}

static void test_render_states(void **unused)
{
    const uint32_t *render = device.common.pipe.state.render;

    (void)unused;
    assert_int_equal(d3d9_device_SetRenderState(iface, D3DRS_CULLMODE, D3DCULL_NONE), D3D_OK);
    assert_int_equal(sent_count, 1);
    assert_int_equal(sent[0].body[0], D3DRS_CULLMODE);
    /* numbers of older versions: 169 makes the driver delete a patch */
    assert_int_equal(d3d9_device_SetRenderState(iface, 169, 7), D3D_OK);
    assert_int_equal(d3d9_device_SetRenderState(iface, 30, 7), D3D_OK);
    assert_int_equal(d3d9_device_SetRenderState(iface, 256, 7), D3D_OK);
    assert_int_equal(sent_count, 1);
    assert_int_equal(render[30], 7);
    assert_int_equal(d3d9_device_SetNPatchMode(iface, 3.0f), D3D_OK);
    assert_int_equal(d3d9_device_SetRenderState(iface, (D3DRENDERSTATETYPE)D3D_RS_PATCHSEGMENTS, 1), D3D_OK);
    assert_true(d3d9_device_GetNPatchMode(iface) == 3.0f);
    assert_int_equal(sent_count, 2);
}

static void test_stages(void **unused)
{
    struct rt_texture texture = {.pool = D3DPOOL_SCRATCH};
    IDirect3DBaseTexture9 *found;
    DWORD value = 5;

    (void)unused;
    make_object(&texture);
    assert_int_equal(d3d9_device_SetTextureStageState(iface, 7, D3DTSS_CONSTANT, 9), D3D_OK);
    assert_int_equal(sent_count, 1);
    /* no longer a stage state (MAGFILTER of version 8), and not a stage */
    assert_int_equal(d3d9_device_SetTextureStageState(iface, 0, 16, 9), D3D_OK);
    assert_int_equal(d3d9_device_SetTextureStageState(iface, 8, D3DTSS_COLOROP, 9), D3D_OK);
    assert_int_equal(d3d9_device_SetSamplerState(iface, 16, D3DSAMP_MAGFILTER, 2), D3D_OK);
    assert_int_equal(d3d9_device_SetSamplerState(iface, 0, 14, 2), D3D_OK);
    assert_int_equal(sent_count, 1);
    assert_int_equal(d3d9_device_GetTextureStageState(iface, 8, D3DTSS_COLOROP, &value), D3D_OK);
    assert_int_equal(value, 0);
    assert_int_equal(d3d9_device_SetSamplerState(iface, D3DVERTEXTEXTURESAMPLER3, D3DSAMP_MAGFILTER, 2), D3D_OK);
    assert_int_equal(sent[1].body[0], 260 | D3D_TSS_MAGFILTER << 16);
    assert_int_equal(d3d9_device_GetSamplerState(iface, 260, D3DSAMP_MAGFILTER, &value), D3D_OK);
    assert_int_equal(value, 2);
    texture.device = NULL;
    assert_int_equal(d3d9_device_SetTexture(iface, 0, (void *)&texture), D3DERR_INVALIDCALL);
    texture.device = &device.common;
    assert_int_equal(d3d9_device_SetTexture(iface, 0, (void *)&texture), D3D_OK);
    assert_int_equal(d3d9_device_SetTexture(iface, 0, NULL), D3D_OK);
    texture.pool = D3DPOOL_DEFAULT;
    assert_int_equal(d3d9_device_SetTexture(iface, D3DDMAPSAMPLER, (void *)&texture), D3D_OK);
    assert_int_equal(d3d9_device_GetTexture(iface, D3DDMAPSAMPLER, &found), D3D_OK);
    assert_ptr_equal(found, &texture);
    assert_int_equal(d3d9_device_SetTexture(iface, 100, (void *)&texture), D3D_OK);
    assert_int_equal(d3d9_device_GetTexture(iface, 100, &found), D3D_OK);
    assert_null(found);
    device.common.creation.BehaviorFlags |= D3DCREATE_PUREDEVICE;
    assert_int_equal(d3d9_device_GetSamplerState(iface, 0, D3DSAMP_MAGFILTER, &value), D3DERR_INVALIDCALL);
    assert_int_equal(d3d9_device_SetTexture(iface, D3DDMAPSAMPLER, NULL), D3D_OK);
}

static void test_streams(void **unused)
{
    struct rt_buffer buffer = {.handle = 1};
    IDirect3DVertexBuffer9 *found;
    UINT offset, stride, frequency = 0;

    (void)unused;
    make_object(&buffer);
    assert_int_equal(d3d9_device_SetStreamSource(iface, 16, (void *)&buffer, 0, 8), D3DERR_INVALIDCALL);
    assert_int_equal(d3d9_device_SetStreamSource(iface, 3, (void *)&buffer, 4, 32), D3D_OK);
    assert_int_equal(d3d9_device_SetStreamSource(iface, 3, NULL, 0, 0), D3D_OK);
    assert_int_equal(d3d9_device_GetStreamSource(iface, 3, &found, &offset, &stride), D3D_OK);
    assert_true(!found && offset == 4 && stride == 32);
    assert_int_equal(buffer.res.holds, 1);

    static const struct {
        UINT stream, frequency;
        HRESULT hr;
    } cases[] = {
        {1, 0, D3DERR_INVALIDCALL},
        {0, D3DSTREAMSOURCE_INSTANCEDATA | 1, D3DERR_INVALIDCALL},
        {1, D3DSTREAMSOURCE_INSTANCEDATA | D3DSTREAMSOURCE_INDEXEDDATA | 1, D3DERR_INVALIDCALL},
        {16, 1, D3DERR_INVALIDCALL},
        {1, 2, D3D_OK},
        {1, D3DSTREAMSOURCE_INDEXEDDATA, D3D_OK},
        {0, D3DSTREAMSOURCE_INDEXEDDATA | 5, D3D_OK},
        {1, D3DSTREAMSOURCE_INSTANCEDATA, D3D_OK},
    };
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        assert_int_equal(d3d9_device_SetStreamSourceFreq(iface, cases[i].stream, cases[i].frequency), cases[i].hr);
        if (FAILED(cases[i].hr))
            continue;
        assert_int_equal(d3d9_device_GetStreamSourceFreq(iface, cases[i].stream, &frequency), D3D_OK);
        assert_int_equal(frequency, cases[i].frequency);
    }
}

static void test_formats(void **unused)
{
    DWORD fvf = 1;

    (void)unused;
    assert_int_equal(d3d9_device_GetFVF(iface, &fvf), D3D_OK);
    assert_int_equal(fvf, 0);
    assert_int_equal(d3d9_device_SetFVF(iface, D3DFVF_XYZ), D3D_OK);
    assert_int_equal(d3d9_device_SetFVF(iface, 0xdead), D3DERR_INVALIDCALL);
    assert_int_equal(d3d9_device_SetFVF(iface, 0), D3D_OK);
    assert_int_equal(d3d9_device_GetFVF(iface, &fvf), D3D_OK);
    assert_int_equal(fvf, D3DFVF_XYZ);
    assert_int_equal(d3d9_device_SetVertexDeclaration(iface, (void *)&declarations[0]), D3D_OK);
    assert_int_equal(d3d9_current_fvf(&device.common), 0);
}

static void test_constants(void **unused)
{
    static const float values[4][4] = {{1}, {2}, {3}, {4}};
    float back_values[4] = {0};

    (void)unused;
    assert_int_equal(d3d9_device_SetVertexShaderConstantF(iface, 255, values[1], 1), D3D_OK);
    assert_int_equal(d3d9_device_SetVertexShaderConstantF(iface, 256, values[0], 1), D3DERR_INVALIDCALL);
    assert_int_equal(d3d9_device_SetVertexShaderConstantF(iface, 255, values[0], 4), D3DERR_INVALIDCALL);
    assert_int_equal(d3d9_device_SetVertexShaderConstantF(iface, ~0u, values[0], 1), D3DERR_INVALIDCALL);
    assert_int_equal(d3d9_device_SetPixelShaderConstantF(iface, 224, values[0], 1), D3DERR_INVALIDCALL);
    assert_int_equal(d3d9_device_SetPixelShaderConstantB(iface, 15, (const BOOL *)values, 2), D3DERR_INVALIDCALL);
    assert_int_equal(d3d9_device_GetVertexShaderConstantF(iface, 255, back_values, 1), D3D_OK);
    assert_true(back_values[0] == 2.0f);
    rt_state_release(&device.common.pipe.state);
    open_device(D3DCREATE_MIXED_VERTEXPROCESSING);
    assert_int_equal(d3d9_device_SetVertexShaderConstantF(iface, 255, values[0], 4), D3D_OK);
    assert_int_equal(d3d9_device_GetVertexShaderConstantF(iface, 258, back_values, 1), D3D_OK);
    assert_true(back_values[0] == 4.0f);
    assert_int_equal(d3d9_device_SetVertexShaderConstantF(iface, 8192, values[0], 1), D3DERR_INVALIDCALL);
}

static void test_draws(void **unused)
{
    static const float vertices[16] = {0};
    struct rt_buffer buffer = {.handle = 1}, indices = {.handle = 2};
    const struct rt_state *state = &device.common.pipe.state;

    (void)unused;
    make_object(&buffer);
    make_object(&indices);
    assert_int_equal(d3d9_device_SetStreamSource(iface, 0, (void *)&buffer, 0, 16), D3D_OK);
    assert_int_equal(d3d9_device_SetIndices(iface, (void *)&indices), D3D_OK);
    assert_int_equal(d3d9_device_DrawPrimitive(iface, D3DPT_TRIANGLELIST, 0, 1), D3DERR_INVALIDCALL);
    assert_non_null(state->stream[0].buffer);
    assert_int_equal(d3d9_device_DrawPrimitiveUP(iface, D3DPT_TRIANGLELIST, 1, vertices, 16), D3DERR_INVALIDCALL);
    assert_true(!state->stream[0].buffer && state->stream[0].stride == 16 && state->indices);
    assert_int_equal(
        d3d9_device_DrawIndexedPrimitiveUP(iface, D3DPT_TRIANGLELIST, 0, 3, 1, vertices, D3DFMT_INDEX16, vertices, 16),
        D3DERR_INVALIDCALL);
    assert_null(state->indices);
    assert_int_equal(d3d9_device_SetFVF(iface, D3DFVF_XYZ), D3D_OK);
    assert_int_equal(d3d9_device_DrawPrimitiveUP(iface, D3DPT_TRIANGLELIST, 0, vertices, 0), D3DERR_INVALIDCALL);
    assert_int_equal(d3d9_device_DrawPrimitiveUP(iface, D3DPT_TRIANGLELIST, 0, vertices, 16), D3D_OK);
    assert_int_equal(draws, 0);
    assert_int_equal(d3d9_device_DrawPrimitive(iface, D3DPT_TRIANGLELIST, 0, 1), D3D_OK);
    assert_int_equal(d3d9_device_DrawPrimitiveUP(iface, D3DPT_TRIANGLELIST, 1, vertices, 16), D3D_OK);
    assert_int_equal(draws, 2);
}

/* Refused once in hardware mode; a change of the mode tries the shader again. */
static void test_software_shader(void **unused)
{
    struct d3d9_shader *shader = calloc(1, sizeof(*shader));
    BOOL dirty;

    (void)unused;
    rt_state_release(&device.common.pipe.state);
    open_device(D3DCREATE_MIXED_VERTEXPROCESSING);
    make_object(shader);
    shader->needs_software = true;
    assert_int_equal(d3d9_device_SetFVF(iface, D3DFVF_XYZ), D3D_OK);
    assert_int_equal(d3d9_device_SetVertexShader(iface, (void *)shader), D3D_OK);
    assert_int_equal(d3d9_device_DrawPrimitive(iface, D3DPT_POINTLIST, 0, 1), D3DERR_INVALIDCALL);
    assert_int_equal(d3d9_device_DrawPrimitive(iface, D3DPT_POINTLIST, 0, 1), D3D_OK);
    assert_false(device.common.pipe.dirty_vertex_shader);
    assert_int_equal(d3d9_device_SetSoftwareVertexProcessing(iface, TRUE), D3D_OK);
    assert_true(d3d9_device_GetSoftwareVertexProcessing(iface));
    dirty = device.common.pipe.dirty_vertex_shader;
    assert_true(dirty);
    assert_int_equal(d3d9_device_DrawPrimitive(iface, D3DPT_POINTLIST, 0, 1), D3D_OK);
    assert_int_equal(d3d9_device_SetSoftwareVertexProcessing(iface, FALSE), D3D_OK);
    assert_int_equal(d3d9_device_DrawPrimitive(iface, D3DPT_POINTLIST, 0, 1), D3DERR_INVALIDCALL);
    assert_int_equal(d3d9_device_SetVertexShader(iface, NULL), D3D_OK);
    free(shader);
    device.common.creation.BehaviorFlags = D3DCREATE_HARDWARE_VERTEXPROCESSING;
    assert_int_equal(d3d9_device_SetSoftwareVertexProcessing(iface, FALSE), D3D_OK);
    assert_int_equal(d3d9_device_SetSoftwareVertexProcessing(iface, TRUE), D3DERR_INVALIDCALL);
    device.common.creation.BehaviorFlags = D3DCREATE_SOFTWARE_VERTEXPROCESSING;
    assert_int_equal(d3d9_device_SetSoftwareVertexProcessing(iface, FALSE), D3DERR_INVALIDCALL);
    assert_true(d3d9_device_GetSoftwareVertexProcessing(iface));
}

static void test_processing(void **unused)
{
    struct rt_buffer buffer = {.desc = {.fvf = D3DFVF_XYZRHW | D3DFVF_DIFFUSE}};
    IDirect3DVertexBuffer9 *to = (void *)&buffer;

    (void)unused;
    make_object(&buffer);
    assert_int_equal(d3d9_device_ProcessVertices(iface, 0, 0, 1, to, NULL, 0), D3DERR_INVALIDCALL);
    assert_int_equal(d3d9_device_SetVertexDeclaration(iface, (void *)&declarations[0]), D3D_OK);
    assert_int_equal(d3d9_device_ProcessVertices(iface, 0, 0, 1, to, NULL, 0), D3D_OK);
    assert_int_equal(processed_fvf, D3DFVF_XYZRHW | D3DFVF_DIFFUSE);
    declarations[1].fvf = D3DFVF_XYZRHW;
    assert_int_equal(d3d9_device_ProcessVertices(iface, 0, 0, 1, to, (void *)&declarations[1], 1), D3D_OK);
    assert_int_equal(processed_fvf, D3DFVF_XYZRHW);
    assert_int_equal(processed_flags, 1);
    assert_int_equal(d3d9_device_ProcessVertices(iface, 0, 0, 1, NULL, NULL, 0), D3DERR_INVALIDCALL);
}

static void test_blocks(void **unused)
{
    IDirect3DStateBlock9 *block = NULL, *other = NULL;
    const uint32_t *render = device.common.pipe.state.render;

    (void)unused;
    assert_int_equal(d3d9_device_EndStateBlock(iface, &block), D3DERR_INVALIDCALL);
    assert_int_equal(d3d9_device_CreateStateBlock(iface, 0, &block), D3DERR_INVALIDCALL);
    assert_null(block);
    assert_int_equal(d3d9_device_CreateStateBlock(iface, D3DSBT_ALL, &block), D3D_OK);
    assert_int_equal(d3d9_device_BeginStateBlock(iface), D3D_OK);
    assert_int_equal(d3d9_device_BeginStateBlock(iface), D3DERR_INVALIDCALL);
    assert_int_equal(d3d9_device_CreateStateBlock(iface, D3DSBT_ALL, &other), D3DERR_INVALIDCALL);
    assert_int_equal(stateblock_Capture(block), D3DERR_INVALIDCALL);
    assert_int_equal(stateblock_Apply(block), D3DERR_INVALIDCALL);
    assert_int_equal(d3d9_device_SetRenderState(iface, D3DRS_LIGHTING, FALSE), D3D_OK);
    assert_int_equal(d3d9_device_SetVertexDeclaration(iface, (void *)&declarations[0]), D3D_OK);
    assert_int_equal(declarations[0].res.holds, 2);
    assert_int_equal(d3d9_device_EndStateBlock(iface, &other), D3D_OK);
    assert_int_equal(render[D3DRS_LIGHTING], TRUE);
    assert_int_equal(stateblock_Apply(other), D3D_OK);
    assert_int_equal(render[D3DRS_LIGHTING], FALSE);
    assert_ptr_equal(device.common.pipe.state.declaration, &declarations[0].res);
    assert_int_equal(stateblock_Apply(block), D3D_OK);
    assert_int_equal(render[D3DRS_LIGHTING], TRUE);
    rt_object_Release(block);
    rt_object_Release(other);
    assert_int_equal(declarations[0].res.holds, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_targets, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_render_states, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stages, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_streams, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_formats, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_constants, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_draws, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_software_shader, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_processing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_blocks, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
