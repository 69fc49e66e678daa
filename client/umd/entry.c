/* SPDX-License-Identifier: MIT */
/* The first and the last step of every callback, and their results. */
#include "client/umd/internal.h"

#include "base/lock.h"

LPVOID bridge_parse_unknown;
static struct base_lock bridge_lock_all = BASE_LOCK_INITIALIZER;

void bridge_enter(void)
{
    base_lock(&bridge_lock_all);
}

void bridge_leave(void)
{
    base_unlock(&bridge_lock_all);
}

HRESULT bridge_result(HRESULT hr, HRESULT refused)
{
    return hr == E_FAIL ? refused : hr;
}
