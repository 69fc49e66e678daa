/* SPDX-License-Identifier: MIT */
/* Compares the instruction that a test of jit/encode.c asked for with the one that the decoder Zydis finds in a
 * buffer. */
#ifndef HALCYON_TESTS_JIT_DECODER_H
#define HALCYON_TESTS_JIT_DECODER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <Zydis/Zydis.h>

#include "base/base.h"
#include "jit/encode.h"

enum kind { REGISTER, MEMORY, IMMEDIATE };

struct operand {
    enum kind kind;
    ZydisRegister reg;
    struct jit_memory memory;
    bool vector_index;
    unsigned bytes; /* of memory; 0: not compared */
    int64_t immediate;
};

struct wanted {
    const char *mnemonic;
    unsigned count;
    struct operand operand[5];
    unsigned mask; /* k0: none */
    bool zeroing;
};

static ZydisDecoder decoder; /* initialized by main */
static uint8_t bytes[64];
static struct jit_buffer buffer;

static void begin(enum jit_set set)
{
    memset(bytes, 0xcc, sizeof(bytes));
    buffer = (struct jit_buffer){.bytes = bytes, .capacity = sizeof(bytes), .set = set};
}

static inline ZydisRegister vector(unsigned number, unsigned size)
{
    return (size == 64 ? ZYDIS_REGISTER_ZMM0 : size == 32 ? ZYDIS_REGISTER_YMM0 : ZYDIS_REGISTER_XMM0) + number;
}

static inline unsigned vector_bytes(enum jit_set set)
{
    return set == JIT_AVX512 ? 64 : 32;
}

static void want(struct wanted *wanted, struct operand operand)
{
    wanted->operand[wanted->count++] = operand;
}

static void want_register(struct wanted *wanted, ZydisRegister reg)
{
    want(wanted, (struct operand){.kind = REGISTER, .reg = reg});
}

static inline void want_immediate(struct wanted *wanted, int64_t value)
{
    want(wanted, (struct operand){.kind = IMMEDIATE, .immediate = value});
}

static bool same_memory(const struct operand *wanted, const ZydisDecodedOperand *found)
{
    const struct jit_memory *memory = &wanted->memory;
    const bool indexed = wanted->vector_index || memory->index != JIT_NO_REGISTER;
    ZydisRegister index = ZYDIS_REGISTER_NONE;

    if (wanted->vector_index)
        index = vector(memory->index, wanted->bytes);
    else if (indexed)
        index = ZYDIS_REGISTER_RAX + memory->index;
    return found->type == ZYDIS_OPERAND_TYPE_MEMORY && found->mem.base == (unsigned)ZYDIS_REGISTER_RAX + memory->base &&
           found->mem.index == index && found->mem.scale == (indexed ? memory->scale : 0) &&
           (found->mem.disp.has_displacement ? found->mem.disp.value : 0) == memory->displacement &&
           (!wanted->bytes || wanted->vector_index || found->size == 8 * wanted->bytes);
}

static bool same_operand(const struct operand *wanted, const ZydisDecodedOperand *found)
{
    if (wanted->kind == REGISTER)
        return found->type == ZYDIS_OPERAND_TYPE_REGISTER && found->reg.value == wanted->reg;
    if (wanted->kind == IMMEDIATE)
        return found->type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
               (found->imm.is_signed ? found->imm.value.s : (int64_t)found->imm.value.u) == wanted->immediate;
    return same_memory(wanted, found);
}

/* 2.7.5: bytes of the shortest displacement; with EVEX it counts in elements or whole operands */
static unsigned shortest(const struct wanted *wanted, const ZydisDecodedInstruction *found)
{
    for (unsigned i = 0; i < wanted->count; i++) {
        const struct operand *operand = &wanted->operand[i];
        const bool evex = found->encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX;
        const int unit = evex ? operand->vector_index ? 4 : (int)operand->bytes : 1;

        if (operand->kind != MEMORY)
            continue;
        if (!operand->memory.displacement && (operand->memory.base & 7) != JIT_RBP)
            return 0;
        return operand->memory.displacement % unit || operand->memory.displacement / unit < -128 ||
                       operand->memory.displacement / unit > 127
                   ? 4
                   : 1;
    }
    return 0;
}

static void fail_with(const struct wanted *wanted, const char *why)
{
    ZydisDisassembledInstruction text;

    ZydisDisassembleIntel(ZYDIS_MACHINE_MODE_LONG_64, 0, bytes, sizeof(bytes), &text);
    fail_msg("%s: wanted %s, found %s (%zu bytes)", why, wanted->mnemonic, text.text, buffer.length);
}

/* Checks that the buffer holds exactly this instruction. */
static void check(const struct wanted *wanted)
{
    ZydisDecodedInstruction found;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    unsigned count = 0;

    if (buffer.full || !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, sizeof(bytes), &found, operands)))
        fail_msg("%s: no instruction", wanted->mnemonic);
    if (strcmp(ZydisMnemonicGetString(found.mnemonic), wanted->mnemonic))
        fail_with(wanted, "mnemonic");
    if (found.length != buffer.length)
        fail_with(wanted, "length");
    for (unsigned i = 0; i < found.operand_count_visible; i++) {
        if (operands[i].encoding == ZYDIS_OPERAND_ENCODING_MASK)
            continue;
        if (count == wanted->count || !same_operand(&wanted->operand[count], &operands[i]))
            fail_with(wanted, "operand");
        count++;
    }
    if (count != wanted->count)
        fail_with(wanted, "number of operands");
    if (found.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX) {
        if (found.avx.mask.reg != (wanted->mask ? ZYDIS_REGISTER_K0 + wanted->mask : ZYDIS_REGISTER_K0) ||
            (found.avx.mask.mode == ZYDIS_MASK_MODE_ZEROING) != wanted->zeroing)
            fail_with(wanted, "mask");
    }
    if (found.encoding == ZYDIS_INSTRUCTION_ENCODING_VEX) {
        const ZydisDecodedInstructionRawVex *vex = &found.raw.vex;

        if (vex->size != (!vex->X || !vex->B || vex->W || vex->m_mmmm != 1 ? 3 : 2))
            fail_with(wanted, "prefix");
    }
    if (found.raw.disp.size != 8 * shortest(wanted, &found))
        fail_with(wanted, "displacement");
}

#endif
