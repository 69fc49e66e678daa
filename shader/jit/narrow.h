/* SPDX-License-Identifier: MIT */
/* Code for whole blocks (shader/run/narrow_block.h): the registers and memory that its parts share. Private to shader/jit/. */
#ifndef HALCYON_SHADER_JIT_NARROW_H
#define HALCYON_SHADER_JIT_NARROW_H

#include "jit/encode.h"
#include "shader/run/narrow_block.h"

/* General registers. In 64-bit programs functions may clobber these under System V's calling convention; 32-bit programs, which have
 * eight in all, save some of them. */
#define NARROW_BLOCK    JIT_RDI /* the arguments */
#define NARROW_LITERALS JIT_RSI
#define NARROW_LANES    JIT_RCX /* 64 times the number of the group */
#define NARROW_GROUPS   JIT_RDX /* 8 times that number */
#define NARROW_WORK     JIT_RAX /* scratch */

struct narrow_roles {
    uint8_t pointer, other; /* general scratch registers */
    uint8_t first_value;    /* vector registers below this one are scratch; the others hold values */
};

struct narrow_emitter {
    struct jit_buffer *out;
    struct narrow_roles roles;
    const struct narrow_program *program;
    struct narrow_block_store store;
    unsigned inlined;                  /* bit n: the function itself samples the nth texture */
    unsigned vector;                   /* the current register of the group's lanes */
    unsigned step, half;               /* the current step, and the half of the register's pixels that it makes */
    uint8_t holds[32];                 /* by register: 1 + twice the place and the half; 0: nothing */
    uint8_t in[NARROW_FIRST_INPUT][2]; /* by place and half: the register; 0: none */
    bool in_frame[NARROW_FIRST_INPUT][2];
    uint64_t positive; /* bit n: all numbers of place n, a register or the output, are >= 0 */
};

/* Bytes of a vector register. */
static inline unsigned narrow_bytes(const struct narrow_emitter *e)
{
    return e->out->set == JIT_AVX512 ? 64 : 32;
}

static inline struct jit_memory memory_at(unsigned base, size_t offset)
{
    return (struct jit_memory){
        .base = (uint8_t)base, .index = JIT_NO_REGISTER, .scale = 1, .displacement = (int32_t)offset};
}

#define NARROW_AT(member)      memory_at(NARROW_BLOCK, offsetof(struct narrow_block, member))
#define NARROW_LITERAL(member) memory_at(NARROW_LITERALS, offsetof(struct narrow_literals, member))

/* The register that holds half 0 or 1 of a value; a value in memory is loaded into `scratch`. */
unsigned narrow_operand(struct narrow_emitter *e, unsigned place, unsigned half, unsigned scratch);

/* Moves all values that are still read from registers to memory. Scratch registers of textures and stores hold values in 32-bit programs. */
void narrow_spill_values(struct narrow_emitter *e);

/* narrow_texture.c: samples the nth texture into registers 4 and 5. Clobbers all scratch registers, and in 32-bit programs all registers. */
void narrow_emit_texture(struct narrow_emitter *e, unsigned n);
/* narrow_store.c: blends and stores the output's lanes. Clobbers registers 0 to 6. */
void narrow_emit_store(struct narrow_emitter *e);

/* Emits the code for a block. False: the program has too many steps or textures, or the buffer is full. */
bool narrow_emit(struct jit_buffer *out, const struct narrow_program *program, struct narrow_block_store store,
                 unsigned inlined);
/* Textures that the program reads. */
unsigned narrow_texture_count(const struct narrow_program *program);

#endif
