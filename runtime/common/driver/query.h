/* SPDX-License-Identifier: MIT */
/*
 * Queries of Direct3D 9: created, begun and ended by tokens, answered in the command buffer of a later DrawPrimitives2
 * (docs/reference/command-stream.md, section 5). An rt_query belongs to its link and must be destroyed before it. Calls
 * are made by one thread at a time.
 */
#ifndef HALCYON_RUNTIME_QUERY_H
#define HALCYON_RUNTIME_QUERY_H

#include "runtime/common/driver/link.h"

struct rt_query;

/* Bytes of an answer to this D3DQUERYTYPE; 0: no such type. */
uint32_t rt_query_size(uint32_t type);
/* D3DERR_NOTAVAILABLE: the driver does not offer the type; E_OUTOFMEMORY also where the driver has no room. */
HRESULT rt_query_create(struct rt_link *link, uint32_t type, struct rt_query **query);
/* NULL is fine. An answer under way goes with it. */
void rt_query_destroy(struct rt_query *query);
uint32_t rt_query_type(const struct rt_query *query);
/* flags: D3DISSUE_END 1, D3DISSUE_BEGIN 2. Beginning a query that has begun restarts it; ending one that has not
 * begun is fine. D3DERR_INVALIDCALL: neither flag, or BEGIN of an event. */
HRESULT rt_query_issue(struct rt_query *query, uint32_t flags);
/* So many of what the driver counts are one pixel of the program's (internal resolution, multisampling); the answer is given in such
 * pixels, rounded up. 0, 1: the answer is the driver's. */
void rt_query_set_parts(struct rt_query *query, uint32_t parts);
/* S_OK with `size` bytes of the last answer, truncated or padded with zeros; a query never issued gives bytes of
 * 0xDD. S_FALSE: begun, or not answered yet. `flush` (D3DGETDATA_FLUSH), or asking again before the batch is sent,
 * sends the batch and fetches answers that the driver holds back. D3DERR_DEVICELOST: the context was destroyed
 * before the answer came. `data` may be NULL if `size` is 0. */
HRESULT rt_query_get(struct rt_query *query, void *data, uint32_t size, bool flush);

/* --- for link.c -------------------------------------------------------------------------- */

/* All queries of a link; a query's number in the stream is its place here + 1. */
struct rt_query_list {
    struct rt_query **queries; /* NULL: free */
    unsigned count;
};

struct rt_query_list *rt_link_queries(struct rt_link *link);
void rt_queries_free(struct rt_query_list *list);
/* For the batch of a link, its owner. A query's answer has come. */
void rt_queries_answer(void *link, uint32_t id, const uint8_t *data, uint32_t bytes);
/* The driver has refused a batch, so some of its queries never end: they are answered as if nothing had been drawn. */
void rt_queries_refused(void *link);
/* The context is destroyed; a new one does not know the queries. */
void rt_queries_lost(struct rt_link *link);
void rt_queries_resend(struct rt_link *link);

#endif
