/* SPDX-License-Identifier: MIT */
/* IDirect3DDevice8::ProcessVertices: vertices to the screen on the CPU, for programs that keep the
 * result. Transforms positions and carries colours and coordinates over; it does not light. */
#include "dp2/dp2.h"
#include "runtime/d3d8/device_methods.h"

struct layout {
    uint32_t size;
    int diffuse, specular, texture; /* byte offsets; -1: none */
    uint32_t texture_bytes;
};

static void measure(struct layout *l, uint32_t fvf)
{
    uint32_t offset = dp2_fvf_size(fvf & (D3DFVF_POSITION_MASK | D3DFVF_NORMAL | D3DFVF_PSIZE));

    l->size = dp2_fvf_size(fvf);
    l->diffuse = l->specular = l->texture = -1;
    if (fvf & D3DFVF_DIFFUSE) {
        l->diffuse = (int)offset;
        offset += 4;
    }
    if (fvf & D3DFVF_SPECULAR) {
        l->specular = (int)offset;
        offset += 4;
    }
    l->texture_bytes = l->size - offset;
    if (l->texture_bytes)
        l->texture = (int)offset;
}

static void multiply(D3DMATRIX *out, const D3DMATRIX *a, const D3DMATRIX *b)
{
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned j = 0; j < 4; j++)
            out->m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] +
                           a->m[i][2] * b->m[2][j] + a->m[i][3] * b->m[3][j];
    }
}

static void transform(const float *in, const D3DMATRIX *m, const D3DVIEWPORT8 *v, float *out)
{
    float clip[4], rhw;

    for (unsigned j = 0; j < 4; j++)
        clip[j] = in[0] * m->m[0][j] + in[1] * m->m[1][j] + in[2] * m->m[2][j] + m->m[3][j];
    rhw = clip[3] != 0.0f ? 1.0f / clip[3] : 1.0f;
    out[0] = (float)v->X + (1.0f + clip[0] * rhw) * (float)v->Width * 0.5f;
    out[1] = (float)v->Y + (1.0f - clip[1] * rhw) * (float)v->Height * 0.5f;
    out[2] = v->MinZ + clip[2] * rhw * (v->MaxZ - v->MinZ);
    out[3] = rhw;
}

static void process(const struct rt_state *state, const uint8_t *from, const struct layout *in,
                    uint32_t stride, uint8_t *to, const struct layout *out, UINT count)
{
    D3DMATRIX world_view, all;

    multiply(&world_view, &state->transform[RT_TRANSFORM_WORLD0],
             &state->transform[RT_TRANSFORM_VIEW]);
    multiply(&all, &world_view, &state->transform[RT_TRANSFORM_PROJECTION]);
    for (UINT i = 0; i < count; i++, from += stride, to += out->size) {
        uint32_t white = 0xffffffff, black = 0;
        float position[3], screen[4];
        memcpy(position, from, sizeof(position));
        transform(position, &all, &state->viewport, screen);
        memcpy(to, screen, sizeof(screen));
        if (out->diffuse >= 0)
            memcpy(to + out->diffuse, in->diffuse >= 0 ? from + in->diffuse : (uint8_t *)&white, 4);
        if (out->specular >= 0)
            memcpy(to + out->specular, in->specular >= 0 ? from + in->specular : (uint8_t *)&black,
                   4);
        if (out->texture >= 0 && in->texture >= 0)
            memcpy(to + out->texture, from + in->texture,
                   BASE_MIN(in->texture_bytes, out->texture_bytes));
    }
}

static bool range_fits(UINT first, UINT count, uint32_t stride, uint32_t size, UINT length)
{
    return !count || ((uint64_t)first + count - 1) * stride + size <= length;
}

HRESULT WINAPI d3d8_device_ProcessVertices(IDirect3DDevice8 *iface, UINT source_start,
                                           UINT destination_start, UINT count,
                                           IDirect3DVertexBuffer8 *destination, DWORD flags)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    struct d3d8_buffer *to = d3d8_buffer_of(destination), *from;
    const struct rt_stream *stream = &device->pipe.state.stream[0];
    uint32_t fvf = d3d8_vertex_shader_handle(device, device->pipe.state.vertex_shader);
    struct layout in, out;
    struct rt_mapping a, b;
    HRESULT hr;
    RT_LOCK(&device->base);

    (void)flags; /* D3DPV_DONOTCOPYDATA: copying does no harm */
    if (!to || !stream->buffer || (fvf & 1) || (to->fvf & D3DFVF_POSITION_MASK) != D3DFVF_XYZRHW ||
        (fvf & D3DFVF_POSITION_MASK) == D3DFVF_XYZRHW || !(fvf & D3DFVF_POSITION_MASK)) {
        log_once(LOG_WARN, fvf, "ProcessVertices from layout %#x to %#x is not supported", fvf,
                 to ? (unsigned)to->fvf : 0);
        return D3DERR_INVALIDCALL;
    }
    from = D3D8_FROM_RES(d3d8_buffer, stream->buffer);
    measure(&in, fvf);
    measure(&out, to->fvf);
    if (from == to || !range_fits(source_start, count, stream->stride, in.size, from->length) ||
        !range_fits(destination_start, count, out.size, out.size, to->length))
        return D3DERR_INVALIDCALL;
    if (device->pipe.state.render[D3DRS_LIGHTING] && (fvf & D3DFVF_NORMAL))
        log_once(LOG_WARN, 0, "ProcessVertices does not light vertices");
    hr = rt_chain_lock(from->chain, 0, D3DLOCK_READONLY, &a);
    if (FAILED(hr))
        return hr;
    hr = rt_chain_lock(to->chain, 0, 0, &b);
    if (SUCCEEDED(hr)) {
        process(&device->pipe.state, a.bits + (size_t)source_start * stream->stride, &in,
                stream->stride, b.bits + (size_t)destination_start * out.size, &out, count);
        rt_chain_unlock(to->chain, 0);
    }
    rt_chain_unlock(from->chain, 0);
    return hr;
}
