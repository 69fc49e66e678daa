/* SPDX-License-Identifier: MIT */
/* Creates resources with sizes near 2^31 and 2^32 bytes and writes all of their memory. */
#define COBJMACROS
#include "tests/random.h"
#include "tests/runtime/huge.h"

#include "tests/runtime/heap.h"

#define COUNT(a)             ((unsigned)(sizeof(a) / sizeof((a)[0])))
#define MOST_BYTES           (96u << 20) /* the most that the dlls may allocate */
#define RANDOM               1500        /* random sizes */
#define KINDS                (RESOURCE_PLAIN + 1u)
#define LAST_FACE            5u

#define FOURCC_DXT1          0x31545844u
#define FORMAT_A32B32G32R32F 116u
#define FORMAT_INDEX16       101u

static UINT near_power(unsigned most_bits)
{
    static const int off[] = {-64, -33, -16, -4, -1, 0, 0, 0, 1, 16, 64};
    const unsigned bits = most_bits - random_word() % 5;
    const uint32_t power = bits < 32 ? 1u << bits : 0;

    return power + (uint32_t)off[random_word() % COUNT(off)];
}

static struct resource_desc any_size(void)
{
    static const DWORD formats[] = {21 /* A8R8G8B8 */, FORMAT_A32B32G32R32F, FOURCC_DXT1, 50 /* L8 */, 23 /* R5G6B5 */};
    struct resource_desc size = {.kind = (enum resource_kind)(random_word() % KINDS),
                                 .format = formats[random_word() % COUNT(formats)],
                                 .pool = random_word() % 4,
                                 .levels = random_word() % 3 ? 1 : random_word() % 4,
                                 .height = 1,
                                 .depth = 1,
                                 .face = LAST_FACE};

    if (size.kind <= RESOURCE_INDICES) {
        size.format = FORMAT_INDEX16;
        size.usage = random_word() % 3 ? 0 : 8; /* D3DUSAGE_WRITEONLY */
        size.width = near_power(32);
        return size;
    }
    size.width = near_power(random_word() % 8 ? 15 : 32) & (random_word() % 4 ? ~3u : ~0u);
    size.height = near_power(random_word() % 8 ? 15 : 32) & (random_word() % 4 ? ~3u : ~0u);
    if (size.kind == RESOURCE_CUBE)
        size.height = size.width;
    if (size.kind == RESOURCE_VOLUME)
        size.depth = near_power(random_word() % 8 ? 12 : 32);
    return size;
}

/* Bytes of a row, and how many rows. */
static void rows_of(const struct resource_desc *size, uint64_t *bytes, uint64_t *rows)
{
    const uint64_t width = size->width, height = size->height;

    *rows = height;
    switch (size->format) {
    case FOURCC_DXT1:
        *bytes = (width + 3) / 4 * 8;
        *rows = (height + 3) / 4;
        break;
    case FORMAT_A32B32G32R32F:
        *bytes = width * 16;
        break;
    case 21:
        *bytes = width * 4;
        break;
    case 23:
        *bytes = width * 2;
        break;
    default:
        *bytes = width;
        break;
    }
}

static void name(const struct resource_desc *s, char *text, size_t size)
{
    static const char *const names[] = {"vertex buffer", "index buffer", "texture", "cube", "volume", "surface"};

    snprintf(text, size, "%s %ux%ux%u format %lx pool %lu levels %u", names[s->kind], s->width, s->height, s->depth,
             (unsigned long)s->format, (unsigned long)s->pool, s->levels);
}

static void fill(const struct resource_desc *size, const struct resource_memory *memory)
{
    uint64_t bytes, rows;

    rows_of(size, &bytes, &rows);
    for (uint64_t z = 0; z < size->depth; z++)
        for (uint64_t y = 0; y < rows; y++)
            memset(memory->bits + z * (uint64_t)(int64_t)memory->slice_pitch + y * (uint64_t)(int64_t)memory->pitch,
                   0x5a, (size_t)bytes);
}

static void try_size(const struct resource_api *api, void *device, const struct resource_desc *size)
{
    struct resource_memory memory;
    IUnknown *object = NULL;
    uint64_t bytes, rows;
    char text[120];
    const HRESULT hr = api->create(device, size, &object);

    name(size, text, sizeof(text));
    rows_of(size, &bytes, &rows);
    if (FAILED(hr) || !object) {
        /* D3DERR_INVALIDCALL, E_OUTOFMEMORY, D3DERR_OUTOFVIDEOMEMORY */
        if (hr != (HRESULT)0x8876086c && hr != E_OUTOFMEMORY && hr != (HRESULT)0x8876017c)
            failed(__FILE__, __LINE__, "%s: %08lx", text, (unsigned long)hr);
        return;
    }
    if (bytes * rows > MOST_BYTES || bytes * rows * size->depth > MOST_BYTES)
        failed(__FILE__, __LINE__, "%s: created, with memory for %u bytes at most", text, MOST_BYTES);
    else if (SUCCEEDED(api->lock(size, object, 0, &memory)) && memory.bits) {
        fill(size, &memory);
        api->unlock(size, object);
    }
    IUnknown_Release(object);
}

/* --- the tests ----------------------------------------------------------------------------------- */

void huge_watch(const struct huge_version *version)
{
    CHECK(heap_watch(LoadLibraryA("halcyon.dll")));
    CHECK(heap_watch(GetModuleHandleA(version->dll)));
    heap_guard(1);
    heap_limit(MOST_BYTES);
}

static void try_sizes(const struct resource_api *api, void *device)
{
    static const UINT lengths[] = {0xffffffff, 0xfffffffe, 0xfffffff0, 0xffffffe0, 0xffffffc1, 0xffffffc0,
                                   0xffffffbf, 0xffffff80, 0xffffff00, 0xfffff000, 0xff000000, 0x80000001,
                                   0x80000000, 0x7fffffff, 0x7ffffff0, 0x10000,    1};
    static const UINT edges[] = {4096, 8192, 16384, 32768, 65535, 65536};
    static const DWORD formats[] = {21, FORMAT_A32B32G32R32F, FOURCC_DXT1};

    for (unsigned kind = RESOURCE_VERTICES; kind <= RESOURCE_INDICES; kind++)
        for (unsigned pool = 0; pool < 3; pool++)
            for (unsigned i = 0; i < COUNT(lengths); i++)
                try_size(
                    api, device,
                    &(struct resource_desc){(enum resource_kind)kind, FORMAT_INDEX16, 0, pool, lengths[i], 1, 1, 1, 0});
    for (unsigned kind = RESOURCE_TEXTURE; kind < KINDS; kind++)
        for (unsigned pool = 0; pool < 4; pool++)
            for (unsigned i = 0; i < COUNT(edges) * COUNT(formats); i++) {
                const UINT edge = edges[i / COUNT(formats)];
                const bool volume = kind == RESOURCE_VOLUME;

                try_size(api, device,
                         &(struct resource_desc){(enum resource_kind)kind, formats[i % COUNT(formats)], 0, pool,
                                                 volume ? edge / 4 : edge, volume ? edge / 8 : edge,
                                                 volume ? edge / 16 : 1, 1, LAST_FACE});
            }
    for (unsigned i = 0; i < RANDOM; i++) {
        const struct resource_desc size = any_size();

        try_size(api, device, &size);
    }
}

void huge_resources(const struct huge_version *version)
{
    HWND window = open_window();
    void *device = version->devices->open(window, 0, 0);

    if (device)
        try_sizes(version->resources, device);
    CHECK_EQUAL(heap_damage(), 0);
    version->devices->close(device, window);
}

void huge_draws(const struct huge_version *version)
{
    static const float vertices[64][4] = {{0, 0, 0, 1}};
    static const WORD indices[64] = {0};
    enum { POINTS = 1, LINE_STRIP = 3, TRIANGLES = 4 }; /* as D3DPRIMITIVETYPE has them */
    HWND window = open_window();
    void *device = version->devices->open(window, 0, 0);

    if (device) {
        CHECK_HR(version->set_positions(device), S_OK);
        CHECK_HR(version->devices->begin_scene(device), S_OK);
        /* 2^28 vertices of 16 bytes; 2^26 of 64 and a few */
        CHECK_HR(version->draw(device, POINTS, 0x10000000, vertices, 16), E_OUTOFMEMORY);
        CHECK_HR(version->draw(device, LINE_STRIP, 0x4000000, vertices, 64), E_OUTOFMEMORY);
        CHECK_HR(version->draw(device, TRIANGLES, 1, vertices, 0x55555556), E_OUTOFMEMORY);
        /* 2^30 + 2 indices of four bytes; three indices of 2^28 vertices */
        CHECK_HR(version->draw_indexed(device, TRIANGLES, 3, 0x15555556, indices, true, vertices), E_OUTOFMEMORY);
        CHECK_HR(version->draw_indexed(device, POINTS, 0x10000000, 3, indices, false, vertices), E_OUTOFMEMORY);
        CHECK_HR(version->devices->end_scene(device), S_OK);
    }
    version->devices->close(device, window);
}

void huge_private_data(const struct huge_version *version)
{
    static const GUID id = {1, 2, 3, {4}};
    static const DWORD sizes[] = {0xffffffff, 0xfffffff0, 0xffffffd0, 0xffffff00, 0x80000000};
    static const struct resource_desc small = {
        .kind = RESOURCE_TEXTURE, .format = 21, .pool = 1, .width = 4, .height = 4, .depth = 1, .levels = 1};
    HWND window = open_window();
    void *device = version->devices->open(window, 0, 0);
    IUnknown *texture = NULL;

    if (device) {
        CHECK_HR(version->resources->create(device, &small, &texture), S_OK);
        for (unsigned i = 0; texture && i < COUNT(sizes); i++)
            CHECK_HR(version->set_private_data(texture, &id, &id, sizes[i]), E_OUTOFMEMORY);
        if (texture)
            IUnknown_Release(texture);
    }
    version->devices->close(device, window);
}
