/* SPDX-License-Identifier: MIT */
/*
 * Shader bytecode as instructions: tokens in, decoded instructions or an error with its place out. Knows no IR;
 * shared by the compiler, the disassembler and the API's validator (which the runtime links alone).
 * Source: reference shaders.md 1.
 */
#ifndef HALCYON_SHADER_BYTECODE_H
#define HALCYON_SHADER_BYTECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum shader_stage { SHADER_VERTEX, SHADER_PIXEL };

struct shader_error {
    size_t offset;  /* DWORDs from the version token */
    char text[160]; /* one line, without offset */
};

/* DWORDs up to and with the END token, at most `count`; 0 if there is no END or an instruction is cut. For code
 * that comes without a length pass a generous count. */
size_t shader_bytecode_length(const uint32_t *tokens, size_t count);

/* The code as assembly text; returns what snprintf would. Stops with a comment at what it cannot read. */
int shader_disassemble(const uint32_t *tokens, size_t count, char *text, size_t size);

#endif
