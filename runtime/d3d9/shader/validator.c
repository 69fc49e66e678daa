/* SPDX-License-Identifier: MIT */
/*
 * Reports broken rules by the numbers of the original's messages. Only two rules have known numbers, those about the
 * inputs of ps_3_0; all other code passes: an assembler must not fail because of a message that the original would not
 * have sent, and code that cannot be run is refused when a shader is created from it.
 */
#include "runtime/d3d9/shader/validator.h"

#include "base/base.h"
#include "bytecode/bytecode.h"

#include <stdlib.h>
#include <string.h>

enum state {
    IDLE,
    BEGUN,  /* the version comes */
    INSIDE, /* instructions come */
    BROKEN, /* the same, and a message has been sent */
    STUCK,  /* calls came out of order: nothing works any more */
};

enum message {
    ALREADY_BEGUN = 0xeb,
    NO_VERSION = 0xef,
    GIVES_UP = 0xf0,
    INPUT_DECLARED = 0x12c,
    INPUT_READ = 0x167,
};

#define PS_3_0            0xffff0300u
#define PS_3_0_INPUTS     10
#define MAX_TOKENS        64 /* of a checked instruction: all except comments have fewer */
#define IS_VERSION(token) (((token) >> 16 & 0xfffe) == 0xfffe)

static void call_back(struct d3d9_validator *validator, const char *file, int line, enum message id, const char *text)
{
    if (validator->message)
        validator->message(file, line, validator->argument, id, text, validator->context);
}

/* --- IUnknown ---------------------------------------------------------------------------- */

static HRESULT WINAPI validator_QueryInterface(struct d3d9_validator *validator, REFIID riid, void **out)
{
    static const GUID unknown = {0, 0, 0, {0xc0, 0, 0, 0, 0, 0, 0, 0x46}};

    if (!out)
        return E_POINTER;
    *out = NULL;
    if (!riid || memcmp(riid, &unknown, sizeof(unknown)))
        return E_NOINTERFACE;
    *out = validator;
    InterlockedIncrement(&validator->refs);
    return S_OK;
}

static ULONG WINAPI validator_AddRef(struct d3d9_validator *validator)
{
    return (ULONG)InterlockedIncrement(&validator->refs);
}

static ULONG WINAPI validator_Release(struct d3d9_validator *validator)
{
    const ULONG refs = (ULONG)InterlockedDecrement(&validator->refs);

    if (!refs)
        free(validator);
    return refs;
}

/* --- validation ---------------------------------------------------------------------------- */

static HRESULT WINAPI validator_Begin(struct d3d9_validator *validator, d3d9_validator_message message, void *context,
                                      DWORD_PTR argument)
{
    if (validator->state != IDLE) {
        if (message)
            message(NULL, 0, argument, ALREADY_BEGUN, "Begin was called before, without an End that succeeded.",
                    context);
        return E_FAIL;
    }
    validator->state = BEGUN;
    validator->message = message;
    validator->context = context;
    validator->argument = argument;
    return S_OK;
}

/* The instruction after the version; false: it is not valid, or the reader does not understand it. */
static bool read_instruction(DWORD version, const DWORD *tokens, DWORD count, struct shader_instruction *instruction)
{
    uint32_t code[MAX_TOKENS + 2];
    struct shader_reader reader;

    if (!count || count > MAX_TOKENS)
        return false;
    code[0] = version;
    memcpy(code + 1, tokens, count * sizeof(*tokens));
    code[count + 1] = 0x0000ffff;
    if (!shader_reader_init(&reader, code, count + 2, NULL) || !shader_read(&reader, instruction, NULL))
        return false;
    instruction->data = NULL; /* it points into `code` */
    return true;
}

static bool is_beyond_inputs(const struct shader_parameter *parameter)
{
    return parameter->type == SREG_INPUT && !parameter->relative && parameter->number >= PS_3_0_INPUTS;
}

/* 0: no rule is broken. */
static enum message check_inputs(const struct shader_instruction *instruction)
{
    if (instruction->opcode == SOP_DCL)
        return is_beyond_inputs(&instruction->destination) ? INPUT_DECLARED : 0;
    for (unsigned i = 0; i < instruction->source_count; i++)
        if (is_beyond_inputs(&instruction->source[i]))
            return INPUT_READ;
    return 0;
}

static HRESULT begin_code(struct d3d9_validator *validator, const DWORD *tokens, DWORD count)
{
    if (!tokens || !count || !IS_VERSION(tokens[0])) {
        validator->state = STUCK;
        call_back(validator, NULL, -1, NO_VERSION, "The first instruction is not a version.");
        call_back(validator, NULL, 0, GIVES_UP, "Validation ends here.");
        return E_FAIL;
    }
    validator->version = tokens[0];
    validator->state = INSIDE;
    return S_OK;
}

static HRESULT WINAPI validator_Instruction(struct d3d9_validator *validator, const char *file, int line,
                                            const DWORD *tokens, DWORD count)
{
    struct shader_instruction instruction;
    enum message id;

    if (validator->state == BEGUN)
        return begin_code(validator, tokens, count);
    if (validator->state == IDLE || validator->state == STUCK || !tokens)
        return E_FAIL;
    if (validator->version != PS_3_0 || !read_instruction(validator->version, tokens, count, &instruction))
        return S_OK;
    id = check_inputs(&instruction);
    if (id) {
        validator->state = BROKEN;
        call_back(validator, file, line, id, "ps_3_0 has the input registers v0 to v9.");
    }
    return S_OK;
}

static HRESULT WINAPI validator_End(struct d3d9_validator *validator)
{
    const HRESULT hr = validator->state == BEGUN || validator->state == INSIDE ? S_OK : E_FAIL;

    if (validator->state != STUCK)
        validator->state = IDLE;
    return hr;
}

static const struct d3d9_validator_vtbl validator_vtbl = {
    validator_QueryInterface, validator_AddRef,      validator_Release,
    validator_Begin,          validator_Instruction, validator_End,
};

struct d3d9_validator *WINAPI Direct3DShaderValidatorCreate9(void)
{
    struct d3d9_validator *validator = mem_calloc(1, sizeof(*validator));

    if (!validator)
        return NULL;
    validator->vtbl = &validator_vtbl;
    validator->refs = 1;
    validator->state = IDLE;
    return validator;
}
