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

static void write_count(struct dp2_builder *builder, uint16_t count)
{
    memcpy(builder->base + builder->last + 2, &count, sizeof(count));
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

/* SETSTREAMSOURCE always comes with a count of 1: drivers of that time read only one entry. */
static bool may_grow(const struct dp2_builder *builder, uint8_t token)
{
    return builder->last != SIZE_MAX && builder->base[builder->last] == token && token != DP2OP_SETSTREAMSOURCE &&
           dp2_read_u16(builder->base + builder->last + 2) < UINT16_MAX;
}

/* Only bodies that consist of entries alone can grow. */
static bool is_entry_token(uint8_t token)
{
    const struct dp2_token_info *info = dp2_token_row(token);

    return info && info->fixed_size == 0 && (info->size_rule == DP2_SIZE_ARRAY || info->size_rule >= DP2_SIZE_LIGHT);
}

void *dp2_put_entry(struct dp2_builder *builder, uint8_t token, const void *entry, size_t entry_size)
{
    const bool grows = may_grow(builder, token);
    const size_t header_size = grows ? 0 : DP2_HEADER_BYTES, left = builder->capacity - builder->length;
    uint8_t *header = builder->base + builder->length, *place = header + header_size;

    if (left < header_size || left - header_size < entry_size || !is_entry_token(token))
        return NULL;
    if (grows) {
        write_count(builder, (uint16_t)(dp2_read_u16(builder->base + builder->last + 2) + 1));
    } else {
        write_header(header, token, 1);
        builder->last = builder->length;
    }
    if (entry && entry_size)
        base_copy_short(place, entry, entry_size);
    builder->length += header_size + entry_size;
    return place;
}
