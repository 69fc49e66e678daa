/* SPDX-License-Identifier: MIT */
/*
 * Memory for generated code: placed functions run, no memory is ever writable and executable, the limit holds, released
 * memory is reused, and the remaining functions do not change. With two views of the memory and with one.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/base.h"
#include "jit/encode.h"
#include "jit/memory.h"

#include "tests/random.h"
#include "tests/unit/scratch_folder.h"

#define FOR_KINDS(kind) for (enum jit_section_kind kind = JIT_TWO_VIEWS; kind <= JIT_ONE_VIEW; kind++)

/* --- functions that return a number ----------------------------------------------- */

/* `count` bytes, 6 or more: a function that returns `value`, followed by bytes that are never executed */
static void write_function(uint8_t *bytes, size_t count, uint32_t value)
{
    struct jit_buffer buffer = {.bytes = bytes, .capacity = count, .set = JIT_AVX2};

    memset(bytes, 0xcc, count);
    jit_move_constant(&buffer, JIT_RAX, value);
    assert_true(!buffer.full && buffer.length < count);
    bytes[buffer.length] = 0xc3; /* ret */
    for (size_t i = buffer.length + 1; i < count; i++)
        bytes[i] = (uint8_t)(value + i);
}

static uint32_t call(const void *address)
{
    uint32_t (*function)(void);

    memcpy(&function, &address, sizeof(function));
    return function();
}

static const void *place(struct jit_memory_pool *pool, size_t count, uint32_t value)
{
    static uint8_t bytes[JIT_MEMORY_REGION];

    write_function(bytes, count, value);
    return jit_memory_place(pool, bytes, count, NULL);
}

/* --- rights ----------------------------------------------------------------------------- */

/* No mapping of the process may be both writable and executable. Returns the rights of the mapping with the address, as
 * "r-xs". */
static const char *rights_of(const void *address)
{
    static char found[5];
    FILE *file = fopen("/proc/self/maps", "r");
    char line[512], rights[5];
    uintptr_t from, to;

    assert_non_null(file);
    found[0] = 0;
    while (fgets(line, sizeof(line), file)) {
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &from, &to, rights) != 3)
            continue;
        if (rights[1] == 'w' && rights[2] == 'x')
            fail_msg("writable and executable: %s", line);
        if ((uintptr_t)address >= from && (uintptr_t)address < to)
            strcpy(found, rights);
    }
    fclose(file);
    return found;
}

static void test_rights(void **state)
{
    (void)state;
    FOR_KINDS(kind)
    {
        struct jit_memory_pool *pool = jit_memory_create_of_kind(JIT_MEMORY_LIMIT, kind);
        const char *const wanted = kind == JIT_TWO_VIEWS ? "r-xs" : "r-xp";
        const void *first, *second;

        assert_non_null(pool);
        rights_of(NULL);
        first = place(pool, 100, 1);
        assert_string_equal(rights_of(first), wanted);
        second = place(pool, JIT_MEMORY_LARGEST, 2);
        assert_string_equal(rights_of(first), wanted);
        assert_string_equal(rights_of(second), wanted);
        jit_memory_release(pool, first);
        rights_of(NULL);
        first = place(pool, 50, 3);
        assert_string_equal(rights_of(first), wanted);
        assert_int_equal(call(first), 3);
        assert_int_equal(call(second), 2);
        jit_memory_destroy(pool);
        assert_string_not_equal(rights_of(first), wanted);
    }
}

/* --- limits ------------------------------------------------------------------------------ */

static size_t unit_of(enum jit_section_kind kind)
{
    return kind == JIT_TWO_VIEWS ? 64 : 4096;
}

static void test_limits(void **state)
{
    (void)state;
    FOR_KINDS(kind)
    {
        struct jit_memory_pool *pool;
        size_t count = 0;

        assert_null(jit_memory_create_of_kind(0, kind));
        assert_null(jit_memory_create_of_kind(JIT_MEMORY_REGION - 1, kind));
        pool = jit_memory_create_of_kind(3 * JIT_MEMORY_REGION + 1, kind);
        assert_non_null(pool);
        assert_int_equal(jit_memory_used(pool), 0);
        assert_null(place(pool, JIT_MEMORY_LARGEST + 1, 1));
        assert_null(jit_memory_place(pool, "", 0, NULL));
        assert_int_equal(jit_memory_used(pool), 0);
        while (place(pool, JIT_MEMORY_LARGEST, 1))
            count++;
        assert_int_equal(count, 3);
        assert_int_equal(jit_memory_used(pool), 3 * JIT_MEMORY_LARGEST);
        jit_memory_destroy(pool);

        pool = jit_memory_create_of_kind(2 * JIT_MEMORY_REGION, kind);
        for (count = 0; place(pool, unit_of(kind), 1); count++)
            ;
        /* the head takes one unit of each region */
        assert_int_equal(count, 2 * (JIT_MEMORY_REGION / unit_of(kind) - 1));
        assert_int_equal(jit_memory_used(pool), count * unit_of(kind));
        jit_memory_destroy(pool);
    }
    jit_memory_destroy(NULL);
}

/* All released memory is one row of free units again. */
static void test_reuse(void **state)
{
    (void)state;
    FOR_KINDS(kind)
    {
        struct jit_memory_pool *pool = jit_memory_create_of_kind(JIT_MEMORY_REGION, kind);
        const void *address[JIT_MEMORY_REGION / 64];
        size_t count = 0;

        for (unsigned round = 0; round < 3; round++) {
            for (count = 0; (address[count] = place(pool, 1 + 10, (uint32_t)count)); count++)
                assert_int_equal((uintptr_t)address[count] % 64, 0);
            for (size_t i = 0; i < count; i++)
                assert_int_equal(call(address[i]), i);
            for (size_t i = round % 2; i < count; i += 2)
                jit_memory_release(pool, address[i]);
            assert_null(place(pool, unit_of(kind) + 1, 0)); /* holes of one unit each */
            for (size_t i = !(round % 2); i < count; i += 2)
                jit_memory_release(pool, address[i]);
            assert_int_equal(jit_memory_used(pool), 0);
            address[0] = place(pool, JIT_MEMORY_LARGEST, 77);
            assert_int_equal(call(address[0]), 77);
            jit_memory_release(pool, address[0]);
        }
        jit_memory_destroy(pool);
    }
}

/* --- against a model ------------------------------------------------------------------------- */

#define MODEL_FUNCTIONS 512

struct model {
    struct jit_memory_pool *pool;
    enum jit_section_kind kind;
    size_t used;
    struct {
        const uint8_t *address; /* NULL: none */
        size_t count;
        uint32_t value;
    } function[MODEL_FUNCTIONS];
};

static size_t rounded(const struct model *model, size_t count)
{
    return (count + unit_of(model->kind) - 1) / unit_of(model->kind) * unit_of(model->kind);
}

/* The function returns its number, has its bytes and shares none with another function. */
static void check_function(const struct model *model, unsigned which)
{
    static uint8_t bytes[JIT_MEMORY_REGION];
    const uint8_t *from = model->function[which].address;
    const size_t count = model->function[which].count;

    write_function(bytes, count, model->function[which].value);
    assert_memory_equal(from, bytes, count);
    assert_int_equal(call(from), model->function[which].value);
    for (unsigned i = 0; i < MODEL_FUNCTIONS; i++) {
        const uint8_t *other = model->function[i].address;

        if (other && i != which)
            assert_true(other + model->function[i].count <= from || from + count <= other);
    }
}

static void place_or_release(struct model *model, unsigned which)
{
    const uint32_t size = random_word();

    if (model->function[which].address) {
        jit_memory_release(model->pool, model->function[which].address);
        model->used -= rounded(model, model->function[which].count);
        model->function[which].address = NULL;
        return;
    }
    model->function[which].count = 6 + (size % 16 ? size / 16 % 3000 : size / 16 % (JIT_MEMORY_LARGEST - 6));
    model->function[which].value = random_word();
    model->function[which].address = place(model->pool, model->function[which].count, model->function[which].value);
    if (!model->function[which].address)
        return;
    model->used += rounded(model, model->function[which].count);
    check_function(model, which);
}

static void test_random(void **state)
{
    (void)state;
    FOR_KINDS(kind)
    {
        struct model model = {.pool = jit_memory_create_of_kind(1 << 20, kind), .kind = kind};

        random_seed = 7;
        assert_non_null(model.pool);
        for (unsigned step = 0; step < 20000; step++) {
            place_or_release(&model, random_word() % MODEL_FUNCTIONS);
            assert_int_equal(jit_memory_used(model.pool), model.used);
            assert_true(model.used <= 1 << 20);
            if (step % 2000 == 0)
                rights_of(NULL);
        }
        for (unsigned i = 0; i < MODEL_FUNCTIONS; i++)
            if (model.function[i].address)
                check_function(&model, i);
        jit_memory_destroy(model.pool);
    }
}

/* Units of a region whose functions are known */
struct occupied {
    size_t unit;
    const uint8_t *region;
    unsigned count;
    bool taken[JIT_MEMORY_REGION / 64];
    const uint8_t *function[JIT_MEMORY_REGION / 64]; /* that begins with the unit */
    unsigned length[JIT_MEMORY_REGION / 64];
};

static unsigned longest_row(const struct occupied *occupied)
{
    unsigned row = 0, longest = 0;

    for (unsigned i = 1; i < occupied->count; i++) {
        row = occupied->taken[i] ? 0 : row + 1;
        longest = BASE_MAX(longest, row);
    }
    return longest;
}

static void take(struct occupied *occupied, unsigned unit, bool taken)
{
    for (unsigned i = unit; i < unit + occupied->length[unit]; i++) {
        assert_true(occupied->taken[i] != taken);
        occupied->taken[i] = taken;
    }
}

/* A function is placed if and only if enough consecutive units are free. */
static void try_row(struct jit_memory_pool *pool, struct occupied *occupied)
{
    const unsigned units = 1 + random_word() % (random_word() % 8 ? 40 : occupied->count);
    const unsigned which = random_word() % occupied->count;
    const size_t bytes = units * occupied->unit;
    const uint8_t *address;
    unsigned unit;

    if (occupied->function[which]) {
        jit_memory_release(pool, occupied->function[which]);
        take(occupied, which, false);
        occupied->function[which] = NULL;
    }
    if (bytes > JIT_MEMORY_LARGEST)
        return;
    address = place(pool, bytes, units);
    assert_int_equal(address != NULL, units <= longest_row(occupied));
    if (!address)
        return;
    unit = (unsigned)((size_t)(address - occupied->region) / occupied->unit);
    assert_true(unit >= 1 && unit + units <= occupied->count);
    occupied->function[unit] = address;
    occupied->length[unit] = units;
    take(occupied, unit, true);
}

static void test_rows(void **state)
{
    static struct occupied occupied;

    (void)state;
    random_seed = 9;
    FOR_KINDS(kind)
    {
        struct jit_memory_pool *pool = jit_memory_create_of_kind(JIT_MEMORY_REGION, kind);
        const uint8_t *first = place(pool, 64, 1);

        jit_memory_release(pool, first);
        occupied = (struct occupied){.unit = unit_of(kind), .region = first - unit_of(kind)};
        occupied.count = (unsigned)(JIT_MEMORY_REGION / occupied.unit);
        for (unsigned step = 0; step < 20000; step++)
            try_row(pool, &occupied);
        jit_memory_destroy(pool);
    }
}

/* --- threads ------------------------------------------------------------------------------------ */

struct runner {
    const void *address;
    atomic_bool stop;
    unsigned long calls, wrong;
};

static void *run(void *argument)
{
    struct runner *runner = argument;

    do {
        runner->calls++;
        runner->wrong += call(runner->address) != 4711;
    } while (!atomic_load(&runner->stop));
    return NULL;
}

/* A function continues to run while others around it are placed and released. */
static void test_threads(void **state)
{
    (void)state;
    FOR_KINDS(kind)
    {
        struct jit_memory_pool *pool = jit_memory_create_of_kind(JIT_MEMORY_REGION, kind);
        const void *before = place(pool, 64, 1), *after;
        struct runner runner = {.address = place(pool, 64, 4711)};
        pthread_t thread;

        after = place(pool, 64, 2);
        assert_int_equal(pthread_create(&thread, NULL, run, &runner), 0);
        for (unsigned i = 0; i < 2000; i++) {
            jit_memory_release(pool, before);
            jit_memory_release(pool, after);
            before = place(pool, 64, i);
            after = place(pool, 64, ~i);
            assert_int_equal(call(before), i);
            assert_int_equal(call(after), ~i);
        }
        atomic_store(&runner.stop, true);
        pthread_join(thread, NULL);
        assert_int_equal(runner.wrong, 0);
        assert_true(runner.calls > 0);
        jit_memory_destroy(pool);
    }
}

/* --- systems that refuse ---------------------------------------------------------------------------- */

/* From now on memfd_create fails and, on request, so does mprotect with PROT_EXEC. Returns false if this system has no
 * filters. */
static bool forbid(bool executable)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, executable ? SYS_mprotect : -1u, 0, 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
    };
    struct sock_fprog program = {ARRAY_COUNT(code), code};

    return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

enum { NO_FILTERS, NO_POOL, NO_PLACE, WRONG, RAN };

/* In a separate process: the fate of a function there. */
static int outcome(bool executable_too)
{
    const pid_t child = fork();
    int status;

    assert_true(child >= 0);
    if (!child) {
        struct jit_memory_pool *pool;
        const void *address;

        if (!forbid(executable_too))
            _exit(NO_FILTERS);
        pool = jit_memory_create(JIT_MEMORY_LIMIT);
        if (!pool)
            _exit(NO_POOL);
        address = place(pool, 64, 99);
        _exit(!address ? NO_PLACE : call(address) == 99 ? RAN : WRONG);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void test_refused(void **state)
{
    const int one_view = outcome(false);

    (void)state;
    if (one_view == NO_FILTERS)
        skip();
    assert_int_equal(one_view, RAN);
    assert_int_equal(outcome(true), NO_POOL);
}

/* --- names -------------------------------------------------------------------------------------------- */

/* main has set the key before anything was read. */
static void test_names(void **state)
{
    struct jit_memory_pool *pool = jit_memory_create(JIT_MEMORY_LIMIT);
    uint8_t bytes[100];
    const void *first, *second;
    char path[160], wanted[256], found[256];
    FILE *file;

    (void)state;
    write_function(bytes, sizeof(bytes), 5);
    first = jit_memory_place(pool, bytes, sizeof(bytes), "ps_2_0 of a\nlake");
    jit_memory_place(pool, bytes, sizeof(bytes), NULL);
    second = jit_memory_place(pool, bytes, 10, "vs");
    snprintf(path, sizeof(path), "%s/perf-%u.map", folder, (unsigned)getpid());
    file = fopen(path, "r");
    assert_non_null(file);
    snprintf(wanted, sizeof(wanted), "%" PRIxPTR " 64 ps_2_0 of a lake\n%" PRIxPTR " a vs\n", (uintptr_t)first,
             (uintptr_t)second);
    found[fread(found, 1, sizeof(found) - 1, file)] = 0;
    fclose(file);
    assert_string_equal(found, wanted);
    jit_memory_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),   cmocka_unit_test(test_rights),  cmocka_unit_test(test_limits),
        cmocka_unit_test(test_reuse),   cmocka_unit_test(test_random),  cmocka_unit_test(test_rows),
        cmocka_unit_test(test_threads), cmocka_unit_test(test_refused),
    };
    char path[160];

    if (make_folder(NULL))
        return 1;
    snprintf(path, sizeof(path), "%s/perf-%%p.map", folder);
    setenv("HALCYON_JIT_PERF", path, 1);
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
