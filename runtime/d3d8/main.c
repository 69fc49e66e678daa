/* SPDX-License-Identifier: MIT */
/* The four functions d3d8.dll exports. */
#define INITGUID
#include "runtime/d3d8/shader_scan.h"

BOOL WINAPI DllMain(HINSTANCE instance, DWORD reason, LPVOID reserved)
{
    (void)reserved;
    if (reason == DLL_PROCESS_ATTACH)
        DisableThreadLibraryCalls(instance);
    return TRUE;
}

IDirect3D8 *WINAPI Direct3DCreate8(UINT sdk_version)
{
    struct d3d8 *d3d;

    base_init("d3d8.dll");
    /* 120 is the first release's header, 220 that of 8.1; both behave the same. */
    if (sdk_version != D3D_SDK_VERSION && sdk_version != 120)
        log_info("Direct3DCreate8 for SDK version %u", sdk_version);
    d3d = d3d8_create();
    return d3d ? &d3d->iface : NULL;
}

/* --- shader validation ----------------------------------------------------------------- */

/* The caller frees the text with HeapFree. */
static void return_text(char **errors, const char *text)
{
    size_t size = strlen(text) + 1;

    *errors = HeapAlloc(GetProcessHeap(), 0, size);
    if (*errors)
        memcpy(*errors, text, size);
}

static HRESULT finish(const char *problem, BOOL return_errors, char **errors)
{
    if (errors)
        return_text(errors, problem && return_errors ? problem : "");
    return problem ? E_FAIL : S_OK;
}

static const char *vertex_program_problem(const DWORD *code, const DWORD *declaration,
                                          const D3DCAPS8 *caps)
{
    struct d3d8_code_use use;

    if (!d3d8_code_bytes(code))
        return "The shader has no end.";
    d3d8_code_scan(code, &use);
    if (caps && use.highest_constant >= (int)caps->MaxVertexShaderConst)
        return "A constant register is beyond what the device has.";
    if (declaration && (!d3d8_declaration_length(declaration) ||
                        (use.inputs & ~d3d8_declaration_inputs(declaration))))
        return "The declaration lacks an input the shader reads.";
    return NULL;
}

HRESULT WINAPI ValidateVertexShader(DWORD *code, DWORD *declaration, D3DCAPS8 *caps,
                                    BOOL return_errors, char **errors)
{
    const char *problem = NULL;

    if (!code)
        problem = "No shader code.";
    else if (*code != D3DVS_VERSION(1, 0) && *code != D3DVS_VERSION(1, 1))
        problem = "Unsupported vertex shader version.";
    else if (caps && *code > caps->VertexShaderVersion)
        problem = "The device does not support this vertex shader version.";
    else
        problem = vertex_program_problem(code, declaration, caps);
    return finish(problem, return_errors, errors);
}

HRESULT WINAPI ValidatePixelShader(DWORD *code, D3DCAPS8 *caps, BOOL return_errors, char **errors)
{
    const char *problem = NULL;

    /* Unlike its sibling it leaves *errors alone then. */
    if (!code)
        return E_FAIL;
    if (*code < D3DPS_VERSION(1, 0) || *code > D3DPS_VERSION(1, 4))
        problem = "Unsupported pixel shader version.";
    else if (caps && *code > caps->PixelShaderVersion)
        problem = "The device does not support this pixel shader version.";
    return finish(problem, return_errors, errors);
}

void WINAPI DebugSetMute(void)
{
}
