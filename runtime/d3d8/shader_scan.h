/* SPDX-License-Identifier: MIT */
/* Declarations (D3DVSD_*) and vs_1_x programs as words. Source: shaders.md 1 and 5. */
#ifndef HALCYON_RUNTIME_D3D8_SHADER_SCAN_H
#define HALCYON_RUNTIME_D3D8_SHADER_SCAN_H

#include "runtime/d3d8/d3d8_objects.h"

/* DWORDs up to and with the end token; 0 if there is none within reason. */
size_t d3d8_declaration_length(const DWORD *declaration);
/* The token feeds a register from a stream. */
bool d3d8_declaration_is_data(DWORD token);
/* Bit n: register n is fed. */
uint32_t d3d8_declaration_inputs(const DWORD *declaration);

struct d3d8_declared_constants {
    unsigned first, count;
    const DWORD *values; /* four floats each */
};
/* The next D3DVSD_CONST from word *at on; false: there are no more. */
bool d3d8_declaration_constants(const DWORD *declaration, size_t *at,
                                struct d3d8_declared_constants *constants);
/* Copies all but the constants; returns DWORDs written, at most as many as there are. */
size_t d3d8_declaration_strip(const DWORD *declaration, DWORD *out);

/* Bytes with the end token; 0 if there is none within reason. */
size_t d3d8_code_bytes(const DWORD *code);

struct d3d8_code_use {
    uint32_t inputs;      /* bit n: v<n> is read */
    int highest_constant; /* read or defined; -1: none */
};
/* A vs_1_x program whose end d3d8_code_bytes has found. */
void d3d8_code_scan(const DWORD *code, struct d3d8_code_use *use);

#endif
