/* SPDX-License-Identifier: MIT */
/*
 * Runs code of the encoder, on the instruction sets of this processor: every form, with random registers and operands
 * in registers, in memory and broadcast, compared with tests/unit/jit_oracles.h; masks, gathers, flags, loops and
 * jumps.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sys/mman.h>

#include <cmocka.h>

#include "jit/memory.h"

#include "tests/random.h"
#include "tests/unit/jit_oracles.h"

#define NONE  (-1)
#define SPARE 4096 /* bytes of a function, more than any function here has */
#define FOR_SETS(set)                                  \
    for (int set = JIT_AVX2; set <= JIT_AVX512; set++) \
        if (available(set))

static struct jit_memory_pool *pool;
static uint8_t bytes[SPARE];
static struct jit_buffer buffer;

static bool available(enum jit_set set)
{
    return cpu_level_detected() >= (set == JIT_AVX512 ? CPU_AVX512 : CPU_AVX2);
}

static size_t vector_bytes(enum jit_set set)
{
    return set == JIT_AVX512 ? 64 : 32;
}

static void begin(enum jit_set set)
{
    buffer = (struct jit_buffer){.bytes = bytes, .capacity = sizeof(bytes), .set = set};
}

/* Runs the contents of the buffer, followed by a return: rdi, rsi, rdx and rcx are the arguments, eax is the result. */
static uint32_t run(void *out, const void *a, const void *b, uint64_t number)
{
    uint32_t (*function)(void *, const void *, const void *, uint64_t);
    const void *address;
    uint32_t result;

    jit_return(&buffer);
    assert_false(buffer.full);
    address = jit_memory_place(pool, bytes, buffer.length, NULL);
    assert_non_null(address);
    memcpy(&function, &address, sizeof(function));
    result = function(out, a, b, number);
    jit_memory_release(pool, address);
    return result;
}

static struct jit_memory at_base(enum jit_register base)
{
    return (struct jit_memory){.base = base, .index = JIT_NO_REGISTER};
}

/* --- operands ---------------------------------------------------------------------- */

/* All kinds of floats, and integers that meet the limits of lanes */
static uint32_t random_lane(void)
{
    static const uint32_t special[] = {
        0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345,
        0x7f812345, 0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff, 0x3f000000, 0xbfc00000, 0x4b7fffff,
        0x4f000000, 0xcf000000, 0x4effffff, 0x7fffffff, 0x80008000, 0x7fff7fff, 0xff80007f, 0x00ff0100,
        31,         32,         33,         0xffff,     0x10000,    0xffffffff, 0x40200000, 0x41180000,
    };
    const uint32_t word = random_word();

    switch (random_word() % 4) {
    case 0:
        return special[word % ARRAY_COUNT(special)];
    case 1:
        return (word & 0x80ffffff) | 0x3f000000; /* a float between -2 and 2 */
    case 2:
        return word >> word % 32;
    default:
        return word;
    }
}

static void random_vector(union vector *vector)
{
    for (unsigned i = 0; i < 16; i++)
        vector->u32[i] = random_lane();
}

static unsigned random_register(enum jit_set set)
{
    return random_word() % (set == JIT_AVX512 ? 32 : 16);
}

static unsigned random_other(enum jit_set set, unsigned number)
{
    const unsigned other = random_register(set);

    return other == number ? number ^ 1 : other;
}

/* --- forms --------------------------------------------------------------------------- */

enum from { REGISTER, MEMORY, BROADCAST };

struct trial {
    enum jit_form form;
    enum jit_set set;
    enum from from;
    int immediate;                               /* NONE */
    _Alignas(64) union vector a, b, out, wanted; /* as JIT_MOVE needs it */
};

static const struct {
    const char *name, *shape, *tuple;
} rows[JIT_FORMS] = {
#define JIT_FORM(name, shape, tuple, ...) {#name, #shape, #tuple},
#include "jit/forms.def"
};

static bool is_shape(enum jit_form form, const char *shape)
{
    return !strncmp(rows[form].shape, shape, strlen(shape));
}

static bool makes_mask(const struct trial *trial)
{
    return is_shape(trial->form, "KVM") && trial->set == JIT_AVX512;
}

static bool has(enum jit_form form, enum jit_set set, enum from from)
{
    if (from == BROADCAST)
        return set == JIT_AVX512 && (!strcmp(rows[form].tuple, "FULL4") || !strcmp(rows[form].tuple, "FULL8"));
    return from == REGISTER || set == JIT_AVX512 || !is_shape(form, "VM");
}

static void emit(const struct trial *trial, unsigned d, unsigned a, unsigned b)
{
    const bool stores = is_shape(trial->form, "MR");
    struct jit_memory memory = at_base(stores ? JIT_RDI : JIT_RDX);

    memory.broadcast = trial->from == BROADCAST;
    if (trial->from == REGISTER && trial->immediate == NONE)
        jit_rrr(&buffer, trial->form, d, a, b);
    else if (trial->from == REGISTER)
        jit_rrri(&buffer, trial->form, d, a, b, (uint8_t)trial->immediate);
    else if (trial->immediate == NONE)
        jit_rrm(&buffer, trial->form, stores ? b : d, a, memory);
    else
        jit_rrmi(&buffer, trial->form, stores ? b : d, a, memory, (uint8_t)trial->immediate);
}

/* Loads a and b, computes, stores the result or the bits of the mask. */
static void execute(struct trial *trial)
{
    const unsigned a = random_register(trial->set), b = random_other(trial->set, a);
    const unsigned d = makes_mask(trial) ? 1 + random_word() % 7 : random_register(trial->set);
    const bool stored = is_shape(trial->form, "MR") && trial->from == MEMORY;

    begin(trial->set);
    jit_rrm(&buffer, JIT_LOAD, a, 0, at_base(JIT_RSI));
    jit_rrm(&buffer, JIT_LOAD, b, 0, at_base(JIT_RDX));
    emit(trial, d, a, b);
    if (makes_mask(trial))
        jit_mask_bits(&buffer, JIT_RAX, d);
    if (makes_mask(trial))
        jit_store_dword(&buffer, JIT_RAX, at_base(JIT_RDI));
    else if (!stored)
        jit_rrm(&buffer, JIT_STORE, d, 0, at_base(JIT_RDI));
    memset(&trial->out, 0, sizeof(trial->out));
    run(&trial->out, &trial->a, &trial->b, 0);
}

static void expect(struct trial *trial)
{
    const size_t size = vector_bytes(trial->set);
    union vector b = trial->b;

    for (unsigned i = 0; trial->from == BROADCAST && i < 8; i++)
        b.u64[i] = strcmp(rows[trial->form].tuple, "FULL8") ? b.u32[0] * UINT64_C(0x100000001) : b.u64[0];
    memset(&trial->wanted, 0, sizeof(trial->wanted));
    jit_oracles[trial->form](&trial->wanted, &trial->a, &b, (unsigned)trial->immediate, size);
    if (makes_mask(trial)) {
        uint32_t bits = 0;

        for (unsigned i = 0; i < 16; i++)
            bits |= (trial->wanted.u32[i] & 1) << i;
        memset(&trial->wanted, 0, sizeof(trial->wanted));
        trial->wanted.u32[0] = bits;
    }
}

static void try_form(struct trial *trial)
{
    random_vector(&trial->a);
    random_vector(&trial->b);
    execute(trial);
    expect(trial);
    for (unsigned i = 0; i < vector_bytes(trial->set) / 4; i++)
        if (trial->out.u32[i] != trial->wanted.u32[i])
            fail_msg("%s, set %d, way %d, immediate %d, lane %u: of %08x and %08x comes %08x, not %08x",
                     rows[trial->form].name, trial->set, trial->from, trial->immediate, i, trial->a.u32[i],
                     trial->b.u32[i], trial->out.u32[i], trial->wanted.u32[i]);
}

static int immediate_of(enum jit_form form, unsigned round)
{
    if (rows[form].shape[strlen(rows[form].shape) - 1] != 'I')
        return NONE;
    /* Rounding: the instruction's mode, and no flag for inexact results; no scale. */
    return form == JIT_ROUND ? (int)(8 | round % 4) : form == JIT_COMPARE ? (int)(round % 32) : (int)(round % 256);
}

static void test_forms(void **state)
{
    (void)state;
    random_seed = 11;
    FOR_SETS(set)
    for (unsigned form = 0; form < JIT_FORMS; form++)
        for (enum from from = REGISTER; from <= BROADCAST; from++)
            for (unsigned round = 0; round < 256 && form != JIT_BLEND && has(form, set, from); round++) {
                struct trial trial = {.form = form, .set = set, .from = from, .immediate = immediate_of(form, round)};

                try_form(&trial);
            }
}

/* --- masks ------------------------------------------------------------------------------ */

/* Loads mask 1 + `which` from bits, bit i for lane i; with AVX2 from memory at `base` + 64 * which, where it has
 * lanes. */
static void emit_mask(enum jit_set set, unsigned which, enum jit_register base)
{
    struct jit_memory memory = at_base(base);

    memory.displacement = (int32_t)(64 * which);
    if (set == JIT_AVX2) {
        jit_rrm(&buffer, JIT_LOAD, 1 + which, 0, memory);
        return;
    }
    jit_rrm(&buffer, JIT_LOAD, 31, 0, memory);
    jit_rrr(&buffer, JIT_PXOR, 30, 30, 30);
    jit_rrr(&buffer, JIT_PCMPGTD, 1 + which, 30, 31);
}

/* Lanes of all ones or 0 */
static void random_mask(union vector *mask, enum jit_set set)
{
    const uint32_t bits = random_word() % 8 ? random_word() : 0;

    memset(mask, 0, sizeof(*mask));
    for (unsigned i = 0; i < vector_bytes(set) / 4; i++)
        mask->u32[i] = -(bits >> i & 1);
}

static void try_selects(enum jit_set set)
{
    union vector in[2], out[2] = {{{0}}}, mask;
    struct jit_memory second = at_base(JIT_RDI), b = at_base(JIT_RSI);

    second.displacement = b.displacement = 64;
    random_vector(&in[0]);
    random_vector(&in[1]);
    random_mask(&mask, set);
    begin(set);
    emit_mask(set, 0, JIT_RDX);
    jit_rrm(&buffer, JIT_LOAD, 8, 0, at_base(JIT_RSI));
    jit_rrm(&buffer, JIT_LOAD, 9, 0, b);
    jit_blend(&buffer, 10, 8, 9, 1);
    jit_select_or_zero(&buffer, 11, 9, 1);
    jit_rrm(&buffer, JIT_STORE, 10, 0, at_base(JIT_RDI));
    jit_rrm(&buffer, JIT_STORE, 11, 0, second);
    run(out, in, &mask, 0);
    for (unsigned i = 0; i < vector_bytes(set) / 4; i++) {
        assert_int_equal(out[0].u32[i], mask.u32[i] ? in[1].u32[i] : in[0].u32[i]);
        assert_int_equal(out[1].u32[i], mask.u32[i] ? in[1].u32[i] : 0);
    }
}

static void test_masks(void **state)
{
    (void)state;
    random_seed = 13;
    FOR_SETS(set)
    for (unsigned round = 0; round < 1000; round++)
        try_selects(set);
}

static void test_mask_from_bits(void **state)
{
    (void)state;
    if (!available(JIT_AVX512))
        skip();
    for (uint32_t bits = 0; bits < 65536; bits += 251) {
        begin(JIT_AVX512);
        jit_mask_from_bits(&buffer, 5, JIT_RCX);
        jit_mask_bits(&buffer, JIT_RAX, 5);
        assert_int_equal(run(NULL, NULL, NULL, bits), bits);
    }
}

static void try_gather(enum jit_set set)
{
    uint32_t table[64];
    union vector in[2], mask, out[2] = {{{0}}};
    const unsigned index = random_other(set, 1), d = index == 8 ? 9 : 8;
    struct jit_memory source = {.base = JIT_RCX, .index = (uint8_t)index, .scale = 4, .displacement = 4 * 32};
    struct jit_memory second = at_base(JIT_RSI), bits = at_base(JIT_RDI);

    second.displacement = bits.displacement = 64;
    for (unsigned i = 0; i < 64; i++)
        table[i] = random_word();
    random_mask(&mask, set);
    random_vector(&in[1]);
    for (unsigned i = 0; i < 16; i++)
        in[0].i32[i] = mask.u32[i] ? (int32_t)(random_word() % 64) - 32 : (int32_t)random_word();
    begin(set);
    emit_mask(set, 0, JIT_RDX);
    jit_rrm(&buffer, JIT_LOAD, index, 0, at_base(JIT_RSI));
    jit_rrm(&buffer, JIT_LOAD, d, 0, second);
    jit_gather(&buffer, d, source, 1);
    jit_rrm(&buffer, JIT_STORE, d, 0, at_base(JIT_RDI));
    jit_mask_bits(&buffer, JIT_RAX, 1);
    assert_int_equal(run(out, in, &mask, (uintptr_t)table), 0);
    for (unsigned i = 0; i < vector_bytes(set) / 4; i++)
        assert_int_equal(out->u32[i], mask.u32[i] ? table[32 + in[0].i32[i]] : in[1].u32[i]);
}

static void test_broadcast_dword(void **state)
{
    union vector out[2] = {{{0}}};

    (void)state;
    FOR_SETS(set)
    for (uint32_t value = 1; value; value = value * 2 + (value < 1u << 30)) {
        const unsigned d = value % 16;

        begin(set);
        jit_broadcast_dword(&buffer, d, JIT_RCX);
        jit_rrm(&buffer, JIT_STORE, d, 0, at_base(JIT_RDI));
        run(out, NULL, NULL, value | UINT64_C(1) << 32);
        for (unsigned i = 0; i < vector_bytes(set) / 4; i++)
            assert_int_equal(out->u32[i], value);
    }
}

static void test_gather(void **state)
{
    (void)state;
    random_seed = 17;
    FOR_SETS(set)
    for (unsigned round = 0; round < 1000; round++)
        try_gather(set);
}

static void try_nan(enum jit_set set)
{
    union vector vector;
    bool nan = false;
    size_t jump;

    random_vector(&vector);
    if (random_word() % 2)
        for (unsigned i = 0; i < 16; i++)
            vector.u32[i] = is_nan(vector.u32[i]) ? 0x7f800000 : vector.u32[i];
    for (unsigned i = 0; i < vector_bytes(set) / 4; i++)
        nan |= is_nan(vector.u32[i]);
    begin(set);
    jit_rrm(&buffer, JIT_LOAD, 5, 0, at_base(JIT_RSI));
    jit_test_nan(&buffer, 5, 6);
    jit_move_constant(&buffer, JIT_RAX, 0);
    jump = jit_jump(&buffer, JIT_EQUAL);
    jit_move_constant(&buffer, JIT_RAX, 1);
    jit_land(&buffer, jump);
    assert_int_equal(run(NULL, &vector, NULL, 0), nan);
}

static void test_nan(void **state)
{
    (void)state;
    random_seed = 19;
    FOR_SETS(set)
    for (unsigned round = 0; round < 2000; round++)
        try_nan(set);
}

/* --- general registers -------------------------------------------------------------------- */

/* Adds rcx numbers at rsi, and returns the sum; uses a pointer that runs up to an end, which lea computes. */
static void test_loop(void **state)
{
    uint32_t numbers[100];
    const struct jit_memory end = {.base = JIT_RSI, .index = JIT_RCX, .scale = 4};
    const struct jit_memory sum_of = {.base = JIT_RAX, .index = JIT_R10, .scale = 1};

    (void)state;
    if (!available(JIT_AVX2))
        skip();
    for (unsigned i = 0; i < 100; i++)
        numbers[i] = random_word();
    for (unsigned count = 0; count <= 100; count++) {
        uint32_t sum = 0;
        size_t out, start;

        begin(JIT_AVX2);
        jit_move_constant(&buffer, JIT_RAX, 0);
        jit_address(&buffer, JIT_R8, end);
        jit_address(&buffer, JIT_R9, at_base(JIT_RSI));
        jit_compare(&buffer, JIT_R9, JIT_R8);
        out = jit_jump(&buffer, JIT_ABOVE_EQUAL);
        start = buffer.length;
        jit_load_dword(&buffer, JIT_R10, at_base(JIT_R9));
        jit_address(&buffer, JIT_RAX, sum_of);
        jit_add_constant(&buffer, JIT_R9, 4);
        jit_compare(&buffer, JIT_R9, JIT_R8);
        jit_jump_back(&buffer, JIT_BELOW, start);
        jit_land(&buffer, out);
        for (unsigned i = 0; i < count; i++)
            sum += numbers[i];
        assert_int_equal(run(NULL, numbers, NULL, count), sum);
    }
}

static bool holds(enum jit_condition condition, int64_t a, int64_t b)
{
    switch (condition) {
    case JIT_BELOW:
        return (uint64_t)a < (uint64_t)b;
    case JIT_ABOVE_EQUAL:
        return (uint64_t)a >= (uint64_t)b;
    case JIT_EQUAL:
        return a == b;
    case JIT_NOT_EQUAL:
        return a != b;
    case JIT_LESS:
        return a < b;
    case JIT_GREATER_EQUAL:
        return a >= b;
    default:
        return true;
    }
}

static void try_condition(enum jit_condition condition, int64_t a, int32_t b)
{
    struct jit_memory there = at_base(JIT_RDI);
    int64_t out[2] = {0, 0};
    size_t jump;

    there.displacement = 8;
    begin(JIT_AVX2);
    jit_store_pointer(&buffer, JIT_RCX, there);
    jit_load_pointer(&buffer, JIT_R11, there);
    jit_move_constant(&buffer, JIT_RAX, 1);
    jit_compare_constant(&buffer, JIT_R11, b);
    jump = jit_jump(&buffer, condition);
    jit_move_constant(&buffer, JIT_RAX, 0);
    jit_land(&buffer, jump);
    assert_int_equal(run(out, NULL, NULL, (uint64_t)a), holds(condition, a, b));
    assert_true(out[1] == a && !out[0]);
}

static void test_conditions(void **state)
{
    static const enum jit_condition conditions[] = {JIT_ALWAYS,    JIT_BELOW, JIT_ABOVE_EQUAL,  JIT_EQUAL,
                                                    JIT_NOT_EQUAL, JIT_LESS,  JIT_GREATER_EQUAL};
    static const int32_t numbers[] = {0, 1, -1, 127, 128, -128, -129, 0x7fffffff, INT32_MIN};

    (void)state;
    if (!available(JIT_AVX2))
        skip();
    for (unsigned i = 0; i < ARRAY_COUNT(conditions); i++)
        for (unsigned j = 0; j < ARRAY_COUNT(numbers) * ARRAY_COUNT(numbers); j++) {
            const int32_t a = numbers[j % ARRAY_COUNT(numbers)], b = numbers[j / ARRAY_COUNT(numbers)];

            try_condition(conditions[i], a, b);
            try_condition(conditions[i], a + INT64_C(0x100000000), b);
        }
}

static int create_pool(void **state)
{
    (void)state;
    pool = jit_memory_create(JIT_MEMORY_REGION);
    return pool ? 0 : -1;
}

static int destroy_pool(void **state)
{
    (void)state;
    jit_memory_destroy(pool);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),  cmocka_unit_test(test_masks),           cmocka_unit_test(test_mask_from_bits),
        cmocka_unit_test(test_gather), cmocka_unit_test(test_broadcast_dword), cmocka_unit_test(test_nan),
        cmocka_unit_test(test_loop),   cmocka_unit_test(test_conditions),
    };

    return cmocka_run_group_tests(tests, create_pool, destroy_pool);
}
