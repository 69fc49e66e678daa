/* SPDX-License-Identifier: MIT */
/* Palettes of the program, and those of the driver that textures draw with. */
#include "runtime/common/device/palette.h"

#include <d3d8.h>

#include "base/base.h"
#include "runtime/common/device/device.h"
#include "runtime/common/driver/formats.h"
#include "runtime/common/state/record.h"

static struct rt_palette *find_palette(const struct rt_device *device, UINT number)
{
    for (unsigned i = 0; i < device->palette_count; i++)
        if (device->palettes[i]->number == number)
            return device->palettes[i];
    return NULL;
}

static struct rt_palette *make_palette(struct rt_device *device, UINT number)
{
    struct rt_palette *palette = find_palette(device, number), **palettes;

    if (palette)
        return palette;
    palettes = mem_realloc(device->palettes, device->palette_count + 1, sizeof(*palettes));
    if (!palettes)
        return NULL;
    device->palettes = palettes;
    palette = mem_calloc(1, sizeof(*palette));
    if (!palette)
        return NULL;
    palette->number = number;
    palettes[device->palette_count++] = palette;
    return palette;
}

HRESULT WINAPI rt_device_SetPaletteEntries(void *iface, UINT number, const PALETTEENTRY *entries)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_palette *palette;
    RT_LOCK(&device->base);

    if (number > 0xffff || !entries)
        return D3DERR_INVALIDCALL;
    for (unsigned i = 0; i < 256 && !(device->caps.TextureCaps & D3DPTEXTURECAPS_ALPHAPALETTE); i++)
        if (entries[i].peFlags != 0xff)
            return D3DERR_INVALIDCALL;
    palette = make_palette(device, number);
    if (!palette)
        return E_OUTOFMEMORY;
    memcpy(palette->entries, entries, sizeof(palette->entries));
    palette->stale = true;
    return D3D_OK;
}

HRESULT WINAPI rt_device_GetPaletteEntries(void *iface, UINT number, PALETTEENTRY *entries)
{
    RT_LOCK(&rt_device_of(iface)->base);
    const struct rt_palette *palette = find_palette(rt_device_of(iface), number);

    if (!palette || !entries)
        return D3DERR_INVALIDCALL;
    memcpy(entries, palette->entries, sizeof(palette->entries));
    return D3D_OK;
}

HRESULT WINAPI rt_device_SetCurrentTexturePalette(void *iface, UINT number)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (!find_palette(device, number))
        return D3DERR_INVALIDCALL;
    if (device->recording)
        rt_record_palette(device->recording, number);
    else
        device->pipe.state.palette = number;
    return D3D_OK;
}

HRESULT WINAPI rt_device_GetCurrentTexturePalette(void *iface, UINT *number)
{
    RT_LOCK(&rt_device_of(iface)->base);

    if (!number)
        return D3DERR_INVALIDCALL;
    *number = rt_device_of(iface)->pipe.state.palette;
    return D3D_OK;
}

static void send_palette(struct rt_device *device, struct rt_palette *palette)
{
    struct {
        D3DHAL_DP2UPDATEPALETTE head;
        PALETTEENTRY entries[256];
    } body = {{palette->number + 1, 0, 256}, {{0, 0, 0, 0}}};

    memcpy(body.entries, palette->entries, sizeof(body.entries));
    rt_put(device->link, D3DDP2OP_UPDATEPALETTE, 1, &body, sizeof(body));
    palette->stale = false;
}

void rt_palettes_lost(struct rt_device *device)
{
    for (unsigned i = 0; i < device->palette_count; i++)
        device->palettes[i]->stale = true;
    for (struct rt_texture *t = device->managed; t; t = t->next_managed)
        t->palette = 0;
}

void rt_palettes_free(struct rt_device *device)
{
    for (unsigned i = 0; i < device->palette_count; i++)
        free(device->palettes[i]);
    free(device->palettes);
}

void rt_palettes_prepare(struct rt_device *device)
{
    struct rt_palette *palette = find_palette(device, device->pipe.state.palette);

    if (!palette)
        return;
    for (unsigned i = 0; i < RT_SAMPLERS; i++) {
        struct rt_resource *resource = device->pipe.state.texture[i];
        struct rt_texture *texture;
        D3DHAL_DP2SETPALETTE body = {palette->number + 1, 0x1 | 0x200 | 0x2000, 0};
        if (!resource)
            continue;
        texture = RT_FROM_RES(rt_texture, resource);
        if (!(rt_format_info(texture->format)->flags & RT_FORMAT_PALETTE))
            continue;
        if (texture->palette != palette->number + 1) {
            body.dwSurfaceHandle = rt_chain_handle(texture->video, 0);
            rt_put(device->link, D3DDP2OP_SETPALETTE, 1, &body, sizeof(body));
            texture->palette = palette->number + 1;
        }
        if (palette->stale)
            send_palette(device, palette);
    }
}
