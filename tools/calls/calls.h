/* SPDX-License-Identifier: MIT */
/*
 * Shows the calls of the WDDM user-mode driver interface that the bridge (client/umd/) makes: functions of devices are replaced by functions
 * that call them and report the call.
 */
#ifndef HALCYON_TOOLS_CALLS_CALLS_H
#define HALCYON_TOOLS_CALLS_CALLS_H

#include "client/umd/bridge.h"
#include "dp2/text/text.h"
#include "dp2/text/visit.h"

/* A call that has returned. Valid until the next one. */
struct calls_call {
    const char *function; /* with pfn */
    uint32_t offset;      /* of the command for which it was made; CLIENT_UMD_NO_COMMAND: none */
    HRESULT result;
    unsigned row;           /* of the table of functions */
    const uintptr_t *slots; /* arguments after the device's handle */
};

/* Reports the calls of devices that are made from now on. NULL ends this, when no device is left. */
void calls_report(void (*report)(void *user, const struct calls_call *call), void *user);

/* Is it pfnGetInfo with this number? */
bool calls_is_info(const struct calls_call *call, UINT id);
/* Its arguments, by name, inside the record or list that is open: members of the first structure, then the others. Enumerations, handles and
 * bits of flag words are DP2_VALUE_NAME. */
void calls_visit(const struct dp2_visitor *visitor, const struct calls_call *call);
/* "E_FAIL", or eight hexadecimal digits after 0x; valid until the next call. NULL: S_OK. */
const char *calls_result_name(HRESULT hr);
/* pfnName(argument=value ...) -> result; without a newline. all: lists are not shortened. */
void calls_print(const struct dp2_sink *sink, const struct calls_call *call, bool all);

#endif
