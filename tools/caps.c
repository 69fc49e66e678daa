/* SPDX-License-Identifier: MIT */
/*
 * dp2 caps: what the driver reports, asked through GetDriverInfo2 as a runtime does.
 */
#include "tools/tool.h"

#include "ddi/client.h"

#include <ctype.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: dp2 caps [--json]\n"
    "\n"
    "Prints the capabilities and the surface formats that the driver reports\n"
    "(GetDriverInfo2: D3DCAPS8 and the format list).\n"
    "\n"
    "examples:\n"
    "  dp2 caps\n"
    "  dp2 caps --json | jq '.formats[].name'\n";

enum caps_kind { CAPS_NUMBER, CAPS_HEX, CAPS_FLOAT };

struct caps_field {
    const char *name;
    size_t offset;
    enum caps_kind kind;
};

#define NUMBER(name)                                                                               \
    {                                                                                              \
#name, offsetof(D3DCAPS8, name), CAPS_NUMBER                                               \
    }
#define HEX(name)                                                                                  \
    {                                                                                              \
#name, offsetof(D3DCAPS8, name), CAPS_HEX                                                  \
    }
#define FLOAT(name)                                                                                \
    {                                                                                              \
#name, offsetof(D3DCAPS8, name), CAPS_FLOAT                                                \
    }

static const struct caps_field caps_fields[] = {
    HEX(DeviceType),
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
    HEX(VertexShaderVersion),
    NUMBER(MaxVertexShaderConst),
    HEX(PixelShaderVersion),
    FLOAT(MaxPixelShaderValue),
};

static const struct {
    uint32_t number;
    const char *name;
} format_names[] = {
    {20, "R8G8B8"},        {21, "A8R8G8B8"},     {22, "X8R8G8B8"},      {23, "R5G6B5"},
    {24, "X1R5G5B5"},      {25, "A1R5G5B5"},     {26, "A4R4G4B4"},      {27, "R3G3B2"},
    {28, "A8"},            {29, "A8R3G3B2"},     {30, "X4R4G4B4"},      {31, "A2B10G10R10"},
    {32, "A8B8G8R8"},      {33, "X8B8G8R8"},     {34, "G16R16"},        {35, "A2R10G10B10"},
    {36, "A16B16G16R16"},  {40, "A8P8"},         {41, "P8"},            {50, "L8"},
    {51, "A8L8"},          {52, "A4L4"},         {60, "V8U8"},          {61, "L6V5U5"},
    {62, "X8L8V8U8"},      {63, "Q8W8V8U8"},     {64, "V16U16"},        {65, "W11V11U10"},
    {67, "A2W10V10U10"},   {70, "D16_LOCKABLE"}, {71, "D32"},           {72, "S1D15"},
    {73, "D15S1"},         {74, "S8D24"},        {75, "D24S8"},         {76, "X8D24"},
    {77, "D24X8"},         {79, "D24X4S4"},      {80, "D16"},           {81, "L16"},
    {82, "D32F_LOCKABLE"}, {83, "D24FS8"},       {100, "VERTEXDATA"},   {101, "INDEX16"},
    {102, "INDEX32"},      {110, "Q16W16V16U16"}, {111, "R16F"},        {112, "G16R16F"},
    {113, "A16B16G16R16F"}, {114, "R32F"},       {115, "G32R32F"},      {116, "A32B32G32R32F"},
    {117, "CxV8U8"},
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
    const char code[4] = {(char)number, (char)(number >> 8), (char)(number >> 16),
                          (char)(number >> 24)};

    for (size_t i = 0; i < sizeof(format_names) / sizeof(format_names[0]); i++) {
        if (format_names[i].number == number) {
            snprintf(name, 16, "%s", format_names[i].name);
            return;
        }
    }
    if (isalnum((unsigned char)code[0]) && isalnum((unsigned char)code[3]))
        snprintf(name, 16, "%.4s", code);
    else
        snprintf(name, 16, "%" PRIu32, number);
}

static void print_value(const D3DCAPS8 *caps, const struct caps_field *field, bool json)
{
    uint32_t value;
    float number;

    memcpy(&value, (const uint8_t *)caps + field->offset, sizeof(value));
    memcpy(&number, &value, sizeof(number));
    if (field->kind == CAPS_FLOAT)
        printf("%.9g", (double)number);
    else if (field->kind == CAPS_HEX && !json)
        printf("0x%08" PRIx32, value);
    else
        printf("%" PRIu32, value);
}

static void print_operations(uint32_t operations, const char *before, const char *between,
                             const char *after)
{
    const char *glue = "";

    for (unsigned i = 0; i < sizeof(operation_names) / sizeof(operation_names[0]); i++) {
        if (operations >> i & 1 && operation_names[i]) {
            printf("%s%s%s%s", glue, before, operation_names[i], after);
            glue = between;
        }
    }
}

static void print_text(const struct client_driver *driver)
{
    for (size_t i = 0; i < sizeof(caps_fields) / sizeof(caps_fields[0]); i++) {
        printf("%-26s ", caps_fields[i].name);
        print_value(&driver->caps, &caps_fields[i], false);
        putchar('\n');
    }
    printf("\nformats\n");
    for (unsigned i = 0; i < driver->format_count; i++) {
        const DDPIXELFORMAT *format = &driver->formats[i];
        char name[16];
        format_name(format->dwFourCC, name);
        printf("  %-13s ", name);
        print_operations(format->dwOperations, "", " ", "");
        if (format->MultiSampleCaps.wFlipMSTypes || format->MultiSampleCaps.wBltMSTypes)
            printf(" samples=0x%x,0x%x", format->MultiSampleCaps.wFlipMSTypes,
                   format->MultiSampleCaps.wBltMSTypes);
        putchar('\n');
    }
}

static void print_json(const struct client_driver *driver)
{
    printf("{\n  \"caps\": {");
    for (size_t i = 0; i < sizeof(caps_fields) / sizeof(caps_fields[0]); i++) {
        printf("%s\n    \"%s\": ", i ? "," : "", caps_fields[i].name);
        print_value(&driver->caps, &caps_fields[i], true);
    }
    printf("\n  },\n  \"formats\": [");
    for (unsigned i = 0; i < driver->format_count; i++) {
        const DDPIXELFORMAT *format = &driver->formats[i];
        char name[16];
        format_name(format->dwFourCC, name);
        printf("%s\n    {\"name\": \"%s\", \"number\": %" PRIu32 ", \"flip_samples\": %u, "
               "\"blt_samples\": %u, \"operations\": [",
               i ? "," : "", name, (uint32_t)format->dwFourCC, format->MultiSampleCaps.wFlipMSTypes,
               format->MultiSampleCaps.wBltMSTypes);
        print_operations(format->dwOperations, "\"", ", ", "\"");
        printf("]}");
    }
    printf("\n  ]\n}\n");
}

static int caps_verb(int argc, char **argv)
{
    static const struct option options[] = {
        {"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'}, {0}};
    struct client_driver driver;
    bool json = false;
    int option;
    HRESULT hr;

    while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        if (option == 'h') {
            fputs(help, stdout);
            return TOOL_OK;
        }
        if (option != 'j')
            return tool_bad_option(&verb_caps);
        json = true;
    }
    if (tool_operands(&verb_caps, argc, argv, 0, "") != TOOL_OK)
        return TOOL_ERROR;
    setenv("HALCYON_CAPTURE", "", 1);
    hr = client_driver_init(&driver, HalcyonDriverInit);
    if (FAILED(hr))
        return tool_fail(&verb_caps, "the driver does not start: %#x", (unsigned)hr);
    if (json)
        print_json(&driver);
    else
        print_text(&driver);
    client_driver_close(&driver);
    return TOOL_OK;
}

const struct tool_verb verb_caps = {"caps", "print what the driver reports", help, caps_verb};
