/* SPDX-License-Identifier: MIT */
/* The methods of surfaces that are not implemented yet: each answers DDERR_UNSUPPORTED, and the log names it once. */
#include "runtime/ddraw/surface/surface.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define METHOD(since, method, ...)
#define LATER(since, method, ...)                                                        \
    HRESULT surface_##method(struct dd_call *call RT_EACH(DD_SHARED, __VA_ARGS__))       \
    {                                                                                    \
        log_once(LOG_WARN, 0, "IDirectDrawSurface::" #method " is not implemented yet"); \
        return DDERR_UNSUPPORTED;                                                        \
    }
#include "runtime/ddraw/surface/surface.def"
