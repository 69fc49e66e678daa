/* SPDX-License-Identifier: MIT */
/* dp2 coverage: points from text, coverage as text. */
#include "tools/coverage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool coverage_parse_point(const char *text, const char **end, float position[4])
{
    position[2] = 0.0f;
    position[3] = 1.0f;
    for (unsigned i = 0; i < 4; i++) {
        char *stop;

        if (*text == ' ' || *text == '\t' || *text == '\n')
            return false;
        position[i] = strtof(text, &stop);
        if (stop == text || !isfinite(position[i]))
            return false;
        text = stop;
        if (*text != ',' || i == 3) {
            *end = text;
            return i > 0 && *text != ',';
        }
        text++;
    }
    return false;
}

bool coverage_parse_line(const char *line, struct coverage_primitive *primitive)
{
    primitive->corners = 0;
    for (;;) {
        line += strspn(line, " \t\r\n");
        if (!*line)
            return primitive->corners > 0;
        if (primitive->corners == 3 || !coverage_parse_point(line, &line, primitive->position[primitive->corners]))
            return false;
        if (*line && !strchr(" \t\r\n", *line))
            return false;
        primitive->corners++;
    }
}

void coverage_ascii(FILE *file, const struct coverage_canvas *canvas)
{
    static const char digits[] = ".123456789abcdefg";
    const struct coverage_settings *s = canvas->settings;

    for (unsigned y = 0; y < s->height; y++) {
        for (unsigned x = 0; x < s->width; x++) {
            uint32_t mask = coverage_samples(canvas, x, y);
            char c = digits[__builtin_popcount(mask)];

            if (s->samples == 1)
                c = mask ? '#' : '.';
            if (mask && coverage_inner(canvas, x, y))
                c = '@';
            putc(c, file);
        }
        putc('\n', file);
    }
}

/* --- JSON ------------------------------------------------------------------------------------- */

/* Numbers up to 65535 without the weight of printf: a million answers take seconds. */
static char *put_number(char *p, unsigned v)
{
    char digits[8];
    unsigned n = 0;

    do {
        digits[n++] = (char)('0' + v % 10);
        v /= 10;
    } while (v);
    while (n)
        *p++ = digits[--n];
    return p;
}

enum list { LIST_COVERED, LIST_INNER, LIST_MASKS };

static void put_list(FILE *file, const struct coverage_canvas *canvas, enum list list)
{
    const struct coverage_settings *s = canvas->settings;
    char text[32];
    bool first = true;

    putc_unlocked('[', file);
    for (unsigned y = 0; y < s->height; y++) {
        for (unsigned x = 0; x < s->width; x++) {
            uint32_t mask = coverage_samples(canvas, x, y);
            char *p = text;

            if (!mask || (list == LIST_INNER && !coverage_inner(canvas, x, y)))
                continue;
            if (!first)
                *p++ = ',';
            first = false;
            if (list == LIST_MASKS) {
                p = put_number(p, mask);
            } else {
                *p++ = '[';
                p = put_number(p, x);
                *p++ = ',';
                p = put_number(p, y);
                *p++ = ']';
            }
            fwrite(text, 1, (size_t)(p - text), file);
        }
    }
    putc_unlocked(']', file);
}

void coverage_json(FILE *file, const struct coverage_canvas *canvas)
{
    const struct coverage_settings *s = canvas->settings;

    fprintf(file, "{\"viewport\":[%u,%u],\"covered\":", s->width, s->height);
    put_list(file, canvas, LIST_COVERED);
    fputs(",\"inner\":", file);
    put_list(file, canvas, LIST_INNER);
    fprintf(file, ",\"samples\":%u", s->samples);
    if (s->samples > 1) {
        fputs(",\"sample_masks\":", file);
        put_list(file, canvas, LIST_MASKS);
    }
    fprintf(file, ",\"front_facing\":%s}\n", canvas->front_facing ? "true" : "false");
}
