/* SPDX-License-Identifier: MIT */
/*
 * The table of handles: finds objects by handle, and counts the users of each. Handles are looked up several times in each call of a draw,
 * so that only changes of the table take its lock. What a caller without the lock may see:
 *
 * - Places of the table never move and keep their memory until the library is unloaded.
 * - `handle` is written last when a place is filled, and first when it is emptied.
 * - A place of a device's own changes only in calls of that device, of which there is one at a time. Another's may change while it is
 *   looked at; its owner differs all the same.
 * - The count of users is changed together with the number of the handle that it belongs to.
 * - `holder` is written by a thread that is inside alone. A thread finds itself there only if it wrote that itself: then nobody else is inside.
 */
#include "umd/handles.h"

#include "base/base.h"
#include "base/lock.h"
#include "base/thread.h"

#include <stdlib.h>
#include <string.h>

/* A handle is (number << INDEX_BITS) + index; index 0 is not used, so no handle is NULL. */
#define INDEX_BITS  20
#define INDEX_MASK  (((uintptr_t)1 << INDEX_BITS) - 1)
#define FIRST_CHUNK 64u /* slots; each further chunk has twice as many as the one before */
#define CHUNKS      15u /* 64 * (2^15 - 1) slots are more than INDEX_BITS can name */

/* slot.use: number of the handle << USE_BITS, and how many share the object, or ALONE */
#define USE_BITS 8
#define USE_MASK ((1u << USE_BITS) - 1)
#define ALONE    USE_MASK

struct slot {
    uintptr_t handle; /* 0: the slot is free */
    enum umd_kind kind;
    uint32_t use;
    uint32_t next;    /* of the free list */
    bool *inside;     /* is the holder in a call? Only for the holder */
    uintptr_t holder; /* base_thread_self() of the thread that holds the object; 0: none */
    const void *owner;
    void *object;
};

static struct base_lock table_lock = BASE_LOCK_INITIALIZER;
static struct slot no_slot = {.handle = 1}; /* no handle is 1, because index 0 is not used */
static struct slot first_chunk[FIRST_CHUNK] = {{.handle = 1}};
static struct slot *chunks[CHUNKS] = {first_chunk};
static uint32_t free_slot, slot_count = 1; /* slots from slot_count on have never been used */
static uintptr_t last_number;

#define LOAD(place)         __atomic_load_n(&(place), __ATOMIC_RELAXED)
#define STORE(place, value) __atomic_store_n(&(place), value, __ATOMIC_RELAXED)

static unsigned chunk_of(uint32_t index)
{
    return 31 - (unsigned)__builtin_clz(index / FIRST_CHUNK + 1);
}

static uint32_t chunk_start(unsigned chunk)
{
    return FIRST_CHUNK * ((1u << chunk) - 1);
}

static __attribute__((noinline)) struct slot *far_slot_at(uint32_t index)
{
    const unsigned chunk = chunk_of(index);
    struct slot *slots = __atomic_load_n(&chunks[chunk], __ATOMIC_ACQUIRE);

    return slots ? &slots[index - chunk_start(chunk)] : &no_slot;
}

/* no_slot: the memory of the place has not been allocated. */
static inline struct slot *slot_at(uint32_t index)
{
    return index < FIRST_CHUNK ? &first_chunk[index] : far_slot_at(index);
}

/* The slot of a living handle, or NULL. */
static inline struct slot *slot_of(HANDLE handle)
{
    struct slot *slot = slot_at((uint32_t)((uintptr_t)handle & INDEX_MASK));

    return __atomic_load_n(&slot->handle, __ATOMIC_ACQUIRE) == (uintptr_t)handle ? slot : NULL;
}

static uint32_t use_of(uintptr_t handle)
{
    return (uint32_t)(handle >> INDEX_BITS) << USE_BITS;
}

/* *from: what the count is expected to be; what it is, if that is something else. */
static bool change_use(struct slot *slot, uint32_t *from, uint32_t to)
{
    return __atomic_compare_exchange_n(&slot->use, from, to, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* The index of a slot that is free; 0: there is none. With the lock. */
static uint32_t take_slot(void)
{
    uint32_t index = free_slot;
    unsigned chunk;

    if (index) {
        free_slot = slot_at(index)->next;
        return index;
    }
    if (slot_count > INDEX_MASK)
        return 0;
    chunk = chunk_of(slot_count);
    if (!chunks[chunk]) {
        struct slot *slots = mem_calloc((size_t)FIRST_CHUNK << chunk, sizeof(*slots));

        if (!slots)
            return 0;
        __atomic_store_n(&chunks[chunk], slots, __ATOMIC_RELEASE);
    }
    return slot_count++;
}

__attribute__((destructor)) static void free_chunks(void)
{
    for (unsigned i = 1; i < CHUNKS; i++)
        free(chunks[i]);
}

HANDLE umd_handle_new(enum umd_kind kind, const void *owner, void *object)
{
    uintptr_t handle = 0;
    uint32_t index;

    base_lock(&table_lock);
    index = take_slot();
    if (index) {
        struct slot *slot = slot_at(index);

        handle = ++last_number << INDEX_BITS | index;
        STORE(slot->kind, kind);
        STORE(slot->owner, owner);
        STORE(slot->object, object);
        STORE(slot->use, use_of(handle));
        STORE(slot->holder, 0);
        __atomic_store_n(&slot->handle, handle, __ATOMIC_RELEASE);
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
        STORE(slot->handle, 0);
        slot->next = free_slot;
        free_slot = umd_handle_number(handle);
    }
    base_unlock(&table_lock);
}

void *umd_handle_get(HANDLE handle, enum umd_kind kind, const void *owner)
{
    const struct slot *slot = slot_of(handle);

    return slot && LOAD(slot->owner) == owner && LOAD(slot->kind) == kind ? LOAD(slot->object) : NULL;
}

uint32_t umd_handle_number(HANDLE handle)
{
    return (uint32_t)((uintptr_t)handle & INDEX_MASK);
}

HANDLE umd_handle_next(const void *owner, uint32_t *from)
{
    HANDLE handle = NULL;

    base_lock(&table_lock);
    for (; !handle && *from < slot_count; ++*from) {
        const struct slot *slot = slot_at(*from);

        if (slot->handle && slot->owner == owner)
            handle = (HANDLE)slot->handle;
    }
    base_unlock(&table_lock);
    return handle;
}

void *umd_handle_enter(HANDLE handle, enum umd_kind kind, bool alone)
{
    const uint32_t none = use_of((uintptr_t)handle);
    struct slot *slot = slot_of(handle);
    uint32_t use = none;

    if (!slot || LOAD(slot->kind) != kind)
        return NULL;
    if (LOAD(slot->holder) == base_thread_self()) {
        if (*slot->inside)
            return NULL;
        *slot->inside = true;
        return LOAD(slot->object);
    }
    if (alone)
        return change_use(slot, &use, none | ALONE) ? LOAD(slot->object) : NULL;
    while (!change_use(slot, &use, use + 1))
        if ((use & ~USE_MASK) != none || (use & USE_MASK) >= ALONE - 1)
            return NULL;
    return LOAD(slot->object);
}

void umd_handle_leave(HANDLE handle)
{
    struct slot *slot = slot_at(umd_handle_number(handle));
    const uint32_t use = LOAD(slot->use);

    if ((use & USE_MASK) == ALONE)
        __atomic_store_n(&slot->use, use & ~USE_MASK, __ATOMIC_RELEASE);
    else
        __atomic_sub_fetch(&slot->use, 1, __ATOMIC_RELEASE);
}

void umd_handle_hold(HANDLE handle, bool *inside)
{
    struct slot *slot = slot_at(umd_handle_number(handle));

    if (inside)
        *inside = true;
    slot->inside = inside;
    STORE(slot->holder, inside ? base_thread_self() : 0);
}
