/* SPDX-License-Identifier: MIT */
/* The four functions d3d8.dll exports. */
#define INITGUID
#include "runtime/d3d8/d3d8_objects.h"

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

/* A vs_1_x instruction is an opcode word and operands with bit 31 set. Highest constant register
 * read or defined; -1 if none. */
static int highest_constant(const DWORD *code)
{
    int highest = -1;

    for (code++; *code != 0x0000ffff;) {
        DWORD opcode = *code & 0xffff;
        if (opcode == 0xfffe) { /* comment: its length is in the word */
            code += 1 + (*code >> 16 & 0x7fff);
            continue;
        }
        code++;
        if (opcode == 0x51) { /* def: destination and four values */
            highest = BASE_MAX(highest, (int)(*code & 0x7ff));
            code += 5;
            continue;
        }
        for (; *code & 0x80000000; code++) {
            if ((*code >> 28 & 7) == 2)
                highest = BASE_MAX(highest, (int)(*code & 0x7ff));
        }
    }
    return highest;
}

/* vs_1_x knows declarations as a list of inputs; fixed layouts of fixed inputs are not checked. */
static bool declares_position(const DWORD *declaration)
{
    for (; *declaration != D3DVSD_END(); declaration++) {
        DWORD token = *declaration;
        if ((token & D3DVSD_TOKENTYPEMASK) != D3DVSD_MAKETOKENTYPE(D3DVSD_TOKEN_STREAMDATA) ||
            (token & 0x10000000))
            continue;
        if ((token & D3DVSD_VERTEXREGMASK) == D3DVSDE_POSITION)
            return true;
    }
    return false;
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
    else if (caps && highest_constant(code) >= (int)caps->MaxVertexShaderConst)
        problem = "A constant register is beyond what the device has.";
    else if (declaration && !declares_position(declaration))
        problem = "The declaration lacks an input the shader reads.";
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
