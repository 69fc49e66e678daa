/* SPDX-License-Identifier: MIT */
/*
 * Declares the log of calls: at the level debug each callback writes a line, with what it was asked for and what it answered, so that
 * the calls of a runtime can be read in their order (docs/driver-start.md).
 */
#ifndef HALCYON_DDI_CALL_LOG_H
#define HALCYON_DDI_CALL_LOG_H

#include "base/base.h"
#include "d3d/ddi.h"

/* "DDI: <text of format>: <result>". */
void ddi_log_call(HRESULT result, const char *format, ...) BASE_PRINTF(2, 3);

/* The name of an interface GetDriverInfo is asked for, in `buffer` if it is none that this driver knows. */
#define DDI_GUID_NAME 48
const char *ddi_guid_name(const GUID *guid, char buffer[DDI_GUID_NAME]);
/* Of a request of GetDriverInfo2: D3DGDI2_TYPE_name. */
const char *ddi_info2_name(DWORD type);
/* The handle of a surface, or 0. */
unsigned ddi_log_handle(const DDRAWI_DDRAWSURFACE_LCL *lcl);

/* Behind the answer of a callback. The arguments are not evaluated at other levels. */
#define DDI_LOG(result, ...)                     \
    do {                                         \
        if (log_enabled(LOG_DEBUG))              \
            ddi_log_call((result), __VA_ARGS__); \
    } while (0)

#endif
