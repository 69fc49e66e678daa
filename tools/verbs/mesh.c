/* SPDX-License-Identifier: MIT */
/* dp2 mesh: the primitives of a draw. */
#include "tools/verbs/inspect.h"

#include "base/base.h"
#include "inspect/json.h"
#include "inspect/mesh.h"

#include <getopt.h>
#include <inttypes.h>

static const char help[] =
    "usage: dp2 mesh FILE FRAME.DRAW [OPTION...]\n"
    "\n"
    "Lists the primitives of a draw of a capture as the vertex stage has left them: for each\n"
    "corner, the provoking one first, its position in clip space and in the window (x, y in\n"
    "pixels, z, 1/w) and the planes that it lies beyond; and what becomes of the primitive:\n"
    "outside (all corners beyond one plane), missing (a corner), clipped, culled, or drawn.\n"
    "\n"
    "      --inputs        also what the corners hand on to the pixel program\n"
    "      --json          as JSON (docs/json.md), with these\n"
    "\n"
    "examples:\n"
    "  dp2 mesh game.capture 2.1\n"
    "  dp2 mesh game.capture 2.1 --json | jq '[.primitives[].verdict] | group_by(.) | map([.[0], length])'\n";

struct request {
    struct inspection inspection;
    struct inspect_place place;
    bool as_json, inputs;
    struct json_writer json;
};

static void print_floats(const char *name, const float *floats)
{
    printf("  %s (%.6g %.6g %.6g %.6g)", name, (double)floats[0], (double)floats[1], (double)floats[2],
           (double)floats[3]);
}

static void print_planes(unsigned planes)
{
    const char *between = " ";

    for (unsigned i = 0; i < INSPECT_PLANE_BITS; i++)
        if (planes >> i & 1 && inspect_plane_name(i)) {
            printf("%s%s", between, inspect_plane_name(i));
            between = ", ";
        }
}

static void print_corner(const struct request *r, const struct inspect_corner *corner, unsigned inputs)
{
    if (corner->missing) {
        printf("    no such vertex\n");
        return;
    }
    printf("  ");
    print_floats("clip", corner->clip);
    if (corner->has_window)
        print_floats("window", corner->window);
    if (corner->outside) {
        printf("  beyond");
        print_planes(corner->outside);
    }
    printf("\n");
    for (unsigned i = 0; r->inputs && i < inputs; i++) {
        printf("      ");
        print_floats("input", corner->input[i]);
        printf("\n");
    }
}

static const char *verdict_of(const struct inspect_primitive *primitive)
{
    return primitive->verdict == INSPECT_WRITTEN ? "drawn" : inspect_verdict_name(primitive->verdict);
}

static bool show_primitive(void *user, const struct inspect_primitive *primitive)
{
    struct request *r = user;

    if (r->as_json) {
        inspect_put_primitive(&r->json, NULL, primitive);
        return true;
    }
    printf("primitive %" PRIu32 " %s", primitive->number, verdict_of(primitive));
    print_planes(primitive->planes);
    printf("\n");
    for (unsigned c = 0; c < primitive->corners; c++)
        print_corner(r, &primitive->corner[c], primitive->inputs);
    return true;
}

static int show_mesh(struct request *r, const char *name)
{
    struct capture_error error = {0};
    int status = inspection_find(&r->inspection, name, &r->place);
    bool done;

    if (status != TOOL_OK)
        return status;
    if (r->as_json) {
        json_begin(&r->json, stdout, "dp2-mesh", false);
        json_put_text(&r->json, "file", r->inspection.path);
        inspect_put_place(&r->json, "draw", &r->place);
        json_stream_list(&r->json, "primitives");
    }
    done = inspect_mesh(r->inspection.session, r->place.draw, show_primitive, r, &error);
    if (r->as_json && !json_end(&r->json))
        return tool_fail(&verb_mesh, "out of memory");
    return done ? TOOL_OK : inspection_fail(&r->inspection, &error);
}

static int mesh_verb(int argc, char **argv)
{
    enum { OPT_INPUTS = 256, OPT_JSON };
    static const struct option options[] = {
        {"inputs", no_argument, NULL, OPT_INPUTS},
        {"json", no_argument, NULL, OPT_JSON},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    struct request r = {0};
    int option, status;

    while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        switch (option) {
        case OPT_INPUTS:
            r.inputs = true;
            break;
        case OPT_JSON:
            r.as_json = true;
            break;
        case 'h':
            fputs(help, stdout);
            return TOOL_OK;
        default:
            return tool_bad_option(&verb_mesh);
        }
    }
    if (tool_operands(&verb_mesh, argc, argv, 2, "a capture and a draw, FRAME.DRAW") != TOOL_OK)
        return TOOL_ERROR;
    status = inspection_open(&r.inspection, &verb_mesh, argv[optind], UINT32_MAX);
    if (status != TOOL_OK)
        return status;
    status = show_mesh(&r, argv[optind + 1]);
    return inspection_close(&r.inspection, status);
}

const struct tool_verb verb_mesh = {"mesh", "list the primitives of a draw and their vertices", help, mesh_verb};
