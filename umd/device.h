/* SPDX-License-Identifier: MIT */
/*
 * Between the files of umd/: the objects that handles name, and what every function of a device does first and last.
 *
 *   umd_adapter    one OpenAdapter: the driver's tables and reports, which its devices share
 *   umd_device     one caller of the command stream: a client, its batch, a context
 *   umd_resource   the surfaces of one CreateResource; a sub-resource is one of them
 *
 * A function begins with umd_enter, which lets one call at a time into a device, and ends with umd_leave. A call that comes while
 * another one is inside, from another thread or from a callback, gets E_FAIL.
 */
#ifndef HALCYON_UMD_DEVICE_H
#define HALCYON_UMD_DEVICE_H

#include "base/assert.h"
#include "base/base.h"
#include "client/batch.h"
#include "client/query.h"
#include "client/client.h"
#include "d3d/bindings.h"
#include "d3d/umd.h"
#include "umd/handles.h"

/* Codes of Direct3D 9, whose header excludes that of 8 */
#define UMD_NOT_AVAILABLE  ((HRESULT)0x8876086A) /* D3DERR_NOTAVAILABLE */
#define UMD_INTERNAL_ERROR ((HRESULT)0x88760827) /* D3DERR_DRIVERINTERNALERROR: docs/limits.md */

/* Arguments that are the entry of a token, as they are. */
#define UMD_SAME_SIZE(argument, entry) _Static_assert(sizeof(argument) == sizeof(entry), #argument)

struct umd_adapter {
    HANDLE handle;  /* the driver's */
    HANDLE runtime; /* the runtime's */
    struct client_driver driver;
    unsigned devices;
};

/* Streams as draws need to know them: the vertices of draws from the caller's memory are copied. */
struct umd_stream {
    const uint8_t *memory; /* not NULL: the caller's vertices */
    uint32_t stride;       /* bytes */
    bool bound;            /* to a buffer */
};

/* A vertex shader, a pixel shader or a declaration. */
struct umd_shader {
    uint32_t number;             /* by which streams name it: odd */
    uint32_t reach[D3D_STREAMS]; /* declarations: bytes that are read of a vertex of each stream */
};

struct umd_state_block {
    uint32_t number;
    uint32_t streams_set; /* bit s: while it was recorded, stream s was bound */
    struct umd_stream streams[D3D_STREAMS];
    bool indices_set;   /* while it was recorded, an index buffer was bound, or none */
    HANDLE declaration; /* that was set meanwhile; NULL: none */
};

/* A context of the driver, with those settings of it that later functions need. */
struct umd_context {
    uintptr_t context;                 /* 0: none */
    struct umd_state_block *recording; /* between BEGIN and END */
    struct umd_stream streams[D3D_STREAMS];
    uint32_t streams_of_caller; /* bit s: stream s is memory of the caller */
    HANDLE declaration;
    const uint8_t *indices; /* of the caller; NULL: those of the buffer that is set */
    uint32_t index_size;    /* bytes; of those */
    bool has_index_block;   /* state block that keeps the indices while the ring is set */
};

struct umd_device {
    struct umd_adapter *adapter;
    HANDLE handle;     /* the driver's */
    HANDLE runtime;    /* the runtime's, for callbacks */
    bool held, inside; /* a thread holds the device, and is in a call of it (umd_handle_hold) */
    D3DDDI_DEVICECALLBACKS callbacks;
    HANDLE kernel_context; /* from pfnCreateContextCb; NULL */
    struct client *client;
    struct client_chain *nowhere; /* the target while the runtime has set none: 1 x 1 */
    struct client_batch batch;
    HRESULT error;             /* the first of a batch that no function has returned yet */
    struct umd_context now;    /* the context that is selected */
    struct client_chain *ring; /* indices of the caller on their way to a draw */
    uint32_t ring_bytes, ring_used;
    unsigned waiting;             /* queries without their answer */
    unsigned selected;            /* its number */
    unsigned context_count;       /* places below */
    struct umd_context *contexts; /* by number; that of the selected one is old */
};

struct umd_part {
    struct client_surface *surface; /* NULL: an opened allocation that the process cannot reach */
    unsigned locks;
    uint8_t *memory; /* of the first lock: its first byte */
    size_t pitch, slice_pitch;
    D3DKMT_HANDLE allocation; /* 0: none */
    bool kernel_lock;         /* its memory came from pfnLockCb */
};

struct umd_resource {
    struct umd_device *device;
    HANDLE handle;  /* the driver's */
    HANDLE runtime; /* the runtime's, for callbacks */
    D3DDDI_RESOURCEFLAGS flags;
    D3DDDIFORMAT format;
    bool is_texture, is_buffer, in_system_memory, has_allocations, opened;
    unsigned levels, faces; /* that the caller counts */
    unsigned chain_count;
    struct client_chain **chains; /* one of all parts, or one for each */
    struct client_chain *screen;  /* that shows its pixels when the window system decides where */
    unsigned count;
    struct umd_part parts[]; /* by sub-resource index */
};

/* --- entry.c ------------------------------------------------------------------------------------- */

/* The code that the interface has for the result of a call: DirectDraw's own become E_FAIL. */
HRESULT umd_result(HRESULT result);
/* E_FAIL, after a line in the log, the first time. */
HRESULT umd_refuse(const char *function, const char *why);
#define UMD_REFUSE(why) umd_refuse(__func__, why)

/* The first step of every function of a device. NULL: not a device, or in use. */
static inline struct umd_device *umd_enter(HANDLE handle)
{
    struct umd_device *device = umd_handle_enter(handle, UMD_DEVICE, true);

    if (!device)
        UMD_REFUSE("not a device, or another call is inside");
    return device;
}

/* The last one. Returns `result`. NULL is fine. */
static inline HRESULT umd_leave(struct umd_device *device, HRESULT result)
{
    if (device && device->held)
        device->inside = false;
    else if (device)
        umd_handle_leave(device->handle);
    return result;
}

/* Sends the batch; its error is kept for umd_take_error. */
void umd_send(struct umd_device *device);
/* Sends the pending batch, then the command, and returns that command's own result. */
HRESULT umd_send_alone(struct umd_device *device, uint8_t token, const void *body, size_t size);
/* The error that was kept, or S_OK; it is forgotten. */
HRESULT umd_take_error(struct umd_device *device);
/* Are commands dropped, because one before them has failed (HALCYON_UMD_BATCH)? */
static inline bool umd_drops(const struct umd_device *device)
{
    return device->batch.stops && FAILED(device->error);
}
/* The place of a command of one entry, with its data `size` bytes, in a batch that has no room for it. NULL: out of memory, or the batch
 * drops commands. */
uint8_t *umd_place_first(struct umd_device *device, uint8_t token, size_t size);
/* Appends one entry of DWORDs. S_OK, or E_OUTOFMEMORY. */
static inline HRESULT umd_put(struct umd_device *device, uint8_t token, const void *entry, size_t size)
{
    uint8_t *place = dp2_put_entry(&device->batch.builder, token, size);

    BASE_ASSERT(!place || !umd_drops(device)); /* nothing has been begun since the failure */
    if (!place)
        place = umd_place_first(device, token, size);
    if (!place)
        return umd_drops(device) ? S_OK : E_OUTOFMEMORY;
    base_copy_dwords(place, entry, size);
    return S_OK;
}
/* A function that does nothing more than that. entry NULL: E_FAIL. */
HRESULT umd_put_by_handle(HANDLE device, uint8_t token, const void *entry, size_t size);
/* Appends a command of one entry, DWORDs followed by `bytes` of data. S_OK, or E_OUTOFMEMORY. */
static inline HRESULT umd_put_with_data(struct umd_device *device, uint8_t token, const void *entry, size_t size,
                                        const void *data, size_t bytes)
{
    uint8_t *place = dp2_put(&device->batch.builder, token, 1, NULL, size + bytes);

    if (!place)
        place = umd_place_first(device, token, size + bytes);
    if (!place)
        return umd_drops(device) ? S_OK : E_OUTOFMEMORY;
    base_copy_dwords(place, entry, size);
    if (bytes)
        base_copy_short(place + size, data, bytes);
    return S_OK;
}

/* --- resource.c -------------------------------------------------------------------------------- */

/* NULL: not a resource of the device. */
static inline struct umd_resource *umd_find_resource(const struct umd_device *device, HANDLE handle)
{
    return umd_handle_get(handle, UMD_RESOURCE, device);
}
/* NULL: no resource of the device, or it has no such part in the process. */
struct umd_part *umd_find_part(const struct umd_device *device, HANDLE handle, UINT index);
/* The surface by which a stream names the whole resource; NULL: none. */
static inline struct client_surface *umd_top(const struct umd_resource *resource)
{
    return resource->parts[0].surface;
}
void umd_resource_free(struct umd_resource *resource);

/* --- others --------------------------------------------------------------------------------------- */

/* caps.c */
HRESULT APIENTRY umd_get_caps(HANDLE adapter, const D3DDDIARG_GETCAPS *data);
bool umd_has_query(const struct client_driver *driver, uint32_t type);
/* device.c. *device: the driver's handle. */
HRESULT umd_open_device(struct umd_adapter *adapter, HANDLE runtime, const D3DDDI_DEVICECALLBACKS *callbacks,
                        HANDLE *device);
/* private.c. False: `id` is not of d3d/umd_private.h. */
bool umd_private_info(struct umd_device *device, UINT id, void *answer, UINT size, HRESULT *result);
/* query.c */
void umd_take_answer(void *device, uint32_t number, const uint8_t *data, uint32_t bytes);
void umd_refuse_answers(void *device);
/* draw.c */
void umd_free_ring(struct umd_device *device);
/* Draws find this state at the stream, which is below D3D_STREAMS. */
void umd_bind_stream(struct umd_device *device, unsigned stream, struct umd_stream state);
/* table.c */
extern const D3DDDI_DEVICEFUNCS umd_device_functions;

/* The functions of a device, each in the file that its subject names. */
#define FUNCTION(number, Name, NAME, HOW, through, parameters) HRESULT APIENTRY umd_##Name parameters;
#include "d3d/umd_functions.def"

#endif
