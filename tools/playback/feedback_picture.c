/* SPDX-License-Identifier: MIT */
/*
 * Heat maps: a texture in grey, tinted by the finest level that was sampled at each place; parts that were not sampled
 * are dark. Below it the colours of the levels with their numbers.
 */
#include "tools/playback/feedback_picture.h"
#include "base/base.h"
#include "tools/playback/feedback_numbers.h"

#include <stdlib.h>
#include <string.h>

#define SMALLEST       256u /* pixels of a face's longer side, at least and at most (by whole factors) */
#define LARGEST        512u
#define LEGEND         20u /* pixels high */
#define SWATCH         24u
#define GAP            4u /* between faces, between slices */
#define SMALLEST_SLICE 64u
#define PAPER          0xffffffffu
#define INK            0xff202020u

/* Finest first: hot to cold, easy to tell apart on screen and in print. */
static const uint32_t colors[FEEDBACK_MAX_LEVELS] = {
    0xffd7191c, 0xfff58231, 0xffffe119, 0xff6fbf44, 0xff1fb5a8, 0xff3d85d6, 0xff4b3fc4, 0xff8e2bb4,
    0xffd64bc8, 0xfff5a3d7, 0xffb08060, 0xff808040, 0xff606060, 0xff909090, 0xffb0b0b0, 0xffd0d0d0,
};
static const uint32_t never_color = 0xff1b1d28;

/* 3x5 dots a character, bit 14 is the top left one. */
static const struct {
    char character;
    uint16_t dots;
} font[] = {
    {'0', 075557}, {'1', 026227}, {'2', 071747}, {'3', 071717}, {'4', 055711}, {'5', 074717}, {'6', 074757},
    {'7', 071244}, {'8', 075757}, {'9', 075717}, {'n', 006555}, {'e', 002564}, {'v', 005552}, {'r', 006544},
};

struct canvas {
    struct player_picture *picture;
    unsigned zoom_in, zoom_out; /* pixels a texel, texels a pixel; one of them is 1 */
};

static void picture_put(struct player_picture *picture, unsigned x, unsigned y, uint32_t color)
{
    if (x < picture->width && y < picture->height)
        picture->pixels[(size_t)y * picture->width + x] = color;
}

static void picture_fill(struct player_picture *picture, unsigned left, unsigned top, unsigned width, unsigned height,
                         uint32_t color)
{
    for (unsigned y = top; y < top + height; y++)
        for (unsigned x = left; x < left + width; x++)
            picture_put(picture, x, y, color);
}

/* Twice as large as the font; returns the position of the next character. */
static unsigned write_text(struct player_picture *picture, unsigned left, unsigned top, const char *text)
{
    for (; *text; text++, left += 8)
        for (unsigned i = 0; i < sizeof(font) / sizeof(font[0]); i++)
            for (unsigned dot = 0; dot < 15 && font[i].character == *text; dot++)
                if (font[i].dots >> (14 - dot) & 1)
                    picture_fill(picture, left + dot % 3 * 2, top + dot / 3 * 2, 2, 2, INK);
    return left;
}

/* --- colours ------------------------------------------------------------------------------------ */

static unsigned grey_of(uint32_t argb)
{
    return ((argb >> 16 & 255) * 77 + (argb >> 8 & 255) * 150 + (argb & 255) * 29) >> 8;
}

static uint32_t picture_mix(uint32_t color, unsigned grey, unsigned weight /* of the grey, 0..256 */)
{
    uint32_t out = 0xff000000u;

    for (unsigned shift = 0; shift < 24; shift += 8)
        out |= ((color >> shift & 255) * (256 - weight) + grey * weight) >> 8 << shift;
    return out;
}

static uint32_t tint(const struct feedback_texture *texture, unsigned face, unsigned x, unsigned y, unsigned z)
{
    const struct feedback_level *top = &texture->level[0];
    const unsigned level = feedback_finest(texture, face, x, y, z);
    const uint32_t *texels = texture->texels[face];
    const unsigned grey = texels ? grey_of(texels[((size_t)z * top->height + y) * top->width + x]) : 128;

    return level == FEEDBACK_NEVER ? picture_mix(never_color, grey, 40) : picture_mix(colors[level], grey, 110);
}

/* --- layout ----------------------------------------------------------------------------------------- */

static struct canvas choose_zoom(const struct feedback_texture *texture)
{
    const unsigned width = texture->level[0].width, height = texture->level[0].height;
    const unsigned side = width > height ? width : height, smallest = texture->is_volume ? SMALLEST_SLICE : SMALLEST;
    struct canvas c = {.zoom_in = 1, .zoom_out = 1};

    while (side * c.zoom_in < smallest)
        c.zoom_in *= 2;
    while (side / c.zoom_out > LARGEST)
        c.zoom_out *= 2;
    return c;
}

static unsigned zoomed(const struct canvas *c, unsigned texels)
{
    const unsigned pixels = texels * c->zoom_in / c->zoom_out;

    return pixels ? pixels : 1;
}

/* Cells of a row: all faces are in one row, slices form about a square. */
static unsigned cells_across(const struct feedback_texture *texture)
{
    unsigned across = 1;

    while (texture->is_volume && across * across < texture->level[0].slices)
        across++;
    return texture->is_volume ? across : texture->faces;
}

static void draw_cell(const struct canvas *c, const struct feedback_texture *texture, unsigned face, unsigned z,
                      unsigned left, unsigned top)
{
    const unsigned width = zoomed(c, texture->level[0].width), height = zoomed(c, texture->level[0].height);

    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < width; x++)
            picture_put(c->picture, left + x, top + y,
                        tint(texture, face, x * c->zoom_out / c->zoom_in, y * c->zoom_out / c->zoom_in, z));
}

static void draw_legend(struct player_picture *picture, const struct feedback_texture *texture, unsigned top)
{
    unsigned x = GAP;

    for (unsigned l = 0; l < texture->levels; l++) {
        char number[12] = {(char)(l < 10 ? '0' + l : '1'), (char)(l < 10 ? 0 : '0' + l - 10)};

        picture_fill(picture, x, top + 5, 10, 10, colors[l]);
        write_text(picture, x + 13, top + 5, number);
        x += SWATCH + (l < 10 ? 0 : 8);
    }
    picture_fill(picture, x, top + 5, 10, 10, never_color);
    write_text(picture, x + 13, top + 5, "never");
}

static unsigned legend_width(const struct feedback_texture *texture)
{
    return GAP + texture->levels * (SWATCH + 4) + 60;
}

bool feedback_picture(const struct feedback_texture *texture, struct player_picture *picture)
{
    struct canvas c = choose_zoom(texture);
    const unsigned width = zoomed(&c, texture->level[0].width), height = zoomed(&c, texture->level[0].height);
    const unsigned slices = texture->level[0].slices, cells = texture->faces * slices, across = cells_across(texture);
    const unsigned all = across * (width + GAP) - GAP, legend = legend_width(texture);
    const unsigned bottom = (cells + across - 1) / across * (height + GAP) - GAP;

    picture->width = all > legend ? all : legend;
    picture->height = bottom + LEGEND;
    picture->pixels = mem_calloc((size_t)picture->width * picture->height, sizeof(uint32_t));
    if (!picture->pixels)
        return false;
    c.picture = picture;
    picture_fill(picture, 0, 0, picture->width, picture->height, PAPER);
    for (unsigned i = 0; i < cells; i++)
        draw_cell(&c, texture, i / slices, i % slices, i % across * (width + GAP), i / across * (height + GAP));
    draw_legend(picture, texture, bottom);
    return true;
}
