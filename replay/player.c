/* SPDX-License-Identifier: MIT */
/*
 * The player: contexts, draws, blits, frames. Surfaces are in surface.c.
 */
#include "replay/internal.h"

#include "base/base.h"
#include "dp2/fields.h"
#include "dp2/tokens.h"
#include "replay/palette.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PICOSECONDS   UINT64_C(1000000000000) /* in a second */
#define TOO_MUCH_WORK ((HRESULT)0x88760827)   /* D3DERR_DRIVERINTERNALERROR: the HALCYON_ALLOWANCE is used up */

bool player_fail(struct capture_error *error, const struct capture_event *event, const char *format, ...)
{
    va_list args;
    char what[120];

    va_start(args, format);
    vsnprintf(what, sizeof(what), format, args);
    va_end(args);
    error->offset = event->offset;
    error->system = 0;
    snprintf(error->text, sizeof(error->text), "event \"%s\": %s", capture_event_name(event->type), what);
    return false;
}

bool player_no_memory(struct capture_error *error, const struct capture_event *event)
{
    player_fail(error, event, "out of memory");
    error->system = ENOMEM;
    return false;
}

void player_answer(struct player *player, HRESULT hr, const char *call)
{
    if (SUCCEEDED(hr))
        return;
    if (!player->stats.refused++)
        player->stats.first_refused = player->place;
    player->stats.last_refused = (struct player_refusal){.call = call, .answer = hr};
    player->stats.no_memory += hr == DDERR_OUTOFMEMORY || hr == DDERR_OUTOFVIDEOMEMORY;
    player->stats.out_of_memory += hr == DDERR_OUTOFMEMORY;
    player->stats.too_much_work |= hr == TOO_MUCH_WORK;
    log_warn("replay: frame %u, call %u: %s failed with %#x", (unsigned)player->place.frame,
             (unsigned)player->place.call, call, (unsigned)hr);
}

/* --- what it may cost ------------------------------------------------------------------------ */

/* Other drivers do not count their work. */
static void allow_work(struct player *player, uint64_t picoseconds)
{
    HALCYON_ALLOWANCE allowance = {.add = picoseconds};

    if (picoseconds)
        client_allow_work(player->client, &allowance);
}

static void allow_event(struct player *player, const struct capture_event *event)
{
    uint64_t picoseconds;

    if (__builtin_mul_overflow(player->work_limit >> 20, event->size, &picoseconds))
        picoseconds = UINT64_MAX;
    allow_work(player, picoseconds);
}

/* Estimates the cost of all frames from those before this one. */
static bool fail_for_work(const struct player *player, const struct capture_event *event, struct player_place place,
                          struct capture_error *error)
{
    char sufficed[64] = "less than one frame";

    if (place.frame)
        snprintf(sufficed, sizeof(sufficed), "%u %s", (unsigned)place.frame, place.frame > 1 ? "frames" : "frame");
    error->offset = event->offset;
    error->system = 0;
    snprintf(error->text, sizeof(error->text),
             "frame %u, call %u asks for too much work: HALCYON_WORK_LIMIT=%u sufficed for %s (0: no limit)",
             (unsigned)place.frame, (unsigned)place.call, (unsigned)(player->work_limit / PICOSECONDS), sufficed);
    return false;
}

struct player *player_create(const struct client_driver *driver)
{
    struct player *player = mem_calloc(1, sizeof(*player));

    if (!player)
        return NULL;
    player->driver = driver;
    player_palettes_init(player);
    player->client = client_create(driver);
    if (!player->client) {
        free(player);
        return NULL;
    }
    player->work_limit = (uint64_t)config_int("work_limit") * PICOSECONDS;
    allow_work(player, player->work_limit);
    return player;
}

static void destroy_context(struct player *player, struct player_context *context)
{
    D3DHAL_CONTEXTDESTROYDATA data = {.dwhContext = context->handle};

    if (player->driver->d3d.ContextDestroy)
        player->driver->d3d.ContextDestroy(&data);
    free(context);
}

static void destroy_local(struct player *player, struct player_local *local)
{
    DDHAL_DESTROYDDLOCALDATA data = {.pDDLcl = &local->lcl};

    if (player->driver->misc2.DestroyDDLocal)
        player->driver->misc2.DestroyDDLocal(&data);
}

void player_destroy(struct player *player)
{
    if (!player)
        return;
    while (player->contexts) {
        struct player_context *context = player->contexts;
        player->contexts = context->next;
        destroy_context(player, context);
    }
    player_free_feedback(player);
    player_free_surfaces(player);
    player_free_palettes(player);
    while (player->locals) {
        struct player_local *local = player->locals;
        player->locals = local->next;
        destroy_local(player, local);
        free(local);
    }
    client_chain_destroy(player->commands);
    client_destroy(player->client);
    free(player);
}

/* --- contexts ------------------------------------------------------------------------------ */

static struct player_context *player_find_context(const struct player *player, uint32_t recorded)
{
    struct player_context *context = player->contexts;

    while (context && context->recorded != recorded)
        context = context->next;
    return context;
}

static DDRAWI_DDRAWSURFACE_LCL *player_lcl(const struct player *player, uint32_t id)
{
    struct player_surface *surface = player_surface_of(player, id);

    return surface ? &surface->lcl : NULL;
}

/* A surface as the calls of contexts take it: an interface before DirectX 7, an LCL since. NULL: none. */
static void *player_surface_argument(const struct player *player, uint32_t id, uint32_t level,
                                     DDRAWI_DDRAWSURFACE_INT *place)
{
    DDRAWI_DDRAWSURFACE_LCL *lcl = player_lcl(player, id);

    if (!lcl || level >= DDI_LEVEL_DX7)
        return lcl;
    place->lpLcl = lcl;
    return place;
}

static bool play_context(struct player *player, const struct capture_event *event, struct capture_error *error)
{
    const struct capture_context *head = (const void *)event->data;
    struct player_local *local = player_local_of(player, head->local);
    struct player_context *context = mem_calloc(1, sizeof(*context));
    DDRAWI_DDRAWSURFACE_INT interfaces[2] = {0};
    D3DHAL_CONTEXTCREATEDATA data = {0};

    if (!local || !context) {
        free(context);
        return player_no_memory(error, event);
    }
    data.lpDDLcl = &local->lcl;
    data.lpDDS = player_surface_argument(player, head->target, head->level, &interfaces[0]);
    data.lpDDSZ = player_surface_argument(player, head->depth, head->level, &interfaces[1]);
    data.dwPID = head->process;
    data.dwhContext = head->level;
    if (player->driver->d3d.ContextCreate(&data) != DDHAL_DRIVER_HANDLED)
        data.ddrval = DDERR_UNSUPPORTED;
    player_answer(player, data.ddrval, "ContextCreate");
    if (FAILED(data.ddrval)) {
        free(context);
        return true;
    }
    context->recorded = head->context;
    context->level = head->level;
    context->process = head->process;
    context->target = head->target;
    context->depth = head->depth;
    context->handle = data.dwhContext;
    context->local = local;
    context->next = player->contexts;
    player->contexts = context;
    return true;
}

static void player_forget_contexts(struct player *player, uint32_t recorded, bool by_process)
{
    struct player_context **at = &player->contexts;

    while (*at) {
        struct player_context *context = *at;
        if ((by_process ? context->process : context->recorded) != recorded) {
            at = &context->next;
            continue;
        }
        *at = context->next;
        destroy_context(player, context);
    }
}

static bool play_target(struct player *player, const struct capture_event *event)
{
    const struct capture_target *head = (const void *)event->data;
    struct player_context *context = player_find_context(player, head->context);
    DDRAWI_DDRAWSURFACE_INT interfaces[2] = {0};
    D3DHAL_SETRENDERTARGETDATA data = {0};

    if (!context || !player->driver->d3d2.SetRenderTarget)
        return true;
    context->target = head->target;
    context->depth = head->depth;
    data.dwhContext = context->handle;
    data.lpDDS = player_surface_argument(player, head->target, context->level, &interfaces[0]);
    data.lpDDSZ = player_surface_argument(player, head->depth, context->level, &interfaces[1]);
    player->driver->d3d2.SetRenderTarget(&data);
    player_answer(player, data.ddrval, "SetRenderTarget");
    return true;
}

static bool play_scene(struct player *player, const struct capture_event *event)
{
    const uint32_t *head = (const void *)event->data;
    const struct player_context *context = player_find_context(player, head[0]);
    D3DHAL_SCENECAPTUREDATA data = {.dwFlag = head[1]};

    if (context && player->driver->d3d.SceneCapture) {
        data.dwhContext = context->handle;
        player->driver->d3d.SceneCapture(&data);
    }
    return true;
}

static bool play_clear(struct player *player, const struct capture_event *event)
{
    const struct capture_clear *head = (const void *)event->data;
    const struct player_context *context = player_find_context(player, head->context);
    D3DHAL_CLEAR2DATA data = {0};

    if (!context || !player->driver->d3d3.Clear2)
        return true;
    player->last_context = head->context;
    data.dwhContext = context->handle;
    data.dwFlags = head->flags;
    data.dwFillColor = head->color;
    memcpy(&data.dvFillDepth, &head->depth, sizeof(data.dvFillDepth));
    data.dwFillStencil = head->stencil;
    data.dwNumRects = head->rect_count;
    data.lpRects = head->rect_count ? (void *)(head + 1) : NULL;
    player->driver->d3d3.Clear2(&data);
    player_answer(player, data.ddrval, "Clear2");
    return true;
}

/* --- draws ----------------------------------------------------------------------------------- */

static HRESULT reserve_commands(struct player *player, uint32_t bytes)
{
    struct client_chain_desc desc = {.usage = CLIENT_COMMAND_BUFFER, .height = 1};
    HRESULT hr;

    if (player->commands && bytes <= player->command_capacity)
        return DD_OK;
    client_chain_destroy(player->commands);
    player->commands = NULL;
    player->command_capacity = 0;
    desc.width = bytes < 65536 ? 65536 : bytes + bytes / 2;
    hr = client_chain_create(player->client, &desc, &player->commands);
    if (SUCCEEDED(hr))
        player->command_capacity = desc.width;
    return hr;
}

HRESULT player_prepare(struct player *player)
{
    return reserve_commands(player, 0);
}

HRESULT player_put_commands(struct player *player, const uint8_t *commands, uint32_t bytes)
{
    struct client_lock lock;
    HRESULT hr = reserve_commands(player, bytes);

    if (SUCCEEDED(hr))
        hr = client_lock(client_part(player->commands, 0), NULL, 0, &lock);
    if (FAILED(hr))
        return hr;
    if (bytes)
        memcpy(lock.bits, commands, bytes);
    client_unlock(client_part(player->commands, 0));
    return DD_OK;
}

/* Vertices are passed as user memory, even if they were in a buffer; never more of them than the event holds,
 * whatever sizes it claims. */
static void set_vertices(D3DHAL_DRAWPRIMITIVES2DATA *data, const struct capture_draw *head)
{
    const uint8_t *commands = (const uint8_t *)(head + 1);
    const uint32_t share = head->vertex_count ? head->vertex_bytes / head->vertex_count : 0;

    data->dwVertexSize = head->vertex_size;
    if (share == 0)
        return;
    data->dwFlags |= D3DHALDP2_USERMEMVERTICES;
    data->lpVertices = (void *)(commands + ((head->command_bytes + 3) & ~3u));
    data->dwVertexLength = head->vertex_count;
    if (head->vertex_size == 0 || head->vertex_size > share)
        data->dwVertexSize = share;
}

static uint32_t id_of_handle(const struct player *player, uint32_t handle)
{
    for (uint32_t id = 1; handle && id < player->surface_capacity; id++) {
        const struct player_surface *surface = player_surface_of(player, id);
        if (surface && surface->more.dwSurfaceHandle == handle)
            return id;
    }
    return 0;
}

static void follow_targets(const struct player *player, struct player_context *context, const struct capture_draw *head)
{
    const uint32_t size = dp2_fvf_size(head->vertex_type);
    struct dp2_cursor cursor;
    struct dp2_command command;

    dp2_cursor_init(&cursor, head + 1, head->command_bytes, size ? size : head->vertex_size);
    while (dp2_next(&cursor, &command) == DP2_OK) {
        struct dp2_entry entry = {0};
        const uint8_t token = command.info->number;
        if (token != DP2OP_SETRENDERTARGET && token != DP2OP_SETRENDERTARGET2 && token != DP2OP_SETDEPTHSTENCIL)
            continue;
        while (dp2_next_entry(&command, &entry)) {
            if (token == DP2OP_SETRENDERTARGET)
                context->target = id_of_handle(player, DP2_U32(entry.head, entry_SETRENDERTARGET, target));
            else if (token == DP2OP_SETRENDERTARGET2 && DP2_U32(entry.head, entry_SETRENDERTARGET2, index) == 0)
                context->target = id_of_handle(player, DP2_U32(entry.head, entry_SETRENDERTARGET2, target));
            if (token == DP2OP_SETRENDERTARGET)
                context->depth = id_of_handle(player, DP2_U32(entry.head, entry_SETRENDERTARGET, depth));
            else if (token == DP2OP_SETDEPTHSTENCIL)
                context->depth = id_of_handle(player, DP2_U32(entry.head, entry_SETDEPTHSTENCIL, depth));
        }
    }
}

void player_follow_targets(struct player *player)
{
    player->follow_targets = true;
}

void player_targets(const struct player *player, uint32_t *target, uint32_t *depth)
{
    const struct player_context *context = player_find_context(player, player->last_context);

    context = context ? context : player->contexts;
    *target = context ? context->target : 0;
    *depth = context ? context->depth : 0;
}

static bool play_draw(struct player *player, const struct capture_event *event, struct capture_error *error)
{
    const struct capture_draw *head = (const void *)event->data;
    const uint8_t *commands = (const uint8_t *)(head + 1);
    struct player_context *context = player_find_context(player, head->context);
    D3DHAL_DRAWPRIMITIVES2DATA data = {0};
    HRESULT hr;

    if (!context)
        return true;
    player->last_context = head->context;
    if (player->follow_targets)
        follow_targets(player, context, head);
    if (player->feedback)
        player_feedback_before_draw(player, context);
    hr = player_put_commands(player, commands, head->command_bytes);
    if (hr == DDERR_OUTOFMEMORY)
        return player_no_memory(error, event);
    if (FAILED(hr))
        return player_fail(error, event, "no command buffer of %u bytes", (unsigned)head->command_bytes);
    data.dwhContext = context->handle;
    data.dwFlags = head->flags & (D3DHALDP2_EXECUTEBUFFER);
    data.dwVertexType = head->vertex_type;
    data.lpDDCommands = &client_part(player->commands, 0)->lcl;
    data.dwCommandLength = head->command_bytes;
    set_vertices(&data, head);
    data.lpdwRStates = player->render_states;
    player->driver->d3d3.DrawPrimitives2(&data);
    player_answer(player, data.ddrval, "DrawPrimitives2");
    if (FAILED(data.ddrval))
        player->stats.last_refused.offset = data.dwErrorOffset;
    player->stats.draws++;
    player->place.call++;
    player->stats.command_bytes += head->command_bytes;
    player->stats.vertex_bytes += head->vertex_bytes;
    return true;
}

/* --- copies ------------------------------------------------------------------------------------
 */

static RECTL player_rect(const struct capture_rect *rect)
{
    return (RECTL){rect->left, rect->top, rect->right, rect->bottom};
}

static bool play_blt(struct player *player, const struct capture_event *event)
{
    const struct capture_blt *head = (const void *)event->data;
    struct player_surface *destination = player_surface_of(player, head->destination);
    DDHAL_BLTDATA data = {0};

    if (!destination || !player->driver->surface.Blt)
        return true;
    data.lpDD = destination->gbl.lpDD;
    data.lpDDDestSurface = &destination->lcl;
    data.lpDDSrcSurface = player_lcl(player, head->source);
    if (head->source && !data.lpDDSrcSurface)
        return true;
    data.rDest = data.rOrigDest = player_rect(&head->destination_rect);
    data.rSrc = data.rOrigSrc = player_rect(&head->source_rect);
    data.dwFlags = head->flags;
    data.dwROPFlags = head->rop;
    data.bltFX.dwSize = sizeof(data.bltFX);
    data.bltFX.dwROP = head->rop;
    data.bltFX.dwDDFX = head->effects;
    data.bltFX.dwFillColor = head->fill;
    data.bltFX.ddckSrcColorkey.dwColorSpaceLowValue = head->key_low;
    data.bltFX.ddckSrcColorkey.dwColorSpaceHighValue = head->key_high;
    if (head->rect_count) {
        data.IsClipped = TRUE;
        data.dwRectCnt = head->rect_count;
        data.prDestRects = (void *)(head + 1);
    }
    do {
        player->driver->surface.Blt(&data);
    } while (data.ddRVal == DDERR_WASSTILLDRAWING);
    player_answer(player, data.ddRVal, "Blt");
    return true;
}

static bool play_flip(struct player *player, const struct capture_event *event)
{
    const struct capture_flip *head = (const void *)event->data;
    struct player_surface *current = player_surface_of(player, head->current);
    DDHAL_FLIPDATA data = {.dwFlags = head->flags};

    if (!current || !player->driver->surface.Flip)
        return true;
    data.lpDD = current->gbl.lpDD;
    data.lpSurfCurr = &current->lcl;
    data.lpSurfTarg = player_lcl(player, head->target);
    if (!data.lpSurfTarg)
        return true;
    do {
        player->driver->surface.Flip(&data);
    } while (data.ddRVal == DDERR_WASSTILLDRAWING);
    player_answer(player, data.ddRVal, "Flip");
    return true;
}

/* The surface carries its keys as under the runtime; the driver gets those that are set. */
static bool play_color_key(struct player *player, const struct capture_event *event)
{
    const struct capture_color_key *head = (const void *)event->data;
    const bool source = head->kind != CAPTURE_KEY_DESTINATION;
    const DWORD flag = source ? DDRAWISURF_HASCKEYSRCBLT : DDRAWISURF_HASCKEYDESTBLT;
    struct player_surface *surface = player_surface_of(player, head->id);
    DDHAL_SETCOLORKEYDATA data = {.dwFlags = source ? DDCKEY_SRCBLT : DDCKEY_DESTBLT, .ckNew = {head->low, head->high}};

    if (!surface)
        return true;
    *(source ? &surface->lcl.ddckCKSrcBlt : &surface->lcl.ddckCKDestBlt) = data.ckNew;
    surface->lcl.dwFlags = head->set ? surface->lcl.dwFlags | flag : surface->lcl.dwFlags & ~flag;
    if (!head->set || !player->driver->surface.SetColorKey)
        return true;
    data.lpDD = surface->gbl.lpDD;
    data.lpDDSurface = &surface->lcl;
    player->driver->surface.SetColorKey(&data);
    player_answer(player, data.ddRVal, "SetColorKey");
    return true;
}

static bool play_palette(struct player *player, const struct capture_event *event, struct capture_error *error)
{
    const struct capture_palette *head = (const void *)event->data;
    struct player_refusal answer;

    if (!head->palette || head->first > CAPTURE_PALETTE_ENTRIES ||
        head->entry_count > CAPTURE_PALETTE_ENTRIES - head->first)
        return player_fail(error, event, "palette %u has no entries %u+%u", (unsigned)head->palette,
                           (unsigned)head->first, (unsigned)head->entry_count);
    if (!player_change_palette(player, head, &answer))
        return player_no_memory(error, event);
    player_answer(player, answer.answer, answer.call);
    return true;
}

static void play_set_palette(struct player *player, const struct capture_event *event)
{
    const struct capture_set_palette *head = (const void *)event->data;
    struct player_surface *surface = player_surface_of(player, head->id);

    if (surface) /* else the driver has refused to make it */
        player_answer(player, player_set_palette(player, surface, head->palette), "SetPalette");
}

static bool play_event(struct player *player, const struct capture_event *event, struct capture_error *error)
{
    const uint32_t *first = (const void *)event->data;

    switch (event->type) {
    case CAPTURE_SURFACES:
        return player_make_surfaces(player, event, error);
    case CAPTURE_ANNOUNCE:
        return player_announce(player, event, error);
    case CAPTURE_DESTROY:
        return player_unmake_surface(player, event, error);
    case CAPTURE_MEMORY:
        return player_write_memory(player, event, error);
    case CAPTURE_SAMPLES:
        player_write_samples(player, event);
        return true;
    case CAPTURE_BLT:
        return play_blt(player, event);
    case CAPTURE_FLIP:
        return play_flip(player, event);
    case CAPTURE_COLOR_KEY:
        return play_color_key(player, event);
    case CAPTURE_PALETTE:
        return play_palette(player, event, error);
    case CAPTURE_PALETTE_GONE:
        player_drop_palette(player, *first);
        return true;
    case CAPTURE_SET_PALETTE:
        play_set_palette(player, event);
        return true;
    case CAPTURE_CONTEXT:
        return play_context(player, event, error);
    case CAPTURE_CONTEXT_GONE:
        player_forget_contexts(player, *first, false);
        return true;
    case CAPTURE_PROCESS_GONE:
        player_forget_contexts(player, *first, true);
        return true;
    case CAPTURE_TARGET:
        return play_target(player, event);
    case CAPTURE_SCENE:
        return play_scene(player, event);
    case CAPTURE_CLEAR:
        return play_clear(player, event);
    case CAPTURE_DRAW:
        return play_draw(player, event, error);
    case CAPTURE_FRAME: /* the caller shows it */
        player->place = (struct player_place){*first + 1, 0};
        return true;
    default:
        /* local objects live to the end of the replay */
        return true;
    }
}

bool player_play(struct player *player, const struct capture_event *event, struct capture_error *error)
{
    const struct player_place place = player->place;
    bool done;

    player->stats.events++;
    player->stats.too_much_work = false;
    allow_event(player, event);
    done = play_event(player, event, error);
    return done && player->stats.too_much_work ? fail_for_work(player, event, place, error) : done;
}

const struct player_stats *player_get_stats(const struct player *player)
{
    return &player->stats;
}
