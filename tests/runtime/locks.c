/* SPDX-License-Identifier: MIT */
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

static const DWORD colors[LOCKS_SQUARES] = {0xffff0000, 0xff00ff00, 0xff0000ff, 0xffffff00, 0xffffffff};

void locks_square(struct locks_vertex corners[LOCKS_CORNERS], unsigned color)
{
    for (unsigned i = 0; i < LOCKS_CORNERS; i++)
        corners[i] = (struct locks_vertex){i & 1 ? 1.0f : -1.0f, i & 2 ? -1.0f : 1.0f, 0.5f, colors[color]};
}

/* --- cases -------------------------------------------------------------------------------------- */

static bool is_buffer(enum locks_kind kind)
{
    return kind == LOCKS_VERTICES || kind == LOCKS_INDICES;
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

/* The case of a number; false: there is none with so high a number. */
static bool case_of(unsigned number, struct locks_case *c)
{
    const unsigned f = number % COUNT(flags);

    number /= COUNT(flags);
    c->flags = flags[f];
    c->by_dc = f == COUNT(flags) - 1;
    c->drawn_locked = number % 2;
    number /= 2;
    c->pool = pools[number % COUNT(pools)];
    number /= COUNT(pools);
    c->usage = usages[number % COUNT(usages)];
    number /= COUNT(usages);
    c->format = formats[number % COUNT(formats)];
    number /= COUNT(formats);
    c->kind = (enum locks_kind)number;
    return number < LOCKS_KINDS;
}

/* Is it one that differs from the others? */
static bool makes_sense(const struct locks_case *c)
{
    if (is_buffer(c->kind))
        return c->format == FORMAT_A8R8G8B8 && !c->by_dc;
    if (c->usage & USAGE_WRITEONLY || (c->kind == LOCKS_VOLUME && c->by_dc))
        return false;
    if (c->kind == LOCKS_TARGET || c->kind == LOCKS_BACK)
        return c->pool == POOL_DEFAULT && !c->usage && c->format == FORMAT_X8R8G8B8;
    return c->kind != LOCKS_PLAIN || !c->usage;
}

/* --- writing ------------------------------------------------------------------------------------- */

static void write_buffer(const struct locks_case *c, const struct locks_memory *memory, unsigned color)
{
    if (c->kind == LOCKS_VERTICES) {
        locks_square((struct locks_vertex *)(void *)memory->bits, color);
        return;
    }
    for (unsigned i = 0; i < 6; i++) {
        const uint16_t index = (uint16_t)(color * LOCKS_CORNERS + (i < 3 ? i : 6 - i));
        memcpy(memory->bits + i * sizeof(index), &index, sizeof(index));
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
    const unsigned bytes = c->format == FORMAT_R5G6B5 ? 2 : 4;

    if (memory->dc) {
        const RECT area = {(LONG)x, (LONG)y, (LONG)(x + size), (LONG)(y + size)};
        HBRUSH brush = CreateSolidBrush(RGB(colors[color] >> 16 & 255, colors[color] >> 8 & 255, colors[color] & 255));
        FillRect(memory->dc, &area, brush);
        DeleteObject(brush);
        return;
    }
    for (unsigned z = 0; z < (c->kind == LOCKS_VOLUME ? 2u : 1u); z++)
        for (unsigned v = 0; v < size; v++)
            for (unsigned u = 0; u < size; u++)
                write_texel(memory->bits + z * memory->slice_pitch + (y + v) * memory->pitch + (x + u) * bytes,
                            c->format, colors[color]);
}

/* The whole resource; of the back buffer a cell. */
static void write_color(const struct locks_case *c, const struct locks_memory *memory, unsigned color, unsigned x,
                        unsigned y)
{
    if (is_buffer(c->kind))
        write_buffer(c, memory, color);
    else if (c->kind == LOCKS_BACK)
        write_picture(c, memory, color, x, y, LOCKS_CELL);
    else
        write_picture(c, memory, color, 0, 0, LOCKS_TEXELS);
}

/* --- a page of cases -------------------------------------------------------------------------------- */

struct row {
    struct locks_case c;
    void *object;
    struct locks_memory memory; /* of the last lock */
    unsigned y;
    bool written; /* the API locks it */
    bool locks;   /* and takes the case's flags */
};

static void draw_cell(const struct locks_api *api, const struct row *row, unsigned cell)
{
    if (row->c.kind != LOCKS_BACK)
        api->draw(&row->c, row->object, cell * LOCKS_CELL, row->y);
}

/* One lock: writes, draws if the case does, writes again. */
static bool write_locked(const struct locks_api *api, struct row *row, DWORD lock_flags, unsigned first,
                         unsigned second, unsigned cell)
{
    if (!api->lock(&row->c, row->object, lock_flags, &row->memory))
        return false;
    write_color(&row->c, &row->memory, first, cell * LOCKS_CELL, row->y);
    if (row->c.drawn_locked && !row->c.by_dc)
        draw_cell(api, row, cell);
    write_color(&row->c, &row->memory, second, (cell + 1) * LOCKS_CELL, row->y);
    api->unlock(&row->c, row->object, &row->memory);
    return true;
}

/* Cell 0: what an ordinary lock wrote. 1: drawn while locked. 2: after the case's own lock. 3, of buffers: written through the
 * pointer of a lock that has ended. */
static void first_frame(const struct locks_api *api, struct row *row)
{
    struct locks_case plain = row->c;

    plain.by_dc = false;
    if (api->lock(&plain, row->object, 0, &row->memory)) {
        write_color(&plain, &row->memory, 0, 0, row->y);
        api->unlock(&plain, row->object, &row->memory);
        row->written = true;
    }
    draw_cell(api, row, 0);
    row->locks = write_locked(api, row, row->c.flags, 1, 2, 1);
    draw_cell(api, row, 2);
    if (!is_buffer(row->c.kind) || !row->locks)
        return;
    row->locks = write_locked(api, row, row->c.flags, 2, 2, 1);
    write_buffer(&row->c, &row->memory, 3);
    draw_cell(api, row, 3);
}

/* Another frame: 4, of buffers: written through the old pointer; 5: locked for reading, and read; 6: written once more. */
static void second_frame(const struct locks_api *api, struct row *row)
{
    if (is_buffer(row->c.kind) && row->locks)
        write_buffer(&row->c, &row->memory, 4);
    draw_cell(api, row, 4);
    if (!row->c.by_dc && api->lock(&row->c, row->object, LOCK_READONLY, &row->memory))
        api->unlock(&row->c, row->object, &row->memory);
    draw_cell(api, row, 5);
    write_locked(api, row, row->c.flags, 3, 0, 6);
    draw_cell(api, row, 7);
}

/* What every driver shows of the default pool: what was written last before the lock ended, though the lock promised to read
 * only. With NOOVERWRITE draws from before the lock may show it too. */
static void check_row(const struct row *row, const uint32_t *pixels)
{
    const unsigned at = (row->y + LOCKS_CELL / 2) * WIDTH + LOCKS_CELL / 2;

    if (row->c.pool != POOL_DEFAULT || row->c.flags & LOCK_NOOVERWRITE || !row->written)
        return;
    if (pixels[at] != (colors[0] & 0xffffff) || (row->locks && pixels[at + 2 * LOCKS_CELL] != (colors[2] & 0xffffff)))
        failed(__FILE__, __LINE__, "kind %u usage %lx format %lu flags %lx%s%s: %06x, then %06x", (unsigned)row->c.kind,
               (unsigned long)row->c.usage, (unsigned long)row->c.format, (unsigned long)row->c.flags,
               row->c.by_dc ? " by a device context" : "", row->c.drawn_locked ? " drawn while locked" : "",
               (unsigned)pixels[at], (unsigned)pixels[at + 2 * LOCKS_CELL]);
}

static void run_page(const struct locks_api *api, struct row *rows, unsigned count)
{
    uint32_t *pixels;

    api->clear(0x404040);
    for (unsigned i = 0; i < count; i++)
        first_frame(api, &rows[i]);
    pixels = api->read();
    for (unsigned i = 0; pixels && i < count; i++)
        check_row(&rows[i], pixels);
    free(pixels);
    api->show();
    api->clear(0x202020);
    for (unsigned i = 0; i < count; i++)
        second_frame(api, &rows[i]);
    api->show();
    for (unsigned i = 0; i < count; i++)
        api->release(&rows[i].c, rows[i].object);
}

void locks_run(const struct locks_api *api)
{
    struct row rows[ROWS] = {0};
    unsigned count = 0, cases = 0;
    struct locks_case c;

    for (unsigned number = 0; case_of(number, &c); number++) {
        void *object = makes_sense(&c) ? api->create(&c) : NULL;
        if (!object)
            continue;
        rows[count] = (struct row){.c = c, .object = object, .y = count * LOCKS_CELL};
        cases++;
        if (++count == ROWS) {
            run_page(api, rows, count);
            count = 0;
        }
    }
    run_page(api, rows, count);
    CHECK(cases > 200);
}
