/* SPDX-License-Identifier: MIT */
/*
 * The encoder of jit/ for 32-bit programs, read back by Zydis in 32-bit mode. Features that 32-bit programs lack are
 * refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <Zydis/Zydis.h>

#include "base/base.h"
#include "jit/encode.h"

#include "tests/unit/jit_rows.h"

static uint8_t bytes[64];
static struct jit_buffer buffer;

static void begin(enum jit_set set, bool is_32_bit)
{
    memset(bytes, 0xcc, sizeof(bytes));
    buffer = (struct jit_buffer){.bytes = bytes, .capacity = sizeof(bytes), .set = set, .is_32_bit = is_32_bit};
}

/* Instructions of a 32-bit program, with the operands that its decoder is to find: registers and memory of 32 bits. */
static void emit_32_bit(void)
{
    const struct jit_memory memory = {.base = JIT_RBX, .index = JIT_RSI, .scale = 4, .displacement = 0x12345};

    jit_push(&buffer, JIT_RDI);
    jit_move_constant(&buffer, JIT_RDI, 1);
    jit_add_constant(&buffer, JIT_RDI, 8);
    jit_add_constant(&buffer, JIT_RDI, 0x1234);
    jit_compare(&buffer, JIT_RDI, JIT_RAX);
    jit_compare_dword(&buffer, JIT_RDI, memory);
    jit_compare_constant(&buffer, JIT_RDI, 0x1234);
    jit_load_pointer(&buffer, JIT_RDI, memory);
    jit_load_dword(&buffer, JIT_RDI, memory);
    jit_store_pointer(&buffer, JIT_RDI, memory);
    jit_store_dword(&buffer, JIT_RDI, memory);
    jit_address(&buffer, JIT_RDI, memory);
    jit_pop(&buffer, JIT_RDI);
}

static void test_32_bit_general(void **state)
{
    static const char *const text[] = {
        "push edi",
        "mov edi, 0x01",
        "add edi, 0x08",
        "add edi, 0x1234",
        "cmp edi, eax",
        "cmp edi, [ebx+esi*4+0x12345]",
        "cmp edi, 0x1234",
        "mov edi, [ebx+esi*4+0x12345]",
        "mov edi, [ebx+esi*4+0x12345]",
        "mov [ebx+esi*4+0x12345], edi",
        "mov [ebx+esi*4+0x12345], edi",
        "lea edi, [ebx+esi*4+0x12345]",
        "pop edi",
    };
    static uint8_t code[256];
    ZydisDisassembledInstruction found;
    size_t at = 0;

    (void)state;
    buffer = (struct jit_buffer){.bytes = code, .capacity = sizeof(code), .set = JIT_AVX2, .is_32_bit = true};
    emit_32_bit();
    assert_false(buffer.full);
    for (unsigned n = 0; n < ARRAY_COUNT(text); n++) {
        assert_true(ZYAN_SUCCESS(
            ZydisDisassembleIntel(ZYDIS_MACHINE_MODE_LEGACY_32, 0, code + at, buffer.length - at, &found)));
        assert_string_equal(found.text, text[n]);
        at += found.info.length;
    }
    assert_int_equal(at, buffer.length);
}

/* Registers 8 and above, in any operand. */
static void test_32_bit_refuses(void **state)
{
    static const struct jit_memory low = {.base = JIT_RBX, .index = JIT_RSI, .scale = 4};
    static const struct jit_memory high[] = {{.base = JIT_R8, .index = JIT_NO_REGISTER, .scale = 1},
                                             {.base = JIT_RBX, .index = JIT_R9, .scale = 4}};

    (void)state;
#define REFUSED(call)                                    \
    for (int set = JIT_AVX2; set <= JIT_AVX512; set++) { \
        begin(set, true);                                \
        call;                                            \
        assert_true(buffer.full && !buffer.length);      \
    }
    REFUSED(jit_rrr(&buffer, JIT_ADD, 8, 1, 2))
    REFUSED(jit_rrr(&buffer, JIT_ADD, 1, 8, 2))
    REFUSED(jit_rrr(&buffer, JIT_ADD, 1, 2, 8))
    REFUSED(jit_broadcast_dword(&buffer, 8, JIT_RAX))
    REFUSED(jit_broadcast_dword(&buffer, 1, JIT_R8))
    REFUSED(jit_blend(&buffer, 8, 1, 2, 3))
    REFUSED(jit_compare(&buffer, JIT_R8, JIT_RAX))
    REFUSED(jit_compare(&buffer, JIT_RAX, JIT_R8))
    REFUSED(jit_move_constant(&buffer, JIT_R8, 1))
    REFUSED(jit_add_constant(&buffer, JIT_R8, 1))
    REFUSED(jit_compare_dword(&buffer, JIT_R8, low))
    REFUSED(jit_push(&buffer, JIT_R8))
    REFUSED(jit_pop(&buffer, JIT_R8))
    REFUSED(jit_mask_bits(&buffer, JIT_R8, 1))
    for (unsigned n = 0; n < ARRAY_COUNT(high); n++) {
        REFUSED(jit_rrm(&buffer, JIT_ADD, 1, 2, high[n]))
        REFUSED(jit_load_pointer(&buffer, JIT_RAX, high[n]))
        REFUSED(jit_compare_dword(&buffer, JIT_RAX, high[n]))
    }
#undef REFUSED
}

/* Every form with registers that a 32-bit program has: the same bytes, which its decoder reads as the same instruction. */
static void test_32_bit_forms(void **state)
{
    const struct jit_memory memory = {.base = JIT_RBX, .index = JIT_RSI, .scale = 4, .displacement = 64};
    ZydisDisassembledInstruction found;
    uint8_t wide[sizeof(bytes)];

    (void)state;
    for (int set = JIT_AVX2; set <= JIT_AVX512; set++)
        for (unsigned form = 0; form < JIT_FORMS; form++)
            for (unsigned n = 0; n < 16; n++) {
                const struct jit_memory *at = n & 8 ? &memory : NULL;
                const int immediate = has_immediate(&rows[form]) ? 1 : NONE;
                const unsigned a = n & 1 ? 7 : 1, b = n & 2 ? 6 : 2, c = n & 4 ? 5 : 3;

                begin(set, false);
                encode_form(&buffer, form, a, b, c, at, immediate);
                if (buffer.full) /* it has no memory, or a function of its own */
                    continue;
                memcpy(wide, bytes, sizeof(wide));
                begin(set, true);
                encode_form(&buffer, form, a, b, c, at, immediate);
                assert_false(buffer.full);
                assert_memory_equal(bytes, wide, sizeof(wide));
                assert_true(
                    ZYAN_SUCCESS(ZydisDisassembleIntel(ZYDIS_MACHINE_MODE_LEGACY_32, 0, bytes, buffer.length, &found)));
                assert_string_equal(ZydisMnemonicGetString(found.info.mnemonic), rows[form].mnemonic[set]);
                assert_int_equal(found.info.length, buffer.length);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_32_bit_general),
        cmocka_unit_test(test_32_bit_refuses),
        cmocka_unit_test(test_32_bit_forms),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
