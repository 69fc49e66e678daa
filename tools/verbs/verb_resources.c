/* SPDX-License-Identifier: MIT */
/* dp2 resources: what a draw reads and writes, with small pictures. */
#include "replay/picture.h"
#include "tools/debug/inspection.h"

#include "base/base.h"
#include "dp2/names.h"
#include "inspect/json/json.h"
#include "inspect/picture/shot.h"
#include "inspect/resources/resources.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct request {
    struct inspection inspection;
    const char *name, *folder;
    long width;
    bool as_json;
    struct inspect_place place;
    struct inspect_resources resources;
    char *pictures[INSPECT_MOST_RESOURCES]; /* names of files; NULL: none */
    char *stencils[INSPECT_MOST_RESOURCES];
};

/* --- pictures ------------------------------------------------------------------------------------ */

/* "FOLDER/color-0.png" */
static char *name_of(const struct request *r, const struct inspect_resource *resource, const char *suffix)
{
    const size_t size = strlen(r->folder) + strlen(resource->name) + strlen(suffix) + 8;
    char *name = mem_alloc(size, 1, 0);
    size_t at;

    if (!name)
        return NULL;
    at = (size_t)snprintf(name, size, "%s/", r->folder);
    snprintf(name + at, size - at, "%s%s.png", resource->name, suffix);
    for (; name[at]; at++)
        if (name[at] == ' ')
            name[at] = '-';
    return name;
}

/* Makes the picture fit a square. */
static bool shrink(struct player_picture *picture, unsigned side)
{
    const uint64_t by_height = (uint64_t)side * picture->width / BASE_MAX(picture->height, 1u);

    return picture_shrink(picture, (unsigned)BASE_MAX(BASE_MIN((uint64_t)side, by_height), (uint64_t)1));
}

/* Writes the picture of a surface; without one, *file is NULL. */
static int write_one(struct request *r, const struct inspect_resource *resource, enum inspect_show show,
                     const char *suffix, char **file)
{
    const struct inspect_shot_of of = {.surface = resource->surface};
    struct capture_error error = {0};
    struct inspect_shot shot;
    char why[128];
    int status = TOOL_OK;

    *file = NULL;
    if (!inspect_shoot_of(r->inspection.session, r->place.draw, show, &of, &shot, &error))
        return inspect_lacks_memory(&error) ? inspection_fail(&r->inspection, &error) : TOOL_OK;
    *file = name_of(r, resource, suffix);
    if (!*file || (r->width && !shrink(&shot.picture, (unsigned)r->width)))
        status = tool_fail(&verb_resources, "out of memory");
    else if (!picture_write_png(&shot.picture, *file, why, sizeof(why)))
        status = tool_fail(&verb_resources, "%s: %s", *file, why);
    free(shot.picture.pixels);
    return status;
}

static int write_pictures(struct request *r)
{
    int status = TOOL_OK;

    if (mkdir(r->folder, 0777) && errno != EEXIST)
        return tool_cannot_write(&verb_resources, r->folder);
    for (size_t i = 0; status == TOOL_OK && i < r->resources.count; i++) {
        const struct inspect_resource *resource = &r->resources.list[i];
        const bool is_depth = raster_format_info(resource->shape.format)->kind == RASTER_KIND_DEPTH;

        if (resource->role == INSPECT_BUFFER || !resource->surface)
            continue;
        status = write_one(r, resource, is_depth ? INSPECT_SHOW_DEPTH : INSPECT_SHOW_COLOR, "", &r->pictures[i]);
        if (status == TOOL_OK && resource->has_stencil && resource->role == INSPECT_OUTPUT)
            status = write_one(r, resource, INSPECT_SHOW_STENCIL, "-stencil", &r->stencils[i]);
    }
    return status;
}

/* --- printed ------------------------------------------------------------------------------------- */

static const char *format_of(const struct inspect_resource *resource, char code[5])
{
    const char *format = dp2_format_name(resource->shape.d3d_format, code);

    return format ? format : "?";
}

static void print_resource(const struct inspect_resource *resource)
{
    static const char *const roles[] = {"writes", "reads", "buffer"};
    char code[5], surface[16] = "-";

    if (resource->surface)
        snprintf(surface, sizeof(surface), "#%" PRIu32, resource->surface);
    printf("%-7s %-17s %-6s", roles[resource->role], resource->name, surface);
    if (resource->role == INSPECT_BUFFER && !resource->is_bound)
        printf(" not bound");
    else if (resource->role == INSPECT_BUFFER)
        printf(" %" PRIu64 " bytes%s, from %" PRId64 " on, every %" PRIu32, resource->bytes,
               resource->surface ? "" : " of the call", resource->offset, resource->stride);
    else if (resource->surface)
        printf(" %ux%u %s%s", resource->shape.width, resource->shape.height, format_of(resource, code),
               resource->has_stencil ? " with stencil" : "");
    printf("\n");
}

static void put_resource(struct json_writer *json, const struct request *r, size_t i)
{
    const struct inspect_resource *resource = &r->resources.list[i];
    char code[5];

    json_open_object(json, NULL);
    json_put_text(json, "as", resource->name);
    json_put_number(json, "surface", resource->surface);
    if (resource->role == INSPECT_BUFFER) {
        json_put_bool(json, "bound", resource->is_bound);
        json_put_signed(json, "offset", resource->offset);
        json_put_number(json, "bytes", resource->bytes);
        json_put_number(json, "stride", resource->stride);
    } else if (resource->surface) {
        json_put_number(json, "width", resource->shape.width);
        json_put_number(json, "height", resource->shape.height);
        json_put_text(json, "format", format_of(resource, code));
        json_put_number(json, "samples", resource->shape.samples);
        json_put_bool(json, "depth", raster_format_info(resource->shape.format)->kind == RASTER_KIND_DEPTH);
        json_put_bool(json, "stencil", resource->has_stencil);
    }
    if (r->pictures[i])
        json_put_text(json, "picture", r->pictures[i]);
    if (r->stencils[i])
        json_put_text(json, "stencil_picture", r->stencils[i]);
    json_close(json);
}

static int put_document(struct request *r)
{
    static const char *const lists[] = {"outputs", "inputs", "buffers"};
    struct json_writer json;

    json_begin(&json, stdout, "dp2-resources", false);
    json_put_text(&json, "file", r->inspection.path);
    inspect_put_place(&json, "draw", &r->place);
    for (unsigned role = 0; role < ARRAY_COUNT(lists); role++) {
        json_stream_list(&json, lists[role]);
        for (size_t i = 0; i < r->resources.count; i++)
            if (r->resources.list[i].role == (enum inspect_role)role)
                put_resource(&json, r, i);
        json_close(&json);
    }
    return json_end(&json) ? TOOL_OK : tool_fail(&verb_resources, "out of memory");
}

/* --- the work ------------------------------------------------------------------------------------ */

static int list_resources(void *user)
{
    struct request *r = user;
    struct capture_error error = {0};
    int status = inspection_find(&r->inspection, r->name, &r->place);

    if (status != TOOL_OK)
        return status;
    if (!inspect_resources(r->inspection.session, r->place.draw, &r->resources, &error))
        return inspection_fail(&r->inspection, &error);
    if (r->folder)
        status = write_pictures(r);
    if (status != TOOL_OK)
        return status;
    if (r->as_json)
        return put_document(r);
    for (size_t i = 0; i < r->resources.count; i++)
        print_resource(&r->resources.list[i]);
    return TOOL_OK;
}

static int resources_verb(void *settings, char **operands, int count)
{
    struct request *r = settings;

    (void)count;
    if (r->width && !r->folder)
        return tool_usage(&verb_resources, "--width needs --export DIR");
    r->name = operands[1];
    return inspection_ask(&r->inspection, &verb_resources, operands[0], list_resources, r);
}

static void release(void *settings)
{
    struct request *r = settings;

    for (size_t i = 0; i < INSPECT_MOST_RESOURCES; i++) {
        free(r->pictures[i]);
        free(r->stencils[i]);
    }
}

static const struct option_row options[] = {
    {"export", 'x', SETS_TEXT(struct request, folder), .argument = "DIR", .value = VALUE_FOLDER,
     .help = "write a picture of each texture and target as PNG: color-0.png, texture-3.png, depth.png, "
             "depth-stencil.png, after the draw"},
    {"width", 'w', SETS_NUMBER(struct request, width), .argument = "N", .low = 1, .high = 4096,
     .wrong = "a width in pixels", .help = "pictures that fit into a square of this side (needs --export)"},
    TOOL_JSON(struct request, as_json),
    {0},
};

const struct tool_verb verb_resources = {
    .syntax =
        {
            .name = "resources",
            .summary = "list what a draw reads and writes",
            .about = "Lists what a draw, clear, blit, fill or present writes and reads: color targets, depth buffer, "
                     "the textures that its pixel program reads or that are bound for its vertex shader, vertex and "
                     "index buffers with the place of the first element and the distance of elements in bytes; of "
                     "blits source and destination, of flips the surfaces that the flip names.",
            .options = options,
            .examples = "dp2 resources game.capture 2.1\n"
                        "dp2 resources game.capture 2.1 --export draw --width 96 --json",
            .operands = tool_draw,
            .missing = "a capture and a draw, FRAME.DRAW",
        },
    .size = sizeof(struct request),
    .run = resources_verb,
    .release = release,
};
