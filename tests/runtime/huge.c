/* SPDX-License-Identifier: MIT */
#include "tests/runtime/huge.h"

#include "tests/runtime/heap.h"

#define COUNT(a)             ((unsigned)(sizeof(a) / sizeof((a)[0])))
#define MOST_BYTES           (96u << 20) /* that the dlls may allocate */
#define RANDOM               1500        /* sizes by chance */

#define FOURCC_DXT1          0x31545844u
#define FORMAT_A32B32G32R32F 116u
#define FORMAT_INDEX16       101u

static uint32_t state = 1;

/* xorshift of 32 bits (Marsaglia, "Xorshift RNGs", 2003). */
static uint32_t word(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static UINT near_power(unsigned most_bits)
{
    static const int off[] = {-64, -33, -16, -4, -1, 0, 0, 0, 1, 16, 64};
    const unsigned bits = most_bits - word() % 5;
    const uint32_t power = bits < 32 ? 1u << bits : 0;

    return power + (uint32_t)off[word() % COUNT(off)];
}

static struct huge_size any_size(void)
{
    static const DWORD formats[] = {21 /* A8R8G8B8 */, FORMAT_A32B32G32R32F, FOURCC_DXT1, 50 /* L8 */, 23 /* R5G6B5 */};
    struct huge_size size = {.kind = (enum huge_kind)(word() % HUGE_KINDS),
                             .format = formats[word() % COUNT(formats)],
                             .pool = word() % 4,
                             .levels = word() % 3 ? 1 : word() % 4,
                             .height = 1,
                             .depth = 1};

    if (size.kind <= HUGE_INDICES) {
        size.format = FORMAT_INDEX16;
        size.usage = word() % 3 ? 0 : 8; /* D3DUSAGE_WRITEONLY */
        size.width = near_power(32);
        return size;
    }
    size.width = near_power(word() % 8 ? 15 : 32) & (word() % 4 ? ~3u : ~0u);
    size.height = near_power(word() % 8 ? 15 : 32) & (word() % 4 ? ~3u : ~0u);
    if (size.kind == HUGE_CUBE)
        size.height = size.width;
    if (size.kind == HUGE_VOLUME)
        size.depth = near_power(word() % 8 ? 12 : 32);
    return size;
}

/* Bytes of a row, and how many rows. */
static void rows_of(const struct huge_size *size, uint64_t *bytes, uint64_t *rows)
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

static void name(const struct huge_size *s, char *text, size_t size)
{
    static const char *const names[] = {"vertex buffer", "index buffer", "texture", "cube", "volume", "surface"};

    snprintf(text, size, "%s %ux%ux%u format %lx pool %lu levels %u", names[s->kind], s->width, s->height, s->depth,
             (unsigned long)s->format, (unsigned long)s->pool, s->levels);
}

static void fill(const struct huge_size *size, const struct huge_lock *lock)
{
    uint64_t bytes, rows;

    rows_of(size, &bytes, &rows);
    for (uint64_t z = 0; z < size->depth; z++)
        for (uint64_t y = 0; y < rows; y++)
            memset(lock->bits + z * (uint64_t)(int64_t)lock->slice_pitch + y * (uint64_t)(int64_t)lock->pitch, 0x5a,
                   (size_t)bytes);
}

static void try_size(const struct huge_version *version, const struct huge_size *size)
{
    struct huge_lock lock = {NULL, 0, 0};
    void *object = NULL;
    uint64_t bytes, rows;
    char text[120];
    const HRESULT hr = version->create(size, &object);

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
    else if (SUCCEEDED(version->lock(size, object, &lock)) && lock.bits) {
        fill(size, &lock);
        version->unlock(size, object);
    }
    IUnknown_Release((IUnknown *)object);
}

/* --- the tests ----------------------------------------------------------------------------------- */

void huge_watch(const struct huge_version *version)
{
    CHECK(heap_watch(LoadLibraryA("halcyon.dll")));
    CHECK(heap_watch(GetModuleHandleA(version->dll)));
    heap_guard(1);
    heap_limit(MOST_BYTES);
}

void huge_try(const struct huge_version *version)
{
    static const UINT lengths[] = {0xffffffff, 0xfffffffe, 0xfffffff0, 0xffffffe0, 0xffffffc1, 0xffffffc0,
                                   0xffffffbf, 0xffffff80, 0xffffff00, 0xfffff000, 0xff000000, 0x80000001,
                                   0x80000000, 0x7fffffff, 0x7ffffff0, 0x10000,    1};
    static const UINT edges[] = {4096, 8192, 16384, 32768, 65535, 65536};
    static const DWORD formats[] = {21, FORMAT_A32B32G32R32F, FOURCC_DXT1};

    for (unsigned kind = HUGE_VERTICES; kind <= HUGE_INDICES; kind++)
        for (unsigned pool = 0; pool < 3; pool++)
            for (unsigned i = 0; i < COUNT(lengths); i++)
                try_size(version,
                         &(struct huge_size){(enum huge_kind)kind, FORMAT_INDEX16, 0, pool, lengths[i], 1, 1, 1});
    for (unsigned kind = HUGE_TEXTURE; kind < HUGE_KINDS; kind++)
        for (unsigned pool = 0; pool < 4; pool++)
            for (unsigned i = 0; i < COUNT(edges) * COUNT(formats); i++) {
                const UINT edge = edges[i / COUNT(formats)];
                const bool volume = kind == HUGE_VOLUME;

                try_size(version, &(struct huge_size){(enum huge_kind)kind, formats[i % COUNT(formats)], 0, pool,
                                                      volume ? edge / 4 : edge, volume ? edge / 8 : edge,
                                                      volume ? edge / 16 : 1, 1});
            }
    for (unsigned i = 0; i < RANDOM; i++) {
        const struct huge_size size = any_size();

        try_size(version, &size);
    }
    CHECK_EQUAL(heap_damage(), 0);
}
