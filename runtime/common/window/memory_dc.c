/* SPDX-License-Identifier: MIT */
#include "runtime/common/window/memory_dc.h"

#include "base/base.h"

/* Argument of D3DKMTCreateDCFromMemory, the only function of GDI that makes a context for memory of the caller. */
struct dc_from_memory {
    void *memory;
    UINT format; /* D3DDDIFORMAT, whose numbers are those of D3DFORMAT */
    UINT width, height, pitch;
    HDC device_dc; /* DC whose device it is compatible with */
    const PALETTEENTRY *colors;
    HDC dc;        /* out */
    HANDLE bitmap; /* out */
};
struct dc_to_destroy {
    HDC dc;
    HANDLE bitmap;
};

typedef LONG(WINAPI *create_dc)(struct dc_from_memory *desc);
typedef LONG(WINAPI *destroy_dc)(const struct dc_to_destroy *desc);

static FARPROC gdi_function(const char *name)
{
    return GetProcAddress(GetModuleHandleA("gdi32.dll"), name);
}

bool rt_memory_dc_create(struct rt_memory_dc *dc, void *memory, uint32_t format, unsigned width, unsigned height,
                         size_t pitch, const PALETTEENTRY *colors)
{
    const create_dc create = (create_dc)(void *)gdi_function("D3DKMTCreateDCFromMemory");
    struct dc_from_memory desc = {
        .memory = memory, .format = format, .width = width, .height = height, .pitch = (UINT)pitch, .colors = colors};
    bool made;

    if (!create)
        return false;
    desc.device_dc = CreateCompatibleDC(NULL);
    if (!desc.device_dc)
        return false;
    made = create(&desc) == 0;
    DeleteDC(desc.device_dc);
    if (!made) {
        log_warn("no device context for %ux%u pixels of format %u", width, height, (unsigned)format);
        return false;
    }
    *dc = (struct rt_memory_dc){desc.dc, desc.bitmap};
    return true;
}

void rt_memory_dc_destroy(struct rt_memory_dc *dc)
{
    const destroy_dc destroy = (destroy_dc)(void *)gdi_function("D3DKMTDestroyDCFromMemory");
    const struct dc_to_destroy desc = {dc->dc, dc->bitmap};

    if (!dc->dc)
        return;
    GdiFlush();
    destroy(&desc);
    *dc = (struct rt_memory_dc){NULL, NULL};
}
