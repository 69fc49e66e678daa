/* SPDX-License-Identifier: MIT */
/*
 * IDirect3DShaderValidator9, which no header declares: assemblers of D3DX pass it the assembled code, an instruction at
 * a time. Source: Wine's test_shader_validator.
 */
#ifndef HALCYON_RUNTIME_D3D9_SHADER_VALIDATOR_H
#define HALCYON_RUNTIME_D3D9_SHADER_VALIDATOR_H

#include <windows.h>

#include <d3d9.h>

/* file, line: of the instruction, as Instruction was given them; line -1 or 0 and no file: of none. argument, context: as Begin was
 * given them. id: number of the message; D3DX shows it as error X5000 + id. */
typedef HRESULT(WINAPI *d3d9_validator_message)(const char *file, int line, DWORD_PTR argument, DWORD_PTR id,
                                                const char *text, void *context);

struct d3d9_validator;

struct d3d9_validator_vtbl {
    HRESULT(WINAPI *QueryInterface)(struct d3d9_validator *validator, REFIID riid, void **out);
    ULONG(WINAPI *AddRef)(struct d3d9_validator *validator);
    ULONG(WINAPI *Release)(struct d3d9_validator *validator);
    /* message may be NULL. E_FAIL: Begin was called before, or calls came out of order. */
    HRESULT(WINAPI *Begin)
    (struct d3d9_validator *validator, d3d9_validator_message message, void *context, DWORD_PTR argument);
    /* tokens: `count` of them, the first time the version. */
    HRESULT(WINAPI *Instruction)
    (struct d3d9_validator *validator, const char *file, int line, const DWORD *tokens, DWORD count);
    /* E_FAIL: some message has been sent since Begin. */
    HRESULT(WINAPI *End)(struct d3d9_validator *validator);
};

struct d3d9_validator {
    const struct d3d9_validator_vtbl *vtbl;
    LONG refs;
    int state; /* validator.c */
    DWORD version;
    d3d9_validator_message message;
    void *context;
    DWORD_PTR argument;
};

struct d3d9_validator *WINAPI Direct3DShaderValidatorCreate9(void);

#endif
