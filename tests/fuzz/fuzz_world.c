/* SPDX-License-Identifier: MIT */
/*
 * One input is the life of a driver: surfaces of all kinds and formats come and go, contexts are made on any two of
 * them, and draws, clears, locks, blits, flips, new targets, new announcements and processed vertices follow each other
 * in any order. All of it goes through the driver interface. Nothing that does not exist may be touched (the sanitizers
 * watch), and nothing may be left when the driver is closed.
 *
 * Input: byte 0: bits 0-1: threads minus one; then calls, each a byte that selects it (enum call) and the bytes of its
 * arguments.
 */
#include "d3d/extension.h"
#include "d3d/states.h"
#include "client/client.h"
#include "client/palette.h"
#include "client/umd/bridge.h"
#include "ddi/root.h"
#include "grammar.h"
#include "hal/hal.h"
#include "tests/random.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SLOTS     20
#define CALL_WORK (1u << 30) /* picoseconds: a sanitizer is slow */
#define CONTEXTS  4
#define PALETTES  4
#define CALLS     64 /* of one input */

struct world {
    struct client_driver driver;
    struct client *client;
    struct client_chain *chain[SLOTS], *commands, *implicit;
    uintptr_t context[CONTEXTS];
    struct client_palette *palette[PALETTES]; /* NULL too through the WDDM interface */
    struct hal_driver *hal;
    unsigned threads;
    uint8_t vertices[4096]; /* user memory */
    DWORD states[256];
};

static void require(bool truth)
{
    if (!truth)
        abort();
}

/* --- surfaces ----------------------------------------------------------------------- */

/* clang-format off */
static const uint32_t picture_formats[] = {
    D3DFMT_A8R8G8B8, D3DFMT_X8R8G8B8, D3DFMT_R5G6B5, D3DFMT_A1R5G5B5, D3DFMT_A4R4G4B4, D3DFMT_R8G8B8, D3DFMT_R3G3B2,
    D3DFMT_P8, D3DFMT_A8P8, D3DFMT_L8, D3DFMT_A8L8, D3DFMT_A4L4, D3DFMT_V8U8, D3DFMT_L6V5U5, D3DFMT_X8L8V8U8, D3DFMT_Q8W8V8U8,
    D3DFMT_V16U16, D3DFMT_W11V11U10, D3DFMT_UYVY, D3DFMT_YUY2, D3DFMT_DXT1, D3DFMT_DXT3, D3DFMT_DXT5, D3DFMT_A8, 31, 32, 33, 34,
    36, 81, 110, 111, 112, 113, 114, 115, 116, 117, MAKEFOURCC('A', 'T', 'I', '1'), MAKEFOURCC('A', 'T', 'I', '2'),
    MAKEFOURCC('N', 'U', 'L', 'L'), MAKEFOURCC('I', 'N', 'T', 'Z'), MAKEFOURCC('D', 'F', '2', '4'),
    MAKEFOURCC('H', 'F', 'M', 'M'), MAKEFOURCC('H', 'F', 'R', 'M'), 0x12345678, MAKEFOURCC('Y', 'V', '1', '2'),
    MAKEFOURCC('N', 'V', '1', '2'),
};
/* clang-format on */
static const uint32_t depth_formats[] = {
    D3DFMT_D16,     D3DFMT_D24S8,        D3DFMT_D24X8, D3DFMT_D32, D3DFMT_D15S1,
    D3DFMT_D24X4S4, D3DFMT_D16_LOCKABLE, 82,           83,         MAKEFOURCC('D', 'F', '1', '6')};

/* Sizes that mostly match each other. */
static unsigned side(struct input *in)
{
    const uint8_t c = take_byte(in);

    return c < 0xa0 ? 64 : c < 0xc0 ? 160 : c < 0xf0 ? 1u + c % 80 : 1u + 16u * (c & 15u);
}

static struct client_chain_desc choose_picture(struct input *in)
{
    static const uint32_t usages[] = {
        CLIENT_TARGET,
        CLIENT_TARGET,
        CLIENT_DEPTH,
        CLIENT_DEPTH,
        CLIENT_TEXTURE,
        CLIENT_TEXTURE,
        CLIENT_TARGET | CLIENT_TEXTURE,
        CLIENT_DEPTH | CLIENT_TEXTURE,
        CLIENT_TEXTURE | CLIENT_CUBE,
        CLIENT_TEXTURE | CLIENT_CUBE | CLIENT_TARGET,
        CLIENT_TEXTURE | CLIENT_VOLUME,
        CLIENT_TEXTURE | CLIENT_SYSTEM_MEMORY,
        CLIENT_TEXTURE | CLIENT_CUBE | CLIENT_SYSTEM_MEMORY,
        CLIENT_TEXTURE | CLIENT_VOLUME | CLIENT_SYSTEM_MEMORY,
        CLIENT_TARGET | CLIENT_DEPTH,
        CLIENT_PRIMARY,
        CLIENT_TEXTURE | CLIENT_DYNAMIC,
        CLIENT_TARGET | CLIENT_SYSTEM_MEMORY,
        CLIENT_FLIP,
        CLIENT_FLIP | CLIENT_TEXTURE,
    };
    struct client_chain_desc desc = {.usage = usages[take_byte(in) % ARRAY_COUNT(usages)]};
    const uint8_t format = take_byte(in), shape = take_byte(in);

    desc.format = desc.usage & CLIENT_DEPTH && format < 0xf0 ? depth_formats[format % ARRAY_COUNT(depth_formats)]
                  : format < 0x60                            ? D3DFMT_A8R8G8B8
                                                             : picture_formats[format % ARRAY_COUNT(picture_formats)];
    desc.width = side(in);
    desc.height = shape & 1 ? desc.width : side(in);
    desc.levels = shape & 2 ? 1 : 1u + (shape >> 2) % 8u;
    desc.depth = desc.usage & CLIENT_VOLUME ? 1u + take_byte(in) % 8 : 0;
    /* lightweight MIP maps, some of kinds that cannot be */
    desc.usage |= desc.usage & CLIENT_TEXTURE && shape & 0x40 ? CLIENT_LIGHTWEIGHT : 0;
    desc.back_buffers = desc.usage & CLIENT_FLIPS ? shape >> 6 : 0;
    if (!(desc.usage & CLIENT_TEXTURE) && (shape & 0x30) == 0x30)
        desc.samples = (unsigned[]){2, 4, 8, 16, 1, 3, 0, 0}[take_byte(in) & 7];
    return desc;
}

static struct client_chain_desc choose_buffer(struct input *in)
{
    static const uint32_t usages[] = {CLIENT_VERTEX_BUFFER,
                                      CLIENT_VERTEX_BUFFER,
                                      CLIENT_INDEX_BUFFER,
                                      CLIENT_VERTEX_BUFFER | CLIENT_SYSTEM_MEMORY,
                                      CLIENT_INDEX_BUFFER | CLIENT_SYSTEM_MEMORY,
                                      CLIENT_IMPLICIT_BUFFER};

    return (struct client_chain_desc){.usage = usages[take_byte(in) % ARRAY_COUNT(usages)],
                                      .width = 1u + 8u * take_byte(in)};
}

/* Small floats, small indices. */
static void fill_buffer(struct client_surface *surface, bool indices)
{
    struct client_lock lock;
    uint32_t seed = 1;

    if (!surface || FAILED(client_lock(surface, NULL, 0, &lock)))
        return;
    for (size_t i = 0; i + 4 <= surface->gbl.dwLinearSize; i += 4) {
        const uint32_t word = random_next(&seed);
        const uint32_t f = memory_float(i, (float)((int)(word >> 16 & 31) - 16) / 16.0f);
        const uint16_t pair[2] = {(uint16_t)(word >> 20 & 15), (uint16_t)(word >> 25 & 15)};

        memcpy(lock.bits + i, indices ? (const void *)pair : (const void *)&f, 4);
    }
    client_unlock(surface);
}

/* Contexts need not be told about surfaces that are destroyed: that is the driver's business. */
static void create(struct world *w, struct input *in, bool buffer)
{
    const unsigned slot = take_byte(in) % SLOTS;
    const struct client_chain_desc desc = buffer ? choose_buffer(in) : choose_picture(in);

    client_chain_destroy(w->chain[slot]);
    w->chain[slot] = NULL;
    if (FAILED(client_chain_create(w->client, &desc, &w->chain[slot])))
        w->chain[slot] = NULL;
    else if (buffer)
        fill_buffer(client_part(w->chain[slot], 0), (desc.usage & CLIENT_INDEX_BUFFER) != 0);
}

/* Any part of any chain; sometimes NULL. */
static struct client_surface *choose_part(struct world *w, struct input *in)
{
    const uint8_t c = take_byte(in);
    struct client_chain *chain = w->chain[c % SLOTS];

    return chain ? client_part(chain, c >= 0xc0 ? take_byte(in) % chain->part_count : 0) : NULL;
}

/* --- contexts ----------------------------------------------------------------------- */

static void create_context(struct world *w, struct input *in)
{
    uintptr_t *context = &w->context[take_byte(in) % CONTEXTS];
    struct client_surface *target = choose_part(w, in), *depth = choose_part(w, in);
    const uint32_t level = DDI_LEVEL_DX7 + take_byte(in) % 3;

    if (*context)
        client_context_destroy(w->client, *context);
    *context = 0;
    if (target && FAILED(client_context_create(w->client, target, depth, level, context)))
        *context = 0;
}

static uintptr_t choose_context(struct world *w, struct input *in)
{
    const unsigned first = take_byte(in);

    for (unsigned i = 0; i < CONTEXTS; i++)
        if (w->context[(first + i) % CONTEXTS])
            return w->context[(first + i) % CONTEXTS];
    return 0;
}

static void submit(struct world *w, struct input *in, const struct out *out)
{
    struct client_draw call = {.context = choose_context(w, in),
                               .commands = client_part(w->commands, 0),
                               .command_length = (uint32_t)out->length,
                               .vertex_type = format_or_handle(take_byte(in))};
    const uint8_t how = take_byte(in);
    struct client_lock lock;

    if (!call.context || FAILED(client_lock(call.commands, NULL, DDLOCK_DISCARDCONTENTS, &lock)))
        return;
    memcpy(lock.bits, out->bytes, out->length);
    client_unlock(call.commands);
    if (how & 1) {
        call.user_vertices = w->vertices;
        call.vertex_size = 4 + how % 60;
        call.vertex_count = sizeof(w->vertices) / 64;
    } else {
        call.vertices = client_part(w->implicit, 0);
        call.vertex_offset = how;
        call.vertex_count = how / 4;
        call.render_states = w->states;
        call.flags = how & 2;
    }
    w->hal->work_allowed = w->hal->work_done + CALL_WORK;
    const HRESULT result = client_draw(w->client, &call);
    w->hal->work_allowed = HAL_WORK_UNBOUNDED;

    require(SUCCEEDED(result) || call.error_offset <= call.command_length);
    require(call.error_offset <= COMMAND_BYTES);
}

static void put(struct out *out, uint8_t token, const void *body, size_t size)
{
    const uint8_t header[4] = {token, 0, 1, 0};

    put_bytes(out, header, 4);
    put_bytes(out, body, size);
}

static void draw(struct world *w, struct input *in)
{
    static struct out out;

    out.length = 0;
    for (unsigned n = 1 + take_byte(in) % 16; n && in->at < in->size; n--)
        put_command(&out, in);
    const size_t cut = take_byte(in) >= 0xf8 ? take_byte(in) % 16 : 0;

    out.length -= BASE_MIN(out.length, cut);
    submit(w, in, &out);
}

/* A declaration with any elements, streams for it, and a draw from them, which a sequence of single commands rarely
 * becomes. */
static void draw_declared(struct world *w, struct input *in)
{
    static struct out out;
    const uint32_t handle = 1 + 2 * (take_byte(in) % 4u), count = 1 + take_byte(in) % 12u;
    const uint32_t head[2] = {handle, count + 1}, shade[2] = {D3DRS_LIGHTING, 0},
                   cull[2] = {D3DRS_CULLMODE, D3DCULL_NONE};
    const uint8_t position[8] = {0, 0, 0, 0, 2, 0, 0, 0}, end[8] = {255, 0, 0, 0, 17, 0, 0, 0};
    const uint8_t how = take_byte(in);
    struct client_surface *vertices[2] = {choose_part(w, in), choose_part(w, in)}, *indices = choose_part(w, in);

    out.length = 0;
    put(&out, D3DDP2OP_RENDERSTATE, shade, sizeof(shade));
    put(&out, D3DDP2OP_RENDERSTATE, cull, sizeof(cull));
    put_bytes(&out, (const uint8_t[4]){D3DDP2OP_CREATEVERTEXSHADERDECL, 0, 1, 0}, 4);
    put_bytes(&out, head, sizeof(head));
    put_bytes(&out, position, sizeof(position));
    for (uint32_t n = 1; n < count; n++)
        put_element(&out, in);
    put_bytes(&out, end, sizeof(end));
    put(&out, D3DDP2OP_SETVERTEXSHADERDECL, &handle, 4);
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t stream[3] = {i, vertices[i] ? client_handle(vertices[i]) : 0, take_byte(in) % 96u};

        put(&out, D3DDP2OP_SETSTREAMSOURCE, stream, sizeof(stream));
        if (how & 0x80) {
            const uint32_t frequency[2] = {i, value(in, 'u')};

            put(&out, D3DDP2OP_SETSTREAMSOURCEFREQ, frequency, sizeof(frequency));
        }
    }
    if (how & 0x40) {
        const float segments = 4;
        uint32_t state[2] = {D3DRS_PATCHSEGMENTS};

        memcpy(&state[1], &segments, 4);
        put(&out, D3DDP2OP_RENDERSTATE, state, sizeof(state));
    }
    if ((how & 3) == 0) {
        const uint32_t rect[13] = {take_byte(in) % 5,
                                   3,
                                   0x40800000,
                                   0x40000000,
                                   0x40400000,
                                   0x40000000,
                                   0,
                                   0,
                                   4,
                                   4,
                                   take_byte(in) % 6,
                                   take_byte(in) % 3,
                                   take_byte(in) & 1 ? 3 : 1};

        put(&out, D3DDP2OP_DRAWRECTPATCH, rect, sizeof(rect));
    } else if ((how & 3) == 1) {
        const uint32_t draw_indexed[6] = {1 + take_byte(in) % 6u, 0, 0, 100, take_byte(in) % 8, take_byte(in)};
        const uint32_t bound[2] = {indices ? client_handle(indices) : 0, how & 4 ? 4 : 2};

        put(&out, D3DDP2OP_SETINDICES, bound, sizeof(bound));
        put(&out, D3DDP2OP_DRAWINDEXEDPRIMITIVE, draw_indexed, sizeof(draw_indexed));
    } else {
        const uint32_t plain[3] = {1 + take_byte(in) % 6u, take_byte(in) % 8, take_byte(in)};

        put(&out, D3DDP2OP_DRAWPRIMITIVE, plain, sizeof(plain));
    }
    submit(w, in, &out);
}

/* Any float: mostly a plausible one, sometimes a strange one. */
static uint32_t any_float(struct input *in)
{
    const uint8_t c = take_byte(in);

    return c < 0xa0 ? float_bits(c) : c < 0xf0 ? strange_float(c) : take_word(in);
}

/* Large triangles with depth tests under floats of any kind: whole tiles take other paths than random vertices do. */
static void draw_large(struct world *w, struct input *in)
{
    static const uint16_t floats[] = {
        D3D_RS_SLOPESCALEDEPTHBIAS, D3D_RS_DEPTHBIAS, D3DRS_FOGSTART,        D3DRS_FOGEND,
        D3DRS_FOGDENSITY,           D3DRS_POINTSIZE,  D3D_RS_ADAPTIVETESS_Z, D3D_RS_ADAPTIVETESS_W};
    static const float corners[4][2] = {{-0.5f, -0.5f}, {300, 0}, {250, 300}, {-0.5f, 300}};
    static struct out out;
    const uint32_t format = D3DFVF_XYZRHW | D3DFVF_DIFFUSE, edges = 0;
    const uint8_t how = take_byte(in), which = take_byte(in), odd = take_byte(in);
    const uint32_t states[][2] = {{D3DRS_ZENABLE, how & 1},
                                  {D3DRS_ZFUNC, 1 + (how >> 1 & 7)},
                                  {D3DRS_ZWRITEENABLE, how >> 4 & 1},
                                  {D3DRS_CULLMODE, D3DCULL_NONE},
                                  {D3DRS_FOGENABLE, how >> 5 & 1},
                                  {D3DRS_FOGTABLEMODE, how >> 5 & 3},
                                  {D3D_RS_ADAPTIVETESS_X, which & odd & 0x80 ? EXTENSION_DEPTH_BOUNDS : 0},
                                  {D3DRS_STENCILENABLE, how >> 7}};

    out.length = 0;
    for (unsigned i = 0; i < ARRAY_COUNT(states); i++)
        put(&out, D3DDP2OP_RENDERSTATE, states[i], sizeof(states[i]));
    for (unsigned i = 0; i < ARRAY_COUNT(floats); i++) {
        const uint32_t state[2] = {floats[i], which >> i & 1 ? any_float(in) : 0};

        put(&out, D3DDP2OP_RENDERSTATE, state, sizeof(state));
    }
    put(&out, D3DDP2OP_SETVERTEXSHADER, &format, sizeof(format));
    put_bytes(&out, (const uint8_t[4]){D3DDP2OP_TRIANGLEFAN_IMM, 0, 2, 0}, 4);
    put_bytes(&out, &edges, 4);
    for (unsigned i = 0; i < 4; i++) {
        const float depth = 0.25f * (float)(odd & 3), one = 1;

        put_bytes(&out, corners[i], 8);
        put_bytes(&out, odd >> 2 & 1 ? &(uint32_t){any_float(in)} : (const void *)&depth, 4);
        put_bytes(&out, odd >> 3 & 1 ? &(uint32_t){any_float(in)} : (const void *)&one, 4);
        put_bytes(&out, &(uint32_t){0xff804020u * (i + 1)}, 4);
    }
    submit(w, in, &out);
}

/* --- other calls -------------------------------------------------------------------- */

static RECT choose_rect(struct input *in)
{
    RECT rect = {0, 0, 64, 64};
    const uint8_t c = take_byte(in);

    if (c & 1)
        rect = (RECT){c % 60, take_byte(in) % 60, take_byte(in) % 80, take_byte(in) % 80};
    if (c >= 0xf0)
        rect = (RECT){(LONG)hostile(take_byte(in)), (LONG)hostile(take_byte(in)), (LONG)hostile(take_byte(in)),
                      (LONG)hostile(take_byte(in))};
    return rect;
}

static void lock(struct world *w, struct input *in)
{
    struct client_surface *surface = choose_part(w, in);
    const uint8_t how = take_byte(in);
    const RECT rect = choose_rect(in);
    struct client_lock lock;

    if (!surface ||
        FAILED(client_lock(surface, how & 1 ? &rect : NULL,
                           (how & 2 ? DDLOCK_READONLY : 0u) | (how & 4 ? DDLOCK_DISCARDCONTENTS : 0u), &lock)))
        return;
    if (!(how & 2))
        lock.bits[0] = how;
    if (how < 0xf0) /* else it stays locked */
        client_unlock(surface);
}

static void blt(struct world *w, struct input *in)
{
    struct client_surface *to = choose_part(w, in), *from = choose_part(w, in);
    const uint8_t how = take_byte(in);
    const RECT a = choose_rect(in), b = how & 1 ? a : choose_rect(in);
    RECT clips[3] = {choose_rect(in), choose_rect(in), choose_rect(in)};
    DDHAL_BLTDATA data = {.dwFlags = DDBLT_ROP};

    if (!to || !w->driver.surface.Blt)
        return;
    data.lpDDDestSurface = &to->lcl;
    data.lpDDSrcSurface = from ? &from->lcl : NULL;
    data.rDest = (RECTL){a.left, a.top, a.right, a.bottom};
    data.rSrc = (RECTL){b.left, b.top, b.right, b.bottom};
    data.bltFX.dwROP = how >= 0xf8 ? 0 : SRCCOPY;
    data.bltFX.dwFillColor = how * 0x01010101u;
    if ((how & 14) == 2)
        data.dwFlags |= DDBLT_PRESENTATION | (how & 16 ? DDBLT_LAST_PRESENTATION : 0u);
    if ((how & 14) == 4)
        data.dwFlags = how & 16 ? DDBLT_COLORFILL : DDBLT_DEPTHFILL;
    if (how & 32) {
        data.IsClipped = TRUE;
        data.dwRectCnt = how & 3;
        data.prDestRects = clips;
    }
    if ((how & 14) == 6) {
        const uint8_t effects = take_byte(in);

        data.dwFlags |= effects & 1 ? DDBLT_KEYSRCOVERRIDE : 0;
        data.dwFlags |= effects & 2 ? DDBLT_KEYDESTOVERRIDE : 0;
        data.dwFlags |= effects & 4 ? DDBLT_DDFX : 0;
        data.dwFlags |= effects & 0x40 ? DDBLT_KEYSRC : 0;
        data.dwFlags |= effects & 0x80 ? DDBLT_KEYDEST : 0;
        data.bltFX.dwDDFX = effects >> 2 & 6;
        data.bltFX.dwROP = effects < 0xe0 ? SRCCOPY : effects & 8 ? BLACKNESS : WHITENESS;
    }
    w->driver.surface.Blt(&data);
}

/* Gives system memory another shape or handle, or an invalid handle. The old one is restored: the client's records must
 * be right in the end. */
static void announce(struct world *w, struct input *in)
{
    struct client_surface *surface = choose_part(w, in);
    const uint8_t how = take_byte(in);
    DDHAL_CREATESURFACEEXDATA data = {0};
    DDRAWI_DDRAWSURFACE_GBL was;
    uint32_t number;

    if (!surface)
        return;
    was = surface->gbl;
    number = surface->more.dwSurfaceHandle;
    data.lpDDLcl = surface->more.lpDD_lcl;
    data.lpDDSLcl = &surface->lcl;
    if (surface->lcl.ddsCaps.dwCaps & DDSCAPS_SYSTEMMEMORY && !(surface->usage & CLIENT_BUFFER) && how & 1) {
        surface->gbl.wWidth = BASE_MIN(surface->gbl.wWidth, 1u + how % 64);
        surface->gbl.wHeight = BASE_MIN(surface->gbl.wHeight, 1u + how / 4);
    }
    if (how & 2)
        surface->more.dwSurfaceHandle = how >= 0xf0 ? hostile(how) : how % 48u;
    w->driver.misc2.CreateSurfaceEx(&data);
    surface->gbl = was;
    surface->more.dwSurfaceHandle = number;
    if (how & 4)
        w->driver.misc2.CreateSurfaceEx(&data);
}

static void process(struct world *w, struct input *in)
{
    static uint8_t result[8192];
    struct client_process call = {.context = choose_context(w, in),
                                  .first = value(in, 'u'),
                                  .count = take_byte(in),
                                  .fvf = D3DFVF_XYZRHW | (take_byte(in) & 0xe0u) | (take_byte(in) % 9u) << 8,
                                  .stride = 16u + take_byte(in),
                                  .flags = take_byte(in) & 1,
                                  .vertices = result,
                                  .bytes = sizeof(result)};

    w->hal->work_allowed = w->hal->work_done + CALL_WORK;
    if (call.context)
        client_process_vertices(w->client, &call);
    w->hal->work_allowed = HAL_WORK_UNBOUNDED;
}

static void clear(struct world *w, struct input *in)
{
    const uintptr_t context = choose_context(w, in);
    const RECT rects[2] = {choose_rect(in), choose_rect(in)};
    const uint8_t how = take_byte(in);
    const uint32_t bits = strange_float(how);
    float depth = 0.25f * (float)(how % 6);

    if (how >= 0xe0)
        memcpy(&depth, &bits, 4);
    if (context)
        client_clear(w->client, context, how & 7, how * 0x01020304u, depth, how,
                     how & 8 ? (const D3DRECT *)rects : NULL, how & 8 ? 1u + (how >> 4 & 1) : 0);
}

static void flip(struct world *w, struct input *in)
{
    struct client_chain *chain = w->chain[take_byte(in) % SLOTS];
    struct client_surface *other = choose_part(w, in);

    if (chain && chain->part_count > 1) {
        const uint8_t how = take_byte(in);

        client_flip(client_part(chain, 0), how & 1 ? other : NULL, how & 2 ? HALCYON_FLIP_EXCHANGE : 0);
    }
}

static void set_target(struct world *w, struct input *in)
{
    const uintptr_t context = choose_context(w, in);
    struct client_surface *target = choose_part(w, in), *depth = choose_part(w, in);

    if (context && target)
        client_set_target(w->client, context, target, depth);
}

static void ask(struct world *w, struct input *in)
{
    const uintptr_t context = choose_context(w, in);
    uint32_t total, available;
    HALCYON_WORK work;
    D3DHAL_SCENECAPTUREDATA scene = {.dwhContext = context};
    DWORD passes;

    if (context) {
        client_validate_stages(w->client, context, &passes);
        scene.dwFlag = take_byte(in) & 1 ? D3DHAL_SCENE_CAPTURE_START : D3DHAL_SCENE_CAPTURE_END;
        if (client_get_driver(w->client)->d3d.SceneCapture)
            client_get_driver(w->client)->d3d.SceneCapture(&scene);
        client_work(w->client, context, &work);
    }
    client_available_memory(w->client, &total, &available);
}

static void destroy(struct world *w, struct input *in)
{
    const uint8_t c = take_byte(in);

    if (c < 0xc0) {
        client_chain_destroy(w->chain[c % SLOTS]);
        w->chain[c % SLOTS] = NULL;
    } else if (w->context[c % CONTEXTS]) {
        client_context_destroy(w->client, w->context[c % CONTEXTS]);
        w->context[c % CONTEXTS] = 0;
    }
}

/* A key of the surface; or other memory for it, also of another size and format. */
static void change_surface(struct client_surface *surface, struct input *in)
{
    static uint8_t memory[2][1 << 16];
    const uint8_t how = take_byte(in);
    struct client_memory other = {.bits = memory[how >> 1 & 1],
                                  .pitch = 1024,
                                  .width = 1u + take_byte(in) % 64,
                                  .height = 1u + take_byte(in) % 40,
                                  .format = picture_formats[take_byte(in) % ARRAY_COUNT(picture_formats)]};

    if (!surface || surface->usage & CLIENT_BUFFER)
        return;
    if (how & 1)
        client_set_color_key(surface, how & 4 ? DDCKEY_DESTBLT : DDCKEY_SRCBLT, other.width);
    else
        client_surface_rebind(surface, &other);
}

/* Palettes are made, changed, given to surfaces and destroyed while surfaces have them; fronts are shown. */
static void use_palette(struct world *w, struct input *in)
{
    const uint8_t what = take_byte(in);
    struct client_palette **palette = &w->palette[what % PALETTES];
    struct client_surface *part = choose_part(w, in);
    PALETTEENTRY entries[256];

    if (what & 0x80) {
        change_surface(part, in);
        return;
    }
    for (unsigned i = 0; i < 256; i++)
        entries[i] = (PALETTEENTRY){(BYTE)i, what, (BYTE)~i, 0};
    switch (what >> 4 & 3) {
    case 0:
        client_palette_destroy(*palette);
        *palette = NULL;
        if (what & 0x40)
            client_palette_create(w->client, DDRAWIPAL_256 | (take_byte(in) & 0xf0u) << 4, entries, palette);
        break;
    case 1:
        if (*palette) {
            const unsigned first = take_byte(in), count = take_byte(in);
            const HRESULT result = client_palette_set(*palette, first, count, entries);

            require(SUCCEEDED(result) == (first + count <= 256));
        }
        break;
    case 2:
        if (part)
            client_set_palette(part, what & 0x40 ? *palette : NULL);
        break;
    default:
        if (part)
            client_show(part, NULL);
        break;
    }
}

enum call {
    CALL_SURFACE,
    CALL_BUFFER,
    CALL_CONTEXT,
    CALL_DRAW,
    CALL_DECLARED,
    CALL_CLEAR,
    CALL_LOCK,
    CALL_BLT,
    CALL_FLIP,
    CALL_TARGET,
    CALL_ANNOUNCE,
    CALL_PROCESS,
    CALL_ASK,
    CALL_DESTROY,
    CALL_LARGE,
    CALL_PALETTE,
    CALL_KINDS
};

static void play(struct world *w, struct input *in)
{
    static const uint8_t often[] = {CALL_DRAW,     CALL_DECLARED, CALL_DRAW, CALL_CLEAR,
                                    CALL_DECLARED, CALL_LARGE,    CALL_LOCK, CALL_LARGE};
    const uint8_t c = take_byte(in);

    switch (c < 0xe0 ? c % CALL_KINDS : often[c % ARRAY_COUNT(often)]) {
    case CALL_SURFACE:
        create(w, in, false);
        break;
    case CALL_BUFFER:
        create(w, in, true);
        break;
    case CALL_CONTEXT:
        create_context(w, in);
        break;
    case CALL_DRAW:
        draw(w, in);
        break;
    case CALL_DECLARED:
        draw_declared(w, in);
        break;
    case CALL_LARGE:
        draw_large(w, in);
        break;
    case CALL_CLEAR:
        clear(w, in);
        break;
    case CALL_LOCK:
        lock(w, in);
        break;
    case CALL_BLT:
        blt(w, in);
        break;
    case CALL_FLIP:
        flip(w, in);
        break;
    case CALL_TARGET:
        set_target(w, in);
        break;
    case CALL_ANNOUNCE:
        announce(w, in);
        break;
    case CALL_PROCESS:
        process(w, in);
        break;
    case CALL_PALETTE:
        use_palette(w, in);
        break;
    case CALL_ASK:
        ask(w, in);
        break;
    default:
        destroy(w, in);
        break;
    }
}

/* --- the life ----------------------------------------------------------------------- */

static bool open_world(struct world *w, unsigned threads)
{
    const struct client_chain_desc commands = {.usage = CLIENT_COMMAND_BUFFER, .width = COMMAND_BYTES};
    const struct client_chain_desc implicit = {.usage = CLIENT_IMPLICIT_BUFFER, .width = 2048};

    memset(w, 0, sizeof(*w));
    if (FAILED(client_driver_init(&w->driver, client_umd_or(HalcyonDriverInit, OpenAdapter))) ||
        !(w->client = client_create(&w->driver)))
        return false;
    require(SUCCEEDED(client_chain_create(w->client, &commands, &w->commands)));
    require(SUCCEEDED(client_chain_create(w->client, &implicit, &w->implicit)));
    fill_buffer(client_part(w->implicit, 0), false);
    w->hal = ddi_driver();
    w->hal->threads = threads;
    for (unsigned i = 0; i + 4 <= sizeof(w->vertices); i += 4) {
        const uint32_t f = memory_float(i, (float)((int)(i * 37 % 101) - 20));

        memcpy(w->vertices + i, &f, 4);
    }
    return true;
}

static void close_world(struct world *w)
{
    for (unsigned i = 0; i < CONTEXTS; i++)
        if (w->context[i])
            require(SUCCEEDED(client_context_destroy(w->client, w->context[i])));
    for (unsigned i = 0; i < SLOTS; i++)
        client_chain_destroy(w->chain[i]);
    for (unsigned i = 0; i < PALETTES; i++)
        client_palette_destroy(w->palette[i]);
    client_chain_destroy(w->implicit);
    client_chain_destroy(w->commands);
    client_destroy(w->client);
    require(w->hal->resource_count == 0 && w->hal->contexts == NULL);
    client_driver_close(&w->driver);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct world world;
    struct input in = {.data = data, .size = size};

    setenv("HALCYON_CPU", "sse2", 1);
    setenv("HALCYON_LOG_LEVEL", "none", 1);
    setenv("HALCYON_CAPTURE", "", 1);
    if (!open_world(&world, 1 + take_byte(&in) % 3))
        return 0;
    for (unsigned n = 0; n < CALLS && in.at < in.size; n++)
        play(&world, &in);
    close_world(&world);
    return 0;
}
