/* SPDX-License-Identifier: MIT */
/* Vertex and index buffers. Those of D3DPOOL_MANAGED are ours, with a copy of the driver's that follows them by BUFFERBLT once
 * they are drawn with (DirectX 8 DDI document, "Vertex Buffer Creation Handling"). All others live with the driver: it reads
 * them while it executes a batch, so a lock need only send the batch first. */
#ifndef HALCYON_RUNTIME_BUFFER_H
#define HALCYON_RUNTIME_BUFFER_H

#include "d3d/types.h"
#include "runtime/common/driver/link.h"
#include "runtime/common/object/object.h"

struct rt_buffer_desc {
    D3DRESOURCETYPE type; /* VERTEXBUFFER, INDEXBUFFER */
    unsigned length;      /* bytes */
    DWORD usage, fvf;     /* fvf: 0 for index buffers */
    uint32_t format;      /* VERTEXDATA, INDEX16, INDEX32 */
    D3DPOOL pool;
};

struct rt_overrun;

struct rt_buffer {
    RT_OBJECT;
    struct rt_chain *chain;        /* the program's memory: of MANAGED ones ours, of others the driver's */
    struct rt_chain *video;        /* of MANAGED ones the driver's, from when they are first drawn with */
    uint32_t handle;               /* the driver's, of what is drawn with; 0: no copy of a MANAGED one yet */
    unsigned dirty_from, dirty_to; /* bytes of `chain` that `video` lacks; to <= from: none */
    uint32_t copied_in;            /* rt_link_batch of the last BUFFERBLT from `chain` */
    struct rt_buffer_desc desc;
    unsigned locks;              /* locks nest */
    uint8_t *bits;               /* while locked */
    struct rt_overrun *overruns; /* locks beyond its end */
    bool keep_on_discard;
    bool transformed; /* holds what ProcessVertices made, and nobody has written it since */
};

/* With a COM reference. D3DERR_INVALIDCALL for no bytes, for D3DPOOL_SCRATCH, for usage of targets and for a dynamic managed
 * buffer: rules that both versions have. *buffer becomes NULL on failure. */
HRESULT rt_buffer_create(struct rt_device *device, const struct rt_buffer_desc *desc, struct rt_buffer **buffer);
/* The driver's handle, for binding. Makes the driver's side of a managed buffer and uploads what it lacks. */
uint32_t rt_buffer_handle(struct rt_resource *resource);
/* Before a draw: copies what changed of a managed buffer to the driver's side. True: it will have to be looked at again,
 * because it is locked. */
bool rt_buffer_upload(struct rt_buffer *buffer);
/* ProcessVertices has written these bytes. */
void rt_buffer_transformed(struct rt_buffer *buffer, unsigned offset, unsigned size);

DWORD WINAPI rt_buffer_SetPriority(void *iface, DWORD priority);
D3DRESOURCETYPE WINAPI rt_buffer_GetType(void *iface);
/* Locks nest, and may reach beyond the end (buffer_overrun.c). flags: any. */
HRESULT WINAPI rt_buffer_Lock(void *iface, UINT offset, UINT size, void **data, DWORD flags);
HRESULT WINAPI rt_buffer_Unlock(void *iface);

/* buffer_overrun.c */
/* Memory for a lock of [offset, offset + size), size 0: all from offset on, which is not inside the buffer. It begins with the
 * bytes of the buffer that it covers; those that the program changes reach the buffer when it is unlocked. The buffer is
 * locked. NULL: too much. */
uint8_t *rt_overrun_add(struct rt_buffer *buffer, unsigned offset, unsigned size, DWORD flags);
/* The last lock of the buffer ends. The memory stays until the next such lock: programs write late, too. */
void rt_overruns_finish(struct rt_buffer *buffer);
void rt_overruns_free(struct rt_buffer *buffer);

static inline struct rt_buffer *rt_buffer_of(void *iface)
{
    return iface;
}

#endif
