/* SPDX-License-Identifier: MIT */
/* Instructions for the lowest 16 bytes of vector registers, and those that extract indices: each must be the requested
 * instruction. */
#include "tests/unit/jit_decoder.h"

static const int32_t displacements[] = {0, 1, -128, 127, 128, -129, 65536, INT32_MIN};

static struct jit_memory address(unsigned n)
{
    const unsigned index = n / 16 % 16;

    return (struct jit_memory){.base = (uint8_t)(n % 16),
                               .index = index == JIT_RSP ? JIT_NO_REGISTER : (uint8_t)index,
                               .scale = (uint8_t)(1u << n / 3 % 4),
                               .displacement = displacements[n / 5 % ARRAY_COUNT(displacements)]};
}

static ZydisRegister lowest(unsigned number)
{
    return ZYDIS_REGISTER_XMM0 + number;
}

static void check_loads(enum jit_set set, unsigned n)
{
    const unsigned d = n % 16, a = n / 16 % 16;
    const struct jit_memory memory = address(n * 7 + 3);
    const struct operand place = {.kind = MEMORY, .memory = memory, .bytes = 8};
    struct wanted low = {.mnemonic = "vmovq"}, high = {.mnemonic = "vmovhps"};

    begin(set);
    jit_load_low(&buffer, d, memory);
    want_register(&low, lowest(d));
    want(&low, place);
    check(&low);
    begin(set);
    jit_load_high(&buffer, d, a, memory);
    want_register(&high, lowest(d));
    want_register(&high, lowest(a));
    want(&high, place);
    check(&high);
}

static void check_takes(enum jit_set set, unsigned n)
{
    const unsigned general = n % 16, from = n / 16 % 16;
    struct wanted low = {.mnemonic = "vmovq"}, high = {.mnemonic = "vpextrq"};

    begin(set);
    jit_take_low(&buffer, general, from);
    want_register(&low, ZYDIS_REGISTER_RAX + general);
    want_register(&low, lowest(from));
    check(&low);
    begin(set);
    jit_take_high(&buffer, general, from);
    want_register(&high, ZYDIS_REGISTER_RAX + general);
    want_register(&high, lowest(from));
    want_immediate(&high, 1);
    check(&high);
}

static void check_moves(unsigned n)
{
    const unsigned to = n % 16, from = n / 16 % 16;
    struct wanted move = {.mnemonic = "mov"}, shift = {.mnemonic = "shr"};

    begin(JIT_AVX2);
    jit_move_dword(&buffer, to, from);
    want_register(&move, ZYDIS_REGISTER_EAX + to);
    want_register(&move, ZYDIS_REGISTER_EAX + from);
    check(&move);
    begin(JIT_AVX2);
    jit_shift_right(&buffer, to, n / 16 % 64);
    want_register(&shift, ZYDIS_REGISTER_RAX + to);
    want_immediate(&shift, n / 16 % 64);
    check(&shift);
}

static void test_each(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 1024; n++) {
        for (int set = JIT_AVX2; set <= JIT_AVX512; set++) {
            check_loads(set, n);
            check_takes(set, n);
        }
        check_moves(n);
    }
}

static void assert_refused(void)
{
    assert_true(buffer.full);
    assert_int_equal(buffer.length, 0);
}

/* Registers that VEX cannot name, and what 32-bit programs do not have. */
static void test_refused(void **state)
{
    const struct jit_memory good = {.base = JIT_RAX, .index = JIT_NO_REGISTER},
                            far = {.base = JIT_R8, .index = JIT_NO_REGISTER}, bad = {.base = JIT_NO_REGISTER};

    (void)state;
    for (int set = JIT_AVX2; set <= JIT_AVX512; set++) {
        begin(set), jit_load_low(&buffer, 16, good), assert_refused();
        begin(set), jit_load_low(&buffer, 0, bad), assert_refused();
        begin(set), jit_load_high(&buffer, 0, 16, good), assert_refused();
        begin(set), jit_take_low(&buffer, 16, 0), assert_refused();
        begin(set), jit_take_high(&buffer, 0, 16), assert_refused();
    }
    begin(JIT_AVX2), jit_move_dword(&buffer, 16, 0), assert_refused();
    begin(JIT_AVX2), jit_shift_right(&buffer, JIT_RAX, 64), assert_refused();
    begin(JIT_AVX2), buffer.is_32_bit = true, jit_take_low(&buffer, 0, 0), assert_refused();
    begin(JIT_AVX2), buffer.is_32_bit = true, jit_load_low(&buffer, 8, good), assert_refused();
    begin(JIT_AVX2), buffer.is_32_bit = true, jit_load_low(&buffer, 0, far), assert_refused();
    begin(JIT_AVX2), buffer.is_32_bit = true, jit_shift_right(&buffer, JIT_RAX, 32), assert_refused();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each), cmocka_unit_test(test_refused)};

    if (!ZYAN_SUCCESS(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)))
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
