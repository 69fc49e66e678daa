/* SPDX-License-Identifier: MIT */
/*
 * Passes over the IR of a program, each small and each keeping every bit of what the program leaves
 * behind: tests/unit/test_shader_levels.c runs random programs with and without them. They know
 * basic blocks (runs of instructions without flow), in which the set of active lanes does not
 * change. Instructions that read textures stay, for sampler feedback sees them. Private to shader/.
 */
#ifndef HALCYON_SHADER_IR_OPTIMIZE_H
#define HALCYON_SHADER_IR_OPTIMIZE_H

#include "shader/code.h"

/* All passes until none finds anything. False: no memory (the code is still right). */
bool optimize_code(struct shader_code *code);

/* Loops of a count that the program defines become their bodies, one behind the other. False: no memory. */
bool optimize_unroll(struct shader_code *code);
/* Operations whose sources are all known when the shader is compiled become moves of their result,
 * made by the scalar executor's own arithmetic. False: no memory. */
bool optimize_fold(struct shader_code *code, bool *changed);
/* Reads of a copy become reads of what it was copied from. */
void optimize_copies(struct shader_code *code, bool *changed);
/* Components without a reader are not written; instructions without components go. */
void optimize_dead(struct shader_code *code, bool *changed);

#endif
