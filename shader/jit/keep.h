/* SPDX-License-Identifier: MIT */
/* Which programs have machine code. Private to shader/. */
#ifndef HALCYON_SHADER_JIT_KEEP_H
#define HALCYON_SHADER_JIT_KEEP_H

struct shader_code;

/* Frees the machine code of a program, if it has any. The program is about to be destroyed and runs on no thread. */
void shader_generated_drop(struct shader_code *code);

#endif
