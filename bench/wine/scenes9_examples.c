/* SPDX-License-Identifier: MIT */
/* Example programs as scenes: their frames are typical of an engine of the time. */
#include "bench/wine/scenes9.h"
#include "examples/courtyard.h"

static void create(IDirect3DDevice9 *device)
{
    if (!courtyard_create(device))
        fail("creating the courtyard", E_FAIL);
}

const struct scene example_scenes[] = {
    {"courtyard", "four views of about 220 objects, each with three cascades of shadows, ps_3_0", create,
     courtyard_draw, courtyard_destroy},
};
const unsigned example_scene_count = COUNT(example_scenes);
