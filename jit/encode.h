/* SPDX-License-Identifier: MIT */
/*
 * Machine code of x86-64 and of i386 with the vectors of AVX2 (VEX) or AVX-512 (EVEX): one call appends one instruction. The vector
 * instructions are the rows of jit/forms.def. Nothing is allocated. Source: Intel 64 and IA-32 Architectures Software
 * Developer's Manual, volume 2, chapter 2.
 *
 * A vector instruction works on whole registers of the buffer's set, 8 floats (ymm0 to ymm15) with JIT_AVX2 and 16 (zmm0 to
 * zmm31) with JIT_AVX512, unless its row says otherwise. A mask of lanes is a vector register with JIT_AVX2, all bits of a
 * lane set or clear, and a mask register, k1 to k7, with JIT_AVX512.
 */
#ifndef HALCYON_JIT_ENCODE_H
#define HALCYON_JIT_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum jit_set { JIT_AVX2, JIT_AVX512 };

/* General registers, numbered as the processor does. */
enum jit_register {
    JIT_RAX,
    JIT_RCX,
    JIT_RDX,
    JIT_RBX,
    JIT_RSP,
    JIT_RBP,
    JIT_RSI,
    JIT_RDI,
    JIT_R8,
    JIT_R9,
    JIT_R10,
    JIT_R11,
    JIT_R12,
    JIT_R13,
    JIT_R14,
    JIT_R15,
    JIT_NO_REGISTER = 0xff
};

/*
 * Where instructions go. An instruction that does not fit, or that does not exist (a register the set does not have,
 * memory where the instruction takes none, a form with the wrong function), sets `full`: it and all that follow leave
 * no bytes, and the contents of the buffer are useless. So the caller checks once, at the end.
 */
struct jit_buffer {
    uint8_t *bytes;
    size_t capacity, length;
    enum jit_set set;
    bool is_32_bit; /* for 32-bit programs: registers 0 to 7 of each kind, pointers of 4 bytes */
    bool full;
};

/* base + index * scale + displacement. index JIT_NO_REGISTER: none, or any register but JIT_RSP; scale 1, 2, 4, 8. */
struct jit_memory {
    uint8_t base, index, scale;
    bool broadcast; /* one element for all lanes: JIT_AVX512 only, forms whose tuple is FULL4 or FULL8 */
    int32_t displacement;
};

enum jit_form {
#define JIT_FORM(name, ...) JIT_##name,
#include "jit/forms.def"
    JIT_FORMS
};

/* destination = a OP b. Forms without a (the shapes RM, MR and VM of jit/forms.def) ignore it. */
void jit_rrr(struct jit_buffer *, enum jit_form, unsigned destination, unsigned a, unsigned b);
/* Likewise, with b in memory. JIT_STORE, JIT_EXTRACT_HALF and JIT_EXTRACT_LANE write to memory, and `destination` is what they store. Memory needs
 * no alignment, except that of JIT_MOVE. */
void jit_rrm(struct jit_buffer *, enum jit_form, unsigned destination, unsigned a, struct jit_memory b);
/* Likewise, with the byte that some forms end with: the predicate of JIT_COMPARE, the mode of JIT_ROUND, the count of a shift.
 * With JIT_AVX512 the destination of JIT_COMPARE, JIT_PCMPEQD and JIT_PCMPGTD is a mask register. */
void jit_rrri(struct jit_buffer *, enum jit_form, unsigned destination, unsigned a, unsigned b, uint8_t immediate);
void jit_rrmi(struct jit_buffer *, enum jit_form, unsigned destination, unsigned a, struct jit_memory b,
              uint8_t immediate);

/* destination = mask ? b : a, lane by lane */
void jit_blend(struct jit_buffer *, unsigned destination, unsigned a, unsigned b, unsigned mask);
/* destination = mask ? b : 0 */
void jit_select_or_zero(struct jit_buffer *, unsigned destination, unsigned b, unsigned mask);
/* A bit for each lane of the mask, from bit 0; the bits above are clear. */
void jit_mask_bits(struct jit_buffer *, enum jit_register destination, unsigned mask);
/* The reverse; JIT_AVX512 only. */
void jit_mask_from_bits(struct jit_buffer *, unsigned mask, enum jit_register source);
/* Flags from a vector: ZF is set if no lane of `a` is NaN. Clobbers the vector register `spare` (JIT_AVX2) or k7 (JIT_AVX512). */
void jit_test_nan(struct jit_buffer *, unsigned a, unsigned spare);
/* Loads 4 bytes for each lane of the mask, from the base, the lane of vector register `index` times the scale, and the
 * displacement; other lanes keep what they have. Clears the mask. Destination, index and (JIT_AVX2) mask must differ. */
void jit_gather(struct jit_buffer *, unsigned destination, struct jit_memory source, unsigned mask);

/* Pairs of lanes. Vector registers 0 to 15 with both sets; what lies above 16 bytes of a destination becomes 0. */
/* The lowest 8 bytes; those above become 0. */
void jit_load_low(struct jit_buffer *, unsigned destination, struct jit_memory source);
/* destination = the lowest 8 bytes of a, and 8 bytes of memory above them */
void jit_load_high(struct jit_buffer *, unsigned destination, unsigned a, struct jit_memory source);
/* To a general register: bytes 0 to 7, and 8 to 15. Not in 32-bit programs. */
void jit_take_low(struct jit_buffer *, enum jit_register destination, unsigned source);
void jit_take_high(struct jit_buffer *, enum jit_register destination, unsigned source);

/* The lower 32 bits of a general register, in all lanes */
void jit_broadcast_dword(struct jit_buffer *, unsigned destination, enum jit_register source);

/* General registers, 64 bits wide; of 32-bit programs 32 */
void jit_push(struct jit_buffer *, enum jit_register source);
void jit_pop(struct jit_buffer *, enum jit_register destination);
void jit_move_dword(struct jit_buffer *, enum jit_register destination, enum jit_register source); /* zero-extended */
void jit_shift_right(struct jit_buffer *, enum jit_register, unsigned count);                      /* unsigned */
void jit_move_constant(struct jit_buffer *, enum jit_register destination, uint32_t value);        /* zero-extended */
void jit_load_pointer(struct jit_buffer *, enum jit_register destination, struct jit_memory source);
void jit_load_dword(struct jit_buffer *, enum jit_register destination, struct jit_memory source); /* zero-extended */
void jit_store_pointer(struct jit_buffer *, enum jit_register source, struct jit_memory destination);
void jit_store_dword(struct jit_buffer *, enum jit_register source, struct jit_memory destination);
void jit_address(struct jit_buffer *, enum jit_register destination, struct jit_memory source); /* lea */
/* These set the flags; the constants are sign-extended. */
void jit_add_constant(struct jit_buffer *, enum jit_register destination, int32_t value);
void jit_compare(struct jit_buffer *, enum jit_register a, enum jit_register b);
/* With 4 bytes of memory, of which unsigned numbers are less than 2^31 */
void jit_compare_dword(struct jit_buffer *, enum jit_register a, struct jit_memory b);
void jit_compare_constant(struct jit_buffer *, enum jit_register a, int32_t value);

void jit_return(struct jit_buffer *); /* vzeroupper; ret */

/* The numbers are those of the instructions. */
enum jit_condition {
    JIT_ALWAYS = -1,
    JIT_BELOW = 2,
    JIT_ABOVE_EQUAL = 3,
    JIT_EQUAL = 4,
    JIT_NOT_EQUAL = 5,
    JIT_LESS = 12,
    JIT_GREATER_EQUAL = 13
};

/* A jump of 32 bits to a place that follows: pass what this returns to jit_land when the place is reached. */
size_t jit_jump(struct jit_buffer *, enum jit_condition);
void jit_land(struct jit_buffer *, size_t jump);
/* A jump back to the `length` that the buffer had at some instruction. */
void jit_jump_back(struct jit_buffer *, enum jit_condition, size_t target);

#endif
