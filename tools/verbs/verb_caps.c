/* SPDX-License-Identifier: MIT */
/*
 * dp2 caps: the driver's capabilities, queried through GetDriverInfo2 like a runtime.
 */
#include "tools/names/caps_names.h"
#include "base/json/json.h"
#include "tools/tool.h"

#include "base/base.h"
#include "caps/caps.h"
#include "client/client.h"
#include "client/umd/bridge.h"
#include "dp2/names.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum caps_kind { CAPS_NUMBER, CAPS_SIGNED, CAPS_BITS, CAPS_FLOAT, CAPS_VERSION };

struct caps_field {
    const char *name;
    size_t offset;
    enum caps_kind kind;
};

#define FIELD(name, kind)                     \
    {                                         \
#name, offsetof(D3DCAPS8, name), kind \
    }
#define NUMBER(name)  FIELD(name, CAPS_NUMBER)
#define HEX(name)     FIELD(name, CAPS_BITS)
#define FLOAT(name)   FIELD(name, CAPS_FLOAT)
#define VERSION(name) FIELD(name, CAPS_VERSION)

static const struct caps_field caps_fields[] = {
    NUMBER(DeviceType),
    NUMBER(AdapterOrdinal),
    HEX(Caps),
    HEX(Caps2),
    HEX(Caps3),
    HEX(PresentationIntervals),
    HEX(CursorCaps),
    HEX(DevCaps),
    HEX(PrimitiveMiscCaps),
    HEX(RasterCaps),
    HEX(ZCmpCaps),
    HEX(SrcBlendCaps),
    HEX(DestBlendCaps),
    HEX(AlphaCmpCaps),
    HEX(ShadeCaps),
    HEX(TextureCaps),
    HEX(TextureFilterCaps),
    HEX(CubeTextureFilterCaps),
    HEX(VolumeTextureFilterCaps),
    HEX(TextureAddressCaps),
    HEX(VolumeTextureAddressCaps),
    HEX(LineCaps),
    NUMBER(MaxTextureWidth),
    NUMBER(MaxTextureHeight),
    NUMBER(MaxVolumeExtent),
    NUMBER(MaxTextureRepeat),
    NUMBER(MaxTextureAspectRatio),
    NUMBER(MaxAnisotropy),
    FLOAT(MaxVertexW),
    FLOAT(GuardBandLeft),
    FLOAT(GuardBandTop),
    FLOAT(GuardBandRight),
    FLOAT(GuardBandBottom),
    FLOAT(ExtentsAdjust),
    HEX(StencilCaps),
    HEX(FVFCaps),
    HEX(TextureOpCaps),
    NUMBER(MaxTextureBlendStages),
    NUMBER(MaxSimultaneousTextures),
    HEX(VertexProcessingCaps),
    NUMBER(MaxActiveLights),
    NUMBER(MaxUserClipPlanes),
    NUMBER(MaxVertexBlendMatrices),
    NUMBER(MaxVertexBlendMatrixIndex),
    FLOAT(MaxPointSize),
    NUMBER(MaxPrimitiveCount),
    NUMBER(MaxVertexIndex),
    NUMBER(MaxStreams),
    NUMBER(MaxStreamStride),
    VERSION(VertexShaderVersion),
    NUMBER(MaxVertexShaderConst),
    VERSION(PixelShaderVersion),
    FLOAT(MaxPixelShaderValue),
};

#define FIELD9(name, kind)                            \
    {                                                 \
#name, offsetof(struct d3d_caps9, name), kind \
    }

/* Members of D3DCAPS9 after those that it shares with D3DCAPS8. */
static const struct caps_field caps9_fields[] = {
    FIELD9(DevCaps2, CAPS_BITS),
    FIELD9(MaxNpatchTessellationLevel, CAPS_FLOAT),
    FIELD9(MasterAdapterOrdinal, CAPS_NUMBER),
    FIELD9(AdapterOrdinalInGroup, CAPS_NUMBER),
    FIELD9(NumberOfAdaptersInGroup, CAPS_NUMBER),
    FIELD9(DeclTypes, CAPS_BITS),
    FIELD9(NumSimultaneousRTs, CAPS_NUMBER),
    FIELD9(StretchRectFilterCaps, CAPS_BITS),
    FIELD9(VS20Caps.Caps, CAPS_BITS),
    FIELD9(VS20Caps.DynamicFlowControlDepth, CAPS_SIGNED),
    FIELD9(VS20Caps.NumTemps, CAPS_SIGNED),
    FIELD9(VS20Caps.StaticFlowControlDepth, CAPS_SIGNED),
    FIELD9(PS20Caps.Caps, CAPS_BITS),
    FIELD9(PS20Caps.DynamicFlowControlDepth, CAPS_SIGNED),
    FIELD9(PS20Caps.NumTemps, CAPS_SIGNED),
    FIELD9(PS20Caps.StaticFlowControlDepth, CAPS_SIGNED),
    FIELD9(PS20Caps.NumInstructionSlots, CAPS_SIGNED),
    FIELD9(VertexTextureFilterCaps, CAPS_BITS),
    FIELD9(MaxVShaderInstructionsExecuted, CAPS_NUMBER),
    FIELD9(MaxPShaderInstructionsExecuted, CAPS_NUMBER),
    FIELD9(MaxVertexShader30InstructionSlots, CAPS_NUMBER),
    FIELD9(MaxPixelShader30InstructionSlots, CAPS_NUMBER),
};

/* One of the two structures. */
struct caps_view {
    const char *name;
    const void *caps;
    const struct caps_field *more; /* after caps_fields */
    size_t more_count;
};

static const char *const operation_names[] = {
    "TEXTURE",
    "VOLUMETEXTURE",
    "CUBETEXTURE",
    "OFFSCREEN_RENDERTARGET",
    "SAME_FORMAT_RENDERTARGET",
    NULL,
    "ZSTENCIL",
    "ZSTENCIL_WITH_ARBITRARY_COLOR_DEPTH",
    "SAME_FORMAT_UP_TO_ALPHA_RENDERTARGET",
    NULL,
    "DISPLAYMODE",
    "3DACCELERATION",
    "PIXELSIZE",
    "CONVERT_TO_ARGB",
    "OFFSCREENPLAIN",
    "SRGBREAD",
    "BUMPMAP",
    "DMAP",
    "NOFILTER",
    "MEMBEROFGROUP_ARGB",
    "SRGBWRITE",
    "NOALPHABLEND",
    "AUTOGENMIPMAP",
    "VERTEXTEXTURE",
    "NOTEXCOORDWRAPNORMIP",
};

static void format_name(uint32_t number, char name[16])
{
    const char code[4] = {(char)number, (char)(number >> 8), (char)(number >> 16), (char)(number >> 24)};
    char letters[5];
    const char *known = dp2_format_name(number, letters);

    if (number < 256 && known) {
        snprintf(name, 16, "%s", known);
        return;
    }
    if (isalnum((unsigned char)code[0]) && isalnum((unsigned char)code[3]))
        snprintf(name, 16, "%.4s", code);
    else
        snprintf(name, 16, "%" PRIu32, number);
}

static size_t field_count(const struct caps_view *view)
{
    return ARRAY_COUNT(caps_fields) + view->more_count;
}

static const struct caps_field *field_of(const struct caps_view *view, size_t i)
{
    return i < ARRAY_COUNT(caps_fields) ? &caps_fields[i] : &view->more[i - ARRAY_COUNT(caps_fields)];
}

static uint32_t caps_value(const struct caps_view *view, const struct caps_field *field)
{
    uint32_t value;

    memcpy(&value, (const uint8_t *)view->caps + field->offset, sizeof(value));
    return value;
}

static void print_value(uint32_t value, enum caps_kind kind)
{
    float number;

    memcpy(&number, &value, sizeof(number));
    if (kind == CAPS_FLOAT)
        printf("%.9g", (double)number);
    else if (kind == CAPS_SIGNED)
        printf("%" PRId32, (int32_t)value);
    else if (kind == CAPS_BITS)
        printf("0x%08" PRIx32, value);
    else if (kind == CAPS_VERSION)
        printf("%u.%u", value >> 8 & 255, value & 255);
    else
        printf("%" PRIu32, value);
}

/* Returns the name of a bit; "bit 30" if it has none. */
static const char *bit_name(const char *const *names, unsigned bit, char number[16])
{
    if (names[bit])
        return names[bit];
    snprintf(number, 16, "bit %u", bit);
    return number;
}

/* Names of the bits that are set, on lines of their own. The lower half of FVFCaps is a count. */
static void print_bits(const struct caps_field *field, uint32_t value)
{
    const char *const *names = caps_bit_names(field->name);
    const bool is_fvf = strcmp(field->name, "FVFCaps") == 0;
    size_t column = 0;
    char number[16];

    if (is_fvf && value & 0xffff) {
        printf("\n    TEXCOORDCOUNT=%u", value & 0xffff);
        column = 20;
    }
    for (unsigned bit = is_fvf ? 16 : 0; names && bit < 32; bit++) {
        const char *name = bit_name(names, bit, number);
        if (!(value >> bit & 1))
            continue;
        if (!column || column + strlen(name) > 96) {
            printf("\n   ");
            column = 3;
        }
        column += (size_t)printf(" %s", name);
    }
}

static void print_caps_text(const struct caps_view *view)
{
    printf("%s\n", view->name);
    for (size_t i = 0; i < field_count(view); i++) {
        const struct caps_field *field = field_of(view, i);
        const uint32_t value = caps_value(view, field);

        printf("%-34s ", field->name);
        print_value(value, field->kind);
        if (field->kind == CAPS_BITS)
            print_bits(field, value);
        putchar('\n');
    }
    putchar('\n');
}

static void caps_put_value(struct json_writer *json, const struct caps_view *view, const struct caps_field *field)
{
    const uint32_t value = caps_value(view, field);
    float number;

    memcpy(&number, &value, sizeof(number));
    if (field->kind == CAPS_FLOAT)
        json_put_float(json, field->name, number);
    else if (field->kind == CAPS_SIGNED)
        json_put_signed(json, field->name, (int32_t)value);
    else
        json_put_number(json, field->name, value);
}

/* The names of the bits that are set. */
static void put_bits(struct json_writer *json, const struct caps_field *field, uint32_t value)
{
    const char *const *names = field->kind == CAPS_BITS ? caps_bit_names(field->name) : NULL;
    char number[16];

    if (!names)
        return;
    json_open_list(json, field->name);
    for (unsigned bit = strcmp(field->name, "FVFCaps") == 0 ? 16 : 0; bit < 32; bit++)
        if (value >> bit & 1)
            json_put_text(json, NULL, bit_name(names, bit, number));
    json_close(json);
}

/* "KEY": {"field": number, ...}, "KEY_bits": {"field": ["name", ...], ...} */
static void put_caps(struct json_writer *json, const struct caps_view *view, const char *key, const char *bits_key)
{
    json_open_object(json, key);
    for (size_t i = 0; i < field_count(view); i++)
        caps_put_value(json, view, field_of(view, i));
    json_close(json);
    json_open_object(json, bits_key);
    for (size_t i = 0; i < field_count(view); i++)
        put_bits(json, field_of(view, i), caps_value(view, field_of(view, i)));
    json_close(json);
}

static void print_operations(uint32_t operations)
{
    for (unsigned i = 0, shown = 0; i < ARRAY_COUNT(operation_names); i++)
        if (operations >> i & 1 && operation_names[i])
            printf("%s%s", shown++ ? " " : "", operation_names[i]);
}

static void put_format(struct json_writer *json, const DDPIXELFORMAT *format)
{
    char name[16];

    format_name(format->dwFourCC, name);
    json_open_object(json, NULL);
    json_put_text(json, "name", name);
    json_put_number(json, "number", format->dwFourCC);
    json_put_number(json, "flip_samples", format->MultiSampleCaps.wFlipMSTypes);
    json_put_number(json, "blt_samples", format->MultiSampleCaps.wBltMSTypes);
    json_open_list(json, "operations");
    for (unsigned i = 0; i < ARRAY_COUNT(operation_names); i++)
        if (format->dwOperations >> i & 1 && operation_names[i])
            json_put_text(json, NULL, operation_names[i]);
    json_close(json);
    json_close(json);
}

static void caps_print_text(const struct client_driver *driver, const struct caps_view *views, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        print_caps_text(&views[i]);
    printf("formats\n");
    for (unsigned i = 0; i < driver->format_count; i++) {
        const DDPIXELFORMAT *format = &driver->formats[i];
        char name[16];
        format_name(format->dwFourCC, name);
        printf("  %-13s ", name);
        print_operations(format->dwOperations);
        if (format->MultiSampleCaps.wFlipMSTypes || format->MultiSampleCaps.wBltMSTypes)
            printf(" samples=0x%x,0x%x", format->MultiSampleCaps.wFlipMSTypes, format->MultiSampleCaps.wBltMSTypes);
        putchar('\n');
    }
}

static bool caps_print_json(const struct client_driver *driver, const struct caps_view *views, unsigned count)
{
    struct json_writer json;

    json_begin(&json, stdout, "dp2-caps", false);
    for (unsigned i = 0; i < count; i++)
        put_caps(&json, &views[i], i ? "caps9" : "caps", i ? "caps9_bits" : "caps_bits");
    json_stream_list(&json, "formats");
    for (unsigned i = 0; i < driver->format_count; i++)
        put_format(&json, &driver->formats[i]);
    return json_end(&json);
}

struct request {
    bool as_json;
};

static int caps_verb(void *settings, char **operands, int count)
{
    const struct request *request = settings;
    struct client_driver driver;
    struct d3d_caps9 caps9 = {0};
    bool done = true;
    const HRESULT hr = client_driver_init(&driver, client_umd_or(HalcyonDriverInit, OpenAdapter));

    (void)operands;
    (void)count;
    if (FAILED(hr))
        return tool_fail(&verb_caps, "the driver does not start: %#x", (unsigned)hr);
    /* A driver of DirectX 7 or 8 has no D3DCAPS9 (HALCYON_CAPS). */
    const bool has_caps9 = SUCCEEDED(client_driver_info2(&driver, D3DGDI2_TYPE_GETD3DCAPS9, &caps9, sizeof(caps9)));
    const struct caps_view views[2] = {{.name = "D3DCAPS8", .caps = &driver.caps},
                                       {"D3DCAPS9", &caps9, caps9_fields, ARRAY_COUNT(caps9_fields)}};
    if (request->as_json)
        done = caps_print_json(&driver, views, has_caps9 ? 2 : 1);
    else
        caps_print_text(&driver, views, has_caps9 ? 2 : 1);
    client_driver_close(&driver);
    return done ? TOOL_OK : tool_fail(&verb_caps, "out of memory");
}

static const struct option_row options[] = {
    {"json", 0, SETS_BOOL(struct request, as_json),
     .help = "print JSON (docs/json.md) instead of text: caps and caps9 hold the numbers, caps_bits and caps9_bits the "
             "names"},
    {0},
};

const struct tool_verb verb_caps = {
    .syntax =
        {
            .name = "caps",
            .summary = "print what the driver reports",
            .about = "Prints the capabilities and surface formats that the driver reports through GetDriverInfo2 "
                     "(D3DCAPS8, D3DCAPS9 and the list of formats). Each bit is printed by its name. HALCYON_CAPS "
                     "chooses the version of DirectX.",
            .options = options,
            .examples = "dp2 caps\n"
                        "HALCYON_CAPS=dx8 dp2 caps\n"
                        "dp2 caps --json | jq '.caps_bits.RasterCaps'",
        },
    .size = sizeof(struct request),
    .run = caps_verb,
};
