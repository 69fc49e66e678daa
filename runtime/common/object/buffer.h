/* SPDX-License-Identifier: MIT */
/* Vertex and index buffers. Those of RT_POOL_MANAGED are ours, with a copy of the driver's that follows them by BUFFERBLT once
 * they are drawn with (DirectX 8 DDI document, "Vertex Buffer Creation Handling"). All others live with the driver: it reads
 * them while it executes a batch, so a lock need only send the batch first. */
#ifndef HALCYON_RUNTIME_BUFFER_H
#define HALCYON_RUNTIME_BUFFER_H

#include "d3d/types.h"
#include "runtime/common/driver/link.h"
#include "runtime/common/object/object.h"
#include "runtime/common/object/pool.h"

struct rt_buffer_desc {
    D3DRESOURCETYPE type; /* VERTEXBUFFER, INDEXBUFFER */
    unsigned length;      /* bytes */
    DWORD usage, fvf;     /* fvf: 0 for index buffers */
    uint32_t format;      /* VERTEXDATA, INDEX16, INDEX32 */
    uint32_t pool;        /* enum rt_pool */
};

struct rt_overrun;

struct rt_buffer {
    RT_OBJECT;
    struct rt_chain *chain; /* the memory that programs lock: ours for MANAGED buffers, else the driver's */
    struct rt_chain *video; /* driver's copy of a MANAGED buffer, from its first draw on */
    uint32_t handle;        /* the driver's, of the chain that draws use; 0: a MANAGED buffer without a copy yet */
    unsigned dirty_from, dirty_to; /* bytes of `chain` that `video` lacks; to <= from: none */
    uint32_t copied_in;            /* rt_link_batch of the last BUFFERBLT from `chain` */
    struct rt_buffer_desc desc;
    unsigned locks;              /* locks nest */
    uint8_t *bits;               /* while locked */
    struct rt_overrun *overruns; /* for locks beyond its end */
    bool keep_on_discard;
    bool transformed; /* holds results of ProcessVertices, unchanged since */
};

/* With a COM reference. D3DERR_INVALIDCALL, in both versions, for no bytes, RT_POOL_SCRATCH, usage of targets, or a
 * dynamic managed buffer. *buffer becomes NULL on failure. */
HRESULT rt_buffer_create(struct rt_device *device, const struct rt_buffer_desc *desc, struct rt_buffer **buffer);
/* The driver's handle, for binding. Makes the driver's copy of a managed buffer if needed and brings it up to date. */
uint32_t rt_buffer_handle(struct rt_resource *resource);
/* Before a draw: uploads the changed bytes of a managed buffer. Returns true if the buffer is locked, so the next
 * draw must call this again. */
bool rt_buffer_upload(struct rt_buffer *buffer);
/* Its bytes, to be read by the runtime; rt_buffer_read_end ends that. NULL: the driver does not give them. */
const uint8_t *rt_buffer_read(struct rt_buffer *buffer);
void rt_buffer_read_end(struct rt_buffer *buffer);
/* ProcessVertices has written these bytes. */
void rt_buffer_transformed(struct rt_buffer *buffer, unsigned offset, unsigned size);

DWORD WINAPI rt_buffer_SetPriority(void *iface, DWORD priority);
D3DRESOURCETYPE WINAPI rt_buffer_GetType(void *iface);
/* Locks nest, and may reach beyond the end (buffer_overrun.c). flags: any. */
HRESULT WINAPI rt_buffer_Lock(void *iface, UINT offset, UINT size, void **data, DWORD flags);
HRESULT WINAPI rt_buffer_Unlock(void *iface);

/* buffer_overrun.c */
/* Memory for a lock of [offset, offset + size) that reaches beyond the buffer; size 0: all from offset on. It begins
 * with the bytes of the buffer that the lock covers; bytes that the program changes are copied back at unlock. The
 * buffer is locked. NULL: too large. */
uint8_t *rt_overrun_add(struct rt_buffer *buffer, unsigned offset, unsigned size, DWORD flags);
/* The last lock of the buffer ends. The memory stays until the next such lock: programs write late, too. */
void rt_overruns_finish(struct rt_buffer *buffer);
void rt_overruns_free(struct rt_buffer *buffer);

static inline struct rt_buffer *rt_buffer_of(void *iface)
{
    return iface;
}

#endif
