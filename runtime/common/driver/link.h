/* SPDX-License-Identifier: MIT */
/*
 * The runtime's connection to the driver, and the only part of it that talks through the DDI
 * (client/client.h). An rt_link is one device of an rt_adapter: a DirectDraw object with its surface
 * handles, a context, and the DrawPrimitives2 batch being built. An rt_chain is the driver's side of one
 * resource: all levels and faces, one handle.
 *
 * Calls are made by one thread at a time (the API layer locks).
 */
#ifndef HALCYON_RUNTIME_LINK_H
#define HALCYON_RUNTIME_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/common/driver/adapter.h"
#include "runtime/common/driver/load.h"

struct client;
struct client_blt_effects;

/* --- a device -------------------------------------------------------------------------- */

struct rt_link;
struct rt_chain;

struct rt_link *rt_link_open(struct rt_adapter *adapter);
void rt_link_close(struct rt_link *link);
struct rt_adapter *rt_link_adapter(const struct rt_link *link);
struct client *rt_link_client(struct rt_link *link);
/* The context is made when the first target is known, and again after a reset; it is of the level that the adapter's rules say. */
bool rt_link_create_context(struct rt_link *link, struct rt_chain *target, unsigned part, struct rt_chain *depth,
                            unsigned depth_part);
void rt_link_destroy_context(struct rt_link *link);
bool rt_link_has_context(const struct rt_link *link);
HRESULT rt_link_validate(struct rt_link *link, DWORD *passes);
/* Sends the batch, then has the driver process vertices of the bound streams; `context` is filled in here. */
HRESULT rt_link_process_vertices(struct rt_link *link, struct client_process *process);
/* Asks the driver what it has drawn for this device; false if the driver does not report that, or without a context. */
bool rt_link_work(struct rt_link *link, HALCYON_WORK *work);
/* Asks the driver what machine code it has made; false if the driver does not report that. */
bool rt_link_code(struct rt_link *link, HALCYON_CODE *code);
/* Asks for a capture of the next `frames` frames, 0: of none. HALCYON_CAPTURE_*: what the driver captures. */
unsigned rt_link_capture(struct rt_link *link, unsigned frames);
/* Bytes of texture memory, and how many of them are free; 0 if the driver does not say. */
void rt_link_texture_memory(struct rt_link *link, uint32_t *total, uint32_t *free);

/* Appends to the batch, flushing it first when it is full. rt_put with a NULL body returns the
 * place to fill; it is valid until the next call. */
void *rt_put(struct rt_link *link, uint8_t token, uint16_t count, const void *body, size_t size);
void rt_put_entry(struct rt_link *link, uint8_t token, const void *entry, size_t size);
/* Number of the batch being built, from 1 on. */
uint32_t rt_link_batch(const struct rt_link *link);
/* Sends the batch. The first error since the last call, or D3D_OK. */
HRESULT rt_flush(struct rt_link *link);
/* Sends the batch, or an empty one, and fetches answers to queries that did not fit the last time (RESPONSECONTINUE). */
void rt_flush_answers(struct rt_link *link);

/* Makes room for `bytes` more, so that the next commands stay in one batch with the vertices. */
void rt_reserve(struct rt_link *link, size_t bytes);

/* Copies vertices for a user-memory draw after those already in the batch; *first is the index of the first one in
 * the UM stream. reach: bytes that the draw reads of each vertex; if more than the stride, zeros separate the last
 * vertices from the next draw's. Flushes when the stride changes or the room is used up. False: out of memory. */
bool rt_put_user_vertices(struct rt_link *link, const void *vertices, unsigned count, unsigned stride, unsigned reach,
                          uint32_t *first);

/* --- chains ---------------------------------------------------------------------------- */

enum rt_chain_kind {
    RT_CHAIN_TEXTURE, /* 2D; faces = 6: cube */
    RT_CHAIN_VOLUME,
    RT_CHAIN_TARGET,
    RT_CHAIN_DEPTH,
    RT_CHAIN_SWAP,  /* front buffer (part 0) and back buffers (parts 1...) */
    RT_CHAIN_PLAIN, /* image surface */
    RT_CHAIN_VERTEX,
    RT_CHAIN_INDEX,
};

enum rt_chain_memory {
    RT_MEMORY_VIDEO,    /* the driver's */
    RT_MEMORY_SYSTEM,   /* ours, announced to the driver */
    RT_MEMORY_UNSHARED, /* ours, never announced to the driver (RT_POOL_SCRATCH) */
};

struct rt_chain_desc {
    enum rt_chain_kind kind;
    enum rt_chain_memory memory;
    uint32_t format;
    unsigned width, height, depth; /* buffers: width = bytes */
    unsigned levels, faces;        /* SWAP: levels = number of surfaces */
    unsigned samples;              /* D3DMULTISAMPLE_TYPE */
    uint32_t fvf;
    bool is_target; /* textures that are drawn to */
    bool is_depth;  /* textures that serve as depth buffer */
    bool dynamic;
    bool is_hidden;         /* SWAP: is never on the screen, so that it may lie in system memory and have any format */
    bool is_texture;        /* SWAP, hidden: each surface is a texture of one level */
    unsigned row_alignment; /* bytes of which pitches of system chains are multiples, a power of two; 0: 4 */
    /* The program's memory for the one part of a system chain, with rows of user_pitch bytes; NULL: ours. */
    void *user_memory;
    size_t user_pitch;
};

struct rt_part {
    struct client_surface
        *surface; /* the driver's side; NULL: unshared, or a level in the surface of its face's first one */
    unsigned width, height, depth;
    uint8_t *memory; /* of system chains; NULL for the driver's */
    size_t pitch, slice_pitch;
    /* In the part whose surface holds all levels of a face: how many of them are locked, and the D3DLOCK_* for all of them. */
    unsigned locks;
    DWORD lock_flags;
};

struct rt_chain {
    struct rt_link *link;
    struct rt_chain_desc desc;
    struct client_chain *client; /* owns the surfaces of the parts; NULL if unshared */
    uint8_t *memory;             /* system chains: all parts, contiguous */
    bool is_light; /* a lightweight MIP map: the levels of a face are one surface (rt_driver_rules.light_mips) */
    unsigned part_count;
    struct rt_part parts[]; /* [face * levels + level] */
};

HRESULT rt_chain_create(struct rt_link *link, const struct rt_chain_desc *desc, struct rt_chain **chain);
void rt_chain_destroy(struct rt_chain *chain);
/* Bytes of all its parts. */
uint64_t rt_chain_bytes(const struct rt_chain *chain);
/* 0: unshared, or a level of a lightweight MIP map other than the first. */
uint32_t rt_chain_handle(const struct rt_chain *chain, unsigned part);

/* SetSurfaceDesc: other memory of the program for a part of a system or unshared chain that is not a buffer: `width` x `height` texels
 * of `format`, which of several parts is that of the chain, in rows (of blocks) of `pitch` bytes. The driver has no use of the memory
 * before when this returns, and memory of the runtime's is freed with the last part. E_INVALIDARG: a chain or memory of another kind;
 * DDERR_SURFACEBUSY: the driver knows the part, and it is locked; the driver's errors. On an error the chain is as before. */
HRESULT rt_chain_rebind(struct rt_chain *chain, unsigned part, void *memory, size_t pitch, unsigned width,
                        unsigned height, uint32_t format);

struct rt_mapping {
    uint8_t *bits;
    size_t pitch, slice_pitch;
};
/* `flags` are D3DLOCK_*. `bits` is the start of the part, whatever is locked. */
HRESULT rt_chain_lock(struct rt_chain *chain, unsigned part, DWORD flags, struct rt_mapping *mapping);
void rt_chain_unlock(struct rt_chain *chain, unsigned part);

/* Through DDI Blt if the driver knows both and neither is a lightweight MIP map, else a plain copy; `flags` adds DDBLT_*. Same
 * format; only the driver stretches. */
HRESULT rt_chain_blt(struct rt_chain *destination, unsigned destination_part, const RECT *destination_rect,
                     struct rt_chain *source, unsigned source_part, const RECT *source_rect, DWORD flags);
/* The same with keys, mirrors and a clip list, and between formats: DDI Blt. Both parts have surfaces of one client. */
HRESULT rt_chain_blt_with(struct rt_chain *destination, unsigned destination_part, const RECT *destination_rect,
                          struct rt_chain *source, unsigned source_part, const RECT *source_rect,
                          const struct client_blt_effects *effects);
/* A rectangle of a part that has a surface of the driver; value: a pixel of its format, or of a depth buffer. */
HRESULT rt_chain_fill(struct rt_chain *chain, unsigned part, const RECT *rect, bool is_depth, uint32_t value);
/* The bytes of one part into another of the same size and pixel size. */
HRESULT rt_chain_copy(struct rt_chain *destination, unsigned destination_part, struct rt_chain *source,
                      unsigned source_part);
/* Swap chains: back buffer 0 becomes the front, the front the last back buffer. */
HRESULT rt_chain_flip(struct rt_chain *chain);
/* Two parts exchange their memory: the first ones of chains of one size and format, or parts of one chain. In system memory they must
 * be parts of one chain, or two chains of one part each. DDERR_NOTFLIPPABLE: they are not, or differ. */
HRESULT rt_chain_exchange(struct rt_chain *front, unsigned front_part, struct rt_chain *other, unsigned other_part);

#endif
