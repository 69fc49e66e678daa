/* SPDX-License-Identifier: MIT */
/*
 * Shader bytecode as instructions: tokens in, decoded instructions or an error with its position out. Does not know the
 * IR; shared by the compiler, the disassembler and the API's validator (which the runtime links alone). Source:
 * docs/reference/shader-code.md, section 1.
 */
#ifndef HALCYON_BYTECODE_BYTECODE_H
#define HALCYON_BYTECODE_BYTECODE_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum shader_stage { SHADER_VERTEX, SHADER_PIXEL };

struct shader_error {
    size_t offset;   /* DWORDs from the version token */
    unsigned column; /* of shader_assemble: from 1, in bytes; 0: none */
    char text[160];  /* one line, without offset */
    bool no_memory;  /* the code may be valid */
};

/* DWORDs up to and including the END token, at most `count`; 0 if there is no END or an instruction is truncated. For
 * code without a known length pass a generous count. */
size_t shader_bytecode_length(const uint32_t *tokens, size_t count);

/* The code as assembly text; returns what snprintf would. Stops with a comment at the first unreadable token. */
int shader_disassemble(const uint32_t *tokens, size_t count, char *text, size_t size);
/* The reverse: text from shader_disassemble gives the original tokens (except for comments and meaningless bits).
 * Returns DWORDs including the END token, or 0 and the reason in *error (which may be NULL), whose `offset` is then the
 * line, from 1. The text may break any rule of a model: only shader_read and shader_validate check them. */
size_t shader_assemble(const char *text, uint32_t *tokens, size_t capacity, struct shader_error *error);

/* --- instructions ------------------------------------------------------------------------------ */

/* clang-format off */
enum shader_opcode {
    SOP_NOP = 0, SOP_MOV, SOP_ADD, SOP_SUB, SOP_MAD, SOP_MUL, SOP_RCP, SOP_RSQ, SOP_DP3, SOP_DP4, SOP_MIN,
    SOP_MAX, SOP_SLT, SOP_SGE, SOP_EXP, SOP_LOG, SOP_LIT, SOP_DST, SOP_LRP, SOP_FRC, SOP_M4X4, SOP_M4X3,
    SOP_M3X4, SOP_M3X3, SOP_M3X2, SOP_CALL, SOP_CALLNZ, SOP_LOOP, SOP_RET, SOP_ENDLOOP, SOP_LABEL, SOP_DCL,
    SOP_POW, SOP_CRS, SOP_SGN, SOP_ABS, SOP_NRM, SOP_SINCOS, SOP_REP, SOP_ENDREP, SOP_IF, SOP_IFC, SOP_ELSE,
    SOP_ENDIF, SOP_BREAK, SOP_BREAKC, SOP_MOVA, SOP_DEFB, SOP_DEFI,
    SOP_TEXCOORD = 64, SOP_TEXKILL, SOP_TEX, SOP_TEXBEM, SOP_TEXBEML, SOP_TEXREG2AR, SOP_TEXREG2GB,
    SOP_TEXM3X2PAD, SOP_TEXM3X2TEX, SOP_TEXM3X3PAD, SOP_TEXM3X3TEX, SOP_TEXM3X3DIFF, SOP_TEXM3X3SPEC,
    SOP_TEXM3X3VSPEC, SOP_EXPP, SOP_LOGP, SOP_CND, SOP_DEF, SOP_TEXREG2RGB, SOP_TEXDP3TEX, SOP_TEXM3X2DEPTH,
    SOP_TEXDP3, SOP_TEXM3X3, SOP_TEXDEPTH, SOP_CMP, SOP_BEM, SOP_DP2ADD, SOP_DSX, SOP_DSY, SOP_TEXLDD,
    SOP_SETP, SOP_TEXLDL, SOP_BREAKP,
    SOP_PHASE = 0xfffd, SOP_COMMENT = 0xfffe, SOP_END = 0xffff,
};
/* clang-format on */

enum shader_register { /* 4, 6: by stage; see shader_register_name */
                       SREG_TEMP,
                       SREG_INPUT,
                       SREG_CONST,
                       SREG_ADDRESS,
                       SREG_RASTER_OUT,
                       SREG_ATTRIBUTE_OUT,
                       SREG_TEXCOORD_OUT,
                       SREG_INTEGER,
                       SREG_COLOR_OUT,
                       SREG_DEPTH_OUT,
                       SREG_SAMPLER,
                       SREG_CONST2,
                       SREG_CONST3,
                       SREG_CONST4,
                       SREG_BOOLEAN,
                       SREG_LOOP,
                       SREG_HALF,
                       SREG_MISC,
                       SREG_LABEL,
                       SREG_PREDICATE,
                       SREG_COUNT,
                       SREG_TEXTURE = SREG_ADDRESS, /* of pixel shaders */
};

/* clang-format off */
enum shader_source_modifier {
    SMOD_NONE, SMOD_NEGATE, SMOD_BIAS, SMOD_NEGATE_BIAS, SMOD_BX2, SMOD_NEGATE_BX2, SMOD_COMPLEMENT, SMOD_X2,
    SMOD_NEGATE_X2, SMOD_DZ, SMOD_DW, SMOD_ABS, SMOD_NEGATE_ABS, SMOD_NOT, SMOD_COUNT,
};
/* clang-format on */

enum { SDST_SATURATE = 1, SDST_PARTIAL = 2, SDST_CENTROID = 4 };
enum { SHADER_IDENTITY = 0xe4 }; /* swizzle xyzw */
enum { SHADER_MAX_TEMPS = 32 };  /* r# of any model */

struct shader_parameter {
    uint8_t type;     /* enum shader_register; c registers of all banks are SREG_CONST */
    uint8_t modifier; /* sources: enum shader_source_modifier; destinations: SDST_ bits */
    uint8_t mask;     /* destinations */
    uint8_t swizzle;  /* sources: 2 bits a component, x lowest */
    int8_t shift;     /* destinations: result times 2^shift */
    bool relative;
    uint8_t relative_type, relative_component; /* SREG_ADDRESS or SREG_LOOP */
    uint16_t number;
};

struct shader_opcode_info;

struct shader_instruction {
    size_t offset, size; /* DWORDs */
    uint16_t opcode;
    uint8_t control; /* comparison, or kind of texld */
    bool coissue, predicated, has_destination;
    uint8_t source_count;
    uint32_t usage;       /* dcl: the usage token */
    const uint32_t *data; /* def, defi, defb: the values */
    struct shader_parameter destination, predicate, source[4];
    const struct shader_opcode_info *info; /* NULL: phase, comment, end */
};

struct shader_reader {
    const uint32_t *tokens;
    size_t count, offset; /* offset: of the next instruction */
    enum shader_stage stage;
    uint8_t major, minor;
};

/* major << 8 | minor, comparable. */
static inline unsigned shader_version(const struct shader_reader *reader)
{
    return (unsigned)reader->major << 8 | reader->minor;
}

/* Reads the version token. */
bool shader_reader_init(struct shader_reader *reader, const uint32_t *tokens, size_t count, struct shader_error *error);
/* Reads one instruction (comments are skipped; END is given as SOP_END, and ends every loop). False: *error says
 * why. The opcode exists in this version (or is one that earlier versions are given too: SOPF_EARLIER) and its operands are
 * as many as it wants; nothing else is checked. */
bool shader_read(struct shader_reader *reader, struct shader_instruction *instruction, struct shader_error *error);

/* They fill *error (which may be NULL) and return false; shader_fail_memory is for lack of memory. */
bool shader_fail_memory(struct shader_error *error, size_t offset);
bool shader_fail(struct shader_error *error, size_t offset, const char *format, ...)
    __attribute__((format(gnu_printf, 3, 4)));

/* --- tables ---------------------------------------------------------------------------------------- */

enum {
    SOPF_FLOW = 1,
    SOPF_TEXTURE = 2,
    SOPF_DEFINITION = 4,
    SOPF_SCALAR = 8,
    SOPF_MATRIX = 16,
    SOPF_COMPARES = 32,
    SOPF_EARLIER = 64, /* is read in earlier versions of its stage too: programs use it there, and devices took it */
};

struct shader_opcode_info {
    const char *name;
    uint16_t vs_first, vs_last, ps_first, ps_last; /* versions; 0: not at all */
    uint8_t destination, sources;                  /* operands in models 2 and 3 */
    uint8_t slots;                                 /* in models 2 and 3 */
    uint8_t flags;
};

enum { SREG_READ = 1, SREG_WRITE = 2, SREG_INDEXED_READ = 4, SREG_INDEXED_WRITE = 8 };

/* A row says how much of a register file a model has. */
struct shader_register_rule {
    uint8_t stage, type;  /* enum shader_stage, enum shader_register */
    uint16_t first, last; /* versions */
    uint16_t count;       /* registers at most: the model's, or where devices differ the largest */
    uint8_t access;
};

/* NULL if the model has none of them. */
const struct shader_register_rule *shader_register_rule(const struct shader_reader *reader, unsigned type);

/* NULL for numbers that are not an instruction. */
const struct shader_opcode_info *shader_opcode_info(unsigned opcode);
/* The instruction belongs to this version. */
bool shader_opcode_is_of(const struct shader_reader *reader, const struct shader_opcode_info *info);
/* "r", "v", "oPos"... */
const char *shader_register_name(enum shader_stage stage, unsigned major, const struct shader_parameter *p);
/* ">" ... as in setp_gt: "gt", "eq", "ge", "lt", "ne", "le"; NULL if there is none. */
const char *shader_comparison_name(unsigned control);

#endif
