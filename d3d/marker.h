/* SPDX-License-Identifier: MIT */
/*
 * The token MARKER: names that a program gives to its commands (D3DPERF_* of d3d9.dll), for readers of captures. It
 * draws nothing, sets no state and is not stored by state blocks. Any context may send it; each entry is followed by
 * dwTextBytes bytes of UTF-8 without a terminator, and by padding to a whole DWORD.
 */
#ifndef HALCYON_D3D_MARKER_H
#define HALCYON_D3D_MARKER_H

#include "d3d/types.h"

enum ddi_marker {
    DDI_MARKER_BEGIN = 1, /* an event begins; events nest */
    DDI_MARKER_END,       /* the innermost event ends; no text */
    DDI_MARKER_POINT,     /* names this position in the stream */
    DDI_MARKER_REGION,    /* names the commands up to the next region */
    DDI_MARKER_COUNT
};

typedef struct _HALCYON_DP2MARKER {
    DWORD dwKind;      /* enum ddi_marker */
    DWORD dwTextBytes; /* 0: no name */
    D3DCOLOR Color;    /* for timeline displays; ignored by the driver */
} HALCYON_DP2MARKER;

#endif
