/* SPDX-License-Identifier: MIT */
/*
 * Flags to names and back: ddraw.h, d3d8types.h, docs/reference/command-stream.md, section 6, and
 * docs/reference/device-state.md; the names without their prefix.
 */
#include "dp2/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

struct flag {
    uint32_t value;
    const char *name;
    uint32_t mask; /* of the bits that make it, if these are more than those of the value; 0: those */
};

/* clang-format off */
static const struct flag surface_caps[] = {
    {0x2, "ALPHA", 0}, {0x4, "BACKBUFFER", 0}, {0x8, "COMPLEX", 0}, {0x10, "FLIP", 0}, {0x20, "FRONTBUFFER", 0}, {0x40, "OFFSCREENPLAIN", 0},
    {0x80, "OVERLAY", 0}, {0x100, "PALETTE", 0}, {0x200, "PRIMARYSURFACE", 0}, {0x400, "COMMANDBUFFER", 0}, {0x800, "SYSTEMMEMORY", 0},
    {0x1000, "TEXTURE", 0}, {0x2000, "3DDEVICE", 0}, {0x4000, "VIDEOMEMORY", 0}, {0x8000, "VISIBLE", 0}, {0x10000, "WRITEONLY", 0},
    {0x20000, "ZBUFFER", 0}, {0x40000, "OWNDC", 0}, {0x80000, "LIVEVIDEO", 0}, {0x100000, "HWCODEC", 0}, {0x200000, "MODEX", 0},
    {0x400000, "MIPMAP", 0}, {0x800000, "EXECUTEBUFFER", 0}, {0x4000000, "ALLOCONLOAD", 0}, {0x8000000, "VIDEOPORT", 0},
    {0x10000000, "LOCALVIDMEM", 0}, {0x20000000, "NONLOCALVIDMEM", 0}, {0x40000000, "STANDARDVGAMODE", 0}, {0x80000000, "OPTIMIZED", 0},
};
static const struct flag surface_caps2[] = {
    {0x2, "HARDWAREDEINTERLACE", 0}, {0x4, "HINTDYNAMIC", 0}, {0x8, "HINTSTATIC", 0}, {0x10, "TEXTUREMANAGE", 0}, {0x20, "VERTEXBUFFER", 0},
    {0x40, "COMMANDBUFFER", 0}, {0x80, "OPAQUE", 0}, {0x100, "HINTANTIALIASING", 0}, {0x200, "CUBEMAP", 0}, {0x400, "CUBEMAP_POSITIVEX", 0},
    {0x800, "CUBEMAP_NEGATIVEX", 0}, {0x1000, "CUBEMAP_POSITIVEY", 0}, {0x2000, "CUBEMAP_NEGATIVEY", 0}, {0x4000, "CUBEMAP_POSITIVEZ", 0},
    {0x8000, "CUBEMAP_NEGATIVEZ", 0}, {0x10000, "MIPMAPSUBLEVEL", 0}, {0x20000, "D3DTEXTUREMANAGE", 0}, {0x40000, "DONOTPERSIST", 0},
    {0x80000, "STEREOSURFACELEFT", 0}, {0x200000, "VOLUME", 0}, {0x400000, "NOTUSERLOCKABLE", 0}, {0x800000, "POINTS", 0},
    {0x1000000, "RTPATCHES", 0}, {0x2000000, "NPATCHES", 0}, {0x4000000, "INDEXBUFFER", 0}, {0x10000000, "DISCARDBACKBUFFER", 0},
    {0x20000000, "ENABLEALPHACHANNEL", 0}, {0x40000000, "EXTENDEDFORMATPRIMARY", 0}, {0x80000000, "ADDITIONALPRIMARY", 0},
};
static const struct flag lock_flags[] = {
    {0x1, "WAIT", 0}, {0x2, "EVENT", 0}, {0x10, "READONLY", 0}, {0x20, "WRITEONLY", 0}, {0x800, "NOSYSLOCK", 0}, {0x1000, "NOOVERWRITE", 0},
    {0x2000, "DISCARDCONTENTS", 0}, {0x4000, "DONOTWAIT", 0}, {0x8000, "HASVOLUMETEXTUREBOXRECT", 0}, {0x10000, "NODIRTYUPDATE", 0},
};
static const struct flag blt_flags[] = {
    {0x1, "ALPHADEST", 0}, {0x2, "ALPHADESTCONSTOVERRIDE", 0}, {0x4, "ALPHADESTNEG", 0}, {0x8, "ALPHADESTSURFACEOVERRIDE", 0},
    {0x10, "ALPHAEDGEBLEND", 0}, {0x20, "ALPHASRC", 0}, {0x40, "ALPHASRCCONSTOVERRIDE", 0}, {0x80, "ALPHASRCNEG", 0},
    {0x100, "ALPHASRCSURFACEOVERRIDE", 0}, {0x200, "ASYNC", 0}, {0x400, "COLORFILL", 0}, {0x800, "DDFX", 0}, {0x1000, "DDROPS", 0},
    {0x2000, "KEYDEST", 0}, {0x4000, "KEYDESTOVERRIDE", 0}, {0x8000, "KEYSRC", 0}, {0x10000, "KEYSRCOVERRIDE", 0}, {0x20000, "ROP", 0},
    {0x40000, "ROTATIONANGLE", 0}, {0x80000, "ZBUFFER", 0}, {0x100000, "ZBUFFERDESTCONSTOVERRIDE", 0},
    {0x200000, "ZBUFFERDESTOVERRIDE", 0}, {0x400000, "ZBUFFERSRCCONSTOVERRIDE", 0}, {0x800000, "ZBUFFERSRCOVERRIDE", 0},
    {0x1000000, "WAIT", 0}, {0x2000000, "DEPTHFILL", 0}, {0x8000000, "DONOTWAIT", 0}, {0x10000000, "PRESENTATION", 0},
    {0x20000000, "LAST_PRESENTATION", 0}, {0x40000000, "EXTENDED_FLAGS", 0},
};
/* clang-format on */
static const struct flag draw_flags[] = {
    {0x1, "USERMEMVERTICES", 0},   {0x2, "EXECUTEBUFFER", 0},     {0x4, "SWAPVERTEXBUFFER", 0},
    {0x8, "SWAPCOMMANDBUFFER", 0}, {0x10, "REQVERTEXBUFSIZE", 0}, {0x20, "REQCOMMANDBUFSIZE", 0},
    {0x40, "VIDMEMVERTEXBUF", 0},  {0x80, "VIDMEMCOMMANDBUF", 0},
};
/* clang-format off */
/* DDRAWISURF_* */
static const struct flag local_flags[] = {
    {0x1, "ATTACHED", 0}, {0x2, "IMPLICITCREATE", 0}, {0x4, "ISFREE", 0}, {0x8, "ATTACHED_FROM", 0}, {0x10, "IMPLICITROOT", 0},
    {0x20, "PARTOFPRIMARYCHAIN", 0}, {0x40, "DATAISALIASED", 0}, {0x80, "HASDC", 0}, {0x100, "HASCKEYDESTOVERLAY", 0},
    {0x200, "HASCKEYDESTBLT", 0}, {0x400, "HASCKEYSRCOVERLAY", 0}, {0x800, "HASCKEYSRCBLT", 0}, {0x1000, "LOCKEXCLUDEDCURSOR", 0},
    {0x2000, "HASPIXELFORMAT", 0}, {0x4000, "HASOVERLAYDATA", 0}, {0x8000, "SETGAMMA", 0}, {0x10000000, "INVALID", 0},
    {0x40000000, "DRIVERMANAGED", 0},
};
/* DDRAWISURFGBL_* */
static const struct flag global_flags[] = {
    {0x1, "MEMFREE", 0}, {0x2, "SYSMEMREQUESTED", 0}, {0x4, "ISGDISURFACE", 0}, {0x8, "SOFTWAREAUTOFLIP", 0},
    {0x10, "LOCKNOTHOLDINGWIN16LOCK", 0}, {0x20, "LOCKVRAMSTYLE", 0}, {0x40, "LOCKBROKEN", 0}, {0x80, "IMPLICITHANDLE", 0},
    {0x100, "ISCLIENTMEM", 0}, {0x200, "HARDWAREOPSOURCE", 0}, {0x400, "HARDWAREOPDEST", 0}, {0x800, "VPORTINTERLEAVED", 0},
    {0x1000, "VPORTDATA", 0}, {0x2000, "LATEALLOCATELINEAR", 0}, {0x4000, "SYSMEMEXECUTEBUFFER", 0}, {0x8000, "FASTLOCKHELD", 0},
    {0x10000, "READONLYLOCKHELD", 0}, {0x80000, "DX8SURFACE", 0},
};
/* DDPF_* */
static const struct flag format_flags[] = {
    {0x1, "ALPHAPIXELS", 0}, {0x2, "ALPHA", 0}, {0x4, "FOURCC", 0}, {0x8, "PALETTEINDEXED4", 0}, {0x10, "PALETTEINDEXEDTO8", 0},
    {0x20, "PALETTEINDEXED8", 0}, {0x40, "RGB", 0}, {0x80, "COMPRESSED", 0}, {0x100, "RGBTOYUV", 0}, {0x200, "YUV", 0},
    {0x400, "ZBUFFER", 0}, {0x800, "PALETTEINDEXED1", 0}, {0x1000, "PALETTEINDEXED2", 0}, {0x2000, "ZPIXELS", 0},
    {0x4000, "STENCILBUFFER", 0}, {0x8000, "ALPHAPREMULT", 0}, {0x20000, "LUMINANCE", 0}, {0x40000, "BUMPLUMINANCE", 0},
    {0x80000, "BUMPDUDV", 0}, {0x200000, "D3DFORMAT", 0},
};
/* DDFLIP_* */
static const struct flag flip_flags[] = {
    {0x1, "WAIT", 0}, {0x2, "EVEN", 0}, {0x4, "ODD", 0}, {0x8, "NOVSYNC", 0}, {0x10, "STEREO", 0}, {0x20, "DONOTWAIT", 0},
    {0x10000, "EXCHANGE", 0}, /* HALCYON_FLIP_EXCHANGE */
    {0x2000000, "INTERVAL2", 0xf000000}, {0x3000000, "INTERVAL3", 0xf000000}, {0x4000000, "INTERVAL4", 0xf000000},
};
/* clang-format on */
/* DDRAWIPAL_*; of names that begin with a digit, the letters before it as well */
static const struct flag palette_flags[] = {
    {0x1, "PAL_256", 0},          {0x2, "PAL_16", 0},     {0x4, "GDI", 0},        {0x8, "STORED_8", 0},
    {0x10, "STORED_16", 0},       {0x20, "STORED_24", 0}, {0x40, "EXCLUSIVE", 0}, {0x80, "INHEL", 0},
    {0x100, "DIRTY", 0},          {0x200, "ALLOW256", 0}, {0x400, "PAL_4", 0},    {0x800, "PAL_2", 0},
    {0x1000, "STORED_8INDEX", 0}, {0x2000, "ALPHA", 0},
};
/* Ternary raster operations of wingdi.h */
static const struct flag raster_operations[] = {
    {0x00cc0020, "SRCCOPY", 0xffffffff},
    {0x00000042, "BLACKNESS", 0xffffffff},
    {0x00ff0062, "WHITENESS", 0xffffffff},
};
/* DDBLTFX_* */
static const struct flag blt_effects[] = {
    {0x1, "ARITHSTRETCHY", 0}, {0x2, "MIRRORLEFTRIGHT", 0}, {0x4, "MIRRORUPDOWN", 0},
    {0x8, "NOTEARING", 0},     {0x10, "ROTATE180", 0},      {0x20, "ROTATE270", 0},
    {0x40, "ROTATE90", 0},     {0x80, "ZBUFFERRANGE", 0},   {0x100, "ZBUFFERBASEDEST", 0},
};
/* DDHAL_CREATESURFACEEX_* */
static const struct flag announce_flags[] = {{1, "SWAPHANDLES", 0}};
/* DP2BLT_* */
static const struct flag stream_blt_flags[] = {{1, "POINT", 0}, {2, "LINEAR", 0}};
/* D3DISSUE_* */
static const struct flag issue_flags[] = {{1, "END", 0}, {2, "BEGIN", 0}};
/* RTPATCHFLAG_* */
static const struct flag patch_flags[] = {{1, "HASSEGS", 0}, {2, "HASINFO", 0}};
/* D3DSTREAMSOURCE_*, above a number of instances */
static const struct flag frequency_flags[] = {{0x40000000, "INDEXEDDATA", 0}, {0x80000000, "INSTANCEDATA", 0}};
static const struct flag memory_flags[] = {{1, "LOCKED", 0}};
static const struct flag system_memory[] = {{1, "SYSTEM_MEMORY", 0}};
/* D3DTTFF_* */
static const struct flag transform_flags[] = {
    {1, "COUNT1", 0xff}, {2, "COUNT2", 0xff}, {3, "COUNT3", 0xff}, {4, "COUNT4", 0xff}, {256, "PROJECTED", 0},
};
/* D3DTSS_TCI_*, above the index */
static const struct flag coordinates[] = {
    {0x10000, "CAMERASPACENORMAL", 0xffff0000},
    {0x20000, "CAMERASPACEPOSITION", 0xffff0000},
    {0x30000, "CAMERASPACEREFLECTIONVECTOR", 0xffff0000},
    {0x40000, "SPHEREMAP", 0xffff0000},
};
/* D3DCOLORWRITEENABLE_* */
static const struct flag channels[] = {{1, "RED", 0}, {2, "GREEN", 0}, {4, "BLUE", 0}, {8, "ALPHA", 0}};
/* D3DWRAPCOORD_* */
static const struct flag wraps[] = {{1, "U", 0}, {2, "V", 0}, {4, "W", 0}, {8, "COORD3", 0}};

static const struct {
    char set;
    const struct flag *flags;
    size_t count;
} sets[] = {
    {'A', surface_caps, COUNT(surface_caps)},
    {'C', surface_caps2, COUNT(surface_caps2)},
    {'N', lock_flags, COUNT(lock_flags)},
    {'G', blt_flags, COUNT(blt_flags)},
    {'J', draw_flags, COUNT(draw_flags)},
    {'H', memory_flags, COUNT(memory_flags)},
    {'I', system_memory, COUNT(system_memory)},
    {'e', local_flags, COUNT(local_flags)},
    {'j', global_flags, COUNT(global_flags)},
    {'r', format_flags, COUNT(format_flags)},
    {'s', flip_flags, COUNT(flip_flags)},
    {'v', blt_effects, COUNT(blt_effects)},
    {'8', palette_flags, COUNT(palette_flags)},
    {'9', raster_operations, COUNT(raster_operations)},
    {'Z', announce_flags, COUNT(announce_flags)},
    {'z', stream_blt_flags, COUNT(stream_blt_flags)},
    {'U', issue_flags, COUNT(issue_flags)},
    {'W', patch_flags, COUNT(patch_flags)},
    {'7', frequency_flags, COUNT(frequency_flags)},
    {'m', transform_flags, COUNT(transform_flags)},
    {'n', coordinates, COUNT(coordinates)},
    {'o', channels, COUNT(channels)},
    {'p', wraps, COUNT(wraps)},
};

static size_t find_set(char set, const struct flag **flags)
{
    for (size_t i = 0; i < COUNT(sets); i++) {
        if (sets[i].set == set) {
            *flags = sets[i].flags;
            return sets[i].count;
        }
    }
    return 0;
}

bool dp2_is_flag_state(char type)
{
    return type >= 'm' && type <= 'p';
}

bool dp2_is_flag_set(char set)
{
    const struct flag *flags;

    return find_set(set, &flags) != 0;
}

const char *dp2_flag_name(char set, unsigned index, uint32_t *value, uint32_t *mask)
{
    const struct flag *flags;

    if (index >= find_set(set, &flags))
        return NULL;
    *value = flags[index].value;
    *mask = flags[index].mask ? flags[index].mask : flags[index].value;
    return flags[index].name;
}

bool dp2_flag_number(char set, const char *name, size_t length, uint32_t *value)
{
    const struct flag *flags;
    const size_t count = find_set(set, &flags);

    for (size_t i = 0; i < count; i++) {
        if (strlen(flags[i].name) == length && memcmp(flags[i].name, name, length) == 0) {
            *value = flags[i].value;
            return true;
        }
    }
    return false;
}

const char *dp2_clear_flags_name(uint32_t flags, char buffer[DP2_FVF_NAME])
{
    static const char *const names[4] = {"TARGET", "ZBUFFER", "STENCIL", "COMPUTERECTS"};
    size_t length = 0;

    for (unsigned i = 0; i < 4; i++)
        if (flags >> i & 1)
            length += (size_t)snprintf(buffer + length, DP2_FVF_NAME - length, "%s%s", length ? "|" : "", names[i]);
    if (!length || flags >> 4)
        snprintf(buffer + length, DP2_FVF_NAME - length, "%s0x%" PRIx32, length ? "|" : "", flags & ~15u);
    return buffer;
}
