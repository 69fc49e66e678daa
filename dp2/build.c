/* SPDX-License-Identifier: MIT */
/*
 * Writes a command stream into the caller's memory.
 */
#include "base/bytes.h"
#include "dp2/tokens.h"

void dp2_builder_init(struct dp2_builder *builder, void *base, size_t capacity)
{
    builder->base = base;
    builder->capacity = capacity;
    builder->length = 0;
    builder->last = SIZE_MAX;
}

static void write_header(uint8_t *place, uint8_t token, uint16_t count)
{
    const uint8_t header[DP2_HEADER_BYTES] = {token, 0, (uint8_t)count, (uint8_t)(count >> 8)};

    memcpy(place, header, sizeof(header));
}

void *dp2_put(struct dp2_builder *builder, uint8_t token, uint16_t count, const void *body, size_t body_size)
{
    const size_t left = builder->capacity - builder->length;

    if (left < DP2_HEADER_BYTES || left - DP2_HEADER_BYTES < body_size)
        return NULL;
    uint8_t *place = builder->base + builder->length + DP2_HEADER_BYTES;

    builder->last = builder->length;
    write_header(builder->base + builder->last, token, count);
    if (body && body_size)
        base_copy_short(place, body, body_size);
    builder->length += DP2_HEADER_BYTES + body_size;
    return place;
}
