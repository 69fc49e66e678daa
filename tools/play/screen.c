/* SPDX-License-Identifier: MIT */
/* Draws the contents of the window. */
#include "tools/play/screen.h"

#include "base/base.h"
#include "base/font.h"

#include <string.h>

#define HANDY_WIDTH  960 /* pixels of a window that is not asked to be larger */
#define HANDY_HEIGHT 720
#define LEAST_WIDTH  480 /* for the words */
#define LARGE_WIDTH  1000
#define MOST         16384
#define BAR          4
#define LINE         (FONT_HEIGHT + 3) /* dots */

#define BACKGROUND   0x00101018u
#define STRIP        0x00181c28u
#define BAR_DONE     0x004080e0u
#define BAR_LEFT     0x00303848u
#define INK          0x00e8e8f0u
#define KEY          0x00ffd060u

static unsigned letter_size(unsigned width)
{
    return width >= LARGE_WIDTH ? 2 : 1;
}

static unsigned strip_height(unsigned width)
{
    return BAR + letter_size(width) * (2 * LINE + 3);
}

struct play_layout play_layout_in(unsigned width, unsigned height, const struct player_picture *picture)
{
    struct play_layout layout = {.width = BASE_MIN(width, (unsigned)MOST), .height = BASE_MIN(height, (unsigned)MOST)};
    unsigned room;

    layout.letter = letter_size(layout.width);
    layout.strip = BASE_MIN(strip_height(layout.width), layout.height);
    layout.in = layout.out = 1;
    room = layout.height - layout.strip;
    if (!picture->pixels || !room || !layout.width)
        return layout;
    layout.in = BASE_MAX(1u, BASE_MIN(layout.width / picture->width, room / picture->height));
    while (picture->width > layout.width * layout.out || picture->height > room * layout.out)
        layout.out++;
    return layout;
}

void play_layout_size(const struct player_picture *picture, unsigned in, unsigned *width, unsigned *height)
{
    const unsigned w = picture->pixels ? picture->width : LEAST_WIDTH, h = picture->pixels ? picture->height : 240;

    if (!in)
        in = BASE_MAX(1u, BASE_MIN(HANDY_WIDTH / w, HANDY_HEIGHT / h));
    *width = BASE_MIN(BASE_MAX(w * in, (unsigned)LEAST_WIDTH), (unsigned)MOST);
    *height = BASE_MIN(h * in + strip_height(*width), (unsigned)MOST);
}

bool play_layout_pixel(const struct play_layout *layout, const struct player_picture *picture, int x, int y,
                       unsigned *pixel_x, unsigned *pixel_y)
{
    if (!picture->pixels || x < 0 || y < 0 || (unsigned)x >= layout->width ||
        (unsigned)y >= layout->height - layout->strip)
        return false;
    *pixel_x = (unsigned)x / layout->in * layout->out;
    *pixel_y = (unsigned)y / layout->in * layout->out;
    return *pixel_x < picture->width && *pixel_y < picture->height;
}

bool play_layout_bar(const struct play_layout *layout, int x, int y, double *share)
{
    const int top = (int)(layout->height - layout->strip);

    if (x < 0 || x >= (int)layout->width || y < top || y >= top + 2 * BAR)
        return false;
    *share = (double)x / (double)layout->width;
    return true;
}

static void fill(uint32_t *pixels, const struct play_layout *layout, unsigned left, unsigned top, unsigned width,
                 unsigned height, uint32_t color)
{
    for (unsigned y = top; y < BASE_MIN(top + height, layout->height); y++)
        for (unsigned x = left; x < BASE_MIN(left + width, layout->width); x++)
            pixels[(size_t)y * layout->width + x] = color;
}

static void draw_words(uint32_t *pixels, const struct play_layout *layout, unsigned left, unsigned top,
                       const char *text, uint32_t color)
{
    const unsigned dot = layout->letter;

    for (; *text && left < layout->width; text++, left += FONT_ADVANCE * dot) {
        const uint8_t *rows = font_glyph(*text);

        for (unsigned i = 0; rows && i < FONT_WIDTH * FONT_HEIGHT; i++)
            if (rows[i / FONT_WIDTH] >> (FONT_WIDTH - 1 - i % FONT_WIDTH) & 1)
                fill(pixels, layout, left + i % FONT_WIDTH * dot, top + i / FONT_WIDTH * dot, dot, dot, color);
    }
}

static void draw_picture(uint32_t *pixels, const struct play_layout *layout, const struct player_picture *picture)
{
    for (unsigned y = 0; y < layout->height - layout->strip; y++)
        for (unsigned x = 0; x < layout->width; x++) {
            unsigned px, py;

            if (play_layout_pixel(layout, picture, (int)x, (int)y, &px, &py))
                pixels[(size_t)y * layout->width + x] = picture->pixels[(size_t)py * picture->width + px] & 0xffffff;
        }
}

/* A fifth as bright, so that words can be read over any picture. */
static void darken(uint32_t *pixels, const struct play_layout *layout)
{
    for (size_t i = 0; i < (size_t)layout->width * (layout->height - layout->strip); i++) {
        const uint32_t p = pixels[i];

        pixels[i] = (p >> 16 & 255) / 5 << 16 | (p >> 8 & 255) / 5 << 8 | (p & 255) / 5;
    }
}

static void draw_table(uint32_t *pixels, const struct play_layout *layout, const struct play_words *words)
{
    const unsigned dot = layout->letter;

    darken(pixels, layout);
    for (unsigned i = 0; i < words->rows; i++) {
        draw_words(pixels, layout, 8 * dot, (4 + i * LINE) * dot, words->table[i][0], KEY);
        draw_words(pixels, layout, (8 + 13 * FONT_ADVANCE) * dot, (4 + i * LINE) * dot, words->table[i][1], INK);
    }
}

void play_screen_draw(uint32_t *pixels, const struct play_layout *layout, const struct player_picture *picture,
                      const struct play_words *words)
{
    const unsigned top = layout->height - layout->strip;

    fill(pixels, layout, 0, 0, layout->width, top, BACKGROUND);
    if (picture->pixels)
        draw_picture(pixels, layout, picture);
    if (words->table)
        draw_table(pixels, layout, words);
    fill(pixels, layout, 0, top, layout->width, layout->strip, STRIP);
    fill(pixels, layout, 0, top, layout->width, BAR, BAR_LEFT);
    fill(pixels, layout, 0, top, (unsigned)(BASE_MIN(BASE_MAX(words->share, 0.0), 1.0) * layout->width), BAR, BAR_DONE);
    for (unsigned i = 0; i < 2; i++)
        if (words->line[i])
            draw_words(pixels, layout, 4 * layout->letter, top + BAR + (3 + i * LINE) * layout->letter, words->line[i],
                       INK);
}
