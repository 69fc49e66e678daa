/* SPDX-License-Identifier: MIT */
/*
 * Whole command streams through DrawPrimitives2, into a driver with surfaces of every kind. The input is either a stream
 * as it is (those of captures are good seeds), or choices from which one is made by the token table: each field gets
 * a plausible number, a hostile one, or raw bytes. Between streams other entry points are called. Each input has
 * a context of its own, on surfaces whose contents are put back first.
 *
 * Input: byte 0: bits 0-1 mode (0 raw stream, else grammar), bits 2-3 level, bits 4-6 target; byte 1: vertex format.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ddi/client.h"
#include "dp2/tokens.h"
#include "hal/hal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define COMMAND_BYTES 16384
#define MAX_COMMANDS  96
#define CHAINS        24
#define FIRST_CODE    0x51 /* a handle bit pattern of shaders: odd */

static struct {
    struct client_driver driver;
    struct client *client;
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
    world.depth[1] = add_picture(CLIENT_DEPTH, D3DFMT_D16, 64, 1, 0, 0);
    world.target[2] = add_picture(CLIENT_TARGET, D3DFMT_X8R8G8B8, 64, 1, 0, 4);
    world.depth[2] = add_picture(CLIENT_DEPTH, D3DFMT_D24S8, 64, 1, 0, 4);
    world.target[3] = add_picture(CLIENT_TARGET | CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 32, 3, 0, 0);
    world.target[4] = add_picture(CLIENT_TARGET | CLIENT_TEXTURE, 113 /* A16B16G16R16F */, 64, 1, 0, 0);
    world.target[5] = world.target[0];
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
    if (FAILED(client_driver_init(&world.driver, HalcyonDriverInit)) || !(world.client = client_create(&world.driver)) ||
        FAILED(client_chain_create(world.client, &commands, &world.commands)) ||
        FAILED(client_chain_create(world.client, &implicit, &world.implicit)))
        return false;
    make_surfaces();
    require(world.target[0] && world.depth[0]);
    struct hal_driver *driver = hal_surface_from_lcl(&world.target[0]->lcl)->driver;
    driver->work_per_call = 1 << 21; /* a sanitizer is slow */
    driver->work_per_byte = 16;
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
        const float f = (float)((int)(seed >> 16 & 127) - 32);
        const uint16_t pair[2] = {(uint16_t)(seed >> 20 & 31), (uint16_t)(seed >> 25 & 31)};

        memcpy(lock.bits + i, kind ? (const void *)pair : (const void *)&f, 4);
        seed = seed * 1664525 + 1013904223;
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
        const float f = (float)((int)(i * 37 % 101) - 20);

        memcpy(world.vertices + i, &f, 4);
    }
}

/* --- choices --------------------------------------------------------------------------------- */

struct input {
    const uint8_t *data;
    size_t size, at;
};

static uint8_t take_byte(struct input *in)
{
    return in->at < in->size ? in->data[in->at++] : 0;
}

static uint32_t take_word(struct input *in)
{
    uint32_t v = take_byte(in);

    v |= (uint32_t)take_byte(in) << 8;
    v |= (uint32_t)take_byte(in) << 16;
    return v | (uint32_t)take_byte(in) << 24;
}

static uint32_t hostile(unsigned choice)
{
    static const uint32_t numbers[] = {0,      1,       0xff,       0x100,      0x7fff,     0x8000,    0xffff,
                                       0x10000, 0xfffff, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffff0, 0x3fffffff,
                                       0x7fc00000, 0x7f800000};

    return numbers[choice % ARRAY_COUNT(numbers)];
}

static uint32_t float_bits(unsigned choice)
{
    static const float values[] = {0, 1, -1, 0.5f, 2, 16, 64, 100, -50, 1e-20f, 1e20f, 0.1f, 3, 255, -0.5f, 7};
    uint32_t bits;

    memcpy(&bits, &values[choice % ARRAY_COUNT(values)], 4);
    return bits;
}

static uint32_t format_or_handle(unsigned choice)
{
    static const uint32_t formats[] = {0x44, 0x42, 0x144, 0x112, 0x152, 0x2, 0x4, 0x1c4, 0x116, 0x118e, 0x62, 0x16a,
                                       0x252, 0x10112, 0x30154, 0, 5, 7, 9, 11};

    return formats[choice % ARRAY_COUNT(formats)];
}

/* A plausible value of a field by its letter in the token table. */
static uint32_t plausible(char letter, unsigned choice)
{
    switch (letter) {
    case 'h':
        return choice % 48;
    case 'f':
    case '4':
    case 'M':
        return float_bits(choice);
    case 'S':
        return choice % 212;
    case 'T':
        return choice % 34;
    case 'V':
        return choice & 1 ? choice >> 1 : float_bits(choice >> 1);
    case 'F':
        return format_or_handle(choice);
    case 'P':
        return choice % 7;
    case 'X':
        return choice % 3 == 0 ? 256 + choice % 5 : choice % 24;
    case 'R':
    case 'B':
    case 'Q':
        return choice % 70;
    case 'c':
        return choice * 0x01010101u;
    default:
        return choice % 40;
    }
}

static uint32_t value(struct input *in, char letter)
{
    const uint8_t control = take_byte(in);

    if (control >= 0xf8)
        return take_word(in);
    if (control >= 0xe8)
        return hostile(control);
    return plausible(letter, letter == 'V' || letter == 'c' ? take_byte(in) : control);
}

/* --- building ----------------------------------------------------------------------------------- */

struct out {
    uint8_t bytes[COMMAND_BYTES];
    size_t length;
};

static void put_bytes(struct out *out, const void *bytes, size_t count)
{
    count = BASE_MIN(count, sizeof(out->bytes) - out->length);
    memcpy(out->bytes + out->length, bytes, count);
    out->length += count;
}

static void put_words(struct out *out, struct input *in, char letter, unsigned count)
{
    while (count--) {
        const uint32_t v = value(in, letter);

        put_bytes(out, &v, 4);
    }
}

/* Fields of a part of a token, "u a,h b;w c": before or behind the semicolon. */
static void put_fields(struct out *out, struct input *in, const char *fields)
{
    while (*fields && *fields != ';') {
        const char letter = *fields;
        const uint32_t bytes = dp2_field_size(letter);

        if (bytes == 2) {
            const uint16_t v = (uint16_t)value(in, letter);

            put_bytes(out, &v, 2);
        } else {
            put_words(out, in, letter, bytes / 4);
        }
        while (*fields && *fields != ',' && *fields != ';')
            fields++;
        fields += *fields == ',';
    }
}

static void put_declaration(struct out *out, struct input *in)
{
    static const uint32_t tokens[] = {0x20000000, 0x40020000, 0x40010007, 0x40040005, 0x40030000, 0x50010000,
                                      0x20000001, 0x40020003, 0x82000005, 0x40000004, 0xffffffff, 0};

    for (unsigned n = take_byte(in) % 8; n; n--) {
        const uint8_t c = take_byte(in);
        const uint32_t token = c < 0xf0 ? tokens[c % ARRAY_COUNT(tokens)] : take_word(in);

        put_bytes(out, &token, 4);
    }
    put_bytes(out, &(uint32_t){0xffffffff}, 4);
}

static void put_code(struct out *out, struct input *in, uint32_t version)
{
    static const uint32_t tokens[] = {0x00000001, 0x00000005, 0x00000009, 0x00000042, 0x00000051, 0x0000001f,
                                      0xc00f0000, 0xd00f0000, 0x800f0000, 0x90e40000, 0x90e40001, 0xa0e40000,
                                      0xb0e40000, 0x800f0001, 0x80e40000, 0xe00f0000, 0x80000000, 0x3f800000};

    put_bytes(out, &version, 4);
    for (unsigned n = take_byte(in) % 24; n; n--) {
        const uint8_t c = take_byte(in);
        const uint32_t token = c < 0xf0 ? tokens[c % ARRAY_COUNT(tokens)] : take_word(in);

        put_bytes(out, &token, 4);
    }
    put_bytes(out, &(uint32_t){0xffff}, 4);
}

/* What trails an entry whose head begins at `head`; sizes in the head are made to fit, mostly. */
static void put_trailing(struct out *out, struct input *in, const struct dp2_token_info *info, size_t head)
{
    static const uint32_t versions[] = {0xfffe0101, 0xfffe0100, 0xfffe0200, 0xfffe0300,
                                        0xffff0101, 0xffff0104, 0xffff0200, 0xffff0300};
    const size_t start = out->length;
    uint32_t first = 0;

    if (info->size_rule == DP2_SIZE_SHADER) {
        put_declaration(out, in);
        first = (uint32_t)(out->length - start);
        if (take_byte(in) & 1)
            put_code(out, in, versions[take_byte(in) % 4]);
    } else if (info->size_rule == DP2_SIZE_BYTES) {
        put_code(out, in, versions[take_byte(in) % 8]);
    } else {
        if (head + 12 <= sizeof(out->bytes) && info->size_rule >= DP2_SIZE_VECTORS &&
            info->size_rule <= DP2_SIZE_ELEMENTS && take_byte(in) < 0xf0) {
            const uint32_t count = take_byte(in) % 6;

            memcpy(out->bytes + head + 4, &count, 4);
        }
        if (head + info->entry_size > out->length)
            return;
        const uint64_t bytes = dp2_trailing_size(info->size_rule, out->bytes + head);

        put_words(out, in, info->size_rule == DP2_SIZE_ELEMENTS ? 'w' : info->size_rule == DP2_SIZE_RECTPATCH ? 'u' : 'f',
                  (unsigned)BASE_MIN(bytes / 4, 64u));
        return;
    }
    const uint32_t sizes[2] = {info->size_rule == DP2_SIZE_SHADER ? first : (uint32_t)(out->length - start),
                               (uint32_t)(out->length - start) - first};

    if (head + 12 <= sizeof(out->bytes) && take_byte(in) < 0xf8)
        memcpy(out->bytes + head + 4, sizes, info->size_rule == DP2_SIZE_SHADER ? 8 : 4);
}

static const struct dp2_token_info *choose_token(struct input *in)
{
    const struct dp2_token_info *info = NULL;

    for (unsigned number = take_byte(in) % 99; !info || info->size_rule == DP2_SIZE_NONE; number = (number + 1) % 99)
        info = dp2_token_info((uint8_t)number);
    return info;
}

static void put_command(struct out *out, struct input *in)
{
    const struct dp2_token_info *info = choose_token(in);
    const uint8_t control = take_byte(in);
    const uint16_t count = control < 0xc0 ? 1 : control < 0xf0 ? control % 8 : (uint16_t)hostile(control);
    const char *entry = strchr(info->fields, ';');
    const uint8_t header[4] = {info->number, 0, (uint8_t)count, (uint8_t)(count >> 8)};
    unsigned entries = BASE_MIN(dp2_entry_count(info->size_rule, count), 10u);

    put_bytes(out, header, 4);
    put_fields(out, in, info->fields);
    if (info->size_rule == DP2_SIZE_FAN_IMM || info->size_rule == DP2_SIZE_LINES_IMM) {
        put_words(out, in, 'f', BASE_MIN(count, 8u) * 8 + 16);
        return;
    }
    for (; entries && info->entry_size; entries--) {
        const size_t head = out->length;

        put_fields(out, in, entry ? entry + 1 : "");
        put_trailing(out, in, info, head);
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
    const HRESULT result = client_draw(world.client, &call);

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
        client_clear(world.client, context, take_byte(in) & 7, take_word(in), 0.5f, take_byte(in), (const D3DRECT *)&rect, 1);
        break;
    case 1:
        client_blt(surface, take_byte(in) & 1 ? &rect : NULL, other, NULL,
                   take_byte(in) & 1 ? DDBLT_PRESENTATION | DDBLT_LAST_PRESENTATION : 0);
        break;
    case 2:
        client_validate_stages(world.client, context, &passes);
        break;
    case 3:
        if (SUCCEEDED(client_lock(surface, take_byte(in) & 1 ? &rect : NULL, take_byte(in) & 1 ? DDLOCK_READONLY : 0, &lock)))
            client_unlock(surface);
        break;
    case 4:
        client_fill(surface, &rect, take_word(in));
        break;
    case 5:
        client_set_target(world.client, context, world.target[take_byte(in) & 7], world.depth[take_byte(in) & 3]);
        break;
    default:
        client_flip(world.chain[world.chains - 1], NULL, 0);
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
    for (unsigned i = 0; i < 5; i++)
        if (world.target[i] && SUCCEEDED(client_lock(world.target[i], NULL, DDLOCK_READONLY, &lock)))
            client_unlock(world.target[i]);
    require(SUCCEEDED(client_context_destroy(world.client, context)));
    return 0;
}
