/* SPDX-License-Identifier: MIT */
/* Which shader code Direct3D 9 accepts. Does not use objects of the API. Source: Wine's test_unsupported_shaders. */
#ifndef HALCYON_RUNTIME_D3D9_SHADER_SHADER_RULES_H
#define HALCYON_RUNTIME_D3D9_SHADER_SHADER_RULES_H

#include <windows.h>

#include <d3d9.h>

#include "bytecode/validate.h"

/* Bytes with the end token; 0: there is none within reason. */
size_t d3d9_code_bytes(const DWORD *code);

/* Can a device with these caps run the code? software: it may process vertices in software, with 8192 constants and
 * the versions that only software has. Compilers of the time break rules that were never enforced, so only those
 * rules count that give code its meaning or that the original runtime enforces. `report` is called for the others;
 * NULL: all rules count. False: *error says which rule is broken and where. */
bool d3d9_code_is_valid(const DWORD *code, bool pixel, const D3DCAPS9 *caps, bool software, shader_rule_report *report,
                        struct shader_error *error);

#endif
