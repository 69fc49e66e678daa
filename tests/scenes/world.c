/* SPDX-License-Identifier: MIT */
/* The surfaces of a scene, and how their contents are recorded. */
#include "tests/scenes/scenes.h"

#include "d3d/feedback.h"

#include <stdio.h>
#include <string.h>

enum { /* of DirectX 9 */
       FORMAT_A2R10G10B10 = 35,
       FORMAT_A16B16G16R16F = 113,
       FORMAT_D32F_LOCKABLE = 82,
       FORMAT_D24FS8 = 83,
};

#define FORMAT_INTZ MAKEFOURCC('I', 'N', 'T', 'Z')
#define FORMAT_DF16 MAKEFOURCC('D', 'F', '1', '6')
#define FORMAT_DF24 MAKEFOURCC('D', 'F', '2', '4')

uint32_t world_handle(struct client_chain *chain)
{
    return chain ? client_handle(client_part(chain, 0)) : 0;
}

static struct client_chain *make(struct scene *s, struct client_chain_desc desc, const char *what)
{
    struct client_chain *chain = NULL;

    if (s->stage.failed)
        return NULL;
    s->stage.error = client_chain_create(s->stage.client, &desc, &chain);
    if (FAILED(s->stage.error))
        s->stage.failed = what;
    return chain;
}

/* --- contents ------------------------------------------------------------------------------------ */

/* The bytes of a row of texels (or blocks), and the number of rows. */
static void size_of_rows(const struct client_surface *surface, uint32_t *row_bytes, uint32_t *rows,
                         uint32_t *texel_bytes)
{
    const uint32_t format = surface->format;
    uint32_t bytes = 4;

    *rows = surface->height * BASE_MAX(surface->depth, 1u);
    switch (format) {
    case D3DFMT_DXT1:
    case D3DFMT_DXT5:
        *texel_bytes = format == D3DFMT_DXT1 ? 8 : 16;
        *row_bytes = (surface->width + 3) / 4 * *texel_bytes;
        *rows = (surface->height + 3) / 4;
        return;
    case D3DFMT_L8:
    case D3DFMT_P8:
        bytes = 1;
        break;
    case D3DFMT_R5G6B5:
    case D3DFMT_X1R5G5B5:
    case D3DFMT_A1R5G5B5:
    case D3DFMT_A4R4G4B4:
    case D3DFMT_V8U8:
    case D3DFMT_D16:
    case D3DFMT_D15S1:
    case FORMAT_DF16:
        bytes = 2;
        break;
    case FORMAT_A16B16G16R16F:
        bytes = 8;
        break;
    }
    *texel_bytes = bytes;
    *row_bytes = bytes * surface->width;
}

static uint8_t *row_of(const struct client_lock *lock, const struct client_surface *surface, uint32_t row)
{
    if (surface->depth > 1)
        return lock->bits + row / surface->height * lock->slice_pitch + row % surface->height * lock->pitch;
    return lock->bits + row * lock->pitch;
}

/* The upper byte of a half float: mostly for numbers of common size, in scenes with strange floats also for NaN,
 * infinity, denormals and the greatest number. */
static uint8_t half_byte(const struct scene *s, uint8_t random, uint32_t place)
{
    static const uint8_t strange[] = {0x7e, 0xfe, 0x7c, 0xfc, 0x7d, 0x80, 0x03, 0x7b};

    return has(s, STRANGE_FLOATS) && place % 11 == 0 ? strange[place / 11 % ARRAY_COUNT(strange)]
                                                     : (uint8_t)(0x30 + random % 16);
}

/* Half floats and the like must not be NaN everywhere: smooth pictures with some noise. */
static void fill_rows(struct scene *s, const struct client_surface *surface, const struct client_lock *lock)
{
    uint32_t row_bytes, rows, texel_bytes;

    size_of_rows(surface, &row_bytes, &rows, &texel_bytes);
    const uint32_t base = scene_random(s), step = scene_random(s) & 0x0f0f0f0f, noise = chance(s, 50) ? 0x3f : 0;
    for (uint32_t y = 0; y < rows; y++) {
        uint8_t *row = row_of(lock, surface, y);
        for (uint32_t x = 0; x < row_bytes; x++)
            row[x] = (uint8_t)((base >> x % 4 * 8) + (step >> y % 4 * 8) * (x / texel_bytes + y) +
                               ((x * 2654435761u ^ y * 40503u) >> 11 & noise));
        if (surface->format == FORMAT_A16B16G16R16F)
            for (uint32_t x = 1; x < row_bytes; x += 2)
                row[x] = half_byte(s, row[x], x / 2 + 5 * y);
    }
}

static bool light_mips;

void world_make_light(void)
{
    light_mips = true;
}

unsigned world_part_count(const struct client_chain *chain)
{
    return chain->usage & CLIENT_LIGHTWEIGHT ? chain->faces * chain->levels : chain->part_count;
}

void world_fill(struct scene *s, struct client_chain *chain, unsigned part, uint32_t flags)
{
    const bool light = chain && chain->usage & CLIENT_LIGHTWEIGHT;
    const unsigned level = light ? part % chain->levels : 0;
    struct client_surface *surface;
    struct client_lock lock;

    if (s->stage.failed)
        return;
    surface = light ? client_level(chain, part / chain->levels, 0) : client_part(chain, part);
    s->stage.error = client_lock(surface, NULL, flags, &lock);
    if (FAILED(s->stage.error)) {
        s->stage.failed = "lock of a texture";
        return;
    }
    if (light) {
        const struct client_place place = client_place_of(surface, lock.pitch, lock.slice_pitch, level);
        const struct client_surface shape = {
            .format = surface->format, .width = place.width, .height = place.height, .depth = place.depth};
        const struct client_lock there = {lock.bits + place.offset, place.pitch, place.slice_pitch};

        fill_rows(s, &shape, &there);
    } else {
        fill_rows(s, surface, &lock);
    }
    client_unlock(surface);
}

/* --- records ------------------------------------------------------------------------------------- */

static struct record *new_record(struct scene *s, const char *name)
{
    struct result *result = s->result;

    if (result->count == SCENE_MAX_RECORDS)
        return NULL;
    struct record *record = &result->records[result->count++];
    memset(record, 0, sizeof(*record));
    snprintf(record->name, sizeof(record->name), "%s", name);
    record->step = s->step;
    record->hash = SCENE_HASH_START;
    return record;
}

/* Records the bytes too, if they are requested. */
static void keep(struct scene *s, const struct record *record, const uint8_t *bytes, size_t count)
{
    struct result *result = s->result;

    if (s->wanted && result->records + s->order->wanted == record && result->byte_count + count <= SCENE_WANTED_BYTES) {
        memcpy(s->wanted + result->byte_count, bytes, count);
        result->byte_count += (uint32_t)count;
    }
}

void world_record_bytes(struct scene *s, const char *name, const void *bytes, uint32_t count)
{
    struct record *record = new_record(s, name);

    if (!record)
        return;
    record->row_bytes = record->texel_bytes = count;
    record->rows = 1;
    record->hash = scene_hash(record->hash, bytes, count);
    keep(s, record, bytes, count);
}

void world_record(struct scene *s, const char *name, struct client_surface *surface)
{
    struct client_lock lock;

    stage_submit(&s->stage);
    if (s->stage.failed)
        return;
    s->stage.error = client_lock(surface, NULL, DDLOCK_READONLY, &lock);
    if (FAILED(s->stage.error)) {
        s->stage.failed = "lock of a surface to look at";
        return;
    }
    struct record *record = new_record(s, name);
    if (record) {
        record->handle = client_handle(surface);
        record->format = surface->format;
        size_of_rows(surface, &record->row_bytes, &record->rows, &record->texel_bytes);
        for (uint32_t y = 0; y < record->rows; y++) {
            record->hash = scene_hash(record->hash, row_of(&lock, surface, y), record->row_bytes);
            keep(s, record, row_of(&lock, surface, y), record->row_bytes);
        }
    }
    client_unlock(surface);
}

void world_record_maps(struct scene *s)
{
    char name[32];
    unsigned n = 0;

    for (unsigned m = 0; m < SCENE_MAPS; m++) {
        for (unsigned p = 0; s->maps[m] && p < s->maps[m]->part_count && n < s->bytes_count; p++, n++) {
            stage_submit(&s->stage);
            if (s->stage.failed ||
                FAILED(client_blt(client_part(s->bytes[n], 0), NULL, client_part(s->maps[m], p), NULL, 0)))
                continue; /* of FM levels below the first */
            snprintf(name, sizeof(name), "map %u part %u", m, p);
            world_record(s, name, client_part(s->bytes[n], 0));
        }
    }
}

/* --- making ---------------------------------------------------------------------------------------- */

static unsigned log2_of(unsigned v)
{
    unsigned n = 0;

    while (v >>= 1)
        n++;
    return n;
}

static uint32_t one_of(struct scene *s, const uint32_t *list, unsigned count)
{
    return list[below(s, count)];
}
#define ONE_OF(s, list) one_of(s, list, ARRAY_COUNT(list))

static void make_targets(struct scene *s)
{
    static const uint32_t colors[] = {D3DFMT_X8R8G8B8, D3DFMT_A8R8G8B8,    D3DFMT_X8R8G8B8,
                                      D3DFMT_A8R8G8B8, D3DFMT_R5G6B5,      D3DFMT_X1R5G5B5,
                                      D3DFMT_A4R4G4B4, FORMAT_A2R10G10B10, FORMAT_A16B16G16R16F};
    static const uint32_t depths[] = {D3DFMT_D24S8,   D3DFMT_D24S8, D3DFMT_D24X8,  D3DFMT_D16,          D3DFMT_D15S1,
                                      D3DFMT_D24X4S4, D3DFMT_D32,   FORMAT_D24FS8, FORMAT_D32F_LOCKABLE};
    static const uint32_t depth_textures[] = {D3DFMT_D24S8, D3DFMT_D24X8, D3DFMT_D16,
                                              FORMAT_INTZ,  FORMAT_DF16,  FORMAT_DF24};
    const bool multisampled = s->samples > 1;
    struct client_chain_desc desc = {
        .usage = CLIENT_TARGET, .width = s->width, .height = s->height, .samples = s->samples};

    for (unsigned t = 0; t < SCENE_TARGETS; t++) {
        /* formats with more than 8 bits per channel have no samples */
        desc.format = t == 2 ? (chance(s, 80) ? D3DFMT_A8R8G8B8 : FORMAT_A16B16G16R16F)
                             : one_of(s, colors, multisampled ? 7 : ARRAY_COUNT(colors));
        if (t == 2) {
            desc = (struct client_chain_desc){.usage = CLIENT_TARGET | CLIENT_TEXTURE,
                                              .format = desc.format,
                                              .width = 128,
                                              .height = 96 + 32 * below(s, 2)};
        }
        s->targets[t] = make(s, desc, "render target");
        if (t == 0) {
            struct client_chain_desc depth = desc;

            depth.usage = CLIENT_DEPTH;
            depth.format =
                one_of(s, depths, ARRAY_COUNT(depths) - multisampled); /* lockable surfaces have no samples */
            s->depths[0] = make(s, depth, "depth buffer");
        }
    }
    /* read as a texture, too */
    desc.usage = CLIENT_DEPTH | (has(s, TARGET_TEXTURE) ? CLIENT_TEXTURE : 0);
    desc.format = has(s, TARGET_TEXTURE) ? ONE_OF(s, depth_textures) : ONE_OF(s, depths);
    s->depths[1] = make(s, desc, "depth buffer of the texture");
}

static void make_textures(struct scene *s)
{
    static const uint32_t formats[SCENE_TEXTURES] = {
        D3DFMT_A8R8G8B8, D3DFMT_A8R8G8B8, D3DFMT_X8R8G8B8, D3DFMT_R5G6B5,        D3DFMT_DXT1,
        D3DFMT_DXT5,     D3DFMT_L8,       D3DFMT_V8U8,     FORMAT_A16B16G16R16F, D3DFMT_A8R8G8B8};

    for (unsigned t = 0; t < SCENE_TEXTURES; t++) {
        struct client_chain_desc desc = {
            .usage = CLIENT_TEXTURE, .format = formats[t], .width = 64, .height = 64, .levels = 1};

        switch (t) {
        case 0:
            desc.width = 64u << below(s, 2);
            desc.levels = 4;
            break;
        case 1:
            desc.width = 24 + below(s, 50);
            desc.height = 24 + below(s, 50);
            desc.levels = 1 + below(s, 3);
            break;
        case 2:
            desc.usage |= CLIENT_CUBE;
            desc.width = desc.height = 32;
            desc.levels = 2;
            break;
        case 3:
            desc.usage |= CLIENT_DYNAMIC;
            desc.width = desc.height = 16;
            break;
        case 4:
        case 5:
            desc.levels = 3;
            break;
        case 9:
            desc.usage |= CLIENT_VOLUME;
            desc.width = desc.height = 16;
            desc.depth = 8;
            break;
        }
        if (light_mips && desc.levels > 1)
            desc.usage |= CLIENT_LIGHTWEIGHT;
        s->textures[t] = make(s, desc, "texture");
        for (unsigned p = 0; s->textures[t] && p < world_part_count(s->textures[t]); p++)
            world_fill(s, s->textures[t], p, 0);
    }
}

/* Maps of the first textures: any kind, any size of regions that fits. */
static void make_maps(struct scene *s)
{
    for (unsigned m = 0; m < SCENE_MAPS && has(s, FEEDBACK) && !s->stage.failed; m++) {
        struct client_chain *texture = s->textures[m];
        const struct client_surface *top = client_part(texture, 0);
        const unsigned widest = log2_of(top->width / 2), highest = log2_of(top->height / 2);
        const bool min_mip = chance(s, 50);
        struct client_chain_desc desc = {
            .usage = CLIENT_TEXTURE | (texture->usage & CLIENT_CUBE),
            .format = ddi_feedback_format(min_mip, 2 + below(s, widest - 1), 2 + below(s, highest - 1)),
            .width = top->width,
            .height = top->height,
            .levels = texture->levels};

        s->maps[m] = make(s, desc, "feedback map");
        if (s->maps[m])
            client_fill(client_part(s->maps[m], 0), NULL, 0);
        for (unsigned p = 0; s->maps[m] && p < s->maps[m]->part_count && s->bytes_count < SCENE_BYTES; p++)
            s->bytes[s->bytes_count++] = make(
                s, (struct client_chain_desc){.usage = CLIENT_TEXTURE, .format = D3DFMT_L8, .width = 32, .height = 32},
                "bytes of a map");
    }
    for (unsigned n = 0; n < s->bytes_count; n++)
        world_fill(s, s->bytes[n], 0, 0);
}

static void make_buffers(struct scene *s)
{
    s->vertices =
        make(s, (struct client_chain_desc){.usage = CLIENT_VERTEX_BUFFER | CLIENT_DYNAMIC, .width = SCENE_BUFFER_BYTES},
             "vertex buffer");
    s->indices = make(
        s, (struct client_chain_desc){.usage = CLIENT_INDEX_BUFFER | CLIENT_DYNAMIC, .width = SCENE_MAX_VERTICES * 2},
        "index buffer");
    s->answers =
        make(s, (struct client_chain_desc){.usage = CLIENT_COMMAND_BUFFER, .width = 1024}, "buffer of answers");
    s->screen = make(s,
                     (struct client_chain_desc){.usage = CLIENT_PRIMARY,
                                                .format = D3DFMT_X8R8G8B8,
                                                .width = s->width,
                                                .height = s->height,
                                                .back_buffers = 1},
                     "screen");
}

/* stage_open makes a target of its own: here a small one that is never read. */
void world_open(struct scene *s)
{
    static const uint8_t counts[] = {2, 4, 4, 8, 16};
    const uint32_t level = chance(s, 70) ? DDI_LEVEL_DX9 : DDI_LEVEL_DX8;

    s->width = 256 + below(s, 130);
    s->height = chance(s, 70) ? 256 : 200 + below(s, 120);
    s->samples = chance(s, 35) ? counts[below(s, ARRAY_COUNT(counts))] : 0;
    if (!stage_open(&s->stage, 8, 8, D3DFMT_X8R8G8B8, 0) || !stage_set_level(&s->stage, level))
        return;
    make_targets(s);
    make_textures(s);
    make_maps(s);
    make_buffers(s);
    s->contexts[1] = s->stage.context;
    for (unsigned c = 0; c < 2 && !s->stage.failed; c++) {
        uintptr_t context;

        s->stage.error = client_context_create(s->stage.client, client_part(s->targets[c ? 2 : 0], 0),
                                               client_part(s->depths[c], 0), level, &context);
        if (FAILED(s->stage.error)) {
            s->stage.failed = "context";
            return;
        }
        if (c == 0) {
            stage_submit(&s->stage);
            client_context_destroy(s->stage.client, s->stage.context);
        }
        s->contexts[c] = s->stage.context = context;
        states_begin(s);
        stage_submit(&s->stage);
    }
    s->stage.context = s->contexts[0];
}

static void look_at_everything(struct scene *s)
{
    char name[32];

    for (unsigned t = 0; t < SCENE_TARGETS; t++) {
        snprintf(name, sizeof(name), "target %u", t);
        world_record(s, name, client_part(s->targets[t], 0));
    }
    for (unsigned d = 0; d < SCENE_DEPTHS; d++) {
        snprintf(name, sizeof(name), "depth %u", d);
        world_record(s, name, client_part(s->depths[d], 0));
    }
    if (has(s, FEEDBACK))
        world_record_maps(s);
}

void world_close(struct scene *s)
{
    struct client_chain **all[] = {s->targets, s->depths, s->textures, s->maps, s->bytes};
    static const unsigned counts[] = {SCENE_TARGETS, SCENE_DEPTHS, SCENE_TEXTURES, SCENE_MAPS, SCENE_BYTES};

    stage_submit(&s->stage);
    s->step = s->step_count;
    if (!s->stage.failed) {
        /* decoded first, so that a capture has them before its last frame ends */
        s->result->first_final = s->result->count;
        look_at_everything(s);
        client_blt(client_part(s->screen, 0), NULL, client_part(s->targets[0], 0), NULL,
                   DDBLT_PRESENTATION | DDBLT_LAST_PRESENTATION);
    }
    for (unsigned c = 0; c < 2; c++)
        if (s->contexts[c] && s->contexts[c] != s->stage.context)
            client_context_destroy(s->stage.client, s->contexts[c]);
    for (unsigned i = 0; i < ARRAY_COUNT(all); i++)
        for (unsigned n = 0; n < counts[i]; n++)
            client_chain_destroy(all[i][n]);
    client_chain_destroy(s->vertices);
    client_chain_destroy(s->indices);
    client_chain_destroy(s->answers);
    client_chain_destroy(s->screen);
    stage_close(&s->stage);
}
