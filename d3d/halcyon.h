/* SPDX-License-Identifier: MIT */
/*
 * Calls and structures of the driver interface that are the driver's own: how it is loaded, ProcessVertices, statistics for
 * the head-up display, and captures at request.
 */
#ifndef HALCYON_D3D_HALCYON_H
#define HALCYON_D3D_HALCYON_H

#include "d3d/types.h"

/* Exported by halcyon.dll and libhalcyon.so. Fills all of *info (dwSize: bytes the caller has room
 * for). version: HALCYON_DDI_VERSION the caller was built with. */
#define HALCYON_DDI_VERSION 1
typedef HRESULT(WINAPI *HALCYONDRIVERINIT)(DWORD version, DDHALINFO *info);
HRESULT WINAPI HalcyonDriverInit(DWORD version, DDHALINFO *info);

/* The driver's own: what IDirect3DDevice8::ProcessVertices asks of vertex processing. A runtime of the time did it
 * with a copy of its own; here the one that draws is asked, so that results are the same. */
#define HALCYON_PROCESS_DONOTCOPYDATA 0x00000001 /* D3DPV_DONOTCOPYDATA */

typedef struct _HALCYON_PROCESSVERTICESDATA {
    ULONG_PTR dwhContext;
    LPVOID lpVertices; /* out */
    DWORD dwBytes;     /* room there */
    DWORD dwFlags;     /* HALCYON_PROCESS_* */
    DWORD dwFirst;     /* vertex of the streams */
    DWORD dwCount;
    DWORD dwVertexType; /* FVF of the result: D3DFVF_XYZRHW, size, colours, coordinates */
    DWORD dwVertexSize; /* bytes from one to the next */
    HRESULT ddrval;
} HALCYON_PROCESSVERTICESDATA, *LPHALCYON_PROCESSVERTICESDATA;
typedef DWORD(PASCAL *LPHALCYON_PROCESSVERTICESCB)(LPHALCYON_PROCESSVERTICESDATA);

/* The answer to DDI_GUID_HALCYON_VERTICES. */
typedef struct _HALCYON_VERTEXCALLBACKS {
    DWORD dwSize;
    DWORD dwFlags; /* 0 */
    LPHALCYON_PROCESSVERTICESCB ProcessVertices;
} HALCYON_VERTEXCALLBACKS;

/* The driver's own id: what a context has done since it was created, a HALCYON_WORK. */
#define HALCYON_DEVINFOID_WORK 0x48414C01

typedef struct _HALCYON_WORK {
    ULONGLONG pixels; /* that passed all tests, of scenes already drawn */
    ULONGLONG busy;   /* nanoseconds in which threads drew, taken together */
    DWORD threads;    /* that may draw at once */
    DWORD reserved;
} HALCYON_WORK;

/* The driver's own id: machine code of programs (docs/generated-code.md) since the driver began, a HALCYON_CODE. Any context. */
#define HALCYON_DEVINFOID_CODE 0x48414C04

typedef struct _HALCYON_CODE {
    ULONGLONG uses; /* of programs by draws: of vertex programs each draw, of pixel programs each change of state */
    ULONGLONG generated; /* those with machine code */
    ULONGLONG busy;      /* nanoseconds that making code took */
    DWORD bytes;         /* of code that there is now */
    DWORD programs;      /* that have some */
} HALCYON_CODE;

/* The driver's own id: captures while the program runs (ddi/record/record.h), a HALCYON_CAPTURE. Any context. */
#define HALCYON_DEVINFOID_CAPTURE 0x48414C02

typedef struct _HALCYON_CAPTURE {
    DWORD frames; /* in: capture so many, from behind the next present on; 0: only ask */
    DWORD state;  /* out: HALCYON_CAPTURE_* */
    DWORD frame;  /* out: presented so far, while captures are followed or written */
    DWORD reserved;
} HALCYON_CAPTURE;

#define HALCYON_CAPTURE_OFF     0 /* a request is not heard */
#define HALCYON_CAPTURE_WAITING 1 /* for a request */
#define HALCYON_CAPTURE_WRITING 2 /* this frame goes into a file */

/* The driver's own id: a bound on what calls may cost, for callers that play what strangers made (docs/limits.md), a
 * HALCYON_ALLOWANCE. Any context. */
#define HALCYON_DEVINFOID_ALLOWANCE 0x48414C03

/* In picoseconds of one core. It bounds all calls of the process together: draws, clears, vertices that are processed, blits,
 * locks that resolve samples, memory that is filled. */
typedef struct _HALCYON_ALLOWANCE {
    ULONGLONG add;     /* in: calls may cost so much more, the first time counted from now on; 0: only ask */
    ULONGLONG done;    /* out: what calls have cost so far */
    ULONGLONG allowed; /* out: that they may cost at most; all bits set: unbounded */
} HALCYON_ALLOWANCE;

/* The driver's own: rows of one sample of all pixels of a multisampled surface, which Lock does not show, for tools that keep
 * and bring back what is in surfaces. Answers in ddRVal: DDERR_INVALIDOBJECT (no surface of the driver), DDERR_INVALIDPARAMS
 * (no such sample or rows, or rows of another size). */
#define HALCYON_SAMPLES_ASK   0 /* fills in dwSamples, dwRows, dwRowBytes and dwDiffer alone */
#define HALCYON_SAMPLES_READ  1
#define HALCYON_SAMPLES_WRITE 2 /* the surface's pixels are those that the samples give from then on */

typedef struct _HALCYON_SAMPLESDATA {
    LPDDRAWI_DDRAWSURFACE_LCL lpDDSurface;
    LPVOID lpMemory; /* the first row */
    DWORD dwFlags;   /* HALCYON_SAMPLES_* */
    DWORD dwSample;  /* from 0 */
    DWORD dwFirstRow;
    DWORD dwRows;     /* ASK: out, of the surface */
    DWORD dwRowBytes; /* of a whole row, as it must be; they follow each other without a gap. ASK: out */
    DWORD dwSamples;  /* ASK: out, of a pixel; 0: the surface is not multisampled */
    DWORD dwDiffer;   /* ASK: out, 0: in every pixel all samples are what Lock shows */
    HRESULT ddRVal;
} HALCYON_SAMPLESDATA, *LPHALCYON_SAMPLESDATA;
typedef DWORD(PASCAL *LPHALCYON_SAMPLESCB)(LPHALCYON_SAMPLESDATA);

/* The answer to DDI_GUID_HALCYON_SAMPLES. */
typedef struct _HALCYON_SAMPLECALLBACKS {
    DWORD dwSize;
    DWORD dwFlags; /* 0 */
    LPHALCYON_SAMPLESCB AccessSamples;
} HALCYON_SAMPLECALLBACKS;

#endif
