/* SPDX-License-Identifier: MIT */
/*
 * The abilities that Microsoft's DirectX 9 driver pages demand of a driver, row by row of docs/ddi9-coverage.md: what
 * the shader versions and feature levels that are reported bring with them, sample counts by the version of the
 * runtime, and the operations that formats must have. Numbers are those of d3d9caps.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "caps/caps.h"
#include "tests/stage/stage.h"

static struct stage stage;

/* --- D3DCAPS9 ----------------------------------------------------------------------------------------- */

enum demand_kind {
    ALL_OF,   /* every bit of `value` is set */
    NONE_OF,  /* no bit of `value` is set */
    AT_LEAST, /* an unsigned number */
    EXACTLY,
};

struct demand {
    const char *row; /* of docs/ddi9-coverage.md */
    const char *member;
    size_t offset;
    enum demand_kind kind;
    uint32_t value;
};

#define CAPS8(row, member, kind, value)                                    \
    {                                                                      \
        row, #member, offsetof(struct d3d_caps9, d3d8.member), kind, value \
    }
#define CAPS9(row, member, kind, value)                               \
    {                                                                 \
        row, #member, offsetof(struct d3d_caps9, member), kind, value \
    }

static const struct demand demands[] = {
    /* V7: UBYTE4 by the bit that is set, and not by DirectX 8's bit for its absence */
    CAPS9("V7", DeclTypes, ALL_OF, 0x1), CAPS8("V7", VertexProcessingCaps, NONE_OF, 0x80), /* NO_VSDT_UBYTE4 */
    /* H2: a card with one head */
    CAPS9("H2", NumberOfAdaptersInGroup, EXACTLY, 1), CAPS9("H2", MasterAdapterOrdinal, EXACTLY, 0),
    CAPS9("H2", AdapterOrdinalInGroup, EXACTLY, 0),
    /* G1, U6: several targets */
    CAPS9("G1", NumSimultaneousRTs, AT_LEAST, 1),
    CAPS8("U6", PrimitiveMiscCaps, ALL_OF, 0x4000 | 0x40000 | 0x80000), /* WRITEMASKS, BITDEPTHS, BLENDING */
    /* O1: fog factors of vertices, and a place apart from specular alpha */
    CAPS8("O1", PrimitiveMiscCaps, ALL_OF, 0x2000),  /* FOGINFVF */
    CAPS8("O4", PrimitiveMiscCaps, ALL_OF, 0x10000), /* FOGANDSPECULARALPHA */
    /* U1, U2: models 2.0 */
    CAPS8("U1", MaxStreams, AT_LEAST, 8),
    CAPS8("U2", TextureCaps, NONE_OF, 0x2 | 0x100), /* POW2, NONPOW2CONDITIONAL: both or neither */
    /* U3, U7: vertex shader 3.0 */
    CAPS8("U3", VertexShaderVersion, EXACTLY, 0xfffe0300), CAPS9("U3", VS20Caps.Caps, ALL_OF, 1), /* PREDICATION */
    CAPS9("U3", VS20Caps.DynamicFlowControlDepth, EXACTLY, 24), CAPS9("U3", VS20Caps.NumTemps, EXACTLY, 32),
    CAPS9("U3", VS20Caps.StaticFlowControlDepth, EXACTLY, 4), CAPS8("U3", MaxVertexShaderConst, AT_LEAST, 256),
    CAPS9("U3", MaxVertexShader30InstructionSlots, AT_LEAST, 512),
    CAPS8("U3", RasterCaps, ALL_OF, 0x80),                           /* FOGVERTEX */
    CAPS9("U3", VertexTextureFilterCaps, ALL_OF, 0x100 | 0x1000000), /* MINFPOINT, MAGFPOINT */
    CAPS9("U3", DevCaps2, ALL_OF, 0x40),                             /* VERTEXELEMENTSCANSHARESTREAMOFFSET */
    /* UBYTE4, UBYTE4N, SHORT2N, SHORT4N, UDEC3, DEC3N, FLOAT16_2, FLOAT16_4 */
    CAPS9("U7", DeclTypes, ALL_OF, 0x1 | 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200),
    CAPS8("U7", MaxUserClipPlanes, EXACTLY, 6), CAPS9("S1", DevCaps2, ALL_OF, 0x1), /* STREAMOFFSET */
    /* U4: pixel shader 3.0 */
    CAPS8("U4", PixelShaderVersion, EXACTLY, 0xffff0300), CAPS9("U4", PS20Caps.Caps, ALL_OF, 31),
    CAPS9("U4", PS20Caps.DynamicFlowControlDepth, EXACTLY, 24), CAPS9("U4", PS20Caps.NumTemps, EXACTLY, 32),
    CAPS9("U4", PS20Caps.StaticFlowControlDepth, EXACTLY, 4), CAPS9("U4", PS20Caps.NumInstructionSlots, AT_LEAST, 512),
    CAPS8("U4", MaxTextureWidth, AT_LEAST, 4096), CAPS8("U4", MaxTextureHeight, AT_LEAST, 4096),
    CAPS8("U4", MaxTextureRepeat, AT_LEAST, 8192), CAPS8("U4", MaxAnisotropy, AT_LEAST, 16),
    /* MASKZ, CULL*, COLORWRITEENABLE, CLIPPLANESCALEDPOINTS, CLIPTLVERTS, BLENDOP, FOGINFVF */
    CAPS8("U4", PrimitiveMiscCaps, ALL_OF, 0x2 | 0x70 | 0x80 | 0x100 | 0x200 | 0x800 | 0x2000),
    /* MIPMAPLODBIAS, ANISOTROPY, COLORPERSPECTIVE, SCISSORTEST, SLOPESCALEDEPTHBIAS, DEPTHBIAS */
    CAPS8("U4", RasterCaps, ALL_OF, 0x2000 | 0x20000 | 0x400000 | 0x1000000 | 0x2000000 | 0x4000000),
    CAPS8("U4", ZCmpCaps, ALL_OF, 0xff), CAPS8("U4", AlphaCmpCaps, ALL_OF, 0xff),
    CAPS8("U4", SrcBlendCaps, ALL_OF, 0x3fff),          /* ZERO ... SRCALPHASAT, BOTH*, BLENDFACTOR */
    CAPS8("U4", DestBlendCaps, ALL_OF, 0x3ff | 0x2000), /* ZERO ... INVDESTCOLOR, BLENDFACTOR */
    /* PERSPECTIVE, TEXREPEATNOTSCALEDBYSIZE, PROJECTED, CUBEMAP, VOLUMEMAP, MIPMAP, MIPVOLUMEMAP, MIPCUBEMAP */
    CAPS8("U4", TextureCaps, ALL_OF, 0x1 | 0x40 | 0x400 | 0x800 | 0x2000 | 0x4000 | 0x8000 | 0x10000),
    CAPS8("U4", TextureCaps, NONE_OF, 0x20),               /* SQUAREONLY */
    CAPS8("U4", TextureFilterCaps, ALL_OF, 0x3030700),     /* point, linear and anisotropic */
    CAPS8("U4", CubeTextureFilterCaps, ALL_OF, 0x3030300), /* point and linear */
    CAPS8("U4", VolumeTextureFilterCaps, ALL_OF, 0x3030300), CAPS8("U4", TextureAddressCaps, ALL_OF, 0x3f),
    CAPS8("U4", VolumeTextureAddressCaps, ALL_OF, 0x3f),
    CAPS8("U4", StencilCaps, ALL_OF, 0x1ff), /* eight operations, TWOSIDED */
    CAPS8("U4", FVFCaps, ALL_OF, 0x100000),  /* PSIZE */
    /* U5: a driver with more or fewer slots is not loaded */
    CAPS9("U5", MaxPixelShader30InstructionSlots, AT_LEAST, 512),
    CAPS9("U5", MaxPixelShader30InstructionSlots, NONE_OF, 0xffff0000),
    CAPS9("U5", MaxVertexShader30InstructionSlots, NONE_OF, 0xffff0000),
    /* W1: feature levels 9_1 to 9_3 */
    CAPS8("W1", MaxPrimitiveCount, AT_LEAST, 1048575), CAPS8("W1", MaxVertexIndex, AT_LEAST, 1048575),
    CAPS8("W1", MaxVolumeExtent, AT_LEAST, 256),
    CAPS8("W1", PrimitiveMiscCaps, ALL_OF, 0x20000), /* SEPARATEALPHABLEND */
    /* T3, A4, M6 */
    CAPS8("T3", RasterCaps, ALL_OF, 0x1000000), CAPS8("A4", RasterCaps, ALL_OF, 0x8000000), /* MULTISAMPLE_TOGGLE */
    CAPS8("M6", Caps2, ALL_OF, 0x40000000),                                                 /* CANAUTOGENMIPMAP */
    /* L3, L4: neither adaptive tessellation nor displacement */
    CAPS9("L3", DevCaps2, NONE_OF, 0x2 | 0x4 | 0x8 | 0x10 << 1), /* DMAPNPATCH, ADAPTIVETESS*, PRESAMPLEDDMAPNPATCH */
};

static bool holds(const struct demand *demand, uint32_t got)
{
    switch (demand->kind) {
    case ALL_OF:
        return (got & demand->value) == demand->value;
    case NONE_OF:
        return !(got & demand->value);
    case AT_LEAST:
        return got >= demand->value;
    default:
        return got == demand->value;
    }
}

static void test_members_of_d3dcaps9(void **state)
{
    struct d3d_caps9 caps;

    (void)state;
    assert_int_equal(client_driver_info2(&stage.driver, D3DGDI2_TYPE_GETD3DCAPS9, &caps, sizeof(caps)), DD_OK);
    for (unsigned i = 0; i < ARRAY_COUNT(demands); i++) {
        uint32_t got;

        memcpy(&got, (const uint8_t *)&caps + demands[i].offset, sizeof(got));
        if (!holds(&demands[i], got))
            fail_msg("row %s: %s is %#x, %s %#x is wanted", demands[i].row, demands[i].member, (unsigned)got,
                     demands[i].kind == NONE_OF ? "without" : "with", (unsigned)demands[i].value);
    }
    assert_true(caps.d3d8.GuardBandRight >= 8192.0f && caps.d3d8.GuardBandLeft <= -8192.0f); /* U3 */
    assert_true(caps.d3d8.MaxVertexW >= 1e10f);                                              /* W1 */
}

/* V1: a DirectX 8 runtime gets no later bits: those in d3d8caps.h are the highest here. */
static void test_members_of_d3dcaps8(void **state)
{
    D3DCAPS8 caps;

    (void)state;
    assert_int_equal(client_driver_info2(&stage.driver, D3DGDI2_TYPE_GETD3DCAPS8, &caps, sizeof(caps)), DD_OK);
    assert_int_equal(caps.PrimitiveMiscCaps & ~0xffeu, 0); /* up to BLENDOP */
    assert_int_equal(caps.RasterCaps & ~0x7fffffu, 0);     /* up to COLORPERSPECTIVE */
    assert_int_equal((caps.SrcBlendCaps | caps.DestBlendCaps) & ~0x1fffu, 0);
    assert_int_equal(caps.StencilCaps & ~0xffu, 0);
    assert_int_equal(caps.LineCaps & ~0x1fu, 0);
    assert_int_equal(caps.TextureCaps & ~0x1ffffu, 0);
    assert_int_equal(caps.VertexProcessingCaps & ~0xffu, 0);
    assert_true(caps.VertexShaderVersion <= 0xfffe0101);
    assert_true(caps.PixelShaderVersion <= 0xffff0104);
}

/* --- formats -------------------------------------------------------------------------------------------- */

static DDPIXELFORMAT told_format(unsigned index, uint32_t version)
{
    DD_GETFORMATDATA told = {.dwFormatIndex = index};

    told.format.dwSize = version;
    assert_int_equal(client_driver_info2(&stage.driver, D3DGDI2_TYPE_GETFORMAT, &told, sizeof(told)), DD_OK);
    return told.format;
}

/* V4, V5, A1: the version of the runtime arrives in dwSize. One of DirectX 9 is told the nonmaskable type and counts
 * that can be masked, one of DirectX 8 the counts alone; every count of 9 is a power of two. */
static void test_samples_by_version(void **state)
{
    const uint32_t nonmaskable = 1, counts = 1u << 1 | 1u << 3 | 1u << 7 | 1u << 15;
    unsigned with_samples = 0;

    (void)state;
    for (unsigned i = 0; i < caps_format_count(); i++) {
        const DDPIXELFORMAT of8 = told_format(i, sizeof(DDPIXELFORMAT)), of9 = told_format(i, 0x900);
        const uint32_t mask = of9.MultiSampleCaps.wBltMSTypes;

        assert_int_equal(of9.MultiSampleCaps.wFlipMSTypes, mask);
        assert_int_equal(mask & ~(nonmaskable | counts), 0);
        assert_int_equal(!!(mask & counts), mask & nonmaskable);
        assert_int_equal(of8.MultiSampleCaps.wBltMSTypes, mask & ~nonmaskable);
        with_samples += mask != 0;
    }
    assert_true(with_samples >= 4);
}

/* V8: every format of signed texels can be read by bump mapping, and no other. */
static void test_formats_of_bump_maps(void **state)
{
    static const uint32_t signed_formats[] = {D3DFMT_V8U8,          D3DFMT_L6V5U5,          D3DFMT_X8L8V8U8,
                                              D3DFMT_Q8W8V8U8,      D3DFMT_V16U16,          D3DFMT_W11V11U10,
                                              67 /* A2W10V10U10 */, 110 /* Q16W16V16U16 */, 117 /* CxV8U8 */};
    unsigned found = 0;

    (void)state;
    for (unsigned i = 0; i < caps_format_count(); i++) {
        const DDPIXELFORMAT told = told_format(i, 0x900);
        bool wanted = false;

        for (unsigned k = 0; k < ARRAY_COUNT(signed_formats); k++)
            wanted = wanted || told.dwFourCC == signed_formats[k];
        if (wanted != !!(told.dwOperations & D3DFORMAT_OP_BUMPMAP))
            fail_msg("format %#x: operations %#x", (unsigned)told.dwFourCC, (unsigned)told.dwOperations);
        found += wanted;
    }
    assert_int_equal(found, ARRAY_COUNT(signed_formats));
}

/* B5, K4: a format with OFFSCREENPLAIN is filled by COLORFILL and copied by BLT; no format makes the tokens after it
 * disappear, which a change of the target shows. */
static void check_plain_format(const DDPIXELFORMAT *told, unsigned number)
{
    const struct client_chain_desc desc = {
        .usage = CLIENT_TEXTURE, .format = told->dwFourCC, .width = 16, .height = 16};
    const uint32_t mark = 0xff000000 | number, target = client_handle(client_part(stage.target, 0));
    struct client_chain *chain[2];
    struct client_lock lock[2];

    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(client_chain_create(stage.client, &desc, &chain[i]), DD_OK);
    const uint32_t one = client_handle(client_part(chain[0], 0)), two = client_handle(client_part(chain[1], 0));
    const uint32_t fill[6] = {one, 0, 0, 16, 16, 0xff3366cc}, show[6] = {target, 0, 0, 4, 4, mark};
    const uint32_t copy[13] = {one, 0, 0, 16, 16, 0, two, 0, 0, 16, 16, 0, 0};

    stage_command(&stage, D3DDP2OP_COLORFILL, 1, fill, sizeof(fill));
    stage_command(&stage, D3DDP2OP_BLT, 1, copy, sizeof(copy));
    stage_command(&stage, D3DDP2OP_COLORFILL, 1, show, sizeof(show));
    stage_submit(&stage);
    if (stage.failed)
        fail_msg("format %#x: %s failed with %#x", (unsigned)told->dwFourCC, stage.failed, (unsigned)stage.error);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(client_lock(client_part(chain[i], 0), NULL, DDLOCK_READONLY, &lock[i]), DD_OK);
    assert_memory_equal(lock[0].bits, lock[1].bits, lock[0].pitch * 4); /* four rows of blocks, or of texels */
    for (unsigned i = 0; i < 2; i++)
        client_unlock(client_part(chain[i], 0));
    assert_int_equal(client_lock(client_part(stage.target, 0), NULL, DDLOCK_READONLY, &lock[0]), DD_OK);
    assert_memory_equal(lock[0].bits, &mark, sizeof(mark));
    client_unlock(client_part(stage.target, 0));
    for (unsigned i = 0; i < 2; i++)
        client_chain_destroy(chain[i]);
}

static void test_plain_surfaces(void **state)
{
    unsigned checked = 0;

    (void)state;
    for (unsigned i = 0; i < caps_format_count(); i++) {
        const DDPIXELFORMAT told = told_format(i, 0x900);

        if (told.dwOperations & D3DFORMAT_OP_OFFSCREENPLAIN && !(told.dwOperations & D3DFORMAT_OP_ZSTENCIL))
            check_plain_format(&told, ++checked);
    }
    assert_true(checked >= 40);
}

/* H1: the same number for every head of this card, which is not 0. V3: the version of the runtime is taken. N1: no
 * extended modes. */
static void test_answers_of_the_adapter(void **state)
{
    DD_GETADAPTERGROUPDATA group[2] = {0};
    DD_GETEXTENDEDMODECOUNTDATA modes = {.dwModeCount = 77};

    (void)state;
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(client_driver_info2(&stage.driver, D3DGDI2_TYPE_GETADAPTERGROUP, &group[i], sizeof(group[i])),
                         DD_OK);
    assert_true(group[0].ulUniqueAdapterGroupId > 1);
    assert_true(group[0].ulUniqueAdapterGroupId == group[1].ulUniqueAdapterGroupId);
    for (uint32_t version = 0x700; version <= 0x900; version += 0x100) {
        DD_DXVERSION told = {.dwDXVersion = version};

        assert_int_equal(client_driver_info2(&stage.driver, D3DGDI2_TYPE_DXVERSION, &told, sizeof(told)), DD_OK);
    }
    assert_int_equal(client_driver_info2(&stage.driver, D3DGDI2_TYPE_GETEXTENDEDMODECOUNT, &modes, sizeof(modes)),
                     DD_OK);
    assert_int_equal(modes.dwModeCount, 0);
}

static int set_up(void **state)
{
    (void)state;
    return stage_open(&stage, 16, 16, D3DFMT_A8R8G8B8, D3DFMT_D24S8) && stage_set_level(&stage, DDI_LEVEL_DX9) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    stage_close(&stage);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members_of_d3dcaps9), cmocka_unit_test(test_members_of_d3dcaps8),
        cmocka_unit_test(test_samples_by_version),  cmocka_unit_test(test_formats_of_bump_maps),
        cmocka_unit_test(test_plain_surfaces),      cmocka_unit_test(test_answers_of_the_adapter),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
