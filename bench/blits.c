/* SPDX-License-Identifier: MIT */
/*
 * Sprites of 32x32 and pictures of 640x480, with and without a source key, through the callback that a runtime calls.
 * Half of the texels have the key, in runs as in a picture.
 */
#include "bench/blits.h"

#include "bench/child.h"
#include "client/client.h"
#include "d3d/halcyon.h"

#include <stdio.h>
#include <string.h>

#define NAME        "blits" /* of the rows on the command line */
#define WIDTH       640
#define HEIGHT      480
#define SPRITE      32
#define SPRITE_MARK 1e6 /* keyed sprites a second, at least */
#define KEY_MARK    1.5 /* times as long as a plain copy, at most */
#define KEY         0x1fu

static const struct {
    const char *name;
    uint32_t format;
    unsigned bytes;
} formats[] = {{"P8", D3DFMT_P8, 1}, {"R5G6B5", D3DFMT_R5G6B5, 2}, {"X8R8G8B8", D3DFMT_X8R8G8B8, 4}};

#define FORMATS ARRAY_COUNT(formats)

enum { SPRITES, KEYED_SPRITES, PICTURES, KEYED_PICTURES, KINDS };

struct rates {
    double seconds;                /* for each measurement */
    double second[FORMATS][KINDS]; /* blits in one; 0: failed */
};

static struct client_surface *make(struct client *client, uint32_t format, unsigned width, unsigned height,
                                   struct client_chain **chain)
{
    const struct client_chain_desc desc = {.format = format, .width = width, .height = height};

    return SUCCEEDED(client_chain_create(client, &desc, chain)) ? client_part(*chain, 0) : NULL;
}

static bool fill_with_runs(struct client_surface *surface, unsigned bytes)
{
    struct client_lock lock;

    if (FAILED(client_lock(surface, NULL, 0, &lock)))
        return false;
    for (unsigned y = 0; y < surface->height; y++)
        for (unsigned x = 0; x < surface->width; x++) {
            const uint32_t texel = (x + 3 * y) % 32 < 16 ? KEY : 0x2a + x;

            memcpy(lock.bits + y * lock.pitch + (size_t)x * bytes, &texel, bytes);
        }
    return SUCCEEDED(client_unlock(surface));
}

/* Blits a second; 0: one failed. */
static double rate(struct client_surface *to, struct client_surface *from, bool keyed, double seconds)
{
    const double start = bench_seconds(1);
    double now = start;
    uint64_t count = 0;

    while (now - start < seconds || !count) {
        for (unsigned i = 0; i < 64; i++) {
            const LONG x = (LONG)(i * 37 % (to->width - from->width + 1));
            const LONG y = (LONG)(i * 53 % (to->height - from->height + 1));
            const RECT place = {x, y, x + (LONG)from->width, y + (LONG)from->height};

            if (FAILED(client_blt(to, &place, from, NULL, keyed ? DDBLT_KEYSRC : 0)))
                return 0;
        }
        count += 64;
        now = bench_seconds(1);
    }
    return (double)count / (now - start);
}

static void measure_format(struct client *client, unsigned format, struct rates *rates)
{
    struct client_chain *screen = NULL, *sprite = NULL, *picture = NULL;
    struct client_surface *to = make(client, formats[format].format, WIDTH, HEIGHT, &screen);
    struct client_surface *tiny = make(client, formats[format].format, SPRITE, SPRITE, &sprite);
    struct client_surface *whole = make(client, formats[format].format, WIDTH, HEIGHT, &picture);

    for (unsigned kind = 0; to && tiny && whole && kind < KINDS; kind++) {
        struct client_surface *from = kind < PICTURES ? tiny : whole;

        if (fill_with_runs(from, formats[format].bytes) && SUCCEEDED(client_set_color_key(from, DDCKEY_SRCBLT, KEY)))
            rates->second[format][kind] = rate(to, from, kind % 2, rates->seconds);
    }
    client_chain_destroy(picture);
    client_chain_destroy(sprite);
    client_chain_destroy(screen);
}

static void measure(void *result)
{
    struct client_driver driver;
    struct client *client;

    if (FAILED(client_driver_init(&driver, HalcyonDriverInit)))
        return;
    client = client_create(&driver);
    for (unsigned i = 0; client && i < FORMATS; i++)
        measure_format(client, i, result);
    if (client)
        client_destroy(client);
    client_driver_close(&driver);
}

static bool print_format(unsigned format, const double *second)
{
    const double cost = second[KEYED_PICTURES] ? second[PICTURES] / second[KEYED_PICTURES] : 0;
    const bool fast = second[KEYED_SPRITES] >= SPRITE_MARK, cheap = cost && cost <= KEY_MARK;

    printf("%-10s %10.2f %10.2f %-7s %10.0f %10.0f %6.2fx %s\n", formats[format].name, second[SPRITES] / 1e6,
           second[KEYED_SPRITES] / 1e6, fast ? "met" : "MISSED", second[PICTURES], second[KEYED_PICTURES], cost,
           cheap ? "met" : "MISSED");
    return fast && cheap;
}

bool bench_blits(enum cpu_level level, double seconds)
{
    struct rates rates = {.seconds = seconds};
    bool good = true;

    if (!bench_is_wanted(NAME))
        return true;
    if (!bench_in_child(level, 1, measure, &rates, sizeof(rates)))
        return false;
    printf("\nBlits a second, 1 thread: millions of sprites of %ux%u (mark: %.0f), pictures of %ux%u (mark: %.1fx).\n\n"
           "%-10s %10s %10s %-7s %10s %10s\n",
           SPRITE, SPRITE, SPRITE_MARK / 1e6, WIDTH, HEIGHT, KEY_MARK, "format", "sprites", "keyed", "", "pictures",
           "keyed");
    for (unsigned i = 0; i < FORMATS; i++)
        good &= print_format(i, rates.second[i]);
    return good;
}
