/* SPDX-License-Identifier: MIT */
/* The table of a device's functions, and those that are refused on purpose: no capability promises video, overlays or extensions. */
#include "umd/device.h"

/* A parameter list is followed by a body for REFUSED, and by nothing for the rest. */
#define BODY_TOKEN(declaration)
#define BODY_CALL(declaration)
#define BODY_OWN(declaration)
#define BODY_ABSENT(declaration)
#define BODY_REFUSED(declaration) \
    declaration                   \
    {                             \
        return E_NOTIMPL;         \
    }

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define FUNCTION(number, Name, NAME, HOW, through, parameters) BODY_##HOW(HRESULT APIENTRY umd_##Name parameters)
#include "d3d/umd_functions.def"
#pragma GCC diagnostic pop

#define ENTRY_TOKEN(function)   function
#define ENTRY_CALL(function)    function
#define ENTRY_OWN(function)     function
#define ENTRY_REFUSED(function) function
#define ENTRY_ABSENT(function)  NULL

const D3DDDI_DEVICEFUNCS umd_device_functions = {
#define FUNCTION(number, Name, NAME, HOW, through, parameters) .pfn##Name = ENTRY_##HOW(umd_##Name),
#include "d3d/umd_functions.def"
};
