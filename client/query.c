/* SPDX-License-Identifier: MIT */
/* The answers of queries. */
#include "client/query.h"

#include <string.h>

#include "base/base.h"

uint32_t client_query_bytes(uint32_t type)
{
    switch (type) {
    case CLIENT_QUERY_VCACHE:
        return 16;
    case CLIENT_QUERY_VERTEXSTATS:
    case CLIENT_QUERY_TIMESTAMP:
    case CLIENT_QUERY_TIMESTAMPFREQ:
        return 8;
    case CLIENT_QUERY_EVENT:
    case CLIENT_QUERY_OCCLUSION:
    case CLIENT_QUERY_TIMESTAMPDISJOINT:
        return 4;
    default:
        return 0;
    }
}

void client_query_take(struct client_query *query, const uint8_t *data, uint32_t bytes)
{
    if (query->state != CLIENT_QUERY_ENDED)
        return;
    memset(query->answer, 0, sizeof(query->answer));
    memcpy(query->answer, data, BASE_MIN(bytes, CLIENT_ANSWER_BYTES));
    query->state = CLIENT_QUERY_ANSWERED;
}

void client_query_give_up(struct client_query *query)
{
    const uint8_t answer = query->type == CLIENT_QUERY_EVENT;

    client_query_take(query, &answer, 1);
}
