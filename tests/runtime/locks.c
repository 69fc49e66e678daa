/* SPDX-License-Identifier: MIT */
/* Draws a cell for each kind of lock on each kind of resource. */
#define COBJMACROS
#include "tests/runtime/locks.h"

#include <stdlib.h>

#define ROWS               (HEIGHT / LOCKS_CELL)
#define POOL_DEFAULT       0u
#define POOL_MANAGED       1u
#define POOL_SYSTEMMEM     2u
#define USAGE_WRITEONLY    0x8u
#define USAGE_DYNAMIC      0x200u
#define LOCK_READONLY      0x10u
#define LOCK_NOSYSLOCK     0x800u
#define LOCK_NOOVERWRITE   0x1000u
#define LOCK_DISCARD       0x2000u
#define LOCK_NODIRTYUPDATE 0x8000u
#define FORMAT_A8R8G8B8    21u
#define FORMAT_X8R8G8B8    22u
#define FORMAT_R5G6B5      23u
#define FORMAT_INDEX16     101u
#define FACE               1u /* -X */

/* The program: its version, its device, and the squares in a vertex buffer. */
static const struct locks_api *api;
static void *device;
static IUnknown *squares;

static const DWORD colors[LOCKS_SQUARES] = {0xffff0000, 0xff00ff00, 0xff0000ff, 0xffffff00, 0xffffffff};

static void write_square(struct locks_vertex corners[LOCKS_CORNERS], unsigned color)
{
    for (unsigned i = 0; i < LOCKS_CORNERS; i++)
        corners[i] = (struct locks_vertex){i & 1 ? 1.0f : -1.0f, i & 2 ? -1.0f : 1.0f, 0.5f, colors[color]};
}

/* --- cases -------------------------------------------------------------------------------------- */

struct locks_case {
    struct resource_desc resource;
    DWORD flags;
    bool by_dc;        /* GetDC in place of Lock */
    bool drawn_locked; /* is drawn with while it is locked */
};

/* The result of a lock. */
struct locks_memory {
    struct resource_memory at;
    HDC dc; /* NULL: it is memory */
};

static bool is_buffer(enum resource_kind kind)
{
    return kind == RESOURCE_VERTICES || kind == RESOURCE_INDICES;
}

static bool is_surface(enum resource_kind kind)
{
    return kind == RESOURCE_PLAIN || kind == RESOURCE_TARGET || kind == RESOURCE_BACK;
}

static const DWORD pools[] = {POOL_DEFAULT, POOL_MANAGED, POOL_SYSTEMMEM};
static const DWORD usages[] = {0, USAGE_DYNAMIC, USAGE_WRITEONLY, USAGE_DYNAMIC | USAGE_WRITEONLY};
static const DWORD formats[] = {FORMAT_A8R8G8B8, FORMAT_R5G6B5, FORMAT_X8R8G8B8};
static const DWORD flags[] = {0,
                              LOCK_READONLY,
                              LOCK_READONLY | LOCK_NOSYSLOCK,
                              LOCK_DISCARD,
                              LOCK_NOOVERWRITE,
                              LOCK_NODIRTYUPDATE,
                              LOCK_READONLY | LOCK_NODIRTYUPDATE,
                              0 /* by GetDC */};

#define COUNT(list) ((unsigned)(sizeof(list) / sizeof((list)[0])))

/* The parts of the description that the kind determines. */
static void complete(struct resource_desc *r)
{
    r->width = r->kind == RESOURCE_VERTICES  ? LOCKS_CORNERS * sizeof(struct locks_vertex)
               : r->kind == RESOURCE_INDICES ? 6 * sizeof(uint16_t)
                                             : LOCKS_TEXELS;
    r->height = LOCKS_TEXELS;
    r->depth = 2;
    r->levels = 1;
    r->face = FACE;
    if (is_buffer(r->kind))
        r->format = FORMAT_INDEX16;
}

/* Is the case different from the others, and does the version have it? */
static bool makes_sense(const struct locks_case *c)
{
    const struct resource_desc *r = &c->resource;

    if (c->by_dc && !api->get_dc)
        return false;
    if (is_buffer(r->kind))
        return r->format == FORMAT_A8R8G8B8 && !c->by_dc;
    if (r->usage & USAGE_WRITEONLY || (r->kind == RESOURCE_VOLUME && c->by_dc))
        return false;
    if (r->kind == RESOURCE_PLAIN)
        return !r->usage && (api->converts || (r->format == FORMAT_X8R8G8B8 && r->pool == POOL_SYSTEMMEM));
    return !is_surface(r->kind) || (r->pool == POOL_DEFAULT && !r->usage && r->format == FORMAT_X8R8G8B8);
}

/* The case with a number; false if there are not so many. */
static bool case_of(unsigned number, struct locks_case *c)
{
    const unsigned f = number % COUNT(flags);

    *c = (struct locks_case){.flags = flags[f], .by_dc = f == COUNT(flags) - 1};
    number /= COUNT(flags);
    c->drawn_locked = number % 2;
    number /= 2;
    c->resource.pool = pools[number % COUNT(pools)];
    number /= COUNT(pools);
    c->resource.usage = usages[number % COUNT(usages)];
    number /= COUNT(usages);
    c->resource.format = formats[number % COUNT(formats)];
    number /= COUNT(formats);
    c->resource.kind = (enum resource_kind)number;
    return number < RESOURCE_KINDS;
}

static IUnknown *create(const struct locks_case *c)
{
    IUnknown *object = NULL;

    api->resources->create(device, &c->resource, &object);
    return object;
}

/* --- locks --------------------------------------------------------------------------------------- */

static bool lock(const struct locks_case *c, IUnknown *object, DWORD lock_flags, struct locks_memory *memory)
{
    IUnknown *surface;
    bool done;

    memory->dc = NULL;
    if (!c->by_dc)
        return SUCCEEDED(api->resources->lock(&c->resource, object, lock_flags, &memory->at));
    surface = api->resources->surface(&c->resource, object);
    done = SUCCEEDED(api->get_dc(surface, &memory->dc));
    IUnknown_Release(surface);
    return done;
}

static void unlock(const struct locks_case *c, IUnknown *object, struct locks_memory *memory)
{
    IUnknown *surface;

    if (!memory->dc) {
        api->resources->unlock(&c->resource, object);
        return;
    }
    surface = api->resources->surface(&c->resource, object);
    api->release_dc(surface, memory->dc);
    IUnknown_Release(surface);
    memory->dc = NULL;
}

/* --- writing ------------------------------------------------------------------------------------- */

static void write_buffer(const struct locks_case *c, const struct locks_memory *memory, unsigned color)
{
    if (c->resource.kind == RESOURCE_VERTICES) {
        write_square((struct locks_vertex *)(void *)memory->at.bits, color);
        return;
    }
    for (unsigned i = 0; i < 6; i++) {
        const uint16_t index = (uint16_t)(color * LOCKS_CORNERS + (i < 3 ? i : 6 - i));
        memcpy(memory->at.bits + i * sizeof(index), &index, sizeof(index));
    }
}

static void write_texel(uint8_t *to, DWORD format, DWORD color)
{
    const uint16_t packed = (uint16_t)((color >> 8 & 0xf800) | (color >> 5 & 0x7e0) | (color >> 3 & 0x1f));

    if (format == FORMAT_R5G6B5)
        memcpy(to, &packed, sizeof(packed));
    else
        memcpy(to, &color, 4);
}

static void write_picture(const struct locks_case *c, const struct locks_memory *memory, unsigned color, unsigned x,
                          unsigned y, unsigned size)
{
    const unsigned bytes = c->resource.format == FORMAT_R5G6B5 ? 2 : 4;

    if (memory->dc) {
        const RECT area = {(LONG)x, (LONG)y, (LONG)(x + size), (LONG)(y + size)};
        HBRUSH brush = CreateSolidBrush(RGB(colors[color] >> 16 & 255, colors[color] >> 8 & 255, colors[color] & 255));
        FillRect(memory->dc, &area, brush);
        DeleteObject(brush);
        return;
    }
    for (unsigned z = 0; z < (c->resource.kind == RESOURCE_VOLUME ? 2u : 1u); z++)
        for (unsigned v = 0; v < size; v++)
            for (unsigned u = 0; u < size; u++)
                write_texel(memory->at.bits + z * (size_t)memory->at.slice_pitch + (y + v) * (size_t)memory->at.pitch +
                                (x + u) * bytes,
                            c->resource.format, colors[color]);
}

/* The whole resource; for the back buffer one cell. */
static void write_color(const struct locks_case *c, const struct locks_memory *memory, unsigned color, unsigned x,
                        unsigned y)
{
    if (is_buffer(c->resource.kind))
        write_buffer(c, memory, color);
    else if (c->resource.kind == RESOURCE_BACK)
        write_picture(c, memory, color, x, y, LOCKS_CELL);
    else
        write_picture(c, memory, color, 0, 0, LOCKS_TEXELS);
}

/* --- drawing ------------------------------------------------------------------------------------- */

/* The whole picture; for cubes the face, for volumes what lies between the slices. */
static void draw_picture(const struct locks_case *c, IUnknown *texture)
{
    const bool cube = c->resource.kind == RESOURCE_CUBE;
    struct locks_corner corners[LOCKS_CORNERS];

    for (unsigned i = 0; i < LOCKS_CORNERS; i++) {
        const float u = i & 1 ? 1 : 0, v = i & 2 ? 1 : 0, x = 2 * u - 1, y = 1 - 2 * v;

        corners[i] =
            cube ? (struct locks_corner){x, y, 0.5f, -1, y / 2, x / 2} : (struct locks_corner){x, y, 0.5f, u, v, 0.5f};
    }
    api->draw_texture(device, texture, corners);
}

/* By way of a texture in the default pool. */
static void draw_copy(const struct locks_case *c, IUnknown *texture)
{
    struct locks_case other = *c;
    IUnknown *copy;

    other.resource.pool = POOL_DEFAULT;
    other.resource.usage = 0;
    copy = create(&other);
    if (!copy)
        return;
    if (SUCCEEDED(api->resources->update(device, texture, copy)))
        draw_picture(c, copy);
    IUnknown_Release(copy);
}

static void draw(const struct locks_case *c, IUnknown *object, unsigned x, unsigned y)
{
    api->set_viewport(device, x, y, LOCKS_CELL, LOCKS_CELL);
    if (c->resource.kind == RESOURCE_VERTICES)
        api->draw_buffer(device, object, NULL);
    else if (c->resource.kind == RESOURCE_INDICES)
        api->draw_buffer(device, squares, object);
    else if (is_surface(c->resource.kind))
        api->draw_surface(device, &c->resource, object, x, y);
    else if (c->resource.pool == POOL_SYSTEMMEM)
        draw_copy(c, object);
    else
        draw_picture(c, object);
}

/* --- a page of cases -------------------------------------------------------------------------------- */

struct row {
    struct locks_case c;
    IUnknown *object;
    struct locks_memory memory; /* of the last lock */
    unsigned y;
    bool written; /* the API locks it */
    bool locks;   /* and takes the case's flags */
};

static void draw_cell(const struct row *row, unsigned cell)
{
    if (row->c.resource.kind != RESOURCE_BACK)
        draw(&row->c, row->object, cell * LOCKS_CELL, row->y);
}

/* One lock: writes, draws if the case demands it, writes again. */
static bool write_locked(struct row *row, DWORD lock_flags, unsigned first, unsigned second, unsigned cell)
{
    if (!lock(&row->c, row->object, lock_flags, &row->memory))
        return false;
    write_color(&row->c, &row->memory, first, cell * LOCKS_CELL, row->y);
    if (row->c.drawn_locked && !row->c.by_dc)
        draw_cell(row, cell);
    write_color(&row->c, &row->memory, second, (cell + 1) * LOCKS_CELL, row->y);
    unlock(&row->c, row->object, &row->memory);
    return true;
}

/* Cell 0: written by an ordinary lock. 1: drawn while locked. 2: after the case's own lock. 3, buffers only: written
 * through the pointer of a lock that has ended. */
static void first_frame(struct row *row)
{
    struct locks_case plain = row->c;

    plain.by_dc = false;
    if (lock(&plain, row->object, 0, &row->memory)) {
        write_color(&plain, &row->memory, 0, 0, row->y);
        unlock(&plain, row->object, &row->memory);
        row->written = true;
    }
    draw_cell(row, 0);
    row->locks = write_locked(row, row->c.flags, 1, 2, 1);
    draw_cell(row, 2);
    if (!is_buffer(row->c.resource.kind) || !row->locks)
        return;
    row->locks = write_locked(row, row->c.flags, 2, 2, 1);
    write_buffer(&row->c, &row->memory, 3);
    draw_cell(row, 3);
}

/* Another frame: 4, buffers only: written through the old pointer; 5: locked for reading, and read; 6: written once
 * more. */
static void second_frame(struct row *row)
{
    if (is_buffer(row->c.resource.kind) && row->locks)
        write_buffer(&row->c, &row->memory, 4);
    draw_cell(row, 4);
    if (!row->c.by_dc && lock(&row->c, row->object, LOCK_READONLY, &row->memory))
        unlock(&row->c, row->object, &row->memory);
    draw_cell(row, 5);
    write_locked(row, row->c.flags, 3, 0, 6);
    draw_cell(row, 7);
}

/* Every driver shows, for the default pool, the data written last before the lock ended, even if the lock was
 * read-only. With NOOVERWRITE, draws from before the lock may show them too. */
static void check_row(const struct row *row, const uint32_t *pixels)
{
    const unsigned at = (row->y + LOCKS_CELL / 2) * WIDTH + LOCKS_CELL / 2;

    if (row->c.resource.pool != POOL_DEFAULT || row->c.flags & LOCK_NOOVERWRITE || !row->written)
        return;
    if (pixels[at] != (colors[0] & 0xffffff) || (row->locks && pixels[at + 2 * LOCKS_CELL] != (colors[2] & 0xffffff)))
        failed(__FILE__, __LINE__, "kind %u usage %lx format %lu flags %lx%s%s: %06x, then %06x",
               (unsigned)row->c.resource.kind, (unsigned long)row->c.resource.usage,
               (unsigned long)row->c.resource.format, (unsigned long)row->c.flags,
               row->c.by_dc ? " by a device context" : "", row->c.drawn_locked ? " drawn while locked" : "",
               (unsigned)pixels[at], (unsigned)pixels[at + 2 * LOCKS_CELL]);
}

static void begin_page(uint32_t rgb)
{
    api->set_viewport(device, 0, 0, WIDTH, HEIGHT);
    api->devices->clear(device, rgb);
    CHECK_HR(api->devices->begin_scene(device), S_OK);
}

static void show_page(void)
{
    CHECK_HR(api->devices->end_scene(device), S_OK);
    CHECK_HR(api->devices->present(device, NULL), S_OK);
    pump();
}

static void run_page(struct row *rows, unsigned count)
{
    uint32_t *pixels;

    begin_page(0x404040);
    for (unsigned i = 0; i < count; i++)
        first_frame(&rows[i]);
    pixels = api->devices->read(device);
    for (unsigned i = 0; pixels && i < count; i++)
        check_row(&rows[i], pixels);
    free(pixels);
    show_page();
    begin_page(0x202020);
    for (unsigned i = 0; i < count; i++)
        second_frame(&rows[i]);
    show_page();
    for (unsigned i = 0; i < count; i++)
        IUnknown_Release(rows[i].object);
}

static bool make_squares(void)
{
    static const struct resource_desc desc = {.kind = RESOURCE_VERTICES,
                                              .pool = POOL_MANAGED,
                                              .width = LOCKS_SQUARES * LOCKS_CORNERS * sizeof(struct locks_vertex)};
    struct resource_memory memory;

    CHECK_HR(api->resources->create(device, &desc, &squares), S_OK);
    if (!squares)
        return false;
    CHECK_HR(api->resources->lock(&desc, squares, 0, &memory), S_OK);
    for (unsigned i = 0; i < LOCKS_SQUARES; i++)
        write_square((struct locks_vertex *)(void *)memory.bits + i * LOCKS_CORNERS, i);
    api->resources->unlock(&desc, squares);
    return true;
}

void locks_run(const struct locks_api *version, void *with)
{
    struct row rows[ROWS] = {0};
    unsigned count = 0, cases = 0;
    struct locks_case c;

    api = version;
    device = with;
    if (!make_squares())
        return;
    for (unsigned number = 0; case_of(number, &c); number++) {
        IUnknown *object;

        if (!makes_sense(&c))
            continue;
        complete(&c.resource);
        object = create(&c);
        if (!object)
            continue;
        rows[count] = (struct row){.c = c, .object = object, .y = count * LOCKS_CELL};
        cases++;
        if (++count == ROWS) {
            run_page(rows, count);
            count = 0;
        }
    }
    run_page(rows, count);
    CHECK(cases > 200);
    IUnknown_Release(squares);
}
