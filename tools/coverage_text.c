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

/* --- lines ------------------------------------------------------------------------------------ */

const struct coverage_shape coverage_shapes[COVERAGE_TOPOLOGIES] = {
    [COVERAGE_POINT] = {"point", 1, 1},
    [COVERAGE_LINE] = {"line", 2, 2},
    [COVERAGE_TRI] = {"tri", 3, 3},
    [COVERAGE_LINE_STRIP] = {"line-strip", 2, COVERAGE_MAX_CORNERS},
    [COVERAGE_TRI_STRIP] = {"tri-strip", 3, COVERAGE_MAX_CORNERS},
    [COVERAGE_FAN] = {"fan", 3, COVERAGE_MAX_CORNERS},
    [COVERAGE_QUAD] = {"quad", 4, 4},
    [COVERAGE_POLYGON] = {"polygon", 3, COVERAGE_MAX_CORNERS},
};

#define BLANKS " \t\r\n"

/* The topology that the line begins with; *text: behind it. COVERAGE_TOPOLOGIES: it begins with none. */
static enum coverage_topology take_name(const char **text)
{
    const size_t length = strcspn(*text, BLANKS);
    unsigned t = 0;

    while (t < COVERAGE_TOPOLOGIES &&
           (strlen(coverage_shapes[t].name) != length || strncmp(coverage_shapes[t].name, *text, length) != 0))
        t++;
    *text += t < COVERAGE_TOPOLOGIES ? length : 0;
    return (enum coverage_topology)t;
}

static bool parse_line(const char *line, struct coverage_primitive *primitive)
{
    const enum coverage_topology named = take_name(&line);
    unsigned count = 0;

    for (line += strspn(line, BLANKS); *line; line += strspn(line, BLANKS)) {
        if (count == COVERAGE_MAX_CORNERS || !coverage_parse_point(line, &line, primitive->position[count]) ||
            (*line && !strchr(BLANKS, *line)))
            return false;
        count++;
    }
    primitive->corners = count;
    primitive->topology = named != COVERAGE_TOPOLOGIES ? named : (enum coverage_topology)(count ? count - 1 : 0);
    return (named != COVERAGE_TOPOLOGIES || count <= 3) && count >= coverage_shapes[primitive->topology].least &&
           count <= coverage_shapes[primitive->topology].most;
}

/* A line without its end, cut to `size`. False: there is none. *whole: all of it fits, and it is text. */
static bool read_line(struct coverage_reader *reader, char *line, size_t size, bool *whole)
{
    size_t length = 0;
    int c = getc(reader->file);

    if (c == EOF)
        return false;
    *whole = true;
    for (; c != EOF && c != '\n'; c = getc(reader->file)) {
        *whole &= c != 0 && length + 1 < size;
        if (*whole)
            line[length++] = (char)c;
    }
    line[length] = 0;
    reader->line++;
    return true;
}

enum coverage_read coverage_read(struct coverage_reader *reader, struct coverage_primitive *primitive)
{
    char line[1024];
    bool whole;

    while (read_line(reader, line, sizeof(line), &whole)) {
        const char *text = line + strspn(line, BLANKS);

        if (*text == '#' || (whole && !*text))
            continue;
        return whole && parse_line(text, primitive) ? COVERAGE_READ_PRIMITIVE : COVERAGE_READ_MALFORMED;
    }
    return COVERAGE_READ_END;
}

/* --- pictures of characters ------------------------------------------------------------------- */

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

static void put_color(FILE *file, const struct coverage_canvas *canvas, unsigned x, unsigned y)
{
    const size_t pixel = (size_t)y * canvas->settings->width + x;
    const float *c = canvas->color[coverage_first_sample(canvas, x, y) * canvas->plane + pixel];

    fprintf(file, "[%.9g,%.9g,%.9g,%.9g]", (double)c[0], (double)c[1], (double)c[2], (double)c[3]);
}

/* A number, or of several samples a list of them, with null for those that are not covered. */
static void put_depth(FILE *file, const struct coverage_canvas *canvas, unsigned x, unsigned y)
{
    const struct coverage_settings *s = canvas->settings;
    const uint32_t mask = coverage_samples(canvas, x, y);

    for (unsigned i = 0; i < s->samples; i++) {
        if (s->samples > 1)
            putc(i ? ',' : '[', file);
        if (mask >> i & 1)
            fprintf(file, "%.9g", (double)canvas->depth[i * canvas->plane + (size_t)y * s->width + x]);
        else
            fputs("null", file);
    }
    if (s->samples > 1)
        putc(']', file);
}

/* Of each covered pixel what is shown. */
static void put_shown(FILE *file, const struct coverage_canvas *canvas)
{
    const struct coverage_settings *s = canvas->settings;
    const char *between = "";

    fprintf(file, ",\"%s\":[", canvas->color ? "color" : "depth");
    for (unsigned y = 0; y < s->height; y++) {
        for (unsigned x = 0; x < s->width; x++) {
            if (!coverage_samples(canvas, x, y))
                continue;
            fputs(between, file);
            between = ",";
            if (canvas->color)
                put_color(file, canvas, x, y);
            else
                put_depth(file, canvas, x, y);
        }
    }
    putc(']', file);
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
    if (canvas->color || canvas->depth)
        put_shown(file, canvas);
    fprintf(file, ",\"front_facing\":%s}\n", canvas->front_facing ? "true" : "false");
}
