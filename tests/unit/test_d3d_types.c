/* SPDX-License-Identifier: MIT */
/*
 * The interface's headers together with those of Direct3D 9, as files of a d3d9.dll include them: every layout that
 * ddi/layout.c asserts for files with Direct3D 8 holds for them too, so structures may be passed between the two.
 */
#include <windows.h>

#include <d3d9types.h>

#include <d3d9caps.h>

#include "ddi/layout.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include "d3d/caps9.h"
#include "d3d/extension.h"
#include "d3d/feedback.h"
#include "d3d/wddm2.h"

static void test_capabilities_begin_alike(void **state)
{
    (void)state;
    /* The additions of D3DCAPS9 start where D3DCAPS8 ends. */
    assert_int_equal(sizeof(D3DCAPS8), offsetof(D3DCAPS9, DevCaps2));
    assert_int_equal(offsetof(D3DCAPS8, MaxVertexW), offsetof(D3DCAPS9, MaxVertexW));
    assert_int_equal(offsetof(D3DCAPS8, FVFCaps), offsetof(D3DCAPS9, FVFCaps));
    assert_int_equal(offsetof(D3DCAPS8, PixelShaderVersion), offsetof(D3DCAPS9, PixelShaderVersion));
    assert_int_equal(sizeof(D3DVIEWPORT8), 24);
}

/* The bytes that a d3d9.dll passes on (d3d/caps9.h). */
static void test_capabilities_of_version_9(void **state)
{
    (void)state;
    assert_int_equal(sizeof(struct d3d_caps9), sizeof(D3DCAPS9));
#define SAME(name) assert_int_equal(offsetof(struct d3d_caps9, name), offsetof(D3DCAPS9, name))
    SAME(DevCaps2);
    SAME(MaxNpatchTessellationLevel);
    SAME(MasterAdapterOrdinal);
    SAME(NumberOfAdaptersInGroup);
    SAME(DeclTypes);
    SAME(NumSimultaneousRTs);
    SAME(StretchRectFilterCaps);
    SAME(VS20Caps.StaticFlowControlDepth);
    SAME(PS20Caps.NumInstructionSlots);
    SAME(VertexTextureFilterCaps);
    SAME(MaxPixelShader30InstructionSlots);
#undef SAME
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_capabilities_begin_alike),
        cmocka_unit_test(test_capabilities_of_version_9),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
