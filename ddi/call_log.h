/* SPDX-License-Identifier: MIT */
/*
 * The call log: at level debug each callback writes one line with its arguments and its result, so that the calls of a
 * runtime can be read in order (docs/driver-start.md).
 */
#ifndef HALCYON_DDI_CALL_LOG_H
#define HALCYON_DDI_CALL_LOG_H

#include "base/base.h"
#include "d3d/ddi.h"

/* "DDI: <text of format>: <result>". */
void ddi_log_call(HRESULT result, const char *format, ...) BASE_PRINTF(2, 3);

/* The name of the interface requested from GetDriverInfo; an unknown GUID is formatted into `buffer`. */
#define DDI_GUID_NAME 48
const char *ddi_guid_name(const GUID *guid, char buffer[DDI_GUID_NAME]);
/* The name of a type of GetDriverInfo2, D3DGDI2_TYPE_name. */
const char *ddi_info2_name(DWORD type);
/* The handle of a surface, or 0. */
unsigned ddi_log_handle(const DDRAWI_DDRAWSURFACE_LCL *lcl);

/* Logs a callback once its result is known. The arguments are evaluated only at level debug. */
#define DDI_LOG(result, ...)                     \
    do {                                         \
        if (log_enabled(LOG_DEBUG))              \
            ddi_log_call((result), __VA_ARGS__); \
    } while (0)

#endif
