/* SPDX-License-Identifier: MIT */
/*
 * From operands to bytes. Each instruction is put together in a `struct code` and copied into the buffer when it is whole. Three
 * kinds of prefixes (REX, VEX, EVEX) share what follows them: ModRM, SIB, displacement, immediate. Sections named below are those
 * of the Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2.
 */
#include "jit/encode.h"
#include "base/base.h"

#include <string.h>

#define LONGEST_INSTRUCTION 15 /* 2.3.11 */
#define NO_IMMEDIATE        (-1)
#define MASK_REGISTERS      8
#define REGISTERS_32_BIT    8 /* without prefixes for more: 2.2.1 */
#define SCRATCH_MASK        7 /* which jit_test_nan uses */

/* --- the table of forms ------------------------------------------------------ */

enum shape {
    SHAPE_RVM,
    SHAPE_KVM,
    SHAPE_RM,
    SHAPE_MR,
    SHAPE_VM,
    SHAPE_SELECT,
    SHAPE_IMMEDIATE = 8, /* with one of the above: a byte follows */
    SHAPE_RVMI = SHAPE_RVM | SHAPE_IMMEDIATE,
    SHAPE_KVMI = SHAPE_KVM | SHAPE_IMMEDIATE,
    SHAPE_RMI = SHAPE_RM | SHAPE_IMMEDIATE,
    SHAPE_MRI = SHAPE_MR | SHAPE_IMMEDIATE,
    SHAPE_VMI = SHAPE_VM | SHAPE_IMMEDIATE,
};

/* Tables 2-34 and 2-35: bytes of a memory operand with vectors of 64 bytes, and of a broadcast element, as powers of two */
struct tuple {
    uint8_t whole, element; /* 0: no broadcast */
};
#define TUPLE_FULL4 \
    {               \
        6, 2        \
    }
#define TUPLE_FULL8 \
    {               \
        6, 3        \
    }
#define TUPLE_FULL \
    {              \
        6, 0       \
    }
#define TUPLE_HALF \
    {              \
        5, 0       \
    }
#define TUPLE_QUARTER \
    {                 \
        4, 0          \
    }
#define TUPLE_LANE \
    {              \
        4, 0       \
    }
#define TUPLE_SCALAR \
    {                \
        2, 0         \
    }

/* As VEX and EVEX number prefixes and maps. */
enum { PREFIX_NP, PREFIX_66, PREFIX_F3, PREFIX_F2 };
enum { MAP_0F = 1, MAP_0F38, MAP_0F3A };

struct opcode {
    uint8_t prefix, map, w, byte;
};

struct form {
    uint8_t shape, digit;
    struct tuple tuple;
    struct opcode opcode[2]; /* of enum jit_set */
};

static const struct form forms[JIT_FORMS] = {
#define JIT_FORM(name, shape, tuple, vex, vp, vm, vw, vo, evex, ep, em, ew, eo, digit) \
    [JIT_##name] = {SHAPE_##shape,                                                     \
                    digit,                                                             \
                    TUPLE_##tuple,                                                     \
                    {{PREFIX_##vp, MAP_##vm, vw, 0x##vo}, {PREFIX_##ep, MAP_##em, ew, 0x##eo}}},
#include "jit/forms.def"
};

/* --- bytes --------------------------------------------------------------------- */

/* Functions that append bytes return the end of them. */
static uint8_t *put(uint8_t *end, unsigned byte)
{
    *end = (uint8_t)byte;
    return end + 1;
}

static uint8_t *put_dword(uint8_t *end, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        end[i] = (uint8_t)(value >> 8 * i);
    return end + 4;
}

/* Where an instruction is assembled: in the buffer itself if the longest fits, else in separate memory. */
static uint8_t *begin(const struct jit_buffer *buffer, uint8_t apart[LONGEST_INSTRUCTION])
{
    if (buffer->full || buffer->capacity - buffer->length < LONGEST_INSTRUCTION)
        return apart;
    return buffer->bytes + buffer->length;
}

/* Adds the instruction to the buffer, as a whole or not at all. */
static void append(struct jit_buffer *buffer, const uint8_t apart[LONGEST_INSTRUCTION], const uint8_t *start,
                   const uint8_t *end)
{
    const size_t length = (size_t)(end - start);

    if (buffer->full || length > buffer->capacity - buffer->length) {
        buffer->full = true;
        return;
    }
    if (start == apart)
        memcpy(buffer->bytes + buffer->length, apart, length);
    buffer->length += length;
}

/* Records that the requested instruction does not exist. */
static void refuse(struct jit_buffer *buffer)
{
    buffer->full = true;
}

/* --- operands ------------------------------------------------------------------ */

/* The operand in ModRM.rm: a register, or memory. */
struct place {
    bool is_memory, vector_index;
    unsigned number;
    struct jit_memory memory;
};

static struct place in_register(unsigned number)
{
    return (struct place){.number = number};
}

static struct place in_memory(struct jit_memory memory)
{
    return (struct place){.is_memory = true, .memory = memory};
}

static bool has_index(const struct place *place)
{
    return place->is_memory && (place->vector_index || place->memory.index != JIT_NO_REGISTER);
}

static bool valid_memory(const struct place *place)
{
    const struct jit_memory *memory = &place->memory;

    if (memory->base > JIT_R15)
        return false;
    if (!has_index(place))
        return true;
    /* 2.1.5: as an index, the number of rsp means no index. */
    if (!place->vector_index && (memory->index > JIT_R15 || memory->index == JIT_RSP))
        return false;
    return memory->scale == 1 || memory->scale == 2 || memory->scale == 4 || memory->scale == 8;
}

/* Does the buffer's mode have all registers that the operand names? */
static bool reaches(const struct jit_buffer *buffer, const struct place *place)
{
    if (!buffer->is_32_bit)
        return true;
    if (!place->is_memory)
        return place->number < REGISTERS_32_BIT;
    return place->memory.base < REGISTERS_32_BIT && (!has_index(place) || place->memory.index < REGISTERS_32_BIT);
}

/* Bits of registers' numbers that ModRM and SIB have no room for: bit 3 of the register or base, bit 3 of the index, and bit 4 of the
 * register or of an index that is a vector */
static unsigned bit_b(const struct place *place)
{
    return (place->is_memory ? place->memory.base : place->number) >> 3 & 1;
}

static unsigned bit_x(const struct place *place)
{
    return has_index(place) ? place->memory.index >> 3 & 1 : 0;
}

static unsigned bit_4(const struct place *place)
{
    return (place->is_memory ? place->vector_index ? place->memory.index : 0 : place->number) >> 4 & 1;
}

/* ModRM, SIB and displacement (2.1.5). A displacement of one byte counts in units of 1 << `scale` bytes (2.7.5). */
static uint8_t *put_place(uint8_t *end, unsigned reg, const struct place *place, unsigned scale)
{
    const struct jit_memory *memory = &place->memory;
    const unsigned reg_bits = (reg & 7) << 3, base = memory->base & 7;
    const int32_t scaled = memory->displacement >> scale;
    unsigned mode = 0x80;

    if (!place->is_memory)
        return put(end, 0xc0 | reg_bits | (place->number & 7));
    /* Without a displacement, the number of rbp and r13 means something else. */
    if (!memory->displacement && base != JIT_RBP)
        mode = 0x00;
    else if (scaled * (1 << scale) == memory->displacement && scaled == (int8_t)scaled)
        mode = 0x40;
    if (has_index(place)) {
        end = put(end, mode | reg_bits | 4);
        end = put(end, (unsigned)__builtin_ctz(memory->scale) << 6 | (memory->index & 7u) << 3 | base);
    } else {
        end = put(end, mode | reg_bits | base);
        if (base == JIT_RSP)
            end = put(end, 4 << 3 | base);
    }
    if (mode == 0x40)
        return put(end, (unsigned)scaled & 0xff);
    return mode == 0x80 ? put_dword(end, (uint32_t)memory->displacement) : end;
}

/* --- VEX and EVEX ------------------------------------------------------------------ */

struct operands {
    unsigned reg, vvvv; /* vvvv 0: the form does not use it */
    const struct place *place;
    int immediate;  /* NO_IMMEDIATE */
    unsigned mask;  /* EVEX: 0: all lanes */
    bool zeroing;   /* EVEX: lanes that the mask leaves out become 0 */
    bool short_vex; /* VEX: L is 0 */
};

static uint8_t *put_vex(uint8_t *end, const struct opcode *opcode, const struct operands *operands)
{
    const unsigned r = operands->reg >> 3 & 1, x = bit_x(operands->place), b = bit_b(operands->place);
    const unsigned last = (~operands->vvvv & 15) << 3 | !operands->short_vex << 2 | opcode->prefix;

    /* 2.3.5: two bytes suffice where nothing is set that only three have. */
    if (!x && !b && !opcode->w && opcode->map == MAP_0F) {
        end = put(end, 0xc5);
        end = put(end, !r << 7 | last);
    } else {
        end = put(end, 0xc4);
        end = put(end, !r << 7 | !x << 6 | !b << 5 | opcode->map);
        end = put(end, (unsigned)opcode->w << 7 | last);
    }
    end = put(end, opcode->byte);
    return put_place(end, operands->reg, operands->place, 0);
}

/* 2.7.1, table 2-30; vectors of 512 bits */
static uint8_t *put_evex(uint8_t *end, const struct opcode *opcode, const struct operands *operands, struct tuple tuple)
{
    const struct place *place = operands->place;
    const unsigned r = operands->reg >> 3 & 1, r4 = operands->reg >> 4 & 1;
    const unsigned v4 = operands->vvvv >> 4 & 1;
    const bool broadcast = place->is_memory && place->memory.broadcast;
    /* A register has its bit 4 in X, the index of a gather in V'. */
    const unsigned x = place->is_memory ? bit_x(place) : bit_4(place);
    const unsigned index4 = place->is_memory ? bit_4(place) : 0;

    end = put(end, 0x62);
    end = put(end, !r << 7 | !x << 6 | !bit_b(place) << 5 | !r4 << 4 | opcode->map);
    end = put(end, (unsigned)opcode->w << 7 | (~operands->vvvv & 15) << 3 | 4 | opcode->prefix);
    end = put(end, (unsigned)operands->zeroing << 7 | 2 << 5 | (unsigned)broadcast << 4 | !(v4 | index4) << 3 |
                       operands->mask);
    end = put(end, opcode->byte);
    return put_place(end, operands->reg, place, broadcast ? tuple.element : tuple.whole);
}

/* All vector instructions end here. */
static void emit_vector(struct jit_buffer *buffer, const struct opcode *opcode, const struct operands *operands,
                        struct tuple tuple)
{
    const unsigned registers = buffer->is_32_bit ? REGISTERS_32_BIT : buffer->set == JIT_AVX512 ? 32 : 16;
    const struct place *place = operands->place;
    uint8_t apart[LONGEST_INSTRUCTION], *start = begin(buffer, apart), *end = start;

    if (operands->reg >= registers || operands->vvvv >= registers)
        return refuse(buffer);
    if (place->is_memory ? !valid_memory(place) : place->number >= registers)
        return refuse(buffer);
    if (!reaches(buffer, place))
        return refuse(buffer);
    if (place->is_memory && place->memory.broadcast && (buffer->set == JIT_AVX2 || !tuple.element))
        return refuse(buffer);
    if (buffer->set == JIT_AVX512)
        end = put_evex(end, opcode, operands, tuple);
    else
        end = put_vex(end, opcode, operands);
    if (operands->immediate != NO_IMMEDIATE)
        end = put(end, (unsigned)operands->immediate);
    append(buffer, apart, start, end);
}

/* Puts the operands where the form has them. For stores `place` is where they write. */
static void emit_form(struct jit_buffer *buffer, enum jit_form number, unsigned reg, unsigned a,
                      const struct place *place, int immediate)
{
    const struct form *form = &forms[number];
    const unsigned shape = form->shape & ~SHAPE_IMMEDIATE;
    struct operands operands = {.reg = reg, .place = place, .immediate = immediate};

    if (shape == SHAPE_SELECT || !(form->shape & SHAPE_IMMEDIATE) != (immediate == NO_IMMEDIATE))
        return refuse(buffer);
    if (shape == SHAPE_RVM || shape == SHAPE_KVM)
        operands.vvvv = a;
    if (shape == SHAPE_KVM && buffer->set == JIT_AVX512 && reg >= MASK_REGISTERS)
        return refuse(buffer);
    if (shape == SHAPE_VM) {
        if (place->is_memory && buffer->set == JIT_AVX2)
            return refuse(buffer);
        operands.vvvv = reg;
        operands.reg = form->digit;
    }
    emit_vector(buffer, &form->opcode[buffer->set], &operands, form->tuple);
}

static void emit_registers(struct jit_buffer *buffer, enum jit_form form, unsigned destination, unsigned a, unsigned b,
                           int immediate)
{
    const struct place first = in_register(destination), last = in_register(b);

    if ((unsigned)form >= JIT_FORMS)
        return refuse(buffer);
    if ((forms[form].shape & ~SHAPE_IMMEDIATE) == SHAPE_MR)
        emit_form(buffer, form, b, a, &first, immediate);
    else
        emit_form(buffer, form, destination, a, &last, immediate);
}

void jit_rrr(struct jit_buffer *buffer, enum jit_form form, unsigned destination, unsigned a, unsigned b)
{
    emit_registers(buffer, form, destination, a, b, NO_IMMEDIATE);
}

void jit_rrri(struct jit_buffer *buffer, enum jit_form form, unsigned destination, unsigned a, unsigned b,
              uint8_t immediate)
{
    emit_registers(buffer, form, destination, a, b, immediate);
}

void jit_rrm(struct jit_buffer *buffer, enum jit_form form, unsigned destination, unsigned a, struct jit_memory b)
{
    const struct place place = in_memory(b);

    if ((unsigned)form >= JIT_FORMS)
        return refuse(buffer);
    emit_form(buffer, form, destination, a, &place, NO_IMMEDIATE);
}

void jit_rrmi(struct jit_buffer *buffer, enum jit_form form, unsigned destination, unsigned a, struct jit_memory b,
              uint8_t immediate)
{
    const struct place place = in_memory(b);

    if ((unsigned)form >= JIT_FORMS)
        return refuse(buffer);
    emit_form(buffer, form, destination, a, &place, immediate);
}

/* --- masks ------------------------------------------------------------------------ */

/* k0 as the mask of an instruction means all lanes. */
static bool valid_mask(const struct jit_buffer *buffer, unsigned mask)
{
    if (buffer->set == JIT_AVX2)
        return mask < (buffer->is_32_bit ? REGISTERS_32_BIT : 16);
    return mask >= 1 && mask < MASK_REGISTERS;
}

/* Instructions of mask registers and general registers, which have VEX with both sets */
static void emit_vex(struct jit_buffer *buffer, struct opcode opcode, bool short_vex, unsigned reg, unsigned vvvv,
                     unsigned rm)
{
    const struct place place = in_register(rm);
    const struct operands operands = {.reg = reg, .vvvv = vvvv, .place = &place, .short_vex = short_vex};
    uint8_t apart[LONGEST_INSTRUCTION], *start = begin(buffer, apart), *end = start;

    if (buffer->is_32_bit && (reg | vvvv | rm) >= REGISTERS_32_BIT)
        return refuse(buffer);
    end = put_vex(end, &opcode, &operands);
    append(buffer, apart, start, end);
}

/* Instructions of the lowest 16 bytes of vector registers, which have VEX with both sets. */
static void emit_lowest(struct jit_buffer *buffer, struct opcode opcode, unsigned vector, unsigned vvvv,
                        struct place place, int immediate)
{
    const struct operands operands = {.reg = vector, .vvvv = vvvv, .place = &place, .short_vex = true};
    const unsigned registers = buffer->is_32_bit ? REGISTERS_32_BIT : 16;
    uint8_t apart[LONGEST_INSTRUCTION], *start = begin(buffer, apart), *end = start;

    if (vector >= registers || vvvv >= registers || !reaches(buffer, &place))
        return refuse(buffer);
    if (place.is_memory ? !valid_memory(&place) || place.memory.broadcast : place.number >= 16)
        return refuse(buffer);
    end = put_vex(end, &opcode, &operands);
    if (immediate != NO_IMMEDIATE)
        end = put(end, (unsigned)immediate);
    append(buffer, apart, start, end);
}

void jit_load_low(struct jit_buffer *buffer, unsigned destination, struct jit_memory source)
{
    emit_lowest(buffer, (struct opcode){PREFIX_F3, MAP_0F, 0, 0x7e}, destination, 0, in_memory(source), NO_IMMEDIATE);
}

void jit_load_high(struct jit_buffer *buffer, unsigned destination, unsigned a, struct jit_memory source)
{
    emit_lowest(buffer, (struct opcode){PREFIX_NP, MAP_0F, 0, 0x16}, destination, a, in_memory(source), NO_IMMEDIATE);
}

void jit_take_low(struct jit_buffer *buffer, enum jit_register destination, unsigned source)
{
    if (buffer->is_32_bit)
        return refuse(buffer);
    emit_lowest(buffer, (struct opcode){PREFIX_66, MAP_0F, 1, 0x7e}, source, 0, in_register(destination), NO_IMMEDIATE);
}

void jit_take_high(struct jit_buffer *buffer, enum jit_register destination, unsigned source)
{
    if (buffer->is_32_bit)
        return refuse(buffer);
    emit_lowest(buffer, (struct opcode){PREFIX_66, MAP_0F3A, 1, 0x16}, source, 0, in_register(destination), 1);
}

void jit_blend(struct jit_buffer *buffer, unsigned destination, unsigned a, unsigned b, unsigned mask)
{
    const struct form *form = &forms[JIT_BLEND];
    const struct place place = in_register(b);
    struct operands operands = {.reg = destination, .vvvv = a, .place = &place, .immediate = NO_IMMEDIATE};

    if (!valid_mask(buffer, mask))
        return refuse(buffer);
    if (buffer->set == JIT_AVX512)
        operands.mask = mask;
    else
        operands.immediate = (int)(mask << 4);
    emit_vector(buffer, &form->opcode[buffer->set], &operands, form->tuple);
}

void jit_select_or_zero(struct jit_buffer *buffer, unsigned destination, unsigned b, unsigned mask)
{
    const struct form *form = &forms[JIT_MOVE];
    const struct place place = in_register(b);
    const struct operands operands = {
        .reg = destination, .place = &place, .immediate = NO_IMMEDIATE, .mask = mask, .zeroing = true};

    if (!valid_mask(buffer, mask))
        return refuse(buffer);
    if (buffer->set == JIT_AVX2)
        jit_rrr(buffer, JIT_AND, destination, b, mask);
    else
        emit_vector(buffer, &form->opcode[JIT_AVX512], &operands, form->tuple);
}

void jit_mask_bits(struct jit_buffer *buffer, enum jit_register destination, unsigned mask)
{
    const struct opcode movmskps = {PREFIX_NP, MAP_0F, 0, 0x50}, kmovw = {PREFIX_NP, MAP_0F, 0, 0x93};

    if (destination > JIT_R15 || !valid_mask(buffer, mask))
        return refuse(buffer);
    if (buffer->set == JIT_AVX2)
        emit_vex(buffer, movmskps, false, destination, 0, mask);
    else
        emit_vex(buffer, kmovw, true, destination, 0, mask);
}

void jit_mask_from_bits(struct jit_buffer *buffer, unsigned mask, enum jit_register source)
{
    if (buffer->set != JIT_AVX512 || !valid_mask(buffer, mask) || source > JIT_R15)
        return refuse(buffer);
    emit_vex(buffer, (struct opcode){PREFIX_NP, MAP_0F, 0, 0x92}, true, mask, 0, source); /* kmovw */
}

/* Flags from a mask: ZF is set if it has no lane. */
static void test_mask(struct jit_buffer *buffer, unsigned mask)
{
    const struct opcode ptest = {PREFIX_66, MAP_0F38, 0, 0x17}, kortestw = {PREFIX_NP, MAP_0F, 0, 0x98};

    if (!valid_mask(buffer, mask))
        return refuse(buffer);
    if (buffer->set == JIT_AVX2)
        emit_vex(buffer, ptest, false, mask, 0, mask);
    else
        emit_vex(buffer, kortestw, true, mask, 0, mask);
}

void jit_test_nan(struct jit_buffer *buffer, unsigned a, unsigned spare)
{
    const unsigned unordered = 3, mask = buffer->set == JIT_AVX2 ? spare : SCRATCH_MASK;

    jit_rrri(buffer, JIT_COMPARE, mask, a, a, unordered);
    test_mask(buffer, mask);
}

void jit_gather(struct jit_buffer *buffer, unsigned destination, struct jit_memory source, unsigned mask)
{
    static const struct opcode pgatherdd = {PREFIX_66, MAP_0F38, 0, 0x90};
    const struct place place = {.is_memory = true, .vector_index = true, .memory = source};
    struct operands operands = {.reg = destination, .place = &place, .immediate = NO_IMMEDIATE};

    if (!valid_mask(buffer, mask) || destination == source.index || source.index > (buffer->set == JIT_AVX2 ? 15 : 31))
        return refuse(buffer);
    if (buffer->set == JIT_AVX2 && (destination == mask || source.index == mask))
        return refuse(buffer);
    if (buffer->set == JIT_AVX512)
        operands.mask = mask;
    else
        operands.vvvv = mask;
    emit_vector(buffer, &pgatherdd, &operands, (struct tuple)TUPLE_SCALAR);
}

void jit_broadcast_dword(struct jit_buffer *buffer, unsigned destination, enum jit_register source)
{
    static const struct opcode from_general = {PREFIX_66, MAP_0F38, 0, 0x7c}; /* vpbroadcastd zmm, r32 */
    static const struct opcode from_vector = {PREFIX_66, MAP_0F38, 0, 0x58};  /* vpbroadcastd ymm, xmm */
    static const struct opcode movd = {PREFIX_66, MAP_0F, 0, 0x6e};           /* vmovd xmm, r32 */
    const struct place place = in_register(source);
    const struct operands operands = {.reg = destination, .place = &place, .immediate = NO_IMMEDIATE};

    if (source > JIT_R15 || (buffer->set == JIT_AVX2 && destination > 15))
        return refuse(buffer);
    if (buffer->set == JIT_AVX512) {
        emit_vector(buffer, &from_general, &operands, (struct tuple)TUPLE_SCALAR);
        return;
    }
    emit_vex(buffer, movd, true, destination, 0, source);
    emit_vex(buffer, from_vector, false, destination, 0, destination);
}

/* --- general registers --------------------------------------------------------------- */

static uint8_t *put_general(uint8_t *end, bool wide, unsigned opcode, unsigned reg, const struct place *place)
{
    const unsigned rex = 0x40 | (unsigned)wide << 3 | (reg >> 3) << 2 | bit_x(place) << 1 | bit_b(place);

    if (rex != 0x40)
        end = put(end, rex);
    end = put(end, opcode);
    return put_place(end, reg, place, 0);
}

static void emit_general(struct jit_buffer *buffer, bool wide, unsigned opcode, unsigned reg, struct place place)
{
    uint8_t apart[LONGEST_INSTRUCTION], *start = begin(buffer, apart), *end = start;

    if (reg > JIT_R15 || (place.is_memory ? !valid_memory(&place) || place.memory.broadcast : place.number > JIT_R15))
        return refuse(buffer);
    if (!reaches(buffer, &place) || (buffer->is_32_bit && reg >= REGISTERS_32_BIT))
        return refuse(buffer);
    end = put_general(end, wide && !buffer->is_32_bit, opcode, reg, &place);
    append(buffer, apart, start, end);
}

/* Group 1: ADD is digit 0, CMP is digit 7. */
static void emit_group1(struct jit_buffer *buffer, unsigned digit, enum jit_register number, int32_t value)
{
    const struct place place = in_register(number);
    uint8_t apart[LONGEST_INSTRUCTION], *start = begin(buffer, apart), *end = start;

    if (number > JIT_R15 || !reaches(buffer, &place))
        return refuse(buffer);
    if (value == (int8_t)value) {
        end = put_general(end, !buffer->is_32_bit, 0x83, digit, &place);
        end = put(end, (unsigned)value & 0xff);
    } else {
        end = put_general(end, !buffer->is_32_bit, 0x81, digit, &place);
        end = put_dword(end, (uint32_t)value);
    }
    append(buffer, apart, start, end);
}

/* A register in the lower bits of the opcode, with the width of the mode. */
static void emit_stack(struct jit_buffer *buffer, unsigned opcode, enum jit_register number)
{
    uint8_t apart[LONGEST_INSTRUCTION], *start = begin(buffer, apart), *end = start;

    if (number > JIT_R15 || (buffer->is_32_bit && number >= REGISTERS_32_BIT))
        return refuse(buffer);
    if (number >= JIT_R8)
        end = put(end, 0x41);
    end = put(end, opcode | (number & 7));
    append(buffer, apart, start, end);
}

void jit_push(struct jit_buffer *buffer, enum jit_register source)
{
    emit_stack(buffer, 0x50, source);
}

void jit_pop(struct jit_buffer *buffer, enum jit_register destination)
{
    emit_stack(buffer, 0x58, destination);
}

void jit_move_dword(struct jit_buffer *buffer, enum jit_register destination, enum jit_register source)
{
    emit_general(buffer, false, 0x8b, destination, in_register(source));
}

void jit_shift_right(struct jit_buffer *buffer, enum jit_register number, unsigned count)
{
    const struct place place = in_register(number);
    uint8_t apart[LONGEST_INSTRUCTION], *start = begin(buffer, apart), *end = start;

    if (number > JIT_R15 || !reaches(buffer, &place) || count >= (buffer->is_32_bit ? 32 : 64))
        return refuse(buffer);
    end = put_general(end, !buffer->is_32_bit, 0xc1, 5, &place);
    end = put(end, count);
    append(buffer, apart, start, end);
}

void jit_move_constant(struct jit_buffer *buffer, enum jit_register destination, uint32_t value)
{
    uint8_t apart[LONGEST_INSTRUCTION], *start = begin(buffer, apart), *end = start;

    if (destination > JIT_R15 || (buffer->is_32_bit && destination >= REGISTERS_32_BIT))
        return refuse(buffer);
    if (destination >= JIT_R8)
        end = put(end, 0x41);
    end = put(end, 0xb8 | (destination & 7));
    end = put_dword(end, value);
    append(buffer, apart, start, end);
}

void jit_load_pointer(struct jit_buffer *buffer, enum jit_register destination, struct jit_memory source)
{
    emit_general(buffer, true, 0x8b, destination, in_memory(source));
}

void jit_load_dword(struct jit_buffer *buffer, enum jit_register destination, struct jit_memory source)
{
    emit_general(buffer, false, 0x8b, destination, in_memory(source));
}

void jit_store_pointer(struct jit_buffer *buffer, enum jit_register source, struct jit_memory destination)
{
    emit_general(buffer, true, 0x89, source, in_memory(destination));
}

void jit_store_dword(struct jit_buffer *buffer, enum jit_register source, struct jit_memory destination)
{
    emit_general(buffer, false, 0x89, source, in_memory(destination));
}

void jit_address(struct jit_buffer *buffer, enum jit_register destination, struct jit_memory source)
{
    emit_general(buffer, true, 0x8d, destination, in_memory(source));
}

void jit_add_constant(struct jit_buffer *buffer, enum jit_register destination, int32_t value)
{
    emit_group1(buffer, 0, destination, value);
}

void jit_compare(struct jit_buffer *buffer, enum jit_register a, enum jit_register b)
{
    emit_general(buffer, true, 0x3b, a, in_register(b));
}

void jit_compare_dword(struct jit_buffer *buffer, enum jit_register a, struct jit_memory b)
{
    emit_general(buffer, false, 0x3b, a, in_memory(b));
}

void jit_compare_constant(struct jit_buffer *buffer, enum jit_register a, int32_t value)
{
    emit_group1(buffer, 7, a, value);
}

void jit_return(struct jit_buffer *buffer)
{
    uint8_t apart[LONGEST_INSTRUCTION], *start = begin(buffer, apart), *end = start;

    end = put(end, 0xc5); /* vzeroupper */
    end = put(end, 0xf8);
    end = put(end, 0x77);
    end = put(end, 0xc3); /* ret */
    append(buffer, apart, start, end);
}

/* --- jumps ------------------------------------------------------------------------------ */

/* Distances count from the end of the jump, whose last four bytes they are. */
static void set_distance(struct jit_buffer *buffer, size_t end, size_t target)
{
    const uint32_t distance = (uint32_t)target - (uint32_t)end;

    for (int i = 0; i < 4; i++)
        buffer->bytes[end - 4 + (size_t)i] = (uint8_t)(distance >> 8 * i);
}

size_t jit_jump(struct jit_buffer *buffer, enum jit_condition condition)
{
    uint8_t apart[LONGEST_INSTRUCTION], *start = begin(buffer, apart), *end = start;

    if (condition == JIT_ALWAYS) {
        end = put(end, 0xe9);
    } else {
        end = put(end, 0x0f);
        end = put(end, 0x80 | ((unsigned)condition & 15));
    }
    end = put_dword(end, 0);
    append(buffer, apart, start, end);
    return buffer->length;
}

void jit_land(struct jit_buffer *buffer, size_t jump)
{
    if (!buffer->full)
        set_distance(buffer, jump, buffer->length);
}

void jit_jump_back(struct jit_buffer *buffer, enum jit_condition condition, size_t target)
{
    const size_t end = jit_jump(buffer, condition);

    if (!buffer->full)
        set_distance(buffer, end, target);
}
