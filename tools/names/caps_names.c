/* SPDX-License-Identifier: MIT */
/*
 * The bits of D3DCAPS8 and D3DCAPS9 by name: d3dcaps.h, d3d8caps.h and d3d9caps.h, without their prefixes. Bits that
 * were renamed have their latest name.
 */
#include "tools/names/caps_names.h"

#include "base/base.h"

#include <string.h>

static const char *const caps[32] = {
    [11] = "OVERLAY",
    [17] = "READ_SCANLINE",
};
static const char *const caps2[32] = {
    [1] = "NO2DDURING3DSCENE",  [17] = "FULLSCREENGAMMA",  [19] = "CANRENDERWINDOWED",
    [20] = "CANCALIBRATEGAMMA", [25] = "RESERVED",         [28] = "CANMANAGERESOURCE",
    [29] = "DYNAMICTEXTURES",   [30] = "CANAUTOGENMIPMAP", [31] = "CANSHARERESOURCE",
};
static const char *const caps3[32] = {
    [5] = "ALPHA_FULLSCREEN_FLIP_OR_DISCARD",
    [7] = "LINEAR_TO_SRGB_PRESENTATION",
    [8] = "COPY_TO_VIDMEM",
    [9] = "COPY_TO_SYSTEMMEM",
    [10] = "DXVAHD",
    [11] = "DXVAHD_LIMITED",
};
static const char *const intervals[32] = {
    [0] = "ONE", [1] = "TWO", [2] = "THREE", [3] = "FOUR", [31] = "IMMEDIATE",
};
static const char *const cursor[32] = {
    [0] = "COLOR",
    [1] = "LOWRES",
};
/* clang-format off */
static const char *const device[32] = {
    [0] = "FLOATTLVERTEX", [1] = "SORTINCREASINGZ", [3] = "SORTEXACT", [4] = "EXECUTESYSTEMMEMORY", [5] = "EXECUTEVIDEOMEMORY",
    [6] = "TLVERTEXSYSTEMMEMORY", [7] = "TLVERTEXVIDEOMEMORY", [8] = "TEXTURESYSTEMMEMORY", [9] = "TEXTUREVIDEOMEMORY",
    [10] = "DRAWPRIMTLVERTEX", [11] = "CANRENDERAFTERFLIP", [12] = "TEXTURENONLOCALVIDMEM", [13] = "DRAWPRIMITIVES2",
    [14] = "SEPARATETEXTUREMEMORIES", [15] = "DRAWPRIMITIVES2EX", [16] = "HWTRANSFORMANDLIGHT", [17] = "CANBLTSYSTONONLOCAL",
    [19] = "HWRASTERIZATION", [20] = "PUREDEVICE", [21] = "QUINTICRTPATCHES", [22] = "RTPATCHES", [23] = "RTPATCHHANDLEZERO",
    [24] = "NPATCHES", [25] = "HWVERTEXBUFFER", [26] = "HWINDEXBUFFER", [27] = "SUBVOLUMELOCK",
};
/* clang-format on */
static const char *const device2[32] = {
    [0] = "STREAMOFFSET",
    [1] = "DMAPNPATCH",
    [2] = "ADAPTIVETESSRTPATCH",
    [3] = "ADAPTIVETESSNPATCH",
    [4] = "CAN_STRETCHRECT_FROM_TEXTURES",
    [5] = "PRESAMPLEDDMAPNPATCH",
    [6] = "VERTEXELEMENTSCANSHARESTREAMOFFSET",
};
/* clang-format off */
static const char *const misc[32] = {
    [0] = "MASKPLANES", [1] = "MASKZ", [2] = "LINEPATTERNREP", [3] = "CONFORMANT", [4] = "CULLNONE", [5] = "CULLCW",
    [6] = "CULLCCW", [7] = "COLORWRITEENABLE", [8] = "CLIPPLANESCALEDPOINTS", [9] = "CLIPTLVERTS", [10] = "TSSARGTEMP",
    [11] = "BLENDOP", [12] = "NULLREFERENCE", [13] = "FOGINFVF", [14] = "INDEPENDENTWRITEMASKS", [15] = "PERSTAGECONSTANT",
    [16] = "FOGANDSPECULARALPHA", [17] = "SEPARATEALPHABLEND", [18] = "MRTINDEPENDENTBITDEPTHS",
    [19] = "MRTPOSTPIXELSHADERBLENDING", [20] = "FOGVERTEXCLAMPED", [21] = "POSTBLENDSRGBCONVERT",
};
static const char *const raster[32] = {
    [0] = "DITHER", [1] = "ROP2", [2] = "XOR", [3] = "PAT", [4] = "ZTEST", [5] = "SUBPIXEL", [6] = "SUBPIXELX",
    [7] = "FOGVERTEX", [8] = "FOGTABLE", [9] = "STIPPLE", [10] = "ANTIALIASSORTDEPENDENT", [11] = "ANTIALIASSORTINDEPENDENT",
    [12] = "ANTIALIASEDGES", [13] = "MIPMAPLODBIAS", [14] = "ZBIAS", [15] = "ZBUFFERLESSHSR", [16] = "FOGRANGE",
    [17] = "ANISOTROPY", [18] = "WBUFFER", [19] = "TRANSLUCENTSORTINDEPENDENT", [20] = "WFOG", [21] = "ZFOG",
    [22] = "COLORPERSPECTIVE", [23] = "STRETCHBLTMULTISAMPLE", [24] = "SCISSORTEST", [25] = "SLOPESCALEDEPTHBIAS",
    [26] = "DEPTHBIAS", [27] = "MULTISAMPLE_TOGGLE",
};
/* clang-format on */
static const char *const compare[32] = {
    [0] = "NEVER",   [1] = "LESS",     [2] = "EQUAL",        [3] = "LESSEQUAL",
    [4] = "GREATER", [5] = "NOTEQUAL", [6] = "GREATEREQUAL", [7] = "ALWAYS",
};
static const char *const blend[32] = {
    [0] = "ZERO",          [1] = "ONE",           [2] = "SRCCOLOR",         [3] = "INVSRCCOLOR",  [4] = "SRCALPHA",
    [5] = "INVSRCALPHA",   [6] = "DESTALPHA",     [7] = "INVDESTALPHA",     [8] = "DESTCOLOR",    [9] = "INVDESTCOLOR",
    [10] = "SRCALPHASAT",  [11] = "BOTHSRCALPHA", [12] = "BOTHINVSRCALPHA", [13] = "BLENDFACTOR", [14] = "SRCCOLOR2",
    [15] = "INVSRCCOLOR2",
};
static const char *const shade[32] = {
    [0] = "COLORFLATMONO",       [1] = "COLORFLATRGB",        [2] = "COLORGOURAUDMONO",   [3] = "COLORGOURAUDRGB",
    [4] = "COLORPHONGMONO",      [5] = "COLORPHONGRGB",       [6] = "SPECULARFLATMONO",   [7] = "SPECULARFLATRGB",
    [8] = "SPECULARGOURAUDMONO", [9] = "SPECULARGOURAUDRGB",  [10] = "SPECULARPHONGMONO", [11] = "SPECULARPHONGRGB",
    [12] = "ALPHAFLATBLEND",     [13] = "ALPHAFLATSTIPPLED",  [14] = "ALPHAGOURAUDBLEND", [15] = "ALPHAGOURAUDSTIPPLED",
    [16] = "ALPHAPHONGBLEND",    [17] = "ALPHAPHONGSTIPPLED", [18] = "FOGFLAT",           [19] = "FOGGOURAUD",
    [20] = "FOGPHONG",
};
/* clang-format off */
static const char *const texture[32] = {
    [0] = "PERSPECTIVE", [1] = "POW2", [2] = "ALPHA", [3] = "TRANSPARENCY", [4] = "BORDER", [5] = "SQUAREONLY",
    [6] = "TEXREPEATNOTSCALEDBYSIZE", [7] = "ALPHAPALETTE", [8] = "NONPOW2CONDITIONAL", [10] = "PROJECTED", [11] = "CUBEMAP",
    [12] = "COLORKEYBLEND", [13] = "VOLUMEMAP", [14] = "MIPMAP", [15] = "MIPVOLUMEMAP", [16] = "MIPCUBEMAP",
    [17] = "CUBEMAP_POW2", [18] = "VOLUMEMAP_POW2", [21] = "NOPROJECTEDBUMPENV",
};
static const char *const filter[32] = {
    [0] = "NEAREST", [1] = "LINEAR", [2] = "MIPNEAREST", [3] = "MIPLINEAR", [4] = "LINEARMIPNEAREST", [5] = "LINEARMIPLINEAR",
    [8] = "MINFPOINT", [9] = "MINFLINEAR", [10] = "MINFANISOTROPIC", [11] = "MINFPYRAMIDALQUAD", [12] = "MINFGAUSSIANQUAD",
    [16] = "MIPFPOINT", [17] = "MIPFLINEAR", [18] = "CONVOLUTIONMONO", [24] = "MAGFPOINT", [25] = "MAGFLINEAR",
    [26] = "MAGFANISOTROPIC", [27] = "MAGFPYRAMIDALQUAD", [28] = "MAGFGAUSSIANQUAD",
};
/* clang-format on */
static const char *const address[32] = {
    [0] = "WRAP", [1] = "MIRROR", [2] = "CLAMP", [3] = "BORDER", [4] = "INDEPENDENTUV", [5] = "MIRRORONCE",
};
static const char *const line[32] = {
    [0] = "TEXTURE", [1] = "ZTEST", [2] = "BLEND", [3] = "ALPHACMP", [4] = "FOG", [5] = "ANTIALIAS",
};
static const char *const stencil[32] = {
    [0] = "KEEP",   [1] = "ZERO", [2] = "REPLACE", [3] = "INCRSAT",  [4] = "DECRSAT",
    [5] = "INVERT", [6] = "INCR", [7] = "DECR",    [8] = "TWOSIDED",
};
static const char *const fvf[32] = {
    [19] = "DONOTSTRIPELEMENTS",
    [20] = "PSIZE",
};
/* clang-format off */
static const char *const operation[32] = {
    [0] = "DISABLE", [1] = "SELECTARG1", [2] = "SELECTARG2", [3] = "MODULATE", [4] = "MODULATE2X", [5] = "MODULATE4X",
    [6] = "ADD", [7] = "ADDSIGNED", [8] = "ADDSIGNED2X", [9] = "SUBTRACT", [10] = "ADDSMOOTH", [11] = "BLENDDIFFUSEALPHA",
    [12] = "BLENDTEXTUREALPHA", [13] = "BLENDFACTORALPHA", [14] = "BLENDTEXTUREALPHAPM", [15] = "BLENDCURRENTALPHA",
    [16] = "PREMODULATE", [17] = "MODULATEALPHA_ADDCOLOR", [18] = "MODULATECOLOR_ADDALPHA", [19] = "MODULATEINVALPHA_ADDCOLOR",
    [20] = "MODULATEINVCOLOR_ADDALPHA", [21] = "BUMPENVMAP", [22] = "BUMPENVMAPLUMINANCE", [23] = "DOTPRODUCT3",
    [24] = "MULTIPLYADD", [25] = "LERP",
};
/* clang-format on */
static const char *const vertex[32] = {
    [0] = "TEXGEN",           [1] = "MATERIALSOURCE7",
    [2] = "VERTEXFOG",        [3] = "DIRECTIONALLIGHTS",
    [4] = "POSITIONALLIGHTS", [5] = "LOCALVIEWER",
    [6] = "TWEENING",         [7] = "NO_VSDT_UBYTE4",
    [8] = "TEXGEN_SPHEREMAP", [9] = "NO_TEXGEN_NONLOCALVIEWER",
};
static const char *const types[32] = {
    [0] = "UBYTE4",   [1] = "UBYTE4N", [2] = "SHORT2N", [3] = "SHORT4N",   [4] = "USHORT2N",
    [5] = "USHORT4N", [6] = "UDEC3",   [7] = "DEC3N",   [8] = "FLOAT16_2", [9] = "FLOAT16_4",
};
static const char *const vs20[32] = {
    [0] = "PREDICATION",
};
static const char *const ps20[32] = {
    [0] = "ARBITRARYSWIZZLE",     [1] = "GRADIENTINSTRUCTIONS",  [2] = "PREDICATION",
    [3] = "NODEPENDENTREADLIMIT", [4] = "NOTEXINSTRUCTIONLIMIT",
};

/* The fields that hold bits. */
static const struct {
    const char *field;
    const char *const *names;
} fields[] = {
    {"Caps", caps},
    {"Caps2", caps2},
    {"Caps3", caps3},
    {"PresentationIntervals", intervals},
    {"CursorCaps", cursor},
    {"DevCaps", device},
    {"PrimitiveMiscCaps", misc},
    {"RasterCaps", raster},
    {"ZCmpCaps", compare},
    {"SrcBlendCaps", blend},
    {"DestBlendCaps", blend},
    {"AlphaCmpCaps", compare},
    {"ShadeCaps", shade},
    {"TextureCaps", texture},
    {"TextureFilterCaps", filter},
    {"CubeTextureFilterCaps", filter},
    {"VolumeTextureFilterCaps", filter},
    {"TextureAddressCaps", address},
    {"VolumeTextureAddressCaps", address},
    {"LineCaps", line},
    {"StencilCaps", stencil},
    {"FVFCaps", fvf},
    {"TextureOpCaps", operation},
    {"VertexProcessingCaps", vertex},
    {"DevCaps2", device2},
    {"DeclTypes", types},
    {"StretchRectFilterCaps", filter},
    {"VS20Caps.Caps", vs20},
    {"PS20Caps.Caps", ps20},
    {"VertexTextureFilterCaps", filter},
};

const char *const *caps_bit_names(const char *field)
{
    for (unsigned i = 0; i < ARRAY_COUNT(fields); i++)
        if (strcmp(fields[i].field, field) == 0)
            return fields[i].names;
    return NULL;
}
