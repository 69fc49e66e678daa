/* SPDX-License-Identifier: MIT */
/* dp2 coverage: points from text, coverage as text. */
#include "tools/coverage/coverage.h"
#include "base/json/json.h"

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

/* The topology at the start of the line; *text: after it. COVERAGE_TOPOLOGIES: none. */
static enum coverage_topology coverage_take_name(const char **text)
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
    const enum coverage_topology named = coverage_take_name(&line);
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

/* Reads a line, without its end, cut to `size`. Returns false at the end of the file. *whole: the line fits, and is
 * text. */
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

enum list { LIST_COVERED, LIST_INNER, LIST_MASKS, LIST_COLORS, LIST_DEPTHS };

static void coverage_put_place(struct json_writer *json, unsigned x, unsigned y)
{
    json_open_list(json, NULL);
    json_put_number(json, NULL, x);
    json_put_number(json, NULL, y);
    json_close(json);
}

static void coverage_put_color(struct json_writer *json, const struct coverage_canvas *canvas, unsigned x, unsigned y)
{
    const float *c = canvas->color[coverage_place(canvas, coverage_first_sample(canvas, x, y), x, y)];

    json_open_list(json, NULL);
    for (unsigned i = 0; i < 4; i++)
        json_put_float(json, NULL, c[i]);
    json_close(json);
}

/* A number, or of several samples a list of them, with null for those that are not covered. */
static void put_depth(struct json_writer *json, const struct coverage_canvas *canvas, unsigned x, unsigned y)
{
    const struct coverage_settings *s = canvas->settings;
    const uint32_t mask = coverage_samples(canvas, x, y);

    if (s->samples > 1)
        json_open_list(json, NULL);
    for (unsigned i = 0; i < s->samples; i++)
        if (mask >> i & 1)
            json_put_float(json, NULL, canvas->depth[coverage_place(canvas, i, x, y)]);
        else
            json_put_null(json, NULL);
    if (s->samples > 1)
        json_close(json);
}

/* Writes one value of each covered pixel, row by row. */
static void put_list(struct json_writer *json, const char *name, const struct coverage_canvas *canvas, enum list list)
{
    const struct coverage_settings *s = canvas->settings;

    json_stream_list(json, name);
    for (unsigned y = 0; y < s->height; y++) {
        for (unsigned x = 0; x < s->width; x++) {
            const uint32_t mask = coverage_samples(canvas, x, y);

            if (!mask || (list == LIST_INNER && !coverage_inner(canvas, x, y)))
                continue;
            if (list == LIST_MASKS)
                json_put_number(json, NULL, mask);
            else if (list == LIST_COLORS)
                coverage_put_color(json, canvas, x, y);
            else if (list == LIST_DEPTHS)
                put_depth(json, canvas, x, y);
            else
                coverage_put_place(json, x, y);
        }
    }
    json_close(json);
}

bool coverage_json(FILE *file, const struct coverage_canvas *canvas)
{
    const struct coverage_settings *s = canvas->settings;
    struct json_writer json;

    json_begin(&json, file, "dp2-coverage", true);
    json_open_list(&json, "viewport");
    json_put_number(&json, NULL, s->width);
    json_put_number(&json, NULL, s->height);
    json_close(&json);
    put_list(&json, "covered", canvas, LIST_COVERED);
    put_list(&json, "inner", canvas, LIST_INNER);
    json_put_number(&json, "samples", s->samples);
    if (s->samples > 1)
        put_list(&json, "sample_masks", canvas, LIST_MASKS);
    if (canvas->color)
        put_list(&json, "color", canvas, LIST_COLORS);
    else if (canvas->depth)
        put_list(&json, "depth", canvas, LIST_DEPTHS);
    json_put_bool(&json, "front_facing", canvas->front_facing);
    return json_end(&json);
}

bool coverage_json_malformed(FILE *file, unsigned long line)
{
    struct json_writer json;

    json_begin(&json, file, "dp2-coverage", true);
    json_put_number(&json, "line", line);
    json_put_text(&json, "error", "malformed line");
    return json_end(&json);
}
