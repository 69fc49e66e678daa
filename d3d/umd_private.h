/* SPDX-License-Identifier: MIT */
/*
 * Ids of pfnGetInfo that only this driver answers, besides those of d3d/halcyon.h: calls of the older interface for which the WDDM interface
 * has no function (docs/umd.md, "Private calls"). The structure is in and out; other drivers answer E_NOTIMPL.
 */
#ifndef HALCYON_D3D_UMD_PRIVATE_H
#define HALCYON_D3D_UMD_PRIVATE_H

#include "d3d/types.h"

/* A sub-resource; hResource NULL: none. */
typedef struct _HALCYON_UMD_SURFACE {
    HANDLE hResource;
    UINT SubResourceIndex;
} HALCYON_UMD_SURFACE;

/* Contexts. Until Windows Vista several could draw to the surfaces of one DirectDraw object, each with states, shaders, state blocks and
 * queries of its own, at the level of its runtime. A device has one to begin with; functions act on the selected one. */
#define HALCYON_DEVINFOID_CONTEXT 0x48414C05

enum { HALCYON_UMD_CONTEXT_CREATE, HALCYON_UMD_CONTEXT_SELECT, HALCYON_UMD_CONTEXT_DESTROY };

typedef struct _HALCYON_UMD_CONTEXT {
    UINT Operation; /* CREATE selects the new one; DESTROY selects the device's first one if it was selected */
    UINT Number;    /* out of CREATE, in of the others; 0: the device's first one, which stays */
    UINT Level;     /* DDI_LEVEL_DX* of d3d/callbacks.h: what default states and old states mean */
    HALCYON_UMD_SURFACE Target, Depth; /* of CREATE; default states depend on them */
} HALCYON_UMD_CONTEXT;

/* Tokens without a function: SETTEXLOD, ADDDIRTYRECT, ADDDIRTYBOX, SETFEEDBACK, MARKER, and the stage states of d3d/feedback.h. */
#define HALCYON_DEVINFOID_TOKEN 0x48414C06

typedef struct _HALCYON_UMD_TOKEN {
    UINT Token;                      /* D3DDP2OP_* */
    UINT Bytes;                      /* of the entry */
    const VOID *pEntry;              /* one entry of the token; what it has for surfaces does not matter */
    HALCYON_UMD_SURFACE Surfaces[2]; /* those that it names, in the order of d3d/tokens.def */
} HALCYON_UMD_TOKEN;

/* AccessSamples and ProcessVertices, arguments as in d3d/halcyon.h. */
#define HALCYON_DEVINFOID_SAMPLES 0x48414C07

typedef struct _HALCYON_UMD_SAMPLES {
    HALCYON_UMD_SURFACE Surface;
    VOID *pMemory;
    UINT Flags, Sample, FirstRow, Rows, RowBytes;
    UINT Samples, Differ; /* out */
} HALCYON_UMD_SAMPLES;

#define HALCYON_DEVINFOID_VERTICES 0x48414C08

typedef struct _HALCYON_UMD_VERTICES {
    VOID *pVertices; /* out */
    UINT Bytes, Flags, First, Count, VertexType, VertexSize;
} HALCYON_UMD_VERTICES;

/* Bytes of texture memory, as GetAvailDriverMemory. */
#define HALCYON_DEVINFOID_MEMORY 0x48414C09

typedef struct _HALCYON_UMD_MEMORY {
    UINT Total, Free;
} HALCYON_UMD_MEMORY;

/* How a batch of functions ends that fails: as DrawPrimitives2, which drops the commands after one that fails. */
#define HALCYON_DEVINFOID_BATCH 0x48414C0A

typedef struct _HALCYON_UMD_BATCH {
    UINT Stops;     /* in: drop what follows a function that has failed, until pfnFlush has told */
    HRESULT Result; /* out: the driver's own code of the last failure, which pfnFlush translates */
    UINT Token;     /* out: the token that failed */
    UINT Place;     /* out: how many entries of that token the batch had before the command that failed */
} HALCYON_UMD_BATCH;

/* The calling thread keeps the device: until it gives it up, its own calls need no atomic operation, and those of other threads get E_FAIL. For
 * runtimes that have a lock of their own, and take it for more than one function. */
#define HALCYON_DEVINFOID_HOLD 0x48414C0B

typedef struct _HALCYON_UMD_HOLD {
    UINT Hold; /* 1: keep it, 0: give it up; a device that is held already, or not, stays so */
} HALCYON_UMD_HOLD;

#endif
