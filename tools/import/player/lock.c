/* SPDX-License-Identifier: MIT */
/*
 * Locked memory: its layout here, and the program's bytes in it. They lay in the memory of another driver, whose rows and slices were as
 * far apart as the trace says.
 */
#include "tools/import/methods.h"
#include "tools/import/player/player.h"

#include "base/base.h"
#include "d3d/formats.h"
#include "d3d/planes.h"

#include <stdlib.h>
#include <string.h>

struct format {
    uint32_t number;
    unsigned width, height, bytes; /* of a block */
    unsigned kind, roles;
};

#define FORMAT(number, name, layout, level, legacy, kind, type, width, height, bytes, target, alpha, r, g, b, a, rs, \
               gs, bs, as, depth, stencil, roles, operations)                                                        \
    {number, width, height, bytes, D3D_KIND_##kind, roles},
#define VARIANT(number, name, layout, level, legacy, roles, operations) \
    {number, D3D_WIDTH_##layout, D3D_HEIGHT_##layout, D3D_BYTES_##layout, D3D_KIND_PACKED, roles},
static const struct format formats[] = {
#include "d3d/formats.def"
};

static const struct format *format_of(uint32_t number)
{
    for (unsigned i = 0; i < ARRAY_COUNT(formats); i++)
        if (formats[i].number == number)
            return &formats[i];
    return NULL;
}

static uint64_t blocks(uint32_t texels, unsigned side)
{
    return ((uint64_t)texels + side - 1) / side;
}

/* --- layout --------------------------------------------------------------------------------------- */

static bool is_rect(const struct stream_lock *lock, const struct player_size *size)
{
    return lock->left <= lock->right && lock->right <= size->width && lock->top <= lock->bottom &&
           lock->bottom <= size->height &&
           (lock->kind != STREAM_LOCK_BOX || (lock->front <= lock->back && lock->back <= size->depth));
}

static bool lay_out(struct player_lock *part, const struct stream_lock *lock, struct player_size size)
{
    const struct format *format = format_of(size.format);

    if (!format || (!lock->whole && !is_rect(lock, &size)))
        return false;
    if (format->kind == D3D_KIND_PLANAR || format->roles & D3D_ROLE_VENDOR) {
        /* rows of texels, where blocks have several */
        part->is_linear = true;
        part->linear = format->kind == D3D_KIND_PLANAR
                           ? (uint64_t)part->pitch * d3d_planar_rows(size.height)
                           : blocks(size.width, format->width) * blocks(size.height, format->height) * format->bytes;
        return lock->whole && part->pitch > 0;
    }
    if (!lock->whole)
        size = (struct player_size){size.format, lock->right - lock->left, lock->bottom - lock->top,
                                    lock->kind == STREAM_LOCK_BOX ? lock->back - lock->front : 1, 0};
    part->row = blocks(size.width, format->width) * format->bytes;
    part->rows = blocks(size.height, format->height);
    part->slices = lock->kind == STREAM_LOCK_BOX ? size.depth : 1;
    return true;
}

static bool lay_out_buffer(struct player_lock *part, const struct stream_lock *lock, const struct player_size *size)
{
    const uint32_t left = size->bytes - BASE_MIN(lock->offset, size->bytes); /* (a lock may begin after the end) */

    part->is_linear = true;
    part->linear = lock->size ? BASE_MIN(lock->size, left) : left;
    return true;
}

bool player_lock_add(struct player *player, struct player_object *object, uint32_t number,
                     const struct stream_lock *lock, const union player_lock_answer *answer)
{
    struct player_lock part = {.object = number, .key = lock->key};
    struct player_size size = {0};
    const bool known = import_class_version(object->class) == 8
                           ? player_size8(object->iface, object->class, lock->level, &size)
                           : player_size9(object->iface, object->class, lock->level, &size);

    if (lock->kind == STREAM_LOCK_BUFFER) {
        part.bits = answer->buffer;
    } else if (lock->kind == STREAM_LOCK_RECT) {
        part.bits = answer->rect.bits;
        part.pitch = answer->rect.pitch;
    } else {
        part.bits = answer->box.bits;
        part.pitch = answer->box.row_pitch;
        part.slice = answer->box.slice_pitch;
    }
    player_lock_remove(player, number, lock->key);
    if (!known || !part.bits ||
        !(lock->kind == STREAM_LOCK_BUFFER ? lay_out_buffer(&part, lock, &size) : lay_out(&part, lock, size)))
        return false;
    if (player->lock_count == player->lock_capacity) {
        const size_t capacity = 2 * player->lock_capacity + 16;
        struct player_lock *locks = realloc(player->locks, capacity * sizeof(*locks));

        if (!locks)
            return false;
        player->locks = locks;
        player->lock_capacity = capacity;
    }
    part.iface = object->iface;
    IUnknown_AddRef(part.iface);
    player->locks[player->lock_count++] = part;
    return true;
}

void player_lock_remove(struct player *player, uint32_t object, uint32_t key)
{
    for (size_t i = 0; i < player->lock_count; i++)
        if (player->locks[i].object == object && player->locks[i].key == key) {
            IUnknown_Release(player->locks[i].iface);
            player->locks[i] = player->locks[--player->lock_count];
            return;
        }
}

/* --- bytes ---------------------------------------------------------------------------------------- */

static void copy_linear(const struct player_lock *part, uint64_t offset, const uint8_t *bytes, uint64_t size)
{
    if (offset < part->linear)
        memcpy(part->bits + offset, bytes, (size_t)BASE_MIN(size, part->linear - offset));
}

/* Copies row by row what lies in a row; the rest is padding. */
static void copy_rows(const struct player_lock *part, const struct stream_write *write, const uint8_t *bytes,
                      uint64_t size)
{
    uint64_t offset = write->offset;

    while (size) {
        const uint64_t z = write->slice ? offset / write->slice : 0,
                       within = write->slice ? offset % write->slice : offset;
        const uint64_t y = within / write->pitch, x = within % write->pitch;
        uint64_t length = BASE_MIN(size, write->pitch - x);

        if (write->slice)
            length = BASE_MIN(length, write->slice - within);
        if (z >= part->slices || (!write->slice && y >= part->rows))
            return;
        if (y < part->rows && x < part->row)
            memcpy(part->bits + (int64_t)z * part->slice + (int64_t)y * part->pitch + x, bytes,
                   (size_t)BASE_MIN(length, part->row - x));
        bytes += length;
        offset += length;
        size -= length;
    }
}

void player_write(struct player *player, const void *body, size_t size)
{
    const struct player_lock *part = NULL;
    const uint8_t *bytes = (const uint8_t *)body + sizeof(struct stream_write);
    struct stream_write write;

    if (size < sizeof(write))
        return;
    memcpy(&write, body, sizeof(write));
    size -= sizeof(write);
    for (size_t i = 0; i < player->lock_count; i++)
        if (player->locks[i].object == write.object && player->locks[i].key == write.key)
            part = &player->locks[i];
    player->calls += part != NULL;
    if (!part)
        player_bad(write.number, "the memory is not locked here");
    else if (part->is_linear && part->pitch && part->pitch != (int64_t)write.pitch)
        player_bad(write.number, "memory of this format has other rows here");
    else if (part->is_linear)
        copy_linear(part, write.offset, bytes, size);
    else if (write.pitch < part->row)
        player_bad(write.number, "the rows of the trace are too short");
    else
        copy_rows(part, &write, bytes, size);
}
