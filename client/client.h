/* SPDX-License-Identifier: MIT */
/*
 * The caller's side of the interface, with everything needed to call a driver, for the runtime, the replayer and the
 * tests. It keeps the structures that a DirectDraw runtime would keep (DirectDraw object, surface LCL, GBL and MORE
 * blocks, attach lists, handles) and calls the driver through its tables only.
 *
 *   client_driver   the loaded driver: callback tables, capabilities, formats
 *   client          one DirectDraw object: its surfaces share one handle space
 *   client_surface  one DirectDraw surface; .lcl is what the driver sees. Others can be attached to it
 *   client_chain    a list of surfaces that one CreateSurface call has made and attached: all levels and faces of a texture, a flip
 *                   chain with its back buffers, a depth buffer, or one buffer
 *
 * Nothing here takes a lock: calls for one client must come from one thread at a time. Functions that return
 * HRESULT give the driver's ddRVal; a callback that is missing or answers NOTHANDLED gives
 * DDERR_UNSUPPORTED.
 */
#ifndef HALCYON_CLIENT_CLIENT_H
#define HALCYON_CLIENT_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "d3d/ddi.h"

/* --- the driver ------------------------------------------------------------------------ */

struct client_driver {
    void *module; /* NULL: linked in */
    DDHALINFO info;
    /* copies; members the driver did not give are NULL */
    DDHAL_DDCALLBACKS dd;
    DDHAL_DDSURFACECALLBACKS surface;
    DDHAL_DDPALETTECALLBACKS palette;
    DDHAL_DDEXEBUFCALLBACKS buffer;
    DDHAL_DDMISCELLANEOUSCALLBACKS misc;
    DDHAL_DDMISCELLANEOUS2CALLBACKS misc2;
    D3DHAL_CALLBACKS d3d;
    D3DHAL_CALLBACKS2 d3d2;
    D3DHAL_CALLBACKS3 d3d3;
    HALCYON_VERTEXCALLBACKS vertices;
    HALCYON_SAMPLECALLBACKS samples;
    D3DHAL_D3DEXTENDEDCAPS extended_caps;
    /* from GetDriverInfo2; for a DirectX 7 driver, derived from its reports (legacy.c)
     */
    D3DCAPS8 caps;
    DDPIXELFORMAT *formats; /* DDPF_D3DFORMAT entries */
    unsigned format_count;
};

/* Gets all tables from a statically linked driver through its init function. */
HRESULT client_driver_init(struct client_driver *driver, HALCYONDRIVERINIT init);
/* Loads `library`, a path (UTF-8), and does the same. A name without directory would be searched for. */
HRESULT client_driver_load(struct client_driver *driver, const char *library);
/* The same with another entry point: `begin` gets the function that the library exports as `name`, and returns the init function for it. */
HRESULT client_driver_load_as(struct client_driver *driver, const char *library, const char *name,
                              HALCYONDRIVERINIT (*begin)(void (*function)(void)));
void client_driver_close(struct client_driver *driver);

/* GetDriverInfo. *actual (may be NULL): bytes the driver has. */
HRESULT client_driver_info(const struct client_driver *driver, const GUID *guid, void *data, size_t size,
                           size_t *actual);
/* GetDriverInfo2: `data` begins with a DD_GETDRIVERINFO2DATA that is filled in here for `type` and
 * `size`; the caller must set any input members that follow it. */
HRESULT client_driver_info2(const struct client_driver *driver, uint32_t type, void *data, size_t size);
/* The format entry; NULL: not listed. */
const DDPIXELFORMAT *client_driver_format(const struct client_driver *driver, uint32_t d3d_format);

/* --- DirectDraw object ------------------------------------------------------------------- */

struct client; /* opaque */

/* NULL: out of memory. The driver must outlive it. */
struct client *client_create(const struct client_driver *driver);
/* Contexts and chains must be gone; DestroyDDLocal. */
void client_destroy(struct client *client);
const struct client_driver *client_get_driver(const struct client *client);
/* The structure that a program's IDirectDraw points to. */
DDRAWI_DIRECTDRAW_LCL *client_local(struct client *client);

/* --- surfaces ------------------------------------------------------------------------------ */

enum client_usage {
    CLIENT_TEXTURE = 1,
    CLIENT_TARGET = 2, /* may be drawn to */
    CLIENT_DEPTH = 4,
    CLIENT_CUBE = 8,           /* six faces; with TEXTURE */
    CLIENT_VOLUME = 16,        /* with TEXTURE */
    CLIENT_PRIMARY = 32,       /* front buffer, followed by `back_buffers` back buffers */
    CLIENT_SYSTEM_MEMORY = 64, /* the client's memory, announced to the driver */
    CLIENT_DYNAMIC = 128,
    CLIENT_VERTEX_BUFFER = 256,
    CLIENT_INDEX_BUFFER = 512,
    CLIENT_COMMAND_BUFFER = 1024,
    CLIENT_IMPLICIT_BUFFER = 2048, /* vertices of DirectX 6/7 calls */
    CLIENT_BUFFER = 256 | 512 | 1024 | 2048,
    CLIENT_FLIP = 8192, /* flips, and is never on the screen: a first surface, followed by `back_buffers` */
    CLIENT_FLIPS = CLIENT_PRIMARY | CLIENT_FLIP, /* any flip chain */
    CLIENT_LIGHTWEIGHT = 4096, /* one surface for all levels, in CUBE for those of a face; with TEXTURE */
};

struct client_chain_desc {
    uint32_t usage;                /* enum client_usage */
    uint32_t format;               /* D3DFORMAT; buffers: 0 */
    unsigned width, height, depth; /* texels; depth: volumes; buffers: width = bytes, height 0 or 1 */
    unsigned levels;               /* 0 means 1 */
    unsigned back_buffers;
    unsigned samples; /* D3DMULTISAMPLE_TYPE; 0 none */
    uint32_t fvf;     /* vertex buffers; 0: none */
    /* System memory of the caller: part_count addresses, with their pitches (bytes). NULL:
     * allocated here. */
    uint8_t *const *memory;
    const size_t *pitch, *slice_pitch;
    /* Surface handles to use, part_count of them (a replayer's). NULL: the client gives new ones.
     */
    const uint32_t *handles;
};

struct client_surface {
    DDRAWI_DDRAWSURFACE_LCL lcl; /* first: an lcl pointer is a client_surface pointer */
    DDRAWI_DDRAWSURFACE_GBL gbl;
    DDRAWI_DDRAWSURFACE_MORE more;
    struct client *client;
    uint32_t usage, format;
    unsigned part;                 /* of its chain, or of the description that it was made by */
    unsigned width, height, depth; /* of this part; volumes: depth in slices */
    bool locked;
    bool own_handle; /* the client reuses the number when the surface is destroyed */
    uint8_t *owned;  /* system memory allocated here */
};

/* A list of surfaces. Order of parts: textures [face * face_parts + level]; flip chains: front, back buffer 0, 1, ... */
struct client_chain {
    uint32_t usage, format;
    unsigned levels, faces;
    unsigned face_parts; /* surfaces of a face: its levels, or 1 with CLIENT_LIGHTWEIGHT */
    unsigned part_count;
    struct client_surface *parts[];
};

/* The number of parts of a chain with this description (to size `memory` and `handles`). */
unsigned client_chain_parts(const struct client_chain_desc *desc);
/* CanCreateSurface, CreateSurface (video memory), CreateSurfaceEx; buffers through the execute-buffer callbacks. If the
 * driver refuses video memory for a buffer, the client falls back to system memory. */
HRESULT client_chain_create(struct client *client, const struct client_chain_desc *desc, struct client_chain **chain);
/* One part of a chain with this description by itself, attached to nothing: CanCreateSurface, CreateSurface (video memory),
 * CreateSurfaceEx. */
HRESULT client_surface_create(struct client *client, const struct client_chain_desc *desc, unsigned part,
                              struct client_surface **surface);
/* Detaches it from all others first. NULL is fine. Surfaces of a chain are destroyed with the chain. */
void client_surface_destroy(struct client_surface *surface);
/* Enters `surface` in the attach list of `to`: a next level, a back buffer after the front or another back buffer, a depth buffer.
 * AddAttachedSurface, then CreateSurfaceEx of all surfaces that hang together. DDERR_SURFACEALREADYATTACHED,
 * DDERR_CANNOTATTACHSURFACE: to itself, or to a surface of another client. */
HRESULT client_attach(struct client_surface *to, struct client_surface *surface);
/* The reverse, of which the driver learns by CreateSurfaceEx of both. DDERR_SURFACENOTATTACHED. */
HRESULT client_detach(struct client_surface *from, struct client_surface *surface);
/* Memory of the caller, and what lies there. */
struct client_memory {
    uint8_t *bits;
    size_t pitch; /* bytes between two rows, or two rows of blocks; no less than a row, no more than INT32_MAX */
    unsigned width, height; /* texels, up to 65535 */
    uint32_t format;        /* D3DFORMAT */
};
/* SetSurfaceDesc: other memory for a surface with CLIENT_SYSTEM_MEMORY, not a buffer, a volume or one of several levels in one, of
 * which the driver learns by CreateSurfaceEx of the same surface again. When it returns the driver has no use of the memory
 * before. DDERR_INVALIDPARAMS: a surface or memory of another kind; DDERR_SURFACEBUSY: the surface is locked. On an error the
 * surface is as before. */
HRESULT client_surface_rebind(struct client_surface *surface, const struct client_memory *memory);
/* Fills in the description for CanCreateSurface and CreateSurface from a chain's first surface, whose structures hold
 * capabilities and format. Width and height in pixels; for a buffer its size in bytes, and 1. */
void client_describe(DDSURFACEDESC2 *desc, const DDRAWI_DDRAWSURFACE_LCL *lcl, unsigned width, unsigned height);
/* NULL is fine. */
void client_chain_destroy(struct client_chain *chain);

static inline struct client_surface *client_part(struct client_chain *chain, unsigned part)
{
    return part < chain->part_count ? chain->parts[part] : NULL;
}
/* NULL if the level does not exist or has no surface of its own (CLIENT_LIGHTWEIGHT). */
static inline struct client_surface *client_level(struct client_chain *chain, unsigned face, unsigned level)
{
    return level < chain->face_parts ? client_part(chain, face * chain->face_parts + level) : NULL;
}
/* Returns the handle by which the stream names the surface. Textures are bound by the handle of part 0. */
static inline uint32_t client_handle(const struct client_surface *surface)
{
    return surface->more.dwSurfaceHandle;
}

/* --- access ---------------------------------------------------------------------------------- */

struct client_lock {
    uint8_t *bits; /* the top left corner of the requested rectangle */
    size_t pitch, slice_pitch;
};

/* Where a level lies in the memory of a surface that holds all levels of a texture, or of a face (CLIENT_LIGHTWEIGHT). */
struct client_place {
    size_t offset, pitch, slice_pitch; /* bytes */
    size_t row_bytes, row_count;       /* rows of a slice, without the bytes between them */
    size_t end;                        /* offset of the next level */
    unsigned width, height, depth;     /* texels */
};
/* `pitch` and `slice_pitch`: of the first level, as client_lock reports them. level: less than the surface's dwMipMapCount. */
struct client_place client_place_of(const struct client_surface *surface, size_t pitch, size_t slice_pitch,
                                    unsigned level);
/* Bytes from the first texel of a surface with these pitches to the block that holds another one. The texel may be any. */
size_t client_texel_offset(const struct client_surface *surface, size_t pitch, size_t slice_pitch, unsigned x,
                           unsigned y, unsigned z);

/* flags: DDLOCK_* (DDLOCK_READONLY, DDLOCK_DISCARDCONTENTS, DDLOCK_NOOVERWRITE, ...). rect NULL:
 * all. System memory is locked as well, so that the driver and its recorder learn of changes. */
HRESULT client_lock(struct client_surface *surface, const RECT *rect, uint32_t flags, struct client_lock *lock);
HRESULT client_lock_box(struct client_surface *surface, const D3DBOX *box, uint32_t flags, struct client_lock *lock);
HRESULT client_unlock(struct client_surface *surface);

/* NULL rects: all of the surface. flags: DDBLT_* beyond DDBLT_ROP (SRCCOPY). */
HRESULT client_blt(struct client_surface *destination, const RECT *destination_rect, struct client_surface *source,
                   const RECT *source_rect, uint32_t flags);
/* Blits like client_blt, with a source key in place of the surface's own and with a destination key; NULL: none. */
HRESULT client_blt_keyed(struct client_surface *destination, const RECT *destination_rect,
                         struct client_surface *source, const RECT *source_rect, uint32_t flags,
                         const uint32_t *source_key, const uint32_t *destination_key);
/* A blit that does more than copy. Keys: texels of the surface's format; NULL: none. */
struct client_blt_effects {
    uint32_t flags;  /* DDBLT_* beyond DDBLT_ROP */
    uint32_t mirror; /* DDBLTFX_MIRRORLEFTRIGHT, DDBLTFX_MIRRORUPDOWN, or both */
    const uint32_t *source_key, *destination_key;
    /* A clip list: the parts of the destination's rectangle that are drawn. NULL: all of it. */
    RECT *clips;
    uint32_t clip_count;
};
/* With a clip list the destination's rectangle may extend beyond the surface. */
HRESULT client_blt_with(struct client_surface *destination, const RECT *destination_rect, struct client_surface *source,
                        const RECT *source_rect, const struct client_blt_effects *effects);
/* SetColorKey. kind: DDCKEY_SRCBLT or DDCKEY_DESTBLT; key: a texel of the surface's format. */
HRESULT client_set_color_key(struct client_surface *surface, uint32_t kind, uint32_t key);
/* `value` is a pixel of the surface's own format. */
HRESULT client_fill(struct client_surface *surface, const RECT *rect, uint32_t value);
HRESULT client_fill_depth(struct client_surface *surface, const RECT *rect, uint32_t value);
/* The memory of `back` comes to the front; NULL: that of the back buffer attached to the front, with more of them all
 * move up by one, and the old front becomes the last. flags: DDFLIP_*, HALCYON_FLIP_EXCHANGE. Handles stay. DDERR_NOTFLIPPABLE: nothing to flip to. */
HRESULT client_flip(struct client_surface *front, struct client_surface *back, uint32_t flags);

/* --- contexts ----------------------------------------------------------------------------------
 */

/* level: DDI_LEVEL_DX*. depth may be NULL. */
HRESULT client_context_create(struct client *client, struct client_surface *target, struct client_surface *depth,
                              uint32_t level, uintptr_t *context);
HRESULT client_context_destroy(struct client *client, uintptr_t context);
HRESULT client_set_target(struct client *client, uintptr_t context, struct client_surface *target,
                          struct client_surface *depth);
/* rects NULL: the whole target. flags: D3DCLEAR_* */
HRESULT client_clear(struct client *client, uintptr_t context, uint32_t flags, uint32_t color, float depth,
                     uint32_t stencil, const D3DRECT *rects, unsigned rect_count);
HRESULT client_validate_stages(struct client *client, uintptr_t context, DWORD *passes);

struct client_draw {
    uintptr_t context;
    struct client_surface *commands;         /* a command buffer */
    uint32_t command_offset, command_length; /* bytes */
    uint32_t vertex_type;                    /* FVF of DirectX 6/7 drawing tokens; 0 */
    const void *user_vertices;               /* or NULL: `vertices` */
    struct client_surface *vertices;         /* may be NULL too */
    uint32_t vertex_offset;                  /* bytes */
    uint32_t vertex_count;
    uint32_t vertex_size;  /* bytes */
    uint32_t flags;        /* D3DHALDP2_* beyond USERMEMVERTICES */
    DWORD *render_states;  /* 256, with EXECUTEBUFFER */
    uint32_t error_offset; /* out */
};
/* DrawPrimitives2. The commands are consumed when it returns. */
HRESULT client_draw(struct client *client, struct client_draw *draw);

struct client_process {
    uintptr_t context;
    uint32_t first, count;  /* vertices of the bound streams */
    uint32_t fvf;           /* of the result, with D3DFVF_XYZRHW */
    uint32_t stride, flags; /* HALCYON_PROCESS_* */
    void *vertices;         /* out */
    size_t bytes;           /* room there */
};
/* Vertex processing without drawing. DDERR_UNSUPPORTED: the driver is another one. */
HRESULT client_process_vertices(struct client *client, const struct client_process *process);

/* GetAvailDriverMemory: bytes of texture memory, and how many of them are free. */
HRESULT client_available_memory(struct client *client, uint32_t *total, uint32_t *available);

/* GetDriverState: the answer to a D3DDEVINFOID_* or HALCYON_DEVINFOID_*. DDERR_UNSUPPORTED: the driver does not know it. */
HRESULT client_driver_state(struct client *client, uintptr_t context, uint32_t id, void *answer, size_t size);

/* GetDriverState: what the context has drawn so far. DDERR_UNSUPPORTED: the driver is another one. */
HRESULT client_work(struct client *client, uintptr_t context, HALCYON_WORK *work);

/* GetDriverState: machine code that the driver has made of programs. DDERR_UNSUPPORTED: the driver is another one. */
HRESULT client_code(struct client *client, HALCYON_CODE *code);

/* GetDriverState: allows calls allowance->add more, and fills in what they have cost. DDERR_UNSUPPORTED: the driver is another
 * one. */
HRESULT client_allow_work(struct client *client, HALCYON_ALLOWANCE *allowance);

/* GetDriverState: asks for capture->frames frames (0: for none), and fills in what the driver captures. DDERR_UNSUPPORTED: the
 * driver is another one. */
HRESULT client_capture(struct client *client, uintptr_t context, HALCYON_CAPTURE *capture);

#endif
