/* SPDX-License-Identifier: MIT */
/* The contact sheet of dp2 textures. */
#include "tools/debug/textures_sheet.h"

#include "base/base.h"

#include <stdlib.h>

#define CELL    96 /* pixels, of the picture in it */
#define GAP     8
#define LABEL   14
#define COLUMNS 8
#define DIGIT   2 /* pixels of a dot of a digit */

/* 3x5 dots a digit, rows from the top, the left dot highest. */
static const uint16_t digits[10] = {075557, 026227, 071747, 071717, 055711, 074717, 074757, 071111, 075757, 075717};

static void sheet_digit(struct player_picture *sheet, unsigned left, unsigned top, unsigned digit)
{
    for (unsigned y = 0; y < 5 * DIGIT; y++)
        for (unsigned x = 0; x < 3 * DIGIT; x++)
            if (digits[digit] >> (14 - (y / DIGIT * 3 + x / DIGIT)) & 1)
                sheet->pixels[(size_t)(top + y) * sheet->width + left + x] = 0xffe0e0e0;
}

static void sheet_number(struct player_picture *sheet, unsigned left, unsigned top, uint32_t number)
{
    unsigned digit[10], count = 0;

    do {
        digit[count++] = number % 10;
        number /= 10;
    } while (number);
    for (unsigned i = 0; i < count; i++)
        sheet_digit(sheet, left + i * 4 * DIGIT, top, digit[count - 1 - i]);
}

/* The mean of a rectangle of texels over squares, which show alpha. */
static uint32_t sheet_pixel(const struct inspect_level *level, unsigned x0, unsigned x1, unsigned y0, unsigned y1,
                            uint32_t behind)
{
    uint64_t sum[4] = {0};
    const uint64_t count = (uint64_t)(x1 - x0) * (y1 - y0);
    uint32_t pixel = 0xff;

    for (unsigned y = y0; y < y1; y++)
        for (unsigned x = x0; x < x1; x++)
            for (unsigned c = 0; c < 4; c++)
                sum[c] += level->pixels[(size_t)y * level->width + x] >> 8 * c & 255;
    const uint32_t alpha = (uint32_t)(sum[3] / count);

    for (unsigned c = 3; c-- > 0;)
        pixel = pixel << 8 | ((uint32_t)(sum[c] / count) * alpha + behind * (255 - alpha)) / 255;
    return pixel;
}

static void sheet_picture(struct player_picture *sheet, unsigned left, unsigned top, const struct inspect_level *level)
{
    const unsigned longest = BASE_MAX(level->width, level->height);
    unsigned width = level->width, height = level->height;

    if (longest > CELL) {
        width = BASE_MAX(width * CELL / longest, 1u);
        height = BASE_MAX(height * CELL / longest, 1u);
    } else { /* small ones by whole factors */
        width *= CELL / longest;
        height *= CELL / longest;
    }
    for (unsigned y = 0; y < height; y++) {
        for (unsigned x = 0; x < width; x++) {
            const unsigned x0 = (unsigned)((uint64_t)x * level->width / width);
            const unsigned y0 = (unsigned)((uint64_t)y * level->height / height);
            const unsigned x1 = (unsigned)((uint64_t)(x + 1) * level->width / width);
            const unsigned y1 = (unsigned)((uint64_t)(y + 1) * level->height / height);
            const uint32_t behind = (x / 8 + y / 8) % 2 ? 0x90 : 0x70;

            sheet->pixels[(size_t)(top + y) * sheet->width + left + x] =
                sheet_pixel(level, x0, BASE_MAX(x1, x0 + 1), y0, BASE_MAX(y1, y0 + 1), behind);
        }
    }
}

bool textures_sheet(struct inspect *session, const struct inspect_textures *textures, struct player_picture *sheet)
{
    const size_t rows = (textures->count + COLUMNS - 1) / COLUMNS;
    const size_t height = rows * (CELL + LABEL + GAP) + GAP;
    struct capture_error error = {0};
    size_t shown = 0;

    *sheet = (struct player_picture){.width = COLUMNS * (CELL + GAP) + GAP};
    sheet->pixels = mem_calloc(sheet->width * height, sizeof(*sheet->pixels));
    if (!sheet->pixels || height > INT32_MAX)
        return false;
    for (size_t i = 0; i < sheet->width * height; i++)
        sheet->pixels[i] = 0xff202020;
    for (size_t i = 0; i < textures->count; i++) {
        const unsigned left = GAP + (unsigned)(shown % COLUMNS) * (CELL + GAP);
        const unsigned top = GAP + (unsigned)(shown / COLUMNS) * (CELL + LABEL + GAP);
        struct inspect_level level;

        if (inspect_texture_level(session, &textures->list[i], 0, 0, 0, &level, &error) && level.pixels) {
            sheet_picture(sheet, left, top, &level);
            sheet_number(sheet, left, top + CELL + 2, textures->list[i].surface);
            shown++;
        }
        inspect_level_free(&level);
        if (inspect_lacks_memory(&error))
            return false;
    }
    sheet->height = (unsigned)((shown + COLUMNS - 1) / COLUMNS * (CELL + LABEL + GAP)) + GAP;
    return true;
}
