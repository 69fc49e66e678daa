/* SPDX-License-Identifier: MIT */
/*
 * Shaders that compute with pixels, for targets that are larger than the program believes: pixel shaders of model 3 that read vPos, and
 * vertex shaders that write a point size. They are rewritten, so that vPos is in the program's pixels and sizes are in those
 * of the target.
 */
#ifndef HALCYON_RUNTIME_SHADER_PIXELS_H
#define HALCYON_RUNTIME_SHADER_PIXELS_H

#include <stddef.h>
#include <stdint.h>

/* DWORDs by which code grows at most. */
#define RT_SHADER_GROWTH 64

/* The code for a target that is `times` (2 to RT_MOST_TIMES) as large, `out` with room for count + RT_SHADER_GROWTH. `count`: DWORDs with
 * the end. Returns its DWORDs; 0: the code does not compute with pixels (*problem NULL), or cannot be rewritten (*problem says
 * why). */
size_t rt_shader_in_pixels(const uint32_t *code, size_t count, uint32_t times, uint32_t *out, const char **problem);

#endif
