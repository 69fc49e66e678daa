/* SPDX-License-Identifier: MIT */
/*
 * Numbers to names. Render states and texture stage states: docs/reference/device-state.md,
 * sections 15 and 16; values of enumerations: d3d8types.h and d3d9types.h (the names without their
 * D3D prefix).
 */
#include "dp2/names.h"

#include "d3d/formats.h"

#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct dp2_state_name render_states[] = {
    [1] = {"TEXTUREHANDLE", 'h'},
    [2] = {"ANTIALIAS", 'u'},
    [3] = {"TEXTUREADDRESS", 'A'},
    [4] = {"TEXTUREPERSPECTIVE", 'b'},
    [5] = {"WRAPU", 'b'},
    [6] = {"WRAPV", 'b'},
    [7] = {"ZENABLE", 'Z'},
    [8] = {"FILLMODE", 'L'},
    [9] = {"SHADEMODE", 'D'},
    [10] = {"LINEPATTERN", 'x'},
    [11] = {"MONOENABLE", 'b'},
    [12] = {"ROP2", 'u'},
    [13] = {"PLANEMASK", 'x'},
    [14] = {"ZWRITEENABLE", 'b'},
    [15] = {"ALPHATESTENABLE", 'b'},
    [16] = {"LASTPIXEL", 'b'},
    [17] = {"TEXTUREMAG", 'u'},
    [18] = {"TEXTUREMIN", 'u'},
    [19] = {"SRCBLEND", 'B'},
    [20] = {"DESTBLEND", 'B'},
    [21] = {"TEXTUREMAPBLEND", 'u'},
    [22] = {"CULLMODE", 'U'},
    [23] = {"ZFUNC", 'C'},
    [24] = {"ALPHAREF", 'u'},
    [25] = {"ALPHAFUNC", 'C'},
    [26] = {"DITHERENABLE", 'b'},
    [27] = {"ALPHABLENDENABLE", 'b'},
    [28] = {"FOGENABLE", 'b'},
    [29] = {"SPECULARENABLE", 'b'},
    [30] = {"ZVISIBLE", 'u'},
    [31] = {"SUBPIXEL", 'b'},
    [32] = {"SUBPIXELX", 'b'},
    [33] = {"STIPPLEDALPHA", 'b'},
    [34] = {"FOGCOLOR", 'c'},
    [35] = {"FOGTABLEMODE", 'G'},
    [36] = {"FOGSTART", 'f'},
    [37] = {"FOGEND", 'f'},
    [38] = {"FOGDENSITY", 'f'},
    [39] = {"STIPPLEENABLE", 'b'},
    [40] = {"EDGEANTIALIAS", 'b'},
    [41] = {"COLORKEYENABLE", 'b'},
    [43] = {"BORDERCOLOR", 'c'},
    [44] = {"TEXTUREADDRESSU", 'A'},
    [45] = {"TEXTUREADDRESSV", 'A'},
    [46] = {"MIPMAPLODBIAS", 'f'},
    [47] = {"ZBIAS", 'u'},
    [48] = {"RANGEFOGENABLE", 'b'},
    [49] = {"ANISOTROPY", 'u'},
    [50] = {"FLUSHBATCH", 'u'},
    [51] = {"TRANSLUCENTSORTINDEPENDENT", 'b'},
    [52] = {"STENCILENABLE", 'b'},
    [53] = {"STENCILFAIL", 'S'},
    [54] = {"STENCILZFAIL", 'S'},
    [55] = {"STENCILPASS", 'S'},
    [56] = {"STENCILFUNC", 'C'},
    [57] = {"STENCILREF", 'u'},
    [58] = {"STENCILMASK", 'x'},
    [59] = {"STENCILWRITEMASK", 'x'},
    [60] = {"TEXTUREFACTOR", 'c'},
    [61] = {"EVICTMANAGEDTEXTURES", 'b'},
    [62] = {"SCENECAPTURE", 'b'},
    [128] = {"WRAP0", 'p'},
    [129] = {"WRAP1", 'p'},
    [130] = {"WRAP2", 'p'},
    [131] = {"WRAP3", 'p'},
    [132] = {"WRAP4", 'p'},
    [133] = {"WRAP5", 'p'},
    [134] = {"WRAP6", 'p'},
    [135] = {"WRAP7", 'p'},
    [136] = {"CLIPPING", 'b'},
    [137] = {"LIGHTING", 'b'},
    [138] = {"EXTENTS", 'b'},
    [139] = {"AMBIENT", 'c'},
    [140] = {"FOGVERTEXMODE", 'G'},
    [141] = {"COLORVERTEX", 'b'},
    [142] = {"LOCALVIEWER", 'b'},
    [143] = {"NORMALIZENORMALS", 'b'},
    [144] = {"COLORKEYBLENDENABLE", 'b'},
    [145] = {"DIFFUSEMATERIALSOURCE", 'M'},
    [146] = {"SPECULARMATERIALSOURCE", 'M'},
    [147] = {"AMBIENTMATERIALSOURCE", 'M'},
    [148] = {"EMISSIVEMATERIALSOURCE", 'M'},
    [151] = {"VERTEXBLEND", 'V'},
    [152] = {"CLIPPLANEENABLE", 'x'},
    [153] = {"SOFTWAREVERTEXPROCESSING", 'b'},
    [154] = {"POINTSIZE", 'f'},
    [155] = {"POINTSIZE_MIN", 'f'},
    [156] = {"POINTSPRITEENABLE", 'b'},
    [157] = {"POINTSCALEENABLE", 'b'},
    [158] = {"POINTSCALE_A", 'f'},
    [159] = {"POINTSCALE_B", 'f'},
    [160] = {"POINTSCALE_C", 'f'},
    [161] = {"MULTISAMPLEANTIALIAS", 'b'},
    [162] = {"MULTISAMPLEMASK", 'x'},
    [163] = {"PATCHEDGESTYLE", 'u'},
    [164] = {"PATCHSEGMENTS", 'f'},
    [165] = {"DEBUGMONITORTOKEN", 'u'},
    [166] = {"POINTSIZE_MAX", 'f'},
    [167] = {"INDEXEDVERTEXBLENDENABLE", 'b'},
    [168] = {"COLORWRITEENABLE", 'o'},
    [169] = {"DELETERTPATCH", 'h'},
    [170] = {"TWEENFACTOR", 'f'},
    [171] = {"BLENDOP", 'P'},
    [172] = {"POSITIONDEGREE", 'u'},
    [173] = {"NORMALDEGREE", 'u'},
    [174] = {"SCISSORTESTENABLE", 'b'},
    [175] = {"SLOPESCALEDEPTHBIAS", 'f'},
    [176] = {"ANTIALIASEDLINEENABLE", 'b'},
    [178] = {"MINTESSELLATIONLEVEL", 'f'},
    [179] = {"MAXTESSELLATIONLEVEL", 'f'},
    [180] = {"ADAPTIVETESS_X", 'f'},
    [181] = {"ADAPTIVETESS_Y", 'f'},
    [182] = {"ADAPTIVETESS_Z", 'f'},
    [183] = {"ADAPTIVETESS_W", 'f'},
    [184] = {"ENABLEADAPTIVETESSELLATION", 'b'},
    [185] = {"TWOSIDEDSTENCILMODE", 'b'},
    [186] = {"CCW_STENCILFAIL", 'S'},
    [187] = {"CCW_STENCILZFAIL", 'S'},
    [188] = {"CCW_STENCILPASS", 'S'},
    [189] = {"CCW_STENCILFUNC", 'C'},
    [190] = {"COLORWRITEENABLE1", 'o'},
    [191] = {"COLORWRITEENABLE2", 'o'},
    [192] = {"COLORWRITEENABLE3", 'o'},
    [193] = {"BLENDFACTOR", 'c'},
    [194] = {"SRGBWRITEENABLE", 'b'},
    [195] = {"DEPTHBIAS", 'f'},
    [196] = {"MAXVERTEXSHADERINST", 'u'},
    [197] = {"MAXPIXELSHADERINST", 'u'},
    [198] = {"WRAP8", 'p'},
    [199] = {"WRAP9", 'p'},
    [200] = {"WRAP10", 'p'},
    [201] = {"WRAP11", 'p'},
    [202] = {"WRAP12", 'p'},
    [203] = {"WRAP13", 'p'},
    [204] = {"WRAP14", 'p'},
    [205] = {"WRAP15", 'p'},
    [206] = {"SEPARATEALPHABLENDENABLE", 'b'},
    [207] = {"SRCBLENDALPHA", 'B'},
    [208] = {"DESTBLENDALPHA", 'B'},
    [209] = {"BLENDOPALPHA", 'P'},
};

static const struct dp2_state_name stage_states[] = {
    [0] = {"TEXTUREMAP", 'h'},
    [1] = {"COLOROP", 'O'},
    [2] = {"COLORARG1", 'R'},
    [3] = {"COLORARG2", 'R'},
    [4] = {"ALPHAOP", 'O'},
    [5] = {"ALPHAARG1", 'R'},
    [6] = {"ALPHAARG2", 'R'},
    [7] = {"BUMPENVMAT00", 'f'},
    [8] = {"BUMPENVMAT01", 'f'},
    [9] = {"BUMPENVMAT10", 'f'},
    [10] = {"BUMPENVMAT11", 'f'},
    [11] = {"TEXCOORDINDEX", 'n'},
    [12] = {"ADDRESS", 'A'},
    [13] = {"ADDRESSU", 'A'},
    [14] = {"ADDRESSV", 'A'},
    [15] = {"BORDERCOLOR", 'c'},
    [16] = {"MAGFILTER", 'F'},
    [17] = {"MINFILTER", 'F'},
    [18] = {"MIPFILTER", 'F'},
    [19] = {"MIPMAPLODBIAS", 'f'},
    [20] = {"MAXMIPLEVEL", 'u'},
    [21] = {"MAXANISOTROPY", 'u'},
    [22] = {"BUMPENVLSCALE", 'f'},
    [23] = {"BUMPENVLOFFSET", 'f'},
    [24] = {"TEXTURETRANSFORMFLAGS", 'm'},
    [25] = {"ADDRESSW", 'A'},
    [26] = {"COLORARG0", 'R'},
    [27] = {"ALPHAARG0", 'R'},
    [28] = {"RESULTARG", 'R'},
    [29] = {"SRGBTEXTURE", 'b'},
    [30] = {"ELEMENTINDEX", 'u'},
    [31] = {"DMAPOFFSET", 'u'},
    [32] = {"CONSTANT", 'c'},
    [33] = {"FEEDBACK", 'h'}, /* d3d/feedback.h */
    [34] = {"FEEDBACKMODE", 'u'},
    [35] = {"FEEDBACKCLAMP", 'f'},
};

static const char *const zenable[] = {"FALSE", "TRUE", "USEW"};
static const char *const fill[] = {NULL, "POINT", "WIREFRAME", "SOLID"};
static const char *const shade[] = {NULL, "FLAT", "GOURAUD", "PHONG"};
static const char *const cull[] = {NULL, "NONE", "CW", "CCW"};
static const char *const fog[] = {"NONE", "EXP", "EXP2", "LINEAR"};
static const char *const source[] = {"MATERIAL", "COLOR1", "COLOR2"};
static const char *const blendop[] = {NULL, "ADD", "SUBTRACT", "REVSUBTRACT", "MIN", "MAX"};
static const char *const address[] = {NULL, "WRAP", "MIRROR", "CLAMP", "BORDER", "MIRRORONCE"};
static const char *const filter[] = {"NONE",      "POINT",         "LINEAR",        "ANISOTROPIC",
                                     "FLATCUBIC", "GAUSSIANCUBIC", "PYRAMIDALQUAD", "GAUSSIANQUAD"};
static const char *const compare[] = {NULL,      "NEVER",    "LESS",         "EQUAL", "LESSEQUAL",
                                      "GREATER", "NOTEQUAL", "GREATEREQUAL", "ALWAYS"};
static const char *const stencil[] = {NULL,      "KEEP",   "ZERO", "REPLACE", "INCRSAT",
                                      "DECRSAT", "INVERT", "INCR", "DECR"};
static const char *const blend[] = {NULL,           "ZERO",
                                    "ONE",          "SRCCOLOR",
                                    "INVSRCCOLOR",  "SRCALPHA",
                                    "INVSRCALPHA",  "DESTALPHA",
                                    "INVDESTALPHA", "DESTCOLOR",
                                    "INVDESTCOLOR", "SRCALPHASAT",
                                    "BOTHSRCALPHA", "BOTHINVSRCALPHA",
                                    "BLENDFACTOR",  "INVBLENDFACTOR"};
static const char *const vertexblend[] = {"DISABLE", "1WEIGHTS", "2WEIGHTS", "3WEIGHTS"};
static const char *const textureop[] = {NULL,
                                        "DISABLE",
                                        "SELECTARG1",
                                        "SELECTARG2",
                                        "MODULATE",
                                        "MODULATE2X",
                                        "MODULATE4X",
                                        "ADD",
                                        "ADDSIGNED",
                                        "ADDSIGNED2X",
                                        "SUBTRACT",
                                        "ADDSMOOTH",
                                        "BLENDDIFFUSEALPHA",
                                        "BLENDTEXTUREALPHA",
                                        "BLENDFACTORALPHA",
                                        "BLENDTEXTUREALPHAPM",
                                        "BLENDCURRENTALPHA",
                                        "PREMODULATE",
                                        "MODULATEALPHA_ADDCOLOR",
                                        "MODULATECOLOR_ADDALPHA",
                                        "MODULATEINVALPHA_ADDCOLOR",
                                        "MODULATEINVCOLOR_ADDALPHA",
                                        "BUMPENVMAP",
                                        "BUMPENVMAPLUMINANCE",
                                        "DOTPRODUCT3",
                                        "MULTIPLYADD",
                                        "LERP"};
/* Argument selector 0-6, then 0x10 complement and 0x20 alpha replicate. */
static const char *const argument[] = {"DIFFUSE",
                                       "CURRENT",
                                       "TEXTURE",
                                       "TFACTOR",
                                       "SPECULAR",
                                       "TEMP",
                                       "CONSTANT",
                                       NULL,
                                       [0x10] = "1-DIFFUSE",
                                       "1-CURRENT",
                                       "1-TEXTURE",
                                       "1-TFACTOR",
                                       "1-SPECULAR",
                                       "1-TEMP",
                                       "1-CONSTANT",
                                       NULL,
                                       [0x20] = "DIFFUSE.a",
                                       "CURRENT.a",
                                       "TEXTURE.a",
                                       "TFACTOR.a",
                                       "SPECULAR.a",
                                       "TEMP.a",
                                       "CONSTANT.a",
                                       NULL,
                                       [0x30] = "1-DIFFUSE.a",
                                       "1-CURRENT.a",
                                       "1-TEXTURE.a",
                                       "1-TFACTOR.a",
                                       "1-SPECULAR.a",
                                       "1-TEMP.a",
                                       "1-CONSTANT.a"};
static const char *const primitive[] = {NULL,           "POINTLIST",     "LINELIST",   "LINESTRIP",
                                        "TRIANGLELIST", "TRIANGLESTRIP", "TRIANGLEFAN"};
static const char *const transform[] = {NULL,         "WORLD_DX7",  "VIEW",       "PROJECTION",
                                        "WORLD1_DX7", "WORLD2_DX7", "WORLD3_DX7", [16] = "TEXTURE0",
                                        "TEXTURE1",   "TEXTURE2",   "TEXTURE3",   "TEXTURE4",
                                        "TEXTURE5",   "TEXTURE6",   "TEXTURE7",   [256] = "WORLD",
                                        "WORLD1",     "WORLD2",     "WORLD3"};
static const char *const stateset_op[] = {"BEGIN", "END", "DELETE", "EXECUTE", "CAPTURE", "CREATE"};
static const char *const stateset_type[] = {"NONE", "ALL", "PIXEL", "VERTEX"};
static const char *const light_op[] = {"ENABLE", "DISABLE", "DATA"};
static const char *const query[] = {
    [4] = "VCACHE", "RESOURCEMANAGER", "VERTEXSTATS",       [8] = "EVENT",
    "OCCLUSION",    "TIMESTAMP",       "TIMESTAMPDISJOINT", "TIMESTAMPFREQ"};

static const char *const light[] = {NULL, "POINT", "SPOT", "DIRECTIONAL"};
static const char *const basis[] = {"BEZIER", "BSPLINE", "INTERPOLATE"};
static const char *const degree[] = {NULL, "LINEAR", "QUADRATIC", "CUBIC", NULL, "QUINTIC"};
static const char *const element[] = {"FLOAT1",  "FLOAT2",   "FLOAT3",   "FLOAT4",  "D3DCOLOR",
                                      "UBYTE4",  "SHORT2",   "SHORT4",   "UBYTE4N", "SHORT2N",
                                      "SHORT4N", "USHORT2N", "USHORT4N", "UDEC3",   "DEC3N",
                                      "HALF2",   "HALF4",    "UNUSED"};
static const char *const usage[] = {
    "POSITION", "BLENDWEIGHT", "BLENDINDICES", "NORMAL", "PSIZE", "TEXCOORD", "TANGENT",
    "BINORMAL", "TESSFACTOR",  "POSITIONT",    "COLOR",  "FOG",   "DEPTH",    "SAMPLE"};

/* DDCKEY_DESTBLT, DDCKEY_SRCBLT */
static const char *const color_key[] = {[2] = "DESTINATION", [8] = "SOURCE"};

static const struct {
    char type;
    uint16_t count;
    const char *const *names;
} enumerations[] = {
#define ENUMERATION(type, array)                                                                   \
    {                                                                                              \
        (type), COUNT(array), (array)                                                              \
    }
    ENUMERATION('Z', zenable),       ENUMERATION('L', fill),      ENUMERATION('D', shade),
    ENUMERATION('U', cull),          ENUMERATION('G', fog),       ENUMERATION('M', source),
    ENUMERATION('P', blendop),       ENUMERATION('A', address),   ENUMERATION('F', filter),
    ENUMERATION('C', compare),       ENUMERATION('S', stencil),   ENUMERATION('B', blend),
    ENUMERATION('V', vertexblend),   ENUMERATION('O', textureop), ENUMERATION('R', argument),
    ENUMERATION('1', primitive),     ENUMERATION('2', transform), ENUMERATION('3', stateset_op),
    ENUMERATION('4', stateset_type), ENUMERATION('5', light_op),  ENUMERATION('6', query),
    ENUMERATION('7', light),         ENUMERATION('8', basis),     ENUMERATION('9', degree),
    ENUMERATION('t', element),       ENUMERATION('g', usage),     ENUMERATION('k', color_key),
#undef ENUMERATION
};

const struct dp2_state_name *dp2_render_state_name(uint32_t state)
{
    return state < COUNT(render_states) && render_states[state].name ? &render_states[state] : NULL;
}

const struct dp2_state_name *dp2_stage_state_name(uint32_t state)
{
    return state < COUNT(stage_states) ? &stage_states[state] : NULL;
}

const char *dp2_value_name(char type, uint32_t value)
{
    for (size_t i = 0; i < COUNT(enumerations); i++) {
        if (enumerations[i].type == type) {
            return value < enumerations[i].count ? enumerations[i].names[value] : NULL;
        }
    }
    return NULL;
}

const char *dp2_primitive_name(uint32_t type)
{
    return dp2_value_name('1', type);
}

const char *dp2_transform_name(uint32_t type)
{
    return dp2_value_name('2', type);
}

const char *dp2_stateset_op_name(uint32_t op)
{
    return dp2_value_name('3', op);
}

const char *dp2_stateset_type_name(uint32_t type)
{
    return dp2_value_name('4', type);
}

const char *dp2_light_op_name(uint32_t op)
{
    return dp2_value_name('5', op);
}

const char *dp2_query_name(uint32_t type)
{
    return dp2_value_name('6', type);
}

char dp2_letter_enumeration(char letter)
{
    static const char pairs[] = "P1X2O3K4l5q6Y7a8d9ttggkk";

    for (size_t i = 0; i + 1 < sizeof(pairs); i += 2) {
        if (pairs[i] == letter) {
            return pairs[i + 1];
        }
    }
    return 0;
}

static bool same(const char *name, const char *text, size_t length)
{
    return name && strlen(name) == length && memcmp(name, text, length) == 0;
}

static bool find_state(const struct dp2_state_name *table, size_t count, const char *name,
                       size_t length, uint32_t *state)
{
    for (size_t i = 0; i < count; i++) {
        if (same(table[i].name, name, length)) {
            *state = (uint32_t)i;
            return true;
        }
    }
    return false;
}

bool dp2_render_state_number(const char *name, size_t length, uint32_t *state)
{
    return find_state(render_states, COUNT(render_states), name, length, state);
}

bool dp2_stage_state_number(const char *name, size_t length, uint32_t *state)
{
    return find_state(stage_states, COUNT(stage_states), name, length, state);
}

bool dp2_value_number(char type, const char *name, size_t length, uint32_t *value)
{
    for (size_t i = 0; i < COUNT(enumerations); i++) {
        for (uint32_t n = 0; enumerations[i].type == type && n < enumerations[i].count; n++) {
            if (same(enumerations[i].names[n], name, length)) {
                *value = n;
                return true;
            }
        }
    }
    return false;
}

/* Those of numbers below 256; FOURCCs are their own names. */
static const struct {
    uint32_t number;
    const char *name;
} formats[] = {
#define FORMAT(number, name, ...) {(number), #name},
#define VARIANT(number, name, ...) {(number), #name},
#define NUMBER(number, name, ...) {(number), #name},
#include "d3d/formats.def"
};

static bool is_code_character(unsigned c)
{
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

const char *dp2_format_name(uint32_t format, char buffer[5])
{
    for (size_t i = 0; i < COUNT(formats) && format < 256; i++) {
        if (formats[i].number == format) {
            return formats[i].name;
        }
    }
    for (unsigned i = 0; i < 4; i++) {
        buffer[i] = (char)(format >> 8 * i);
        if (!is_code_character(format >> 8 * i & 255)) {
            return NULL;
        }
    }
    buffer[4] = 0;
    /* All digits would read as a number. */
    return buffer[0] >= 'A' ? buffer : NULL;
}

bool dp2_format_number(const char *name, size_t length, uint32_t *format)
{
    for (size_t i = 0; i < COUNT(formats); i++) {
        if (formats[i].number < 256 && same(formats[i].name, name, length)) {
            *format = formats[i].number;
            return true;
        }
    }
    if (length != 4 || name[0] < 'A') {
        return false;
    }
    *format = 0;
    for (unsigned i = 0; i < 4; i++) {
        if (!is_code_character((unsigned char)name[i])) {
            return false;
        }
        *format |= (uint32_t)(unsigned char)name[i] << 8 * i;
    }
    return true;
}
