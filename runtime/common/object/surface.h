/* SPDX-License-Identifier: MIT */
/*
 * Surfaces: levels of textures, back buffers, and standalone surfaces (render targets, depth buffers, image surfaces).
 * Their memory is a part of a chain (driver/link.h).
 */
#ifndef HALCYON_RUNTIME_SURFACE_H
#define HALCYON_RUNTIME_SURFACE_H

#include "d3d/types.h"
#include "runtime/common/driver/link.h"
#include "runtime/common/driver/view.h"
#include "runtime/common/object/object.h"
#include "runtime/common/object/pool.h"
#include "runtime/common/window/memory_dc.h"

struct rt_texture;

struct rt_surface_desc {
    uint32_t format;        /* D3DFORMAT */
    DWORD usage;            /* D3DUSAGE_* */
    uint32_t pool;          /* enum rt_pool */
    unsigned samples;       /* D3DMULTISAMPLE_TYPE */
    unsigned quality;       /* of the multisampling; version 8: 0 */
    unsigned width, height; /* texels */
};

/* Lock rules, which differ between versions of the API; struct rt_api has a set for each enum rt_lockable. A refused
 * lock clears *locked: always in the default pool, elsewhere unless a rule keeps it. */
enum rt_lock_rule {
    RT_LOCK_ANY_RECT = 1,                 /* outside the default pool no rectangle is refused */
    RT_LOCK_SECOND_KEEPS_OUT = 2,         /* *locked is kept if there is a lock already */
    RT_LOCK_REFUSED_KEEPS_OUT = 4,        /* ... and if the lock is refused for any other reason */
    RT_LOCK_UNLOCK_ANYTIME = 8,           /* unlocking a lockable surface that is not locked succeeds */
    RT_LOCK_TEXTURE_UNLOCKS_ANYTIME = 16, /* ... only by a method of its texture */
};

enum rt_lockable { RT_LOCKABLE_SURFACE, RT_LOCKABLE_LEVEL, RT_LOCKABLE_FACE, RT_LOCKABLE_VOLUME, RT_LOCKABLES };

/* DISCARD together with READONLY is refused in the default pool only. Source: DXVK, tried on Windows (pull request
 * 5096). */
static inline bool rt_lock_contradicts(uint32_t pool, DWORD flags)
{
    const DWORD both = D3DLOCK_DISCARD | D3DLOCK_READONLY;

    return pool == RT_POOL_DEFAULT && (flags & both) == both;
}

struct rt_surface {
    RT_OBJECT;
    struct rt_texture *texture; /* the texture whose level it is, or NULL */
    IUnknown *container;        /* the object that GetContainer queries, without a reference; NULL: the device */
    struct rt_chain *chain;     /* of surfaces that are not levels; NULL: memory lost */
    unsigned part;              /* of that chain, or [face * levels + level] of the texture */
    struct rt_surface_desc desc;
    bool lockable, locked;
    bool in_default_pool; /* counted as a reason for Reset to fail */
    bool owns_chain;
    uint8_t lock_rules; /* enum rt_lock_rule */
    DWORD lock_flags;   /* D3DLOCK_* of the current lock */
    RECT lock_rect;
    struct rt_chain *twin;  /* the same with another number of samples (surface_twin.h), owned; NULL: none */
    bool on_twin;           /* the twin is in use in place of `chain` */
    struct rt_view *view;   /* what the program has locked of a surface that is enlarged; NULL: none */
    struct rt_memory_dc dc; /* that the program has for it (surface_dc.h) */
};

/* A standalone surface with a COM reference. `desc` has been checked; its pool is RT_POOL_DEFAULT for targets (usage
 * has D3DUSAGE_RENDERTARGET or 0) and depth buffers (D3DUSAGE_DEPTHSTENCIL), another pool for image surfaces, which
 * lie in the runtime's memory. *surface becomes NULL on failure. */
HRESULT rt_surface_create(struct rt_device *device, const struct rt_surface_desc *desc, bool lockable,
                          struct rt_surface **surface);
/* An image surface in the program's memory, with rows of `pitch` bytes. The memory must outlive the surface. */
HRESULT rt_surface_create_over(struct rt_device *device, const struct rt_surface_desc *desc, void *memory, size_t pitch,
                               struct rt_surface **surface);
/* A back buffer, or a depth buffer that the device makes: without COM reference, with one hold for its owner. NULL: out of
 * memory. */
struct rt_surface *rt_surface_wrap(struct rt_device *device, struct rt_chain *chain, unsigned part,
                                   const struct rt_surface_desc *desc, bool lockable);
/* A level of a texture; part: [face * levels + level]. */
void rt_surface_init_level(struct rt_surface *surface, struct rt_texture *texture, unsigned part,
                           const struct rt_surface_desc *desc);

/* The chain that the program locks, and the driver's chain, which draws and blits use. NULL: it does not exist
 * (yet). */
struct rt_chain *rt_surface_memory(const struct rt_surface *surface);
struct rt_chain *rt_surface_video(const struct rt_surface *surface);
/* The surface's part of either. */
unsigned rt_surface_part(const struct rt_surface *surface, const struct rt_chain *chain);
/* How many times as large as the program believes (its desc) the driver's part is: 1, or more by the internal resolution
 * (resolution.h). */
unsigned rt_surface_times(const struct rt_surface *surface);
/* `rect`, in the program's texels, in those of its memory. */
RECT rt_surface_texels(const struct rt_surface *surface, const RECT *rect);
/* The driver's handle; 0: none. */
uint32_t rt_surface_handle(const struct rt_surface *surface);
/* Bytes of its contents, without padding after rows of blocks. */
unsigned rt_surface_bytes(const struct rt_surface_desc *desc);

/* Lock and unlock as the surface's rules have it; the device's lock is held. */
HRESULT rt_surface_lock(struct rt_surface *surface, D3DLOCKED_RECT *locked, const RECT *rect, DWORD flags);
HRESULT rt_surface_unlock(struct rt_surface *surface);
/* Copies `rect` of the source to `at` of the destination (both inside) in the program's texels, between the memories that the program
 * locks; formats are the same. */
HRESULT rt_surface_copy(struct rt_surface *destination, POINT at, struct rt_surface *source, const RECT *rect);
/* Notes for its texture that `rect` (NULL: all) was changed by something other than a lock. */
void rt_surface_written(struct rt_surface *surface, const RECT *rect);

HRESULT WINAPI rt_surface_GetContainer(void *iface, const GUID *riid, void **out);
HRESULT WINAPI rt_surface_LockRect(void *iface, D3DLOCKED_RECT *locked, const RECT *rect, DWORD flags);
HRESULT WINAPI rt_surface_UnlockRect(void *iface);
D3DRESOURCETYPE WINAPI rt_surface_GetType(void *iface);

static inline struct rt_surface *rt_surface_of(void *iface)
{
    return iface;
}

#endif
