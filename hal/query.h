/* SPDX-License-Identifier: MIT */
/* Queries: counts between two tokens, and the answers to the runtime (query.c). */
#ifndef HALCYON_HAL_QUERY_H
#define HALCYON_HAL_QUERY_H

struct hal_query_table;

void hal_queries_destroy(struct hal_query_table *table);

#endif
