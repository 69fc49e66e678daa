/* SPDX-License-Identifier: MIT */
/* Figures over the picture in the window (HALCYON_HUD). */
#include "runtime/common/window/hud.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "base/font.h"

#define AVERAGE_SECONDS 0.5

#define LINE_HEIGHT     (FONT_HEIGHT + 3)
#define MARGIN          4
#define GRAPH_HEIGHT    40
#define GRAPH_TOP       0.05f /* seconds at the upper edge of the graph */
#define GRAPH_LINE      (1.0f / 60)

#define WHITE           0xffffffu
#define GREEN           0x60ff60u
#define RED             0xff6040u
#define GREY            0x808080u

/* --- letters --------------------------------------------------------------------------------- */

static void set_pixel(const struct rt_picture *p, unsigned x, unsigned y, uint32_t rgb)
{
    if (x < p->width && y < p->height)
        rt_pixel_set(p->bits + y * p->pitch + (size_t)x * rt_picture_bytes(p->format), p->format, rgb);
}

/* Half as bright, so that figures can be read over any picture. */
static void darken(const struct rt_picture *p, unsigned x0, unsigned y0, unsigned width, unsigned height)
{
    unsigned bytes = rt_picture_bytes(p->format);

    for (unsigned y = y0; y < y0 + height && y < p->height; y++) {
        for (unsigned x = x0; x < x0 + width && x < p->width; x++) {
            uint8_t *pixel = p->bits + y * p->pitch + (size_t)x * bytes;
            rt_pixel_set(pixel, p->format, rt_pixel_rgb(pixel, p->format) >> 1 & 0x7f7f7f);
        }
    }
}

static void draw_glyph(const struct rt_picture *p, unsigned x, unsigned y, char letter, uint32_t rgb)
{
    const uint8_t *rows = font_glyph(letter);

    for (unsigned i = 0; rows && i < FONT_WIDTH * FONT_HEIGHT; i++)
        if (rows[i / FONT_WIDTH] >> (FONT_WIDTH - 1 - i % FONT_WIDTH) & 1)
            set_pixel(p, x + i % FONT_WIDTH, y + i / FONT_WIDTH, rgb);
}

static void draw_text(const struct rt_picture *p, unsigned x, unsigned y, const char *text, uint32_t rgb)
{
    for (; *text; text++, x += FONT_ADVANCE)
        draw_glyph(p, x, y, *text, rgb);
}

/* --- which ------------------------------------------------------------------------------------- */

/* FNV-1a: one message for each word. */
static uint32_t hash_of(const char *word, size_t length)
{
    uint32_t hash = 2166136261u;

    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)word[i]) * 16777619u;
    return hash;
}

unsigned rt_hud_parse(const char *text)
{
    static const struct {
        const char *word;
        unsigned items;
    } words[] = {{"1", RT_HUD_FPS},
                 {"fps", RT_HUD_FPS},
                 {"frametimes", RT_HUD_FRAMETIMES},
                 {"draws", RT_HUD_DRAWS},
                 {"pixels", RT_HUD_PIXELS},
                 {"triangles", RT_HUD_TRIANGLES},
                 {"full", 2 * RT_HUD_CODE - 1},
                 {"threads", RT_HUD_THREADS},
                 {"frame", RT_HUD_FRAME},
                 {"code", RT_HUD_CODE},
                 {"0", 0}};
    unsigned items = 0;

    while (*text) {
        size_t length = strcspn(text, ", "), i;
        for (i = 0; i < ARRAY_COUNT(words); i++)
            if (strlen(words[i].word) == length && !memcmp(words[i].word, text, length))
                break;
        if (i < ARRAY_COUNT(words))
            items |= words[i].items;
        else if (length)
            log_once(LOG_WARN, hash_of(text, length), "hud: %.*s is not known", (int)length, text);
        text += length + (text[length] != 0);
    }
    return items;
}

unsigned rt_hud_items(void)
{
    return rt_hud_parse(config_string("hud"));
}

/* --- figures ------------------------------------------------------------------------------------- */

/* 999, 12.3K, 4.56M */
static void number(char *out, size_t size, double value)
{
    if (value < 1000)
        snprintf(out, size, "%.0f", value);
    else if (value < 1e6)
        snprintf(out, size, "%.1fK", value / 1e3);
    else
        snprintf(out, size, "%.2fM", value / 1e6);
}

static void add_count(struct rt_hud *hud, const char *name, uint64_t now, uint64_t then)
{
    char value[16];

    number(value, sizeof(value), now > then ? (double)(now - then) / hud->frames : 0);
    snprintf(hud->lines[hud->line_count++], sizeof(hud->lines[0]), "%s %s", name, value);
}

/* CODE 97% 12/34.5K 0.3 MS: share of machine code, programs and their bytes, and milliseconds per frame spent on
 * making them. */
static void add_code(struct rt_hud *hud, const HALCYON_CODE *now, const HALCYON_CODE *then)
{
    const double uses = now->uses > then->uses ? (double)(now->uses - then->uses) : 0;
    const double generated = now->generated > then->generated ? (double)(now->generated - then->generated) : 0;
    const double busy = now->busy > then->busy ? (double)(now->busy - then->busy) : 0;
    char bytes[16];

    number(bytes, sizeof(bytes), now->bytes);
    snprintf(hud->lines[hud->line_count++], sizeof(hud->lines[0]), "CODE %.0f%% %u/%s %.1f MS",
             uses > 0 ? 100 * generated / uses : 0.0, (unsigned)now->programs, bytes, busy * 1e-6 / hud->frames);
}

static void make_lines(struct rt_hud *hud, unsigned items, const struct rt_hud_counts *counts, double seconds)
{
    hud->line_count = 0;
    if (items & RT_HUD_FPS)
        snprintf(hud->lines[hud->line_count++], sizeof(hud->lines[0]), "%.1f FPS %.1f MS", hud->frames / seconds,
                 1000 * seconds / hud->frames);
    if (items & RT_HUD_DRAWS)
        add_count(hud, "DRAWS", counts->draws, hud->start.draws);
    if (items & RT_HUD_TRIANGLES)
        add_count(hud, "TRIANGLES", counts->triangles, hud->start.triangles);
    if (items & RT_HUD_PIXELS)
        add_count(hud, "PIXELS", counts->pixels, hud->start.pixels);
    if (items & RT_HUD_THREADS)
        snprintf(hud->lines[hud->line_count++], sizeof(hud->lines[0]), "THREADS %.1f/%u",
                 BASE_MAX(counts->busy - hud->start.busy, 0.0) / seconds, counts->threads);
    if (items & RT_HUD_CODE)
        add_code(hud, &counts->code, &hud->start.code);
}

/* Capital letters only: that is what the font has. */
static void make_frame_lines(struct rt_hud *hud, unsigned items, const struct rt_hud_counts *counts)
{
    hud->frame_line[0] = hud->capture_line[0] = 0;
    if (items & RT_HUD_FRAME)
        snprintf(hud->frame_line, sizeof(hud->frame_line), "FRAME %u", (unsigned)counts->frame);
    if (!strcmp(counts->capture, RT_HUD_CAPTURING))
        snprintf(hud->capture_line, sizeof(hud->capture_line), "%s", counts->capture);
    else if (items & RT_HUD_FRAME && counts->capture[0])
        snprintf(hud->capture_line, sizeof(hud->capture_line), "%s CAPTURES", counts->capture);
    for (char *at = hud->capture_line; *at; at++)
        *at = (char)toupper((unsigned char)*at);
}

void rt_hud_update(struct rt_hud *hud, unsigned items, const struct rt_hud_counts *counts, double now)
{
    if (hud->last != 0) {
        hud->times[hud->next_time] = (float)(now - hud->last);
        hud->next_time = (hud->next_time + 1) % RT_HUD_TIMES;
        hud->frames++;
    } else {
        hud->since = now;
        hud->start = *counts;
    }
    hud->last = now;
    make_frame_lines(hud, items, counts);
    /* the first figures come at once, later ones when they can be read */
    if (hud->frames && (now - hud->since >= AVERAGE_SECONDS || !hud->line_count)) {
        make_lines(hud, items, counts, BASE_MAX(now - hud->since, 1e-6));
        hud->since = now;
        hud->frames = 0;
        hud->start = *counts;
    }
}

/* The newest frame at the right; frames beyond the line of 60 a second are red. */
static void draw_graph(const struct rt_hud *hud, const struct rt_picture *p, unsigned top)
{
    const unsigned bottom = top + GRAPH_HEIGHT;

    darken(p, 0, top, RT_HUD_TIMES + 2 * MARGIN, GRAPH_HEIGHT + MARGIN);
    for (unsigned i = 0; i < RT_HUD_TIMES; i++) {
        float seconds = hud->times[(hud->next_time + i) % RT_HUD_TIMES];
        unsigned height = (unsigned)(BASE_MIN(seconds, GRAPH_TOP) / GRAPH_TOP * GRAPH_HEIGHT + 0.5f);
        for (unsigned y = 0; y < height; y++)
            set_pixel(p, MARGIN + i, bottom - 1 - y, seconds > GRAPH_LINE ? RED : GREEN);
        set_pixel(p, MARGIN + i, bottom - (unsigned)(GRAPH_LINE / GRAPH_TOP * GRAPH_HEIGHT), GREY);
    }
}

void rt_hud_draw(const struct rt_hud *hud, unsigned items, const struct rt_picture *picture)
{
    const bool capturing = !strcmp(hud->capture_line, RT_HUD_CAPTURING);
    const char *lines[ARRAY_COUNT(hud->lines) + 2];
    unsigned count = 0, longest = 0, y = MARGIN;

    for (unsigned i = 0; i < hud->line_count; i++)
        lines[count++] = hud->lines[i];
    if (hud->frame_line[0])
        lines[count++] = hud->frame_line;
    if (hud->capture_line[0])
        lines[count++] = hud->capture_line;
    for (unsigned i = 0; i < count; i++)
        longest = BASE_MAX(longest, (unsigned)strlen(lines[i]));
    if (longest)
        darken(picture, 0, 0, longest * FONT_ADVANCE + 2 * MARGIN, count * LINE_HEIGHT + MARGIN);
    for (unsigned i = 0; i < count; i++, y += LINE_HEIGHT)
        draw_text(picture, MARGIN, y, lines[i], capturing && lines[i] == hud->capture_line ? RED : WHITE);
    if (items & RT_HUD_FRAMETIMES)
        draw_graph(hud, picture, y);
}
