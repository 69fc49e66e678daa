/* SPDX-License-Identifier: MIT */
/*
 * Extensions of the driver interface that only this driver has: its entry point, ProcessVertices, statistics for the
 * head-up display, and captures on request.
 */
#ifndef HALCYON_D3D_HALCYON_H
#define HALCYON_D3D_HALCYON_H

#include "d3d/types.h"

/* Exported by halcyon.dll and libhalcyon.so. Fills in all of *info (dwSize: the size of the caller's structure).
 * version: the HALCYON_DDI_VERSION that the caller was built with. */
#define HALCYON_DDI_VERSION 1
typedef HRESULT(WINAPI *HALCYONDRIVERINIT)(DWORD version, DDHALINFO *info);
HRESULT WINAPI HalcyonDriverInit(DWORD version, DDHALINFO *info);
/* The same for the driver's second face (umd/), whose calls captures and the log tell from those of a runtime. Not exported. */
HRESULT WINAPI HalcyonUserModeInit(DWORD version, DDHALINFO *info);

/* Only this driver, whose Flip moves the memory of surfaces itself: front and target exchange theirs, and the other buffers keep theirs, even
 * if the target is the next buffer. In dwFlags of DDHAL_FLIPDATA, where DirectDraw has no flag. */
#define HALCYON_FLIP_EXCHANGE 0x00010000

/* Only this driver: vertex processing for IDirect3DDevice8::ProcessVertices. The original runtime contained a software
 * version of vertex processing; here the driver does the work, so the results are the same as in draws. */
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

/* Only this driver: the work that a context has done since it was created, as a HALCYON_WORK. */
#define HALCYON_DEVINFOID_WORK 0x48414C01

typedef struct _HALCYON_WORK {
    ULONGLONG pixels; /* that passed all tests, in scenes already drawn */
    ULONGLONG busy;   /* nanoseconds that all threads together spent drawing */
    DWORD threads;    /* that may draw at once */
    DWORD reserved;
} HALCYON_WORK;

/* Only this driver: machine code of programs (docs/generated-code.md) since the driver was loaded, as a HALCYON_CODE.
 * Any context. */
#define HALCYON_DEVINFOID_CODE 0x48414C04

typedef struct _HALCYON_CODE {
    ULONGLONG uses; /* programs used by draws: a vertex program counts at each draw, a pixel program at each change of
                     * state */
    ULONGLONG generated; /* uses of programs that had machine code */
    ULONGLONG busy;      /* nanoseconds spent on code generation */
    DWORD bytes;         /* of existing code */
    DWORD programs;      /* that have machine code */
} HALCYON_CODE;

/* Only this driver: captures while the program runs (ddi/record/record.h), as a HALCYON_CAPTURE. Any context. */
#define HALCYON_DEVINFOID_CAPTURE 0x48414C02

typedef struct _HALCYON_CAPTURE {
    DWORD frames; /* in: number of frames to capture, from the next present on; 0: only query */
    DWORD state;  /* out: HALCYON_CAPTURE_* */
    DWORD frame;  /* out: frames presented so far, while the recorder is active */
    DWORD reserved;
} HALCYON_CAPTURE;

#define HALCYON_CAPTURE_OFF     0 /* requests are ignored */
#define HALCYON_CAPTURE_WAITING 1 /* waiting for a request */
#define HALCYON_CAPTURE_WRITING 2 /* the current frame is being captured */

/* Only this driver: a limit on the cost of calls, for callers that play untrusted streams (docs/limits.md), as a
 * HALCYON_ALLOWANCE. Any context. */
#define HALCYON_DEVINFOID_ALLOWANCE 0x48414C03

/* In picoseconds of one core. It limits the total cost of all calls of the process: draws, clears, vertex processing,
 * blits, locks that resolve samples, fills. */
typedef struct _HALCYON_ALLOWANCE {
    ULONGLONG add;     /* in: further calls may cost this much; the first such limit counts from now on; 0: only
                        * query */
    ULONGLONG done;    /* out: what calls have cost so far */
    ULONGLONG allowed; /* out: the maximum that calls may cost; all bits set: unlimited */
} HALCYON_ALLOWANCE;

/* Only this driver: rows with one sample of each pixel of a multisampled surface, which Lock does not show; for tools
 * that save and restore the contents of surfaces. Results in ddRVal: DDERR_INVALIDOBJECT (no surface of the driver),
 * DDERR_INVALIDPARAMS (no such sample or rows, or rows of another size). */
#define HALCYON_SAMPLES_ASK   0 /* fills in only dwSamples, dwRows, dwRowBytes and dwDiffer */
#define HALCYON_SAMPLES_READ  1
#define HALCYON_SAMPLES_WRITE 2 /* computes the surface's pixels from the samples */

typedef struct _HALCYON_SAMPLESDATA {
    LPDDRAWI_DDRAWSURFACE_LCL lpDDSurface;
    LPVOID lpMemory; /* the first row */
    DWORD dwFlags;   /* HALCYON_SAMPLES_* */
    DWORD dwSample;  /* from 0 */
    DWORD dwFirstRow;
    DWORD dwRows;     /* ASK: out, of the surface */
    DWORD dwRowBytes; /* bytes of a whole row, which must be exact; rows follow each other without a gap. ASK: out */
    DWORD dwSamples;  /* ASK: out, samples per pixel; 0: the surface is not multisampled */
    DWORD dwDiffer;   /* ASK: out, 0: in every pixel, all samples equal what Lock shows */
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
