/* SPDX-License-Identifier: MIT */
/* dp2 mesh: the primitives of a draw and their vertices. */
#include "replay/picture.h"
#include "tools/debug/inspection.h"
#include "tools/debug/mesh_obj.h"

#include "base/output.h"
#include "inspect/json/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct request {
    struct inspection inspection;
    const char *name, *output;
    struct inspect_place place;
    bool as_json, fetched, indices, inputs;
    bool has_space;
    int given_space; /* 0: fetched, 1: window, -1: not given */
    enum inspect_space space;
    struct inspect_format format;
    struct frame_range range;
    uint64_t primitives;
    struct inspect_lacks lacks;
    struct json_writer json;
    struct mesh_obj obj;
};

/* --- text ---------------------------------------------------------------------------------------- */

static void print_floats(const char *name, const float *floats, unsigned count)
{
    printf("  %s (", name);
    for (unsigned c = 0; c < count; c++)
        printf("%s%.6g", c ? " " : "", (double)floats[c]);
    printf(")");
}

static void print_format(const struct inspect_format *format)
{
    for (unsigned e = 0; e < format->count; e++)
        printf("%s: %s, stream %u, offset %u\n", format->element[e].name, format->element[e].type,
               format->element[e].stream, format->element[e].offset);
}

static void print_fetched(const struct inspect_format *format, const struct inspect_corner *corner)
{
    for (unsigned e = 0; e < format->count; e++) {
        printf("      ");
        print_floats(format->element[e].name, corner->fetched[e], format->element[e].count);
        printf("\n");
    }
}

static void print_corner(const struct request *r, const struct inspect_primitive *primitive, unsigned c)
{
    const struct inspect_corner *corner = &primitive->corner[c];

    printf("    vertex %" PRId64, corner->vertex);
    if (corner->missing)
        printf("  beyond its buffers, which reads as 0");
    print_floats("clip", corner->clip, 4);
    if (corner->has_window)
        print_floats("window", corner->window, 4);
    if (corner->outside) {
        printf("  beyond");
        inspection_print_planes(corner->outside);
    }
    printf("\n");
    if (r->fetched)
        print_fetched(primitive->format, corner);
    for (unsigned i = 0; r->inputs && i < primitive->inputs; i++) {
        printf("      ");
        print_floats("input", corner->input[i], 4);
        printf("\n");
    }
}

static void print_indices(const struct inspect_primitive *primitive)
{
    printf("%" PRIu32 ":", primitive->number);
    for (unsigned c = 0; c < primitive->corners; c++)
        printf(" %" PRId64,
               primitive->format->indexed ? (int64_t)primitive->corner[c].index : primitive->corner[c].vertex);
    printf("\n");
}

static const char *verdict_of(const struct inspect_primitive *primitive)
{
    return primitive->verdict == INSPECT_WRITTEN ? "drawn" : inspect_verdict_name(primitive->verdict);
}

static bool print_primitive(void *user, const struct inspect_primitive *primitive)
{
    struct request *r = user;

    if (!frame_range_has(&r->range, primitive->number))
        return true;
    if (r->indices) {
        print_indices(primitive);
        return true;
    }
    if (r->fetched && r->primitives++ == 0)
        print_format(primitive->format);
    printf("primitive %" PRIu32 " %s", primitive->number, verdict_of(primitive));
    inspection_print_planes(primitive->planes);
    printf("\n");
    for (unsigned c = 0; c < primitive->corners; c++)
        print_corner(r, primitive, c);
    return true;
}

/* --- JSON ---------------------------------------------------------------------------------------- */

static bool put_primitive(void *user, const struct inspect_primitive *primitive)
{
    struct request *r = user;

    if (r->primitives++ == 0)
        r->format = *primitive->format;
    if (frame_range_has(&r->range, primitive->number))
        inspect_put_primitive(&r->json, NULL, primitive);
    return true;
}

static int put_mesh(struct request *r, struct capture_error *error)
{
    bool done;

    json_begin(&r->json, stdout, "dp2-mesh", false);
    json_put_text(&r->json, "file", r->inspection.path);
    inspect_put_place(&r->json, "draw", &r->place);
    json_stream_list(&r->json, "primitives");
    done = inspect_mesh(r->inspection.session, r->place.draw, put_primitive, r, &r->lacks, error);
    json_close(&r->json);
    if (done)
        inspect_put_lacks(&r->json, "lacks", &r->lacks);
    if (r->primitives)
        inspect_put_format(&r->json, "vertices", &r->format);
    if (!json_end(&r->json))
        return tool_fail(&verb_mesh, "out of memory");
    return done ? TOOL_OK : inspection_fail(&r->inspection, error);
}

/* --- files --------------------------------------------------------------------------------------- */

static bool write_primitive(void *user, const struct inspect_primitive *primitive)
{
    struct request *r = user;

    if (!frame_range_has(&r->range, primitive->number))
        return true;
    mesh_obj_primitive(&r->obj, primitive);
    r->primitives++;
    return !r->obj.failed;
}

static int write_obj(struct request *r, struct capture_error *error)
{
    struct output out;
    int status = TOOL_OK;

    if (!output_open(&out, r->output, OUTPUT_REPLACE))
        return tool_cannot_write(&verb_mesh, r->output);
    r->obj.file = out.file;
    r->obj.space = r->space;
    fprintf(out.file, "# %" PRIu32 ".%" PRIu32 "\n", r->place.frame, r->place.draw);
    if (!inspect_mesh(r->inspection.session, r->place.draw, write_primitive, r, NULL, error))
        status = inspection_fail(&r->inspection, error);
    else if (r->obj.failed)
        status = tool_fail(&verb_mesh, "out of memory");
    else if (!output_commit(&out))
        status = tool_cannot_write(&verb_mesh, r->output);
    output_discard(&out);
    mesh_obj_free(&r->obj);
    if (status == TOOL_OK)
        fprintf(strcmp(r->output, "-") ? stdout : stderr, "%" PRIu64 " primitives, %zu vertices\n", r->primitives,
                r->obj.count);
    return status;
}

static int write_picture(struct request *r, struct capture_error *error)
{
    struct inspect_shot shot;
    char why[128];
    int status = TOOL_OK;

    if (!inspect_wireframe(r->inspection.session, r->place.draw, r->space, &shot, error))
        return inspection_fail(&r->inspection, error);
    if (!picture_write_png(&shot.picture, r->output, why, sizeof(why)))
        status = tool_fail(&verb_mesh, "%s: %s", tool_output_name(r->output), why);
    else
        fprintf(strcmp(r->output, "-") ? stdout : stderr,
                "%ux%u %016" PRIx64 ", %" PRIu64 " primitives with edges in it\n", shot.picture.width,
                shot.picture.height, picture_hash(&shot.picture), shot.marked);
    free(shot.picture.pixels);
    return status;
}

/* --- the work ------------------------------------------------------------------------------------ */

static bool is_obj_name(const char *name)
{
    const size_t length = strlen(name);

    return length > 4 && strcmp(name + length - 4, ".obj") == 0;
}

static int show_mesh(void *user)
{
    struct request *r = user;
    struct capture_error error = {0};
    const bool is_obj = r->output && is_obj_name(r->output);
    int status = inspection_find(&r->inspection, r->name, &r->place);

    if (status != TOOL_OK)
        return status;
    if (!r->has_space)
        r->space = is_obj ? INSPECT_FETCHED : INSPECT_WINDOW;
    if (r->output)
        return is_obj ? write_obj(r, &error) : write_picture(r, &error);
    if (r->as_json)
        return put_mesh(r, &error);
    if (!inspect_mesh(r->inspection.session, r->place.draw, print_primitive, r, &r->lacks, &error))
        return inspection_fail(&r->inspection, &error);
    if (!r->indices)
        inspection_print_lacks("", &r->lacks);
    return TOOL_OK;
}

static int mesh_verb(void *settings, char **operands, int count)
{
    struct request *r = settings;

    (void)count;
    r->has_space = r->given_space >= 0;
    r->space = r->given_space == 1 ? INSPECT_WINDOW : INSPECT_FETCHED;
    if (r->output && (r->as_json || r->indices || r->fetched || r->inputs))
        return tool_usage(&verb_mesh, "--output writes a file instead of a list");
    if (r->has_space && !r->output)
        return tool_usage(&verb_mesh, "--space is for the file of --output, which is missing");
    if (r->output && tool_check_output(&verb_mesh, r->output, operands[0]) != TOOL_OK)
        return TOOL_ERROR;
    if (r->output && !is_obj_name(r->output) && tool_check_picture(&verb_mesh, r->output) != TOOL_OK)
        return TOOL_ERROR;
    r->name = operands[1];
    return inspection_ask(&r->inspection, &verb_mesh, operands[0], show_mesh, r);
}

static const struct option_row options[] = {
    {"primitives", 'p', SETS_FRAMES(struct request, range), .argument = "N|A-B", .wrong = "a range of primitives",
     .help = "list only these primitives: 0-999, or a list 1,5-9"},
    {"fetched", 0, SETS_BOOL(struct request, fetched),
     .help = "also print what the streams hold for each vertex: all elements of its format or declaration"},
    {"indices", 0, SETS_BOOL(struct request, indices),
     .help = "print only the indices, or the numbers of vertices, one line for each primitive"},
    {"inputs", 0, SETS_BOOL(struct request, inputs), .help = "also print what the corners pass to the pixel program"},
    {"json", 0, SETS_BOOL(struct request, as_json),
     .help = "print JSON (docs/json.md) instead of text, with all of these; excludes -o"},
    {"output", 'o', SETS_TEXT(struct request, output), .argument = "FILE", .value = VALUE_FILE,
     .help = "write the mesh instead: as OBJ if the name ends in .obj, otherwise a picture of its edges as PNG (white, "
             "clipped yellow, culled red, outside blue)"},
    {"space", 0, SETS_CHOICE(struct request, given_space), .argument = "SPACE", .choices = "fetched|window",
     .help =
         "positions in the file: fetched, as the streams hold them (default of OBJ, which then has normals and texture "
         "coordinates), or window, as they are in the window (default of pictures, over the darkened target)"},
    {0},
};

static const struct request defaults = {.given_space = -1};

const struct tool_verb verb_mesh = {
    .syntax =
        {
            .name = "mesh",
            .summary = "list the primitives of a draw and their vertices",
            .about = "Lists the primitives of a draw. Of each corner, the provoking one first, it prints the number of "
                     "its vertex in the streams, its position in clip space and in the window (x and y in pixels, z, "
                     "1/w), and the planes that it lies beyond.\n"
                     "\n"
                     "A primitive is outside (all corners lie beyond one plane), missing (a corner is not a number), "
                     "no-data (it has no area because data are missing), no-area, clipped, culled, or drawn. What the "
                     "draw lacks is printed at the end. Corner C of primitive P is vertex 3P + C (of lines 2P + C) for "
                     "'dp2 trace --vertex'.",
            .options = options,
            .examples = "dp2 mesh game.capture 2.1 --fetched\n"
                        "dp2 mesh game.capture 2.1 -o draw.obj\n"
                        "dp2 mesh game.capture 2.1 --space fetched -o draw.png\n"
                        "dp2 mesh game.capture 2.1 --json | jq '[.primitives[].verdict] | unique'",
            .operands = tool_draw,
            .missing = "a capture and a draw, FRAME.DRAW",
        },
    .size = sizeof(struct request),
    .defaults = &defaults,
    .run = mesh_verb,
};
