/* SPDX-License-Identifier: MIT */
/*
 * Device capabilities of DirectX 2 to 9. The DirectX 8 structure is the source; the others are derived from it where
 * they have the same meaning. The fields: docs/reference/driver-calls.md, section 7; what DirectX 8 requires: section
 * 8.
 */
#include "caps/caps.h"

#include <float.h>
#include <string.h>

#include "raster/sample/sample.h"
#include "shader/shader.h"

#define COMPARE_ALL 0xFF /* D3DPCMPCAPS_NEVER ... ALWAYS */
#define FILTERS                                                                                                        \
    (D3DPTFILTERCAPS_MINFPOINT | D3DPTFILTERCAPS_MINFLINEAR | D3DPTFILTERCAPS_MAGFPOINT | D3DPTFILTERCAPS_MAGFLINEAR | \
     D3DPTFILTERCAPS_MIPFPOINT | D3DPTFILTERCAPS_MIPFLINEAR)
/* Filters and address modes that flat textures and faces of cubes have. */
#define FILTERS_FLAT (FILTERS | D3DPTFILTERCAPS_MINFANISOTROPIC | D3DPTFILTERCAPS_MAGFANISOTROPIC)
#define DEPTHS       (DDBD_16 | DDBD_24) /* bits of the depth formats that DirectX 7 hears of */
/* clang-format off */
#define ADDRESS_MODES                                                                              \
    (D3DPTADDRESSCAPS_WRAP | D3DPTADDRESSCAPS_MIRROR | D3DPTADDRESSCAPS_CLAMP |                    \
     D3DPTADDRESSCAPS_BORDER | D3DPTADDRESSCAPS_INDEPENDENTUV | D3DPTADDRESSCAPS_MIRRORONCE)
/* clang-format off */
/* clang-format on */
#define DEST_BLENDS                                                                                              \
    (D3DPBLENDCAPS_ZERO | D3DPBLENDCAPS_ONE | D3DPBLENDCAPS_SRCCOLOR | D3DPBLENDCAPS_INVSRCCOLOR |               \
     D3DPBLENDCAPS_SRCALPHA | D3DPBLENDCAPS_INVSRCALPHA | D3DPBLENDCAPS_DESTALPHA | D3DPBLENDCAPS_INVDESTALPHA | \
     D3DPBLENDCAPS_DESTCOLOR | D3DPBLENDCAPS_INVDESTCOLOR | D3DPBLENDCAPS_SRCALPHASAT)
/* clang-format off */
/* clang-format on */
#define TEXTURE_OPS                                                                                               \
    (D3DTEXOPCAPS_DISABLE | D3DTEXOPCAPS_SELECTARG1 | D3DTEXOPCAPS_SELECTARG2 | D3DTEXOPCAPS_MODULATE |           \
     D3DTEXOPCAPS_MODULATE2X | D3DTEXOPCAPS_MODULATE4X | D3DTEXOPCAPS_ADD | D3DTEXOPCAPS_ADDSIGNED |              \
     D3DTEXOPCAPS_ADDSIGNED2X | D3DTEXOPCAPS_SUBTRACT | D3DTEXOPCAPS_ADDSMOOTH | D3DTEXOPCAPS_BLENDDIFFUSEALPHA | \
     D3DTEXOPCAPS_BLENDTEXTUREALPHA | D3DTEXOPCAPS_BLENDFACTORALPHA | D3DTEXOPCAPS_BLENDTEXTUREALPHAPM |          \
     D3DTEXOPCAPS_BLENDCURRENTALPHA | D3DTEXOPCAPS_PREMODULATE | D3DTEXOPCAPS_MODULATEALPHA_ADDCOLOR |            \
     D3DTEXOPCAPS_MODULATECOLOR_ADDALPHA | D3DTEXOPCAPS_MODULATEINVALPHA_ADDCOLOR |                               \
     D3DTEXOPCAPS_MODULATEINVCOLOR_ADDALPHA | D3DTEXOPCAPS_BUMPENVMAP | D3DTEXOPCAPS_BUMPENVMAPLUMINANCE |        \
     D3DTEXOPCAPS_DOTPRODUCT3 | D3DTEXOPCAPS_MULTIPLYADD | D3DTEXOPCAPS_LERP)
/* clang-format on */

/* Bits of DevCaps that the runtime keeps for itself (the DDI's only). */
#define DDI_DEVICE_CAPS (D3DDEVCAPS_HWVERTEXBUFFER | D3DDEVCAPS_HWINDEXBUFFER | D3DDEVCAPS_SUBVOLUMELOCK)

/* HANDLEZERO: only control points are kept under handles, so a patch without one costs the same. */
#define PATCH_CAPS \
    (D3DDEVCAPS_RTPATCHES | D3DDEVCAPS_QUINTICRTPATCHES | D3DDEVCAPS_RTPATCHHANDLEZERO | D3DDEVCAPS_NPATCHES)

/* clang-format off */
static const D3DCAPS8 d3d8 = {
    /* DeviceType, AdapterOrdinal and PresentationIntervals are the runtime's to fill. */
    /* One kind of memory: whatever the runtime leaves to the driver is managed. */
    .Caps2 = D3DCAPS2_CANRENDERWINDOWED | D3DCAPS2_CANMANAGERESOURCE | D3DCAPS2_DYNAMICTEXTURES,
    .Caps3 = D3DCAPS3_ALPHA_FULLSCREEN_FLIP_OR_DISCARD,
    .DevCaps = D3DDEVCAPS_EXECUTESYSTEMMEMORY | D3DDEVCAPS_EXECUTEVIDEOMEMORY |
               D3DDEVCAPS_TLVERTEXSYSTEMMEMORY | D3DDEVCAPS_TLVERTEXVIDEOMEMORY |
               D3DDEVCAPS_TEXTURESYSTEMMEMORY | D3DDEVCAPS_TEXTUREVIDEOMEMORY |
               D3DDEVCAPS_DRAWPRIMTLVERTEX | D3DDEVCAPS_CANRENDERAFTERFLIP |
               D3DDEVCAPS_DRAWPRIMITIVES2 | D3DDEVCAPS_DRAWPRIMITIVES2EX |
               D3DDEVCAPS_HWTRANSFORMANDLIGHT | D3DDEVCAPS_HWRASTERIZATION | D3DDEVCAPS_PUREDEVICE |
               PATCH_CAPS | DDI_DEVICE_CAPS,
    /* CLIPTLVERTS: transformed vertices are clipped to depth and viewport here. */
    .PrimitiveMiscCaps = D3DPMISCCAPS_MASKZ | D3DPMISCCAPS_LINEPATTERNREP | D3DPMISCCAPS_CULLNONE | D3DPMISCCAPS_CULLCW |
                         D3DPMISCCAPS_CULLCCW | D3DPMISCCAPS_COLORWRITEENABLE |
                         D3DPMISCCAPS_CLIPPLANESCALEDPOINTS | D3DPMISCCAPS_CLIPTLVERTS |
                         D3DPMISCCAPS_TSSARGTEMP | D3DPMISCCAPS_BLENDOP,
    /* PAT with LINEPATTERNREP: patterns of any repeat factor. ANTIALIASEDGES: of lines, with which programs draw the edges
     * of what they have drawn. */
    .RasterCaps = D3DPRASTERCAPS_DITHER | D3DPRASTERCAPS_PAT | D3DPRASTERCAPS_ZTEST |
                  D3DPRASTERCAPS_FOGVERTEX | D3DPRASTERCAPS_FOGTABLE |
                  D3DPRASTERCAPS_ANTIALIASEDGES | D3DPRASTERCAPS_MIPMAPLODBIAS | D3DPRASTERCAPS_ZBIAS | D3DPRASTERCAPS_FOGRANGE |
                  D3DPRASTERCAPS_ANISOTROPY | D3DPRASTERCAPS_WBUFFER |
                  D3DPRASTERCAPS_WFOG | D3DPRASTERCAPS_ZFOG | D3DPRASTERCAPS_COLORPERSPECTIVE,
    .ZCmpCaps = COMPARE_ALL,
    .SrcBlendCaps = DEST_BLENDS | D3DPBLENDCAPS_BOTHSRCALPHA | D3DPBLENDCAPS_BOTHINVSRCALPHA,
    .DestBlendCaps = DEST_BLENDS,
    .AlphaCmpCaps = COMPARE_ALL,
    .ShadeCaps = D3DPSHADECAPS_COLORGOURAUDRGB | D3DPSHADECAPS_SPECULARGOURAUDRGB |
                 D3DPSHADECAPS_ALPHAGOURAUDBLEND | D3DPSHADECAPS_FOGGOURAUD,
    /* No POW2, no SQUAREONLY: any size will do. */
    .TextureCaps = D3DPTEXTURECAPS_PERSPECTIVE | D3DPTEXTURECAPS_ALPHA |
                   D3DPTEXTURECAPS_TEXREPEATNOTSCALEDBYSIZE | D3DPTEXTURECAPS_ALPHAPALETTE |
                   D3DPTEXTURECAPS_PROJECTED | D3DPTEXTURECAPS_CUBEMAP | D3DPTEXTURECAPS_VOLUMEMAP |
                   D3DPTEXTURECAPS_MIPMAP | D3DPTEXTURECAPS_MIPVOLUMEMAP |
                   D3DPTEXTURECAPS_MIPCUBEMAP,
    .TextureFilterCaps = FILTERS_FLAT,
    .CubeTextureFilterCaps = FILTERS_FLAT,
    .VolumeTextureFilterCaps = FILTERS,
    .TextureAddressCaps = ADDRESS_MODES,
    .VolumeTextureAddressCaps = ADDRESS_MODES,
    .LineCaps = D3DLINECAPS_TEXTURE | D3DLINECAPS_ZTEST | D3DLINECAPS_BLEND | D3DLINECAPS_ALPHACMP |
                D3DLINECAPS_FOG,
    .MaxTextureWidth = CAPS_MAX_TEXTURE_SIZE,
    .MaxTextureHeight = CAPS_MAX_TEXTURE_SIZE,
    .MaxVolumeExtent = CAPS_MAX_VOLUME_SIZE,
    .MaxTextureRepeat = 8192,
    .MaxTextureAspectRatio = CAPS_MAX_TEXTURE_SIZE,
    .MaxAnisotropy = RASTER_MAX_ANISOTROPY,
    .MaxVertexW = 1e10f,
    .GuardBandLeft = -RASTER_GUARD_BAND,
    .GuardBandTop = -RASTER_GUARD_BAND,
    .GuardBandRight = RASTER_GUARD_BAND,
    .GuardBandBottom = RASTER_GUARD_BAND,
    .ExtentsAdjust = 0.0f,
    .StencilCaps = D3DSTENCILCAPS_KEEP | D3DSTENCILCAPS_ZERO | D3DSTENCILCAPS_REPLACE |
                   D3DSTENCILCAPS_INCRSAT | D3DSTENCILCAPS_DECRSAT | D3DSTENCILCAPS_INVERT |
                   D3DSTENCILCAPS_INCR | D3DSTENCILCAPS_DECR,
    .FVFCaps = 8 /* sets of texture coordinates */ | D3DFVFCAPS_PSIZE,
    .TextureOpCaps = TEXTURE_OPS,
    .MaxTextureBlendStages = 8,
    .MaxSimultaneousTextures = 8,
    .VertexProcessingCaps = D3DVTXPCAPS_TEXGEN | D3DVTXPCAPS_MATERIALSOURCE7 |
                            D3DVTXPCAPS_DIRECTIONALLIGHTS | D3DVTXPCAPS_POSITIONALLIGHTS |
                            D3DVTXPCAPS_LOCALVIEWER | D3DVTXPCAPS_TWEENING,
    .MaxActiveLights = 8,
    .MaxUserClipPlanes = 6,
    .MaxVertexBlendMatrices = 4,
    .MaxVertexBlendMatrixIndex = 255,
    .MaxPointSize = 256.0f,
    .MaxPrimitiveCount = 0xFFFFF,
    .MaxVertexIndex = 0xFFFFFF, /* above 0xFFFF: 32-bit indices */
    .MaxStreams = CAPS_MAX_STREAMS,
    .MaxStreamStride = CAPS_MAX_STRIDE,
    /* The maximum in Direct3D 8. */
    .VertexShaderVersion = D3DVS_VERSION(1, 1),
    .MaxVertexShaderConst = 256,
    .PixelShaderVersion = D3DPS_VERSION(1, 4),
    .MaxPixelShaderValue = FLT_MAX, /* registers of ps_1_x are floats that nothing cuts */
};
/* clang-format on */

const D3DCAPS8 *caps_d3d8(void)
{
    return &d3d8;
}

/* Bits that d3d8caps.h does not name. */
enum {
    CAPS2_CANAUTOGENMIPMAP = 0x40000000,
    MISC_INDEPENDENTWRITEMASKS = 0x4000,
    MISC_PERSTAGECONSTANT = 0x8000,
    MISC_FOGANDSPECULARALPHA = 0x10000,
    MISC_SEPARATEALPHABLEND = 0x20000,
    MISC_MRTINDEPENDENTBITDEPTHS = 0x40000,
    MISC_MRTPOSTPIXELSHADERBLENDING = 0x80000,
    MISC_FOGVERTEXCLAMPED = 0x100000,
    VERTEX_TEXGEN_SPHEREMAP = 0x100,
    RASTER_SCISSORTEST = 0x1000000,
    RASTER_SLOPESCALEDEPTHBIAS = 0x2000000,
    RASTER_DEPTHBIAS = 0x4000000,
    RASTER_MULTISAMPLE_TOGGLE = 0x8000000,
    BLEND_BLENDFACTOR = 0x2000,
    STENCIL_TWOSIDED = 0x100,
    LINE_ANTIALIAS = 0x20,
    DEVCAPS2_STREAMOFFSET = 1,
    DEVCAPS2_CAN_STRETCHRECT_FROM_TEXTURES = 0x10,
    DEVCAPS2_VERTEXELEMENTSCANSHARESTREAMOFFSET = 0x40,
    DECLTYPES_ALL = 0x3FF, /* UBYTE4 ... FLOAT16_4 */
    VS20_PREDICATION = 1,
    PS20_ALL = 31, /* any swizzle, gradients, predicates, any number of dependent reads and of texture reads */
};

/* All of models 2_x and 3: what the compiler takes, and what a batch may execute (shader/shader.h). */
static void shader_caps(struct d3d_caps9 *caps)
{
    caps->d3d8.VertexShaderVersion = D3DVS_VERSION(3, 0);
    caps->d3d8.PixelShaderVersion = D3DPS_VERSION(3, 0);
    caps->VS20Caps.Caps = VS20_PREDICATION;
    caps->VS20Caps.DynamicFlowControlDepth = 24;
    caps->VS20Caps.NumTemps = 32;
    caps->VS20Caps.StaticFlowControlDepth = 4;
    caps->PS20Caps.Caps = PS20_ALL;
    caps->PS20Caps.DynamicFlowControlDepth = 24;
    caps->PS20Caps.NumTemps = 32;
    caps->PS20Caps.StaticFlowControlDepth = 4;
    caps->PS20Caps.NumInstructionSlots = 512;
    caps->VertexTextureFilterCaps = FILTERS;
    caps->MaxVShaderInstructionsExecuted = SHADER_MAX_EXECUTED;
    caps->MaxPShaderInstructionsExecuted = SHADER_MAX_EXECUTED;
    caps->MaxVertexShader30InstructionSlots = 32768;
    caps->MaxPixelShader30InstructionSlots = 32768;
}

void caps_d3d9(struct d3d_caps9 *caps)
{
    memset(caps, 0, sizeof(*caps));
    caps->d3d8 = d3d8;
    shader_caps(caps);
    caps->d3d8.Caps2 |= CAPS2_CANAUTOGENMIPMAP;
    caps->d3d8.PrimitiveMiscCaps |= MISC_SEPARATEALPHABLEND | MISC_INDEPENDENTWRITEMASKS | MISC_PERSTAGECONSTANT |
                                    MISC_MRTINDEPENDENTBITDEPTHS | MISC_MRTPOSTPIXELSHADERBLENDING |
                                    MISC_FOGVERTEXCLAMPED | MISC_FOGANDSPECULARALPHA | D3DPMISCCAPS_FOGINFVF;
    caps->d3d8.VertexProcessingCaps |= VERTEX_TEXGEN_SPHEREMAP;
    /* DirectX 9 has no line patterns, DEPTHBIAS in the place of ZBIAS, and smooth lines by a bit of LineCaps. */
    caps->d3d8.PrimitiveMiscCaps &= ~(DWORD)D3DPMISCCAPS_LINEPATTERNREP;
    caps->d3d8.RasterCaps &= ~(DWORD)(D3DPRASTERCAPS_PAT | D3DPRASTERCAPS_ANTIALIASEDGES | D3DPRASTERCAPS_ZBIAS);
    caps->d3d8.LineCaps |= LINE_ANTIALIAS;
    caps->d3d8.RasterCaps |=
        (DWORD)RASTER_SCISSORTEST | RASTER_SLOPESCALEDEPTHBIAS | RASTER_DEPTHBIAS | RASTER_MULTISAMPLE_TOGGLE;
    caps->d3d8.SrcBlendCaps |= BLEND_BLENDFACTOR;
    caps->d3d8.DestBlendCaps |= BLEND_BLENDFACTOR;
    caps->d3d8.StencilCaps |= STENCIL_TWOSIDED;
    caps->DevCaps2 =
        DEVCAPS2_STREAMOFFSET | DEVCAPS2_CAN_STRETCHRECT_FROM_TEXTURES | DEVCAPS2_VERTEXELEMENTSCANSHARESTREAMOFFSET;
    caps->DeclTypes = DECLTYPES_ALL;
    caps->MaxNpatchTessellationLevel = 32; /* NPATCH_MAX_SEGMENTS */
    caps->NumberOfAdaptersInGroup = 1;
    caps->NumSimultaneousRTs = RASTER_MAX_TARGETS;
    caps->StretchRectFilterCaps =
        D3DPTFILTERCAPS_MINFPOINT | D3DPTFILTERCAPS_MINFLINEAR | D3DPTFILTERCAPS_MAGFPOINT | D3DPTFILTERCAPS_MAGFLINEAR;
}

/* VCACHE, VERTEXSTATS, EVENT, OCCLUSION, TIMESTAMP, TIMESTAMPDISJOINT, TIMESTAMPFREQ; what they
 * answer: hal/query.c. */
static const uint32_t queries[] = {4, 6, 8, 9, 10, 11, 12};

unsigned caps_query_count(void)
{
    return sizeof(queries) / sizeof(queries[0]);
}

uint32_t caps_query(unsigned index)
{
    return index < caps_query_count() ? queries[index] : 0;
}

static const D3DHAL_D3DEXTENDEDCAPS extended = {
    .dwSize = sizeof(extended),
    .dwMinTextureWidth = 1,
    .dwMaxTextureWidth = CAPS_MAX_TEXTURE_SIZE,
    .dwMinTextureHeight = 1,
    .dwMaxTextureHeight = CAPS_MAX_TEXTURE_SIZE,
    .dwMaxTextureRepeat = 8192,
    .dwMaxTextureAspectRatio = CAPS_MAX_TEXTURE_SIZE,
    .dwMaxAnisotropy = RASTER_MAX_ANISOTROPY,
    .dvGuardBandLeft = -RASTER_GUARD_BAND,
    .dvGuardBandTop = -RASTER_GUARD_BAND,
    .dvGuardBandRight = RASTER_GUARD_BAND,
    .dvGuardBandBottom = RASTER_GUARD_BAND,
    .dwStencilCaps = 0xFF,
    .dwFVFCaps = 8,
    .dwTextureOpCaps = TEXTURE_OPS,
    .wMaxTextureBlendStages = 8,
    .wMaxSimultaneousTextures = 8,
    .dwMaxActiveLights = 8,
    .dvMaxVertexW = 1e10f,
    .wMaxUserClipPlanes = 6,
    .wMaxVertexBlendMatrices = 4,
    /* D3DVTXPCAPS of DirectX 7 have the same bits; 4 is VERTEXFOG there. */
    .dwVertexProcessingCaps = D3DVTXPCAPS_TEXGEN | D3DVTXPCAPS_MATERIALSOURCE7 | 4 | D3DVTXPCAPS_DIRECTIONALLIGHTS |
                              D3DVTXPCAPS_POSITIONALLIGHTS | D3DVTXPCAPS_LOCALVIEWER,
};

const D3DHAL_D3DEXTENDEDCAPS *caps_extended(void)
{
    return &extended;
}

/* Blits between all kinds of memory, three operations: copies, and fills with zeros or ones. Palettes of 256 entries, with alpha if a texture has one.
 * No surface in system memory: those are the runtime's. No depth of 32 bits: no format that is listed has so many, and programs
 * that ask by number take the greatest one. */
void caps_ddraw(DDCORECAPS *caps)
{
    const DWORD blits = DDCAPS_BLT | DDCAPS_BLTSTRETCH | DDCAPS_BLTCOLORFILL | DDCAPS_BLTDEPTHFILL |
                        DDCAPS_CANBLTSYSMEM | DDCAPS_CANCLIP | DDCAPS_COLORKEY;
    const DWORD keys = DDCKEYCAPS_SRCBLT | DDCKEYCAPS_DESTBLT; /* no ranges (CLRSPACE), no YUV */
    static const DWORD rops[] = {SRCCOPY, BLACKNESS, WHITENESS};
    const DWORD mirrors = DDFXCAPS_BLTMIRRORLEFTRIGHT | DDFXCAPS_BLTMIRRORUPDOWN;

    memset(caps, 0, sizeof(*caps));
    caps->dwSize = sizeof(*caps);
    caps->dwCaps = DDCAPS_3D | DDCAPS_PALETTE | blits;
    caps->dwPalCaps = DDPCAPS_8BIT | DDPCAPS_ALLOW256 | DDPCAPS_PRIMARYSURFACE | DDPCAPS_ALPHA;
    caps->dwCaps2 = DDCAPS2_CANRENDERWINDOWED | DDCAPS2_WIDESURFACES | DDCAPS2_FLIPNOVSYNC | DDCAPS2_FLIPINTERVAL |
                    DDCAPS2_CANMANAGETEXTURE | DDCAPS2_CANMANAGERESOURCE | DDCAPS2_DYNAMICTEXTURES;
    if (caps_level() >= CAPS_DX9)
        caps->dwCaps2 |= CAPS2_CANAUTOGENMIPMAP;
    caps->dwZBufferBitDepths = DEPTHS;
    /* bytes; what runtimes show, the limit is the machine's */
    caps->dwVidMemTotal = (DWORD)config_int("video_memory") << 20;
    caps->dwVidMemFree = caps->dwVidMemTotal;
    caps->dwSVBCaps = blits;
    caps->dwVSBCaps = blits;
    caps->dwSSBCaps = blits;
    caps->dwCKeyCaps = caps->dwSVBCKeyCaps = caps->dwVSBCKeyCaps = caps->dwSSBCKeyCaps = keys;
    caps->dwFXCaps = caps->dwSVBFXCaps = caps->dwVSBFXCaps = caps->dwSSBFXCaps = mirrors;
    for (unsigned i = 0; i < ARRAY_COUNT(rops); i++)
        caps->dwRops[rops[i] >> 21] |= 1u << (rops[i] >> 16 & 31);
    caps->ddsCaps.dwCaps = DDSCAPS_3DDEVICE | DDSCAPS_TEXTURE | DDSCAPS_ZBUFFER | DDSCAPS_MIPMAP |
                           DDSCAPS_PRIMARYSURFACE | DDSCAPS_BACKBUFFER | DDSCAPS_FRONTBUFFER | DDSCAPS_FLIP |
                           DDSCAPS_COMPLEX | DDSCAPS_OFFSCREENPLAIN | DDSCAPS_VIDEOMEMORY | DDSCAPS_LOCALVIDMEM |
                           DDSCAPS_EXECUTEBUFFER;
}

/* Bits of D3DPRIMCAPS that DirectX 8 does not name. Until then flat shading had bits of its own, for each component. */
enum {
    LEGACY_RASTER_SUBPIXEL = 0x60,                     /* along the whole triangle, and in x of each span */
    LEGACY_SHADE_FLAT = 0x2 | 0x80 | 0x1000 | 0x40000, /* COLOR, SPECULAR, ALPHA, FOG */
    LEGACY_TEXTURE_TRANSPARENCY = 8,                   /* colour keys */
    LEGACY_TEXTURE_BORDER = 0x10,
    LEGACY_FILTERS = 0x3F, /* up to DirectX 6: NEAREST, LINEAR and their four mip forms */
    LEGACY_BLENDS = 0x01 | 0x02 | 0x04 | 0x08 | 0x40 | 0x80, /* DECAL, MODULATE, DECAL-, MODULATEALPHA, COPY, ADD */
};

/* And the words that DirectX 7 did know. */
enum {
    DX7_MISC = D3DPMISCCAPS_MASKZ | D3DPMISCCAPS_LINEPATTERNREP | D3DPMISCCAPS_CULLNONE | D3DPMISCCAPS_CULLCW |
               D3DPMISCCAPS_CULLCCW,
    DX7_RASTER = 0x003FFFFF,  /* up to ZFOG */
    DX7_TEXTURE = 0x00001FFF, /* up to COLORKEYBLEND: no volumes, no bits for mip maps */
    DX7_ADDRESS = 0x1F,       /* up to INDEPENDENTUV */
};

static void primitive_caps(D3DPRIMCAPS *caps)
{
    memset(caps, 0, sizeof(*caps));
    caps->dwSize = sizeof(*caps);
    caps->dwMiscCaps = d3d8.PrimitiveMiscCaps & DX7_MISC;
    caps->dwRasterCaps = (d3d8.RasterCaps & DX7_RASTER) | LEGACY_RASTER_SUBPIXEL;
    caps->dwZCmpCaps = d3d8.ZCmpCaps;
    caps->dwSrcBlendCaps = d3d8.SrcBlendCaps;
    caps->dwDestBlendCaps = d3d8.DestBlendCaps;
    caps->dwAlphaCmpCaps = d3d8.AlphaCmpCaps;
    caps->dwShadeCaps = d3d8.ShadeCaps | LEGACY_SHADE_FLAT;
    caps->dwTextureCaps = (d3d8.TextureCaps & DX7_TEXTURE) | LEGACY_TEXTURE_BORDER | LEGACY_TEXTURE_TRANSPARENCY;
    caps->dwTextureFilterCaps = d3d8.TextureFilterCaps | LEGACY_FILTERS;
    caps->dwTextureBlendCaps = LEGACY_BLENDS;
    caps->dwTextureAddressCaps = d3d8.TextureAddressCaps & DX7_ADDRESS;
}

/* Bits of D3DDEVICEDESC_V1.dwDevCaps that drivers must set, or must not, whatever they can do. */
enum {
    LEGACY_ALWAYS = 1, /* FLOATTLVERTEX */
    LEGACY_NEVER = D3DDEVCAPS_EXECUTEVIDEOMEMORY | D3DDEVCAPS_TLVERTEXVIDEOMEMORY,
};

void caps_device_desc(D3DDEVICEDESC_V1 *desc)
{
    memset(desc, 0, sizeof(*desc));
    desc->dwSize = sizeof(*desc);
    /* COLORMODEL .. MAXVERTEXCOUNT: all fields of the structure are valid */
    desc->dwFlags = 0x7FF;
    desc->dcmColorModel = 2; /* RGB */
    desc->dwDevCaps = (d3d8.DevCaps & ~(DWORD)(D3DDEVCAPS_PUREDEVICE | PATCH_CAPS | LEGACY_NEVER)) | LEGACY_ALWAYS;
    /* Capabilities of transform and lighting are in D3DHAL_D3DEXTENDEDCAPS; here drivers leave them 0, and the limits
     * of execute buffers at the end as well (MSDN, D3DDEVICEDESC_V1): runtimes that believe a large dwMaxVertexCount
     * cannot execute. */
    desc->dtcTransformCaps.dwSize = sizeof(desc->dtcTransformCaps);
    desc->bClipping = TRUE;
    desc->dlcLightingCaps.dwSize = sizeof(desc->dlcLightingCaps);
    primitive_caps(&desc->dpcLineCaps);
    primitive_caps(&desc->dpcTriCaps);
    desc->dwDeviceRenderBitDepth = DDBD_16 | DDBD_32;
    desc->dwDeviceZBufferBitDepth = DEPTHS;
}
