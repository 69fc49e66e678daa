/* SPDX-License-Identifier: MIT */
/*
 * A batch: commands for DrawPrimitives2 that are collected in a command buffer, with the vertices that its draws from user memory read,
 * and sent together. Commands after one that fails are sent in another call. Answers to queries, which the driver writes over
 * the commands, go to the batch's owner.
 *
 * Calls for one batch must come from one thread at a time.
 */
#ifndef HALCYON_CLIENT_BATCH_H
#define HALCYON_CLIENT_BATCH_H

#include "base/bytes.h"
#include "client/client.h"
#include "dp2/dp2.h"

/* A command with its body must fit. */
#define CLIENT_BATCH_BYTES (256u * 1024)

struct client_batch {
    struct client *client;
    struct client_chain *commands;
    uintptr_t context; /* 0: what is sent is dropped */
    /* The owner's; may be NULL. answer: `bytes` bytes for the query `id`. refused: a call failed, so some answers never come. */
    void (*answer)(void *owner, uint32_t id, const uint8_t *data, uint32_t bytes);
    void (*refused)(void *owner);
    void *owner;
    uint32_t sent; /* number of batches */
    HRESULT error; /* the first since the last client_batch_flush */
    bool stops;    /* drop the commands after one that fails */
    struct {
        HRESULT result;
        uint8_t token;
        uint32_t place; /* how many entries of the token came before the command that failed, in its batch */
    } failure;          /* the last one, with `stops` */
    bool more_answers;  /* the driver holds answers that did not fit into the command buffer */
    /* private */
    struct dp2_builder builder; /* has no room unless `building` */
    bool building;              /* the command buffer is locked */
    uint8_t *user;              /* vertices of draws from user memory */
    size_t user_capacity, user_bytes;
    unsigned user_stride, user_count;
};

/* A batch without a context. DDERR_OUTOFMEMORY. */
HRESULT client_batch_open(struct client_batch *batch, struct client *client);
/* Drops what was not sent. A zeroed batch is fine. */
void client_batch_close(struct client_batch *batch);

/* Sends the batch. Returns the first error since the last call, or DD_OK. */
HRESULT client_batch_flush(struct client_batch *batch);
/* Reads the answers that a driver has written, and gives them to the owner. Answers that do not parse are dropped with a warning.
 * Returns whether the driver holds more of them. */
bool client_batch_read(struct client_batch *batch, const uint8_t *response, size_t bytes);
/* Sends the batch, or an empty one, until the driver holds no answers any more. At most `calls` calls. */
void client_batch_flush_answers(struct client_batch *batch, unsigned calls);
/* Makes room for `bytes`, so that the next commands stay in one batch with the vertices. */
void client_batch_reserve(struct client_batch *batch, size_t bytes);

/* Appends a command with its whole body, after sending the batch if it is full. Returns the body's place, which is valid until the next
 * call and is filled in by the caller if `body` is NULL; NULL: no memory, or more than a batch holds. */
void *client_batch_put(struct client_batch *batch, uint8_t token, uint16_t count, const void *body, size_t size);
/* The place of one entry in a new batch, after sending the one that is being built. NULL: as above. */
void *client_batch_put_first(struct client_batch *batch, uint8_t token, size_t size);
/* Appends one entry of DWORDs; entries of one token that follow each other become one command. False: as above. */
static inline bool client_batch_put_entry(struct client_batch *batch, uint8_t token, const void *entry, size_t size)
{
    void *place = dp2_put_entry(&batch->builder, token, size);

    if (!place)
        place = client_batch_put_first(batch, token, size);
    if (place)
        base_copy_dwords(place, entry, size);
    return place;
}

/* Copies vertices for a draw from user memory after those already in the batch; *first is the index of the first one in the stream.
 * reach: bytes that the draw reads of each vertex; if more than the stride, zeros separate the last vertices from the next draw's.
 * Sends the batch when the stride changes or the room is used up. False: out of memory. */
bool client_batch_put_vertices(struct client_batch *batch, const void *vertices, unsigned count, unsigned stride,
                               unsigned reach, uint32_t *first);

#endif
