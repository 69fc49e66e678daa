/* SPDX-License-Identifier: MIT */
/*
 * The tables of d3d/: rows that contradict each other or themselves. The tests of formats, states, state blocks,
 * captures and texts show that the facts are right.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "d3d/ddi.h"
#include "d3d/feedback.h"
#include "d3d/formats.h"
#include "d3d/states.h"
#include "dp2/fields.h"
#include "dp2/names.h"
#include "dp2/tokens.h"

struct row {
    uint32_t number;
    const char *name;
};

static const struct row formats[] = {
#define FORMAT(number, name, ...)  {(number), #name},
#define VARIANT(number, name, ...) {(number), #name},
#define NUMBER(number, name, ...)  {(number), #name},
#include "d3d/formats.def"
};
static const struct row render_states[] = {
#define RENDER_STATE(number, name, ...) {number, #name},
#include "d3d/states.def"
};
static const struct row stage_states[] = {
#define STAGE_STATE(number, name, ...) {number, #name},
#include "d3d/states.def"
};
static const struct row tokens[] = {
#define TOKEN(number, name, ...) {number, #name},
#include "d3d/tokens.def"
};

static void check_unique(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (rows[i].number == rows[k].number || !strcmp(rows[i].name, rows[k].name))
                fail_msg("%s (%u) and %s (%u)", rows[i].name, (unsigned)rows[i].number, rows[k].name,
                         (unsigned)rows[k].number);
}

static void test_rows_are_unique(void **state)
{
    (void)state;
    check_unique(formats, sizeof(formats) / sizeof(formats[0]));
    check_unique(render_states, sizeof(render_states) / sizeof(render_states[0]));
    check_unique(stage_states, sizeof(stage_states) / sizeof(stage_states[0]));
    check_unique(tokens, sizeof(tokens) / sizeof(tokens[0]));
}

/* One of each kind against the headers of Windows, whose names cannot be listed from the tables: they lack some. */
static void test_numbers_of_the_headers(void **state)
{
    (void)state;
    assert_int_equal(D3D_FORMAT_A8R8G8B8, D3DFMT_A8R8G8B8);
    assert_int_equal(D3D_FORMAT_A2W10V10U10, D3DFMT_A2W10V10U10);
    assert_int_equal(D3D_FORMAT_DXT1, D3DFMT_DXT1);
    assert_int_equal(D3D_FORMAT_D16_LOCKABLE, D3DFMT_D16_LOCKABLE);
    assert_int_equal(D3D_FORMAT_S1D15, D3DFMT_S1D15);
    assert_int_equal(D3D_FORMAT_INDEX32, D3DFMT_INDEX32);
    assert_int_equal(D3D_RS_ZENABLE, D3DRS_ZENABLE);
    assert_int_equal(D3D_RS_DELETERTPATCH, D3DRS_DELETERTPATCH);
    assert_int_equal(D3D_RS_POSITIONDEGREE, D3DRS_POSITIONORDER);
    assert_int_equal(D3D_TSS_RESULTARG, D3DTSS_RESULTARG);
}

/* The name of a number leads back to the number, for tables that are searched by either. */
static void test_names_lead_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(render_states) / sizeof(render_states[0]); i++) {
        uint32_t number;

        assert_string_equal(dp2_render_state_name(render_states[i].number)->name, render_states[i].name);
        assert_true(dp2_render_state_number(render_states[i].name, strlen(render_states[i].name), &number));
        assert_int_equal(number, render_states[i].number);
    }
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        char letters[5];
        const char *name = dp2_format_name(formats[i].number, letters);
        uint32_t number;

        assert_non_null(name);
        assert_true(dp2_format_number(name, strlen(name), &number));
        assert_int_equal(number, formats[i].number);
    }
}

/* Structures made from the table are those that runtimes fill: with the same size, and the same fields at the same
 * places. */
#define SAME_SIZE(part, type) _Static_assert(sizeof(struct dp2_##part) == sizeof(type), #part " is as large as " #type)
#define SAME_FIELD(part, field, type, member)                                 \
    _Static_assert(DP2_OFFSET(part, field) == offsetof(type, member) &&       \
                       DP2_WIDTH(part, field) == sizeof(((type *)0)->member), \
                   #field " of " #part " is " #member " of " #type)
SAME_SIZE(entry_RENDERSTATE, D3DHAL_DP2RENDERSTATE);
SAME_FIELD(entry_RENDERSTATE, state, D3DHAL_DP2RENDERSTATE, RenderState);
SAME_FIELD(entry_RENDERSTATE, value, D3DHAL_DP2RENDERSTATE, dwState);
SAME_SIZE(entry_TEXTURESTAGESTATE, D3DHAL_DP2TEXTURESTAGESTATE);
SAME_FIELD(entry_TEXTURESTAGESTATE, stage, D3DHAL_DP2TEXTURESTAGESTATE, wStage);
SAME_FIELD(entry_TEXTURESTAGESTATE, state, D3DHAL_DP2TEXTURESTAGESTATE, TSState);
SAME_FIELD(entry_TEXTURESTAGESTATE, value, D3DHAL_DP2TEXTURESTAGESTATE, dwValue);
SAME_SIZE(entry_VIEWPORTINFO, D3DHAL_DP2VIEWPORTINFO);
SAME_SIZE(entry_WINFO, D3DHAL_DP2WINFO);
SAME_SIZE(entry_SETPALETTE, D3DHAL_DP2SETPALETTE);
SAME_FIELD(entry_SETPALETTE, surface, D3DHAL_DP2SETPALETTE, dwSurfaceHandle);
SAME_SIZE(entry_UPDATEPALETTE, D3DHAL_DP2UPDATEPALETTE);
SAME_FIELD(entry_UPDATEPALETTE, entries, D3DHAL_DP2UPDATEPALETTE, wNumEntries);
SAME_SIZE(entry_SETRENDERTARGET, D3DHAL_DP2SETRENDERTARGET);
SAME_FIELD(entry_SETRENDERTARGET, target, D3DHAL_DP2SETRENDERTARGET, hRenderTarget);
SAME_FIELD(entry_SETRENDERTARGET, depth, D3DHAL_DP2SETRENDERTARGET, hZBuffer);
SAME_FIELD(fixed_CLEAR, flags, D3DHAL_DP2CLEAR, dwFlags);
_Static_assert(sizeof(struct dp2_fixed_CLEAR) == offsetof(D3DHAL_DP2CLEAR, Rects), "the rectangles follow");
SAME_SIZE(entry_ZRANGE, D3DHAL_DP2ZRANGE);
SAME_SIZE(entry_SETMATERIAL, D3DHAL_DP2SETMATERIAL);
SAME_SIZE(entry_SETLIGHT, D3DHAL_DP2SETLIGHT);
SAME_FIELD(entry_SETLIGHT, op, D3DHAL_DP2SETLIGHT, dwDataType);
SAME_SIZE(data_LIGHT, D3DLIGHT8);
SAME_SIZE(entry_CREATELIGHT, D3DHAL_DP2CREATELIGHT);
SAME_SIZE(entry_SETTRANSFORM, D3DHAL_DP2SETTRANSFORM);
SAME_FIELD(entry_SETTRANSFORM, matrix, D3DHAL_DP2SETTRANSFORM, matrix);
SAME_SIZE(entry_MULTIPLYTRANSFORM, D3DHAL_DP2MULTIPLYTRANSFORM);
SAME_FIELD(entry_MULTIPLYTRANSFORM, type, D3DHAL_DP2MULTIPLYTRANSFORM, xfrmType);
SAME_SIZE(entry_TEXBLT, D3DHAL_DP2TEXBLT);
SAME_FIELD(entry_TEXBLT, dst, D3DHAL_DP2TEXBLT, dwDDDestSurface);
SAME_FIELD(entry_TEXBLT, src, D3DHAL_DP2TEXBLT, dwDDSrcSurface);
SAME_FIELD(entry_TEXBLT, point, D3DHAL_DP2TEXBLT, pDest);
SAME_FIELD(entry_TEXBLT, rect, D3DHAL_DP2TEXBLT, rSrc);
SAME_SIZE(entry_STATESET, D3DHAL_DP2STATESET);
SAME_FIELD(entry_STATESET, op, D3DHAL_DP2STATESET, dwOperation);
SAME_FIELD(entry_STATESET, block, D3DHAL_DP2STATESET, dwParam);
SAME_FIELD(entry_SETPRIORITY, surface, D3DHAL_DP2SETPRIORITY, dwDDSurface);
SAME_FIELD(entry_SETTEXLOD, surface, D3DHAL_DP2SETTEXLOD, dwDDSurface);
SAME_SIZE(entry_SETCLIPPLANE, D3DHAL_DP2SETCLIPPLANE);
SAME_SIZE(entry_CREATEVERTEXSHADER, D3DHAL_DP2CREATEVERTEXSHADER);
SAME_FIELD(entry_CREATEVERTEXSHADER, decl_bytes, D3DHAL_DP2CREATEVERTEXSHADER, dwDeclSize);
SAME_FIELD(entry_CREATEVERTEXSHADER, code_bytes, D3DHAL_DP2CREATEVERTEXSHADER, dwCodeSize);
SAME_SIZE(entry_SETVERTEXSHADERCONST, D3DHAL_DP2SETVERTEXSHADERCONST);
SAME_FIELD(entry_SETVERTEXSHADERCONST, count, D3DHAL_DP2SETVERTEXSHADERCONST, dwCount);
SAME_FIELD(entry_SETVERTEXSHADERCONSTB, count, D3DHAL_DP2SETVERTEXSHADERCONSTB, dwCount);
SAME_SIZE(entry_SETSTREAMSOURCE, D3DHAL_DP2SETSTREAMSOURCE);
SAME_FIELD(entry_SETSTREAMSOURCE, stream, D3DHAL_DP2SETSTREAMSOURCE, dwStream);
SAME_FIELD(entry_SETSTREAMSOURCE, buffer, D3DHAL_DP2SETSTREAMSOURCE, dwVBHandle);
SAME_FIELD(entry_SETSTREAMSOURCE, stride, D3DHAL_DP2SETSTREAMSOURCE, dwStride);
SAME_SIZE(entry_SETSTREAMSOURCEUM, D3DHAL_DP2SETSTREAMSOURCEUM);
SAME_FIELD(entry_SETSTREAMSOURCEUM, stride, D3DHAL_DP2SETSTREAMSOURCEUM, dwStride);
SAME_FIELD(entry_SETSTREAMSOURCE2, buffer, D3DHAL_DP2SETSTREAMSOURCE2, dwVBHandle);
SAME_FIELD(entry_SETSTREAMSOURCE2, offset, D3DHAL_DP2SETSTREAMSOURCE2, dwOffset);
SAME_FIELD(entry_SETSTREAMSOURCE2, stride, D3DHAL_DP2SETSTREAMSOURCE2, dwStride);
SAME_FIELD(entry_SETINDICES, buffer, D3DHAL_DP2SETINDICES, dwVBHandle);
SAME_SIZE(entry_DRAWPRIMITIVE, D3DHAL_DP2DRAWPRIMITIVE);
SAME_FIELD(entry_DRAWPRIMITIVE, primitives, D3DHAL_DP2DRAWPRIMITIVE, PrimitiveCount);
SAME_SIZE(entry_DRAWINDEXEDPRIMITIVE, D3DHAL_DP2DRAWINDEXEDPRIMITIVE);
SAME_FIELD(entry_DRAWINDEXEDPRIMITIVE, primitives, D3DHAL_DP2DRAWINDEXEDPRIMITIVE, PrimitiveCount);
SAME_FIELD(entry_CREATEPIXELSHADER, code_bytes, D3DHAL_DP2CREATEPIXELSHADER, dwCodeSize);
SAME_FIELD(entry_CREATEVERTEXSHADERFUNC, code_bytes, D3DHAL_DP2CREATEVERTEXSHADERFUNC, dwSize);
SAME_SIZE(entry_CLIPPEDTRIANGLEFAN, D3DHAL_CLIPPEDTRIANGLEFAN);
SAME_SIZE(entry_DRAWPRIMITIVE2, D3DHAL_DP2DRAWPRIMITIVE2);
SAME_SIZE(entry_DRAWINDEXEDPRIMITIVE2, D3DHAL_DP2DRAWINDEXEDPRIMITIVE2);
SAME_FIELD(entry_DRAWRECTPATCH, flags, D3DHAL_DP2DRAWRECTPATCH, Flags);
SAME_FIELD(entry_DRAWTRIPATCH, flags, D3DHAL_DP2DRAWTRIPATCH, Flags);
SAME_SIZE(data_RECTPATCH_INFO, D3DRECTPATCH_INFO);
SAME_FIELD(data_RECTPATCH_INFO, offset_x, D3DRECTPATCH_INFO, StartVertexOffsetWidth);
SAME_FIELD(data_RECTPATCH_INFO, offset_y, D3DRECTPATCH_INFO, StartVertexOffsetHeight);
SAME_FIELD(data_RECTPATCH_INFO, width, D3DRECTPATCH_INFO, Width);
SAME_FIELD(data_RECTPATCH_INFO, height, D3DRECTPATCH_INFO, Height);
SAME_FIELD(data_RECTPATCH_INFO, stride, D3DRECTPATCH_INFO, Stride);
SAME_SIZE(data_TRIPATCH_INFO, D3DTRIPATCH_INFO);
SAME_FIELD(data_TRIPATCH_INFO, offset, D3DTRIPATCH_INFO, StartVertexOffset);
SAME_FIELD(data_TRIPATCH_INFO, degree, D3DTRIPATCH_INFO, Order);
SAME_SIZE(entry_VOLUMEBLT, D3DHAL_DP2VOLUMEBLT);
SAME_SIZE(entry_BUFFERBLT, D3DHAL_DP2BUFFERBLT);
SAME_FIELD(entry_BUFFERBLT, dst_offset, D3DHAL_DP2BUFFERBLT, dwOffset);
SAME_FIELD(entry_BUFFERBLT, bytes, D3DHAL_DP2BUFFERBLT, rSrc.Size);
SAME_SIZE(entry_ADDDIRTYRECT, D3DHAL_DP2ADDDIRTYRECT);
SAME_SIZE(entry_ADDDIRTYBOX, D3DHAL_DP2ADDDIRTYBOX);
SAME_FIELD(entry_CREATEVERTEXSHADERDECL, elements, D3DHAL_DP2CREATEVERTEXSHADERDECL, dwNumVertexElements);
SAME_SIZE(entry_BLT, D3DHAL_DP2BLT);
SAME_SIZE(entry_SURFACEBLT, D3DHAL_DP2SURFACEBLT);
SAME_SIZE(entry_COLORFILL, D3DHAL_DP2COLORFILL);
SAME_SIZE(entry_CREATEQUERY, D3DHAL_DP2CREATEQUERY);
SAME_SIZE(entry_ISSUEQUERY, D3DHAL_DP2ISSUEQUERY);
SAME_FIELD(entry_SETRENDERTARGET2, index, D3DHAL_DP2SETRENDERTARGET2, RTIndex);
SAME_FIELD(entry_SETRENDERTARGET2, target, D3DHAL_DP2SETRENDERTARGET2, hRenderTarget);
SAME_SIZE(entry_SETDEPTHSTENCIL, D3DHAL_DP2SETDEPTHSTENCIL);
SAME_SIZE(entry_GENERATEMIPSUBLEVELS, D3DHAL_DP2GENERATEMIPSUBLEVELS);
SAME_SIZE(entry_SETSTREAMSOURCEFREQ, D3DHAL_DP2SETSTREAMSOURCEFREQ);
SAME_SIZE(entry_SETCONVOLUTIONKERNELMONO, D3DHAL_DP2SETCONVOLUTIONKERNELMONO);
SAME_FIELD(entry_SETCONVOLUTIONKERNELMONO, width, D3DHAL_DP2SETCONVOLUTIONKERNELMONO, dwNumRows);
SAME_FIELD(entry_SETCONVOLUTIONKERNELMONO, flags, D3DHAL_DP2SETCONVOLUTIONKERNELMONO, dwFlags);
SAME_SIZE(entry_COMPOSERECTS, D3DHAL_DP2COMPOSERECTS);
SAME_SIZE(entry_SETFEEDBACK, struct ddi_set_feedback);
SAME_FIELD(entry_SETFEEDBACK, texture, struct ddi_set_feedback, texture);
SAME_FIELD(entry_SETFEEDBACK, map, struct ddi_set_feedback, map);

/* The letter of the field that holds DWORD number `index` of an entry; 0 if none does, or only a part of a DWORD. */
static char field_at(const struct dp2_token_info *info, unsigned index)
{
    const char *field = strchr(info->fields, ';');
    uint32_t offset = 0;

    while (field && field[1]) {
        if (offset == 4 * index)
            return dp2_field_size(field[1]) == 4 ? field[1] : 0;
        offset += dp2_field_size(field[1]);
        field = strpbrk(field + 1, ",");
    }
    return 0;
}

static void test_token_columns(void **state)
{
    static const uint8_t key_bytes[] = {[DP2_KEY_FIRST] = 4,   [DP2_KEY_RANGE] = 8,  [DP2_KEY_THIRD] = 12,
                                        [DP2_KEY_PALETTE] = 8, [DP2_KEY_CREATE] = 4, [DP2_KEY_DELETE] = 4};

    (void)state;
    for (unsigned i = 0; i < 256; i++) {
        const struct dp2_token_info *info = dp2_token_info((uint8_t)i);
        uint32_t offset;

        if (!info)
            continue;
        /* surfaces are handles, or may be */
        for (unsigned k = 0; info->surfaces[k]; k++) {
            const char letter = info->surfaces[k];

            if (letter != DP2_SURFACE_NONE &&
                field_at(info, k) != (letter == DP2_SURFACE_DEPENDS && i != DP2OP_SETFEEDBACK ? 'V' : 'h'))
                fail_msg("%s: DWORD %u is not a handle", info->name, k);
            if (!strchr(".bcfn?", letter))
                fail_msg("%s: use '%c'", info->name, letter);
        }
        if (info->entry_size < key_bytes[info->key])
            fail_msg("%s: entries are shorter than their key", info->name);
        if (!dp2_token_info(info->key_token))
            fail_msg("%s: its key is that of no token", info->name);
        if (info->key == DP2_KEY_DELETE && dp2_token_info(info->key_token)->key != DP2_KEY_CREATE)
            fail_msg("%s deletes what %s does not create", info->name, dp2_token_info(info->key_token)->name);
        if ((info->draws == DP2_DRAWS_FIELD) != dp2_field_offset(info, "primitives", &offset))
            fail_msg("%s: primitives", info->name);
        if (info->in_blocks && (info->key == DP2_KEY_NONE || info->draws != DP2_DRAWS_NOTHING))
            fail_msg("%s: state blocks store what sets no state", info->name);
    }
}

static void test_field_offsets(void **state)
{
    uint32_t offset;

    (void)state;
    assert_true(dp2_field_offset(dp2_token_info(D3DDP2OP_DRAWINDEXEDPRIMITIVE), "primitives", &offset));
    assert_int_equal(offset, offsetof(D3DHAL_DP2DRAWINDEXEDPRIMITIVE, PrimitiveCount));
    assert_true(dp2_field_offset(dp2_token_info(D3DDP2OP_BLT), "dst", &offset));
    assert_int_equal(offset, offsetof(D3DHAL_DP2BLT, dwDest));
    assert_true(dp2_field_offset(dp2_token_info(D3DDP2OP_POINTS), "start", &offset));
    assert_int_equal(offset, offsetof(D3DHAL_DP2POINTS, wVStart));
    /* in front of the entries, or part of a name */
    assert_false(dp2_field_offset(dp2_token_info(D3DDP2OP_CLEAR), "color", &offset));
    assert_false(dp2_field_offset(dp2_token_info(D3DDP2OP_BLT), "src_rec", &offset));
    assert_false(dp2_field_offset(dp2_token_info(D3DDP2OP_LINELIST), "start", &offset));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_unique), cmocka_unit_test(test_numbers_of_the_headers),
        cmocka_unit_test(test_names_lead_back), cmocka_unit_test(test_token_columns),
        cmocka_unit_test(test_field_offsets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
