/* SPDX-License-Identifier: MIT */
/* Programs as machine code: one function for each part of a plan that computes. Private to shader/jit/. */
#ifndef HALCYON_SHADER_JIT_GENERATE_H
#define HALCYON_SHADER_JIT_GENERATE_H

#include "base/base.h"
#include "shader/run/generated.h"
#include "shader/run/narrow_block.h"

#include <stdbool.h>
#include <stddef.h>

struct shader_program;

/* Makes functions for one level, and owns their memory. */
struct generator;

/* Arguments and result are those of shader_jit_create. */
struct generator *generator_create(enum cpu_level level, size_t bytes, bool checks);
/* No thread may be running its functions. NULL: does nothing. */
void generator_destroy(struct generator *generator);
/* The functions of a program. NULL if no part of the program can become a function, or out of memory. lacks_room: the
 * pool had no room for some of them; the result runs without these. */
struct shader_generated *generator_make(struct generator *generator, const struct shader_program *program,
                                        bool *lacks_room);
/* Adds functions of whole blocks for one way of storing. Other threads may read `generated` meanwhile. False: the pool
 * has no room. */
bool generator_add_blocks(struct generator *generator, const struct shader_program *program,
                          struct shader_generated *generated, struct narrow_block_store store);
/* No thread may be running the functions. NULL: does nothing. */
void generator_release(struct generator *generator, struct shader_generated *generated);
/* The bytes that the functions occupy. */
size_t generator_used(const struct generator *generator);

#endif
