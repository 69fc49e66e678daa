/* SPDX-License-Identifier: MIT */
/* Which programs have machine code. Private to shader/. */
#ifndef HALCYON_SHADER_JIT_KEEP_H
#define HALCYON_SHADER_JIT_KEEP_H

struct shader_code;

/* The program is about to be destroyed, and runs on no thread: its machine code goes, if it has any. */
void shader_generated_drop(struct shader_code *code);

#endif
