/* SPDX-License-Identifier: MIT */
/*
 * Small passes over the IR of a program. Each keeps every bit of the program's results: tests/unit/test_shader_levels.c
 * runs random programs with and without them. They know basic blocks (runs of instructions without flow), in which the
 * set of active lanes does not change. Instructions that read textures are kept, because sampler feedback observes
 * them. Private to shader/.
 */
#ifndef HALCYON_SHADER_IR_OPTIMIZE_H
#define HALCYON_SHADER_IR_OPTIMIZE_H

#include "shader/code.h"

/* Runs all passes until none changes anything. False: out of memory (the code is still correct). */
bool optimize_code(struct shader_code *code);

/* Unrolls loops whose count the program defines. False: out of memory. */
bool optimize_unroll(struct shader_code *code);
/* Operations whose sources are all known when the shader is compiled become moves of their result, computed by the
 * scalar executor. False: out of memory. */
bool optimize_fold(struct shader_code *code, bool *changed);

#endif
