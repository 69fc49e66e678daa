/* SPDX-License-Identifier: MIT */
/* Programs as machine code: the parts of a plan that compute, each a function. Private to shader/jit/. */
#ifndef HALCYON_SHADER_JIT_GENERATE_H
#define HALCYON_SHADER_JIT_GENERATE_H

#include "base/base.h"
#include "shader/run/generated.h"
#include "shader/run/narrow_block.h"

#include <stdbool.h>
#include <stddef.h>

struct shader_program;

/* Makes functions for one level, and has the memory that they lie in. */
struct generator;

/* Arguments and result as those of shader_jit_create. */
struct generator *generator_create(enum cpu_level level, size_t bytes, bool checks);
/* None of its functions runs any more. NULL: does nothing. */
void generator_destroy(struct generator *generator);
/* The functions of a program. NULL: it has no part that becomes one, or out of memory. lacks_room: the pool had no place for some
 * of them; the result runs without those. */
struct shader_generated *generator_make(struct generator *generator, const struct shader_program *program,
                                        bool *lacks_room);
/* Adds functions of whole blocks that store in one way. Others may read `generated` meanwhile. False: the pool has no room. */
bool generator_add_blocks(struct generator *generator, const struct shader_program *program,
                          struct shader_generated *generated, struct narrow_block_store store);
/* They run on no thread any more. NULL: does nothing. */
void generator_release(struct generator *generator, struct shader_generated *generated);
/* Bytes that functions take. */
size_t generator_used(const struct generator *generator);

#endif
