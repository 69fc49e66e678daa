/* SPDX-License-Identifier: MIT */
/*
 * The tables of d3d/: rows that contradict each other or themselves. That their facts are right is shown where they are used: by the
 * tests of formats, states, state blocks, captures and texts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "d3d/ddi.h"
#include "d3d/formats.h"
#include "d3d/states.h"
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
#undef TOKEN
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

/* A name read back is the number, for tables that are searched by either. */
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

/* The letter of the field that holds DWORD number `index` of an entry; 0: none does, or not a whole DWORD. */
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
                fail_msg("%s: DWORD %u is no handle", info->name, k);
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
