/* SPDX-License-Identifier: MIT */
/*
 * Between the files of the bridge. What a caller names by structures and numbers, and what the WDDM interface calls it:
 *
 *   bridge_local      a DirectDraw object: a device
 *   bridge_context    a context of it: one of the device's private contexts (d3d/umd_private.h)
 *   bridge_resource   a resource of the device, whose sub-resources are surfaces of the caller
 *   bridge_surface    a DirectDraw surface, which is a sub-resource, or some if it is a lightweight MIP map
 *
 * One lock is held while a call is inside (bridge_enter).
 */
#ifndef HALCYON_CLIENT_UMD_INTERNAL_H
#define HALCYON_CLIENT_UMD_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "client/internal.h"
#include "client/umd/bridge.h"
#include "d3d/bindings.h"
#include "d3d/caps9.h"
#include "d3d/ddi.h"
#include "d3d/umd_private.h"
#include "dp2/dp2.h"

#define BRIDGE_MOST_LEVELS  16
#define BRIDGE_MOST_HANDLE  0xFFFFFu /* the largest number of a surface */
#define BRIDGE_MOST_TARGETS 4

struct bridge_resource {
    struct bridge_local *local;
    HANDLE handle;
    unsigned count, levels; /* sub-resources; levels of a face */
    unsigned surfaces;      /* of the caller, that name it */
    D3DDDI_RESOURCEFLAGS flags;
    uint32_t format; /* D3DFORMAT; 0: a buffer */
    bool in_system_memory;
};

struct bridge_memory {
    FLATPTR address;
    LONG pitch;
    WORD width, height;
    uint32_t format; /* D3DFORMAT; 0: a buffer */
};

struct bridge_surface {
    DDRAWI_DDRAWSURFACE_LCL *lcl; /* whose dwReserved1 points here */
    struct bridge_local *local;
    struct bridge_resource *resource; /* NULL: a command buffer */
    unsigned part, levels;            /* the first sub-resource; how many: more than 1 if lightweight */
    uint32_t number;                  /* by which streams name it; 0: none */
    unsigned locks;
    uint8_t *memory;           /* command buffers: their contents; lightweight: a copy, while they are locked */
    size_t bytes;              /* there */
    struct bridge_memory told; /* system memory that the driver knows */
};

/* The settings of streams that must be set again or resolved later. */
struct bridge_state {
    uint32_t vertex_shader; /* number or FVF of SETVERTEXSHADER, number of SETVERTEXSHADERDECL */
    bool is_declaration;
    uint32_t function;                    /* number of SETVERTEXSHADERFUNC */
    uint32_t texture[D3D_SAMPLER_PLACES]; /* numbers of surfaces */
    struct bridge_stream {
        uint32_t number, offset, stride;
    } stream[D3D_STREAMS];
    uint32_t index_number, index_stride;
};

/* Parts of it, as bits. */
enum {
    BRIDGE_SHADER = 1,
    BRIDGE_FUNCTION = 2,
    BRIDGE_INDICES = 4,
    BRIDGE_STREAM = 8, /* the first of 16 */
};
#define BRIDGE_ALL (BRIDGE_SHADER | BRIDGE_FUNCTION | BRIDGE_INDICES | 0xFFFFu * BRIDGE_STREAM)

/* A declaration, a function, a pixel shader. */
struct bridge_object {
    HANDLE handle;
};

/* A vertex shader of DirectX 8: a declaration with constants, and code. */
struct bridge_shader8 {
    HANDLE declaration, function; /* function NULL: fixed */
    unsigned constant_count;
    struct bridge_constant {
        uint32_t reg;
        float value[4];
    } constants[];
};

struct bridge_query {
    HANDLE handle;
    uint32_t number, type;
    bool waits; /* has ended, and is not answered */
    struct bridge_query *next_waiting;
};

struct bridge_block {
    HANDLE handle;
    uint32_t parts; /* BRIDGE_*, of the state below, and all textures if it has `textures` */
    uint32_t textures;
    struct bridge_state state;
};

struct bridge_context {
    struct bridge_context *next;
    struct bridge_local *local;
    uint32_t handle; /* the caller's */
    UINT number;     /* the driver's */
    uint32_t level, process;
    struct base_map shaders8, declarations, functions, pixel_shaders, formats, queries, blocks;
    struct bridge_query *first_waiting; /* the one that ended first */
    struct bridge_state state;
    struct bridge_block *recording;
    struct bridge_surface *target[BRIDGE_MOST_TARGETS], *depth; /* NULL: none */
    bool user_vertices;                                         /* stream 0 is the call's vertices */
    uint32_t user_stride;
    uint32_t stale, stale_textures; /* BRIDGE_*, places: something else is bound in the driver */
    bool undrawable;                /* no declaration is set */
};

struct bridge_local {
    struct bridge_local *next;
    const DDRAWI_DIRECTDRAW_LCL *lcl;
    HANDLE device;
    D3DDDI_DEVICEFUNCS f;
    struct bridge_surface **named; /* by number */
    uint32_t named_count;
    struct bridge_context *contexts, *selected;
    HANDLE vertices, indices; /* buffers for what calls bring along */
    uint32_t vertex_bytes, index_bytes, index_used;
    unsigned surfaces; /* that exist */
};

/* --- locals.c ----------------------------------------------------------------------------------- */

void bridge_enter(void);
void bridge_leave(void);
/* The object of a DirectDraw object, with a device; NULL: none can be made. */
struct bridge_local *bridge_local_of(const DDRAWI_DIRECTDRAW_LCL *lcl);
struct bridge_context *bridge_find_context(ULONG_PTR handle);
void bridge_free_context(struct bridge_context *context);
/* The first of all objects; NULL: none. */
struct bridge_local *bridge_first_local(void);
/* Makes it the one that functions act on. False: the driver refuses. */
bool bridge_select(struct bridge_context *context);
/* Errors of the WDDM interface as DirectDraw has them; `refused`: what E_FAIL means. */
HRESULT bridge_result(HRESULT hr, HRESULT refused);
/* Sends what the functions have collected. Returns the driver's own code of the first failure. *failure: where it was; may be NULL. */
HRESULT bridge_flush(struct bridge_local *local, HALCYON_UMD_BATCH *failure);
/* Every context forgets the surface as a target. */
void bridge_forget_target(struct bridge_local *local, const struct bridge_surface *surface);
/* The number names another surface now, or none: contexts bind it again. */
void bridge_number_changed(struct bridge_local *local, uint32_t number);

DWORD PASCAL bridge_context_create(LPD3DHAL_CONTEXTCREATEDATA data);
DWORD PASCAL bridge_context_destroy(LPD3DHAL_CONTEXTDESTROYDATA data);
DWORD PASCAL bridge_context_destroy_all(LPD3DHAL_CONTEXTDESTROYALLDATA data);
DWORD PASCAL bridge_scene_capture(LPD3DHAL_SCENECAPTUREDATA data);
DWORD PASCAL bridge_set_render_target(LPD3DHAL_SETRENDERTARGETDATA data);
DWORD PASCAL bridge_clear(LPD3DHAL_CLEARDATA data);
DWORD PASCAL bridge_clear2(LPD3DHAL_CLEAR2DATA data);
DWORD PASCAL bridge_validate_stages(LPD3DHAL_VALIDATETEXTURESTAGESTATEDATA data);
DWORD PASCAL bridge_get_driver_state(LPDDHAL_GETDRIVERSTATEDATA data);
DWORD PASCAL bridge_destroy_local(LPDDHAL_DESTROYDDLOCALDATA data);
DWORD PASCAL bridge_process_vertices(LPHALCYON_PROCESSVERTICESDATA data);
DWORD PASCAL bridge_get_avail_memory(LPDDHAL_GETAVAILDRIVERMEMORYDATA data);
/* Binds targets, and remembers them. NULL: none. */
HRESULT bridge_bind_target(struct bridge_context *context, unsigned index, struct bridge_surface *surface);
HRESULT bridge_bind_depth(struct bridge_context *context, struct bridge_surface *surface);

/* --- adapter.c --------------------------------------------------------------------------------------- */

/* A device of the adapter; *functions is filled in. NULL: the driver refuses. */
HANDLE bridge_open_device(struct bridge_local *local, D3DDDI_DEVICEFUNCS *functions);
extern const struct client_umd_watch *bridge_watch; /* NULL: nobody watches */
/* The calls that follow are made for this command of a stream, or CLIENT_UMD_NO_COMMAND. */
static inline void bridge_tell_command(uint32_t offset)
{
    if (bridge_watch)
        bridge_watch->command(bridge_watch->user, offset);
}
extern LPVOID bridge_parse_unknown; /* the caller's parser of unknown commands; NULL: none */

/* Opens it, if this is the first of its users. */
HRESULT bridge_open_adapter(void);
bool bridge_is_last_user(void);
void bridge_close_adapter(void);

/* info.c */
DWORD PASCAL bridge_get_driver_info(LPDDHAL_GETDRIVERINFODATA data);
/* --- caps.c ---------------------------------------------------------------------------------------- */

/* The answers of the adapter. */
struct bridge_caps {
    HANDLE adapter;
    PFND3DDDI_GETCAPS get;
    D3DHAL_GLOBALDRIVERDATA global;
    DDSURFACEDESC textures[128];
    D3DHAL_D3DEXTENDEDCAPS extended;
    D3DCAPS8 caps8;
    struct d3d_caps9 caps9;
    bool has_caps9;
    FORMATOP *formats;
    UINT format_count, query_count;
    D3DDDIQUERYTYPE queries[64];
};
extern struct bridge_caps bridge_caps;

/* GetCaps; false: refused. */
bool bridge_ask(D3DDDICAPS_TYPE type, void *answer, size_t size);
/* The description of a format in DirectX 7 and earlier; NULL: none. */
const DDPIXELFORMAT *bridge_pixels_of(uint32_t format);
/* Reads it. DDERR_UNSUPPORTED: too little. */
HRESULT bridge_read_caps(HANDLE adapter, PFND3DDDI_GETCAPS get);
void bridge_free_caps(void);
const D3DHAL_GLOBALDRIVERDATA *bridge_global_data(void);
void bridge_ddraw_caps(DDHALINFO *info);
/* May there be surfaces of this format with these DDSCAPS_*? DD_OK, DDERR_INVALIDPIXELFORMAT. */
HRESULT bridge_check_format(uint32_t format, DWORD caps);

/* --- surfaces.c, resource.c ------------------------------------------------------------------------- */

/* Frees the object if its device and all surfaces are gone. */
void bridge_local_release(struct bridge_local *local);
void bridge_local_close(struct bridge_local *local);
void bridge_close_all(void);

/* NULL: not a surface of the bridge. */
struct bridge_surface *bridge_surface_of(const DDRAWI_DDRAWSURFACE_LCL *lcl);
static inline struct bridge_surface *bridge_named(const struct bridge_local *local, uint32_t number)
{
    return number < local->named_count ? local->named[number] : NULL;
}
/* The sub-resource for structures of the private calls; none: zeros. */
HALCYON_UMD_SURFACE bridge_place(const struct bridge_surface *surface);

/* DDERR_OUTOFMEMORY, DDERR_INVALIDPIXELFORMAT: the driver refuses. */
HRESULT bridge_resource_create(struct bridge_local *local, D3DDDIARG_CREATERESOURCE *args,
                               struct bridge_resource **resource);
/* One LCL less names it; the last one destroys it. */
void bridge_resource_release(struct bridge_resource *resource);
/* D3DFORMAT of a surface; 0: it has none that is known. */
uint32_t bridge_format(const DDRAWI_DDRAWSURFACE_LCL *lcl);
/* The size of a sub-resource of a surface, `level` levels below its first. */
struct bridge_size {
    unsigned width, height, depth;
};
struct bridge_size bridge_size_of(const DDRAWI_DDRAWSURFACE_LCL *lcl, unsigned level);
/* Where a level of a lightweight MIP map lies in the memory of its surface, whose pitches are given. */
struct bridge_level {
    size_t offset, pitch, slice_pitch, rows, row_bytes, end;
    struct bridge_size size;
};
struct bridge_level bridge_level_of(const DDRAWI_DDRAWSURFACE_LCL *lcl, uint32_t format, size_t pitch,
                                    size_t slice_pitch, unsigned level);
/* One sub-resource. flags: D3DDDI_LOCKFLAGS. */
HRESULT bridge_lock_part(struct bridge_resource *resource, unsigned part, UINT flags, D3DDDIARG_LOCK *lock);
void bridge_unlock_part(struct bridge_resource *resource, unsigned part);

DWORD PASCAL bridge_can_create_surface(LPDDHAL_CANCREATESURFACEDATA data);
DWORD PASCAL bridge_create_surface(LPDDHAL_CREATESURFACEDATA data);
DWORD PASCAL bridge_create_buffer(LPDDHAL_CREATESURFACEDATA data);
DWORD PASCAL bridge_destroy_surface(LPDDHAL_DESTROYSURFACEDATA data);
DWORD PASCAL bridge_create_surface_ex(LPDDHAL_CREATESURFACEEXDATA data);

/* --- access.c ------------------------------------------------------------------------------------------ */

DWORD PASCAL bridge_lock(LPDDHAL_LOCKDATA data);
DWORD PASCAL bridge_unlock(LPDDHAL_UNLOCKDATA data);
DWORD PASCAL bridge_blt(LPDDHAL_BLTDATA data);
DWORD PASCAL bridge_flip(LPDDHAL_FLIPDATA data);
DWORD PASCAL bridge_set_color_key(LPDDHAL_SETCOLORKEYDATA data);
DWORD PASCAL bridge_add_attached(LPDDHAL_ADDATTACHEDSURFACEDATA data);
DWORD PASCAL bridge_get_blt_status(LPDDHAL_GETBLTSTATUSDATA data);
DWORD PASCAL bridge_get_flip_status(LPDDHAL_GETFLIPSTATUSDATA data);
DWORD PASCAL bridge_access_samples(LPHALCYON_SAMPLESDATA data);
/* A copy as tokens ask for it: rectangles in the sub-resources. */
HRESULT bridge_copy(struct bridge_resource *to, unsigned to_part, const RECT *to_rect, struct bridge_resource *from,
                    unsigned from_part, const RECT *from_rect, D3DDDI_BLTFLAGS flags, uint32_t key);

/* --- objects.c, fvf.c ----------------------------------------------------------------------------------- */

/* `token`: D3DDP2OP_CREATEVERTEXSHADERDECL, D3DDP2OP_CREATEVERTEXSHADERFUNC or D3DDP2OP_CREATEPIXELSHADER. */
HANDLE bridge_handle_of(struct bridge_context *context, uint8_t token, uint32_t number); /* NULL: none */
/* The object gets this number. DDERR_OUTOFMEMORY: the driver's object is deleted. */
HRESULT bridge_keep_object(struct bridge_context *context, uint8_t token, uint32_t number, HANDLE handle);
void bridge_delete_object(struct bridge_context *context, uint8_t token, HANDLE handle);
void bridge_delete_number(struct bridge_context *context, uint8_t token, uint32_t number); /* if there is one */
/* The tables of a new context; bridge_free_objects ends them. */
void bridge_init_objects(struct bridge_context *context);
struct base_map *bridge_map_of(struct bridge_context *context, uint8_t token);
HRESULT bridge_make_declaration(struct bridge_context *context, const D3DDDIVERTEXELEMENT *elements, unsigned count,
                                HANDLE *handle);
void bridge_free_shader8(struct bridge_context *context, struct bridge_shader8 *shader);
void bridge_free_objects(struct bridge_context *context);
/* The declaration of a vertex format; NULL: it is none. */
HANDLE bridge_format_declaration(struct bridge_context *context, uint32_t fvf);

/* --- binding.c -------------------------------------------------------------------------------------------- */

/* The state that a token of these BRIDGE_* parts sets: of the block that is recorded, or of the context. */
struct bridge_state *bridge_writes(struct bridge_context *context, uint32_t parts);
/* Binds what the state says. */
void bridge_bind_shader(struct bridge_context *context, const struct bridge_state *state);
void bridge_bind_stream(struct bridge_context *context, unsigned stream, const struct bridge_stream *source);
void bridge_bind_indices(struct bridge_context *context, const struct bridge_state *state);
/* Binds again what is stale. */
void bridge_settle(struct bridge_context *context);

/* --- stream.c ------------------------------------------------------------------------------------------- */

/* One DrawPrimitives2 call. */
struct bridge_call {
    struct bridge_local *local;
    struct bridge_context *context;
    HANDLE device;
    const D3DDDI_DEVICEFUNCS *f;
    const D3DHAL_DRAWPRIMITIVES2DATA *data;
    const uint8_t *commands; /* of the call */
    uint32_t command_bytes;
    const uint8_t *vertices; /* NULL: none */
    size_t vertex_bytes;
    bool is_uploaded; /* they are in local->vertices, and bound as old draws read them */
    uint32_t uploaded_at;
    uint32_t flushed_at; /* offset of the first command after the last flush */
    uint32_t offset;     /* of the command that is played */
    HRESULT failed;      /* of a flush in the middle */
    uint32_t failed_at;
};

DWORD PASCAL bridge_draw_primitives2(LPD3DHAL_DRAWPRIMITIVES2DATA data);
/* failures.c. Sends what was collected, so that later failures are not confused with those. */
HRESULT bridge_call_flush(struct bridge_call *call);

typedef HRESULT bridge_token(struct bridge_call *call, const struct dp2_command *command);

/* states.c */
bridge_token bridge_render_state, bridge_stage_state, bridge_viewport, bridge_w_info, bridge_palette,
    bridge_update_palette, bridge_token_clear, bridge_z_range, bridge_material, bridge_set_light, bridge_create_light,
    bridge_set_transform, bridge_multiply_transform, bridge_clip_plane, bridge_scissor, bridge_priority,
    bridge_render_target, bridge_render_target2, bridge_depth_stencil, bridge_state_set, bridge_set_feedback,
    bridge_marker, bridge_surface_token;
/* shaders.c */
bridge_token bridge_create_shader8, bridge_delete_shader8, bridge_set_shader8, bridge_create_declaration,
    bridge_delete_declaration, bridge_set_declaration, bridge_create_function, bridge_delete_function,
    bridge_set_function, bridge_create_pixel, bridge_delete_pixel, bridge_set_pixel, bridge_constants;
/* draws.c */
bridge_token bridge_stream_source, bridge_stream_source2, bridge_stream_source_um, bridge_stream_frequency,
    bridge_indices, bridge_draw, bridge_draw_indexed, bridge_draw2, bridge_draw_indexed2, bridge_clipped_fan,
    bridge_rect_patch, bridge_tri_patch;
/* Puts vertices at the end of the device's buffer. False: out of memory. */
bool bridge_upload(struct bridge_call *call, const uint8_t *vertices, size_t bytes, uint32_t *offset);
/* legacy.c */
bridge_token bridge_legacy_points, bridge_legacy_draw, bridge_legacy_indexed, bridge_legacy_inline, bridge_span;
/* copies.c */
bridge_token bridge_tex_blt, bridge_volume_blt, bridge_buffer_blt, bridge_token_blt, bridge_color_fill,
    bridge_mip_sublevels, bridge_convolution, bridge_compose;
/* queries.c */
bridge_token bridge_create_query, bridge_delete_query, bridge_issue_query;
/* Writes answers over the commands. Returns their bytes. */
uint32_t bridge_respond(struct bridge_call *call, uint8_t *out, size_t room);

#endif
