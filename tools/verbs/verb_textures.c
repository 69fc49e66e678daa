/* SPDX-License-Identifier: MIT */
/* dp2 textures: the surfaces of a capture, their contents and uses. */
#include "tools/debug/textures_sheet.h"

#include "base/output.h"
#include "dp2/names.h"
#include "base/json/json.h"
#include "replay/palette.h"
#include "replay/picture.h"
#include "tools/debug/inspection.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct listing {
    struct inspection inspection;
    struct inspect_textures textures;
    uint32_t frame;
    long given_frame;
    long surface; /* 0: all */
    const char *sheet, *folder;
    bool dds, as_json;
    uint64_t written; /* files */
};

static const char *const uses_names[INSPECT_USES] = {"texture", "target", "depth", "source", "destination", "flipped"};

static const char *kind_of(const struct inspect_texture *texture)
{
    return texture->is_cube                            ? "cube"
           : texture->is_volume                        ? "volume"
           : texture->is_depth                         ? "depth"
           : texture->is_texture && texture->is_target ? "target texture"
           : texture->is_texture                       ? "texture"
           : texture->is_target                        ? "target"
                                                       : "plain";
}

static const char *format_name(const struct inspect_texture *texture, char buffer[16])
{
    char fourcc[5];
    const char *name = dp2_format_name(texture->d3d_format, fourcc);

    if (name)
        snprintf(buffer, 16, "%s", name);
    else
        snprintf(buffer, 16, "%" PRIu32, texture->d3d_format);
    return buffer;
}

/* --- printed ---------------------------------------------------------------------------------------- */

static void print_uses(const struct listing *listing, const struct inspect_texture *texture)
{
    for (unsigned how = 0; how < INSPECT_USES; how++) {
        size_t count = 0;
        uint32_t first = 0, last = 0;

        for (size_t i = 0; i < texture->use_count; i++) {
            if (!(texture->uses[i].how >> how & 1))
                continue;
            first = count++ ? first : texture->uses[i].draw;
            last = texture->uses[i].draw;
        }
        if (count == 1)
            printf("  %s of %" PRIu32 ".%" PRIu32, uses_names[how], listing->frame, first);
        else if (count)
            printf("  %s of %zu from %" PRIu32 ".%" PRIu32 " to %" PRIu32 ".%" PRIu32, uses_names[how], count,
                   listing->frame, first, listing->frame, last);
    }
}

static void print_texture(const struct listing *listing, const struct inspect_texture *texture)
{
    char size[48], format[16];

    if (texture->is_volume)
        snprintf(size, sizeof(size), "%ux%ux%u", texture->width, texture->height, texture->depth);
    else
        snprintf(size, sizeof(size), "%ux%u", texture->width, texture->height);
    printf("%7" PRIu32 " %7" PRIu32 "  %-14s %-13s %-14s %6u %5u %10" PRIu64 " %-6s", texture->surface, texture->handle,
           kind_of(texture), size, format_name(texture, format), texture->levels, texture->faces, texture->bytes,
           texture->is_system ? "system" : "video");
    print_uses(listing, texture);
    putchar('\n');
}

/* As the screen shows it. */
static void put_palette(struct json_writer *json, const struct listing *listing, uint32_t number)
{
    uint32_t flags;
    const PALETTEENTRY *entries = player_palette_entries(inspect_player(listing->inspection.session), number, &flags);
    char color[8];

    json_put_number(json, "palette", number);
    json_open_list(json, "colors");
    for (unsigned i = 0; entries && i < CAPTURE_PALETTE_ENTRIES; i++) {
        snprintf(color, sizeof(color), "#%02x%02x%02x", entries[i].peRed, entries[i].peGreen, entries[i].peBlue);
        json_put_text(json, NULL, color);
    }
    json_close(json);
}

static void put_texture(struct json_writer *json, const struct listing *listing, const struct inspect_texture *texture)
{
    char format[16], name[32];

    json_open_object(json, NULL);
    json_put_number(json, "surface", texture->surface);
    json_put_number(json, "handle", texture->handle);
    json_put_text(json, "kind", kind_of(texture));
    json_put_text(json, "format", format_name(texture, format));
    json_put_number(json, "width", texture->width);
    json_put_number(json, "height", texture->height);
    json_put_number(json, "depth", texture->depth);
    json_put_number(json, "mips", texture->levels);
    json_put_number(json, "faces", texture->faces);
    json_put_number(json, "bytes", texture->bytes);
    json_put_text(json, "memory", texture->is_system ? "system" : "video");
    if (texture->palette)
        put_palette(json, listing, texture->palette);
    json_open_list(json, "uses");
    for (size_t i = 0; i < texture->use_count; i++) {
        snprintf(name, sizeof(name), "%" PRIu32 ".%" PRIu32, listing->frame, texture->uses[i].draw);
        json_open_object(json, NULL);
        json_put_text(json, "draw", name);
        json_open_list(json, "as");
        for (unsigned how = 0; how < INSPECT_USES; how++)
            if (texture->uses[i].how >> how & 1)
                json_put_text(json, NULL, uses_names[how]);
        json_close(json);
        json_close(json);
    }
    json_close(json);
    json_close(json);
}

static int print_all(const struct listing *listing)
{
    struct json_writer json;

    progress_clear();
    if (!listing->as_json) {
        printf("%7s %7s  %-14s %-13s %-14s %6s %5s %10s %-6s  uses\n", "surface", "handle", "kind", "size", "format",
               "levels", "faces", "bytes", "memory");
        for (size_t i = 0; i < listing->textures.count; i++)
            print_texture(listing, &listing->textures.list[i]);
        return TOOL_OK;
    }
    json_begin(&json, stdout, "dp2-textures", false);
    json_put_text(&json, "file", listing->inspection.path);
    json_put_number(&json, "frame", listing->frame);
    json_stream_list(&json, "textures");
    for (size_t i = 0; i < listing->textures.count; i++)
        put_texture(&json, listing, &listing->textures.list[i]);
    json_close(&json);
    return json_end(&json) ? TOOL_OK : tool_fail(&verb_textures, "out of memory");
}

/* --- files ------------------------------------------------------------------------------------------ */

static int write_sheet(struct listing *listing)
{
    struct player_picture sheet;
    char why[128];
    bool done;

    if (!textures_sheet(listing->inspection.session, &listing->textures, &sheet)) {
        free(sheet.pixels);
        return tool_fail(&verb_textures, "out of memory");
    }
    done = picture_write_png(&sheet, listing->sheet, why, sizeof(why));
    free(sheet.pixels);
    return done ? TOOL_OK : tool_fail(&verb_textures, "%s: %s", tool_output_name(listing->sheet), why);
}

/* A surface without a picture has no file. */
static int without_picture(const struct capture_error *error)
{
    return inspect_lacks_memory(error) ? tool_fail(&verb_textures, "out of memory") : TOOL_OK;
}

static int write_slice(struct listing *listing, const struct inspect_texture *texture, unsigned face, unsigned level,
                       unsigned slice, char *path, size_t size)
{
    struct inspect_level texels;
    struct capture_error error = {0};
    size_t length;
    char why[128];
    bool done = true;

    if (!inspect_texture_level(listing->inspection.session, texture, face, level, slice, &texels, &error)) {
        inspect_level_free(&texels);
        return without_picture(&error);
    }
    length = (size_t)snprintf(path, size, "%s/surface-%" PRIu32, listing->folder, texture->surface);
    if (texture->faces > 1)
        length += (size_t)snprintf(path + length, size - length, "-face%u", face);
    if (texture->levels > 1)
        length += (size_t)snprintf(path + length, size - length, "-level%u", level);
    if (texture->is_volume)
        length += (size_t)snprintf(path + length, size - length, "-slice%u", slice);
    snprintf(path + length, size - length, ".png");
    if (texels.pixels) {
        const struct player_picture picture = {texels.width, texels.height, texels.pixels};

        done = picture_write_png_alpha(&picture, path, why, sizeof(why));
        listing->written += done;
    }
    inspect_level_free(&texels);
    return done ? TOOL_OK : tool_fail(&verb_textures, "%s: %s", path, why);
}

static int write_png_files(struct listing *listing, const struct inspect_texture *texture, char *path, size_t size)
{
    int status = TOOL_OK;

    for (unsigned face = 0; face < texture->faces; face++)
        for (unsigned level = 0; level < texture->levels; level++)
            for (unsigned slice = 0;
                 status == TOOL_OK && slice < (texture->depth >> level ? texture->depth >> level : 1); slice++)
                status = write_slice(listing, texture, face, level, slice, path, size);
    return status;
}

static int write_dds_file(struct listing *listing, const struct inspect_texture *texture, char *path, size_t size)
{
    struct capture_error error = {0};
    struct output output;

    snprintf(path, size, "%s/surface-%" PRIu32 ".dds", listing->folder, texture->surface);
    if (!output_open(&output, path, OUTPUT_REPLACE))
        return tool_cannot_write(&verb_textures, path);
    if (!inspect_texture_dds(listing->inspection.session, texture, output.file, &error)) {
        output_discard(&output);
        return without_picture(&error);
    }
    listing->written++;
    return output_commit(&output) ? TOOL_OK : tool_cannot_write(&verb_textures, path);
}

static int write_files(struct listing *listing)
{
    const size_t size = strlen(listing->folder) + 96;
    char *path = malloc(size);
    int status = TOOL_OK;

    if (!path)
        return tool_fail(&verb_textures, "out of memory");
    if (mkdir(listing->folder, 0777) != 0 && errno != EEXIST)
        status = tool_cannot_write(&verb_textures, listing->folder);
    for (size_t i = 0; status == TOOL_OK && i < listing->textures.count; i++) {
        status = listing->dds ? write_dds_file(listing, &listing->textures.list[i], path, size)
                              : write_png_files(listing, &listing->textures.list[i], path, size);
        progress_show_share(&listing->inspection.progress, (double)(i + 1) / (double)listing->textures.count, "file",
                            listing->written);
    }
    free(path);
    return status;
}

/* --- the work --------------------------------------------------------------------------------------- */

/* Keeps only the texture that the surface belongs to. */
static int choose_surface(struct listing *listing)
{
    struct inspect_textures *all = &listing->textures;

    for (size_t i = 0; listing->surface && i < all->count; i++) {
        struct inspect_texture *texture = &all->list[i];

        for (unsigned p = 0; p < texture->faces * texture->levels; p++) {
            if (texture->part[p] != (uint32_t)listing->surface)
                continue;
            const struct inspect_texture chosen = *texture;

            texture->uses = NULL;
            inspect_textures_free(all);
            all->list = malloc(sizeof(chosen));
            if (!all->list) {
                free(chosen.uses);
                return tool_fail(&verb_textures, "out of memory");
            }
            all->list[0] = chosen;
            all->count = 1;
            return TOOL_OK;
        }
    }
    return listing->surface ? tool_fail(&verb_textures, "there is no surface %ld at the end of frame %" PRIu32,
                                        listing->surface, listing->frame)
                            : TOOL_OK;
}

static int list_textures(struct listing *listing, const char *path)
{
    struct capture_error error = {0};
    int status = listing->sheet ? tool_check_output(&verb_textures, listing->sheet, path) : TOOL_OK;

    if (status == TOOL_OK && listing->sheet)
        status = tool_check_picture(&verb_textures, listing->sheet);
    if (status == TOOL_OK)
        status = inspection_open(&listing->inspection, &verb_textures, path, listing->frame);
    if (status != TOOL_OK)
        return status;
    if (!inspect_load(listing->inspection.session, listing->frame, &error) ||
        !inspect_textures(listing->inspection.session, &listing->textures, &error))
        status = inspection_fail(&listing->inspection, &error);
    if (status == TOOL_OK)
        status = choose_surface(listing);
    if (status == TOOL_OK && listing->sheet)
        status = write_sheet(listing);
    if (status == TOOL_OK && listing->folder)
        status = write_files(listing);
    if (status == TOOL_OK && !(listing->sheet && strcmp(listing->sheet, "-") == 0))
        status = print_all(listing);
    inspect_textures_free(&listing->textures);
    return inspection_close(&listing->inspection, status);
}

static int textures_verb(void *settings, char **operands, int count)
{
    struct listing *listing = settings;

    (void)count;
    listing->frame = (uint32_t)listing->given_frame;
    if (listing->dds && !listing->folder)
        return tool_usage(&verb_textures, "--dds needs --export DIR");
    if (listing->as_json && listing->sheet && strcmp(listing->sheet, "-") == 0)
        return tool_usage(&verb_textures, "--json and --output - both write to standard output");
    return list_textures(listing, operands[0]);
}

static const struct option_row options[] = {
    {"frame", 'f', SETS_NUMBER(struct listing, given_frame), .argument = "N", .high = CAPTURE_MAX_FRAMES,
     .wrong = "a frame", .help = "the frame (default: 0)"},
    {"surface", 's', SETS_NUMBER(struct listing, surface), .argument = "N", .low = 1, .high = INT32_MAX,
     .wrong = "the number of a surface", .help = "list only the texture that this surface belongs to"},
    {"output", 'o', SETS_TEXT(struct listing, sheet), .argument = "FILE", .value = VALUE_FILE,
     .help = "write a contact sheet as PNG: small pictures with the numbers of their surfaces; - is standard output"},
    {"export", 'x', SETS_TEXT(struct listing, folder), .argument = "DIR", .value = VALUE_FOLDER,
     .help = "write the contents into files: each level, face and slice as PNG"},
    {"dds", 0, SETS_BOOL(struct listing, dds),
     .help = "write DDS instead, one file for each texture with all of its levels (needs --export)"},
    {"json", 0, SETS_BOOL(struct listing, as_json), .help = "print JSON (docs/json.md) instead of text; excludes -o -"},
    {0},
};

const struct tool_verb verb_textures = {
    .syntax =
        {
            .name = "textures",
            .summary = "list textures and targets, who uses them, and save them",
            .about = "Lists the surfaces that exist at the end of a frame, except for buffers: textures with their "
                     "levels and faces, targets, depth buffers. Prints size, format and memory of each, and the draws "
                     "and clears of the frame that use it, FRAME.DRAW as in 'dp2 draws FILE'.",
            .options = options,
            .notes = "Depth is grey, from the least to the greatest value. Indices into palettes are grey as well.",
            .examples = "dp2 textures game.capture --frame 12 -o sheet.png\n"
                        "dp2 textures game.capture --frame 12 --export textures --dds\n"
                        "dp2 textures game.capture --json | jq '.textures[] | select(.uses == [])'",
            .operands = tool_capture,
            .missing = "a capture",
        },
    .size = sizeof(struct listing),
    .run = textures_verb,
};
