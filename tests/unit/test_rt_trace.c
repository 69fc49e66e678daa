/* SPDX-License-Identifier: MIT */
/* A call as a line of the log (runtime/common/trace/trace.h): values, what pointers point to, errors, text that is too long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/common/trace/trace.h"

static const RECT rect = {-1, 2, 30, 40};
static const GUID guid = {0x1234abcd, 0x56, 0x789, {1, 2, 3, 4, 5, 6, 7, 0xff}};

static struct rt_trace begin(bool failed)
{
    struct rt_trace call;

    rt_trace_begin(&call, "IDirect3DDevice9", "Method", (const void *)(uintptr_t)0x10, failed);
    return call;
}

static void test_values(void **state)
{
    struct rt_trace call = begin(false);

    (void)state;
    rt_trace_signed(&call, "i", -5);
    rt_trace_unsigned(&call, "n", 65535);
    rt_trace_unsigned(&call, "color", 0xff204060);
    rt_trace_float(&call, "f", 0.1f);
    rt_trace_pointer(&call, "p", NULL);
    assert_string_equal(call.text,
                        "IDirect3DDevice9::Method(0x10, i -5, n 65535, color 0xff204060, f 0.100000001, p 0");
}

static void test_what_pointers_point_to(void **state)
{
    const void *made = (const void *)(uintptr_t)0x20;
    struct rt_trace call = begin(false);

    (void)state;
    rt_trace_rect(&call, "rect", &rect);
    rt_trace_rect(&call, "none", NULL);
    rt_trace_guid(&call, "id", &guid);
    rt_trace_object(&call, "made", &made);
    rt_trace_object(&call, "nowhere", NULL);
    assert_string_equal(call.text, "IDirect3DDevice9::Method(0x10, rect (-1, 2)-(30, 40), none 0, "
                                   "id {1234abcd-0056-0789-0102-0304050607ff}, made -> 0x20, nowhere 0");
}

/* A method that fails may have been given pointers to nothing. */
static void test_failed_calls_read_nothing(void **state)
{
    struct rt_trace call = begin(true);

    (void)state;
    rt_trace_rect(&call, "rect", (const RECT *)(uintptr_t)0x30);
    rt_trace_guid(&call, "id", (const GUID *)(uintptr_t)0x40);
    rt_trace_object(&call, "made", (const void *const *)(uintptr_t)0x50);
    assert_string_equal(call.text, "IDirect3DDevice9::Method(0x10, rect 0x30, id 0x40, made 0x50");
}

static void test_long_calls_are_cut_off(void **state)
{
    struct rt_trace call = begin(false);

    (void)state;
    for (unsigned i = 0; i < 200; i++)
        rt_trace_unsigned(&call, "argument", i);
    assert_int_equal(call.length, sizeof(call.text) - 1);
    assert_int_equal(strlen(call.text), call.length);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_what_pointers_point_to),
        cmocka_unit_test(test_failed_calls_read_nothing),
        cmocka_unit_test(test_long_calls_are_cut_off),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
