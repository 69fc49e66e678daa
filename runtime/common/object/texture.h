/* SPDX-License-Identifier: MIT */
/*
 * Textures of all kinds. Those of RT_POOL_DEFAULT lie with the driver. The others lie in memory of the runtime or the
 * program. A texture that draws use gets a copy on the driver's side, which is updated by dirty boxes (managed
 * textures) or as a whole (others).
 */
#ifndef HALCYON_RUNTIME_TEXTURE_H
#define HALCYON_RUNTIME_TEXTURE_H

#include "d3d/types.h"
#include "runtime/common/driver/link.h"
#include "runtime/common/object/object.h"
#include "runtime/common/object/pool.h"
#include "runtime/common/object/surface.h"
#include "runtime/common/object/volume.h"

#define RT_DIRTY_BOXES 8

struct rt_texture_desc {
    D3DRESOURCETYPE type; /* TEXTURE, CUBETEXTURE, VOLUMETEXTURE */
    unsigned width, height, depth;
    unsigned levels; /* 0: a full chain */
    DWORD usage;
    uint32_t format;
    uint32_t pool;       /* enum rt_pool */
    bool generates_mips; /* RT_USAGE_AUTOGENMIPMAP, and the driver supports it: see struct rt_texture */
    void *memory;        /* the program's memory for the one level of a SYSTEMMEM texture; NULL: ours */
};

struct rt_texture {
    RT_OBJECT;
    struct rt_texture *next_managed; /* list of the device: textures with a copy of the driver's */
    bool is_managed_listed;
    D3DRESOURCETYPE type;
    uint32_t format;
    DWORD usage;
    uint32_t pool;                                /* enum rt_pool */
    unsigned width, height, depth, levels, faces; /* levels: visible to the program */
    DWORD lod;
    /* The program's memory (MANAGED, SYSTEMMEM, SCRATCH), and the driver's (DEFAULT; the others
     * when they are first drawn with). */
    struct rt_chain *system, *video;
    uint64_t last_use; /* device->uses when it was bound last */
    /* Dirty boxes: changes of `system` since the last copy, in texels of level 0, per face. */
    struct {
        unsigned count;
        D3DBOX box[RT_DIRTY_BOXES];
    } dirty[6];
    /* SYSTEMMEM textures that are drawn with follow every write, marked dirty or not. */
    bool stale;
    uint32_t palette; /* number of its palette in the driver + 1; 0: none */
    /* generates_mips: the driver's side has a full chain, of which the program sees the first level; the driver
     * generates the others before they are sampled. */
    bool generates_mips, mips_stale;
    uint32_t mip_filter;         /* D3DTEXF_* */
    bool has_dc;                 /* some surface has a device context: all of them are locked */
    struct rt_surface *surfaces; /* [face * levels + level] */
    struct rt_volume *volumes;   /* [level] */
};

/* With a COM reference. `desc` has been checked by the rules of the version. *texture becomes NULL on failure. */
HRESULT rt_texture_create(struct rt_device *device, const struct rt_texture_desc *desc, struct rt_texture **texture);
/* Whether a device with these caps supports this size and number of levels: at least one texel, whole blocks, powers
 * of two where required, no more levels than a full chain. Of RT_POOL_SCRATCH only the format counts. */
bool rt_texture_size_is_valid(const D3DCAPS8 *caps, const struct rt_texture_desc *desc);

/* AddDirtyRect and AddDirtyBox: checked, noted, and told to the driver. NULL: all of it. */
HRESULT rt_texture_add_dirty_box(struct rt_texture *texture, unsigned face, const D3DBOX *box);
HRESULT rt_texture_add_dirty_rect(struct rt_texture *texture, unsigned face, const RECT *rect);
/* The program has written `box`, in texels of `level`; NULL: all of it. lock_flags: D3DLOCK_READONLY and
 * D3DLOCK_NO_DIRTY_UPDATE count. */
void rt_texture_written(struct rt_texture *texture, unsigned face, unsigned level, const D3DBOX *box, DWORD lock_flags);
/* The driver has drawn or blitted to level 0: generated levels are stale. */
void rt_texture_drawn_to(struct rt_texture *texture);
/* The driver's handle, for binding; 0: none. Makes the driver's side if needed and brings it up to date. */
uint32_t rt_texture_handle(struct rt_resource *resource);
/* Before a draw: uploads changes, and has the driver generate levels. */
void rt_texture_upload(struct rt_texture *texture);
/* GenerateMipSubLevels: generates levels now, stale or not. Does nothing for a texture without generated levels. */
void rt_texture_generate_mips(struct rt_texture *texture);
/* Copies the changes of a SYSTEMMEM texture to a RT_POOL_DEFAULT texture of the same type (UpdateTexture). Levels
 * are matched by size. Bytes are copied without conversion if formats differ in alpha; nothing is copied if they
 * differ in size. */
void rt_texture_update(struct rt_texture *source, struct rt_texture *destination);
/* Evicts managed textures from the driver's memory, by low priority and then least recent use, until `bytes` are
 * free; 0: all of them. They are uploaded again when a draw uses them. */
void rt_textures_discard(struct rt_device *device, uint64_t bytes);

/* Methods of all kinds. */
DWORD WINAPI rt_texture_SetPriority(void *iface, DWORD priority);
void WINAPI rt_texture_PreLoad(void *iface);
D3DRESOURCETYPE WINAPI rt_texture_GetType(void *iface);
DWORD WINAPI rt_texture_SetLOD(void *iface, DWORD lod);
DWORD WINAPI rt_texture_GetLOD(void *iface);
DWORD WINAPI rt_texture_GetLevelCount(void *iface);
/* For two-dimensional textures. */
HRESULT WINAPI rt_texture_GetSurfaceLevel(void *iface, UINT level, void **surface);
HRESULT WINAPI rt_texture_LockRect(void *iface, UINT level, D3DLOCKED_RECT *locked, const RECT *rect, DWORD flags);
HRESULT WINAPI rt_texture_UnlockRect(void *iface, UINT level);
HRESULT WINAPI rt_texture_AddDirtyRect(void *iface, const RECT *rect);
/* For cube textures. */
HRESULT WINAPI rt_cube_GetCubeMapSurface(void *iface, D3DCUBEMAP_FACES face, UINT level, void **surface);
HRESULT WINAPI rt_cube_LockRect(void *iface, D3DCUBEMAP_FACES face, UINT level, D3DLOCKED_RECT *locked,
                                const RECT *rect, DWORD flags);
HRESULT WINAPI rt_cube_UnlockRect(void *iface, D3DCUBEMAP_FACES face, UINT level);
HRESULT WINAPI rt_cube_AddDirtyRect(void *iface, D3DCUBEMAP_FACES face, const RECT *rect);
/* For volume textures. */
HRESULT WINAPI rt_volumes_GetVolumeLevel(void *iface, UINT level, void **volume);
HRESULT WINAPI rt_volumes_LockBox(void *iface, UINT level, D3DLOCKED_BOX *locked, const D3DBOX *box, DWORD flags);
HRESULT WINAPI rt_volumes_UnlockBox(void *iface, UINT level);
HRESULT WINAPI rt_volumes_AddDirtyBox(void *iface, const D3DBOX *box);

static inline struct rt_texture *rt_texture_of(void *iface)
{
    return iface;
}

#endif
