/* SPDX-License-Identifier: MIT */
/* D3DCAPS9 as programs see it: the driver's, without the bits meant only for runtimes, and with the runtime's own
 * members. */
#include <stddef.h>
#include <string.h>

#include "runtime/d3d9/direct3d.h"

#define SOFTWARE_CONSTANTS 8192
#define MAX_LIGHTS         10 /* no driver of the time reported more */

/* Removes bits with which drivers signal to runtimes (test_device_caps of Wine's tests has these masks). */
#define FILTERS                                                                                         \
    (D3DPTFILTERCAPS_MINFPOINT | D3DPTFILTERCAPS_MINFLINEAR | D3DPTFILTERCAPS_MINFANISOTROPIC |         \
     D3DPTFILTERCAPS_MINFPYRAMIDALQUAD | D3DPTFILTERCAPS_MINFGAUSSIANQUAD | D3DPTFILTERCAPS_MIPFPOINT | \
     D3DPTFILTERCAPS_MIPFLINEAR | D3DPTFILTERCAPS_MAGFPOINT | D3DPTFILTERCAPS_MAGFLINEAR |              \
     D3DPTFILTERCAPS_MAGFANISOTROPIC | D3DPTFILTERCAPS_MAGFPYRAMIDALQUAD | D3DPTFILTERCAPS_MAGFGAUSSIANQUAD)
#define BLENDS 0x3fffu /* D3DPBLENDCAPS_ZERO to D3DPBLENDCAPS_BLENDFACTOR */

static const struct {
    size_t offset;
    DWORD bits;
} public_bits[] = {
    {offsetof(D3DCAPS9, Caps), D3DCAPS_READ_SCANLINE},
    {offsetof(D3DCAPS9, Caps2), D3DCAPS2_DYNAMICTEXTURES | D3DCAPS2_CANAUTOGENMIPMAP},
    {offsetof(D3DCAPS9, Caps3), D3DCAPS3_ALPHA_FULLSCREEN_FLIP_OR_DISCARD | D3DCAPS3_LINEAR_TO_SRGB_PRESENTATION},
    /* bits that are only for the runtime (docs/reference/driver-calls.md, section 8) */
    {offsetof(D3DCAPS9, DevCaps),
     ~(DWORD)(D3DDEVCAPS_HWVERTEXBUFFER | D3DDEVCAPS_HWINDEXBUFFER | D3DDEVCAPS_SUBVOLUMELOCK)},
    {offsetof(D3DCAPS9, PrimitiveMiscCaps),
     D3DPMISCCAPS_MASKZ | D3DPMISCCAPS_CULLNONE | D3DPMISCCAPS_CULLCW | D3DPMISCCAPS_CULLCCW |
         D3DPMISCCAPS_COLORWRITEENABLE | D3DPMISCCAPS_CLIPPLANESCALEDPOINTS | D3DPMISCCAPS_CLIPTLVERTS |
         D3DPMISCCAPS_TSSARGTEMP | D3DPMISCCAPS_BLENDOP | D3DPMISCCAPS_NULLREFERENCE |
         D3DPMISCCAPS_INDEPENDENTWRITEMASKS | D3DPMISCCAPS_PERSTAGECONSTANT | D3DPMISCCAPS_FOGANDSPECULARALPHA |
         D3DPMISCCAPS_SEPARATEALPHABLEND | D3DPMISCCAPS_MRTINDEPENDENTBITDEPTHS |
         D3DPMISCCAPS_MRTPOSTPIXELSHADERBLENDING | D3DPMISCCAPS_FOGVERTEXCLAMPED | D3DPMISCCAPS_POSTBLENDSRGBCONVERT},
    {offsetof(D3DCAPS9, RasterCaps),
     D3DPRASTERCAPS_DITHER | D3DPRASTERCAPS_ZTEST | D3DPRASTERCAPS_FOGVERTEX | D3DPRASTERCAPS_FOGTABLE |
         D3DPRASTERCAPS_MIPMAPLODBIAS | D3DPRASTERCAPS_ZBUFFERLESSHSR | D3DPRASTERCAPS_FOGRANGE |
         D3DPRASTERCAPS_ANISOTROPY | D3DPRASTERCAPS_WBUFFER | D3DPRASTERCAPS_WFOG | D3DPRASTERCAPS_ZFOG |
         D3DPRASTERCAPS_COLORPERSPECTIVE | D3DPRASTERCAPS_SCISSORTEST | D3DPRASTERCAPS_SLOPESCALEDEPTHBIAS |
         D3DPRASTERCAPS_DEPTHBIAS | D3DPRASTERCAPS_MULTISAMPLE_TOGGLE},
    {offsetof(D3DCAPS9, SrcBlendCaps), BLENDS},
    {offsetof(D3DCAPS9, DestBlendCaps), BLENDS},
    {offsetof(D3DCAPS9, TextureCaps),
     D3DPTEXTURECAPS_PERSPECTIVE | D3DPTEXTURECAPS_POW2 | D3DPTEXTURECAPS_ALPHA | D3DPTEXTURECAPS_SQUAREONLY |
         D3DPTEXTURECAPS_TEXREPEATNOTSCALEDBYSIZE | D3DPTEXTURECAPS_ALPHAPALETTE | D3DPTEXTURECAPS_NONPOW2CONDITIONAL |
         D3DPTEXTURECAPS_PROJECTED | D3DPTEXTURECAPS_CUBEMAP | D3DPTEXTURECAPS_VOLUMEMAP | D3DPTEXTURECAPS_MIPMAP |
         D3DPTEXTURECAPS_MIPVOLUMEMAP | D3DPTEXTURECAPS_MIPCUBEMAP | D3DPTEXTURECAPS_CUBEMAP_POW2 |
         D3DPTEXTURECAPS_VOLUMEMAP_POW2 | D3DPTEXTURECAPS_NOPROJECTEDBUMPENV},
    {offsetof(D3DCAPS9, TextureFilterCaps), FILTERS | D3DPTFILTERCAPS_CONVOLUTIONMONO},
    {offsetof(D3DCAPS9, CubeTextureFilterCaps), FILTERS},
    {offsetof(D3DCAPS9, VolumeTextureFilterCaps), FILTERS},
    {offsetof(D3DCAPS9, LineCaps), D3DLINECAPS_TEXTURE | D3DLINECAPS_ZTEST | D3DLINECAPS_BLEND | D3DLINECAPS_ALPHACMP |
                                       D3DLINECAPS_FOG | D3DLINECAPS_ANTIALIAS},
    {offsetof(D3DCAPS9, StencilCaps), D3DSTENCILCAPS_KEEP | D3DSTENCILCAPS_ZERO | D3DSTENCILCAPS_REPLACE |
                                          D3DSTENCILCAPS_INCRSAT | D3DSTENCILCAPS_DECRSAT | D3DSTENCILCAPS_INVERT |
                                          D3DSTENCILCAPS_INCR | D3DSTENCILCAPS_DECR | D3DSTENCILCAPS_TWOSIDED},
    {offsetof(D3DCAPS9, VertexProcessingCaps), D3DVTXPCAPS_TEXGEN | D3DVTXPCAPS_MATERIALSOURCE7 |
                                                   D3DVTXPCAPS_DIRECTIONALLIGHTS | D3DVTXPCAPS_POSITIONALLIGHTS |
                                                   D3DVTXPCAPS_LOCALVIEWER | D3DVTXPCAPS_TWEENING |
                                                   D3DVTXPCAPS_TEXGEN_SPHEREMAP | D3DVTXPCAPS_NO_TEXGEN_NONLOCALVIEWER},
    {offsetof(D3DCAPS9, DevCaps2), D3DDEVCAPS2_STREAMOFFSET | D3DDEVCAPS2_DMAPNPATCH | D3DDEVCAPS2_ADAPTIVETESSRTPATCH |
                                       D3DDEVCAPS2_ADAPTIVETESSNPATCH | D3DDEVCAPS2_CAN_STRETCHRECT_FROM_TEXTURES |
                                       D3DDEVCAPS2_PRESAMPLEDDMAPNPATCH |
                                       D3DDEVCAPS2_VERTEXELEMENTSCANSHARESTREAMOFFSET},
};

static void keep_public_bits(D3DCAPS9 *caps)
{
    for (size_t i = 0; i < ARRAY_COUNT(public_bits); i++) {
        DWORD *member = (DWORD *)((char *)caps + public_bits[i].offset);

        *member &= public_bits[i].bits;
    }
}

static void add_runtime_caps(const struct d3d9 *d3d, UINT adapter, D3DCAPS9 *caps)
{
    caps->AdapterOrdinal = adapter;
    caps->Caps2 |= D3DCAPS2_FULLSCREENGAMMA | D3DCAPS2_CANMANAGERESOURCE;
    if (d3d->is_ex)
        caps->Caps2 |= D3DCAPS2_CANSHARERESOURCE;
    caps->Caps3 |= D3DCAPS3_COPY_TO_VIDMEM | D3DCAPS3_COPY_TO_SYSTEMMEM;
    caps->PresentationIntervals = D3DPRESENT_INTERVAL_IMMEDIATE | D3DPRESENT_INTERVAL_ONE;
    caps->CursorCaps = D3DCURSORCAPS_COLOR | D3DCURSORCAPS_LOWRES;
    /* One driver serves all displays. */
    caps->MasterAdapterOrdinal = 0;
    caps->AdapterOrdinalInGroup = adapter;
    caps->NumberOfAdaptersInGroup = adapter ? 0 : d3d->display_count;
}

void d3d9_fill_caps(const struct d3d9 *d3d, UINT adapter, D3DDEVTYPE type, DWORD behavior, D3DCAPS9 *caps)
{
    _Static_assert(sizeof(*caps) == sizeof(struct d3d_caps9), "both are the driver's bytes");
    memcpy(caps, rt_adapter_caps9(d3d->adapter), sizeof(*caps));
    caps->DeviceType = type;
    keep_public_bits(caps);
    add_runtime_caps(d3d, adapter, caps);
    caps->MaxActiveLights = BASE_MIN(caps->MaxActiveLights, MAX_LIGHTS);
    caps->MaxStreams = BASE_MIN(caps->MaxStreams, RT_STREAMS);
    caps->MaxTextureBlendStages = BASE_MIN(caps->MaxTextureBlendStages, RT_STAGES);
    caps->MaxUserClipPlanes = BASE_MIN(caps->MaxUserClipPlanes, RT_CLIP_PLANES);
    if (behavior & D3DCREATE_SOFTWARE_VERTEXPROCESSING)
        caps->MaxVertexShaderConst = SOFTWARE_CONSTANTS;
    if (!caps->VertexShaderVersion)
        caps->VertexShaderVersion = D3DVS_VERSION(0, 0);
    if (!caps->PixelShaderVersion)
        caps->PixelShaderVersion = D3DPS_VERSION(0, 0);
}
