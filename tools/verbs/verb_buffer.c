/* SPDX-License-Identifier: MIT */
/* dp2 buffer: the vertices and indices that a draw reads, or the bytes of a surface, as a table. */
#include "tools/debug/inspection.h"

#include "base/base.h"
#include "base/output.h"
#include "inspect/resources/buffer.h"
#include "inspect/json/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LAYOUT_TEXT 8192 /* bytes of a layout as text */

struct request {
    struct inspection inspection;
    const char *name, *layout, *output;
    long stream, surface, stride, offset; /* -1: not given */
    bool indices, as_json;
    struct frame_range rows;
    struct inspect_place place;
    struct inspect_buffer buffer;
    struct inspect_layout typed;
    struct json_writer json;
};

static enum inspect_buffer_kind kind_of(const struct request *r)
{
    return r->indices ? INSPECT_INDICES : r->surface ? INSPECT_SURFACE : INSPECT_STREAM;
}

/* "stream 0" */
static const char *source_name(const struct request *r, char text[32])
{
    if (r->indices)
        return "indices";
    if (r->surface)
        snprintf(text, 32, "surface %ld", r->surface);
    else
        snprintf(text, 32, "stream %ld", BASE_MAX(r->stream, 0l));
    return text;
}

static bool is_wanted(const struct request *r, uint64_t row)
{
    return row <= UINT32_MAX && frame_range_has(&r->rows, (uint32_t)row);
}

/* The row after the last one that can be wanted. */
static uint64_t end_of(const struct request *r)
{
    return BASE_MIN(inspect_buffer_end(&r->buffer), (uint64_t)frame_range_end(&r->rows) + 1);
}

/* --- text, CSV ----------------------------------------------------------------------------------- */

static void print_cell(FILE *file, const struct inspect_cell *cell)
{
    switch (cell->kind) {
    case INSPECT_NUMBER_FLOAT:
        fprintf(file, "%.9g", (double)cell->number);
        break;
    case INSPECT_NUMBER_HEX:
        fprintf(file, "0x%08" PRIx32, (uint32_t)cell->integer);
        break;
    case INSPECT_NUMBER_COLOR:
        fprintf(file, "#%08" PRIx32, (uint32_t)cell->integer);
        break;
    default:
        fprintf(file, "%" PRId64, cell->integer);
        break;
    }
}

static const char *title_of(const struct inspect_column *column)
{
    return column->name[0] ? column->name : column->type;
}

/* A heading for each component: "position.x". */
static void write_head(const struct request *r, FILE *file)
{
    fprintf(file, "row");
    for (unsigned c = 0; c < r->buffer.layout.count; c++) {
        const struct inspect_column *column = &r->buffer.layout.column[c];

        for (unsigned i = 0; i < column->count; i++) {
            fprintf(file, ",");
            if (column->count > 1)
                fprintf(file, "%s.%c", title_of(column), "xyzw"[i]);
            else
                fprintf(file, "%s", title_of(column));
        }
    }
    fprintf(file, "\n");
}

static void write_row(const struct request *r, FILE *file, uint64_t row)
{
    size_t size;
    const uint8_t *bytes = inspect_buffer_row(&r->buffer, row, &size);

    fprintf(file, "%" PRIu64, row);
    for (unsigned c = 0; c < r->buffer.layout.count; c++) {
        const struct inspect_column *column = &r->buffer.layout.column[c];
        struct inspect_cell cells[4];
        const unsigned count = inspect_read_cells(column, bytes, size, cells);

        for (unsigned i = 0; i < column->count; i++) {
            fprintf(file, ",");
            if (i < count)
                print_cell(file, &cells[i]);
        }
    }
    fprintf(file, "\n");
}

static void write_csv(const struct request *r, FILE *file)
{
    write_head(r, file);
    for (uint64_t row = inspect_buffer_first(&r->buffer); row < end_of(r); row++)
        if (is_wanted(r, row))
            write_row(r, file, row);
}

static bool is_csv(const char *name)
{
    const size_t length = strlen(name);

    return length > 4 && strcmp(name + length - 4, ".csv") == 0;
}

/* The bytes as they are, or CSV if the name ends so. */
static int write_file(const struct request *r)
{
    struct output out;
    int status = TOOL_OK;

    if (!output_open(&out, r->output, OUTPUT_REPLACE))
        return tool_cannot_write(&verb_buffer, r->output);
    if (is_csv(r->output))
        write_csv(r, out.file);
    else
        fwrite(r->buffer.data, 1, r->buffer.bytes, out.file);
    if (!output_commit(&out))
        status = tool_cannot_write(&verb_buffer, r->output);
    output_discard(&out);
    return status;
}

/* --- JSON ---------------------------------------------------------------------------------------- */

static void put_cell(struct json_writer *json, const struct inspect_cell *cell)
{
    char text[16];

    if (cell->kind == INSPECT_NUMBER_FLOAT) {
        json_put_float(json, NULL, cell->number);
    } else if (cell->kind == INSPECT_NUMBER_HEX || cell->kind == INSPECT_NUMBER_COLOR) {
        snprintf(text, sizeof(text), cell->kind == INSPECT_NUMBER_HEX ? "0x%08" PRIx32 : "#%08" PRIx32,
                 (uint32_t)cell->integer);
        json_put_text(json, NULL, text);
    } else {
        json_put_signed(json, NULL, cell->integer);
    }
}

static void put_row(struct request *r, uint64_t row)
{
    struct json_writer *json = &r->json;
    size_t size;
    const uint8_t *bytes = inspect_buffer_row(&r->buffer, row, &size);

    json_open_object(json, NULL);
    json_put_number(json, "row", row);
    json_open_list(json, "cells");
    for (unsigned c = 0; c < r->buffer.layout.count; c++) {
        struct inspect_cell cells[4];
        const unsigned count = inspect_read_cells(&r->buffer.layout.column[c], bytes, size, cells);

        if (!count) {
            json_put_null(json, NULL);
            continue;
        }
        json_open_list(json, NULL);
        for (unsigned i = 0; i < count; i++)
            put_cell(json, &cells[i]);
        json_close(json);
    }
    json_close(json);
    json_close(json);
}

static void put_columns(struct request *r)
{
    char text[LAYOUT_TEXT];

    inspect_layout_text(&r->buffer.layout, text, sizeof(text));
    json_put_text(&r->json, "layout", text);
    json_open_list(&r->json, "columns");
    for (unsigned c = 0; c < r->buffer.layout.count; c++) {
        const struct inspect_column *column = &r->buffer.layout.column[c];

        json_open_object(&r->json, NULL);
        json_put_text(&r->json, "name", title_of(column));
        json_put_text(&r->json, "type", column->type);
        json_put_number(&r->json, "offset", column->offset);
        json_put_number(&r->json, "components", column->count);
        json_close(&r->json);
    }
    json_close(&r->json);
}

static int put_document(struct request *r)
{
    char source[32];

    json_begin(&r->json, stdout, "dp2-buffer", false);
    json_put_text(&r->json, "file", r->inspection.path);
    inspect_put_place(&r->json, "draw", &r->place);
    json_put_text(&r->json, "source", source_name(r, source));
    json_put_number(&r->json, "surface", r->buffer.surface);
    json_put_number(&r->json, "bytes", r->buffer.bytes);
    json_put_signed(&r->json, "offset", r->buffer.offset);
    json_put_number(&r->json, "stride", r->buffer.stride);
    json_put_number(&r->json, "first", inspect_buffer_first(&r->buffer));
    json_put_number(&r->json, "end", inspect_buffer_end(&r->buffer));
    put_columns(r);
    json_stream_list(&r->json, "rows");
    for (uint64_t row = inspect_buffer_first(&r->buffer); row < end_of(r); row++)
        if (is_wanted(r, row))
            put_row(r, row);
    json_close(&r->json);
    if (r->output)
        json_put_text(&r->json, "output", r->output);
    return json_end(&r->json) ? TOOL_OK : tool_fail(&verb_buffer, "out of memory");
}

/* --- the work ------------------------------------------------------------------------------------ */

static void print_about(const struct request *r)
{
    char source[32], text[LAYOUT_TEXT], surface[32] = "of the call";

    if (r->buffer.surface)
        snprintf(surface, sizeof(surface), "of surface #%" PRIu32, r->buffer.surface);
    inspect_layout_text(&r->buffer.layout, text, sizeof(text));
    printf("# %s: %zu bytes %s, rows of %" PRIu32 " from %" PRId64 " on\n# %s\n", source_name(r, source),
           r->buffer.bytes, surface, r->buffer.stride, r->buffer.offset, text);
}

/* The command line overrides the draw. */
static void apply(struct request *r)
{
    char why[64];

    if (!r->buffer.layout.count && !r->layout)
        inspect_parse_layout("HEX, HEX, HEX, HEX", &r->buffer.layout, why, sizeof(why));
    if (r->layout) {
        r->buffer.layout = r->typed;
        if (kind_of(r) == INSPECT_SURFACE)
            r->buffer.stride = r->typed.bytes;
    }
    if (r->stride >= 0)
        r->buffer.stride = (uint32_t)r->stride;
    if (r->offset >= 0)
        r->buffer.offset = r->offset;
}

static int show_buffer(void *user)
{
    struct request *r = user;
    struct capture_error error = {0};
    const uint32_t number = (uint32_t)(r->surface ? r->surface : BASE_MAX(r->stream, 0l));
    int status = inspection_find(&r->inspection, r->name, &r->place);

    if (status != TOOL_OK)
        return status;
    if (!inspect_buffer(r->inspection.session, r->place.draw, kind_of(r), number, &r->buffer, &error))
        return inspection_fail(&r->inspection, &error);
    apply(r);
    if (r->output)
        status = write_file(r);
    if (status != TOOL_OK)
        return status;
    if (r->as_json)
        return put_document(r);
    if (r->output)
        return TOOL_OK;
    print_about(r);
    write_csv(r, stdout);
    return TOOL_OK;
}

static int buffer_verb(void *settings, char **operands, int count)
{
    struct request *r = settings;
    char why[256];

    (void)count;
    if ((r->stream >= 0) + (r->surface != 0) + r->indices > 1)
        return tool_usage(&verb_buffer, "--stream, --indices and --surface each name a buffer");
    if (r->layout && !inspect_parse_layout(r->layout, &r->typed, why, sizeof(why)))
        return tool_usage(&verb_buffer, "--layout: %s", why);
    if (r->as_json && r->output && strcmp(r->output, "-") == 0)
        return tool_usage(&verb_buffer, "--json and --output - both write to standard output");
    if (r->output && tool_check_output(&verb_buffer, r->output, operands[0]) != TOOL_OK)
        return TOOL_ERROR;
    r->name = operands[1];
    return inspection_ask(&r->inspection, &verb_buffer, operands[0], show_buffer, r);
}

static void release(void *settings)
{
    inspect_buffer_free(&((struct request *)settings)->buffer);
}

static const struct option_row options[] = {
    {"stream", 's', SETS_NUMBER(struct request, stream), .argument = "N", .high = 15, .wrong = "a stream, 0 to 15",
     .help = "the vertices that the draw reads from this stream (default: 0), in the columns of its declaration or "
             "vertex format"},
    {"indices", 'i', SETS_BOOL(struct request, indices), .help = "its indices"},
    {"surface", 0, SETS_NUMBER(struct request, surface), .argument = "ID", .low = 1, .high = INT32_MAX,
     .wrong = "the number of a surface",
     .help = "the bytes of this surface or buffer, after the draw; without --layout four DWORDs a row"},
    {"layout", 'l', SETS_TEXT(struct request, layout), .argument = "COLUMNS",
     .help = "these columns: types, each with a name and an @OFFSET or without, and commas between them; types are "
             "those of vertex elements (FLOAT3, D3DCOLOR, SHORT2N ...), UINT, INT, HEX, USHORT, SHORT, UBYTE and BYTE"},
    {"stride", 0, SETS_NUMBER(struct request, stride), .argument = "N", .low = 1, .high = 1 << 20,
     .wrong = "a number of bytes", .help = "bytes from row to row"},
    {"offset", 0, SETS_NUMBER(struct request, offset), .argument = "N", .high = INT32_MAX, .wrong = "a number of bytes",
     .help = "bytes before row 0"},
    {"rows", 'r', SETS_FRAMES(struct request, rows), .argument = "N|A-B", .wrong = "a range of rows",
     .help = "only these rows: 0-999, or a list 1,5-9"},
    {"output", 'o', SETS_TEXT(struct request, output), .argument = "FILE", .value = VALUE_FILE,
     .help = "write a file: CSV if its name ends in .csv, else the bytes of the whole buffer as they are"},
    {"json", 0, SETS_BOOL(struct request, as_json), .help = "print JSON (docs/json.md) instead of text; excludes -o -"},
    {0},
};

static const struct request defaults = {.stream = -1, .stride = -1, .offset = -1};

const struct tool_verb verb_buffer = {
    .syntax =
        {
            .name = "buffer",
            .summary = "show the vertices and indices of a draw, or bytes, as a table",
            .about = "Prints what a draw reads from a vertex buffer or its index buffer, or the bytes of any surface, "
                     "as rows of a table, in the form of CSV. Row N is the vertex with the number N, as 'dp2 mesh' "
                     "prints them, or index N of the draw. Cells whose bytes lie beyond the buffer are empty.",
            .options = options,
            .examples = "dp2 buffer game.capture 2.1 --rows 0-99\n"
                        "dp2 buffer game.capture 2.1 -o vertices.csv\n"
                        "dp2 buffer game.capture 2.1 --stream 0 -o vertices.bin\n"
                        "dp2 buffer game.capture 2.1 --surface 1 -l 'FLOAT3 position, FLOAT2 uv @24'",
            .operands = tool_draw,
            .missing = "a capture and a draw, FRAME.DRAW",
        },
    .size = sizeof(struct request),
    .defaults = &defaults,
    .run = buffer_verb,
    .release = release,
};
