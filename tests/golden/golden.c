/* SPDX-License-Identifier: MIT */
/*
 * Draws every scene through the driver interface and compares a hash of its pixels with
 * tests/golden/expected.txt. Speaks TAP.
 *
 *   golden                compare
 *   golden --update       rewrite expected.txt: look at the pictures first
 *   golden --ppm DIR      write the scenes as pictures
 */
#include "tests/golden/scenes.h"
#include "base/base.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char expected_path[] = "tests/golden/expected.txt";

const struct scene scenes[] = {
    {"operations", D3DFMT_X8R8G8B8, 0, scene_operations},
    {"operations-565", D3DFMT_R5G6B5, 0, scene_operations},
    {"blend-factors", D3DFMT_A8R8G8B8, 0, scene_blend_factors},
    {"blend-factors-1555", D3DFMT_A1R5G5B5, 0, scene_blend_factors},
    {"alpha-test", D3DFMT_A8R8G8B8, 0, scene_alpha_test},
    {"stencil", D3DFMT_X8R8G8B8, D3DFMT_D24S8, scene_stencil},
    {"filters", D3DFMT_X8R8G8B8, 0, scene_filters},
    {"addresses", D3DFMT_X8R8G8B8, 0, scene_addresses},
    {"texture-formats", D3DFMT_X8R8G8B8, 0, scene_texture_formats},
    {"anisotropic", D3DFMT_X8R8G8B8, 0, scene_anisotropic},
    {"fill", D3DFMT_X8R8G8B8, 0, scene_fill},
    {"primitives", D3DFMT_X8R8G8B8, 0, scene_primitives},
    {"clipping", D3DFMT_X8R8G8B8, D3DFMT_D16, scene_clipping},
    {"lights", D3DFMT_X8R8G8B8, D3DFMT_D24S8, scene_lights},
    {"lights-565", D3DFMT_R5G6B5, D3DFMT_D16, scene_lights},
    {"vertex-fog", D3DFMT_X8R8G8B8, D3DFMT_D24X8, scene_vertex_fog},
    {"table-fog", D3DFMT_X8R8G8B8, D3DFMT_D24S8, scene_table_fog},
    {"coordinates", D3DFMT_X8R8G8B8, D3DFMT_D16, scene_coordinates},
    {"indexed", D3DFMT_X8R8G8B8, D3DFMT_D24S8, scene_indexed},
    {"patches", D3DFMT_X8R8G8B8, D3DFMT_D24S8, scene_patches},
    {"npatches", D3DFMT_X8R8G8B8, D3DFMT_D24S8, scene_npatches},
    {"cut-points", D3DFMT_X8R8G8B8, 0, scene_cut_points},
    {"shaders", D3DFMT_X8R8G8B8, D3DFMT_D24S8, scene_shaders},
};
const unsigned scene_count = ARRAY_COUNT(scenes);

/* "name hash" lines; returns 0 if the scene is not listed. */
static uint64_t expected_hash(const char *wanted)
{
    FILE *file = fopen(expected_path, "r");
    char name[64];
    uint64_t hash, found = 0;

    while (file && fscanf(file, "%63s %" SCNx64, name, &hash) == 2)
        if (!strcmp(name, wanted))
            found = hash;
    if (file)
        fclose(file);
    return found;
}

static void write_picture(struct stage *stage, const char *folder, const char *name)
{
    static uint8_t rgb[SCENE_WIDTH * SCENE_HEIGHT * 3];
    char path[512];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s.ppm", folder, name);
    if (!stage_read_rgb(stage, rgb))
        return;
    file = fopen(path, "wb");
    if (!file)
        return;
    fprintf(file, "P6\n%d %d\n255\n", SCENE_WIDTH, SCENE_HEIGHT);
    fwrite(rgb, 1, sizeof(rgb), file);
    fclose(file);
}

/* Returns 0 if something failed; `stage` says what. */
static uint64_t draw_scene(const struct scene *scene, struct stage *stage, const char *folder)
{
    uint32_t flags = D3DCLEAR_TARGET;
    uint64_t hash = 0;

    if (scene->depth_format)
        flags |= D3DCLEAR_ZBUFFER;
    if (scene->depth_format == D3DFMT_D24S8)
        flags |= D3DCLEAR_STENCIL;
    if (stage_open(stage, SCENE_WIDTH, SCENE_HEIGHT, scene->format, scene->depth_format)) {
        stage_clear(stage, flags, 0xff182030, 1, 0);
        scene->draw(stage);
        hash = stage_hash(stage);
        if (folder && (scene->format == D3DFMT_X8R8G8B8 || scene->format == D3DFMT_A8R8G8B8))
            write_picture(stage, folder, scene->name);
    }
    stage_close(stage);
    return stage->failed ? 0 : hash;
}

int main(int argc, char **argv)
{
    bool update = argc == 2 && !strcmp(argv[1], "--update");
    const char *folder = argc == 3 && !strcmp(argv[1], "--ppm") ? argv[2] : NULL;
    FILE *file = update ? fopen(expected_path, "w") : NULL;
    unsigned failed = 0;

    if ((argc > 1 && !update && !folder) || (update && !file)) {
        fprintf(stderr, "usage: golden [--update | --ppm DIR]\n");
        return 2;
    }
    printf("1..%u\n", scene_count);
    for (unsigned i = 0; i < scene_count; i++) {
        struct stage stage;
        uint64_t hash = draw_scene(&scenes[i], &stage, folder);
        bool good = hash && (update || hash == expected_hash(scenes[i].name));

        failed += !good;
        printf("%s %u - %s %016" PRIx64 "\n", good ? "ok" : "not ok", i + 1, scenes[i].name, hash);
        if (stage.failed)
            printf("# %s: 0x%08x\n", stage.failed, (unsigned)stage.error);
        if (file)
            fprintf(file, "%s %016" PRIx64 "\n", scenes[i].name, hash);
    }
    if (file)
        fclose(file);
    return failed ? 1 : 0;
}
