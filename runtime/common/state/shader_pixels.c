/* SPDX-License-Identifier: MIT */
/* Rewrites the code of shaders that compute with pixels. */
#include "runtime/common/state/shader_pixels.h"

#include <string.h>

#include "bytecode/bytecode.h"

#define PARAMETER        0x80000000u
#define NUMBER_BITS      0x000007ffu
#define TYPE_BITS        0x70001800u
#define RELATIVE_ADDRESS 0x00002000u
#define MASK_BITS        0x000f0000u
#define PIXEL_CONSTANTS  224
#define OLD_TEMPS        12 /* of vertex shaders before model 3 */

enum { USAGE_PSIZE = 4, OUT_SIZE = 2 /* oPts */ };

/* The registers that the code uses. */
struct survey {
    struct shader_reader reader;
    uint32_t temps;                        /* a bit for each */
    bool constant[PIXEL_CONSTANTS];        /* of pixel shaders */
    uint32_t wanted;                       /* type and number of the register that is replaced */
    uint32_t mask;                         /* with which it is written */
    bool has_declared, is_used, is_shared; /* the size of model 3: it has a register, shared with something else */
    bool has_return;
};

static uint32_t type_bits(unsigned type)
{
    return (type & 7) << 28 | (type & 0x18) << 8;
}

static unsigned type_of(uint32_t token)
{
    return (token >> 28 & 7) | (token >> 8 & 0x18);
}

static bool is_wanted(const struct survey *survey, uint32_t token)
{
    return survey->wanted && (token & (TYPE_BITS | NUMBER_BITS)) == survey->wanted;
}

/* Operands of an instruction: all of its DWORDs but the first. Those of definitions are numbers. */
static bool has_operands(const struct shader_instruction *instruction)
{
    switch (instruction->opcode) {
    case SOP_DEF:
    case SOP_DEFI:
    case SOP_DEFB:
    case SOP_DCL:
    case SOP_END:
        return false;
    default:
        return true;
    }
}

/* --- the survey ------------------------------------------------------------------------- */

/* In model 3 the register of the size is the one that is declared so. */
static void note_declaration(struct survey *survey, const struct shader_instruction *instruction, uint32_t token)
{
    const bool is_output = survey->reader.stage == SHADER_VERTEX && type_of(token) == SREG_TEXCOORD_OUT;

    if (!is_output)
        return;
    if ((instruction->usage & 0xf) == USAGE_PSIZE && !(instruction->usage >> 16 & 0xf)) {
        survey->wanted = token & (TYPE_BITS | NUMBER_BITS);
        survey->mask = token & MASK_BITS;
        survey->has_declared = true;
    }
}

static void note_operand(struct survey *survey, uint32_t token)
{
    const unsigned number = token & NUMBER_BITS;

    if (type_of(token) == SREG_TEMP && number < SHADER_MAX_TEMPS)
        survey->temps |= 1u << number;
    if (type_of(token) == SREG_CONST && number < PIXEL_CONSTANTS)
        survey->constant[number] = true;
    if (type_of(token) == SREG_TEXCOORD_OUT && token & RELATIVE_ADDRESS)
        survey->is_shared = true;
    if (!is_wanted(survey, token))
        return;
    survey->is_used = true;
    if (!survey->has_declared)
        survey->mask = token & MASK_BITS;
}

static bool look(struct survey *survey, const uint32_t *code, size_t count)
{
    struct shader_instruction in;
    unsigned declared = 0;

    if (!shader_reader_init(&survey->reader, code, count, NULL))
        return false;
    if (survey->reader.stage == SHADER_PIXEL)
        survey->wanted = survey->reader.major >= 3 ? type_bits(SREG_MISC) : 0;
    else if (survey->reader.major < 3)
        survey->wanted = type_bits(SREG_RASTER_OUT) | OUT_SIZE;
    do {
        if (!shader_read(&survey->reader, &in, NULL))
            return false;
        if (in.opcode == SOP_DCL)
            note_declaration(survey, &in, code[in.offset + in.size - 1]);
        if (in.opcode == SOP_DEF)
            note_operand(survey, code[in.offset + 1]);
        for (size_t i = 1; has_operands(&in) && i < in.size; i++)
            note_operand(survey, code[in.offset + i]);
        survey->has_return |= in.opcode == SOP_RET;
    } while (in.opcode != SOP_END);
    /* a register of model 3 may hold several outputs */
    if (!shader_reader_init(&survey->reader, code, count, NULL))
        return false;
    while (shader_read(&survey->reader, &in, NULL) && in.opcode != SOP_END)
        declared += in.opcode == SOP_DCL && is_wanted(survey, code[in.offset + in.size - 1]);
    survey->is_shared |= survey->has_declared && declared > 1;
    return shader_reader_init(&survey->reader, code, count, NULL);
}

/* The highest register that is not in use: low ones are what compilers take. -1: none. */
static int free_temp(const struct survey *survey, int below)
{
    const bool old = survey->reader.stage == SHADER_VERTEX && survey->reader.major < 3;
    int i = BASE_MIN(below, old ? OLD_TEMPS : SHADER_MAX_TEMPS) - 1;

    while (i >= 0 && survey->temps >> i & 1)
        i--;
    return i;
}

static int free_constant(const struct survey *survey)
{
    int i = PIXEL_CONSTANTS - 1;

    while (i >= 0 && survey->constant[i])
        i--;
    return i;
}

/* --- writing ---------------------------------------------------------------------------- */

struct writer {
    const struct survey *survey;
    uint32_t *out;
    size_t count;
    int temp, other; /* registers that were free */
    int constant;
    uint32_t times;
};

static void put(struct writer *writer, uint32_t token)
{
    writer->out[writer->count++] = token;
}

static void put_opcode(struct writer *writer, unsigned opcode, unsigned operands)
{
    put(writer, opcode | (writer->survey->reader.major >= 2 ? operands << 24 : 0));
}

static uint32_t source(unsigned type, int number, unsigned swizzle)
{
    return PARAMETER | type_bits(type) | swizzle << 16 | (uint32_t)number;
}

static void put_float(struct writer *writer, float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    put(writer, bits);
}

/* The centre of the target's pixel in the program's pixels, whose centres are whole numbers. */
static void define_factors(struct writer *writer)
{
    const float part = 1.0f / (float)writer->times;

    put_opcode(writer, SOP_DEF, 5);
    put(writer, PARAMETER | type_bits(SREG_CONST) | MASK_BITS | (uint32_t)writer->constant);
    put_float(writer, part);
    put_float(writer, 0.5f * part - 0.5f);
    put_float(writer, 0.0f);
    put_float(writer, 0.0f);
}

static void compute_position(struct writer *writer)
{
    put_opcode(writer, SOP_MAD, 4);
    put(writer, PARAMETER | 3u << 16 | (uint32_t)writer->temp);
    put(writer, source(SREG_MISC, 0, SHADER_IDENTITY));
    put(writer, source(SREG_CONST, writer->constant, 0x00));
    put(writer, source(SREG_CONST, writer->constant, 0x55));
}

static void put_sum(struct writer *writer, uint32_t destination, int a, int b)
{
    put_opcode(writer, SOP_ADD, 3);
    put(writer, PARAMETER | destination);
    put(writer, source(SREG_TEMP, a, SHADER_IDENTITY));
    put(writer, source(SREG_TEMP, b, SHADER_IDENTITY));
}

/* Sums, which need no constant: programs set all of them, and read them by addresses. */
static void compute_size(struct writer *writer)
{
    int so_far = writer->temp;

    for (uint32_t i = 2; i < writer->times; i++) {
        put_sum(writer, writer->survey->mask | (uint32_t)writer->other, so_far, writer->temp);
        so_far = writer->other;
    }
    put_sum(writer, writer->survey->wanted | writer->survey->mask, so_far, writer->temp);
}

static void copy_instruction(struct writer *writer, const uint32_t *code, const struct shader_instruction *in)
{
    put(writer, code[in->offset]);
    for (size_t i = 1; i < in->size; i++) {
        const uint32_t token = code[in->offset + i];

        if (has_operands(in) && is_wanted(writer->survey, token))
            put(writer, (token & ~(TYPE_BITS | NUMBER_BITS)) | (uint32_t)writer->temp);
        else
            put(writer, token);
    }
}

static size_t rewrite(struct writer *writer, const uint32_t *code)
{
    struct shader_reader reader = writer->survey->reader;
    const bool pixel = reader.stage == SHADER_PIXEL;
    struct shader_instruction in;
    bool done = false;

    put(writer, code[0]);
    if (pixel)
        define_factors(writer);
    do {
        if (!shader_read(&reader, &in, NULL))
            return 0;
        if (!done && pixel && has_operands(&in)) {
            compute_position(writer);
            done = true;
        } else if (!done && !pixel && in.opcode == (writer->survey->has_return ? SOP_RET : SOP_END)) {
            compute_size(writer);
            done = true;
        }
        copy_instruction(writer, code, &in);
    } while (in.opcode != SOP_END);
    return writer->count;
}

size_t rt_shader_in_pixels(const uint32_t *code, size_t count, uint32_t times, uint32_t *out, const char **problem)
{
    struct survey survey = {.temps = 0};
    struct writer writer = {.survey = &survey, .out = out, .times = times};

    *problem = NULL;
    if (!look(&survey, code, count) || !survey.is_used)
        return 0;
    writer.temp = free_temp(&survey, SHADER_MAX_TEMPS);
    writer.other = free_temp(&survey, writer.temp);
    writer.constant = free_constant(&survey);
    if (survey.is_shared)
        *problem = "the point size shares its register";
    else if (writer.temp < 0 || (survey.reader.stage == SHADER_VERTEX && times > 2 && writer.other < 0))
        *problem = "no register is free";
    else if (survey.reader.stage == SHADER_PIXEL && writer.constant < 0)
        *problem = "no constant is free";
    return *problem ? 0 : rewrite(&writer, code);
}
