/* SPDX-License-Identifier: MIT */
/* What creation must know of a program and its declaration before the driver sees them: lengths,
 * constants, and whether every input the program reads is declared. */
#include "runtime/d3d8/shader_scan.h"

#define MAX_CODE_WORDS        65536
#define MAX_DECLARATION_WORDS 4096

#define OPCODE_DCL     0x001f
#define OPCODE_DEF     0x0051
#define OPCODE_COMMENT 0xfffe
#define CODE_END       0x0000ffff

enum { REGISTER_INPUT = 1, REGISTER_CONSTANT = 2 };

/* --- declarations ---------------------------------------------------------------------- */

static unsigned token_kind(DWORD token)
{
    return token >> D3DVSD_TOKENTYPESHIFT;
}

/* DWORDs that follow a token and belong to it. */
static size_t token_data(DWORD token)
{
    if (token_kind(token) == D3DVSD_TOKEN_CONSTMEM)
        return 4 * (size_t)(token >> D3DVSD_CONSTCOUNTSHIFT & 0xf);
    return token_kind(token) == D3DVSD_TOKEN_EXT ? token >> D3DVSD_EXTCOUNTSHIFT & 0x1f : 0;
}

size_t d3d8_declaration_length(const DWORD *declaration)
{
    size_t n = 0;

    while (n < MAX_DECLARATION_WORDS && declaration[n] != D3DVSD_END())
        n += 1 + token_data(declaration[n]);
    return n < MAX_DECLARATION_WORDS ? n + 1 : 0;
}

bool d3d8_declaration_is_data(DWORD token)
{
    return token_kind(token) == D3DVSD_TOKEN_STREAMDATA && !(token & 0x10000000);
}

uint32_t d3d8_declaration_inputs(const DWORD *declaration)
{
    uint32_t inputs = 0;

    for (; *declaration != D3DVSD_END(); declaration += 1 + token_data(*declaration)) {
        if (d3d8_declaration_is_data(*declaration) ||
            token_kind(*declaration) == D3DVSD_TOKEN_TESSELLATOR)
            inputs |= 1u << (*declaration & D3DVSD_VERTEXREGMASK);
    }
    return inputs;
}

bool d3d8_declaration_constants(const DWORD *declaration, size_t *at,
                                struct d3d8_declared_constants *constants)
{
    for (; declaration[*at] != D3DVSD_END(); *at += 1 + token_data(declaration[*at])) {
        DWORD token = declaration[*at];
        if (token_kind(token) != D3DVSD_TOKEN_CONSTMEM)
            continue;
        constants->first = token & D3DVSD_CONSTADDRESSMASK;
        constants->count = token >> D3DVSD_CONSTCOUNTSHIFT & 0xf;
        constants->values = &declaration[*at + 1];
        *at += 1 + token_data(token);
        return true;
    }
    return false;
}

size_t d3d8_declaration_strip(const DWORD *declaration, DWORD *out)
{
    size_t n = 0;

    for (; *declaration != D3DVSD_END(); declaration += 1 + token_data(*declaration)) {
        if (token_kind(*declaration) == D3DVSD_TOKEN_CONSTMEM)
            continue;
        for (size_t i = 0; i <= token_data(*declaration); i++)
            out[n++] = declaration[i];
    }
    out[n++] = D3DVSD_END();
    return n;
}

/* --- programs -------------------------------------------------------------------------- */

size_t d3d8_code_bytes(const DWORD *code)
{
    size_t n = 1;

    while (n < MAX_CODE_WORDS && code[n] != CODE_END) {
        if ((code[n] & 0xffff) == OPCODE_COMMENT)
            n += code[n] >> 16 & 0x7fff;
        n++;
    }
    return n < MAX_CODE_WORDS ? (n + 1) * sizeof(*code) : 0;
}

static void scan_operand(struct d3d8_code_use *use, DWORD operand)
{
    unsigned kind = (operand >> 28 & 7) | (operand >> 8 & 0x18);
    int index = operand & 0x7ff;

    if (kind == REGISTER_INPUT && index < 32)
        use->inputs |= 1u << index;
    if (kind == REGISTER_CONSTANT)
        use->highest_constant = BASE_MAX(use->highest_constant, index);
}

void d3d8_code_scan(const DWORD *code, struct d3d8_code_use *use)
{
    use->inputs = 0;
    use->highest_constant = -1;
    /* vs_1_x: an instruction is an opcode word and operands with bit 31 set. */
    for (code++; *code != CODE_END;) {
        DWORD opcode = *code & 0xffff;
        if (opcode == OPCODE_COMMENT) {
            code += 1 + (*code >> 16 & 0x7fff);
            continue;
        }
        code++;
        if (opcode == OPCODE_DEF) { /* destination and four values */
            scan_operand(use, *code);
            for (unsigned i = 0; i < 5 && *code != CODE_END; i++)
                code++;
            continue;
        }
        for (; *code & 0x80000000; code++) {
            if (opcode != OPCODE_DCL)
                scan_operand(use, *code);
        }
    }
}
