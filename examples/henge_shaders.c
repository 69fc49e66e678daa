/* SPDX-License-Identifier: MIT */
/* The henge's shaders: tokens that `dp2 shader` assembles from the texts in examples/shaders, called by the
 * Makefile. */
#include "examples/henge.h"

static const DWORD depth_vertex[] = {
#include "examples/shaders/henge_depth.vsa.h"
};
static const DWORD depth_pixel[] = {
#include "examples/shaders/henge_depth.psa.h"
};
static const DWORD lit_vertex[] = {
#include "examples/shaders/henge_lit.vsa.h"
};
static const DWORD lit_pixel[] = {
#include "examples/shaders/henge_lit.psa.h"
};
static const DWORD grass_vertex[] = {
#include "examples/shaders/henge_grass.vsa.h"
};
static const DWORD grass_pixel[] = {
#include "examples/shaders/henge_grass.psa.h"
};
static const DWORD sky_vertex[] = {
#include "examples/shaders/henge_sky.vsa.h"
};
static const DWORD sky_pixel[] = {
#include "examples/shaders/henge_sky.psa.h"
};
static const DWORD crystal_vertex[] = {
#include "examples/shaders/henge_crystal.vsa.h"
};
static const DWORD crystal_pixel[] = {
#include "examples/shaders/henge_crystal.psa.h"
};
static const DWORD post_vertex[] = {
#include "examples/shaders/henge_post.vsa.h"
};
static const DWORD bright_pixel[] = {
#include "examples/shaders/henge_bright.psa.h"
};
static const DWORD blur_pixel[] = {
#include "examples/shaders/henge_blur.psa.h"
};
static const DWORD shafts_pixel[] = {
#include "examples/shaders/henge_shafts.psa.h"
};
static const DWORD tone_pixel[] = {
#include "examples/shaders/henge_tone.psa.h"
};

struct programs programs_create(IDirect3DDevice9 *device)
{
    return (struct programs){
        .depth = make_program(device, depth_vertex, depth_pixel),
        .lit = make_program(device, lit_vertex, lit_pixel),
        .grass = make_program(device, grass_vertex, grass_pixel),
        .sky = make_program(device, sky_vertex, sky_pixel),
        .crystal = make_program(device, crystal_vertex, crystal_pixel),
        .bright = make_program(device, post_vertex, bright_pixel),
        .blur = make_program(device, post_vertex, blur_pixel),
        .shafts = make_program(device, post_vertex, shafts_pixel),
        .tone = make_program(device, post_vertex, tone_pixel),
    };
}

void programs_destroy(struct programs *p)
{
    struct program *const all[] = {&p->depth,  &p->lit,  &p->grass,  &p->sky, &p->crystal,
                                   &p->bright, &p->blur, &p->shafts, &p->tone};

    for (unsigned i = 0; i < COUNT(all); i++)
        program_destroy(all[i]);
}
