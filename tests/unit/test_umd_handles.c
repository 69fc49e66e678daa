/* SPDX-License-Identifier: MIT */
/*
 * The table of handles of the WDDM interface: each thread has objects of its own, which it makes, looks up and deletes, while all share
 * the table and try each other's handles, living and dead.
 */
#include "umd/handles.h"

#include "base/base.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { THREADS = 4, OBJECTS = 200, STEPS = 40000, SHARED = 8 };

struct object {
    unsigned inside, alone; /* callers at this moment */
};

struct owner {
    pthread_t thread;
    unsigned index;
    uint32_t random;
    HANDLE handles[OBJECTS]; /* NULL: none; others read them */
    HANDLE dead;             /* the last one that was deleted */
    struct object objects[OBJECTS];
    unsigned wrong;
};

static struct owner owners[THREADS];
static HANDLE shared[SHARED]; /* of nobody: any thread enters them */
static struct object shared_objects[SHARED];

static uint32_t next(struct owner *owner)
{
    owner->random = owner->random * 747796405u + 2891336453u;
    return owner->random >> 9;
}

/* Makes an object, or looks it up and deletes it. */
static void change(struct owner *owner, unsigned i)
{
    const enum umd_kind kind = i % 2 ? UMD_RESOURCE : UMD_QUERY;
    const HANDLE handle = owner->handles[i];

    if (!handle) {
        const HANDLE made = umd_handle_new(kind, owner, &owner->objects[i]);

        owner->wrong += !made;
        __atomic_store_n(&owner->handles[i], made, __ATOMIC_RELAXED);
        return;
    }
    owner->wrong += umd_handle_get(handle, kind, owner) != &owner->objects[i];
    owner->wrong += umd_handle_get(handle, UMD_DECLARATION, owner) != NULL;
    if (next(owner) % 2)
        return;
    umd_handle_delete(handle);
    owner->wrong += umd_handle_get(handle, kind, owner) != NULL;
    owner->dead = handle;
    __atomic_store_n(&owner->handles[i], NULL, __ATOMIC_RELAXED);
}

/* Another's handle, which may be deleted at this moment, is never an object of this owner. */
static void pry(struct owner *owner)
{
    struct owner *other = &owners[next(owner) % THREADS];
    const HANDLE handle = __atomic_load_n(&other->handles[next(owner) % OBJECTS], __ATOMIC_RELAXED);

    if (other == owner)
        return;
    owner->wrong += umd_handle_get(handle, UMD_RESOURCE, owner) != NULL;
    owner->wrong += umd_handle_get(handle, UMD_QUERY, owner) != NULL;
    owner->wrong += umd_handle_enter(handle, UMD_DEVICE, true) != NULL;
    owner->wrong += owner->dead && umd_handle_enter(owner->dead, UMD_RESOURCE, true) != NULL;
    owner->wrong += owner->dead && umd_handle_get(owner->dead, UMD_RESOURCE, owner) != NULL;
}

/* A thread that holds an object enters it again and again, but not twice at once, and gives it up at the end. The object has been entered. */
static void hold(struct owner *owner, HANDLE handle, enum umd_kind kind, const struct object *object)
{
    bool is_inside;

    umd_handle_hold(handle, &is_inside);
    is_inside = false;
    for (unsigned left = next(owner) % 5; left--;) {
        owner->wrong += umd_handle_enter(handle, kind, left % 2) != object;
        owner->wrong += umd_handle_enter(handle, kind, true) != NULL;
        owner->wrong += umd_handle_enter(handle, kind, false) != NULL;
        owner->wrong += !is_inside;
        umd_handle_hold(handle, &is_inside);
        is_inside = false;
        sched_yield(); /* others try */
    }
    owner->wrong += umd_handle_enter(handle, kind, true) != object;
    umd_handle_hold(handle, NULL);
}

/* Who is inside alone, or holds the object, is alone. */
static void enter(struct owner *owner)
{
    const unsigned i = next(owner) % SHARED;
    const bool alone = next(owner) % 2;
    struct object *object = umd_handle_enter(shared[i], i % 2 ? UMD_ADAPTER : UMD_DEVICE, alone);
    unsigned inside, others_alone;

    if (!object)
        return;
    owner->wrong += object != &shared_objects[i];
    others_alone = __atomic_fetch_add(&object->alone, alone, __ATOMIC_SEQ_CST);
    inside = __atomic_add_fetch(&object->inside, 1, __ATOMIC_SEQ_CST);
    owner->wrong += others_alone || (alone && inside != 1);
    if (alone && next(owner) % 2)
        hold(owner, shared[i], i % 2 ? UMD_ADAPTER : UMD_DEVICE, object);
    __atomic_sub_fetch(&object->inside, 1, __ATOMIC_SEQ_CST);
    __atomic_sub_fetch(&object->alone, alone, __ATOMIC_SEQ_CST);
    umd_handle_leave(shared[i]);
}

static void *work(void *argument)
{
    struct owner *owner = argument;

    for (unsigned step = 0; step < STEPS; step++) {
        change(owner, next(owner) % OBJECTS);
        pry(owner);
        enter(owner);
    }
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SHARED; i++) {
        shared[i] = umd_handle_new(i % 2 ? UMD_ADAPTER : UMD_DEVICE, NULL, &shared_objects[i]);
        assert_non_null(shared[i]);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        owners[i].index = i;
        owners[i].random = 77 + i;
        assert_int_equal(pthread_create(&owners[i].thread, NULL, work, &owners[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        uint32_t from = 0, left = 0, living = 0;

        pthread_join(owners[i].thread, NULL);
        assert_int_equal(owners[i].wrong, 0);
        for (unsigned k = 0; k < OBJECTS; k++)
            living += owners[i].handles[k] != NULL;
        for (HANDLE handle; (handle = umd_handle_next(&owners[i], &from)); left++)
            umd_handle_delete(handle);
        assert_int_equal(left, living);
    }
    for (unsigned i = 0; i < SHARED; i++) {
        assert_ptr_equal(umd_handle_enter(shared[i], i % 2 ? UMD_ADAPTER : UMD_DEVICE, true), &shared_objects[i]);
        assert_null(umd_handle_enter(shared[i], i % 2 ? UMD_ADAPTER : UMD_DEVICE, false));
        umd_handle_delete(shared[i]);
        assert_null(umd_handle_enter(shared[i], i % 2 ? UMD_ADAPTER : UMD_DEVICE, true));
    }
}

/* A place is used again under another handle, however often; numbers of living handles differ. */
static void test_numbers(void **state)
{
    enum { COUNT = 5000 };
    static HANDLE handles[COUNT];
    static bool taken[1u << 20];
    struct object object = {0, 0};

    (void)state;
    for (unsigned i = 0; i < COUNT; i++) {
        handles[i] = umd_handle_new(UMD_QUERY, &object, &object);
        assert_non_null(handles[i]);
        assert_in_range(umd_handle_number(handles[i]), 1, ARRAY_COUNT(taken) - 1);
        assert_false(taken[umd_handle_number(handles[i])]);
        taken[umd_handle_number(handles[i])] = true;
    }
    for (unsigned i = 0; i < COUNT; i++)
        umd_handle_delete(handles[i]);
    for (unsigned i = 0; i < COUNT; i++) {
        const HANDLE again = umd_handle_new(UMD_QUERY, &object, &object);

        for (unsigned k = 0; k < 8; k++)
            assert_ptr_not_equal(again, handles[(i * 613 + k * 97) % COUNT]);
        assert_null(umd_handle_get(handles[i], UMD_QUERY, &object));
        umd_handle_delete(again);
    }
    for (uintptr_t value = 0; value < 300; value++) { /* what is not a handle */
        assert_null(umd_handle_get((HANDLE)value, UMD_QUERY, &object));
        assert_null(umd_handle_get((HANDLE)(UINTPTR_MAX - value * 4097), UMD_QUERY, &object));
        assert_null(umd_handle_enter((HANDLE)(value << 20 | 0xFFFFF), UMD_DEVICE, true));
    }
}

/* However many share an object, each leaves it, and then it can be entered alone. */
static void test_many_share(void **state)
{
    struct object object = {0, 0};
    const HANDLE handle = umd_handle_new(UMD_ADAPTER, NULL, &object);
    unsigned inside = 0;

    (void)state;
    while (inside < 1000 && umd_handle_enter(handle, UMD_ADAPTER, false))
        inside++;
    assert_in_range(inside, 100, 999); /* more are refused */
    while (inside--) {
        assert_null(umd_handle_enter(handle, UMD_ADAPTER, true));
        umd_handle_leave(handle);
    }
    assert_ptr_equal(umd_handle_enter(handle, UMD_ADAPTER, true), &object);
    umd_handle_delete(handle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads), cmocka_unit_test(test_numbers),
                                       cmocka_unit_test(test_many_share)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
