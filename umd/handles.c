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

#include <stdlib.h>
#include <string.h>

#define FIRST_CHUNK UMD_FIRST_SLOTS /* slots; each further chunk has twice as many as the one before */
#define CHUNKS      15u             /* 64 * (2^15 - 1) slots are more than a handle can name */

/* umd_slot.use: number of the handle << USE_BITS, and how many share the object, or ALONE */
#define USE_BITS 8
#define USE_MASK ((1u << USE_BITS) - 1)
#define ALONE    USE_MASK

static struct base_lock table_lock = BASE_LOCK_INITIALIZER;
static struct umd_slot no_slot = {.handle = 1}; /* no handle is 1, because index 0 is not used */
struct umd_slot umd_first_slots[FIRST_CHUNK] = {{.handle = 1}};
static struct umd_slot *chunks[CHUNKS] = {umd_first_slots};
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

static __attribute__((noinline)) struct umd_slot *far_slot_at(uint32_t index)
{
    const unsigned chunk = chunk_of(index);
    struct umd_slot *slots = __atomic_load_n(&chunks[chunk], __ATOMIC_ACQUIRE);

    return slots ? &slots[index - chunk_start(chunk)] : &no_slot;
}

/* no_slot: the memory of the place has not been allocated. */
static inline struct umd_slot *slot_at(uint32_t index)
{
    return index < FIRST_CHUNK ? &umd_first_slots[index] : far_slot_at(index);
}

/* The slot of a living handle, or NULL. */
static inline struct umd_slot *slot_of(HANDLE handle)
{
    struct umd_slot *slot = slot_at((uint32_t)((uintptr_t)handle & UMD_INDEX_MASK));

    return __atomic_load_n(&slot->handle, __ATOMIC_ACQUIRE) == (uintptr_t)handle ? slot : NULL;
}

static uint32_t use_of(uintptr_t handle)
{
    return (uint32_t)(handle >> UMD_INDEX_BITS) << USE_BITS;
}

/* *from: what the count is expected to be; what it is, if that is something else. */
static bool change_use(struct umd_slot *slot, uint32_t *from, uint32_t to)
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
    if (slot_count > UMD_INDEX_MASK)
        return 0;
    chunk = chunk_of(slot_count);
    if (!chunks[chunk]) {
        struct umd_slot *slots = mem_calloc((size_t)FIRST_CHUNK << chunk, sizeof(*slots));

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
        struct umd_slot *slot = slot_at(index);

        handle = ++last_number << UMD_INDEX_BITS | index;
        STORE(slot->kind, kind);
        STORE(slot->owner, owner);
        STORE(slot->object, object);
        STORE(slot->use, use_of(handle));
        STORE(slot->holder, 0);
        slot->inside = false;
        __atomic_store_n(&slot->handle, handle, __ATOMIC_RELEASE);
    }
    base_unlock(&table_lock);
    return (HANDLE)handle;
}

void umd_handle_delete(HANDLE handle)
{
    struct umd_slot *slot;

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
    const struct umd_slot *slot = slot_of(handle);

    return slot && LOAD(slot->owner) == owner && LOAD(slot->kind) == kind ? LOAD(slot->object) : NULL;
}

uint32_t umd_handle_number(HANDLE handle)
{
    return (uint32_t)((uintptr_t)handle & UMD_INDEX_MASK);
}

HANDLE umd_handle_next(const void *owner, uint32_t *from)
{
    HANDLE handle = NULL;

    base_lock(&table_lock);
    for (; !handle && *from < slot_count; ++*from) {
        const struct umd_slot *slot = slot_at(*from);

        if (slot->handle && slot->owner == owner)
            handle = (HANDLE)slot->handle;
    }
    base_unlock(&table_lock);
    return handle;
}

void *umd_handle_enter(HANDLE handle, enum umd_kind kind, bool alone)
{
    const uint32_t none = use_of((uintptr_t)handle);
    struct umd_slot *slot = slot_of(handle);
    uint32_t use = none;

    if (!slot || LOAD(slot->kind) != kind)
        return NULL;
    if (LOAD(slot->holder) == base_thread_self())
        return umd_slot_enter(slot);
    if (alone)
        return change_use(slot, &use, none | ALONE) ? LOAD(slot->object) : NULL;
    while (!change_use(slot, &use, use + 1))
        if ((use & ~USE_MASK) != none || (use & USE_MASK) >= ALONE - 1)
            return NULL;
    return LOAD(slot->object);
}

void umd_handle_leave(HANDLE handle)
{
    struct umd_slot *slot = slot_at(umd_handle_number(handle));
    const uint32_t use = LOAD(slot->use);

    if (LOAD(slot->holder))
        slot->inside = false;
    else if ((use & USE_MASK) == ALONE)
        __atomic_store_n(&slot->use, use & ~USE_MASK, __ATOMIC_RELEASE);
    else
        __atomic_sub_fetch(&slot->use, 1, __ATOMIC_RELEASE);
}

void umd_handle_hold(HANDLE handle, bool hold)
{
    struct umd_slot *slot = slot_at(umd_handle_number(handle));

    slot->inside = hold;
    STORE(slot->holder, hold ? base_thread_self() : 0);
}
