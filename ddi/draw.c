/* SPDX-License-Identifier: MIT */
/*
 * DrawPrimitives2: unpacks the call's structure, checks its sizes against the buffers, and passes the stream to hal/
 * (docs/reference/command-stream.md, section 6). Unknown commands go to the runtime's parser if there is one (section 5
 * there).
 */
#include "ddi/call_log.h"
#include "ddi/entry.h"
#include "ddi/record/record.h"
#include "dp2/dp2.h"

/* Maximum bytes of a user-memory vertex: limits reads when the caller gives no size.
 */
#define MAX_VERTEX_BYTES CAPS_MAX_STRIDE

struct span {
    const uint8_t *data;
    size_t bytes;
};

/* The readable bytes of a buffer. A command or vertex buffer in system memory need not have been announced; then the
 * length is taken from the surface itself. */
static struct span buffer_span(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    struct hal_resource *resource = hal_resource_from_lcl(lcl);
    struct span span = {NULL, 0};
    if (resource && resource->owns_memory) {
        span = (struct span){resource->memory, resource->bytes};
    } else if (lcl && lcl->lpGbl) {
        span.data = (const uint8_t *)lcl->lpGbl->fpVidMem;
        span.bytes = lcl->lpGbl->dwLinearSize;
        if (resource) /* the runtime may have moved it */
            hal_resource_refresh(resource);
    }
    if (!span.data)
        span.bytes = 0;
    return span;
}

static HRESULT find_commands(const D3DHAL_DRAWPRIMITIVES2DATA *data, struct hal_execute *execute)
{
    struct span span = buffer_span(data->lpDDCommands);
    if (data->dwCommandOffset > span.bytes || data->dwCommandLength > span.bytes - data->dwCommandOffset) {
        log_warn("DrawPrimitives2: commands %u+%u are not inside their buffer of %zu bytes",
                 (unsigned)data->dwCommandOffset, (unsigned)data->dwCommandLength, span.bytes);
        return DDERR_INVALIDPARAMS;
    }
    execute->commands = span.data + data->dwCommandOffset;
    execute->command_bytes = data->dwCommandLength;
    return DD_OK;
}

/* The runtime vouches for user memory: `dwVertexLength` vertices of the size it names. */
static struct span user_span(const D3DHAL_DRAWPRIMITIVES2DATA *data)
{
    uint64_t size = data->dwVertexSize;
    uint64_t bytes;
    if (!size)
        size = dp2_fvf_size(data->dwVertexType);
    if (!size || size > MAX_VERTEX_BYTES)
        size = MAX_VERTEX_BYTES;
    bytes = data->dwVertexOffset + size * data->dwVertexLength;
    return (struct span){data->lpVertices, bytes > SIZE_MAX / 2 ? 0 : (size_t)bytes};
}

static void find_vertices(const D3DHAL_DRAWPRIMITIVES2DATA *data, struct hal_execute *execute)
{
    struct span span = data->dwFlags & D3DHALDP2_USERMEMVERTICES ? user_span(data) : buffer_span(data->lpDDVertex);
    execute->vertex_count = data->dwVertexLength;
    execute->vertex_type = data->dwVertexType;
    /* Not an error by itself: the stream may draw from its own streams only. */
    if (!span.data || data->dwVertexOffset > span.bytes)
        return;
    execute->vertices = span.data + data->dwVertexOffset;
    execute->vertex_bytes = span.bytes - data->dwVertexOffset;
}

static void record_call(const D3DHAL_DRAWPRIMITIVES2DATA *data, const struct hal_execute *execute)
{
    struct record_draw_call call = {
        .context = (uint32_t)data->dwhContext,
        .flags = data->dwFlags,
        .vertex_type = data->dwVertexType,
        .vertex_size = data->dwVertexSize,
        .vertex_count = data->dwVertexLength,
        .commands = execute->commands,
        .command_bytes = execute->command_bytes,
        .vertices = execute->vertices,
        .vertex_bytes = execute->vertex_bytes,
    };
    RECORD(draw, &call);
}

/* The offset, from the call's first command, at which the runtime's parser wants to continue; false: the parser does
 * not know the command either. */
static bool parse_unknown(const struct hal_execute *execute, uint32_t at, uint32_t *next)
{
    LPVOID command = (LPVOID)(execute->commands + at), returned = NULL;
    const uint8_t *place;
    if (!ddi_root.parse_unknown || FAILED(ddi_root.parse_unknown(command, &returned)))
        return false;
    place = returned;
    if (place <= execute->commands + at || place > execute->commands + execute->command_bytes) {
        log_warn("DrawPrimitives2: the runtime's parser left the command buffer");
        return false;
    }
    *next = (uint32_t)(place - execute->commands);
    return true;
}

static HRESULT draw_run(struct hal_context *context, const struct hal_execute *execute, uint32_t *error)
{
    uint32_t start = 0;
    for (;;) {
        struct hal_execute rest = *execute;
        uint32_t offset = 0;
        HRESULT hr;
        rest.commands += start;
        rest.command_bytes -= start;
        hr = hal_context_execute(context, &rest, &offset);
        if (SUCCEEDED(hr))
            return hr;
        *error = start + offset;
        if (hr != D3DERR_COMMAND_UNPARSED || !parse_unknown(execute, *error, &start))
            return hr;
    }
}

/* Answers of queries overwrite the commands, from the first one of this call to the end of the buffer. */
static uint32_t respond(struct hal_context *context, const D3DHAL_DRAWPRIMITIVES2DATA *data)
{
    struct span span = buffer_span(data->lpDDCommands);
    if (!span.data)
        return 0;
    return (uint32_t)hal_context_respond(context, (uint8_t *)span.data + data->dwCommandOffset,
                                         span.bytes - data->dwCommandOffset);
}

/* *error: where the failing command is, from the start of the command buffer (not of this call's commands); after success:
 * bytes of answers in the command buffer. */
static HRESULT draw_call(LPD3DHAL_DRAWPRIMITIVES2DATA data, uint32_t *error)
{
    struct hal_execute execute = {0};
    struct hal_context *context = NULL;
    HRESULT hr;
    if (ddi_root.driver && data->dwhContext <= UINT32_MAX)
        context = hal_context_find(ddi_root.driver, (uint32_t)data->dwhContext);
    if (!context) {
        log_warn("DrawPrimitives2: no context %#llx", (unsigned long long)data->dwhContext);
        return D3DHAL_CONTEXT_BAD;
    }
    hr = find_commands(data, &execute);
    if (FAILED(hr))
        return hr;
    find_vertices(data, &execute);
    execute.execute_buffer = data->dwFlags & D3DHALDP2_EXECUTEBUFFER;
    if (execute.execute_buffer)
        execute.render_states = (uint32_t *)data->lpdwRStates;
    if (ddi_root.recorder)
        record_call(data, &execute);
    hr = draw_run(context, &execute, error);
    if (SUCCEEDED(hr))
        *error = respond(context, data);
    else
        *error += data->dwCommandOffset;
    return hr;
}

/* Buffers are never swapped: their contents are used up when the call returns. */
DWORD PASCAL ddi_draw_primitives2(LPD3DHAL_DRAWPRIMITIVES2DATA data)
{
    uint32_t error = 0;
    DDI_ENTER();
    data->ddrval = draw_call(data, &error);
    data->dwErrorOffset = error;
    DDI_LOG(data->ddrval, "DrawPrimitives2 context %u, %u bytes of commands, %u vertices, flags %#x",
            (unsigned)data->dwhContext, (unsigned)data->dwCommandLength, (unsigned)data->dwVertexLength,
            (unsigned)data->dwFlags);
    DDI_LEAVE();
    return DDHAL_DRIVER_HANDLED;
}
