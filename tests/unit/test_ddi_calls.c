/* SPDX-License-Identifier: MIT */
/*
 * Through the driver interface: queued presentation, locks that discard, answers of queries in the command buffer, tokens
 * over surfaces with levels, and ten thousand rounds of creating and destroying everything.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/client.h"
#include "client/umd/bridge.h"
#include "dp2/dp2.h"
#include "hal/driver.h"
#include "hal/resource/copy/present.h"
#include "hal/resource/surface.h"

#define SIZE 64

struct scene {
    struct client_driver driver;
    struct client *client;
    struct client_chain *target, *depth, *commands;
    uintptr_t context;
    uint8_t bytes[4096];
    struct dp2_builder builder;
};

static struct client_chain *create(struct client *client, struct client_chain_desc desc)
{
    struct client_chain *chain;

    assert_int_equal(client_chain_create(client, &desc, &chain), DD_OK);
    return chain;
}

static struct client_chain *picture(struct client *client, uint32_t usage, uint32_t format, unsigned size,
                                    unsigned levels)
{
    return create(client, (struct client_chain_desc){
                              .usage = usage, .format = format, .width = size, .height = size, .levels = levels});
}

static int set_up(void **state)
{
    struct scene *s = calloc(1, sizeof(*s));

    assert_int_equal(client_driver_init(&s->driver, client_umd_or(HalcyonDriverInit, OpenAdapter)), DD_OK);
    s->client = client_create(&s->driver);
    s->target = picture(s->client, CLIENT_TARGET, D3DFMT_X8R8G8B8, SIZE, 1);
    s->depth = picture(s->client, CLIENT_DEPTH, D3DFMT_D24S8, SIZE, 1);
    s->commands = create(s->client, (struct client_chain_desc){.usage = CLIENT_COMMAND_BUFFER, .width = 4096});
    assert_int_equal(client_context_create(s->client, client_part(s->target, 0), client_part(s->depth, 0),
                                           DDI_LEVEL_DX8, &s->context),
                     DD_OK);
    dp2_builder_init(&s->builder, s->bytes, sizeof(s->bytes));
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    struct scene *s = *state;

    client_context_destroy(s->client, s->context);
    client_chain_destroy(s->commands);
    client_chain_destroy(s->depth);
    client_chain_destroy(s->target);
    client_destroy(s->client);
    client_driver_close(&s->driver);
    free(s);
    return 0;
}

static struct hal_surface *hal_of(struct client_chain *chain, unsigned part)
{
    return hal_surface_from_lcl(&client_part(chain, part)->lcl);
}

static void put(struct scene *s, uint8_t token, const void *body, size_t size)
{
    assert_non_null(dp2_put(&s->builder, token, 1, body, size));
}

/* Runs the commands so far; *answer_bytes: dwErrorOffset after success. */
static HRESULT run(struct scene *s, uint32_t *answer_bytes)
{
    struct client_lock lock;
    struct client_draw draw = {
        .context = s->context, .commands = client_part(s->commands, 0), .command_length = (uint32_t)s->builder.length};

    assert_int_equal(client_lock(draw.commands, NULL, DDLOCK_DISCARDCONTENTS, &lock), DD_OK);
    memcpy(lock.bits, s->bytes, s->builder.length);
    assert_int_equal(client_unlock(draw.commands), DD_OK);
    const HRESULT result = client_draw(s->client, &draw);

    if (answer_bytes)
        *answer_bytes = draw.error_offset;
    dp2_builder_init(&s->builder, s->bytes, sizeof(s->bytes));
    return result;
}

static void put_state(struct scene *s, uint32_t number, uint32_t value)
{
    const uint32_t body[2] = {number, value};

    put(s, D3DDP2OP_RENDERSTATE, body, sizeof(body));
}

static uint32_t pixel(struct client_chain *chain, unsigned part, unsigned x, unsigned y)
{
    struct client_surface *surface = client_part(chain, part);
    struct client_lock lock;
    uint32_t value;

    assert_int_equal(client_lock(surface, NULL, DDLOCK_READONLY, &lock), DD_OK);
    memcpy(&value, lock.bits + y * lock.pitch + 4 * x, 4);
    client_unlock(surface);
    return value & 0xffffff;
}

/* --- presentation --------------------------------------------------------------------------- */

#define PRESENT (DDBLT_PRESENTATION | DDBLT_LAST_PRESENTATION | DDBLT_DONOTWAIT)

static DWORD blt_status(struct scene *s, struct client_surface *surface, DWORD flags)
{
    DDHAL_GETBLTSTATUSDATA data = {.lpDDSurface = &surface->lcl, .dwFlags = flags};

    assert_int_equal(s->driver.surface.GetBltStatus(&data), DDHAL_DRIVER_HANDLED);
    return (DWORD)data.ddRVal;
}

/* Three frames of one source are queued, the fourth is refused until one is finished; another source has its own limit
 * of three. */
static void test_three_frames(void **state)
{
    struct scene *s = *state;
    struct client_chain *front = picture(s->client, CLIENT_PRIMARY, D3DFMT_X8R8G8B8, 2 * SIZE, 1);
    struct client_chain *other = picture(s->client, CLIENT_TARGET, D3DFMT_X8R8G8B8, SIZE, 1);
    struct client_surface *to = client_part(front, 0), *from = client_part(s->target, 0);
    struct hal_driver *driver = hal_of(front, 0)->base.driver;

    hal_present_hold(driver, true);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(client_fill(from, NULL, 0x10 + i), DD_OK);
        /* parts of a frame do not count, only its last part does */
        assert_int_equal(client_blt(to, &(RECT){0, 0, 8, 8}, from, NULL, DDBLT_PRESENTATION | DDBLT_DONOTWAIT), DD_OK);
        assert_int_equal(blt_status(s, from, DDGBS_CANBLT), DD_OK);
        assert_int_equal(client_blt(to, NULL, from, NULL, PRESENT), DD_OK);
    }
    assert_int_equal(blt_status(s, from, DDGBS_CANBLT), (DWORD)DDERR_WASSTILLDRAWING);
    assert_int_equal(blt_status(s, to, DDGBS_ISBLTDONE), (DWORD)DDERR_WASSTILLDRAWING);
    assert_int_equal(client_blt(to, NULL, from, NULL, PRESENT), DDERR_WASSTILLDRAWING);
    assert_int_equal(client_blt(to, NULL, client_part(other, 0), NULL, PRESENT), DD_OK);
    assert_int_equal(client_fill(from, NULL, 0xabcdef), DD_OK); /* queued frames have been read already */
    hal_present_hold(driver, false);
    assert_int_equal(pixel(front, 0, 100, 100), 0); /* waits; `other` came last */
    assert_int_equal(blt_status(s, from, DDGBS_CANBLT), DD_OK);
    assert_int_equal(blt_status(s, from, DDGBS_ISBLTDONE), DD_OK);
    assert_int_equal(client_blt(to, NULL, from, NULL, PRESENT), DD_OK);
    assert_int_equal(pixel(front, 0, 100, 100), 0xabcdef);
    client_chain_destroy(other);
    client_chain_destroy(front);
}

/* Queued frames are finished before their surfaces are destroyed; copies are never queued. */
static void test_presentation_ends(void **state)
{
    struct scene *s = *state;
    struct client_chain *front = picture(s->client, CLIENT_PRIMARY, D3DFMT_X8R8G8B8, 2 * SIZE, 1);
    struct client_chain *other = picture(s->client, CLIENT_TARGET, D3DFMT_X8R8G8B8, SIZE, 1);

    for (unsigned i = 0; i < 50; i++)
        assert_int_equal(client_blt(client_part(front, 0), NULL, client_part(other, 0), NULL,
                                    DDBLT_PRESENTATION | DDBLT_LAST_PRESENTATION),
                         DD_OK);
    client_chain_destroy(other);
    assert_int_equal(client_blt(client_part(front, 0), NULL, client_part(s->target, 0), NULL, PRESENT), DD_OK);
    client_chain_destroy(front);
    front = picture(s->client, CLIENT_PRIMARY, D3DFMT_X8R8G8B8, SIZE, 1);
    hal_present_hold(hal_of(front, 0)->base.driver, true);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(client_blt(client_part(front, 0), NULL, client_part(s->target, 0), NULL, PRESENT), DD_OK);
    assert_int_equal(blt_status(s, client_part(front, 0), DDGBS_ISBLTDONE), DD_OK);
    hal_present_hold(hal_of(front, 0)->base.driver, false);
    client_chain_destroy(front);
}

/* --- buffers ------------------------------------------------------------------------------------ */

struct vertex {
    float x, y, z, rhw;
};

static void put_triangle(struct scene *s, uint32_t buffer, unsigned first)
{
    const uint32_t fvf = D3DFVF_XYZRHW, stream[3] = {0, buffer, sizeof(struct vertex)};
    const uint32_t draw[3] = {D3DPT_TRIANGLELIST, first, 1};

    put(s, D3DDP2OP_SETSTREAMSOURCE, stream, sizeof(stream));
    put(s, D3DDP2OP_SETVERTEXSHADER, &fvf, sizeof(fvf));
    put(s, D3DDP2OP_DRAWPRIMITIVE, draw, sizeof(draw));
}

static void write_triangle(struct client_surface *buffer, uint32_t flags, float left)
{
    const struct vertex v[3] = {{left, 0, 0, 1}, {left + 16, 0, 0, 1}, {left, 16, 0, 1}};
    struct client_lock lock;

    assert_int_equal(client_lock(buffer, NULL, flags, &lock), DD_OK);
    assert_ptr_equal(lock.bits, (void *)buffer->gbl.fpVidMem); /* both say where the data is */
    memcpy(lock.bits, v, sizeof(v));
    client_unlock(buffer);
}

/* A discarding lock does not wait, and earlier draws keep their vertices, because the call that draws reads them
 * immediately. So one buffer is enough, and fpVidMem does not change. */
static void test_discard(void **state)
{
    struct scene *s = *state;
    struct client_chain *chain =
        create(s->client, (struct client_chain_desc){.usage = CLIENT_VERTEX_BUFFER | CLIENT_DYNAMIC, .width = 3 * 16});
    struct client_surface *buffer = client_part(chain, 0);

    put_state(s, D3DRS_CULLMODE, D3DCULL_NONE);
    put_state(s, D3DRS_ZENABLE, 0);
    assert_int_equal(client_clear(s->client, s->context, D3DCLEAR_TARGET, 0, 1, 0, NULL, 0), DD_OK);
    write_triangle(buffer, DDLOCK_DISCARDCONTENTS, 0);
    put_triangle(s, client_handle(buffer), 0);
    assert_int_equal(run(s, NULL), DD_OK);
    assert_non_null(hal_of(s->target, 0)->pending); /* not drawn yet */
    write_triangle(buffer, DDLOCK_DISCARDCONTENTS, 32);
    assert_non_null(hal_of(s->target, 0)->pending); /* and the lock did not wait for it */
    put_triangle(s, client_handle(buffer), 0);
    assert_int_equal(run(s, NULL), DD_OK);
    write_triangle(buffer, DDLOCK_NOOVERWRITE, 200);
    assert_non_null(hal_of(s->target, 0)->pending);
    assert_int_equal(pixel(s->target, 0, 1, 1), 0xffffff);
    assert_int_equal(pixel(s->target, 0, 33, 1), 0xffffff);
    assert_int_equal(pixel(s->target, 0, 20, 1), 0);
    client_chain_destroy(chain);
}

/* A runtime of DirectX 7 permits the driver to swap its buffers and asks for sizes of new ones. The driver does
 * neither: the buffers and their addresses stay the same, and the output fields are not written. */
static void test_swap_flags(void **state)
{
    struct scene *s = *state;
    struct client_chain *chain =
        create(s->client, (struct client_chain_desc){.usage = CLIENT_VERTEX_BUFFER, .width = 3 * 16});
    struct client_surface *buffer = client_part(chain, 0), *commands = client_part(s->commands, 0);
    const DDRAWI_DDRAWSURFACE_LCL before[2] = {commands->lcl, buffer->lcl};
    const DDRAWI_DDRAWSURFACE_GBL memory[2] = {commands->gbl, buffer->gbl};
    D3DHAL_DRAWPRIMITIVES2DATA data = {.dwVertexType = D3DFVF_XYZRHW,
                                       .lpDDCommands = &commands->lcl,
                                       .lpDDVertex = &buffer->lcl,
                                       .dwVertexLength = 3,
                                       .dwVertexSize = 16};
    const uint16_t start = 0;
    struct client_lock lock;

    put_state(s, D3DRS_CULLMODE, D3DCULL_NONE);
    put_state(s, D3DRS_ZENABLE, 0);
    put(s, D3DDP2OP_TRIANGLELIST, &start, sizeof(start));
    write_triangle(buffer, 0, 0);
    assert_int_equal(client_lock(commands, NULL, 0, &lock), DD_OK);
    memcpy(lock.bits, s->bytes, s->builder.length);
    client_unlock(commands);
    data.dwhContext = s->context;
    data.dwCommandLength = (DWORD)s->builder.length;
    data.dwFlags = D3DHALDP2_SWAPVERTEXBUFFER | D3DHALDP2_SWAPCOMMANDBUFFER | D3DHALDP2_REQVERTEXBUFSIZE |
                   D3DHALDP2_REQCOMMANDBUFSIZE;
    data.dwReqVertexBufSize = 4711;
    data.dwReqCommandBufSize = 4712;
    assert_int_equal(s->driver.d3d3.DrawPrimitives2(&data), DDHAL_DRIVER_HANDLED);
    assert_int_equal(data.ddrval, DD_OK);
    assert_int_equal(data.dwErrorOffset, 0);
    assert_memory_equal(&commands->lcl, &before[0], sizeof(before[0]));
    assert_memory_equal(&buffer->lcl, &before[1], sizeof(before[1]));
    assert_memory_equal(&commands->gbl, &memory[0], sizeof(memory[0]));
    assert_memory_equal(&buffer->gbl, &memory[1], sizeof(memory[1]));
    assert_ptr_equal(data.lpDDCommands, &commands->lcl);
    assert_ptr_equal(data.lpDDVertex, &buffer->lcl);
    assert_int_equal(data.dwReqVertexBufSize, 4711);
    assert_int_equal(data.dwReqCommandBufSize, 4712);
    assert_int_equal(pixel(s->target, 0, 1, 1), 0xffffff);
    client_chain_destroy(chain);
}

/* The runtime takes NOTHANDLED as permission to allocate memory itself, so a refusal counts as an answer. */
static void test_refused_buffers(void **state)
{
    struct scene *s = *state;
    struct client_chain *chain =
        create(s->client, (struct client_chain_desc){.usage = CLIENT_VERTEX_BUFFER, .width = 16});
    struct client_surface copy = *client_part(chain, 0);
    DDRAWI_DDRAWSURFACE_LCL *list[1] = {&copy.lcl};
    DDHAL_CREATESURFACEDATA data = {.lplpSList = list, .dwSCnt = 1};

    copy.lcl.lpGbl = &copy.gbl;
    copy.lcl.lpSurfMore = &copy.more;
    copy.lcl.dwReserved1 = 0;
    copy.gbl.dwLinearSize = 0;
    assert_int_equal(s->driver.buffer.CreateExecuteBuffer(&data), DDHAL_DRIVER_HANDLED);
    assert_true(FAILED(data.ddRVal));
    copy.gbl.dwLinearSize = 0xffffffff;
    assert_int_equal(s->driver.buffer.CreateExecuteBuffer(&data), DDHAL_DRIVER_HANDLED);
    assert_true(FAILED(data.ddRVal));
    client_chain_destroy(chain);
}

/* --- queries -------------------------------------------------------------------------------------- */

static void test_answers_in_the_buffer(void **state)
{
    struct scene *s = *state;
    const uint32_t query[2] = {7, 8}, issue[2] = {7, 1};
    struct client_lock lock;
    uint32_t bytes;

    put(s, D3DDP2OP_CREATEQUERY, query, sizeof(query));
    assert_int_equal(run(s, &bytes), DD_OK);
    assert_int_equal(bytes, 0);
    put(s, D3DDP2OP_ISSUEQUERY, issue, sizeof(issue));
    assert_int_equal(run(s, &bytes), DD_OK);
    assert_int_equal(bytes, 20);
    assert_int_equal(client_lock(client_part(s->commands, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
    const uint32_t expected[5] = {D3DDP2OP_RESPONSEQUERY | 1 << 16, 20, 7, 4, 1};
    assert_memory_equal(lock.bits, expected, sizeof(expected));
    client_unlock(client_part(s->commands, 0));
    assert_int_equal(run(s, &bytes), DD_OK); /* an empty buffer is legal */
    assert_int_equal(bytes, 0);
}

static void test_driver_state(void **state)
{
    struct scene *s = *state;
    uint32_t cache[4] = {0};
    DDHAL_GETDRIVERSTATEDATA data = {.dwFlags = 4, .lpdwStates = (LPDWORD)cache, .dwLength = sizeof(cache)};

    assert_int_equal(s->driver.misc2.GetDriverState(&data), DDHAL_DRIVER_HANDLED);
    assert_int_equal(data.ddRVal, DD_OK);
    assert_int_equal(cache[0], 0x48434143);
    data.dwLength = sizeof(cache) - 1;
    assert_int_equal(s->driver.misc2.GetDriverState(&data), DDHAL_DRIVER_HANDLED);
    assert_int_equal(data.ddRVal, DDERR_INVALIDPARAMS);
    data.dwFlags = 0x7777;
    s->driver.misc2.GetDriverState(&data);
    assert_int_equal(data.ddRVal, DDERR_CURRENTLYNOTAVAIL);
}

static HRESULT ask(struct scene *s, uint32_t id, void *answer, uint32_t size)
{
    DDHAL_GETDRIVERSTATEDATA data = {.dwFlags = id, .lpdwStates = answer, .dwLength = size};

    data.dwhContext = s->context;
    assert_int_equal(s->driver.misc2.GetDriverState(&data), DDHAL_DRIVER_HANDLED);
    return data.ddRVal;
}

/* Two textures, one of them bound, and the effects of tokens and locks on them. */
static void test_texture_statistics(void **state)
{
    struct scene *s = *state;
    D3DDEVINFO_TEXTUREMANAGER manager, nothing = {0};
    D3DDEVINFO_TEXTURING before, after;
    D3DDEVINFO_RESOURCEMANAGER resources;

    assert_int_equal(ask(s, D3DDEVINFOID_TEXTURING, &before, sizeof(before)), DD_OK);
    struct client_chain *bound = picture(s->client, CLIENT_TEXTURE, D3DFMT_X8R8G8B8, 16, 2);
    struct client_chain *other = picture(s->client, CLIENT_TEXTURE, D3DFMT_X8R8G8B8, 8, 1);
    struct client_chain *source = picture(s->client, CLIENT_TEXTURE | CLIENT_SYSTEM_MEMORY, D3DFMT_X8R8G8B8, 16, 2);
    const uint32_t to = client_handle(client_part(bound, 0)), from = client_handle(client_part(source, 0));
    const uint32_t load[9] = {to, from, 0, 0, 0, 0, 16, 16, 0}, ready[9] = {0, to};
    const uint32_t lod[2] = {to, 1}, priority[2] = {to, 9}, set[2] = {0, to};

    put(s, D3DDP2OP_TEXTURESTAGESTATE, set, sizeof(set));
    put(s, D3DDP2OP_TEXBLT, load, sizeof(load));
    put(s, D3DDP2OP_TEXBLT, ready, sizeof(ready));
    put(s, D3DDP2OP_SETTEXLOD, lod, sizeof(lod));
    put(s, D3DDP2OP_SETPRIORITY, priority, sizeof(priority));
    assert_int_equal(run(s, NULL), DD_OK);
    pixel(other, 0, 0, 0); /* a lock */

    assert_int_equal(ask(s, D3DDEVINFOID_TEXTUREMANAGER, &manager, sizeof(manager)), DD_OK);
    assert_false(manager.bThrashing);
    assert_int_equal(manager.dwTotalManaged, 2);
    assert_true(manager.dwTotalBytes >= 4 * (16 * 16 + 8 * 8 + 8 * 8));
    assert_int_equal(manager.dwNumTexturesUsed, 1);
    assert_int_equal(manager.dwWorkingSet, 1);
    assert_true(manager.dwWorkingSetBytes >= 4 * (16 * 16 + 8 * 8) && manager.dwWorkingSetBytes < manager.dwTotalBytes);
    assert_int_equal(ask(s, D3DDEVINFOID_RESOURCEMANAGER, &resources, sizeof(resources)), DD_OK);
    assert_int_equal(resources.stats[D3DRTYPE_TEXTURE].TotalManaged, 2);
    assert_int_equal(resources.stats[D3DRTYPE_TEXTURE].TotalBytes, manager.dwTotalBytes);
    assert_int_equal(resources.stats[D3DRTYPE_CUBETEXTURE].TotalManaged, 0);
    assert_int_equal(ask(s, D3DDEVINFOID_D3DTEXTUREMANAGER, &manager, sizeof(manager)), DD_OK);
    assert_memory_equal(&manager, &nothing, sizeof(nothing)); /* the runtime's */

    client_chain_destroy(source);
    client_chain_destroy(other);
    assert_int_equal(ask(s, D3DDEVINFOID_TEXTURING, &after, sizeof(after)), DD_OK);
    assert_int_equal(after.dwNumCreates - before.dwNumCreates, 3);
    assert_int_equal(after.dwNumDestroys - before.dwNumDestroys, 1); /* system memory is dropped, not destroyed */
    assert_int_equal(after.dwNumLocks - before.dwNumLocks, 1);
    assert_int_equal(after.dwNumSet, 1);
    assert_int_equal(after.dwNumLoads, 1);
    assert_int_equal(after.dwNumPreLoads, 1);
    assert_true(after.dwApproxBytesLoaded >= 4 * 16 * 16);
    assert_int_equal(after.dwNumSetLODs, 1);
    assert_int_equal(after.dwNumSetPriorities, 1);
    assert_int_equal(ask(s, D3DDEVINFOID_TEXTURING, &after, sizeof(after) - 4), DDERR_INVALIDPARAMS);
    client_chain_destroy(bound);
}

/* --- pixels ------------------------------------------------------------------------------------------ */

static void test_levels(void **state)
{
    struct scene *s = *state;
    struct client_chain *texture = picture(s->client, CLIENT_TEXTURE | CLIENT_TARGET, D3DFMT_X8R8G8B8, SIZE, 4);
    const uint32_t handle = client_handle(client_part(texture, 0));
    const uint32_t fill[6] = {handle, 0, 0, SIZE / 2, SIZE, 0xff204060};
    const uint32_t generate[2] = {handle, 2 /* linear */};
    /* level 1, left half, stretched to the whole target */
    const uint32_t blt[13] = {
        handle, 0,    0,    SIZE / 4, SIZE / 2,     1, client_handle(client_part(s->target, 0)), 0,
        0,      SIZE, SIZE, 0,        DP2BLT_LINEAR};
    const uint32_t bad_level[13] = {handle, 0, 0, 1, 1, 4, handle, 0, 0, 1, 1, 0, 0};
    const uint32_t dirty[5] = {handle, 0, 0, 1, 1}, unknown[5] = {4711};

    put(s, D3DDP2OP_COLORFILL, fill, sizeof(fill));
    put(s, D3DDP2OP_GENERATEMIPSUBLEVELS, generate, sizeof(generate));
    put(s, D3DDP2OP_BLT, blt, sizeof(blt));
    put(s, D3DDP2OP_BLT, bad_level, sizeof(bad_level));
    put(s, D3DDP2OP_ADDDIRTYRECT, dirty, sizeof(dirty));
    put(s, D3DDP2OP_ADDDIRTYRECT, unknown, sizeof(unknown));
    assert_int_equal(run(s, NULL), DD_OK);
    assert_int_equal(pixel(texture, 0, SIZE / 2 - 1, SIZE - 1), 0x204060);
    assert_int_equal(pixel(texture, 0, SIZE / 2, 0), 0);
    assert_int_equal(pixel(texture, 1, 15, 31), 0x204060);
    assert_int_equal(pixel(texture, 3, 3, 7), 0x204060);
    assert_int_equal(pixel(texture, 3, 4, 7), 0);
    assert_int_equal(pixel(s->target, 0, SIZE - 1, 0), 0x204060);
    client_chain_destroy(texture);
}

/* One colour in level 0 gives the same bytes in the generated level. */
static void check_generated(struct scene *s, uint32_t format)
{
    struct client_chain *texture = picture(s->client, CLIENT_TEXTURE | CLIENT_TARGET, format, 8, 2);
    const uint32_t handle = client_handle(client_part(texture, 0));
    const uint32_t fill[6] = {handle, 0, 0, 8, 8, 0xffffffff}, generate[2] = {handle, 2 /* linear */};
    struct client_lock lock;
    uint8_t row[8 * 16];
    size_t bytes;

    put(s, D3DDP2OP_COLORFILL, fill, sizeof(fill));
    put(s, D3DDP2OP_GENERATEMIPSUBLEVELS, generate, sizeof(generate));
    assert_int_equal(run(s, NULL), DD_OK);
    assert_int_equal(client_lock(client_part(texture, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
    bytes = lock.pitch / 2; /* half a row: four texels */
    assert_in_range(bytes, 4, sizeof(row));
    memcpy(row, lock.bits, bytes);
    assert_true(row[0] || row[bytes - 1]);
    client_unlock(client_part(texture, 0));
    assert_int_equal(client_lock(client_part(texture, 1), NULL, DDLOCK_READONLY, &lock), DD_OK);
    for (unsigned y = 0; y < 4; y++)
        if (memcmp(lock.bits + y * lock.pitch, row, bytes))
            fail_msg("format %u: row %u of level 1 is another", (unsigned)format, y);
    client_unlock(client_part(texture, 1));
    client_chain_destroy(texture);
}

/* Every format that can be a texture and a target is reported as able to generate levels; and every such format
 * does. */
static void test_formats_that_make_levels(void **state)
{
    const uint32_t needs = D3DFORMAT_OP_TEXTURE | D3DFORMAT_OP_OFFSCREEN_RENDERTARGET;
    struct scene *s = *state;
    unsigned count = 0;

    for (unsigned i = 0; i < s->driver.format_count; i++) {
        const DDPIXELFORMAT *format = &s->driver.formats[i];
        const bool offers = format->dwOperations & D3DFORMAT_OP_AUTOGENMIPMAP;

        if (format->dwFourCC == MAKEFOURCC('N', 'U', 'L', 'L')) { /* has no pixels */
            assert_false(offers);
            continue;
        }
        if (offers != ((format->dwOperations & needs) == needs))
            fail_msg("format %u: operations %#x", (unsigned)format->dwFourCC, (unsigned)format->dwOperations);
        if (offers)
            check_generated(s, format->dwFourCC);
        count += offers;
    }
    assert_in_range(count, 15, 40);
}

static uint32_t texel(struct client_surface *volume, unsigned x, unsigned y, unsigned z)
{
    struct client_lock lock;
    uint32_t value;

    assert_int_equal(client_lock(volume, NULL, DDLOCK_READONLY, &lock), DD_OK);
    memcpy(&value, lock.bits + z * lock.slice_pitch + y * lock.pitch + 4 * x, 4);
    client_unlock(volume);
    return value;
}

/* Two entries of one token: a box to another place, level by level; and all levels into a chain whose first level is
 * the source's second. A destination of 0 only prepares. */
static void test_volume_blt_token(void **state)
{
    struct scene *s = *state;
    const struct client_chain_desc desc = {.usage = CLIENT_TEXTURE | CLIENT_VOLUME,
                                           .format = D3DFMT_A8R8G8B8,
                                           .width = 8,
                                           .height = 8,
                                           .depth = 8,
                                           .levels = 2};
    struct client_chain_desc half = desc;

    half.width = half.height = half.depth = 4;
    half.levels = 1;
    struct client_chain *from = create(s->client, desc), *to = create(s->client, desc);
    struct client_chain *lower = create(s->client, half);
    const uint32_t source = client_handle(client_part(from, 0));
    /* destination, source, x, y, z, box (left, top, right, bottom, front, back), flags */
    const uint32_t blt[3][12] = {{client_handle(client_part(to, 0)), source, 4, 2, 6, 0, 0, 4, 4, 0, 2, 0},
                                 {client_handle(client_part(lower, 0)), source, 0, 0, 0, 0, 0, 8, 8, 0, 8, 0},
                                 {0, source, 0, 0, 0, 0, 0, 8, 8, 0, 8, 0}};

    assert_int_equal(client_fill(client_part(from, 0), NULL, 0x11111111), DD_OK);
    assert_int_equal(client_fill(client_part(from, 1), NULL, 0x22222222), DD_OK);
    assert_non_null(dp2_put(&s->builder, D3DDP2OP_VOLUMEBLT, 3, blt, sizeof(blt)));
    assert_int_equal(run(s, NULL), DD_OK);
    for (unsigned i = 0; i < 512; i++) {
        const unsigned x = i & 7, y = i >> 3 & 7, z = i >> 6;

        assert_int_equal(texel(client_part(to, 0), x, y, z), x >= 4 && y >= 2 && y < 6 && z >= 6 ? 0x11111111 : 0);
        if (x < 4 && y < 4 && z < 4) {
            assert_int_equal(texel(client_part(to, 1), x, y, z), x >= 2 && y >= 1 && y < 3 && z == 3 ? 0x22222222 : 0);
            assert_int_equal(texel(client_part(lower, 0), x, y, z), 0x22222222);
        }
    }
    client_chain_destroy(lower);
    client_chain_destroy(to);
    client_chain_destroy(from);
}

/* System memory is uploaded unchanged; a stretch is refused. */
static void test_surface_blt(void **state)
{
    struct scene *s = *state;
    struct client_chain *system = picture(s->client, CLIENT_TEXTURE | CLIENT_SYSTEM_MEMORY, D3DFMT_X8R8G8B8, 16, 1);
    const uint32_t from = client_handle(client_part(system, 0)), to = client_handle(client_part(s->target, 0));
    uint32_t blt[13] = {from, 0, 0, 16, 16, 0, to, 8, 8, 24, 24, 0, 0};

    assert_int_equal(client_fill(client_part(system, 0), NULL, 0x00445566), DD_OK);
    put(s, D3DDP2OP_SURFACEBLT, blt, sizeof(blt));
    assert_int_equal(run(s, NULL), DD_OK);
    assert_int_equal(pixel(s->target, 0, 8, 8), 0x445566);
    blt[9] = 40;
    put(s, D3DDP2OP_SURFACEBLT, blt, sizeof(blt));
    assert_int_equal(run(s, NULL), DDERR_NOSTRETCHHW);
    blt[9] = 24;
    blt[10] = 0x7fffffff;
    put(s, D3DDP2OP_SURFACEBLT, blt, sizeof(blt));
    assert_true(FAILED(run(s, NULL)));
    client_chain_destroy(system);
}

/* --- leaks ---------------------------------------------------------------------------------------- */

#define ROUNDS 10000

static void put_patch(struct scene *s, uint32_t handle)
{
    const uint32_t patch[9] = {handle, RTPATCHFLAG_HASINFO, 0, 0, 4, 4, 4, 0, 3};

    put(s, D3DDP2OP_DRAWRECTPATCH, patch, sizeof(patch));
}

/* Objects of the stream, under numbers that are reused and numbers that are not, deleted or left to the context. */
static void put_objects(struct scene *s, uint32_t i)
{
    static const uint32_t shader[] = {3, 12, 0, 0x20000000, 0x40020000, 0xffffffff};
    const uint32_t light[1] = {i & 1023}, create[3] = {D3DHAL_STATESETCREATE, i & 7, 3}, query[2] = {i & 255, 8};
    const uint32_t begin[3] = {D3DHAL_STATESETBEGIN, 50, 0}, end[3] = {D3DHAL_STATESETEND, 50, 0};
    const uint32_t issue[2] = {i & 255, 1}, remove[3] = {D3DHAL_STATESETDELETE, 50, 0};
    const uint32_t declaration[4] = {5 | (i & 255) << 4, 1, 0, 2}, palette[3] = {i & 63, 1u << 16, 0x01020304};

    put(s, D3DDP2OP_CREATEVERTEXSHADER, shader, sizeof(shader));
    put(s, D3DDP2OP_CREATEVERTEXSHADERDECL, declaration, sizeof(declaration));
    put(s, D3DDP2OP_CREATELIGHT, light, sizeof(light));
    put(s, D3DDP2OP_UPDATEPALETTE, palette, sizeof(palette));
    put(s, D3DDP2OP_CREATEQUERY, query, sizeof(query));
    put(s, D3DDP2OP_ISSUEQUERY, issue, sizeof(issue));
    put(s, D3DDP2OP_STATESET, begin, sizeof(begin));
    put_state(s, D3DRS_AMBIENT, i);
    put(s, D3DDP2OP_STATESET, end, sizeof(end));
    put_patch(s, i & 31);
    if (i % 64 == 0)
        put(s, D3DDP2OP_STATESET, create, sizeof(create));
    if (i & 1) {
        put(s, D3DDP2OP_STATESET, remove, sizeof(remove));
        put(s, D3DDP2OP_DELETEVERTEXSHADER, shader, 4);
        put_state(s, D3DRS_DELETERTPATCH, i & 31);
    }
}

static void test_ten_thousand_objects(void **state)
{
    struct scene *s = *state;
    struct client_chain *chain =
        create(s->client, (struct client_chain_desc){.usage = CLIENT_VERTEX_BUFFER, .width = 256});
    const uint32_t stream[3] = {0, client_handle(client_part(chain, 0)), 12}, fvf = D3DFVF_XYZ;

    put(s, D3DDP2OP_SETSTREAMSOURCE, stream, sizeof(stream));
    put(s, D3DDP2OP_SETVERTEXSHADER, &fvf, sizeof(fvf));
    for (uint32_t i = 0; i < ROUNDS; i++) {
        put_objects(s, i);
        assert_int_equal(run(s, NULL), DD_OK);
    }
    client_chain_destroy(chain);
}

static void test_ten_thousand_surfaces(void **state)
{
    struct scene *s = *state;
    const uint32_t before = hal_of(s->target, 0)->base.driver->resource_count;

    for (uint32_t i = 0; i < ROUNDS; i++) {
        struct client_chain *chain;

        if (i % 4 == 3)
            chain = create(s->client, (struct client_chain_desc){.usage = CLIENT_VERTEX_BUFFER, .width = 64 + i % 100});
        else
            chain = picture(s->client, i % 4 ? CLIENT_TEXTURE : CLIENT_TEXTURE | CLIENT_SYSTEM_MEMORY,
                            i & 8 ? D3DFMT_R5G6B5 : D3DFMT_A8R8G8B8, 4 << i % 3, 1 + i % 3);
        client_chain_destroy(chain);
    }
    assert_int_equal(hal_of(s->target, 0)->base.driver->resource_count, before);
}

static void test_ten_thousand_contexts(void **state)
{
    struct scene *s = *state;

    for (uint32_t i = 0; i < ROUNDS; i++) {
        const uintptr_t old = s->context;

        assert_int_equal(client_context_create(s->client, client_part(s->target, 0),
                                               i & 1 ? client_part(s->depth, 0) : NULL, DDI_LEVEL_DX8, &s->context),
                         DD_OK);
        assert_int_equal(client_context_destroy(s->client, old), DD_OK);
        if (i % 16 == 0) {
            put_objects(s, i); /* the context destroys them */
            assert_int_equal(run(s, NULL), DD_OK);
        }
    }
}

#define door_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        door_test(test_three_frames),
        door_test(test_presentation_ends),
        door_test(test_discard),
        door_test(test_answers_in_the_buffer),
        door_test(test_swap_flags),
        door_test(test_volume_blt_token),
        door_test(test_refused_buffers),
        door_test(test_driver_state),
        door_test(test_texture_statistics),
        door_test(test_levels),
        door_test(test_formats_that_make_levels),
        door_test(test_surface_blt),
        door_test(test_ten_thousand_objects),
        door_test(test_ten_thousand_surfaces),
        door_test(test_ten_thousand_contexts),
    };

    setenv("HALCYON_THREADS", "1", 0);
    setenv("HALCYON_LOG_LEVEL", "error", 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
