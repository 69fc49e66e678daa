/* SPDX-License-Identifier: MIT */
/* Declarations (D3DVSD_*) as words, and the rules of programs. Sources: docs/reference/vertex-processing.md, section 1;
 * docs/reference/shader-code.md, section 9. */
#ifndef HALCYON_RUNTIME_D3D8_DECLARATION_H
#define HALCYON_RUNTIME_D3D8_DECLARATION_H

#include "bytecode/validate.h"
#include "runtime/d3d8/d3d8_objects.h"

/* DWORDs up to and with the end token; 0 if there is none within reason. */
size_t d3d8_declaration_length(const DWORD *declaration);
/* The token feeds a register from a stream. */
bool d3d8_declaration_is_data(DWORD token);
/* Bit n: register n is fed. */
uint32_t d3d8_declaration_inputs(const DWORD *declaration);

/* Bytes from the start of a vertex in stream 0 to the end of the last datum that the declaration has there; 0: it has none. */
unsigned d3d8_declaration_vertex_bytes(const DWORD *declaration);

struct d3d8_declared_constants {
    unsigned first, count;
    const DWORD *values; /* four floats each */
};
/* The next D3DVSD_CONST from word *at on; false: there are no more. */
bool d3d8_declaration_constants(const DWORD *declaration, size_t *at, struct d3d8_declared_constants *constants);
/* Copies all but the constants; returns DWORDs written, at most as many as there are. */
size_t d3d8_declaration_strip(const DWORD *declaration, DWORD *out);

/* Bytes with the end token; 0 if there is none within reason. */
size_t d3d8_code_bytes(const DWORD *code);

/* Does the code keep the rules of the API for a device with these caps (NULL: any device)? declaration: feeds a
 * vertex program; NULL: not checked. report: called for each broken rule that code need not keep to be run
 * (bytecode/validate.h), and only the other rules count; NULL: all rules count. False: *error says which rule is
 * broken and where. */
bool d3d8_code_is_valid(const DWORD *code, bool pixel, const DWORD *declaration, const D3DCAPS8 *caps,
                        shader_rule_report *report, struct shader_error *error);

#endif
