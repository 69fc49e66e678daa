/* SPDX-License-Identifier: MIT */
/* The functions that d3d8.dll exports. */
#include <initguid.h>
#include "runtime/d3d8/declaration.h"

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

static HRESULT finish_validation(const char *problem, BOOL return_errors, char **errors)
{
    if (errors)
        return_text(errors, problem && return_errors ? problem : "");
    return problem ? E_FAIL : S_OK;
}

/* NULL: the code keeps the rules. *error holds the text that is returned. */
static const char *problem_of(const DWORD *code, bool pixel, const DWORD *declaration, const D3DCAPS8 *caps,
                              struct shader_error *error)
{
    if (!code)
        return "No shader code.";
    return d3d8_code_is_valid(code, pixel, declaration, caps, NULL, error) ? NULL : error->text;
}

HRESULT WINAPI ValidateVertexShader(DWORD *code, DWORD *declaration, D3DCAPS8 *caps, BOOL return_errors, char **errors)
{
    struct shader_error error;

    return finish_validation(problem_of(code, false, declaration, caps, &error), return_errors, errors);
}

HRESULT WINAPI ValidatePixelShader(DWORD *code, D3DCAPS8 *caps, BOOL return_errors, char **errors)
{
    struct shader_error error;

    /* Unlike its sibling it leaves *errors unchanged then. */
    if (!code)
        return E_FAIL;
    return finish_validation(problem_of(code, true, NULL, caps, &error), return_errors, errors);
}

/* --- without effect -------------------------------------------------------------------- */

void WINAPI DebugSetMute(void)
{
}

/* The interface of a processor vendor's software rasterizer, which was never shipped. */
HRESULT WINAPI D3D8GetSWInfo(void)
{
    return D3D_OK;
}
