/* SPDX-License-Identifier: MIT */
/*
 * Numbers to names. States, formats and usages come from the tables of d3d/; values of enumerations: d3d8types.h and
 * d3d9types.h (the names without their D3D prefix).
 */
#include "dp2/names.h"

#include "d3d/formats.h"
#include "d3d/usages.h"

#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct dp2_state_name render_states[] = {
#define RENDER_STATE(number, name, level, value, kind, ...) [number] = {#name, DP2_KIND_##kind},
#include "d3d/states.def"
};

static const struct dp2_state_name stage_states[] = {
#define STAGE_STATE(number, name, level, value, kind, ...) [number] = {#name, DP2_KIND_##kind},
#include "d3d/states.def"
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
static const char *const stencil[] = {NULL, "KEEP", "ZERO", "REPLACE", "INCRSAT", "DECRSAT", "INVERT", "INCR", "DECR"};
static const char *const blend[] = {
    NULL,          "ZERO",          "ONE",       "SRCCOLOR",     "INVSRCCOLOR", "SRCALPHA",     "INVSRCALPHA",
    "DESTALPHA",   "INVDESTALPHA",  "DESTCOLOR", "INVDESTCOLOR", "SRCALPHASAT", "BOTHSRCALPHA", "BOTHINVSRCALPHA",
    "BLENDFACTOR", "INVBLENDFACTOR"};
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
static const char *const transform[] = {
    NULL,       "WORLD_DX7", "VIEW",     "PROJECTION", "WORLD1_DX7", "WORLD2_DX7", "WORLD3_DX7", [16] = "TEXTURE0",
    "TEXTURE1", "TEXTURE2",  "TEXTURE3", "TEXTURE4",   "TEXTURE5",   "TEXTURE6",   "TEXTURE7",   [256] = "WORLD",
    "WORLD1",   "WORLD2",    "WORLD3"};
static const char *const stateset_op[] = {"BEGIN", "END", "DELETE", "EXECUTE", "CAPTURE", "CREATE"};
static const char *const stateset_type[] = {"NONE", "ALL", "PIXEL", "VERTEX"};
static const char *const light_op[] = {"ENABLE", "DISABLE", "DATA"};
/* clang-format off */
static const char *const query[] = {
    [4] = "VCACHE", "RESOURCEMANAGER", "VERTEXSTATS",       [8] = "EVENT",
    "OCCLUSION",    "TIMESTAMP",       "TIMESTAMPDISJOINT", "TIMESTAMPFREQ",   "PIPELINETIMINGS", "INTERFACETIMINGS",
    "VERTEXTIMINGS", "PIXELTIMINGS",   "BANDWIDTHTIMINGS",  "CACHEUTILIZATION"};

static const char *const light[] = {NULL, "POINT", "SPOT", "DIRECTIONAL"};
static const char *const basis[] = {"BEZIER", "BSPLINE", "INTERPOLATE"};
static const char *const degree[] = {NULL, "LINEAR", "QUADRATIC", "CUBIC", NULL, "QUINTIC"};
static const char *const element[] = {"FLOAT1",  "FLOAT2",   "FLOAT3",   "FLOAT4",  "D3DCOLOR",
                                      "UBYTE4",  "SHORT2",   "SHORT4",   "UBYTE4N", "SHORT2N",
                                      "SHORT4N", "USHORT2N", "USHORT4N", "UDEC3",   "DEC3N",
                                      "FLOAT16_2", "FLOAT16_4", "UNUSED"};
static const char *const method[] = {"DEFAULT", "PARTIALU", "PARTIALV", "CROSSUV", "UV", "LOOKUP", "LOOKUPPRESAMPLED"};
static const char *const edge_style[] = {"DISCRETE", "CONTINUOUS"};
static const char *const usage[] = {
#define NAME_OF_USAGE(name, word) #name,
    D3D_USAGES(NAME_OF_USAGE)
};
/* clang-format on */

/* enum ddi_marker of d3d/marker.h */
static const char *const marker[] = {NULL, "BEGIN", "END", "POINT", "REGION"};
/* DDCKEY_DESTBLT, DDCKEY_SRCBLT */
static const char *const color_key[] = {[2] = "DESTINATION", [8] = "SOURCE"};

static const struct {
    char type;
    uint16_t count;
    const char *const *names;
} enumerations[] = {
#define ENUMERATION(type, array)      \
    {                                 \
        (type), COUNT(array), (array) \
    }
    ENUMERATION(DP2_KIND_ZENABLE, zenable),
    ENUMERATION(DP2_KIND_FILLMODE, fill),
    ENUMERATION(DP2_KIND_SHADEMODE, shade),
    ENUMERATION(DP2_KIND_CULLMODE, cull),
    ENUMERATION(DP2_KIND_FOGMODE, fog),
    ENUMERATION(DP2_KIND_MATERIALSOURCE, source),
    ENUMERATION(DP2_KIND_BLENDOP, blendop),
    ENUMERATION(DP2_KIND_ADDRESS, address),
    ENUMERATION(DP2_KIND_FILTER, filter),
    ENUMERATION(DP2_KIND_COMPARE, compare),
    ENUMERATION(DP2_KIND_STENCILOP, stencil),
    ENUMERATION(DP2_KIND_BLEND, blend),
    ENUMERATION(DP2_KIND_VERTEXBLEND, vertexblend),
    ENUMERATION(DP2_KIND_TEXTUREOP, textureop),
    ENUMERATION(DP2_KIND_ARGUMENT, argument),
    ENUMERATION('1', primitive),
    ENUMERATION('2', transform),
    ENUMERATION('3', stateset_op),
    ENUMERATION('4', stateset_type),
    ENUMERATION('5', light_op),
    ENUMERATION('6', query),
    ENUMERATION('7', light),
    ENUMERATION('8', basis),
    ENUMERATION(DP2_KIND_DEGREE, degree),
    ENUMERATION(DP2_KIND_EDGESTYLE, edge_style),
    ENUMERATION('e', method),
    ENUMERATION('t', element),
    ENUMERATION('g', usage),
    ENUMERATION('k', color_key),
    ENUMERATION('0', marker),
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
    for (size_t i = 0; i < COUNT(enumerations); i++)
        if (enumerations[i].type == type)
            return value < enumerations[i].count ? enumerations[i].names[value] : NULL;
    return NULL;
}

const char *dp2_primitive_name(uint32_t type)
{
    return dp2_value_name('1', type);
}

char dp2_letter_enumeration(char letter)
{
    static const char pairs[] = "P1X2O3K4l5q6Y7a8d9ttggkkb05F6e";

    for (size_t i = 0; i + 1 < sizeof(pairs); i += 2)
        if (pairs[i] == letter)
            return pairs[i + 1];
    return 0;
}

static bool is_same_name(const char *name, const char *text, size_t length)
{
    return name && strlen(name) == length && memcmp(name, text, length) == 0;
}

static bool names_find_state(const struct dp2_state_name *table, size_t count, const char *name, size_t length,
                             uint32_t *state)
{
    for (size_t i = 0; i < count; i++) {
        if (is_same_name(table[i].name, name, length)) {
            *state = (uint32_t)i;
            return true;
        }
    }
    return false;
}

bool dp2_render_state_number(const char *name, size_t length, uint32_t *state)
{
    return names_find_state(render_states, COUNT(render_states), name, length, state);
}

bool dp2_stage_state_number(const char *name, size_t length, uint32_t *state)
{
    return names_find_state(stage_states, COUNT(stage_states), name, length, state);
}

bool dp2_value_number(char type, const char *name, size_t length, uint32_t *value)
{
    for (size_t i = 0; i < COUNT(enumerations); i++) {
        for (uint32_t n = 0; enumerations[i].type == type && n < enumerations[i].count; n++) {
            if (is_same_name(enumerations[i].names[n], name, length)) {
                *value = n;
                return true;
            }
        }
    }
    return false;
}

/* Those of numbers below 256; FOURCCs are used as names. */
static const struct {
    uint32_t number;
    const char *name;
} formats[] = {
#define FORMAT(number, name, ...)  {(number), #name},
#define VARIANT(number, name, ...) {(number), #name},
#define NUMBER(number, name, ...)  {(number), #name},
#include "d3d/formats.def"
};

static bool is_code_character(unsigned c)
{
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

const char *dp2_format_name(uint32_t format, char buffer[5])
{
    for (size_t i = 0; i < COUNT(formats) && format < 256; i++)
        if (formats[i].number == format)
            return formats[i].name;
    for (unsigned i = 0; i < 4; i++) {
        buffer[i] = (char)(format >> 8 * i);
        if (!is_code_character(format >> 8 * i & 255))
            return NULL;
    }
    buffer[4] = 0;
    /* All digits would read as a number. */
    return buffer[0] >= 'A' ? buffer : NULL;
}

bool dp2_format_number(const char *name, size_t length, uint32_t *format)
{
    for (size_t i = 0; i < COUNT(formats); i++) {
        if (formats[i].number < 256 && is_same_name(formats[i].name, name, length)) {
            *format = formats[i].number;
            return true;
        }
    }
    if (length != 4 || name[0] < 'A')
        return false;
    *format = 0;
    for (unsigned i = 0; i < 4; i++) {
        if (!is_code_character((unsigned char)name[i]))
            return false;
        *format |= (uint32_t)(unsigned char)name[i] << 8 * i;
    }
    return true;
}
