/* SPDX-License-Identifier: MIT */
/*
 * The objects of d3d8.dll. Each begins with its COM interface, so that an interface pointer is the object. The driver's side of
 * a resource is an rt_chain (runtime/common/driver/link.h); references are runtime/common/object/resource.h's.
 */
#ifndef HALCYON_D3D8_OBJECTS_H
#define HALCYON_D3D8_OBJECTS_H

#define COBJMACROS
#include <windows.h>

#include <d3d8.h>

#include "base/base.h"
#include "runtime/common/window/display.h"
#include "runtime/common/driver/formats.h"
#include "runtime/common/window/fullscreen.h"
#include "runtime/common/driver/link.h"
#include "runtime/common/window/present.h"
#include "runtime/common/state/pure_block.h"
#include "runtime/common/object/resource.h"
#include "runtime/common/state/state.h"
#include "runtime/common/state/stateblock.h"
#include "runtime/common/window/modes.h"

#define D3D8_MAX_BACK_BUFFERS 3
#define D3D8_DIRTY_RECTS      8

struct d3d8_device;
struct d3d8_texture;

struct d3d8 {
    IDirect3D8 iface;
    LONG refs;
    struct rt_adapter *adapter;
    struct rt_modes modes;
};

struct d3d8_surface {
    IDirect3DSurface8 iface;
    struct rt_resource res; /* level of a texture: only private_data is used */
    struct d3d8_device *device;
    struct d3d8_texture *texture; /* container; NULL for surfaces of their own */
    struct rt_chain *chain;       /* memory the program sees; NULL: not driver-side yet */
    unsigned part;
    D3DSURFACE_DESC desc;
    bool lockable;
    bool locked;
    bool default_pool; /* counted as a reason for Reset to fail */
    bool owns_chain;
    DWORD lock_flags;
    RECT lock_rect;
};

struct d3d8_volume {
    IDirect3DVolume8 iface;
    struct rt_private_data *private_data;
    struct d3d8_texture *texture;
    unsigned part;
    D3DVOLUME_DESC desc;
    bool locked;
    DWORD lock_flags;
    D3DBOX lock_box;
};

struct d3d8_texture {
    union {
        IDirect3DBaseTexture8 base;
        IDirect3DTexture8 flat;
        IDirect3DCubeTexture8 cube;
        IDirect3DVolumeTexture8 volume;
    } iface;
    struct rt_resource res;
    struct d3d8_device *device;
    struct d3d8_texture *next_managed; /* list of the device: textures with a driver-side copy */
    bool is_managed_listed;
    D3DRESOURCETYPE type;
    D3DFORMAT format;
    DWORD usage;
    D3DPOOL pool;
    unsigned width, height, depth, levels, faces;
    DWORD lod;
    /* The program's memory (MANAGED, SYSTEMMEM, SCRATCH), and the driver's (DEFAULT; the others
     * when they are first drawn with). */
    struct rt_chain *system, *video;
    uint64_t last_use; /* device->uses when it was bound last */
    /* Dirty boxes: what changed in `system` since it was last copied, in texels of level 0, per face. */
    struct {
        unsigned count;
        D3DBOX box[D3D8_DIRTY_RECTS];
    } dirty[6];
    /* SYSTEMMEM textures that are drawn with follow every write, marked dirty or not. */
    bool stale;
    uint32_t palette;              /* palette number + 1 the driver has for it; 0 none */
    struct d3d8_surface *surfaces; /* [face * levels + level] */
    struct d3d8_volume *volumes;   /* [level] */
};

struct d3d8_buffer {
    union {
        IDirect3DVertexBuffer8 vertex;
        IDirect3DIndexBuffer8 index;
        IDirect3DResource8 base;
    } iface;
    struct rt_resource res;
    struct d3d8_device *device;
    struct rt_chain *chain;        /* the program's memory: of MANAGED ones ours, of others the driver's */
    struct rt_chain *video;        /* of MANAGED ones the driver's, from when they are first drawn with */
    uint32_t handle;               /* the driver's, of what is drawn with; 0: no copy of a MANAGED one yet */
    unsigned dirty_from, dirty_to; /* bytes of `chain` that `video` lacks; to <= from: none */
    uint32_t copied_in;            /* rt_link_batch of the last BUFFERBLT from `chain` */
    D3DRESOURCETYPE type;
    D3DFORMAT format;
    DWORD usage, fvf;
    D3DPOOL pool;
    UINT length;
    unsigned locks;                /* locks nest */
    uint8_t *bits;                 /* while locked */
    struct d3d8_overrun *overruns; /* locks beyond its end */
    bool keep_on_discard;
    bool transformed; /* holds what ProcessVertices made, and nobody has written it since */
};

struct d3d8_swapchain {
    IDirect3DSwapChain8 iface;
    struct rt_resource res;
    struct d3d8_device *device;
    D3DPRESENT_PARAMETERS params; /* completed: sizes, window, count */
    struct rt_chain *chain;       /* part 0 front, 1... back buffers */
    struct d3d8_surface *back[D3D8_MAX_BACK_BUFFERS];
    struct rt_presenter presenter;
    unsigned frame_limit; /* frames a second; 0: none */
    bool implicit;
};

struct d3d8_shader {
    DWORD *declaration, *code;
    DWORD *sent; /* the declaration as the driver gets it: without constants */
    size_t declaration_bytes, sent_bytes, code_bytes;
    uint32_t fvf; /* fixed function declaration with this layout in stream 0; 0 otherwise */
    bool pixel;
};

struct d3d8_palette {
    UINT number;
    bool stale; /* the driver has older entries */
    PALETTEENTRY entries[256];
};

/* A pure device has its blocks with the driver. */
union d3d8_block {
    void *any; /* NULL: free */
    struct rt_block *own;
    struct rt_pure_block *pure;
};

/* Flags that say what draws must look at besides their bindings. */
enum d3d8_attention {
    D3D8_TEXTURES_CHANGED = 1, /* some texture may need an upload before the next draw */
    D3D8_BUFFERS_CHANGED = 2,  /* some managed buffer may */
    D3D8_BEFORE_BINDING = 3,
    D3D8_HAS_PALETTES = 4,    /* a texture with a palette has been drawn with */
    D3D8_HAS_TRANSFORMED = 8, /* ProcessVertices has been called */
    D3D8_AFTER_BINDING = 12,
};

struct d3d8_device {
    IDirect3DDevice8 iface;
    struct rt_device_base base;
    struct d3d8 *parent;
    struct rt_link *link;
    struct rt_pipe pipe;
    struct rt_block *recording;
    D3DCAPS8 caps;
    D3DDEVICE_CREATION_PARAMETERS creation;
    D3DFORMAT display_format;
    struct d3d8_swapchain *swapchain;
    struct d3d8_surface *auto_depth;
    struct d3d8_surface *target, *depth; /* bound */
    struct rt_fullscreen fullscreen;
    bool in_scene;
    LONG default_pool_count;
    struct d3d8_texture *managed;
    uint64_t uses; /* counts bindings of textures */

    union d3d8_block *blocks; /* token - 1 */
    unsigned block_count;
    struct d3d8_shader **shaders; /* by slot, from 1 on (shader.c) */
    unsigned shader_count;
    struct d3d8_palette **palettes;
    unsigned palette_count;
    uint8_t attention; /* enum d3d8_attention */

    struct rt_chain *up_indices; /* for DrawIndexedPrimitiveUP */
    unsigned up_index_bytes, up_index_used;

    uint64_t draws, primitives; /* since creation, for the figures over the picture */
    D3DCLIPSTATUS8 clip_status;
    D3DGAMMARAMP gamma;
    struct rt_cursor cursor;
};

/* All objects begin with this, so that one function serves the methods they share. */
struct d3d8_object {
    void *vtbl;
    struct rt_resource res;
    struct d3d8_device *device;
};

/* object.c: IUnknown and IDirect3DResource8 methods of any object that begins so */
ULONG WINAPI d3d8_object_add_ref(void *iface);
ULONG WINAPI d3d8_object_release(void *iface);
HRESULT WINAPI d3d8_object_get_device(void *iface, IDirect3DDevice8 **device);
HRESULT WINAPI d3d8_object_set_private_data(void *iface, REFGUID id, const void *data, DWORD size, DWORD flags);
HRESULT WINAPI d3d8_object_get_private_data(void *iface, REFGUID id, void *data, DWORD *size);
HRESULT WINAPI d3d8_object_free_private_data(void *iface, REFGUID id);
DWORD WINAPI d3d8_object_set_priority(void *iface, DWORD priority);
DWORD WINAPI d3d8_object_get_priority(void *iface);
/* clang-format off */
/* The first entries of the vtable of everything that is an IDirect3DResource8, and of every texture. */
#define D3D8_RESOURCE_METHODS(query, set_priority, pre_load, get_type)                             \
    (void *)query, (void *)d3d8_object_add_ref, (void *)d3d8_object_release,                       \
        (void *)d3d8_object_get_device, (void *)d3d8_object_set_private_data,                      \
        (void *)d3d8_object_get_private_data, (void *)d3d8_object_free_private_data,               \
        (void *)set_priority, (void *)d3d8_object_get_priority, (void *)pre_load, (void *)get_type
/* clang-format on */
#define D3D8_TEXTURE_METHODS                                                                    \
    D3D8_RESOURCE_METHODS(d3d8_texture_query, d3d8_texture_set_priority, d3d8_texture_pre_load, \
                          d3d8_texture_get_type),                                               \
        (void *)d3d8_texture_set_lod, (void *)d3d8_texture_get_lod, (void *)d3d8_texture_get_level_count
HRESULT d3d8_get_device(struct d3d8_device *device, IDirect3DDevice8 **out);
/* `ids` ends with NULL. */
HRESULT d3d8_query(void *object, REFIID riid, const IID *const *ids, void **out);

static inline struct d3d8_device *d3d8_device_of(IDirect3DDevice8 *iface)
{
    return (struct d3d8_device *)iface;
}

/* A pure device keeps no states that a program could ask for: whatever a state block can hold cannot be read. */
static inline bool d3d8_device_is_pure(IDirect3DDevice8 *iface)
{
    return d3d8_device_of(iface)->pipe.pure;
}
static inline struct d3d8_surface *d3d8_surface_of(IDirect3DSurface8 *iface)
{
    return (struct d3d8_surface *)iface;
}
static inline struct d3d8_texture *d3d8_texture_of(void *iface)
{
    return (struct d3d8_texture *)iface;
}
static inline struct d3d8_buffer *d3d8_buffer_of(void *iface)
{
    return (struct d3d8_buffer *)iface;
}
#define D3D8_FROM_RES(type, resource) ((struct type *)((char *)(resource)-offsetof(struct type, res)))

/* direct3d.c */
struct d3d8 *d3d8_create(void);
/* D3D_OK if `format` may be used so; D3DERR_NOTAVAILABLE or D3DERR_INVALIDCALL. */
HRESULT d3d8_check_format(struct d3d8 *d3d, D3DFORMAT adapter, DWORD usage, D3DRESOURCETYPE type, D3DFORMAT format);
HRESULT d3d8_check_multisample(struct d3d8 *d3d, D3DFORMAT format, D3DMULTISAMPLE_TYPE samples);
void d3d8_fill_caps(struct d3d8 *d3d, UINT adapter, D3DDEVTYPE type, D3DCAPS8 *caps);

/* device.c */
HRESULT d3d8_device_create(struct d3d8 *d3d, UINT adapter, D3DDEVTYPE type, HWND focus, DWORD flags,
                           D3DPRESENT_PARAMETERS *params, struct d3d8_device **device);
bool d3d8_device_bind_targets(struct d3d8_device *device, struct d3d8_surface *target, struct d3d8_surface *depth);
HRESULT d3d8_device_check_present(struct d3d8_device *device);

/* device_state.c, device_draw.c, device_resource.c: parts of the vtable, listed in device_methods.h
 */

/* device_draw.c */
/* Before a draw: copies what has changed of textures and managed buffers. */
void d3d8_device_prepare(struct d3d8_device *device);

/* swapchain.c */
HRESULT d3d8_check_present_params(struct d3d8 *d3d, const D3DPRESENT_PARAMETERS *params);
HRESULT d3d8_swapchain_create(struct d3d8_device *device, D3DPRESENT_PARAMETERS *params, bool implicit,
                              struct d3d8_swapchain **swapchain);
/* present.c */
HRESULT d3d8_swapchain_present(struct d3d8_swapchain *swapchain, const RECT *source, const RECT *destination,
                               HWND window, const RGNDATA *dirty);
HRESULT d3d8_swapchain_front(struct d3d8_swapchain *swapchain, struct d3d8_surface *surface);

/* surface.c */
HRESULT d3d8_surface_create(struct d3d8_device *device, const D3DSURFACE_DESC *desc, bool lockable,
                            struct d3d8_surface **surface);
/* A back buffer: part of a chain that belongs to somebody else; no COM reference. */
struct d3d8_surface *d3d8_surface_wrap(struct d3d8_device *device, struct rt_chain *chain, unsigned part,
                                       const D3DSURFACE_DESC *desc, bool lockable);
void d3d8_surface_init_level(struct d3d8_surface *surface, struct d3d8_texture *texture, unsigned part,
                             const D3DSURFACE_DESC *desc);
void d3d8_surface_hold(struct d3d8_surface *surface);
void d3d8_surface_unhold(struct d3d8_surface *surface);
HRESULT d3d8_surface_lock(struct d3d8_surface *surface, D3DLOCKED_RECT *locked, const RECT *rect, DWORD flags);
HRESULT d3d8_surface_unlock(struct d3d8_surface *surface);
/* The chain to draw to or blit: the driver's. */
struct rt_chain *d3d8_surface_video(struct d3d8_surface *surface);

/* volume.c */
void d3d8_volume_init(struct d3d8_volume *volume, struct d3d8_texture *texture, unsigned part,
                      const D3DVOLUME_DESC *desc);
HRESULT d3d8_volume_lock(struct d3d8_volume *volume, D3DLOCKED_BOX *locked, const D3DBOX *box, DWORD flags);
HRESULT d3d8_volume_unlock(struct d3d8_volume *volume);

/* texture.c */
struct d3d8_texture_desc {
    D3DRESOURCETYPE type;
    UINT width, height, depth, levels;
    DWORD usage;
    D3DFORMAT format;
    D3DPOOL pool;
};
HRESULT d3d8_texture_create(struct d3d8_device *device, const struct d3d8_texture_desc *desc,
                            struct d3d8_texture **texture);
extern const IDirect3DTexture8Vtbl d3d8_texture_vtbl;
extern const IDirect3DCubeTexture8Vtbl d3d8_cube_texture_vtbl;
extern const IDirect3DVolumeTexture8Vtbl d3d8_volume_texture_vtbl;
/* Methods all three kinds share. */
HRESULT WINAPI d3d8_texture_query(void *iface, REFIID riid, void **out);
DWORD WINAPI d3d8_texture_set_priority(void *iface, DWORD priority);
void WINAPI d3d8_texture_pre_load(void *iface);
D3DRESOURCETYPE WINAPI d3d8_texture_get_type(void *iface);
DWORD WINAPI d3d8_texture_set_lod(void *iface, DWORD lod);
DWORD WINAPI d3d8_texture_get_lod(void *iface);
DWORD WINAPI d3d8_texture_get_level_count(void *iface);
/* AddDirtyRect and AddDirtyBox: checked, noted, and told to the driver. NULL: all of it. */
HRESULT d3d8_texture_add_dirty_box(struct d3d8_texture *texture, unsigned face, const D3DBOX *box);
HRESULT d3d8_texture_add_dirty_rect(struct d3d8_texture *texture, unsigned face, const RECT *rect);
void d3d8_texture_add_dirty(struct d3d8_texture *texture, unsigned face, const D3DBOX *box);
/* `box` in texels of `level`; NULL: all of it. */
void d3d8_texture_written(struct d3d8_texture *texture, unsigned face, unsigned level, const D3DBOX *box,
                          DWORD lock_flags);
uint32_t d3d8_texture_handle(struct rt_resource *resource);
/* Before a draw: copies what changed to the driver's side. */
void d3d8_texture_upload(struct d3d8_texture *texture);
/* Copies the dirty parts of `source` to `destination` (UpdateTexture). */
void d3d8_texture_copy_dirty(struct d3d8_texture *source, struct rt_chain *destination);
/* Takes managed textures out of the driver's memory, those of low priority and long out of use first, until
 * `bytes` are free; 0: all of them. They come back when they are drawn with. */
void d3d8_textures_discard(struct d3d8_device *device, uint64_t bytes);

/* buffer.c */
HRESULT d3d8_buffer_create(struct d3d8_device *device, D3DRESOURCETYPE type, UINT length, DWORD usage, DWORD fvf,
                           D3DFORMAT format, D3DPOOL pool, struct d3d8_buffer **buffer);
uint32_t d3d8_buffer_handle(struct rt_resource *resource);
/* Before a draw: copies what changed of a managed buffer to the driver's side. True: it will have to be looked at again,
 * because it is locked. */
bool d3d8_buffer_upload(struct d3d8_buffer *buffer);
/* ProcessVertices has written these bytes. */
void d3d8_buffer_transformed(struct d3d8_buffer *buffer, unsigned offset, unsigned size);

/* buffer_overrun.c */
/* Memory for a lock of [offset, offset + size), size 0: all from offset on, which is not inside the buffer. It begins with the
 * bytes of the buffer that it covers; those that the program changes reach the buffer when it is unlocked. The buffer is
 * locked. NULL: too much. */
uint8_t *d3d8_overrun_add(struct d3d8_buffer *buffer, UINT offset, UINT size, DWORD flags);
/* The last lock of the buffer ends. The memory stays until the next such lock: programs write late, too. */
void d3d8_overruns_finish(struct d3d8_buffer *buffer);
void d3d8_overruns_free(struct d3d8_buffer *buffer);

/* shader.c */
uint32_t d3d8_vertex_shader_handle(void *device, uint32_t handle);
/* Constants in the declaration of a vertex shader that becomes the current one. */
void d3d8_load_declared_constants(struct d3d8_device *device, DWORD handle);
uint32_t d3d8_pixel_shader_handle(void *device, uint32_t handle);
void d3d8_shaders_resend(struct d3d8_device *device);
void d3d8_shaders_free(struct d3d8_device *device);
struct d3d8_shader *d3d8_shader_find(struct d3d8_device *device, DWORD handle, bool pixel);

/* device_block.c */
void d3d8_blocks_free(struct d3d8_device *device);
/* The context goes: so do the recording under way and, of a pure device, all blocks. */
void d3d8_blocks_reset(struct d3d8_device *device);
/* device_palette.c */
void d3d8_palettes_prepare(struct d3d8_device *device);

#endif
