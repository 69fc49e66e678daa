/* SPDX-License-Identifier: MIT */
/* How a failed assertion ends the program, in builds that check them. */
#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void base_assert_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
    abort();
}
