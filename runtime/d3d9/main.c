/* SPDX-License-Identifier: MIT */
/* The functions that d3d9.dll exports, but for D3DPERF_* (perf.c) and the validator (shader/validator.c). */
#define INITGUID
#include "runtime/d3d9/direct3d.h"

BOOL WINAPI DllMain(HINSTANCE instance, DWORD reason, LPVOID reserved)
{
    (void)reserved;
    if (reason == DLL_PROCESS_ATTACH)
        DisableThreadLibraryCalls(instance);
    return TRUE;
}

static struct d3d9 *create(UINT sdk_version, bool is_ex)
{
    base_init("d3d9.dll");
    /* 31 is the first release's header, 32 that of 9.0c; bit 31 asks for the debug runtime. All behave the same. */
    if ((sdk_version & ~0x80000000u) != 31 && (sdk_version & ~0x80000000u) != D3D_SDK_VERSION)
        log_info("Direct3DCreate9 for SDK version %u", sdk_version);
    return d3d9_create(is_ex);
}

IDirect3D9 *WINAPI Direct3DCreate9(UINT sdk_version)
{
    struct d3d9 *d3d = create(sdk_version, false);

    return d3d ? (IDirect3D9 *)&d3d->iface : NULL;
}

HRESULT WINAPI Direct3DCreate9Ex(UINT sdk_version, IDirect3D9Ex **out)
{
    struct d3d9 *d3d;

    if (!out)
        return D3DERR_INVALIDCALL;
    d3d = create(sdk_version, true);
    *out = d3d ? &d3d->iface : NULL;
    return d3d ? D3D_OK : D3DERR_NOTAVAILABLE;
}

/* --- without effect -------------------------------------------------------------------- */

void WINAPI DebugSetMute(void)
{
}

void WINAPI DebugSetLevel(void)
{
}

/* Says whether windows may be maximized without a border in place of full screen, to a shim that Windows applies to programs. */
int WINAPI Direct3D9EnableMaximizedWindowedModeShim(BOOL enable)
{
    (void)enable;
    return 0;
}

/* The names under which processor-specific graphics pipelines reported errors and sampled textures; drivers of Windows 98 called
 * them. */
void WINAPI PSGPError(void *process, unsigned id, unsigned value)
{
    (void)process;
    (void)id;
    (void)value;
}

void WINAPI PSGPSampleTexture(void *process, unsigned stage, const void *coordinates, unsigned count, void *colors)
{
    (void)process;
    (void)stage;
    (void)coordinates;
    (void)count;
    (void)colors;
}
