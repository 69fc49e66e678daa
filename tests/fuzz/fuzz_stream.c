/* SPDX-License-Identifier: MIT */
/*
 * Whole command streams through DrawPrimitives2, into a driver with surfaces of every kind. The input is either a
 * stream as it is (streams of captures are good seeds), or choices from which a stream is made by the token table: each
 * field gets a plausible number, a hostile one, or raw bytes. Between streams other entry points are called. Each input
 * gets a new context, on surfaces whose contents are restored first.
 *
 * Input: byte 0: bits 0-1 mode (0 raw stream, else grammar), bits 2-3 level, bits 4-6 target; byte 1: vertex format.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "client/client.h"
#include "client/umd/bridge.h"
#include "ddi/root.h"
#include "grammar.h"
#include "hal/hal.h"
#include "tests/random.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHAINS     24
#define CALL_WORK  (1u << 30) /* picoseconds: a sanitizer is slow */
#define FIRST_CODE 0x51       /* a handle of shaders: odd */

static struct {
    struct client_driver driver;
    struct client *client;
    struct hal_driver *hal;
    struct client_chain *chain[CHAINS];
    unsigned chains;
    struct client_chain *commands, *implicit;
    struct client_surface *target[8], *depth[8];
    uint8_t vertices[4096]; /* user memory */
} world;

static void require(bool truth)
{
    if (!truth)
        abort();
}

/* --- the world ------------------------------------------------------------------------------ */

static struct client_surface *add(struct client_chain_desc desc)
{
    struct client_chain *chain;

    if (FAILED(client_chain_create(world.client, &desc, &chain)))
        return NULL;
    require(world.chains < CHAINS);
    world.chain[world.chains++] = chain;
    return client_part(chain, 0);
}

static struct client_surface *add_picture(uint32_t usage, uint32_t format, unsigned size, unsigned levels,
                                          unsigned depth, unsigned samples)
{
    return add((struct client_chain_desc){.usage = usage,
                                          .format = format,
                                          .width = size,
                                          .height = size,
                                          .levels = levels,
                                          .depth = depth,
                                          .samples = samples});
}

static void make_surfaces(void)
{
    world.target[0] = add_picture(CLIENT_TARGET, D3DFMT_X8R8G8B8, 64, 1, 0, 0);
    world.depth[0] = add_picture(CLIENT_DEPTH, D3DFMT_D24S8, 64, 1, 0, 0);
    world.target[1] = add_picture(CLIENT_TARGET, D3DFMT_R5G6B5, 48, 1, 0, 0);
    world.depth[1] = add_picture(CLIENT_DEPTH, D3DFMT_D16, 160, 1, 0, 0);
    world.target[2] = add_picture(CLIENT_TARGET, D3DFMT_X8R8G8B8, 64, 1, 0, 4);
    world.depth[2] = add_picture(CLIENT_DEPTH, D3DFMT_D24S8, 64, 1, 0, 4);
    world.target[3] = add_picture(CLIENT_TARGET | CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 32, 3, 0, 0);
    world.target[4] = add_picture(CLIENT_TARGET | CLIENT_TEXTURE, 113 /* A16B16G16R16F */, 64, 1, 0, 0);
    world.target[5] = add_picture(CLIENT_TARGET, D3DFMT_X8R8G8B8, 160, 1, 0, 0); /* of several tiles */
    world.target[6] = world.target[2];
    world.target[7] = world.target[1];
    world.depth[3] = world.depth[4] = world.depth[0];
    add_picture(CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 32, 6, 0, 0);
    add_picture(CLIENT_TEXTURE, D3DFMT_DXT1, 16, 5, 0, 0);
    add_picture(CLIENT_TEXTURE, D3DFMT_P8, 16, 1, 0, 0);
    add_picture(CLIENT_TEXTURE, D3DFMT_V8U8, 16, 2, 0, 0);
    add_picture(CLIENT_TEXTURE | CLIENT_CUBE, D3DFMT_X8R8G8B8, 16, 2, 0, 0);
    add_picture(CLIENT_TEXTURE | CLIENT_VOLUME, D3DFMT_A8R8G8B8, 8, 3, 8, 0);
    add_picture(CLIENT_TEXTURE | CLIENT_SYSTEM_MEMORY, D3DFMT_A8R8G8B8, 32, 6, 0, 0);
    add_picture(CLIENT_TEXTURE | CLIENT_SYSTEM_MEMORY | CLIENT_VOLUME, D3DFMT_A8R8G8B8, 8, 3, 8, 0);
    add((struct client_chain_desc){.usage = CLIENT_VERTEX_BUFFER, .width = 4096});
    add((struct client_chain_desc){.usage = CLIENT_VERTEX_BUFFER, .width = 700});
    add((struct client_chain_desc){.usage = CLIENT_INDEX_BUFFER, .width = 1024});
    add((struct client_chain_desc){.usage = CLIENT_INDEX_BUFFER | CLIENT_SYSTEM_MEMORY, .width = 130});
    add((struct client_chain_desc){
        .usage = CLIENT_PRIMARY, .format = D3DFMT_X8R8G8B8, .width = 80, .height = 60, .back_buffers = 1});
}

static bool open_world(void)
{
    static int state;
    struct client_chain_desc commands = {.usage = CLIENT_COMMAND_BUFFER, .width = COMMAND_BYTES};
    struct client_chain_desc implicit = {.usage = CLIENT_IMPLICIT_BUFFER, .width = 2048};

    if (state)
        return state > 0;
    setenv("HALCYON_THREADS", "1", 1);
    setenv("HALCYON_CPU", "sse2", 1);
    setenv("HALCYON_LOG_LEVEL", "none", 1);
    setenv("HALCYON_CAPTURE", "", 1);
    state = -1;
    if (FAILED(client_driver_init(&world.driver, client_umd_or(HalcyonDriverInit, OpenAdapter))) ||
        !(world.client = client_create(&world.driver)) ||
        FAILED(client_chain_create(world.client, &commands, &world.commands)) ||
        FAILED(client_chain_create(world.client, &implicit, &world.implicit)))
        return false;
    make_surfaces();
    require(world.target[0] && world.depth[0]);
    world.hal = ddi_driver();
    state = 1;
    return true;
}

/* Numbers that draw something: small floats, small indices, mixed bytes. */
static void fill(struct client_surface *surface, unsigned kind)
{
    struct client_lock lock;
    uint32_t seed = kind + 1;

    if (FAILED(client_lock(surface, NULL, 0, &lock)))
        return;
    const size_t bytes = surface->gbl.dwLinearSize;

    for (size_t i = 0; i + 4 <= bytes; i += 4) {
        const uint32_t word = random_next(&seed);
        const uint32_t f = memory_float(i, (float)((int)(word >> 16 & 127) - 32));
        const uint16_t pair[2] = {(uint16_t)(word >> 20 & 31), (uint16_t)(word >> 25 & 31)};

        memcpy(lock.bits + i, kind ? (const void *)pair : (const void *)&f, 4);
    }
    client_unlock(surface);
}

static void reset_world(void)
{
    for (unsigned i = 0; i < world.chains; i++)
        if (world.chain[i]->usage & CLIENT_BUFFER)
            fill(client_part(world.chain[i], 0), (world.chain[i]->usage & CLIENT_INDEX_BUFFER) != 0);
    fill(client_part(world.implicit, 0), 0);
    for (unsigned i = 0; i + 4 <= sizeof(world.vertices); i += 4) {
        const uint32_t f = memory_float(i, (float)((int)(i * 37 % 101) - 20));

        memcpy(world.vertices + i, &f, 4);
    }
}

/* --- playing ---------------------------------------------------------------------------------------- */

static void draw(struct input *in, uintptr_t context, const struct out *out, uint32_t fvf)
{
    struct client_draw call = {.context = context,
                               .commands = client_part(world.commands, 0),
                               .command_length = (uint32_t)out->length,
                               .vertex_type = fvf};
    static DWORD states[256];
    struct client_lock lock;

    if (FAILED(client_lock(call.commands, NULL, DDLOCK_DISCARDCONTENTS, &lock)))
        return;
    memcpy(lock.bits, out->bytes, out->length);
    client_unlock(call.commands);
    if (take_byte(in) & 1) {
        call.user_vertices = world.vertices;
        call.vertex_size = 4 + take_byte(in) % 60;
        call.vertex_count = sizeof(world.vertices) / 64;
    } else {
        call.vertices = client_part(world.implicit, 0);
        call.vertex_offset = take_byte(in);
        call.vertex_count = take_byte(in);
        call.render_states = states;
        call.flags = take_byte(in) & 2;
    }
    world.hal->work_allowed = world.hal->work_done + CALL_WORK;
    const HRESULT result = client_draw(world.client, &call);
    world.hal->work_allowed = HAL_WORK_UNBOUNDED;

    require(SUCCEEDED(result) || call.error_offset <= call.command_length);
    require(call.error_offset <= COMMAND_BYTES);
}

static void other_calls(struct input *in, uintptr_t context)
{
    struct client_surface *surface = client_part(world.chain[take_byte(in) % world.chains], 0);
    struct client_surface *other = client_part(world.chain[take_byte(in) % world.chains], 0);
    const RECT rect = {take_byte(in) % 70, take_byte(in) % 70, take_byte(in) % 70, take_byte(in) % 70};
    struct client_lock lock;
    DWORD passes;

    switch (take_byte(in) % 7) {
    case 0:
        client_clear(world.client, context, take_byte(in) & 7, take_word(in), 0.5f, take_byte(in),
                     (const D3DRECT *)&rect, 1);
        break;
    case 1:
        client_blt(surface, take_byte(in) & 1 ? &rect : NULL, other, NULL,
                   take_byte(in) & 1 ? DDBLT_PRESENTATION | DDBLT_LAST_PRESENTATION : 0);
        break;
    case 2:
        client_validate_stages(world.client, context, &passes);
        break;
    case 3:
        if (SUCCEEDED(
                client_lock(surface, take_byte(in) & 1 ? &rect : NULL, take_byte(in) & 1 ? DDLOCK_READONLY : 0, &lock)))
            client_unlock(surface);
        break;
    case 4:
        client_fill(surface, &rect, take_word(in));
        break;
    case 5:
        client_set_target(world.client, context, world.target[take_byte(in) & 7], world.depth[take_byte(in) & 3]);
        break;
    default:
        client_flip(client_part(world.chain[world.chains - 1], 0), NULL, 0);
        break;
    }
}

static void play(struct input *in, uintptr_t context, uint8_t mode, uint32_t fvf)
{
    static struct out out;

    if ((mode & 3) == 0) {
        out.length = 0;
        put_bytes(&out, in->data + in->at, in->size - in->at);
        in->at = in->size;
        draw(in, context, &out, fvf);
        return;
    }
    for (unsigned commands = 0; in->at < in->size && commands < MAX_COMMANDS;) {
        out.length = 0;
        for (unsigned n = 1 + take_byte(in) % 24; n && in->at < in->size && commands < MAX_COMMANDS; n--, commands++)
            put_command(&out, in);
        const size_t cut = take_byte(in) >= 0xf0 ? take_byte(in) % 16 : 0;

        out.length -= BASE_MIN(out.length, cut); /* truncated */
        draw(in, context, &out, fvf);
        if (take_byte(in) & 1)
            other_calls(in, context);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {.data = data, .size = size};
    uintptr_t context;
    struct client_lock lock;

    if (!open_world())
        return 0;
    const uint8_t mode = take_byte(&in);
    const uint32_t fvf = format_or_handle(take_byte(&in));
    struct client_surface *target = world.target[mode >> 4 & 7];

    reset_world();
    if (!target || FAILED(client_context_create(world.client, target, mode & 0x80 ? NULL : world.depth[mode >> 4 & 3],
                                                DDI_LEVEL_DX7 + (mode >> 2 & 3) % 3, &context)))
        return 0;
    play(&in, context, mode, fvf);
    for (unsigned i = 0; i < 6; i++)
        if (world.target[i] && SUCCEEDED(client_lock(world.target[i], NULL, DDLOCK_READONLY, &lock)))
            client_unlock(world.target[i]);
    require(SUCCEEDED(client_context_destroy(world.client, context)));
    return 0;
}
