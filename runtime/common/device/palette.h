/* SPDX-License-Identifier: MIT */
/* Palettes of textures. Direct3D has one current palette for all textures; the driver one for each. */
#ifndef HALCYON_RUNTIME_PALETTE_H
#define HALCYON_RUNTIME_PALETTE_H

#include <stdbool.h>

#include <windows.h>

struct rt_device;

struct rt_palette {
    UINT number;
    bool stale; /* the driver has older entries */
    PALETTEENTRY entries[256];
};

/* Before a draw: brings palettes of the bound textures up to date. */
void rt_palettes_prepare(struct rt_device *device);
/* A new context has no palettes. */
void rt_palettes_lost(struct rt_device *device);
void rt_palettes_free(struct rt_device *device);

/* Methods of the device. */
HRESULT WINAPI rt_device_SetPaletteEntries(void *iface, UINT number, const PALETTEENTRY *entries);
HRESULT WINAPI rt_device_GetPaletteEntries(void *iface, UINT number, PALETTEENTRY *entries);
HRESULT WINAPI rt_device_SetCurrentTexturePalette(void *iface, UINT number);
HRESULT WINAPI rt_device_GetCurrentTexturePalette(void *iface, UINT *number);

#endif
