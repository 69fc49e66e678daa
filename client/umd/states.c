/* SPDX-License-Identifier: MIT */
/* Tokens of states, lights, targets, clears, palettes and state blocks. Tokens that a stream cannot fail with are never refused. */
#include "client/umd/internal.h"

#include "base/base.h"
#include "d3d/feedback.h"
#include "dp2/fields.h"

#include <stdlib.h>
#include <string.h>

#define STATE_TEXTURE_HANDLE 1 /* D3DRENDERSTATE_TEXTUREHANDLE */
#define STAGE_CONSTANT       32

/* Calls a function of one structure for each entry, which has the same bytes. */
#define PLAIN(name, Function, type)                                           \
    HRESULT name(struct bridge_call *call, const struct dp2_command *command) \
    {                                                                         \
        type args;                                                            \
                                                                              \
        for (unsigned i = 0; i < command->count; i++) {                       \
            memcpy(&args, command->body + i * sizeof(args), sizeof(args));    \
            call->f->pfn##Function(call->device, &args);                      \
        }                                                                     \
        return DD_OK;                                                         \
    }

PLAIN(bridge_viewport, SetViewport, D3DDDIARG_VIEWPORTINFO)
PLAIN(bridge_w_info, UpdateWInfo, D3DDDIARG_WINFO)
PLAIN(bridge_z_range, SetZRange, D3DDDIARG_ZRANGE)
PLAIN(bridge_material, SetMaterial, D3DDDIARG_SETMATERIAL)
PLAIN(bridge_create_light, CreateLight, D3DDDIARG_CREATELIGHT)
PLAIN(bridge_set_transform, SetTransform, D3DDDIARG_SETTRANSFORM)
PLAIN(bridge_multiply_transform, MultiplyTransform, D3DDDIARG_MULTIPLYTRANSFORM)
PLAIN(bridge_clip_plane, SetClipPlane, D3DDDIARG_SETCLIPPLANE)
PLAIN(bridge_scissor, SetScissorRect, RECT)

/* --- render and stage states ------------------------------------------------------------------------------ */

static void set_texture(struct bridge_call *call, uint32_t stage, uint32_t number)
{
    const struct bridge_surface *surface = bridge_named(call->local, number);
    const unsigned place = d3d_sampler_place(stage);
    struct bridge_context *context = call->context;

    if (place == D3D_SAMPLER_PLACES)
        return;
    if (context->recording) {
        context->recording->textures |= 1u << place;
        context->recording->state.texture[place] = number;
    } else {
        context->state.texture[place] = number;
        context->stale_textures &= ~(1u << place);
    }
    if (!surface || !surface->resource ||
        FAILED(call->f->pfnSetTexture(call->device, stage, surface->resource->handle)))
        call->f->pfnSetTexture(call->device, stage, NULL);
}

HRESULT bridge_render_state(struct bridge_call *call, const struct dp2_command *command)
{
    DWORD *told = call->data->dwFlags & D3DHALDP2_EXECUTEBUFFER ? call->data->lpdwRStates : NULL;
    D3DDDIARG_RENDERSTATE args;

    for (unsigned i = 0; i < command->count; i++) {
        memcpy(&args, command->body + i * sizeof(args), sizeof(args));
        if (args.State == STATE_TEXTURE_HANDLE && call->context->level <= DDI_LEVEL_DX7)
            set_texture(call, 0, args.Value);
        else
            call->f->pfnSetRenderState(call->device, &args);
        if (told && args.State < D3DHAL_MAX_RSTATES)
            told[args.State] = args.Value;
    }
    return DD_OK;
}

/* States that the interface has no number for: those of feedback. */
static void put_private(struct bridge_call *call, const D3DHAL_DP2TEXTURESTAGESTATE *entry)
{
    HALCYON_UMD_TOKEN args = {.Token = D3DDP2OP_TEXTURESTAGESTATE, .Bytes = sizeof(*entry), .pEntry = entry};

    if (entry->TSState == D3D_TSS_FEEDBACK)
        args.Surfaces[0] = bridge_place(bridge_named(call->local, entry->dwValue));
    call->f->pfnGetInfo(call->device, HALCYON_DEVINFOID_TOKEN, &args, sizeof(args));
}

HRESULT bridge_stage_state(struct bridge_call *call, const struct dp2_command *command)
{
    D3DHAL_DP2TEXTURESTAGESTATE entry;

    for (unsigned i = 0; i < command->count; i++) {
        memcpy(&entry, command->body + i * sizeof(entry), sizeof(entry));
        if (entry.TSState == D3DTSS_TEXTUREMAP) {
            set_texture(call, entry.wStage, entry.dwValue);
        } else if (entry.TSState <= STAGE_CONSTANT) {
            const D3DDDIARG_TEXTURESTAGESTATE args = {entry.wStage, entry.TSState, entry.dwValue};

            call->f->pfnSetTextureStageState(call->device, &args);
        } else {
            put_private(call, &entry);
        }
    }
    return DD_OK;
}

/* --- lights ------------------------------------------------------------------------------------------------ */

HRESULT bridge_set_light(struct bridge_call *call, const struct dp2_command *command)
{
    struct dp2_entry entry = {0};
    D3DDDIARG_SETLIGHT args;
    D3DDDI_LIGHT light;

    while (dp2_next_entry(command, &entry)) {
        memcpy(&args, entry.head, sizeof(args));
        if (entry.data_size >= sizeof(light))
            memcpy(&light, entry.data, sizeof(light));
        call->f->pfnSetLight(call->device, &args, entry.data_size >= sizeof(light) ? &light : NULL);
    }
    return DD_OK;
}

/* --- targets and clears ------------------------------------------------------------------------------------- */

/* False: the number names no surface. 0: none. */
static bool find_target(struct bridge_call *call, uint32_t number, struct bridge_surface **surface)
{
    *surface = number ? bridge_named(call->local, number) : NULL;
    return *surface || !number;
}

HRESULT bridge_render_target(struct bridge_call *call, const struct dp2_command *command)
{
    struct bridge_surface *target, *depth;
    D3DHAL_DP2SETRENDERTARGET entry;
    HRESULT hr = DD_OK;

    for (unsigned i = 0; SUCCEEDED(hr) && i < command->count; i++) {
        memcpy(&entry, command->body + i * sizeof(entry), sizeof(entry));
        if (!find_target(call, entry.hRenderTarget, &target) || !find_target(call, entry.hZBuffer, &depth))
            return DDERR_INVALIDPARAMS;
        hr = bridge_bind_target(call->context, 0, target);
        if (SUCCEEDED(hr))
            hr = bridge_bind_depth(call->context, depth);
    }
    return hr;
}

HRESULT bridge_render_target2(struct bridge_call *call, const struct dp2_command *command)
{
    struct bridge_surface *target;
    D3DHAL_DP2SETRENDERTARGET2 entry;
    HRESULT hr = DD_OK;

    for (unsigned i = 0; SUCCEEDED(hr) && i < command->count; i++) {
        memcpy(&entry, command->body + i * sizeof(entry), sizeof(entry));
        if (!find_target(call, entry.hRenderTarget, &target) || entry.RTIndex >= BRIDGE_MOST_TARGETS)
            return DDERR_INVALIDPARAMS;
        hr = bridge_bind_target(call->context, entry.RTIndex, target);
    }
    return hr;
}

HRESULT bridge_depth_stencil(struct bridge_call *call, const struct dp2_command *command)
{
    struct bridge_surface *depth;
    D3DHAL_DP2SETDEPTHSTENCIL entry;
    HRESULT hr = DD_OK;

    for (unsigned i = 0; SUCCEEDED(hr) && i < command->count; i++) {
        memcpy(&entry, command->body + i * sizeof(entry), sizeof(entry));
        if (!find_target(call, entry.hZBuffer, &depth))
            return DDERR_INVALIDPARAMS;
        hr = bridge_bind_depth(call->context, depth);
    }
    return hr;
}

HRESULT bridge_token_clear(struct bridge_call *call, const struct dp2_command *command)
{
    D3DDDIARG_CLEAR args;
    RECT rects[64];
    unsigned done = 0;

    memcpy(&args, command->body, sizeof(args));
    do {
        const unsigned some = BASE_MIN(command->count - done, (unsigned)ARRAY_COUNT(rects));

        memcpy(rects, command->body + sizeof(args) + done * sizeof(RECT), some * sizeof(RECT));
        call->f->pfnClear(call->device, &args, some, rects);
        done += some;
    } while (done < command->count);
    return DD_OK;
}

/* --- palettes and priorities --------------------------------------------------------------------------------- */

HRESULT bridge_palette(struct bridge_call *call, const struct dp2_command *command)
{
    D3DHAL_DP2SETPALETTE entry;

    for (unsigned i = 0; i < command->count; i++) {
        memcpy(&entry, command->body + i * sizeof(entry), sizeof(entry));
        const D3DDDIARG_SETPALETTE args = {entry.dwPaletteHandle, entry.dwPaletteFlags,
                                           bridge_place(bridge_named(call->local, entry.dwSurfaceHandle)).hResource};

        call->f->pfnSetPalette(call->device, &args);
    }
    return DD_OK;
}

HRESULT bridge_update_palette(struct bridge_call *call, const struct dp2_command *command)
{
    PALETTEENTRY entries[256];
    struct dp2_entry entry = {0};
    HRESULT hr = DD_OK;

    while (SUCCEEDED(hr) && dp2_next_entry(command, &entry)) {
        D3DHAL_DP2UPDATEPALETTE head;

        memcpy(&head, entry.head, sizeof(head));
        memcpy(entries, entry.data, BASE_MIN(entry.data_size, sizeof(entries)));
        const D3DDDIARG_UPDATEPALETTE args = {head.dwPaletteHandle, head.wStartIndex, head.wNumEntries};

        hr = bridge_result(call->f->pfnUpdatePalette(call->device, &args, entries), DDERR_INVALIDPARAMS);
    }
    return hr;
}

HRESULT bridge_priority(struct bridge_call *call, const struct dp2_command *command)
{
    D3DHAL_DP2SETPRIORITY entry;

    for (unsigned i = 0; i < command->count; i++) {
        memcpy(&entry, command->body + i * sizeof(entry), sizeof(entry));
        const D3DDDIARG_SETPRIORITY args = {bridge_place(bridge_named(call->local, entry.dwDDSurface)).hResource,
                                            entry.dwPriority};

        call->f->pfnSetPriority(call->device, &args);
    }
    return DD_OK;
}

/* --- private tokens --------------------------------------------------------------------------------------------- */

/* Entries that begin with the number of a surface. */
HRESULT bridge_surface_token(struct bridge_call *call, const struct dp2_command *command)
{
    const size_t size = command->info->entry_size;

    for (unsigned i = 0; i < command->count; i++) {
        const uint8_t *entry = command->body + i * size;
        HALCYON_UMD_TOKEN args = {.Token = command->info->number, .Bytes = (UINT)size, .pEntry = entry};

        args.Surfaces[0] = bridge_place(bridge_named(call->local, dp2_read_u32(entry)));
        if (args.Surfaces[0].hResource)
            call->f->pfnGetInfo(call->device, HALCYON_DEVINFOID_TOKEN, &args, sizeof(args));
    }
    return DD_OK;
}

HRESULT bridge_set_feedback(struct bridge_call *call, const struct dp2_command *command)
{
    struct ddi_set_feedback entry;

    for (unsigned i = 0; i < command->count; i++) {
        HALCYON_UMD_TOKEN args = {.Token = DP2OP_SETFEEDBACK, .Bytes = sizeof(entry), .pEntry = &entry};

        memcpy(&entry, command->body + i * sizeof(entry), sizeof(entry));
        args.Surfaces[0] = bridge_place(bridge_named(call->local, entry.texture));
        args.Surfaces[1] = bridge_place(bridge_named(call->local, entry.map));
        if (!args.Surfaces[0].hResource || (entry.map && !args.Surfaces[1].hResource))
            return DDERR_INVALIDPARAMS;
        call->f->pfnGetInfo(call->device, HALCYON_DEVINFOID_TOKEN, &args, sizeof(args));
    }
    return DD_OK;
}

HRESULT bridge_marker(struct bridge_call *call, const struct dp2_command *command)
{
    struct dp2_entry entry = {0};

    while (dp2_next_entry(command, &entry)) {
        HALCYON_UMD_TOKEN args = {.Token = command->info->number, .pEntry = entry.head};

        args.Bytes =
            (UINT)(sizeof(struct dp2_entry_MARKER) + dp2_read_u32(entry.head + DP2_OFFSET(entry_MARKER, text_bytes)));
        if (args.Bytes <= (size_t)(command->body + command->body_size - entry.head))
            call->f->pfnGetInfo(call->device, HALCYON_DEVINFOID_TOKEN, &args, sizeof(args));
    }
    return DD_OK;
}

/* --- state blocks --------------------------------------------------------------------------------------------------- */

static void copy_parts(struct bridge_state *to, const struct bridge_state *from, uint32_t parts, uint32_t textures)
{
    if (parts & BRIDGE_SHADER) {
        to->vertex_shader = from->vertex_shader;
        to->is_declaration = from->is_declaration;
    }
    if (parts & BRIDGE_FUNCTION)
        to->function = from->function;
    if (parts & BRIDGE_INDICES) {
        to->index_number = from->index_number;
        to->index_stride = from->index_stride;
    }
    for (unsigned i = 0; i < D3D_STREAMS; i++)
        if (parts & BRIDGE_STREAM << i)
            to->stream[i] = from->stream[i];
    for (unsigned i = 0; i < D3D_SAMPLER_PLACES; i++)
        if (textures >> i & 1)
            to->texture[i] = from->texture[i];
}

static HRESULT make_block(struct bridge_call *call, D3DDDIARG_STATESET *args, uint32_t number)
{
    struct bridge_context *context = call->context;
    struct bridge_block *old = base_map_take(&context->blocks, number), *block = mem_calloc(1, sizeof(*block));
    HRESULT hr;

    if (old) {
        const D3DDDIARG_STATESET end = {.Operation = D3DHAL_STATESETDELETE, .hStateSet = old->handle};
        D3DDDIARG_STATESET copy = end;

        call->f->pfnStateSet(call->device, &copy);
        free(old);
    }
    if (!block || !base_map_put(&context->blocks, number, block)) {
        free(block);
        return DDERR_OUTOFMEMORY;
    }
    hr = call->f->pfnStateSet(call->device, args);
    if (FAILED(hr)) {
        base_map_take(&context->blocks, number);
        free(block);
        return bridge_result(hr, DDERR_INVALIDPARAMS);
    }
    block->handle = args->hStateSet;
    if (args->Operation == D3DHAL_STATESETBEGIN) {
        context->recording = block;
    } else if (args->StateBlockType != 2) { /* all or vertex states: the vertex shader among them */
        block->parts = BRIDGE_SHADER | BRIDGE_FUNCTION;
        block->state = context->state;
    }
    return DD_OK;
}

/* The block has set in the driver the values that the stream expects, except for shaders in a context of DirectX 8. */
static void after_execute(struct bridge_context *context, const struct bridge_block *block)
{
    copy_parts(&context->state, &block->state, block->parts, block->textures);
    context->stale |= block->parts & (BRIDGE_SHADER | BRIDGE_FUNCTION);
    context->stale_textures &= ~block->textures;
    for (unsigned i = 0; i < D3D_SAMPLER_PLACES; i++)
        if (block->textures >> i & 1)
            context->stale_textures |= 1u << i; /* the number may name another surface by now */
    if (block->parts & BRIDGE_STREAM)
        context->user_vertices = false;
    context->stale |= block->parts & (uint32_t)(BRIDGE_ALL & ~(uint32_t)(BRIDGE_SHADER | BRIDGE_FUNCTION));
}

static HRESULT operate(struct bridge_call *call, uint32_t operation, uint32_t number, uint32_t type)
{
    struct bridge_context *context = call->context;
    struct bridge_block *block = base_map_get(&context->blocks, number);
    D3DDDIARG_STATESET args = {operation, type, block ? block->handle : NULL};
    HRESULT hr;

    if (operation == D3DHAL_STATESETBEGIN || operation == D3DHAL_STATESETCREATE) {
        if (context->recording)
            return DD_OK;
        args.hStateSet = NULL;
        return make_block(call, &args, number);
    }
    if (operation == D3DHAL_STATESETEND)
        block = context->recording;
    if (!block)
        return DD_OK;
    args.hStateSet = block->handle;
    if (operation == D3DHAL_STATESETCAPTURE)
        bridge_settle(context);
    hr = call->f->pfnStateSet(call->device, &args);
    if (FAILED(hr))
        return bridge_result(hr, DDERR_INVALIDPARAMS);
    switch (operation) {
    case D3DHAL_STATESETEND:
        context->recording = NULL;
        break;
    case D3DHAL_STATESETDELETE:
        free(base_map_take(&context->blocks, number));
        break;
    case D3DHAL_STATESETCAPTURE:
        copy_parts(&block->state, &context->state, block->parts, block->textures);
        break;
    case D3DHAL_STATESETEXECUTE:
        after_execute(context, block);
        break;
    default:
        break;
    }
    return DD_OK;
}

HRESULT bridge_state_set(struct bridge_call *call, const struct dp2_command *command)
{
    D3DHAL_DP2STATESET entry;
    HRESULT hr = DD_OK;

    for (unsigned i = 0; SUCCEEDED(hr) && i < command->count; i++) {
        memcpy(&entry, command->body + i * sizeof(entry), sizeof(entry));
        hr = operate(call, entry.dwOperation, entry.dwParam, entry.sbType);
    }
    return hr;
}
