/* SPDX-License-Identifier: MIT */
/*
 * Random calls of the WDDM interface with random arguments (tests/unit/umd_calls.h). Nothing crashes; run under the
 * sanitizers, nothing is read or written that is not the caller's.
 */
#include "tests/random.h"
#include "tests/unit/umd_calls.h"
#include "tests/unit/umd_runtime.h"

#include "tests/unit/rounds.h"

static unsigned pick(unsigned count)
{
    return random_below(count);
}

static uint32_t any_word(void)
{
    return random_word();
}

static void test_random_calls(void **state)
{
    (void)state;
    for (uint32_t round = first_round(40); round < end_round(40); round++) {
        random_seed = round + 1;
        umd_rt_open();
        assert_true(calls_begin(&umd_f, umd_rt.device));
        for (unsigned i = 0; i < 12; i++)
            random_resource();
        for (unsigned i = 0; i < 200; i++)
            calls_step();
        umd_rt_close();
        calls_end();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_calls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
