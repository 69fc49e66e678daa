/* SPDX-License-Identifier: MIT */
/*
 * Reads shader bytecode. Source: docs/reference/shader-code.md, section 1.
 */
#include "bytecode/bytecode.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LAST 0x3ff

/* name, first and last version in vertex and pixel shaders, destinations, sources, slots, flags */
static const struct shader_opcode_info opcode_table[] = {
    [SOP_NOP] = {"nop", 0x100, LAST, 0x100, LAST, 0, 0, 1, 0},
    [SOP_MOV] = {"mov", 0x100, LAST, 0x100, LAST, 1, 1, 1, 0},
    [SOP_ADD] = {"add", 0x100, LAST, 0x100, LAST, 1, 2, 1, 0},
    [SOP_SUB] = {"sub", 0x100, LAST, 0x100, LAST, 1, 2, 1, 0},
    [SOP_MAD] = {"mad", 0x100, LAST, 0x100, LAST, 1, 3, 1, 0},
    [SOP_MUL] = {"mul", 0x100, LAST, 0x100, LAST, 1, 2, 1, 0},
    [SOP_RCP] = {"rcp", 0x100, LAST, 0x200, LAST, 1, 1, 1, SOPF_SCALAR | SOPF_EARLIER},
    [SOP_RSQ] = {"rsq", 0x100, LAST, 0x200, LAST, 1, 1, 1, SOPF_SCALAR | SOPF_EARLIER},
    [SOP_DP3] = {"dp3", 0x100, LAST, 0x100, LAST, 1, 2, 1, 0},
    [SOP_DP4] = {"dp4", 0x100, LAST, 0x102, LAST, 1, 2, 1, SOPF_EARLIER},
    [SOP_MIN] = {"min", 0x100, LAST, 0x200, LAST, 1, 2, 1, SOPF_EARLIER},
    [SOP_MAX] = {"max", 0x100, LAST, 0x200, LAST, 1, 2, 1, SOPF_EARLIER},
    [SOP_SLT] = {"slt", 0x100, LAST, 0, 0, 1, 2, 1, 0},
    [SOP_SGE] = {"sge", 0x100, LAST, 0, 0, 1, 2, 1, 0},
    [SOP_EXP] = {"exp", 0x100, LAST, 0x200, LAST, 1, 1, 1, SOPF_SCALAR | SOPF_EARLIER},
    [SOP_LOG] = {"log", 0x100, LAST, 0x200, LAST, 1, 1, 1, SOPF_SCALAR | SOPF_EARLIER},
    [SOP_LIT] = {"lit", 0x100, LAST, 0, 0, 1, 1, 3, 0},
    [SOP_DST] = {"dst", 0x100, LAST, 0, 0, 1, 2, 1, 0},
    [SOP_LRP] = {"lrp", 0x200, LAST, 0x100, LAST, 1, 3, 2, SOPF_EARLIER},
    [SOP_FRC] = {"frc", 0x100, LAST, 0x200, LAST, 1, 1, 1, SOPF_EARLIER},
    [SOP_M4X4] = {"m4x4", 0x100, LAST, 0x200, LAST, 1, 2, 4, SOPF_MATRIX | SOPF_EARLIER},
    [SOP_M4X3] = {"m4x3", 0x100, LAST, 0x200, LAST, 1, 2, 3, SOPF_MATRIX | SOPF_EARLIER},
    [SOP_M3X4] = {"m3x4", 0x100, LAST, 0x200, LAST, 1, 2, 4, SOPF_MATRIX | SOPF_EARLIER},
    [SOP_M3X3] = {"m3x3", 0x100, LAST, 0x200, LAST, 1, 2, 3, SOPF_MATRIX | SOPF_EARLIER},
    [SOP_M3X2] = {"m3x2", 0x100, LAST, 0x200, LAST, 1, 2, 2, SOPF_MATRIX | SOPF_EARLIER},
    [SOP_CALL] = {"call", 0x200, LAST, 0x201, LAST, 0, 1, 2, SOPF_FLOW},
    [SOP_CALLNZ] = {"callnz", 0x200, LAST, 0x201, LAST, 0, 2, 3, SOPF_FLOW},
    [SOP_LOOP] = {"loop", 0x200, LAST, 0x300, LAST, 0, 2, 3, SOPF_FLOW},
    [SOP_RET] = {"ret", 0x200, LAST, 0x201, LAST, 0, 0, 1, SOPF_FLOW},
    [SOP_ENDLOOP] = {"endloop", 0x200, LAST, 0x300, LAST, 0, 0, 2, SOPF_FLOW},
    [SOP_LABEL] = {"label", 0x200, LAST, 0x201, LAST, 0, 1, 0, SOPF_FLOW},
    [SOP_DCL] = {"dcl", 0x100, LAST, 0x200, LAST, 1, 0, 0, SOPF_DEFINITION},
    [SOP_POW] = {"pow", 0x200, LAST, 0x200, LAST, 1, 2, 3, SOPF_SCALAR | SOPF_EARLIER},
    [SOP_CRS] = {"crs", 0x200, LAST, 0x200, LAST, 1, 2, 2, SOPF_EARLIER},
    [SOP_SGN] = {"sgn", 0x200, LAST, 0, 0, 1, 3, 3, 0},
    [SOP_ABS] = {"abs", 0x200, LAST, 0x200, LAST, 1, 1, 1, SOPF_EARLIER},
    [SOP_NRM] = {"nrm", 0x200, LAST, 0x200, LAST, 1, 1, 3, SOPF_EARLIER},
    [SOP_SINCOS] = {"sincos", 0x200, LAST, 0x200, LAST, 1, 3, 8, 0},
    [SOP_REP] = {"rep", 0x200, LAST, 0x201, LAST, 0, 1, 3, SOPF_FLOW},
    [SOP_ENDREP] = {"endrep", 0x200, LAST, 0x201, LAST, 0, 0, 2, SOPF_FLOW},
    [SOP_IF] = {"if", 0x200, LAST, 0x201, LAST, 0, 1, 3, SOPF_FLOW},
    [SOP_IFC] = {"if", 0x201, LAST, 0x201, LAST, 0, 2, 3, SOPF_FLOW | SOPF_COMPARES},
    [SOP_ELSE] = {"else", 0x200, LAST, 0x201, LAST, 0, 0, 1, SOPF_FLOW},
    [SOP_ENDIF] = {"endif", 0x200, LAST, 0x201, LAST, 0, 0, 1, SOPF_FLOW},
    [SOP_BREAK] = {"break", 0x201, LAST, 0x201, LAST, 0, 0, 1, SOPF_FLOW},
    [SOP_BREAKC] = {"break", 0x201, LAST, 0x201, LAST, 0, 2, 3, SOPF_FLOW | SOPF_COMPARES},
    [SOP_MOVA] = {"mova", 0x200, LAST, 0, 0, 1, 1, 1, 0},
    [SOP_DEFB] = {"defb", 0x200, LAST, 0x201, LAST, 1, 0, 0, SOPF_DEFINITION},
    [SOP_DEFI] = {"defi", 0x200, LAST, 0x201, LAST, 1, 0, 0, SOPF_DEFINITION},
    [SOP_TEXCOORD] = {"texcoord", 0, 0, 0x100, 0x104, 1, 0, 1, SOPF_TEXTURE},
    [SOP_TEXKILL] = {"texkill", 0, 0, 0x100, LAST, 1, 0, 1, SOPF_TEXTURE},
    [SOP_TEX] = {"texld", 0, 0, 0x100, LAST, 1, 2, 1, SOPF_TEXTURE},
    [SOP_TEXBEM] = {"texbem", 0, 0, 0x100, 0x103, 1, 1, 1, SOPF_TEXTURE},
    [SOP_TEXBEML] = {"texbeml", 0, 0, 0x100, 0x103, 1, 1, 2, SOPF_TEXTURE},
    [SOP_TEXREG2AR] = {"texreg2ar", 0, 0, 0x100, 0x103, 1, 1, 1, SOPF_TEXTURE},
    [SOP_TEXREG2GB] = {"texreg2gb", 0, 0, 0x100, 0x103, 1, 1, 1, SOPF_TEXTURE},
    [SOP_TEXM3X2PAD] = {"texm3x2pad", 0, 0, 0x100, 0x103, 1, 1, 1, SOPF_TEXTURE},
    [SOP_TEXM3X2TEX] = {"texm3x2tex", 0, 0, 0x100, 0x103, 1, 1, 1, SOPF_TEXTURE},
    [SOP_TEXM3X3PAD] = {"texm3x3pad", 0, 0, 0x100, 0x103, 1, 1, 1, SOPF_TEXTURE},
    [SOP_TEXM3X3TEX] = {"texm3x3tex", 0, 0, 0x100, 0x103, 1, 1, 1, SOPF_TEXTURE},
    [SOP_TEXM3X3DIFF] = {"texm3x3diff", 0, 0, 0, 0, 1, 1, 1, SOPF_TEXTURE},
    [SOP_TEXM3X3SPEC] = {"texm3x3spec", 0, 0, 0x100, 0x103, 1, 2, 1, SOPF_TEXTURE},
    [SOP_TEXM3X3VSPEC] = {"texm3x3vspec", 0, 0, 0x100, 0x103, 1, 1, 1, SOPF_TEXTURE},
    [SOP_EXPP] = {"expp", 0x100, LAST, 0, 0, 1, 1, 1, SOPF_SCALAR},
    [SOP_LOGP] = {"logp", 0x100, LAST, 0, 0, 1, 1, 1, SOPF_SCALAR},
    [SOP_CND] = {"cnd", 0, 0, 0x100, 0x104, 1, 3, 1, 0},
    [SOP_DEF] = {"def", 0x100, LAST, 0x100, LAST, 1, 0, 0, SOPF_DEFINITION},
    [SOP_TEXREG2RGB] = {"texreg2rgb", 0, 0, 0x102, 0x103, 1, 1, 1, SOPF_TEXTURE},
    [SOP_TEXDP3TEX] = {"texdp3tex", 0, 0, 0x102, 0x103, 1, 1, 1, SOPF_TEXTURE},
    [SOP_TEXM3X2DEPTH] = {"texm3x2depth", 0, 0, 0x103, 0x103, 1, 1, 1, SOPF_TEXTURE},
    [SOP_TEXDP3] = {"texdp3", 0, 0, 0x102, 0x103, 1, 1, 1, SOPF_TEXTURE},
    [SOP_TEXM3X3] = {"texm3x3", 0, 0, 0x102, 0x103, 1, 1, 1, SOPF_TEXTURE},
    [SOP_TEXDEPTH] = {"texdepth", 0, 0, 0x104, 0x104, 1, 0, 1, SOPF_TEXTURE},
    [SOP_CMP] = {"cmp", 0, 0, 0x102, LAST, 1, 3, 1, SOPF_EARLIER},
    [SOP_BEM] = {"bem", 0, 0, 0x104, 0x104, 1, 2, 2, 0},
    [SOP_DP2ADD] = {"dp2add", 0, 0, 0x200, LAST, 1, 3, 2, 0},
    [SOP_DSX] = {"dsx", 0, 0, 0x201, LAST, 1, 1, 2, 0},
    [SOP_DSY] = {"dsy", 0, 0, 0x201, LAST, 1, 1, 2, 0},
    [SOP_TEXLDD] = {"texldd", 0, 0, 0x201, LAST, 1, 4, 3, SOPF_TEXTURE},
    [SOP_SETP] = {"setp", 0x201, LAST, 0x201, LAST, 1, 2, 1, SOPF_COMPARES},
    [SOP_TEXLDL] = {"texldl", 0x300, LAST, 0x300, LAST, 1, 2, 2, SOPF_TEXTURE},
    [SOP_BREAKP] = {"breakp", 0x201, LAST, 0x201, LAST, 0, 1, 3, SOPF_FLOW},
};

const struct shader_opcode_info *shader_opcode_info(unsigned opcode)
{
    return opcode < sizeof(opcode_table) / sizeof(opcode_table[0]) && opcode_table[opcode].name ? &opcode_table[opcode]
                                                                                                : NULL;
}

#define V  SHADER_VERTEX
#define P  SHADER_PIXEL
#define R  SREG_READ
#define W  SREG_WRITE
#define RW (R | W)
#define RI (R | SREG_INDEXED_READ)
#define WI (W | SREG_INDEXED_WRITE)

/* clang-format off */
static const struct shader_register_rule register_rules[] = {
    {V, SREG_TEMP, 0x100, 0x200, 12, RW},         {V, SREG_TEMP, 0x201, LAST, 32, RW},
    {V, SREG_INPUT, 0x100, 0x2ff, 16, R},         {V, SREG_INPUT, 0x300, LAST, 16, RI},
    {V, SREG_CONST, 0x100, LAST, 8192, RI},       {V, SREG_ADDRESS, 0x100, LAST, 1, W},
    {V, SREG_RASTER_OUT, 0x100, 0x2ff, 3, W},     {V, SREG_ATTRIBUTE_OUT, 0x100, 0x2ff, 2, W},
    {V, SREG_TEXCOORD_OUT, 0x100, 0x2ff, 8, W},   {V, SREG_TEXCOORD_OUT, 0x300, 0x300, 12, WI},
    {V, SREG_TEXCOORD_OUT, 0x3ff, 0x3ff, 16, WI}, {V, SREG_INTEGER, 0x200, LAST, 16, R},
    {V, SREG_BOOLEAN, 0x200, LAST, 16, R},        {V, SREG_LOOP, 0x200, LAST, 1, R},
    {V, SREG_LABEL, 0x200, LAST, 2048, R},        {V, SREG_PREDICATE, 0x201, LAST, 1, RW},
    {V, SREG_SAMPLER, 0x300, LAST, 4, R},         {P, SREG_TEMP, 0x100, 0x103, 2, RW},
    {P, SREG_TEMP, 0x104, 0x104, 6, RW},          {P, SREG_TEMP, 0x200, 0x200, 12, RW},
    {P, SREG_TEMP, 0x201, LAST, 32, RW},          {P, SREG_INPUT, 0x100, 0x2ff, 2, R},
    {P, SREG_INPUT, 0x300, LAST, 10, RI},         {P, SREG_CONST, 0x100, 0x104, 8, R},
    {P, SREG_CONST, 0x200, 0x2ff, 32, R},         {P, SREG_CONST, 0x300, LAST, 224, R},
    {P, SREG_TEXTURE, 0x100, 0x103, 4, RW},       {P, SREG_TEXTURE, 0x104, 0x104, 6, RW},
    {P, SREG_TEXTURE, 0x200, 0x2ff, 8, RW},       {P, SREG_INTEGER, 0x201, LAST, 16, R},
    {P, SREG_BOOLEAN, 0x201, LAST, 16, R},        {P, SREG_COLOR_OUT, 0x200, LAST, 4, W},
    {P, SREG_DEPTH_OUT, 0x200, LAST, 1, W},       {P, SREG_SAMPLER, 0x200, LAST, 16, R},
    {P, SREG_LOOP, 0x300, LAST, 1, R},            {P, SREG_MISC, 0x300, LAST, 2, R},
    {P, SREG_LABEL, 0x201, LAST, 2048, R},        {P, SREG_PREDICATE, 0x201, LAST, 1, RW},
};
/* clang-format on */

const struct shader_register_rule *shader_register_rule(const struct shader_reader *reader, unsigned type)
{
    unsigned version = shader_version(reader);

    for (size_t i = 0; i < sizeof(register_rules) / sizeof(register_rules[0]); i++) {
        const struct shader_register_rule *r = &register_rules[i];

        if (r->stage == reader->stage && r->type == type && r->first <= version && version <= r->last)
            return r;
    }
    return NULL;
}

bool shader_fail(struct shader_error *error, size_t offset, const char *format, ...)
{
    va_list args;

    if (!error)
        return false;
    error->offset = offset;
    error->column = 0;
    error->no_memory = false;
    va_start(args, format);
    vsnprintf(error->text, sizeof(error->text), format, args);
    va_end(args);
    return false;
}

bool shader_fail_memory(struct shader_error *error, size_t offset)
{
    shader_fail(error, offset, "out of memory");
    if (error)
        error->no_memory = true;
    return false;
}

bool shader_reader_init(struct shader_reader *reader, const uint32_t *tokens, size_t count, struct shader_error *error)
{
    static const uint16_t versions[2][12] = {
        [SHADER_VERTEX] = {0x100, 0x101, 0x200, 0x201, 0x2ff, 0x300, 0x3ff},
        [SHADER_PIXEL] = {0x100, 0x101, 0x102, 0x103, 0x104, 0x200, 0x201, 0x2ff, 0x300, 0x3ff},
    };
    memset(reader, 0, sizeof(*reader));
    if (!tokens || !count)
        return shader_fail(error, 0, "no code");
    uint32_t version = tokens[0];
    if (version >> 16 != 0xfffe && version >> 16 != 0xffff)
        return shader_fail(error, 0, "%08x is not a shader version", (unsigned)version);
    reader->tokens = tokens;
    reader->count = count;
    reader->offset = 1;
    reader->stage = version >> 16 == 0xfffe ? SHADER_VERTEX : SHADER_PIXEL;
    reader->major = (uint8_t)(version >> 8);
    reader->minor = (uint8_t)version;
    for (unsigned i = 0; i < 12; i++)
        if (versions[reader->stage][i] == (version & 0xffff) && (version & 0xffff))
            return true;
    return shader_fail(error, 0, "unknown version %cs_%u_%u", reader->stage == SHADER_VERTEX ? 'v' : 'p', reader->major,
                       reader->minor);
}

/* --- parameters ------------------------------------------------------------------------------- */

static void decode_common(uint32_t token, struct shader_parameter *p)
{
    memset(p, 0, sizeof(*p));
    p->type = (uint8_t)((token >> 28 & 7) | (token >> 8 & 0x18));
    p->number = token & 0x7ff;
    p->relative = token >> 13 & 1;
    p->relative_type = SREG_ADDRESS;
    if (p->type >= SREG_CONST2 && p->type <= SREG_CONST4) {
        p->number = (uint16_t)(p->number + 2048u * (p->type - SREG_CONST2 + 1u));
        p->type = SREG_CONST;
    }
}

/* The position from which an instruction's operands are read. */
struct operand_cursor {
    struct shader_reader *reader;
    struct shader_error *error;
    size_t at, end, start;
};

static bool operand_take(struct operand_cursor *cursor, uint32_t *token)
{
    if (cursor->at == cursor->end)
        return shader_fail(cursor->error, cursor->start, "operands are missing");
    *token = cursor->reader->tokens[cursor->at++];
    return true;
}

static bool take_relative(struct operand_cursor *cursor, struct shader_parameter *p)
{
    struct shader_parameter index;
    uint32_t token = 0;

    if (!p->relative || cursor->reader->major < 2)
        return true;
    if (!operand_take(cursor, &token))
        return false;
    decode_common(token, &index);
    if (!(token >> 31) || (index.type != SREG_ADDRESS && index.type != SREG_LOOP) || index.number)
        return shader_fail(cursor->error, cursor->at - 1, "%08x is not a register to index with", (unsigned)token);
    p->relative_type = index.type;
    p->relative_component = token >> 16 & 3;
    return true;
}

static bool take_parameter(struct operand_cursor *cursor, bool destination, struct shader_parameter *p)
{
    uint32_t token = 0;

    if (!operand_take(cursor, &token))
        return false;
    if (!(token >> 31))
        return shader_fail(cursor->error, cursor->at - 1, "%08x is not an operand", (unsigned)token);
    decode_common(token, p);
    if (p->type >= SREG_COUNT || p->type == SREG_HALF)
        return shader_fail(cursor->error, cursor->at - 1, "register type %u", p->type);
    if (destination) {
        p->mask = token >> 16 & 15;
        p->modifier = token >> 20 & 7;
        p->shift = (int8_t)((int8_t)((token >> 20) & 0xf0) >> 4);
    } else {
        p->swizzle = (uint8_t)(token >> 16);
        p->modifier = token >> 24 & 15;
        if (p->modifier >= SMOD_COUNT)
            return shader_fail(cursor->error, cursor->at - 1, "source modifier %u", p->modifier);
    }
    return take_relative(cursor, p);
}

/* --- instructions -------------------------------------------------------------------------------- */

static unsigned sources_in(const struct shader_reader *reader, unsigned opcode, const struct shader_opcode_info *info)
{
    unsigned version = shader_version(reader);

    if (opcode == SOP_TEX)
        return version < 0x104 ? 0 : version == 0x104 ? 1 : 2;
    if (opcode == SOP_TEXCOORD)
        return version == 0x104;
    if ((opcode == SOP_SGN || opcode == SOP_SINCOS) && reader->major == 3)
        return 1;
    return info->sources;
}

static bool read_operands(struct operand_cursor *cursor, struct shader_instruction *i)
{
    unsigned data = i->opcode == SOP_DEF || i->opcode == SOP_DEFI ? 4 : i->opcode == SOP_DEFB ? 1 : 0;

    if (i->opcode == SOP_DCL && !operand_take(cursor, &i->usage))
        return false;
    if (i->info->destination) {
        i->has_destination = true;
        if (!take_parameter(cursor, true, &i->destination))
            return false;
    }
    if (i->predicated && !take_parameter(cursor, false, &i->predicate))
        return false;
    if (i->predicated && i->predicate.type != SREG_PREDICATE)
        return shader_fail(cursor->error, cursor->start, "predicate is not in p0");
    for (unsigned k = 0; k < i->source_count; k++)
        if (!take_parameter(cursor, false, &i->source[k]))
            return false;
    if (cursor->end - cursor->at < data)
        return shader_fail(cursor->error, cursor->start, "values are missing");
    i->data = cursor->reader->tokens + cursor->at;
    cursor->at += data;
    return true;
}

/* Skips comments; the token there is an instruction or END. */
static bool skip_comments(struct shader_reader *reader, struct shader_error *error)
{
    for (;;) {
        if (reader->offset >= reader->count)
            return shader_fail(error, reader->offset, "no end token");
        uint32_t token = reader->tokens[reader->offset];
        size_t length = token >> 16 & 0x7fff;
        if ((token & 0xffff) != SOP_COMMENT)
            return true;
        if (reader->count - reader->offset - 1 < length)
            return shader_fail(error, reader->offset, "comment of %zu DWORDs is cut", length);
        reader->offset += length + 1;
    }
}

bool shader_opcode_is_of(const struct shader_reader *reader, const struct shader_opcode_info *info)
{
    unsigned version = shader_version(reader);
    unsigned first = reader->stage == SHADER_VERTEX ? info->vs_first : info->ps_first;

    return first && version >= first && version <= (reader->stage == SHADER_VERTEX ? info->vs_last : info->ps_last);
}

static bool is_readable(const struct shader_reader *reader, const struct shader_opcode_info *info)
{
    bool stage = reader->stage == SHADER_VERTEX ? info->vs_first : info->ps_first;

    return shader_opcode_is_of(reader, info) || (stage && info->flags & SOPF_EARLIER);
}

bool shader_read(struct shader_reader *reader, struct shader_instruction *i, struct shader_error *error)
{
    memset(i, 0, sizeof(*i));
    if (!skip_comments(reader, error))
        return false;
    const uint32_t token = reader->tokens[reader->offset];
    size_t length = reader->major >= 2 ? token >> 24 & 15 : reader->count - reader->offset - 1;
    struct operand_cursor cursor = {reader, error, reader->offset + 1, reader->offset + 1 + length, reader->offset};

    i->offset = reader->offset;
    i->opcode = (uint16_t)token;
    i->size = 1;
    if (i->opcode == SOP_END)
        return true;
    if (i->opcode == SOP_PHASE) {
        if (reader->stage != SHADER_PIXEL || shader_version(reader) != 0x104)
            return shader_fail(error, i->offset, "phase belongs to ps_1_4 alone");
        reader->offset++;
        return true;
    }
    i->info = shader_opcode_info(i->opcode);
    if (!i->info || !is_readable(reader, i->info))
        return shader_fail(error, i->offset, "%s is not an instruction of %cs_%u_%u", i->info ? i->info->name : "this",
                           reader->stage == SHADER_VERTEX ? 'v' : 'p', reader->major, reader->minor);
    if (length > reader->count - reader->offset - 1)
        return shader_fail(error, i->offset, "%s is cut", i->info->name);
    i->control = (uint8_t)(token >> 16);
    i->coissue = token >> 30 & 1;
    i->predicated = reader->major >= 2 && (token >> 28 & 1);
    i->source_count = (uint8_t)sources_in(reader, i->opcode, i->info);
    if (!read_operands(&cursor, i))
        return false;
    if (reader->major >= 2 && cursor.at != cursor.end)
        return shader_fail(error, i->offset, "%s has %zu operands too many", i->info->name, cursor.end - cursor.at);
    i->size = cursor.at - i->offset;
    reader->offset = cursor.at;
    return true;
}

size_t shader_bytecode_length(const uint32_t *tokens, size_t count)
{
    struct shader_reader reader;

    if (!shader_reader_init(&reader, tokens, count, NULL))
        return 0;
    for (size_t at = 1; at < count;) {
        uint32_t token = tokens[at];

        if ((token & 0xffff) == SOP_END)
            return at + 1;
        if ((token & 0xffff) == SOP_COMMENT) {
            at += 1 + (token >> 16 & 0x7fff);
        } else if (reader.major >= 2) {
            at += 1 + (token >> 24 & 15);
        } else if ((token & 0xffff) == SOP_DEF) {
            at += 6; /* the values may look like anything */
        } else {
            /* operands have bit 31 set, opcodes do not */
            for (at++; at < count && tokens[at] >> 31;)
                at++;
        }
    }
    return 0;
}

/* --- names --------------------------------------------------------------------------------------------- */

const char *shader_comparison_name(unsigned control)
{
    static const char *const names[] = {NULL, "gt", "eq", "ge", "lt", "ne", "le"};

    return control < 7 ? names[control] : NULL;
}

const char *shader_register_name(enum shader_stage stage, unsigned major, const struct shader_parameter *p)
{
    static const char *const names[SREG_COUNT] = {
        "r", "v", "c", "a", "o", "oD", "oT", "i", "oC", "oDepth", "s", "c", "c", "c", "b", "aL", "h", "v", "l", "p",
    };
    static const char *const raster[] = {"oPos", "oFog", "oPts"};

    if (p->type >= SREG_COUNT)
        return "?";
    if (p->type == SREG_TEXTURE && stage == SHADER_PIXEL)
        return "t";
    if (p->type == SREG_RASTER_OUT)
        return p->number < 3 ? raster[p->number] : "o?";
    if (p->type == SREG_TEXCOORD_OUT && major == 3)
        return "o";
    if (p->type == SREG_MISC)
        return p->number == 0 ? "vPos" : p->number == 1 ? "vFace" : "v?";
    return names[p->type];
}
