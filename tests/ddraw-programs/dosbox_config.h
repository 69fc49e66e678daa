/* SPDX-License-Identifier: MIT */
/* DOSBox as Windows has it, without OpenGL, networks, screenshots and compiled code: what its configure would write. */
#ifndef DOSBOX_CONFIG_H
#define DOSBOX_CONFIG_H

#define VERSION            "0.74-3"
#define HAVE_DDRAW_H       1
#define HAVE_STDLIB_H      1
#define HAVE_SYS_TYPES_H   1
#define ENVIRON_INCLUDED   1
#define ENVIRON_LINKED     1
#define C_FPU              1
#define C_UNALIGNED_MEMORY 1
#define C_TARGETCPU        UNKNOWN
#define C_DEBUG            0
#define C_HEAVY_DEBUG      0
#define C_OPENGL           0
#define C_SSHOT            0
#define C_MODEM            0
#define C_IPX              0
#define C_DYNAMIC_X86      0
#define C_DYNREC           0
#define C_FPU_X86          0
#define C_CORE_INLINE      1

#define INLINE             inline
#define DB_FASTCALL
#define GCC_ATTRIBUTE(x) __attribute__((x))
#define GCC_UNLIKELY(x)  __builtin_expect((x), 0)
#define GCC_LIKELY(x)    __builtin_expect((x), 1)

typedef double Real64;
typedef unsigned char Bit8u;
typedef signed char Bit8s;
typedef unsigned short Bit16u;
typedef signed short Bit16s;
typedef unsigned int Bit32u;
typedef signed int Bit32s;
typedef unsigned long long Bit64u;
typedef signed long long Bit64s;
#ifdef _WIN64
typedef Bit64u Bitu;
typedef Bit64s Bits;
#else
typedef Bit32u Bitu;
typedef Bit32s Bits;
#endif

#endif
