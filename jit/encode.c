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

/* Table 2-34 and 2-35: bytes of a memory operand, as a part of a vector, and of a broadcast element */
struct tuple {
    uint8_t divisor, element;
};
#define TUPLE_FULL4 \
    {               \
        1, 4        \
    }
#define TUPLE_FULL8 \
    {               \
        1, 8        \
    }
#define TUPLE_FULL \
    {              \
        1, 0       \
    }
#define TUPLE_HALF \
    {              \
        2, 0       \
    }
#define TUPLE_QUARTER \
    {                 \
        4, 0          \
    }
#define TUPLE_SCALAR \
    {                \
        16, 0        \
    } /* of 64 bytes: with VEX nothing is scaled */

/* As VEX and EVEX number prefixes and maps. */
enum { PREFIX_NP, PREFIX_66, PREFIX_F3 };
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

struct code {
    uint8_t byte[LONGEST_INSTRUCTION];
    unsigned length;
};

static void put(struct code *code, unsigned byte)
{
    code->byte[code->length++] = (uint8_t)byte;
}

static void put_dword(struct code *code, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        put(code, value >> 8 * i & 0xff);
}

/* Reports whether it was appended. */
static bool append(struct jit_buffer *buffer, const struct code *code)
{
    if (buffer->full || code->length > buffer->capacity - buffer->length) {
        buffer->full = true;
        return false;
    }
    memcpy(buffer->bytes + buffer->length, code->byte, code->length);
    buffer->length += code->length;
    return true;
}

/* There is no such instruction. */
static void refuse(struct jit_buffer *buffer)
{
    buffer->full = true;
}

/* --- operands ------------------------------------------------------------------ */

/* What stands in ModRM.rm: a register, or memory. */
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
    /* 2.1.5: the number of rsp means that there is no index. */
    if (!place->vector_index && (memory->index > JIT_R15 || memory->index == JIT_RSP))
        return false;
    return memory->scale == 1 || memory->scale == 2 || memory->scale == 4 || memory->scale == 8;
}

/* Bit 3 of what extends ModRM.rm or SIB.base, of SIB.index, and bit 4 of a register or a vector index */
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

/* ModRM, SIB and displacement (2.1.5). A displacement of one byte counts in units of `unit` bytes (2.7.5). */
static void put_place(struct code *code, unsigned reg, const struct place *place, int unit)
{
    const struct jit_memory *memory = &place->memory;
    const unsigned reg_bits = (reg & 7) << 3, base = memory->base & 7;
    unsigned mode = 0x80;

    if (!place->is_memory) {
        put(code, 0xc0 | reg_bits | (place->number & 7));
        return;
    }
    /* Without a displacement, the number of rbp and r13 means something else. */
    if (!memory->displacement && base != JIT_RBP)
        mode = 0x00;
    else if (memory->displacement % unit == 0 && memory->displacement / unit >= -128 &&
             memory->displacement / unit <= 127)
        mode = 0x40;
    if (has_index(place)) {
        put(code, mode | reg_bits | 4);
        put(code, (unsigned)__builtin_ctz(memory->scale) << 6 | (memory->index & 7u) << 3 | base);
    } else {
        put(code, mode | reg_bits | base);
        if (base == JIT_RSP)
            put(code, 4 << 3 | base);
    }
    if (mode == 0x40)
        put(code, (unsigned)(memory->displacement / unit) & 0xff);
    else if (mode == 0x80)
        put_dword(code, (uint32_t)memory->displacement);
}

/* --- VEX and EVEX ------------------------------------------------------------------ */

struct operands {
    unsigned reg, vvvv; /* 0: there is no vvvv */
    struct place place;
    int immediate;  /* NO_IMMEDIATE */
    unsigned mask;  /* EVEX: 0: all lanes */
    bool zeroing;   /* EVEX: lanes that the mask leaves out become 0 */
    bool short_vex; /* VEX: L is 0 */
};

static void put_vex(struct code *code, const struct opcode *opcode, const struct operands *operands)
{
    const unsigned r = operands->reg >> 3 & 1, x = bit_x(&operands->place), b = bit_b(&operands->place);
    const unsigned last = (~operands->vvvv & 15) << 3 | !operands->short_vex << 2 | opcode->prefix;

    /* 2.3.5: two bytes suffice where nothing is set that only three have. */
    if (!x && !b && !opcode->w && opcode->map == MAP_0F) {
        put(code, 0xc5);
        put(code, !r << 7 | last);
    } else {
        put(code, 0xc4);
        put(code, !r << 7 | !x << 6 | !b << 5 | opcode->map);
        put(code, (unsigned)opcode->w << 7 | last);
    }
    put(code, opcode->byte);
    put_place(code, operands->reg, &operands->place, 1);
}

/* 2.7.1, table 2-30; vectors of 512 bits */
static void put_evex(struct code *code, const struct opcode *opcode, const struct operands *operands,
                     struct tuple tuple)
{
    const struct place *place = &operands->place;
    const unsigned r = operands->reg >> 3 & 1, r4 = operands->reg >> 4 & 1;
    const unsigned v4 = operands->vvvv >> 4 & 1;
    const bool broadcast = place->is_memory && place->memory.broadcast;
    /* A register has its bit 4 in X, the index of a gather in V'. */
    const unsigned x = place->is_memory ? bit_x(place) : bit_4(place);
    const unsigned index4 = place->is_memory ? bit_4(place) : 0;

    put(code, 0x62);
    put(code, !r << 7 | !x << 6 | !bit_b(place) << 5 | !r4 << 4 | opcode->map);
    put(code, (unsigned)opcode->w << 7 | (~operands->vvvv & 15) << 3 | 4 | opcode->prefix);
    put(code,
        (unsigned)operands->zeroing << 7 | 2 << 5 | (unsigned)broadcast << 4 | !(v4 | index4) << 3 | operands->mask);
    put(code, opcode->byte);
    put_place(code, operands->reg, place, broadcast ? tuple.element : 64 / tuple.divisor);
}

/* All vector instructions end here. */
static void emit_vector(struct jit_buffer *buffer, const struct opcode *opcode, const struct operands *operands,
                        struct tuple tuple)
{
    const unsigned registers = buffer->set == JIT_AVX512 ? 32 : 16;
    const struct place *place = &operands->place;
    struct code code = {.length = 0};

    if (operands->reg >= registers || operands->vvvv >= registers)
        return refuse(buffer);
    if (place->is_memory ? !valid_memory(place) : place->number >= registers)
        return refuse(buffer);
    if (place->is_memory && place->memory.broadcast && (buffer->set == JIT_AVX2 || !tuple.element))
        return refuse(buffer);
    if (buffer->set == JIT_AVX512)
        put_evex(&code, opcode, operands, tuple);
    else
        put_vex(&code, opcode, operands);
    if (operands->immediate != NO_IMMEDIATE)
        put(&code, (unsigned)operands->immediate);
    append(buffer, &code);
}

/* Puts the operands where the form has them. For stores `place` is where they write. */
static void emit_form(struct jit_buffer *buffer, enum jit_form number, unsigned reg, unsigned a, struct place place,
                      int immediate)
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
        if (place.is_memory && buffer->set == JIT_AVX2)
            return refuse(buffer);
        operands.vvvv = reg;
        operands.reg = form->digit;
    }
    emit_vector(buffer, &form->opcode[buffer->set], &operands, form->tuple);
}

static void emit_registers(struct jit_buffer *buffer, enum jit_form form, unsigned destination, unsigned a, unsigned b,
                           int immediate)
{
    if ((unsigned)form >= JIT_FORMS || b > 31 || destination > 31)
        return refuse(buffer);
    if ((forms[form].shape & ~SHAPE_IMMEDIATE) == SHAPE_MR)
        emit_form(buffer, form, b, a, in_register(destination), immediate);
    else
        emit_form(buffer, form, destination, a, in_register(b), immediate);
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
    if ((unsigned)form >= JIT_FORMS)
        return refuse(buffer);
    emit_form(buffer, form, destination, a, in_memory(b), NO_IMMEDIATE);
}

void jit_rrmi(struct jit_buffer *buffer, enum jit_form form, unsigned destination, unsigned a, struct jit_memory b,
              uint8_t immediate)
{
    if ((unsigned)form >= JIT_FORMS)
        return refuse(buffer);
    emit_form(buffer, form, destination, a, in_memory(b), immediate);
}

/* --- masks ------------------------------------------------------------------------ */

/* k0 as the mask of an instruction means all lanes. */
static bool valid_mask(const struct jit_buffer *buffer, unsigned mask)
{
    return buffer->set == JIT_AVX2 ? mask < 16 : mask >= 1 && mask < MASK_REGISTERS;
}

/* Instructions of mask registers and general registers, which have VEX with both sets */
static void emit_vex(struct jit_buffer *buffer, struct opcode opcode, bool short_vex, unsigned reg, unsigned vvvv,
                     unsigned rm)
{
    const struct operands operands = {.reg = reg, .vvvv = vvvv, .place = in_register(rm), .short_vex = short_vex};
    struct code code = {.length = 0};

    put_vex(&code, &opcode, &operands);
    append(buffer, &code);
}

void jit_blend(struct jit_buffer *buffer, unsigned destination, unsigned a, unsigned b, unsigned mask)
{
    const struct form *form = &forms[JIT_BLEND];
    struct operands operands = {.reg = destination, .vvvv = a, .place = in_register(b), .immediate = NO_IMMEDIATE};

    if (!valid_mask(buffer, mask) || b > 31)
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
    const struct operands operands = {
        .reg = destination, .place = in_register(b), .immediate = NO_IMMEDIATE, .mask = mask, .zeroing = true};

    if (!valid_mask(buffer, mask) || b > 31)
        return refuse(buffer);
    if (buffer->set == JIT_AVX2)
        jit_rrr(buffer, JIT_AND, destination, b, mask);
    else
        emit_vector(buffer, &form->opcode[JIT_AVX512], &operands, form->tuple);
}

void jit_store_masked(struct jit_buffer *buffer, unsigned source, struct jit_memory destination, unsigned mask)
{
    static const struct opcode maskmov = {PREFIX_66, MAP_0F38, 0, 0x2e}; /* vmaskmovps m, mask, source */
    const struct form *form = &forms[JIT_STORE];
    struct operands operands = {.reg = source, .place = in_memory(destination), .immediate = NO_IMMEDIATE};

    if (!valid_mask(buffer, mask))
        return refuse(buffer);
    if (buffer->set == JIT_AVX512)
        operands.mask = mask;
    else
        operands.vvvv = mask;
    emit_vector(buffer, buffer->set == JIT_AVX512 ? &form->opcode[JIT_AVX512] : &maskmov, &operands, form->tuple);
}

void jit_mask(struct jit_buffer *buffer, enum jit_form form, unsigned destination, unsigned a, unsigned b)
{
    struct opcode opcode = {PREFIX_NP, MAP_0F, 0, 0};

    if (!valid_mask(buffer, destination) || !valid_mask(buffer, a) || !valid_mask(buffer, b))
        return refuse(buffer);
    if (form == JIT_AND)
        opcode.byte = 0x41;
    else if (form == JIT_ANDN)
        opcode.byte = 0x42;
    else if (form == JIT_OR)
        opcode.byte = 0x45;
    else if (form == JIT_XOR)
        opcode.byte = 0x47;
    else
        return refuse(buffer);
    if (buffer->set == JIT_AVX2)
        jit_rrr(buffer, form, destination, a, b);
    else
        emit_vex(buffer, opcode, false, destination, a, b);
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

void jit_test_mask(struct jit_buffer *buffer, unsigned mask)
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
    jit_test_mask(buffer, mask);
}

void jit_gather(struct jit_buffer *buffer, unsigned destination, struct jit_memory source, unsigned mask)
{
    static const struct opcode pgatherdd = {PREFIX_66, MAP_0F38, 0, 0x90};
    struct operands operands = {.reg = destination, .place = in_memory(source), .immediate = NO_IMMEDIATE};

    operands.place.vector_index = true;
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

/* --- general registers --------------------------------------------------------------- */

static void put_general(struct code *code, bool wide, unsigned opcode, unsigned reg, const struct place *place)
{
    const unsigned rex = 0x40 | (unsigned)wide << 3 | (reg >> 3) << 2 | bit_x(place) << 1 | bit_b(place);

    if (rex != 0x40)
        put(code, rex);
    put(code, opcode);
    put_place(code, reg, place, 1);
}

static void emit_general(struct jit_buffer *buffer, bool wide, unsigned opcode, unsigned reg, struct place place)
{
    struct code code = {.length = 0};

    if (reg > JIT_R15 || (place.is_memory ? !valid_memory(&place) || place.memory.broadcast : place.number > JIT_R15))
        return refuse(buffer);
    put_general(&code, wide, opcode, reg, &place);
    append(buffer, &code);
}

/* Group 1: ADD is digit 0, CMP is digit 7. */
static void emit_group1(struct jit_buffer *buffer, unsigned digit, enum jit_register number, int32_t value)
{
    const struct place place = in_register(number);
    struct code code = {.length = 0};

    if (number > JIT_R15)
        return refuse(buffer);
    if (value == (int8_t)value) {
        put_general(&code, true, 0x83, digit, &place);
        put(&code, (unsigned)value & 0xff);
    } else {
        put_general(&code, true, 0x81, digit, &place);
        put_dword(&code, (uint32_t)value);
    }
    append(buffer, &code);
}

void jit_move(struct jit_buffer *buffer, enum jit_register destination, enum jit_register source)
{
    emit_general(buffer, true, 0x8b, destination, in_register(source));
}

void jit_move_constant(struct jit_buffer *buffer, enum jit_register destination, uint32_t value)
{
    struct code code = {.length = 0};

    if (destination > JIT_R15)
        return refuse(buffer);
    if (destination >= JIT_R8)
        put(&code, 0x41);
    put(&code, 0xb8 | (destination & 7));
    put_dword(&code, value);
    append(buffer, &code);
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

void jit_add(struct jit_buffer *buffer, enum jit_register destination, enum jit_register source)
{
    emit_general(buffer, true, 0x03, destination, in_register(source));
}

void jit_add_constant(struct jit_buffer *buffer, enum jit_register destination, int32_t value)
{
    emit_group1(buffer, 0, destination, value);
}

void jit_compare(struct jit_buffer *buffer, enum jit_register a, enum jit_register b)
{
    emit_general(buffer, true, 0x3b, a, in_register(b));
}

void jit_compare_constant(struct jit_buffer *buffer, enum jit_register a, int32_t value)
{
    emit_group1(buffer, 7, a, value);
}

void jit_return(struct jit_buffer *buffer)
{
    static const struct code code = {{0xc5, 0xf8, 0x77, 0xc3}, 4};

    append(buffer, &code);
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
    struct code code = {.length = 0};

    if (condition == JIT_ALWAYS) {
        put(&code, 0xe9);
    } else {
        put(&code, 0x0f);
        put(&code, 0x80 | ((unsigned)condition & 15));
    }
    put_dword(&code, 0);
    append(buffer, &code);
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
