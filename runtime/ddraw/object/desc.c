/* SPDX-License-Identifier: MIT */
/* Descriptions of surfaces: sizes and conversion. */
#include "runtime/ddraw/object/desc.h"

#include <stddef.h>
#include <string.h>

_Static_assert(offsetof(DDSURFACEDESC, ddpfPixelFormat) == offsetof(DDSURFACEDESC2, ddpfPixelFormat), "a prefix");
_Static_assert(offsetof(DDSURFACEDESC, ddsCaps) == offsetof(DDSURFACEDESC2, ddsCaps), "a prefix");

/* For interfaces up to version 3, and from version 4 on: is the older size accepted, is the newer one? */
static const struct {
    bool older, newer;
} accepted[DD_DESC_USES][2] = {
    [DD_DESC_CREATE] = {{true, false}, {false, true}},
    [DD_DESC_GET] = {{true, true}, {false, true}},
    [DD_DESC_EITHER] = {{true, true}, {true, true}},
};

DWORD dd_desc_size(unsigned version)
{
    return version >= 4 ? sizeof(DDSURFACEDESC2) : sizeof(DDSURFACEDESC);
}

/* dwSize is the first member in both forms. */
static DWORD size_of(const void *desc)
{
    DWORD size;

    memcpy(&size, desc, sizeof(size));
    return size;
}

bool dd_desc_accepts(enum dd_desc_use use, unsigned version, const void *desc)
{
    const DWORD size = size_of(desc);

    return (size == sizeof(DDSURFACEDESC) && accepted[use][version >= 4].older) ||
           (size == sizeof(DDSURFACEDESC2) && accepted[use][version >= 4].newer);
}

void dd_desc_read(unsigned version, const void *desc, DDSURFACEDESC2 *out)
{
    memset(out, 0, sizeof(*out));
    /* The older form ends with a DDSCAPS and, in 64 bits, padding, where the newer one has dwCaps2. */
    memcpy(out, desc, version >= 4 ? sizeof(*out) : offsetof(DDSURFACEDESC, ddsCaps) + sizeof(DDSCAPS));
    out->dwSize = sizeof(*out);
}

void dd_desc_write(void *desc, const DDSURFACEDESC2 *from)
{
    const DWORD size = size_of(desc);

    memcpy(desc, from, size < sizeof(*from) ? size : sizeof(*from));
    memcpy(desc, &size, sizeof(size));
}
