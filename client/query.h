/* SPDX-License-Identifier: MIT */
/*
 * A query and its answer, as callers of a driver keep them. Queries are begun and ended by tokens, and the driver answers them in the
 * command buffer of a later call (docs/reference/command-stream.md, section 5; client/batch.h gives the answers to its owner).
 */
#ifndef HALCYON_CLIENT_QUERY_H
#define HALCYON_CLIENT_QUERY_H

#include <stddef.h>
#include <stdint.h>

#define CLIENT_ANSWER_BYTES 16 /* of the longest answer */

/* D3DQUERYTYPE and D3DISSUE_* */
enum client_query_type {
    CLIENT_QUERY_VCACHE = 4,
    CLIENT_QUERY_VERTEXSTATS = 6,
    CLIENT_QUERY_EVENT = 8,
    CLIENT_QUERY_OCCLUSION,
    CLIENT_QUERY_TIMESTAMP,
    CLIENT_QUERY_TIMESTAMPDISJOINT,
    CLIENT_QUERY_TIMESTAMPFREQ,
};
enum { CLIENT_ISSUE_END = 1, CLIENT_ISSUE_BEGIN = 2 };

enum client_query_state {
    CLIENT_QUERY_FRESH, /* never issued */
    CLIENT_QUERY_BEGUN,
    CLIENT_QUERY_ENDED, /* the answer is under way */
    CLIENT_QUERY_ANSWERED,
    CLIENT_QUERY_LOST, /* the context is destroyed */
};

struct client_query {
    uint32_t type, id; /* D3DQUERYTYPE; the number in the stream */
    enum client_query_state state;
    uint8_t answer[CLIENT_ANSWER_BYTES]; /* if answered */
};

/* Bytes of an answer to this D3DQUERYTYPE; 0: no such type. */
uint32_t client_query_bytes(uint32_t type);
/* An answer comes after the batch with the last end has been sent. A query that has begun again no longer needs it. */
void client_query_take(struct client_query *query, const uint8_t *data, uint32_t bytes);
/* The answer will never come: answers a query that has ended as if nothing had been drawn, so that nobody waits for it. */
void client_query_give_up(struct client_query *query);

#endif
