/* SPDX-License-Identifier: MIT */
/* Programs as machine code: the parts of a plan that compute, each a function. Private to shader/. */
#ifndef HALCYON_SHADER_JIT_GENERATE_H
#define HALCYON_SHADER_JIT_GENERATE_H

#include "shader/code.h"
#include "shader/run/generated.h"

/* NULL: nothing to free. */
void shader_generated_free(struct shader_generated *generated);

#endif
