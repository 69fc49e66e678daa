/* SPDX-License-Identifier: MIT */
/* Volumes: levels of volume textures. */
#ifndef HALCYON_RUNTIME_VOLUME_H
#define HALCYON_RUNTIME_VOLUME_H

#include "d3d/types.h"
#include "runtime/common/object/object.h"

struct rt_texture;

struct rt_volume {
    RT_OBJECT;
    struct rt_texture *texture;
    unsigned part; /* the level */
    unsigned width, height, depth;
    bool locked;
    DWORD lock_flags;
    D3DBOX lock_box;
};

void rt_volume_init(struct rt_volume *volume, struct rt_texture *texture, unsigned part);
/* Bytes of its contents, without padding after rows of blocks. */
unsigned rt_volume_bytes(const struct rt_volume *volume);
/* The device's lock is held. */
HRESULT rt_volume_lock(struct rt_volume *volume, D3DLOCKED_BOX *locked, const D3DBOX *box, DWORD flags);
HRESULT rt_volume_unlock(struct rt_volume *volume);

HRESULT WINAPI rt_volume_GetContainer(void *iface, const GUID *riid, void **out);
HRESULT WINAPI rt_volume_LockBox(void *iface, D3DLOCKED_BOX *locked, const D3DBOX *box, DWORD flags);
HRESULT WINAPI rt_volume_UnlockBox(void *iface);

static inline struct rt_volume *rt_volume_of(void *iface)
{
    return iface;
}

#endif
