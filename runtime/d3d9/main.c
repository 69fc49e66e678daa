/* SPDX-License-Identifier: MIT */
/* The functions that d3d9.dll exports, except for D3DPERF_* (perf.c) and the validator (shader/validator.c). */
#include <initguid.h>
#include "runtime/d3d9/direct3d.h"
#include "runtime/d3d9/perf.h"

BOOL WINAPI DllMain(HINSTANCE instance, DWORD reason, LPVOID reserved)
{
    (void)instance;
    if (reason == DLL_THREAD_DETACH || (reason == DLL_PROCESS_DETACH && !reserved))
        d3d9_perf_thread_ends();
    if (reason == DLL_PROCESS_DETACH && !reserved)
        d3d9_perf_unload();
    return TRUE;
}

#define DEBUG_RUNTIME     0x80000000u /* what D3D_DEBUG_INFO adds to the version */
#define FIRST_SDK_VERSION 31u         /* of 9.0 and 9.0b (D3D9b_SDK_VERSION); D3D_SDK_VERSION is that of 9.0c */

/* Documented: no object for headers of another version. Those of 9.0b and 9.0c behave alike. */
static struct d3d9 *create(UINT sdk_version, bool is_ex)
{
    const UINT version = sdk_version & ~DEBUG_RUNTIME;

    base_init("d3d9.dll");
    if (version != FIRST_SDK_VERSION && version != D3D_SDK_VERSION) {
        log_warn("Direct3DCreate9 for SDK version %u, which is neither 31 nor 32", sdk_version);
        return NULL;
    }
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

/* --- 9On12 ----------------------------------------------------------------------------- */

struct D3D9ON12_ARGS;

/* Programs import these by ordinals 20 and 21, which the import library of the Windows SDK has for them
 * (doitsujin/dxvk#3445, microsoft/D3D12TranslationLayer#9). The arguments say on which Direct3D 12 device to run.
 * Direct3D 12 does not exist here, and the documentation allows the usual driver where 9On12 is not enabled or not
 * available. */
IDirect3D9 *WINAPI Direct3DCreate9On12(UINT sdk_version, struct D3D9ON12_ARGS *overrides, UINT count)
{
    (void)overrides;
    (void)count;
    return Direct3DCreate9(sdk_version);
}

HRESULT WINAPI Direct3DCreate9On12Ex(UINT sdk_version, struct D3D9ON12_ARGS *overrides, UINT count, IDirect3D9Ex **out)
{
    (void)overrides;
    (void)count;
    return Direct3DCreate9Ex(sdk_version, out);
}

/* --- without effect -------------------------------------------------------------------- */

void WINAPI DebugSetMute(void)
{
}

void WINAPI DebugSetLevel(void)
{
}

/* Functions without a name, by their ordinals. Windows calls some of them for programs that it has compatibility
 * fixes for, from 17 on, perhaps before DllMain; they are documented not by Microsoft but by replacements of
 * d3d9.dll (crosire/reshade, source/d3d9/d3d9_unknown.cpp). None of their features exists here. */

/* 16: which adapter of a computer with two comes first. */
void WINAPI Direct3D9ForceHybridEnumeration(UINT mode)
{
    (void)mode;
}

/* 17, DXMaximizedWindowedMode: windows are maximized without a border in place of full screen. */
void WINAPI Direct3D9SetMaximizedWindowedModeShim(int unknown, UINT mode)
{
    (void)unknown;
    (void)mode;
}

/* 18: may swap chains be presented by flips though the program asked for copies? */
void WINAPI Direct3D9SetSwapEffectUpgradeShim(int enable)
{
    (void)enable;
}

/* 19, D3D9On12Enabler: all devices are those of 9On12. */
void WINAPI Direct3D9Force9on12(int mode)
{
    (void)mode;
}

/* 22, DXMaximizedWindowedHwndOverride: as 17, for another window. */
void WINAPI Direct3D9SetMaximizedWindowHwndOverride(int unknown)
{
    (void)unknown;
}

/* 23, D3D9On12VendorIDLie: which vendor 9On12 speaks of. */
void WINAPI Direct3D9SetVendorIDLieFor9on12(int unknown)
{
    (void)unknown;
}

/* 17 under a name. */
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
