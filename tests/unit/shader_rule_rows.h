/* SPDX-License-Identifier: MIT */
/*
 * For each of the API's shader rules, a shader that breaks the rule and a similar one that keeps it.
 */
#ifndef HALCYON_TESTS_SHADER_RULE_ROWS_H
#define HALCYON_TESTS_SHADER_RULE_ROWS_H

#include "bytecode/validate.h"

/* Devices: the least of each model; all that models 2 and 3 may have; one of DirectX 8. */
static const struct shader_limits least = {0};
/* clang-format off */
static const struct shader_limits full = {
    .vertex_2x = {.predication = true, .temps = 32, .static_depth = 4, .dynamic_depth = 24},
    .pixel_2x = {.predication = true, .arbitrary_swizzle = true, .gradients = true, .any_dependent_reads = true,
                 .any_texture_count = true, .temps = 32, .slots = 512, .static_depth = 4, .dynamic_depth = 24},
};
/* clang-format on */
static const struct shader_limits shallow = {.pixel_2x = {.dynamic_depth = 8}};
static const struct shader_limits directx8 = {
    .vertex_version = 0x101,
    .pixel_version = 0x104,
    .directx8 = true,
    .declaration_known = true,
    .declared_inputs = 3,
};
static const struct shader_limits vertices = {.vertex_only = true};
static const struct shader_limits pixels = {.pixel_only = true};

struct rule_row {
    const char *rule;
    const struct shader_limits *limits;
    const char *broken, *kept;
};

/* Beginnings and ends that keep the rules. */
#define VS11 "vs_1_1\ndcl_position v0\n"
#define VS20 "vs_2_0\ndcl_position v0\n"
#define VS2X "vs_2_x\ndcl_position v0\n"
#define VS30 "vs_3_0\ndcl_position v0\ndcl_position o0\n"
#define OPOS "mov oPos, v0\n"
#define PS11 "ps_1_1\n"
#define PS13 "ps_1_3\n"
#define PS14 "ps_1_4\n"
#define PS20 "ps_2_0\ndcl t0\ndcl v0\ndcl_2d s0\n"
#define PS2X "ps_2_x\ndcl t0\ndcl v0\ndcl_2d s0\n"
#define PS30 "ps_3_0\ndcl_texcoord0 v0\ndcl_2d s0\n"
#define OC0  "mov oC0, c0\n"
#define R0   "mov r0, v0\n"

/* clang-format off */
static const struct rule_row rule_rows[] = {
    {"code of the other stage", &vertices, PS11 R0, VS11 OPOS},
    {"code of the other stage", &pixels, VS11 OPOS, PS11 R0},
    {"a version that the device lacks", &directx8, "vs_2_0\nmov oPos, v0\n", "vs_1_1\nmov oPos, v0\n"},
    {"a version that the device lacks", &directx8, "ps_2_0\nmov oC0, c0\n", PS14 R0},

    {"a register that the model lacks", &least, VS20 "mov r32, v0\n" OPOS, VS20 "mov r11, v0\n" OPOS},
    {"a temporary that the model lacks", &least, VS11 "mov r12, v0\n" OPOS, VS11 "mov r11, v0\n" OPOS},
    {"a register that the model lacks", &least, VS11 "mov oT8, v0\n" OPOS, VS11 "mov oT7, v0\n" OPOS},
    {"a register that the model lacks", &least, VS11 "mov oPos, oT0\n", VS11 OPOS},
    {"a register that the model lacks", &least, VS11 "mov v0, v0\n" OPOS, VS11 "mov r0, v0\n" OPOS},
    {"a register that the model lacks", &least, VS20 "if b16\nendif\n" OPOS, VS20 "if b15\nendif\n" OPOS},
    {"a register that the model lacks", &least, VS20 "defi i16, 1, 0, 0, 0\n" OPOS, VS20 "defi i15, 1, 0, 0, 0\n" OPOS},
    {"a temporary that the model lacks", &least, PS11 "mov r2, v0\n" R0, PS11 "mov r1, v0\n" R0},
    {"an instruction that the model lacks", &least, VS11 "lrp oPos, v0, v0, v0\n", VS20 "lrp oPos, v0, v0, v0\n"},
    {"an instruction that the model lacks", &least, "ps_1_1\ncmp r0, v0, c0, c0\n", PS13 "cmp r0, v0, c0, c0\n"},
    {"a register that the model lacks", &least, PS11 "mov r0, c8\n", PS11 "mov r0, c7\n"},
    {"a register that the model lacks", &least, PS20 "mov oC0, c32\n", PS20 "mov oC0, c31\n"},
    {"a register that the model lacks", &least, PS20 OC0 "mov oC4, c0\n", PS20 OC0 "mov oC1, c0\n"},
    {"a register that the model lacks", &least, "ps_3_0\ndcl_texcoord0 v10\n" OC0, "ps_3_0\ndcl_texcoord0 v9\n" OC0},
    {"a register that the model lacks", &least, PS30 "mov oC0, c224\n", PS30 "mov oC0, c223\n"},
    {"a constant that the device lacks", &least, VS11 "mov oPos, c96\n", VS11 "mov oPos, c95\n"},
    {"a constant that the device lacks", &least, VS20 "def c256, 0, 0, 0, 0\n" OPOS, VS20 "def c255, 0, 0, 0, 0\n" OPOS},
    {"a temporary that the device lacks", &least, VS2X "mov r12, v0\n" OPOS, VS2X "mov r11, v0\n" OPOS},
    {"a temporary that the device lacks", &least, PS2X "mov r12, c0\n" OC0, PS2X "mov r11, c0\n" OC0},
    {"an index where the model has none", &least, VS11 "mov a0.x, v0.x\nmov oPos, v[a0.x+0]\n",
     VS11 "mov a0.x, v0.x\nmov oPos, c[a0.x+0]\n"},
    {"an index where the model has none", &least, PS30 "mov oC0, c[aL+0]\n",
     PS30 "loop aL, i0\nmov oC0, v[aL+0]\nendloop\n"},
    {"a0 is used before it is written", &least, VS11 "mov oPos, c[a0.x+2]\n", VS11 "mov a0.x, v0.x\nmov oPos, c[a0.x+2]\n"},
    {"aL outside of loops", &least, VS20 "mov oPos, c[aL+1]\n", VS20 "loop aL, i0\nmov oPos, c[aL+1]\nendloop\n"},
    {"aL outside of loops", &least, PS30 "mov oC0, v[aL+0]\n", PS30 "loop aL, i0\nmov oC0, v[aL+0]\nendloop\n"},
    {"more than one constant register in an instruction", &least, VS11 "add oPos, c0, c1\n", VS11 "add oPos, c0, c0\n"},
    {"more than one constant register in an instruction", &least, PS20 "add r0, c0, c1\n" OC0, PS20 "add r0, c1, c1\n" OC0},
    {"more than two constant registers in an instruction", &least, PS11 "mad r0, c0, c1, c2\n", PS11 "mad r0, c0, c1, c1\n"},
    {"a constant read three times in an instruction", &least, PS20 "mad r0, c0, c0, c0\n" OC0, PS20 "mad r0, c0, c0, t0\n" OC0},
    {"more than one input register in an instruction", &least, VS11 "dcl_color v1\nadd oPos, v0, v1\n",
     VS11 "dcl_color v1\nadd oPos, v1, v1\n"},
    {"more than one input register in an instruction", &least, PS20 "dcl v1\nadd r0, v0, v1\n" OC0,
     PS20 "dcl v1\nadd r0, v1, t0\n" OC0},
    {"more than one texture register in an instruction", &least, PS20 "dcl t1\nadd r0, t0, t1\n" OC0,
     PS20 "dcl t1\nadd r0, t1, t1\n" OC0},
    {"more than two texture registers in an instruction", &least, PS11 "tex t0\ntex t1\ntex t2\nmad r0, t0, t1, t2\n",
     PS11 "tex t0\ntex t1\ntex t2\nmad r0, t0, t1, t1\n"},
    {"a temporary is read before it is written", &least, VS11 "mov oPos, r0\n", VS11 "mov r0, v0\nmov oPos, r0\n"},
    {"a temporary is read before it is written", &least, VS11 "mov r0.xyz, v0\nmov oPos, r0\n",
     VS11 "mov r0.xyz, v0\nmov oPos, r0.xyzz\n"},
    {"a temporary is read before it is written", &least, PS11 "add r0, r1, v0\n", PS11 "mov r1, v0\nadd r0, r1, v0\n"},
    {"a temporary is read before it is written", &least, PS14 "mov r1, c0\nphase\nmov r0, r1\n",
     PS14 "mov r1, c0\nphase\nmov r0.rgb, r1\n"},
    {"an input that the declaration does not feed", &directx8, "vs_1_1\nmov oPos, v2\n", "vs_1_1\nmov oPos, v1\n"},

    {"an empty write mask", &least, VS11 "0x00000001 0x80000000 0x90e40000\n" OPOS, VS11 "0x00000001 0x80010000 0x90e40000\n" OPOS},
    {"a matrix product with another mask than its rows, or all", &least, VS11 "m4x4 r0.xyz, v0, c0\n" OPOS,
     VS11 "m4x4 r0, v0, c0\n" OPOS},
    {"a matrix product with another mask than its rows, or all", &least, VS11 "m3x3 r0.xyw, v0, c0\n" OPOS,
     VS11 "m3x3 r0, v0, c0\n" OPOS},
    {"a matrix product with another mask than its rows", &least, VS20 "m3x3 r0, v0, c0\n" OPOS,
     VS20 "m3x3 r0.xyz, v0, c0\n" OPOS},
    {"a matrix product with another mask than its rows", &least, PS20 "m3x2 r0.xyz, t0, c0\n" OC0, PS20 "m3x2 r0.xy, t0, c0\n" OC0},
    {"a swizzle or modifier on the rows of a matrix", &least, VS11 "m4x4 oPos, v0, -c0\n", VS11 "m4x4 oPos, -v0, c0\n"},
    {"frc writes y or xy in vs_1_1", &least, VS11 "frc r0, v0\n" OPOS, VS11 "frc r0.xy, v0\n" OPOS},
    {"crs writes w", &least, VS20 "crs r0, v0, c0\n" OPOS, VS20 "crs r0.xyz, v0, c0\n" OPOS},
    {"nrm writes xyz or xyzw", &least, VS20 "nrm r0.xy, v0\n" OPOS, VS20 "nrm r0.xyz, v0\n" OPOS},
    {"sincos writes z or w", &least, VS30 "sincos r0, v0.x\n", VS30 "sincos r0.xy, v0.x\n"},
    {"crs, nrm and sincos do not write what they read", &least, VS20 "mov r0, v0\nnrm r0, r0\n" OPOS,
     VS20 "mov r0, v0\nnrm r1, r0\n" OPOS},
    {"write masks are rgba, rgb or a below ps_1_4", &least, PS11 "mov r0.xy, v0\n", PS11 "mov r0.xyz, v0\n"},
    {"texcrd writes rgb or rg", &least, PS14 "texcrd r0, t0\n", PS14 "texcrd r0.rgb, t0\n"},
    {"texld writes rgba", &least, PS14 "texld r0.rgb, t0\n", PS14 "texld r0, t0\n"},
    {"_sat is not for vertex shaders below 3.0", &least, VS20 "mov_sat r0, v0\n" OPOS, VS30 "mov_sat r0, v0\n"},
    {"result shifts are for ps_1_x", &least, VS11 "mov_x2 r0, v0\n" OPOS, PS11 "mov_x2 r0, v0\n"},
    {"result shifts are for ps_1_x", &least, PS20 "mov_x2 r0, c0\n" OC0, PS20 "mov r0, c0\n" OC0},
    {"result shifts are _x2, _x4 and _d2 below ps_1_4", &least, PS11 "mov_x8 r0, v0\n", PS11 "mov_x4 r0, v0\n"},
    {"result shift beyond _x8 or _d8", &least, PS14 "mov_x16 r0, c0\n", PS14 "mov_x8 r0, c0\n"},
    {"a modifier on the result of a texture instruction", &least, PS11 "tex_sat t0\nmov r0, t0\n", PS11 "tex t0\nmov_sat r0, t0\n"},
    {"_abs is for model 3", &least, VS20 "mov oPos, v0_abs\n", VS30 "mov o0, v0_abs\n"},
    {"_abs is for model 3", &least, PS20 "mov r0, c0_abs\n" OC0, PS30 "mov oC0, c0_abs\n"},
    {"_bias, _bx2, _x2 and 1- are for ps_1_x", &least, VS11 "mov oPos, v0_bx2\n", PS11 "mov r0, v0_bx2\n"},
    {"_bias, _bx2, _x2 and 1- are for ps_1_x", &least, PS20 "mov r0, 1-c0\n" OC0, PS11 "mov r0, 1-v0\n"},
    {"_x2 on a source is for ps_1_4", &least, PS11 "mov r0, v0_x2\n", PS14 "mov r0, v0_x2\n"},
    {"_dz and _dw are for texld and texcrd of ps_1_4", &least, PS14 "mov r0, v0_dw\n", PS14 "texld r0, t0_dw.xyw\n"},
    {"_dw is for t#, _dz for r#", &least, PS14 "texld r0, t0_dz.xyz\n", PS14 "texld r0, t0_dw.xyw\n"},
    {"more than two _dz", &least,
     PS14 "texcrd r0.rgb, t0\ntexcrd r1.rgb, t1\ntexcrd r2.rgb, t2\nphase\ntexld r0, r0_dz\ntexld r1, r1_dz\ntexld r2, r2_dz\n",
     PS14 "texcrd r0.rgb, t0\ntexcrd r1.rgb, t1\ntexcrd r2.rgb, t2\nphase\ntexld r0, r0_dz\ntexld r1, r1_dz\ntexld r2, r2\n"},
    {"! is for conditions", &least, VS20 "mov oPos, !v0\n", VS20 "if !b0\nendif\n" OPOS},
    {"_abs on some constants of an instruction and not on others", &least, VS30 "add r0, c0_abs, c1\n", VS30 "add r0, c0_abs, c1_abs\n"},
    {"swizzles are .a, and .b into alpha, below ps_1_4", &least, PS11 "mov r0, v0.x\n", PS11 "mov r0, v0.w\n"},
    {"swizzles are .a, and .b into alpha, below ps_1_4", &least, PS11 R0 "mov r0, v0.z\n", PS11 R0 "mov r0.w, v0.z\n"},
    {"swizzles of ps_1_4 are one component, or .xyz and .xyw of coordinates", &least, PS14 "mov r0, c0.yxzw\n", PS14 "mov r0, c0.y\n"},
    {"swizzles of ps_1_4 are one component, or .xyz and .xyw of coordinates", &least, PS14 "texld r0, t0.y\n", PS14 "texld r0, t0.xyw\n"},
    {"a swizzle that ps_2_0 lacks", &least, PS20 "mov r0, c0.yxzw\n" OC0, PS20 "mov r0, c0.yzxw\n" OC0},
    {"a swizzle that ps_2_0 lacks", &least, PS2X "mov r0, c0.xxyy\n" OC0, PS2X "mov r0, c0.wzyx\n" OC0},
    {"a scalar operand without a single component", &least, VS20 "rcp r0, v0\n" OPOS, VS20 "rcp r0, v0.y\n" OPOS},
    {"a scalar operand without a single component", &least, PS20 "rcp r0, c0\n" OC0, PS20 "rcp r0, c0.w\n" OC0},

    {"a0.x is written by mov alone", &least, VS11 "add a0.x, v0, v0\n" OPOS, VS11 "mov a0.x, v0.x\n" OPOS},
    {"a0 is written by mova alone", &least, VS20 "mov a0.x, v0.x\n" OPOS, VS20 "mova a0, v0\n" OPOS},
    {"mova writes a0", &least, VS20 "mova r0, v0\n" OPOS, VS20 "mova a0.x, v0.x\n" OPOS},
    {"cnd looks at r0.a below ps_1_4", &least, PS11 R0 "cnd r0, v0, c0, c1\n", PS11 R0 "cnd r0, r0.w, c0, c1\n"},
    {"cmp writes what it reads", &least, PS13 R0 "cmp r0, r0, c0, c1\n", PS13 R0 "cmp r1, r0, c0, c1\n"},
    {"more than three cmp", &least,
     PS13 "cmp r0, v0, c0, c1\ncmp r1, v0, c0, c1\ncmp r0, v0, c0, c1\ncmp r1, v0, c0, c1\n",
     PS13 "cmp r0, v0, c0, c1\ncmp r1, v0, c0, c1\ncmp r0, v0, c0, c1\nmov r1, v0\n"},
    {"more than four dp4", &least, PS13 "dp4 r0, v0, c0\ndp4 r0, v0, c0\ndp4 r0, v0, c0\ndp4 r0, v0, c0\ndp4 r0, v0, c0\n",
     PS13 "dp4 r0, v0, c0\ndp4 r0, v0, c0\ndp4 r0, v0, c0\ndp4 r0, v0, c0\n"},
    {"sgn wants two temporaries of its own", &least, VS20 "sgn r0, v0, r1, r1\n" OPOS, VS20 "sgn r0, v0, r1, r2\n" OPOS},
    {"sincos wants two constants", &least, VS20 "mov r1, v0\nsincos r0.xy, v0.x, r1, c0\n" OPOS,
     VS20 "sincos r0.xy, v0.x, c1, c0\n" OPOS},
    {"a pair that is not one of colour and one of alpha", &least, PS11 "mov r0, v0\n+ mov r0.w, v0\n",
     PS11 "mov r0.xyz, v0\n+ mov r0.w, v0\n"},
    {"a pair that is not one of colour and one of alpha", &least, PS11 "+ mov r0, v0\n", PS11 "mov r0.w, v0\n+ mov r0.xyz, v0\n"},
    {"dp4 in a pair", &least, PS13 R0 "dp4 r1.w, v0, c0\n+ mov r0.xyz, v0\n", PS13 R0 "dp3 r0.xyz, v0, c0\n+ mov r0.w, v0\n"},

    {"a texture instruction after arithmetic", &least, PS11 R0 "tex t0\n", PS11 "tex t0\n" R0},
    {"a texture instruction after arithmetic of its phase", &least, PS14 "mov r0, c0\ntexld r1, t0\n",
     PS14 "mov r0.rgb, c0\nphase\ntexld r1, t0\nmov r0.a, c0\n"},
    {"a texture instruction that reads a later stage", &least, PS11 "tex t1\ntexbem t0, t1\n" R0, PS11 "tex t0\ntexbem t1, t0\n" R0},
    {"a texture instruction that reads a stage without result", &least, PS11 "texbem t1, t0\n" R0, PS11 "tex t0\ntexbem t1, t0\n" R0},
    {"a stage with two texture instructions", &least, PS11 "tex t0\ntexcoord t0\n" R0, PS11 "tex t0\ntexcoord t1\n" R0},
    {"texm3x2pad and texm3x3pad come right before the instruction that they belong to", &least,
     PS11 "tex t0\ntexm3x2pad t1, t0\ntex t3\ntexm3x2tex t2, t0\n" R0, PS11 "tex t0\ntexm3x2pad t1, t0\ntexm3x2tex t2, t0\ntex t3\n" R0},
    {"texm3x2pad and texm3x3pad come right before the instruction that they belong to", &least,
     PS11 "tex t0\ntexm3x3pad t1, t0\ntexm3x3tex t2, t0\n" R0,
     PS11 "tex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3tex t3, t0\n" R0},
    {"a second phase", &least, PS14 "mov r1.rgb, c0\nphase\nmov r0, c0\nphase\nmov r0, c0\n", PS14 "mov r1.rgb, c0\nphase\nmov r0, c0\n"},
    {"v# in the first phase", &least, PS14 "mov r1.rgb, v0\nphase\nmov r0, c0\n", PS14 "mov r1.rgb, c0\nphase\nmov r0, v0\n"},
    {"texld or texkill of r#, or texdepth, in the first phase", &least, PS14 "texcrd r1.rgb, t0\ntexld r0, r1\nphase\nmov r0, c0\n",
     PS14 "texcrd r1.rgb, t0\nphase\ntexld r0, r1\n"},
    {"texld or bem into a register that names no stage", &least, PS14 "texld r6, t0\nmov r0, c0\n", PS14 "texld r5, t0\nmov r0, c0\n"},
    {"bem twice, or in the second phase", &least, PS14 "mov r1.rgb, c0\nphase\nbem r0.rg, c0, r1\nmov r0, c0\n",
     PS14 "mov r1.rgb, c0\nbem r0.rg, c0, r1\nphase\nmov r0, c0\n"},
    {"texdepth takes r5", &least, PS14 "texcrd r4.rgb, t0\nphase\ntexdepth r4\nmov r0, c0\n",
     PS14 "texcrd r5.rgb, t0\nphase\ntexdepth r5\nmov r0, c0\n"},
    {"r5 after texdepth", &least, PS14 "texcrd r5.rgb, t0\nphase\ntexdepth r5\nmov r0, c0\nmov r0.rgb, r5\n",
     PS14 "texcrd r5.rgb, t0\nphase\ntexdepth r5\nmov r0, c0\nmov r0.rgb, r0\n"},

    {"s# is the second operand of texture instructions, and nothing else", &least, PS20 "mov r0, s0\n" OC0,
     PS20 "texld r0, t0, s0\n" OC0},
    {"s# is the second operand of texture instructions, and nothing else", &least, VS30 "dcl_2d s0\ntexldl r0, v0, c0\n",
     VS30 "dcl_2d s0\ntexldl r0, v0, s0\n"},
    {"a swizzle or modifier on texture coordinates", &least, PS20 "texld r0, t0.wzyx, s0\n" OC0, PS20 "texld r0, t0, s0\n" OC0},
    {"texture coordinates are t# or r#", &least, PS20 "texld r0, v0, s0\n" OC0, PS20 "mov r1, v0\ntexld r0, r1, s0\n" OC0},
    {"texture instructions write r#", &least, PS20 "texld oC0, t0, s0\n", PS20 "texld r0, t0, s0\nmov oC0, r0\n"},
    {"dependent reads of more than fourth order", &least,
     PS20 "texld r0, t0, s0\ntexld r0, r0, s0\ntexld r0, r0, s0\ntexld r0, r0, s0\ntexld r0, r0, s0\ntexld r0, r0, s0\n" OC0,
     PS20 "texld r0, t0, s0\ntexld r0, r0, s0\ntexld r0, r0, s0\ntexld r0, r0, s0\ntexld r0, r0, s0\n" OC0},
    {"gradients that the device lacks", &least, PS2X "dsx r0, t0\n" OC0, PS2X "mov r0, t0\n" OC0},
    {"differences of computed values inside dynamic flow", &full,
     PS2X "mov r1, t0\nif_lt r1.x, c0.x\ntexld r0, r1, s0\nendif\n" OC0,
     PS2X "mov r1, t0\nif_lt r1.x, c0.x\ntexld r0, t0, s0\nendif\n" OC0},
    {"differences of computed values inside dynamic flow", &full, PS30 "mov r1, v0\nif_lt r1.x, c0.x\ndsx r0, r1\nendif\n" OC0,
     PS30 "mov r1, v0\ndsx r0, r1\nif_lt r1.x, c0.x\nendif\n" OC0},

    {"a declaration or definition after code", &least, VS20 OPOS "def c0, 1, 1, 1, 1\n", VS20 "def c0, 1, 1, 1, 1\n" OPOS},
    {"a declaration or definition after code", &least, PS11 R0 "def c0, 1, 1, 1, 1\n", PS11 "def c0, 1, 1, 1, 1\n" R0},
    {"a usage that does not exist", &least, VS20 "dcl_usage14 v1\n" OPOS, VS20 "dcl_sample v1\n" OPOS},
    {"a sampler that is neither 2d, cube nor volume", &least, PS20 "dcl_1d s1\n" OC0, PS20 "dcl_cube s1\n" OC0},
    {"an input usage that pixel shaders do not have", &least, PS30 "dcl_position0 v1\n" OC0, PS30 "dcl_position1 v1\n" OC0},
    {"components declared twice", &least, VS30 "dcl_texcoord0 o1.xy\ndcl_texcoord1 o1.yz\n", VS30 "dcl_texcoord0 o1.xy\ndcl_texcoord1 o1.zw\n"},
    {"a usage declared twice", &least, VS20 "dcl_position v1\n" OPOS, VS20 "dcl_position1 v1\n" OPOS},
    {"a usage declared twice", &least, PS30 "dcl_texcoord0 v1\n" OC0, PS30 "dcl_texcoord1 v1\n" OC0},
    {"a register without dcl", &least, "vs_1_1\nmov oPos, v0\n", VS11 OPOS},
    {"a register without dcl", &least, PS20 "texld r0, t1, s0\n" OC0, PS20 "texld r0, t0, s0\n" OC0},
    {"a register without dcl", &least, PS20 "texld r0, t0, s1\n" OC0, PS20 "dcl_2d s1\ntexld r0, t0, s1\n" OC0},
    {"a register without dcl", &least, PS30 "mov oC0, vFace\n", PS30 "dcl vFace\nmov oC0, vFace\n"},
    {"a register without dcl", &least, "ps_3_0\ndcl_texcoord0 v0.xy\nmov oC0, v0\n", "ps_3_0\ndcl_texcoord0 v0.xy\nmov oC0, v0.xyxy\n"},
    {"an output without dcl", &least, VS30 "mov o1, v0\n", VS30 "dcl_texcoord0 o1\nmov o1, v0\n"},

    {"an operand of the wrong kind", &least, VS20 "if c0\nendif\n" OPOS, VS20 "if b0\nendif\n" OPOS},
    {"an operand of the wrong kind", &least, VS20 "rep b0\nendrep\n" OPOS, VS20 "rep i0\nendrep\n" OPOS},
    {"an operand of the wrong kind", &least, VS20 "mov oPos, i0\n", VS20 "mov oPos, c0\n"},
    {"an operand of the wrong kind", &full, PS2X "if t0\nendif\n" OC0, PS2X "if b0\nendif\n" OC0},
    {"a comparison that does not exist", &full, VS2X "0x02070029 0x90000000 0x90550000\nendif\n" OPOS,
     VS2X "0x02060029 0x90000000 0x90550000\nendif\n" OPOS},
    {"the end of a block that was not opened", &least, VS20 "endif\n" OPOS, VS20 "if b0\nendif\n" OPOS},
    {"the end of a block that was not opened", &least, VS20 "if b0\nelse\nelse\nendif\n" OPOS, VS20 "if b0\nelse\nendif\n" OPOS},
    {"the end of a block that was not opened", &least, VS20 "loop aL, i0\nendrep\n" OPOS, VS20 "loop aL, i0\nendloop\n" OPOS},
    {"the end of a block that was not opened", &full, PS30 "if b0\nendloop\n" OC0, PS30 "if b0\nendif\n" OC0},
    {"break outside of loops", &full, VS2X "if b0\nbreak\nendif\n" OPOS, VS2X "rep i0\nbreak\nendrep\n" OPOS},
    {"loops nested in vs_2_0", &least, VS20 "rep i0\nrep i0\nendrep\nendrep\n" OPOS, VS20 "rep i0\nendrep\nrep i0\nendrep\n" OPOS},
    {"loops nested deeper than the device can", &least, VS2X "rep i0\nrep i0\nendrep\nendrep\n" OPOS, VS2X "rep i0\nendrep\n" OPOS},
    {"loops nested deeper than the device can", &least, PS2X "rep i0\nendrep\n" OC0, PS2X OC0},
    {"loops nested more than four deep", &least,
     VS30 "rep i0\nrep i0\nrep i0\nrep i0\nrep i0\nendrep\nendrep\nendrep\nendrep\nendrep\n",
     VS30 "rep i0\nrep i0\nrep i0\nrep i0\nendrep\nendrep\nendrep\nendrep\n"},
    {"calls nested in vs_2_0", &least, VS20 OPOS "call l0\nret\nlabel l0\ncall l1\nret\nlabel l1\nret\n",
     VS20 OPOS "call l0\ncall l1\nret\nlabel l0\nret\nlabel l1\nret\n"},
    {"calls nested deeper than the device can", &least, VS2X OPOS "call l0\nret\nlabel l0\ncall l1\nret\nlabel l1\nret\n",
     VS2X OPOS "call l0\nret\nlabel l0\nret\n"},
    {"calls nested more than four deep", &least,
     VS30 "call l0\nret\nlabel l0\ncall l1\nret\nlabel l1\ncall l2\nret\nlabel l2\ncall l3\nret\nlabel l3\ncall l4\nret\nlabel l4\nret\n",
     VS30 "call l0\nret\nlabel l0\ncall l1\nret\nlabel l1\ncall l2\nret\nlabel l2\ncall l3\nret\nlabel l3\nret\n"},
    {"if on constants deeper than the device can", &least, PS2X "if b0\nendif\n" OC0, PS2X OC0},
    {"dynamic flow deeper than the device can", &least, VS2X "if_lt v0.x, v0.y\nendif\n" OPOS, VS2X "if b0\nendif\n" OPOS},
    {"a call backwards", &least, VS20 OPOS "ret\nlabel l0\ncall l0\nret\n", VS20 OPOS "call l0\nret\nlabel l0\nret\n"},
    {"a label a second time", &least, VS20 OPOS "ret\nlabel l0\nret\nlabel l0\nret\n", VS20 OPOS "ret\nlabel l0\nret\nlabel l1\nret\n"},
    {"a label that does not follow ret", &least, VS20 OPOS "label l0\nret\n", VS20 OPOS "ret\nlabel l0\nret\n"},
    {"code between ret and a label", &least, VS20 "ret\n" OPOS, VS20 OPOS "ret\n"},

    {"predicates that the device lacks", &least, VS2X "setp_lt p0, v0, v0.x\n" OPOS, VS2X OPOS},
    {"predicates that the device lacks", &least, PS2X "setp_lt p0, t0, c0\n" OC0, PS2X OC0},
    {"p0 is written by setp, and setp writes p0", &full, VS2X "mov p0, v0\n" OPOS, VS2X "setp_gt p0, v0, v0\n" OPOS},
    {"p0 is read before it is set", &full, VS2X "(p0) mov r0, v0\n" OPOS, VS2X "setp_gt p0, v0, v0\n(p0) mov r0, v0\n" OPOS},
    {"p0 is read before it is set", &full, PS2X "if p0.x\nendif\n" OC0, PS2X "setp_gt p0, t0, c0\nif p0.x\nendif\n" OC0},
    {"a predicate on an instruction without result", &full, VS2X "setp_gt p0, v0, v0\nif p0.x\n0x1100002a 0xb0e41000\n" OPOS,
     VS2X "setp_gt p0, v0, v0\nif p0.x\nelse\nendif\n" OPOS},
    {"a predicate's swizzle is all components or one", &full, VS2X "setp_gt p0, v0, v0\n(p0.yxzw) mov r0, v0\n" OPOS,
     VS2X "setp_gt p0, v0, v0\n(!p0.y) mov r0, v0\n" OPOS},

    {"oC# is written by mov of all components below 3.0", &least, PS20 "add oC0, c0, c0\n", PS20 OC0},
    {"oC# is written by mov of all components below 3.0", &least, PS20 "mov oC0.xyz, c0\n", PS30 "mov oC0.xyz, c0\n"},
    {"oDepth is written by mov below 3.0", &least, PS20 "add oDepth, t0, t0\n" OC0, PS20 "mov oDepth, t0.x\n" OC0},
    {"oC# or oDepth written twice", &least, PS20 OC0 OC0, PS30 OC0 OC0},
    {"oC# or oDepth under a dynamic condition", &full, PS30 "if_lt v0.x, v0.y\n" OC0 "endif\n" OC0,
     PS30 "if b0\n" OC0 "endif\n" OC0},

    {"the position is not written, or not all of it", &least, VS11 "mov oD0, v0\n", VS11 OPOS},
    {"the position is not written, or not all of it", &least, VS20 "mov oPos.xyz, v0\n", VS20 "mov oPos.xyz, v0\nmov oPos.w, v0\n"},
    {"no output is the whole position", &least, "vs_3_0\ndcl_texcoord0 o0\n", "vs_3_0\ndcl_position0 o0\n"},
    {"no output is the whole position", &least, "vs_3_0\ndcl_position0 o0.xyz\n", "vs_3_0\ndcl_positiont0 o0\n"},
    {"the first colour is not written", &least, PS11 "mov r1, v0\n", PS11 R0},
    {"the first colour is not written", &least, PS20 "mov oDepth, t0.x\n", PS20 OC0},
    {"oC# written without those before it", &least, PS20 OC0 "mov oC2, c0\n", PS20 OC0 "mov oC1, c0\nmov oC2, c0\n"},
    {"texm3x2pad or texm3x3pad without its end", &least, PS11 "tex t0\ntexm3x2pad t1, t0\n", PS11 "tex t0\ntexm3x2pad t1, t0\ntexm3x2tex t2, t0\n" R0},
    {"a block is not closed", &least, VS20 OPOS "if b0\n", VS20 OPOS "if b0\nendif\n"},
    {"a block is not closed", &full, PS30 OC0 "rep i0\n", PS30 OC0 "rep i0\nendrep\n"},
    {"a call of a label that does not exist", &least, VS20 OPOS "call l1\nret\nlabel l0\nret\n", VS20 OPOS "call l0\nret\nlabel l0\nret\n"},
    {"a subroutine without ret", &least, VS20 OPOS "ret\nlabel l0\nmov r0, v0\n", VS20 OPOS "ret\nlabel l0\nmov r0, v0\nret\n"},
};
/* clang-format on */

/* Rules about numbers: `fits` repetitions of the line keep the rule, one more breaks it. */
static const struct rule_count_row {
    const char *rule;
    const struct shader_limits *limits;
    const char *before, *line;
    unsigned fits;
    const char *closing; /* as often as the line */
    const char *after;
} rule_count_rows[] = {
    {"more than 128 instruction slots", &least, VS11 OPOS, "mov oD0, v0\n", 127, "", ""},
    {"more than 128 instruction slots", &least, VS11 OPOS, "exp oD0, v0.w\n", 12, "", ""},
    {"more than 128 instruction slots", &least, VS11 OPOS, "m4x4 r0, v0, c0\n", 31, "", ""},
    {"more than 256 instruction slots", &least, VS20 OPOS, "mov oD0, v0\n", 255, "", ""},
    {"more than 256 instruction slots", &least, VS20 OPOS, "nrm r0, v0\n", 85, "", ""},
    {"more than 4 texture or 8 instructions in all", &least, "ps_1_0\ntex t0\n", "mov r0, v0\n", 7, "", ""},
    {"more than 4 texture or 8 arithmetic instructions", &least, PS11 "tex t0\n", "mov r0, v0\n", 8, "", ""},
    {"more than 4 texture or 8 arithmetic instructions", &least, PS11, "mov r0.xyz, v0\n+ mov r0.w, v0\n", 8, "", ""},
    {"more than 4 texture or 8 arithmetic instructions", &least, PS13 "dp4 r0, v0, c0\ndp4 r1, v0, c0\n",
     "mov r0, v0\n", 4, "", ""},
    {"more than 6 texture or 8 arithmetic instructions in a phase", &least, PS14, "mov r0, c0\n", 8, "",
     "phase\nmov r0, c0\n"},
    {"more than 6 texture or 8 arithmetic instructions in a phase", &least, PS14 "mov r1.rgb, c0\nphase\n",
     "texld r0, t0\n", 6, "", ""},
    {"more than 32 texture or 64 arithmetic instructions", &least, PS20 OC0, "mov r0, c0\n", 63, "", ""},
    {"more than 32 texture or 64 arithmetic instructions", &least, PS20, "texld r0, t0, s0\n", 32, "", OC0},
    {"more instructions than the device can", &least, PS2X OC0, "mov r0, c0\n", 95, "", ""},
    {"more instructions than the device can", &full, PS2X OC0, "texld r0, t0, s0\n", 511, "", ""},
    {"more instruction slots than the device has", &least, PS30, "mov oC0, c0\n", 512, "", ""},
    {"more instruction slots than the device has", &least, VS30, "mov o0, v0\n", 512, "", ""},
    {"more than 16 flow instructions in vs_2_0", &least, VS20 OPOS, "if b0\nendif\n", 16, "", ""},
    {"if on constants more than 24 deep", &full, VS30, "if b0\n", 24, "endif\n", ""},
    {"dynamic flow more than 24 deep", &full, VS30, "if_lt v0.x, v0.y\n", 24, "endif\n", ""},
    {"dynamic flow deeper than the device can", &shallow, PS2X, "if_lt c0.x, c0.y\n", 8, "endif\n", OC0},
    {"dynamic flow more than 24 deep", &full, "vs_2_x\ndcl_position v0\n", "if_lt v0.x, v0.y\n", 24, "endif\n", OPOS},
    {"loops nested more than four deep", &full, VS2X, "rep i0\n", 4, "endrep\n", OPOS},
};

#endif
