/* SPDX-License-Identifier: MIT */
/*
 * The encoder of jit/, read back by an independent decoder, Zydis. Every form on both sets, with every class of
 * registers and every kind of address, must be the requested instruction in the shortest encoding. Forms that do not
 * exist are refused, and nothing is written beyond a buffer's end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "jit/encode.h"

#include "tests/unit/jit_decoder.h"
#include "tests/unit/jit_rows.h"

static bool is_shape(const struct row *row, const char *shape)
{
    return !strncmp(row->shape, shape, strlen(shape));
}

static unsigned broadcast_element(const struct row *row)
{
    return !strcmp(row->tuple, "FULL4") ? 4 : !strcmp(row->tuple, "FULL8") ? 8 : 0;
}

/* Bytes of the ModRM.rm operand, if it is in memory */
static unsigned rm_bytes(const struct row *row, enum jit_set set, bool broadcast)
{
    static const struct {
        const char *tuple;
        unsigned divisor;
    } parts[] = {{"HALF", 2}, {"QUARTER", 4}};

    if (broadcast)
        return broadcast_element(row);
    if (!strcmp(row->tuple, "SCALAR"))
        return 4;
    if (!strcmp(row->tuple, "LANE"))
        return 16;
    for (unsigned i = 0; i < ARRAY_COUNT(parts); i++)
        if (!strcmp(row->tuple, parts[i].tuple))
            return vector_bytes(set) / parts[i].divisor;
    return vector_bytes(set);
}

/* b is a register if there is no memory operand. In a store from register to register b is the source. */
static void want_form(struct wanted *wanted, enum jit_form form, enum jit_set set, unsigned destination, unsigned a,
                      unsigned b, const struct jit_memory *memory, int immediate)
{
    const struct row *row = &rows[form];
    const unsigned size = rm_bytes(row, set, memory && memory->broadcast), whole = vector_bytes(set);
    const bool store = is_shape(row, "MR");
    const ZydisRegister part = vector(store ? destination : b, BASE_MAX(size, 16));
    const struct operand rm = memory ? (struct operand){.kind = MEMORY, .memory = *memory, .bytes = size}
                                     : (struct operand){.kind = REGISTER, .reg = part};

    *wanted = (struct wanted){.mnemonic = row->mnemonic[set]};
    if (store) {
        want(wanted, rm);
        want_register(wanted, vector(memory ? destination : b, whole));
    } else {
        if (is_shape(row, "KVM") && set == JIT_AVX512)
            want_register(wanted, ZYDIS_REGISTER_K0 + destination);
        else
            want_register(wanted, vector(destination, whole));
        if (is_shape(row, "RVM") || is_shape(row, "KVM"))
            want_register(wanted, vector(a, whole));
        want(wanted, rm);
    }
    if (immediate != NONE)
        want_immediate(wanted, immediate);
}

static void try_form(enum jit_form form, enum jit_set set, unsigned destination, unsigned a, unsigned b,
                     const struct jit_memory *memory, int immediate)
{
    struct wanted wanted;

    begin(set);
    encode_form(&buffer, form, destination, a, b, memory, immediate);
    want_form(&wanted, form, set, destination, a, b, memory, immediate);
    check(&wanted);
}

static void refused(enum jit_form form, enum jit_set set, unsigned destination, unsigned a, unsigned b,
                    const struct jit_memory *memory, int immediate)
{
    begin(set);
    encode_form(&buffer, form, destination, a, b, memory, immediate);
    if (!buffer.full || buffer.length || bytes[0] != 0xcc)
        fail_msg("%s %u %u %u is not refused", rows[form].name, destination, a, b);
}

static const unsigned classes[] = {0, 7, 8, 15, 16, 31};

static bool exists(enum jit_set set, unsigned number)
{
    return set == JIT_AVX512 || number < 16;
}

static bool destination_exists(enum jit_form form, enum jit_set set, unsigned number)
{
    return is_shape(&rows[form], "KVM") && set == JIT_AVX512 ? number < 8 : exists(set, number);
}

/* An immediate for a form that has one: all values in the end */
static int immediate_of(enum jit_form form)
{
    static uint8_t next;

    if (!has_immediate(&rows[form]))
        return NONE;
    next = (uint8_t)(next + 37);
    return is_shape(&rows[form], "KVM") ? next & 31 : next;
}

#define FOR_FORMS(form, set)                           \
    for (int set = JIT_AVX2; set <= JIT_AVX512; set++) \
        for (int form = 0; form < JIT_FORMS; form++)   \
            if (form != JIT_BLEND)

static void test_registers(void **state)
{
    (void)state;
    FOR_FORMS(form, set)
    for (unsigned i = 0; i < 216; i++) {
        const unsigned d = classes[i % 6], a = classes[i / 6 % 6], b = classes[i / 36];
        const bool looks_at_a = is_shape(&rows[form], "RVM") || is_shape(&rows[form], "KVM");

        if (destination_exists(form, set, d) && exists(set, b) && (!looks_at_a || exists(set, a)))
            try_form(form, set, d, a, b, NULL, immediate_of(form));
        else
            refused(form, set, d, a, b, NULL, immediate_of(form));
    }
}

static const int32_t displacements[] = {
    0,     1,     -1,    4,    -4,    127,   128,    -128,   -129,       508,       512,
    -512,  -516,  2032,  2048, -2048, -2064, 4064,   4096,   -4096,      -4128,     8128,
    8192,  -8192, -8256, 64,   -64,   63,    0x7c0,  1016,   1024,       -1024,     -1032,
    16320, 16384, 100,   32,   -32,   65536, 0xffff, -65536, 0x7fffffff, INT32_MIN, 0x7fffffc0,
};

static bool reads_memory(enum jit_form form, enum jit_set set)
{
    return !is_shape(&rows[form], "VM") || set == JIT_AVX512;
}

static void try_address(enum jit_form form, enum jit_set set, struct jit_memory memory)
{
    const unsigned d = destination_exists(form, set, 29) ? 29 : 5, a = exists(set, 18) ? 18 : 2;
    const bool has_broadcast = set == JIT_AVX512 && broadcast_element(&rows[form]);

    for (unsigned broadcast = 0; broadcast < 2; broadcast++) {
        memory.broadcast = broadcast;
        if (reads_memory(form, set) && (!broadcast || has_broadcast))
            try_form(form, set, d, a, 0, &memory, immediate_of(form));
        else
            refused(form, set, d, a, 0, &memory, immediate_of(form));
    }
}

/* Each form with each base, with registers of both halves as index, each scale and each displacement */
static void test_addresses(void **state)
{
    static const uint8_t indices[] = {JIT_NO_REGISTER, JIT_RAX, JIT_RBP, JIT_R12, JIT_R15};

    (void)state;
    FOR_FORMS(form, set)
    for (unsigned base = 0; base < 16; base++)
        for (unsigned i = 0; i < ARRAY_COUNT(indices); i++)
            for (unsigned j = 0; j < ARRAY_COUNT(displacements); j++)
                try_address(form, set,
                            (struct jit_memory){.base = (uint8_t)base,
                                                .index = indices[i],
                                                .scale = (uint8_t)(1u << (base + i + j) % 4),
                                                .displacement = displacements[j]});
}

/* One form with everything at once */
static void test_every_address(void **state)
{
    (void)state;
    for (int set = JIT_AVX2; set <= JIT_AVX512; set++)
        for (unsigned i = 0; i < 16 * 16 * 4; i++)
            for (unsigned j = 0; j < ARRAY_COUNT(displacements); j++)
                if (i / 16 % 16 != JIT_RSP)
                    try_address(JIT_ADD, set,
                                (struct jit_memory){.base = i % 16,
                                                    .index = i / 16 % 16,
                                                    .scale = (uint8_t)(1u << i / 256),
                                                    .displacement = displacements[j]});
}

static void test_every_register(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 32; i++)
        for (unsigned j = 0; j < 32; j++) {
            try_form(JIT_MUL, JIT_AVX512, i, j, (i + j) % 32, NULL, NONE);
            if (i < 16 && j < 16)
                try_form(JIT_MUL, JIT_AVX2, i, j, (i + j) % 16, NULL, NONE);
        }
}

static void test_refused(void **state)
{
    const struct jit_memory good = {.base = JIT_RAX, .index = JIT_NO_REGISTER};
    struct jit_memory bad[] = {
        {.base = 16, .index = JIT_NO_REGISTER}, {.base = JIT_NO_REGISTER, .index = JIT_NO_REGISTER},
        {.index = JIT_RSP, .scale = 1},         {.index = 16, .scale = 1},
        {.index = JIT_RCX, .scale = 0},         {.index = JIT_RCX, .scale = 3},
        {.index = JIT_RCX, .scale = 16},
    };

    (void)state;
    FOR_FORMS(form, set)
    {
        const bool byte = has_immediate(&rows[form]);

        for (unsigned i = 0; i < ARRAY_COUNT(bad); i++)
            refused(form, set, 0, 0, 0, &bad[i], byte ? 1 : NONE);
        refused(form, set, 0, 0, 0, NULL, byte ? NONE : 1);
        refused(form, set, 0, 0, 0, &good, byte ? NONE : 1);
        refused(form, set, 32, 0, 0, NULL, byte ? 1 : NONE);
        refused(form, set, 0, 0, 32, NULL, byte ? 1 : NONE);
        refused(form, set, 256, 0, 256, NULL, byte ? 1 : NONE);
        if (is_shape(&rows[form], "RVM"))
            refused(form, set, 0, 256, 0, NULL, byte ? 1 : NONE);
    }
    for (unsigned i = 0; i < ARRAY_COUNT(bad); i++) {
        begin(JIT_AVX2);
        jit_load_pointer(&buffer, JIT_RAX, bad[i]);
        assert_true(buffer.full && !buffer.length);
    }
    begin(JIT_AVX512);
    jit_address(&buffer, JIT_RAX, (struct jit_memory){.index = JIT_NO_REGISTER, .broadcast = true});
    assert_true(buffer.full && !buffer.length);
    begin(JIT_AVX2);
    jit_compare(&buffer, 16, JIT_RAX);
    assert_true(buffer.full && !buffer.length);
    begin(JIT_AVX2);
    jit_add_constant(&buffer, JIT_NO_REGISTER, 1);
    assert_true(buffer.full && !buffer.length);
    refused(JIT_BLEND, JIT_AVX2, 0, 0, 0, NULL, 0x10);
    refused(JIT_BLEND, JIT_AVX512, 0, 0, 0, NULL, NONE);
}

/* --- masks ---------------------------------------------------------------------------- */

static void check_blend(enum jit_set set, unsigned d, unsigned a, unsigned b, unsigned mask)
{
    struct wanted wanted = {.mnemonic = rows[JIT_BLEND].mnemonic[set]};
    const unsigned size = vector_bytes(set);

    begin(set);
    jit_blend(&buffer, d, a, b, mask);
    want_register(&wanted, vector(d, size));
    want_register(&wanted, vector(a, size));
    want_register(&wanted, vector(b, size));
    if (set == JIT_AVX2)
        want_register(&wanted, vector(mask, size));
    else
        wanted.mask = mask;
    check(&wanted);
}

static void check_select(enum jit_set set, unsigned d, unsigned b, unsigned mask)
{
    struct wanted wanted = {.mnemonic = set == JIT_AVX2 ? "vandps" : "vmovaps"};
    const unsigned size = vector_bytes(set);

    begin(set);
    jit_select_or_zero(&buffer, d, b, mask);
    want_register(&wanted, vector(d, size));
    want_register(&wanted, vector(b, size));
    if (set == JIT_AVX2)
        want_register(&wanted, vector(mask, size));
    else
        wanted.mask = mask, wanted.zeroing = true;
    check(&wanted);
}

static void check_gather(enum jit_set set, unsigned d, struct jit_memory memory, unsigned mask)
{
    struct wanted wanted = {.mnemonic = "vpgatherdd"};
    const unsigned size = vector_bytes(set);

    begin(set);
    jit_gather(&buffer, d, memory, mask);
    if (d == memory.index || (set == JIT_AVX2 && (d == mask || mask == memory.index))) {
        assert_true(buffer.full);
        return;
    }
    want_register(&wanted, vector(d, size));
    want(&wanted, (struct operand){.kind = MEMORY, .memory = memory, .vector_index = true, .bytes = size});
    if (set == JIT_AVX2)
        want_register(&wanted, vector(mask, size));
    else
        wanted.mask = mask;
    check(&wanted);
}

/* Each class of registers, each mask, and addresses */
static void test_masked(void **state)
{
    (void)state;
    for (int set = JIT_AVX2; set <= JIT_AVX512; set++)
        for (unsigned i = 0; i < 216 * 16; i++) {
            const unsigned d = classes[i % 6], a = classes[i / 6 % 6], b = classes[i / 36 % 6];
            const unsigned mask = i / 216;
            const struct jit_memory memory = {.base = i * 7 % 16,
                                              .index = i % 2 ? JIT_NO_REGISTER : JIT_R9,
                                              .scale = (uint8_t)(1u << i % 4),
                                              .displacement = displacements[i % ARRAY_COUNT(displacements)]};
            struct jit_memory lanes = memory;

            lanes.index = (uint8_t)a;
            if (!exists(set, d) || !exists(set, a) || !exists(set, b) || (set == JIT_AVX512 && !(mask && mask < 8)))
                continue;
            check_blend(set, d, a, b, mask);
            check_select(set, d, b, mask);
            check_gather(set, d, lanes, mask);
        }
}

static void refuse_masks(enum jit_set set, unsigned mask)
{
    const struct jit_memory memory = {.base = JIT_RAX, .index = 1, .scale = 1};

    begin(set);
    jit_blend(&buffer, 0, 0, 0, mask);
    assert_true(buffer.full);
    begin(set);
    jit_select_or_zero(&buffer, 0, 0, mask);
    assert_true(buffer.full);
    begin(set);
    jit_gather(&buffer, 0, memory, mask);
    assert_true(buffer.full);
    begin(set);
    jit_mask_bits(&buffer, JIT_RAX, mask);
    assert_true(buffer.full);
    assert_int_equal(buffer.length, 0);
}

static void test_refused_masks(void **state)
{
    (void)state;
    refuse_masks(JIT_AVX2, 16);
    refuse_masks(JIT_AVX512, 0);
    refuse_masks(JIT_AVX512, 8);
    begin(JIT_AVX2);
    jit_mask_from_bits(&buffer, 1, JIT_RAX);
    assert_true(buffer.full);
}

static void check_mask_bits(enum jit_set set, unsigned mask)
{
    struct wanted bits = {.mnemonic = set == JIT_AVX2 ? "vmovmskps" : "kmovw"};
    const ZydisRegister reg = (set == JIT_AVX2 ? ZYDIS_REGISTER_YMM0 : ZYDIS_REGISTER_K0) + mask;

    for (unsigned general = 0; general < 16; general++) {
        begin(set);
        jit_mask_bits(&buffer, general, mask);
        bits.count = 0;
        want_register(&bits, ZYDIS_REGISTER_EAX + general);
        want_register(&bits, reg);
        check(&bits);
        if (set == JIT_AVX2)
            continue;
        begin(set);
        jit_mask_from_bits(&buffer, mask, general);
        bits.count = 0;
        want_register(&bits, reg);
        want_register(&bits, ZYDIS_REGISTER_EAX + general);
        check(&bits);
    }
}

static void test_masks(void **state)
{
    (void)state;
    for (int set = JIT_AVX2; set <= JIT_AVX512; set++)
        for (unsigned mask = set == JIT_AVX512; mask < (set == JIT_AVX2 ? 16 : 8); mask++)
            check_mask_bits(set, mask);
}

/* --- general registers --------------------------------------------------------------------- */

enum general { COMPARE, LOAD, LOAD_DWORD, STORE, STORE_DWORD, ADDRESS, GENERAL_COUNT };

static void (*const of_registers[])(struct jit_buffer *, enum jit_register,
                                    enum jit_register) = {[COMPARE] = jit_compare};
static void (*const of_memory[])(struct jit_buffer *, enum jit_register,
                                 struct jit_memory) = {[LOAD] = jit_load_pointer,
                                                       [LOAD_DWORD] = jit_load_dword,
                                                       [STORE] = jit_store_pointer,
                                                       [STORE_DWORD] = jit_store_dword,
                                                       [ADDRESS] = jit_address};

static void check_general(enum general which, unsigned a, unsigned b, struct jit_memory memory)
{
    static const char *const mnemonics[GENERAL_COUNT] = {"cmp", "mov", "mov", "mov", "mov", "lea"};
    struct wanted wanted = {.mnemonic = mnemonics[which]};
    const bool dword = which == LOAD_DWORD || which == STORE_DWORD;
    const ZydisRegister reg = (dword ? ZYDIS_REGISTER_EAX : ZYDIS_REGISTER_RAX) + a;
    const struct operand place = {.kind = MEMORY, .memory = memory, .bytes = dword ? 4 : 8};

    begin(JIT_AVX2);
    if (which == STORE || which == STORE_DWORD)
        want(&wanted, place);
    want_register(&wanted, reg);
    if (which <= COMPARE)
        want_register(&wanted, ZYDIS_REGISTER_RAX + b);
    else if (which != STORE && which != STORE_DWORD)
        want(&wanted, place);
    if (which <= COMPARE)
        of_registers[which](&buffer, a, b);
    else
        of_memory[which](&buffer, a, memory);
    check(&wanted);
}

static void test_general(void **state)
{
    (void)state;
    for (int which = 0; which < GENERAL_COUNT; which++)
        for (unsigned i = 0; i < 16 * 16 * 17; i++)
            for (unsigned j = 0; j < (which <= COMPARE ? 1 : ARRAY_COUNT(displacements)); j++) {
                const unsigned index = i / 256;

                if (index == JIT_RSP || (which <= COMPARE && index))
                    continue;
                check_general(which, i % 16, i / 16 % 16,
                              (struct jit_memory){.base = i / 16 % 16,
                                                  .index = index == 16 ? JIT_NO_REGISTER : (uint8_t)index,
                                                  .scale = (uint8_t)(1u << (i + j) % 4),
                                                  .displacement = displacements[j]});
            }
}

static void check_constant(unsigned reg, int32_t value)
{
    struct wanted move = {.mnemonic = "mov"}, add = {.mnemonic = "add"}, compare = {.mnemonic = "cmp"};

    begin(JIT_AVX2);
    jit_move_constant(&buffer, reg, (uint32_t)value);
    want_register(&move, ZYDIS_REGISTER_EAX + reg);
    want_immediate(&move, value); /* which Zydis shows as signed */
    check(&move);
    begin(JIT_AVX2);
    jit_add_constant(&buffer, reg, value);
    want_register(&add, ZYDIS_REGISTER_RAX + reg);
    want_immediate(&add, value);
    check(&add);
    assert_int_equal(buffer.length, value >= -128 && value <= 127 ? 4 : 7);
    begin(JIT_AVX2);
    jit_compare_constant(&buffer, reg, value);
    want_register(&compare, ZYDIS_REGISTER_RAX + reg);
    want_immediate(&compare, value);
    check(&compare);
}

static void test_constants(void **state)
{
    (void)state;
    for (unsigned reg = 0; reg < 16; reg++)
        for (unsigned j = 0; j < ARRAY_COUNT(displacements); j++)
            check_constant(reg, displacements[j]);
}

/* --- sequences --------------------------------------------------------------------------------- */

/* Decodes the instruction at *place and advances to the next. */
static ZydisDecodedInstruction next(size_t *place, ZydisDecodedOperand *operands)
{
    ZydisDecodedInstruction found;

    assert_true(
        ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes + *place, buffer.length - *place, &found, operands)));
    *place += found.length;
    return found;
}

static void test_return_and_nan(void **state)
{
    static const char *const names[2][4] = {{"vcmpps", "vptest", "vzeroupper", "ret"},
                                            {"vcmpps", "kortestw", "vzeroupper", "ret"}};

    (void)state;
    for (int set = JIT_AVX2; set <= JIT_AVX512; set++) {
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
        size_t place = 0;

        begin(set);
        jit_test_nan(&buffer, 11, 4);
        jit_return(&buffer);
        for (unsigned i = 0; i < 4; i++)
            assert_string_equal(ZydisMnemonicGetString(next(&place, operands).mnemonic), names[set][i]);
        assert_int_equal(place, buffer.length);
    }
}

/* With AVX2 they are two instructions. */
static void check_broadcast(enum jit_set set, unsigned d, unsigned general)
{
    const ZydisRegister wanted[2][2] = {{ZYDIS_REGISTER_XMM0 + d, ZYDIS_REGISTER_EAX + general},
                                        {ZYDIS_REGISTER_YMM0 + d, ZYDIS_REGISTER_XMM0 + d}};
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    size_t place = 0;

    begin(set);
    jit_broadcast_dword(&buffer, d, general);
    for (unsigned n = 0; set == JIT_AVX2 && n < 2; n++) {
        assert_string_equal(ZydisMnemonicGetString(next(&place, operands).mnemonic), n ? "vpbroadcastd" : "vmovd");
        assert_int_equal(operands[0].reg.value, wanted[n][0]);
        assert_int_equal(operands[1].reg.value, wanted[n][1]);
    }
    if (set == JIT_AVX512) {
        assert_string_equal(ZydisMnemonicGetString(next(&place, operands).mnemonic), "vpbroadcastd");
        assert_int_equal(operands[0].reg.value, ZYDIS_REGISTER_ZMM0 + d);
        assert_int_equal(
            operands[operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER && operands[1].reg.value < ZYDIS_REGISTER_K0 ? 1
                                                                                                                  : 2]
                .reg.value,
            ZYDIS_REGISTER_EAX + general);
    }
    assert_int_equal(place, buffer.length);
}

static void test_broadcasts(void **state)
{
    (void)state;
    for (int set = JIT_AVX2; set <= JIT_AVX512; set++) {
        for (unsigned d = 0; d < (set == JIT_AVX2 ? 16 : 32); d++)
            for (unsigned general = 0; general < 16; general++)
                check_broadcast(set, d, general);
        begin(set);
        jit_broadcast_dword(&buffer, set == JIT_AVX2 ? 16 : 32, JIT_RAX);
        assert_true(buffer.full);
        begin(set);
        jit_broadcast_dword(&buffer, 0, JIT_NO_REGISTER);
        assert_true(buffer.full);
        assert_int_equal(buffer.length, 0);
    }
}

static void test_jumps(void **state)
{
    static const struct {
        enum jit_condition condition;
        const char *mnemonic;
    } jumps[] = {{JIT_ALWAYS, "jmp"},    {JIT_BELOW, "jb"}, {JIT_ABOVE_EQUAL, "jnb"},  {JIT_EQUAL, "jz"},
                 {JIT_NOT_EQUAL, "jnz"}, {JIT_LESS, "jl"},  {JIT_GREATER_EQUAL, "jnl"}};

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(jumps); i++) {
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
        ZydisDecodedInstruction found;
        size_t place = 0, jump, start, end;

        begin(JIT_AVX2);
        jump = jit_jump(&buffer, jumps[i].condition);
        start = buffer.length;
        jit_rrr(&buffer, JIT_ADD, 1, 2, 3);
        jit_jump_back(&buffer, jumps[i].condition, start);
        jit_land(&buffer, jump);
        end = buffer.length;
        found = next(&place, operands);
        assert_string_equal(ZydisMnemonicGetString(found.mnemonic), jumps[i].mnemonic);
        assert_int_equal(place, start);
        assert_int_equal((int64_t)place + operands[0].imm.value.s, end);
        assert_string_equal(ZydisMnemonicGetString(next(&place, operands).mnemonic), "vaddps");
        found = next(&place, operands);
        assert_string_equal(ZydisMnemonicGetString(found.mnemonic), jumps[i].mnemonic);
        assert_int_equal(place, end);
        assert_int_equal((int64_t)place + operands[0].imm.value.s, start);
    }
}

/* One of each function, whatever the set */
static void emit_all(void)
{
    const struct jit_memory memory = {.base = JIT_R13, .index = JIT_R12, .scale = 8, .displacement = 0x12345};
    size_t jump, start;

    jump = jit_jump(&buffer, JIT_BELOW);
    start = buffer.length;
    jit_move_constant(&buffer, JIT_R8, 1);
    jit_push(&buffer, JIT_R8);
    jit_pop(&buffer, JIT_R8);
    jit_compare_dword(&buffer, JIT_R8, memory);
    jit_add_constant(&buffer, JIT_R8, 0x1234);
    jit_compare(&buffer, JIT_R8, JIT_RAX);
    jit_compare_constant(&buffer, JIT_R8, 0x1234);
    jit_load_pointer(&buffer, JIT_R8, memory);
    jit_load_dword(&buffer, JIT_R8, memory);
    jit_store_pointer(&buffer, JIT_R8, memory);
    jit_store_dword(&buffer, JIT_R8, memory);
    jit_address(&buffer, JIT_R8, memory);
    jit_rrr(&buffer, JIT_ADD, 1, 2, 3);
    jit_rrm(&buffer, JIT_ADD, 1, 2, memory);
    jit_rrri(&buffer, JIT_COMPARE, 1, 2, 3, 1);
    jit_rrmi(&buffer, JIT_COMPARE, 1, 2, memory, 1);
    jit_blend(&buffer, 1, 2, 3, 4);
    jit_select_or_zero(&buffer, 1, 2, 3);
    jit_mask_bits(&buffer, JIT_RAX, 1);
    jit_test_nan(&buffer, 1, 2);
    jit_gather(&buffer, 1, memory, 3);
    jit_broadcast_dword(&buffer, 1, JIT_R9);
    jit_jump_back(&buffer, JIT_LESS, start);
    jit_land(&buffer, jump);
    jit_return(&buffer);
}

/* A buffer of any size takes as many whole instructions as fit, and nothing is written beyond its end. */
static void test_capacity(void **state)
{
    static uint8_t whole[512], small[512 + 16];

    (void)state;
    for (int set = JIT_AVX2; set <= JIT_AVX512; set++) {
        size_t length;

        buffer = (struct jit_buffer){.bytes = whole, .capacity = sizeof(whole), .set = set};
        emit_all();
        assert_false(buffer.full);
        length = buffer.length;
        for (size_t capacity = 0; capacity <= length; capacity++) {
            memset(small, 0xcc, sizeof(small));
            buffer = (struct jit_buffer){.bytes = small, .capacity = capacity, .set = set};
            emit_all();
            assert_int_equal(buffer.full, capacity < length);
            assert_true(buffer.length <= capacity);
            for (size_t i = buffer.length; i < sizeof(small); i++)
                assert_int_equal(small[i], 0xcc);
            if (!buffer.full)
                assert_memory_equal(small, whole, length);
        }
    }
    buffer = (struct jit_buffer){.bytes = NULL, .capacity = 0, .set = JIT_AVX2};
    emit_all();
    assert_true(buffer.full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registers),     cmocka_unit_test(test_every_register),
        cmocka_unit_test(test_addresses),     cmocka_unit_test(test_every_address),
        cmocka_unit_test(test_refused),       cmocka_unit_test(test_masked),
        cmocka_unit_test(test_refused_masks), cmocka_unit_test(test_masks),
        cmocka_unit_test(test_broadcasts),    cmocka_unit_test(test_general),
        cmocka_unit_test(test_constants),     cmocka_unit_test(test_return_and_nan),
        cmocka_unit_test(test_jumps),         cmocka_unit_test(test_capacity),
    };

    if (!ZYAN_SUCCESS(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)))
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
