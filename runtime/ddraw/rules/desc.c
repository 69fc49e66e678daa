/* SPDX-License-Identifier: MIT */
/* One table of members that both description structures have, and conversions by it. */
#include "runtime/ddraw/rules/desc.h"

#include <string.h>

#include "base/base.h"

/* The sizes that programs were compiled with, whatever compiles this. */
#define BY_WORD(narrow, wide) (sizeof(void *) == 8 ? (wide) : (narrow))
_Static_assert(sizeof(DDSURFACEDESC) == BY_WORD(108, 120), "DDSURFACEDESC");
_Static_assert(sizeof(DDSURFACEDESC2) == BY_WORD(124, 136), "DDSURFACEDESC2");
_Static_assert(sizeof(DDPIXELFORMAT) == 32, "DDPIXELFORMAT");
_Static_assert(sizeof(DDCAPS) == 380, "DDCAPS");

/* Members with their places in both structures, except for dwSize. */
#define MEMBER(name)                                                                                      \
    {                                                                                                     \
        offsetof(DDSURFACEDESC, name), offsetof(DDSURFACEDESC2, name), sizeof(((DDSURFACEDESC *)0)->name) \
    }
static const struct {
    size_t in_1, in_2, size;
} members[] = {
    MEMBER(dwFlags),           MEMBER(dwHeight),          MEMBER(dwWidth),         MEMBER(lPitch),
    MEMBER(dwBackBufferCount), MEMBER(dwMipMapCount),     MEMBER(dwAlphaBitDepth), MEMBER(dwReserved),
    MEMBER(lpSurface),         MEMBER(ddckCKDestOverlay), MEMBER(ddckCKDestBlt),   MEMBER(ddckCKSrcOverlay),
    MEMBER(ddckCKSrcBlt),      MEMBER(ddpfPixelFormat),   MEMBER(ddsCaps.dwCaps),
};

static bool is_old(unsigned version)
{
    return version < 4;
}

DWORD ddraw_desc_size(unsigned version)
{
    return is_old(version) ? sizeof(DDSURFACEDESC) : sizeof(DDSURFACEDESC2);
}

bool ddraw_desc_accepts(enum ddraw_desc_method method, unsigned version, DWORD size)
{
    switch (method) {
    case DDRAW_DESC_CREATE:
    case DDRAW_DESC_GET:
        return size == ddraw_desc_size(version);
    case DDRAW_DESC_MODE:
    case DDRAW_DESC_LOCK:
        return size == sizeof(DDSURFACEDESC) || size == sizeof(DDSURFACEDESC2);
    default:
        return true;
    }
}

void ddraw_desc_read(DDSURFACEDESC2 *inside, const void *from, unsigned version)
{
    if (!is_old(version)) {
        memcpy(inside, from, sizeof(*inside));
        return;
    }
    memset(inside, 0, sizeof(*inside));
    inside->dwSize = sizeof(*inside);
    for (unsigned i = 0; i < ARRAY_COUNT(members); i++)
        memcpy((uint8_t *)inside + members[i].in_2, (const uint8_t *)from + members[i].in_1, members[i].size);
}

static void describe_depth_as_bits(DDSURFACEDESC2 *desc)
{
    if (!(desc->ddsCaps.dwCaps & DDSCAPS_ZBUFFER) || !(desc->dwFlags & DDSD_PIXELFORMAT))
        return;
    desc->dwFlags = (desc->dwFlags & ~(DWORD)DDSD_PIXELFORMAT) | DDSD_ZBUFFERBITDEPTH;
    desc->dwMipMapCount = desc->ddpfPixelFormat.dwZBufferBitDepth;
}

static void narrow(DDSURFACEDESC *desc, const DDSURFACEDESC2 *inside)
{
    memset(desc, 0, sizeof(*desc));
    for (unsigned i = 0; i < ARRAY_COUNT(members); i++)
        memcpy((uint8_t *)desc + members[i].in_1, (const uint8_t *)inside + members[i].in_2, members[i].size);
}

/* Bytes that the method writes, and the dwSize that it leaves. */
static size_t choose_size(enum ddraw_desc_method method, unsigned version, DWORD given, DWORD *size)
{
    switch (method) {
    case DDRAW_DESC_MODE:
        *size = ddraw_desc_size(version);
        return BASE_MIN(given, sizeof(DDSURFACEDESC2));
    case DDRAW_DESC_LOCK:
    case DDRAW_DESC_LOCK_ANY:
        *size = given;
        return given >= sizeof(DDSURFACEDESC2) ? sizeof(DDSURFACEDESC2) : sizeof(DDSURFACEDESC);
    default:
        *size = ddraw_desc_size(version);
        return *size;
    }
}

size_t ddraw_desc_write(void *to, const DDSURFACEDESC2 *inside, enum ddraw_desc_method method, unsigned version)
{
    DDSURFACEDESC2 desc = *inside;
    DDSURFACEDESC old;
    DWORD given, size;
    size_t bytes;

    memcpy(&given, to, sizeof(given));
    bytes = choose_size(method, version, given, &size);
    if (is_old(version))
        describe_depth_as_bits(&desc);
    desc.dwSize = size;
    if (bytes > sizeof(old)) {
        memcpy(to, &desc, bytes);
        return bytes;
    }
    narrow(&old, &desc);
    old.dwSize = size;
    memcpy(to, &old, bytes);
    return bytes;
}

DDSCAPS2 ddraw_caps2_of(const DDSCAPS *caps)
{
    return (DDSCAPS2){.dwCaps = caps->dwCaps};
}

bool ddraw_driver_caps_write(void *to, const DDCAPS *caps)
{
    /* DirectX 1 and 3; 5, which added blits from non-local memory; 6 and 7, which added DDSCAPS2. */
    static const DWORD sizes[] = {offsetof(DDCAPS, dwNLVBCaps), offsetof(DDCAPS, ddsCaps), sizeof(DDCAPS)};
    DWORD given;

    memcpy(&given, to, sizeof(given));
    for (unsigned i = 0; i < ARRAY_COUNT(sizes); i++)
        if (sizes[i] == given) {
            memcpy(to, caps, given);
            memcpy(to, &given, sizeof(given));
            return true;
        }
    return false;
}
