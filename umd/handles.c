/* SPDX-License-Identifier: MIT */
/* The table of handles: finds objects by handle, and counts the users of each. */
#include "umd/handles.h"

#include "base/base.h"
#include "base/lock.h"

#include <stdlib.h>
#include <string.h>

/* A handle is (number << INDEX_BITS) + index; index 0 is not used, so no handle is NULL. */
#define INDEX_BITS 20
#define INDEX_MASK (((uintptr_t)1 << INDEX_BITS) - 1)
#define ALONE      -1

struct slot {
    enum umd_kind kind;
    uint32_t next; /* of the free list */
    int users;     /* ALONE, or how many share it */
    const void *owner;
    void *object;
    uintptr_t handle;
};

static struct base_lock table_lock = BASE_LOCK_INITIALIZER;
static struct slot *slots;
static uint32_t slot_count, free_slot, used_slots;
static uintptr_t last_number; /* survives the table, so that old handles stay invalid */

static bool grow(void)
{
    const uint32_t count = slot_count ? slot_count * 2 : 64;
    struct slot *grown = count <= INDEX_MASK + 1 ? mem_realloc(slots, count, sizeof(*grown)) : NULL;

    if (!grown)
        return false;
    memset(grown + slot_count, 0, (count - slot_count) * sizeof(*grown));
    for (uint32_t i = count - 1; i > 0 && i >= slot_count; i--) {
        grown[i].next = free_slot;
        free_slot = i;
    }
    slots = grown;
    slot_count = count;
    return true;
}

static struct slot *slot_of(HANDLE handle)
{
    const uintptr_t value = (uintptr_t)handle, index = value & INDEX_MASK;

    return index && index < slot_count && slots[index].kind && slots[index].handle == value ? &slots[index] : NULL;
}

HANDLE umd_handle_new(enum umd_kind kind, const void *owner, void *object)
{
    uintptr_t handle = 0;

    base_lock(&table_lock);
    if (free_slot || grow()) {
        const uint32_t index = free_slot;
        struct slot *slot = &slots[index];

        free_slot = slot->next;
        used_slots++;
        handle = ++last_number << INDEX_BITS | index;
        *slot = (struct slot){.kind = kind, .owner = owner, .object = object, .handle = handle};
    }
    base_unlock(&table_lock);
    return (HANDLE)handle;
}

void umd_handle_delete(HANDLE handle)
{
    struct slot *slot;

    base_lock(&table_lock);
    slot = slot_of(handle);
    if (slot) {
        *slot = (struct slot){.next = free_slot};
        free_slot = (uint32_t)(slot - slots);
        if (!--used_slots) {
            free(slots);
            slots = NULL;
            slot_count = free_slot = 0;
        }
    }
    base_unlock(&table_lock);
}

void *umd_handle_get(HANDLE handle, enum umd_kind kind, const void *owner)
{
    const struct slot *slot;
    void *object = NULL;

    base_lock(&table_lock);
    slot = slot_of(handle);
    if (slot && slot->kind == kind && slot->owner == owner)
        object = slot->object;
    base_unlock(&table_lock);
    return object;
}

uint32_t umd_handle_number(HANDLE handle)
{
    return (uint32_t)((uintptr_t)handle & INDEX_MASK);
}

HANDLE umd_handle_next(const void *owner, uint32_t *from)
{
    HANDLE handle = NULL;

    base_lock(&table_lock);
    while (!handle && *from < slot_count) {
        const struct slot *slot = &slots[(*from)++];

        if (slot->kind && slot->owner == owner)
            handle = (HANDLE)slot->handle;
    }
    base_unlock(&table_lock);
    return handle;
}

void *umd_handle_enter(HANDLE handle, enum umd_kind kind, bool alone)
{
    struct slot *slot;
    void *object = NULL;

    base_lock(&table_lock);
    slot = slot_of(handle);
    if (slot && slot->kind == kind && slot->users != ALONE && (!alone || !slot->users)) {
        slot->users = alone ? ALONE : slot->users + 1;
        object = slot->object;
    }
    base_unlock(&table_lock);
    return object;
}

void umd_handle_leave(HANDLE handle)
{
    struct slot *slot;

    base_lock(&table_lock);
    slot = slot_of(handle);
    if (slot)
        slot->users = slot->users == ALONE ? 0 : slot->users - 1;
    base_unlock(&table_lock);
}
