/* SPDX-License-Identifier: MIT */
/*
 * Random shader bytecode that mostly compiles: registers and opcodes of its version and, sometimes, those of later
 * versions; blocks are closed. Made from a stream of random numbers, which a fuzzer can replace by its bytes.
 */
#ifndef HALCYON_TESTS_SHADER_RANDOM_H
#define HALCYON_TESTS_SHADER_RANDOM_H

#include <string.h>

#include "tests/random.h"
#include "tests/unit/shader_tools.h"

#define RANDOM_MAX_TOKENS 2048

struct shader_random {
    uint32_t state;
    uint32_t tokens[RANDOM_MAX_TOKENS];
    unsigned count;
    struct shader_reader model; /* for the tables */
    uint8_t block[8];
    unsigned depth;
};

static inline uint32_t shader_random_word(struct shader_random *r)
{
    return random_next(&r->state);
}

static inline uint32_t shader_random_below(struct shader_random *r, uint32_t n)
{
    return shader_random_word(r) % n;
}

static inline void random_put(struct shader_random *r, uint32_t token)
{
    if (r->count < RANDOM_MAX_TOKENS - 1)
        r->tokens[r->count++] = token;
}

/* A float of all kinds: small numbers, special ones, any bits. */
static inline float random_float(struct shader_random *r)
{
    static const uint32_t special[] = {0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
                                       0x7fc00000, 0xffc00001, 0x00000001, 0x80000001, 0x007fffff, 0x7f7fffff,
                                       0xff7fffff, 0x3f000000, 0x7f800001, 0x4b000000};
    unsigned kind = shader_random_below(r, 8);
    union {
        uint32_t u;
        float f;
    } v;

    if (kind < 5)
        return (float)((int32_t)shader_random_below(r, 4001) - 2000) / 256.0f;
    v.u = kind == 5 ? special[shader_random_below(r, 16)] : shader_random_word(r) << 1 ^ shader_random_word(r);
    return v.f;
}

static inline uint32_t random_register(struct shader_random *r, unsigned type)
{
    const struct shader_register_rule *rule = shader_register_rule(&r->model, type);
    unsigned count = rule ? rule->count : 1;

    if (type == SREG_CONST && count > 64)
        count = 64;
    if (type == SREG_TEMP && !shader_random_below(r, 16))
        count = SHADER_MAX_TEMPS;
    return REG(type, shader_random_below(r, count > 40 ? 40 : count));
}

static inline uint32_t random_source(struct shader_random *r)
{
    static const uint8_t vertex[] = {SREG_TEMP, SREG_TEMP, SREG_INPUT, SREG_CONST};
    static const uint8_t pixel[] = {SREG_TEMP, SREG_TEMP, SREG_INPUT, SREG_CONST, SREG_TEXTURE};
    static const uint8_t pixel3[] = {SREG_TEMP, SREG_TEMP, SREG_INPUT, SREG_CONST, SREG_MISC};
    static const uint8_t modifiers1[] = {0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, SMOD_DZ, SMOD_DW};
    static const uint8_t modifiers3[] = {0, 0, 0, 1, 11, 12};
    unsigned type = r->model.stage == SHADER_VERTEX ? vertex[shader_random_below(r, 4)]
                    : r->model.major == 3           ? pixel3[shader_random_below(r, 5)]
                                                    : pixel[shader_random_below(r, 5)];
    uint32_t token = random_register(r, type);

    token |= (shader_random_below(r, 3) ? 0xe4u : shader_random_below(r, 256)) << 16;
    if (r->model.major == 1)
        return token | (uint32_t)modifiers1[shader_random_below(r, 13)] << 24;
    return token | (uint32_t)modifiers3[shader_random_below(r, 6)] << 24;
}

static inline void random_put_source(struct shader_random *r)
{
    uint32_t token = random_source(r);
    unsigned type = (token >> 28 & 7) | (token >> 8 & 24);
    const struct shader_register_rule *rule = shader_register_rule(&r->model, type);

    if (rule && (rule->access & SREG_INDEXED_READ) && !shader_random_below(r, 4)) {
        bool loop = r->model.stage == SHADER_PIXEL || (r->model.major > 1 && shader_random_below(r, 2));

        random_put(r, token | RELATIVE);
        if (r->model.major > 1)
            random_put(r, REG(loop ? SREG_LOOP : SREG_ADDRESS, 0) | shader_random_below(r, 256) << 16);
        return;
    }
    random_put(r, token);
}

static inline uint32_t random_destination(struct shader_random *r)
{
    static const uint8_t outs2[] = {SREG_RASTER_OUT, SREG_ATTRIBUTE_OUT, SREG_TEXCOORD_OUT};
    unsigned type = SREG_TEMP, mask = shader_random_below(r, 2) ? 15 : shader_random_below(r, 15) + 1;

    if (!shader_random_below(r, 3)) {
        if (r->model.stage == SHADER_VERTEX)
            type = r->model.major == 3 ? SREG_TEXCOORD_OUT : outs2[shader_random_below(r, 3)];
        else if (r->model.major > 1)
            type = shader_random_below(r, 8) ? SREG_COLOR_OUT : SREG_DEPTH_OUT;
    }
    return random_register(r, type) | mask << 16 | (shader_random_below(r, 4) ? 0 : SATURATED) |
           (r->model.major == 1 && !shader_random_below(r, 4) ? SHIFT(shader_random_below(r, 7) - 3) : 0);
}

static inline void random_put_predicate(struct shader_random *r)
{
    random_put(r, REG(SREG_PREDICATE, 0) | shader_random_below(r, 256) << 16 |
                      (shader_random_below(r, 2) ? SMOD_NOT << 24 : 0));
}

static inline void random_flow(struct shader_random *r)
{
    bool open = r->depth < 4 && shader_random_below(r, 3);

    if (shader_version(&r->model) < 0x201)
        return;
    if (!open && !r->depth)
        return;
    if (!open) {
        unsigned kind = r->block[r->depth - 1];

        if (kind == SOP_IF && shader_random_below(r, 2)) {
            r->block[r->depth - 1] = SOP_ELSE;
            random_put(r, OP(ELSE, 0));
            return;
        }
        if ((kind == SOP_LOOP || kind == SOP_REP) && shader_random_below(r, 2)) {
            random_put(r, OPC(BREAKC, 2, 1 + shader_random_below(r, 6)));
            random_put(r, random_source(r));
            random_put(r, random_source(r));
            return;
        }
        r->depth--;
        random_put(r, kind == SOP_LOOP ? OP(ENDLOOP, 0) : kind == SOP_REP ? OP(ENDREP, 0) : OP(ENDIF, 0));
        return;
    }
    switch (shader_random_below(r, 5)) {
    case 0:
        r->block[r->depth++] = SOP_REP;
        random_put(r, OP(REP, 1));
        random_put(r, SRC(INTEGER, shader_random_below(r, 4)));
        break;
    case 1:
        if (r->model.stage == SHADER_PIXEL && r->model.major < 3)
            break;
        r->block[r->depth++] = SOP_LOOP;
        random_put(r, OP(LOOP, 2));
        random_put(r, SRC(LOOP, 0));
        random_put(r, SRC(INTEGER, shader_random_below(r, 4)));
        break;
    case 2:
        r->block[r->depth++] = SOP_IF;
        random_put(r, OP(IF, 1));
        if (shader_random_below(r, 2))
            random_put(r, SRC(BOOLEAN, shader_random_below(r, 16)));
        else
            random_put_predicate(r);
        break;
    default:
        r->block[r->depth++] = SOP_IF;
        random_put(r, OPC(IFC, 2, 1 + shader_random_below(r, 6)));
        random_put(r, random_source(r));
        random_put(r, random_source(r));
        break;
    }
}

static inline bool random_opcode(struct shader_random *r, unsigned *opcode)
{
    for (unsigned tries = 0; tries < 64; tries++) {
        *opcode = shader_random_below(r, SOP_BREAKP + 1);
        const struct shader_opcode_info *info = shader_opcode_info(*opcode);
        bool stage = info && (r->model.stage == SHADER_VERTEX ? info->vs_first : info->ps_first);
        bool early = stage && info->flags & SOPF_EARLIER && !shader_random_below(r, 4);

        if (info && (shader_opcode_is_of(&r->model, info) || early) && !(info->flags & (SOPF_FLOW | SOPF_DEFINITION)) &&
            *opcode)
            return true;
    }
    return false;
}

/* Texture instructions of ps_1_0..1_3, whose operands are t registers. */
static inline void random_early_texture(struct shader_random *r, unsigned opcode)
{
    unsigned sources = shader_opcode_info(opcode)->sources;

    if (opcode == SOP_TEX || opcode == SOP_TEXCOORD)
        sources = 0;
    random_put(r, opcode);
    random_put(r, DST(TEXTURE, shader_random_below(r, 4), 15));
    if (sources)
        random_put(r, SRC(TEXTURE, shader_random_below(r, 4)) | (shader_random_below(r, 2) ? SMOD_BX2 << 24 : 0));
    if (sources > 1)
        random_put(r, SRC(CONST, shader_random_below(r, 8)));
}

static inline void random_operands(struct shader_random *r, unsigned opcode)
{
    const struct shader_opcode_info *info = shader_opcode_info(opcode);
    unsigned sources = info->sources, version = shader_version(&r->model);

    if (opcode == SOP_TEX)
        sources = version == 0x104 ? 1 : 2;
    if (opcode == SOP_TEXCOORD)
        sources = 1;
    if ((opcode == SOP_SGN || opcode == SOP_SINCOS) && r->model.major == 3)
        sources = 1;
    for (unsigned k = 0; k < sources; k++)
        if ((info->flags & SOPF_TEXTURE) && r->model.major > 1 && k == 1)
            random_put(r, random_register(r, SREG_SAMPLER) |
                              (shader_random_below(r, 4) ? 0xe40000 : shader_random_below(r, 256) << 16));
        else if ((info->flags & SOPF_MATRIX) && k == 1)
            random_put(r, SRC(CONST, shader_random_below(r, 4)));
        else if ((info->flags & SOPF_TEXTURE) && r->model.major == 1)
            random_put(r, SRC(TEXTURE, shader_random_below(r, 6)) | (shader_random_below(r, 2) ? SMOD_DW << 24 : 0));
        else
            random_put_source(r);
}

static inline void random_instruction(struct shader_random *r)
{
    unsigned opcode = 0, at, version = shader_version(&r->model);
    bool vertex = r->model.stage == SHADER_VERTEX;

    if (!shader_random_below(r, 5))
        random_flow(r);
    if (!random_opcode(r, &opcode))
        return;
    const struct shader_opcode_info *info = shader_opcode_info(opcode);
    if (!vertex && version < 0x104 && (info->flags & SOPF_TEXTURE)) {
        random_early_texture(r, opcode);
        return;
    }
    at = r->count;
    random_put(r, opcode | (info->flags & SOPF_COMPARES ? (1 + shader_random_below(r, 6)) << 16 : 0) |
                      (opcode == SOP_TEX && r->model.major > 1 ? shader_random_below(r, 3) << 16 : 0));
    if (opcode == SOP_SETP)
        random_put(r, DST(PREDICATE, 0, 1 + shader_random_below(r, 15)));
    else if (opcode == SOP_MOVA || (vertex && r->model.major == 1 && opcode == SOP_MOV && !shader_random_below(r, 4)))
        random_put(r, DST(ADDRESS, 0, 1 + shader_random_below(r, 15)));
    else if (vertex && !(info->flags & SOPF_TEXTURE) && !shader_random_below(r, 32))
        random_put(r, DST(ADDRESS, 0, 1 + shader_random_below(r, 15)));
    else if (opcode == SOP_TEXDEPTH)
        random_put(r, DST(TEMP, 5, 15));
    else if (opcode == SOP_TEXKILL)
        random_put(r, random_register(r, SREG_TEMP) | (1 + shader_random_below(r, 15)) << 16);
    else
        random_put(r, random_destination(r));
    if (version >= 0x201 && !shader_random_below(r, 5)) {
        r->tokens[at] |= PREDICATED;
        random_put_predicate(r);
    }
    random_operands(r, opcode);
    if (r->model.major > 1)
        r->tokens[at] |= (r->count - at - 1) << 24;
    else if (!vertex && !shader_random_below(r, 4))
        r->tokens[at] |= COISSUE;
}

/* A program of up to `length` instructions. */
static inline void random_program(struct shader_random *r, unsigned length)
{
    static const uint16_t versions[2][9] = {{0x100, 0x101, 0x200, 0x201, 0x300, 0x300, 0x3ff, 0x201, 0x300},
                                            {0x101, 0x102, 0x103, 0x104, 0x200, 0x201, 0x300, 0x300, 0x201}};
    unsigned stage = shader_random_below(r, 2), version = versions[stage][shader_random_below(r, 9)];

    r->count = 0;
    r->depth = 0;
    random_put(r, (stage == SHADER_VERTEX ? 0xfffe0000u : 0xffff0000u) | version);
    shader_reader_init(&r->model, r->tokens, 1, NULL);
    for (unsigned i = 0; r->model.major == 3 && i < 6; i++) {
        random_put(r, OP(DCL, 2));
        random_put(r, 0x80000000u | (i ? 5 : 10) | i << 16);
        random_put(r, stage == SHADER_VERTEX ? DST(TEXCOORD_OUT, i, 15) : DST(INPUT, i, 15));
    }
    for (unsigned i = 0; i < 3; i++) {
        random_put(r, r->model.major > 1 ? OP(DEF, 5) : OP1(DEF));
        random_put(r, DST(CONST, shader_random_below(r, 8), 15));
        for (unsigned k = 0; k < 4; k++)
            random_put(r, F(random_float(r)));
    }
    if (version >= (stage == SHADER_VERTEX ? 0x200u : 0x201u)) { /* half of the loops have a count that is known */
        for (unsigned i = 0; i < 2; i++) {
            random_put(r, OP(DEFI, 5));
            random_put(r, DST(INTEGER, i, 15));
            for (unsigned k = 0; k < 4; k++)
                random_put(r, shader_random_below(r, 6));
        }
    }
    for (unsigned i = 1 + shader_random_below(r, length); i && r->count < RANDOM_MAX_TOKENS - 64; i--)
        random_instruction(r);
    while (r->depth--)
        random_put(r, r->block[r->depth] == SOP_LOOP  ? OP(ENDLOOP, 0)
                      : r->block[r->depth] == SOP_REP ? OP(ENDREP, 0)
                                                      : OP(ENDIF, 0));
    random_put(r, END);
}

#endif
