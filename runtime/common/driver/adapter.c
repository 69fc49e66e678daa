/* SPDX-License-Identifier: MIT */
/* The capabilities, formats, multisample types and queries that the driver reports, and the checks of the API against them. */
#include "runtime/common/driver/adapter.h"

#include <d3d8.h>

#include "base/base.h"
#include "runtime/common/driver/formats.h"

#define MAX_FORMATS  4096
#define MAX_QUERIES  64
#define SAMPLE_TYPES 17 /* D3DMULTISAMPLE_NONE to 16_SAMPLES */
#define DX9          0x900

struct rt_adapter {
    struct client_driver driver;
    const struct rt_driver_rules *rules;
    struct rt_format_ops *formats;
    unsigned format_count;
    struct d3d_caps9 caps9;        /* with rules->asks_dx9 */
    uint32_t queries[MAX_QUERIES]; /* D3DQUERYTYPE */
    unsigned query_count;
    volatile LONG frames;
};

/* --- what the driver reports ----------------------------------------------------------- */

/* Formats of other versions of the API are left out; unknown FOURCCs name abilities of the driver. */
static void add_format(struct rt_adapter *adapter, const DDPIXELFORMAT *format)
{
    struct rt_format_ops *ops = &adapter->formats[adapter->format_count];

    if (rt_format_info(format->dwFourCC) && !rt_format_of(adapter->rules->format_level, format->dwFourCC))
        return;
    adapter->format_count++;
    ops->format = format->dwFourCC;
    ops->operations = format->dwOperations;
    ops->samples = format->MultiSampleCaps.wFlipMSTypes | format->MultiSampleCaps.wBltMSTypes;
}

/* The list that was read with the driver. */
static bool take_formats(struct rt_adapter *adapter)
{
    const struct client_driver *driver = &adapter->driver;

    adapter->formats = mem_calloc(driver->format_count + 1, sizeof(*adapter->formats));
    for (unsigned i = 0; adapter->formats && i < driver->format_count; i++)
        add_format(adapter, &driver->formats[i]);
    return adapter->formats != NULL;
}

/* Writes the version where the driver looks for it: the samples that it reports depend on it. */
static bool read_formats9(struct rt_adapter *adapter)
{
    DD_GETFORMATCOUNTDATA count = {.dwReserved = DX9};

    if (FAILED(client_driver_info2(&adapter->driver, D3DGDI2_TYPE_GETFORMATCOUNT, &count, sizeof(count))) ||
        count.dwFormatCount > MAX_FORMATS)
        return false;
    adapter->formats = mem_calloc(count.dwFormatCount + 1, sizeof(*adapter->formats));
    for (unsigned i = 0; adapter->formats && i < count.dwFormatCount; i++) {
        DD_GETFORMATDATA format = {.dwFormatIndex = i, .format = {.dwSize = DX9}};

        if (FAILED(client_driver_info2(&adapter->driver, D3DGDI2_TYPE_GETFORMAT, &format, sizeof(format))))
            return false;
        if (format.format.dwFlags & DDPF_D3DFORMAT)
            add_format(adapter, &format.format);
    }
    return adapter->formats != NULL;
}

static void read_queries(struct rt_adapter *adapter)
{
    DD_GETD3DQUERYCOUNTDATA count = {0};

    if (FAILED(client_driver_info2(&adapter->driver, D3DGDI2_TYPE_GETD3DQUERYCOUNT, &count, sizeof(count))))
        return;
    for (unsigned i = 0; i < count.dwNumQueries && adapter->query_count < MAX_QUERIES; i++) {
        DD_GETD3DQUERYDATA query = {.dwQueryIndex = i};

        if (SUCCEEDED(client_driver_info2(&adapter->driver, D3DGDI2_TYPE_GETD3DQUERY, &query, sizeof(query))))
            adapter->queries[adapter->query_count++] = query.QueryType;
    }
}

/* In the order in which runtimes of DirectX 9 ask. `data` of the capabilities is overwritten by the answer. */
static bool ask_dx9(struct rt_adapter *adapter)
{
    DD_DXVERSION version = {.dwDXVersion = DX9};
    DD_GETDDIVERSIONDATA ddi = {.dwDXVersion = 9};

    client_driver_info2(&adapter->driver, D3DGDI2_TYPE_DXVERSION, &version, sizeof(version));
    if (FAILED(
            client_driver_info2(&adapter->driver, D3DGDI2_TYPE_GETD3DCAPS9, &adapter->caps9, sizeof(adapter->caps9))) ||
        FAILED(client_driver_info2(&adapter->driver, D3DGDI2_TYPE_GETDDIVERSION, &ddi, sizeof(ddi))) ||
        ddi.dwDDIVersion != DX9_DDI_VERSION) {
        log_error("the driver does not support DirectX 9");
        return false;
    }
    if (!read_formats9(adapter))
        return false;
    read_queries(adapter);
    return true;
}

struct rt_adapter *rt_adapter_create(const struct client_driver *driver, const struct rt_driver_rules *rules)
{
    struct client_driver copy = *driver;
    struct rt_adapter *adapter = mem_calloc(1, sizeof(*adapter));

    if (!adapter) {
        client_driver_close(&copy);
        return NULL;
    }
    adapter->driver = copy;
    adapter->rules = rules;
    if (rules->asks_dx9 ? ask_dx9(adapter) : take_formats(adapter))
        return adapter;
    rt_adapter_destroy(adapter);
    return NULL;
}

void rt_adapter_tell_frames(const struct rt_adapter *adapter)
{
    if (adapter->frames)
        log_info("frames shown: %u", (unsigned)adapter->frames);
}

void rt_adapter_destroy(struct rt_adapter *adapter)
{
    client_driver_close(&adapter->driver);
    free(adapter->formats);
    free(adapter);
}

const struct client_driver *rt_adapter_driver(const struct rt_adapter *adapter)
{
    return &adapter->driver;
}

const struct rt_driver_rules *rt_adapter_rules(const struct rt_adapter *adapter)
{
    return adapter->rules;
}

static bool is_power_of_ten(uint32_t number)
{
    while (number && number % 10 == 0)
        number /= 10;
    return number == 1;
}

uint32_t rt_adapter_next_frame(struct rt_adapter *adapter)
{
    const uint32_t shown = (uint32_t)InterlockedIncrement(&adapter->frames);

    /* even a program that is killed later has logged its progress */
    if (is_power_of_ten(shown))
        log_info("frames shown: %u", shown);
    return shown - 1;
}

const D3DCAPS8 *rt_adapter_caps(const struct rt_adapter *adapter)
{
    return adapter->rules->asks_dx9 ? &adapter->caps9.d3d8 : &adapter->driver.caps;
}

const struct d3d_caps9 *rt_adapter_caps9(const struct rt_adapter *adapter)
{
    return adapter->rules->asks_dx9 ? &adapter->caps9 : NULL;
}

const struct rt_format_ops *rt_adapter_format(const struct rt_adapter *adapter, uint32_t format)
{
    for (unsigned i = 0; i < adapter->format_count; i++)
        if (adapter->formats[i].format == format)
            return &adapter->formats[i];
    return NULL;
}

bool rt_adapter_has_query(const struct rt_adapter *adapter, uint32_t type)
{
    for (unsigned i = 0; i < adapter->query_count; i++)
        if (adapter->queries[i] == type)
            return true;
    return false;
}

/* --- questions of IDirect3D ------------------------------------------------------------- */

bool rt_is_display_format(uint32_t format)
{
    return format == D3DFMT_X8R8G8B8 || format == D3DFMT_R5G6B5 || format == D3DFMT_X1R5G5B5;
}

bool rt_can_be_target(const struct rt_format_ops *ops, uint32_t display, uint32_t format)
{
    if (ops->operations & D3DFORMAT_OP_OFFSCREEN_RENDERTARGET)
        return true;
    if ((ops->operations & D3DFORMAT_OP_SAME_FORMAT_RENDERTARGET) && format == display)
        return true;
    return (ops->operations & D3DFORMAT_OP_SAME_FORMAT_UP_TO_ALPHA_RENDERTARGET) &&
           rt_format_without_alpha(format) == display;
}

static uint32_t texture_operation(uint32_t type)
{
    if (type == D3DRTYPE_TEXTURE)
        return D3DFORMAT_OP_TEXTURE;
    if (type == D3DRTYPE_CUBETEXTURE)
        return D3DFORMAT_OP_CUBETEXTURE;
    return type == D3DRTYPE_VOLUMETEXTURE ? D3DFORMAT_OP_VOLUMETEXTURE : 0;
}

/* Operations that a usage requires, or forbids, in addition to plain support. */
static const struct {
    uint32_t usage, needs, forbids; /* D3DFORMAT_OP_* */
} usage_rules[] = {
    {RT_USAGE_DMAP, D3DFORMAT_OP_DMAP, 0},
    {RT_USAGE_QUERY_LEGACYBUMPMAP, D3DFORMAT_OP_BUMPMAP, 0},
    {RT_USAGE_QUERY_SRGBREAD, D3DFORMAT_OP_SRGBREAD, 0},
    {RT_USAGE_QUERY_FILTER, 0, D3DFORMAT_OP_NOFILTER},
    {RT_USAGE_QUERY_SRGBWRITE, D3DFORMAT_OP_SRGBWRITE, 0},
    {RT_USAGE_QUERY_POSTPIXELSHADER_BLENDING, 0, D3DFORMAT_OP_NOALPHABLEND},
    {RT_USAGE_QUERY_VERTEXTEXTURE, D3DFORMAT_OP_VERTEXTEXTURE, 0},
    {RT_USAGE_QUERY_WRAPANDMIP, 0, D3DFORMAT_OP_NOTEXCOORDWRAPNORMIP},
};

static HRESULT check_usage(const struct rt_format_ops *ops, uint32_t display, uint32_t usage, uint32_t type,
                           uint32_t format)
{
    /* nor are levels of volumes made */
    if (type == D3DRTYPE_VOLUMETEXTURE && (usage & RT_USAGE_AUTOGENMIPMAP))
        return D3DERR_NOTAVAILABLE;
    if (type == D3DRTYPE_SURFACE && !(usage & (D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL)) &&
        !(ops->operations & D3DFORMAT_OP_OFFSCREENPLAIN))
        return D3DERR_NOTAVAILABLE;
    /* a surface is written to only where it is a target */
    if (type == D3DRTYPE_SURFACE && (usage & RT_USAGE_QUERY_SRGBWRITE) && !(usage & D3DUSAGE_RENDERTARGET))
        return D3DERR_NOTAVAILABLE;
    for (size_t i = 0; i < ARRAY_COUNT(usage_rules); i++)
        if ((usage & usage_rules[i].usage) && ((ops->operations & usage_rules[i].needs) != usage_rules[i].needs ||
                                               (ops->operations & usage_rules[i].forbids)))
            return D3DERR_NOTAVAILABLE;
    if ((usage & RT_USAGE_QUERY_POSTPIXELSHADER_BLENDING) && !rt_can_be_target(ops, display, format))
        return D3DERR_NOTAVAILABLE;
    if ((usage & RT_USAGE_AUTOGENMIPMAP) && !(ops->operations & D3DFORMAT_OP_AUTOGENMIPMAP))
        return RT_OK_NOAUTOGEN;
    return D3D_OK;
}

/* Although the driver would. */
static bool has_no_textures(uint32_t format)
{
    const struct rt_format *info = rt_format_info(format);

    return info && info->flags & RT_FORMAT_UNOFFERED_TEXTURE;
}

HRESULT rt_check_operations(const struct rt_adapter *adapter, uint32_t display, uint32_t usage, uint32_t type,
                            uint32_t format)
{
    const struct rt_format_ops *ops = rt_adapter_format(adapter, format);
    uint32_t operation = texture_operation(type);

    if (!ops)
        return D3DERR_NOTAVAILABLE;
    if (operation && (!(ops->operations & operation) || has_no_textures(format)))
        return D3DERR_NOTAVAILABLE;
    /* volumes are never drawn to */
    if (type == D3DRTYPE_VOLUMETEXTURE && (usage & (D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL)))
        return D3DERR_NOTAVAILABLE;
    if ((usage & D3DUSAGE_RENDERTARGET) && !rt_can_be_target(ops, display, format))
        return D3DERR_NOTAVAILABLE;
    if ((usage & D3DUSAGE_DEPTHSTENCIL) && !(ops->operations & D3DFORMAT_OP_ZSTENCIL))
        return D3DERR_NOTAVAILABLE;
    return adapter->rules->checks_usages ? check_usage(ops, display, usage, type, format) : D3D_OK;
}

HRESULT rt_check_format(const struct rt_adapter *adapter, uint32_t display, uint32_t usage, uint32_t type,
                        uint32_t format)
{
    return rt_format_info(format) ? rt_check_operations(adapter, display, usage, type, format) : D3DERR_NOTAVAILABLE;
}

bool rt_format_is_offered(const struct rt_adapter *adapter, uint32_t format)
{
    const struct rt_format *info = rt_format_info(format);

    return !adapter->rules->hides_unoffered || !info || !(info->flags & RT_FORMAT_UNOFFERED_9);
}

HRESULT rt_check_depth_match(const struct rt_adapter *adapter, uint32_t display, uint32_t target, uint32_t depth)
{
    const struct rt_format *t = rt_format_info(target), *d = rt_format_info(depth);
    HRESULT hr;

    if (display == D3DFMT_UNKNOWN || target == D3DFMT_UNKNOWN || depth == D3DFMT_UNKNOWN)
        return D3DERR_INVALIDCALL;
    hr = rt_check_format(adapter, display, D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE, target);
    if (SUCCEEDED(hr))
        hr = rt_check_format(adapter, display, D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_SURFACE, depth);
    if (FAILED(hr))
        return hr;
    if (rt_adapter_format(adapter, depth)->operations & D3DFORMAT_OP_ZSTENCIL_WITH_ARBITRARY_COLOR_DEPTH)
        return D3D_OK;
    return t->block_bytes == d->block_bytes ? D3D_OK : D3DERR_NOTAVAILABLE;
}

/* Type 1 is an error, and no type has qualities. */
static HRESULT check_maskable(const struct rt_format_ops *ops, uint32_t format, uint32_t samples)
{
    if (format == D3DFMT_UNKNOWN || samples >= SAMPLE_TYPES || samples == 1)
        return D3DERR_INVALIDCALL;
    if (samples == D3DMULTISAMPLE_NONE)
        return D3D_OK;
    return ops && (ops->samples >> (samples - 1) & 1) ? D3D_OK : D3DERR_NOTAVAILABLE;
}

static uint32_t ask_qualities(const struct rt_adapter *adapter, uint32_t format, uint32_t samples)
{
    DD_MULTISAMPLEQUALITYLEVELSDATA data = {.Format = format};

    data.MSType = samples;
    if (FAILED(client_driver_info2(&adapter->driver, D3DGDI2_TYPE_GETMULTISAMPLEQUALITYLEVELS, &data, sizeof(data))))
        return 0;
    return data.QualityLevels;
}

HRESULT rt_check_multisample(const struct rt_adapter *adapter, uint32_t format, uint32_t samples, uint32_t *qualities)
{
    const struct rt_format_ops *ops = rt_adapter_format(adapter, format);
    uint32_t count;

    if (qualities)
        *qualities = 1;
    if (!adapter->rules->has_nonmaskable)
        return check_maskable(ops, format, samples);
    if (format == D3DFMT_UNKNOWN || samples >= SAMPLE_TYPES)
        return D3DERR_INVALIDCALL;
    if (samples == D3DMULTISAMPLE_NONE)
        return D3D_OK;
    if (!ops || !(ops->samples >> (samples - 1) & 1))
        return D3DERR_NOTAVAILABLE;
    count = ask_qualities(adapter, format, samples);
    if (!count)
        return D3DERR_NOTAVAILABLE;
    if (qualities)
        *qualities = count;
    return D3D_OK;
}

HRESULT rt_check_conversion(const struct rt_adapter *adapter, uint32_t source, uint32_t target)
{
    const uint32_t from = D3DFORMAT_MEMBEROFGROUP_ARGB | D3DFORMAT_OP_CONVERT_TO_ARGB;
    const struct rt_format_ops *s = rt_adapter_format(adapter, source), *t = rt_adapter_format(adapter, target);

    if (source == target)
        return D3D_OK;
    return s && t && (s->operations & from) && (t->operations & D3DFORMAT_MEMBEROFGROUP_ARGB) ? D3D_OK
                                                                                              : D3DERR_NOTAVAILABLE;
}
