/* SPDX-License-Identifier: MIT */
/*
 * D3DPERF_*: names that a program gives to what it draws. They belong to no device. The names of a thread are kept
 * until a device draws on that thread, and are sent before the commands that they name (d3d/marker.h).
 */
#ifndef HALCYON_RUNTIME_D3D9_PERF_H
#define HALCYON_RUNTIME_D3D9_PERF_H

#include <stdbool.h>

#include <windows.h>

#include <d3d9.h>

struct rt_link;

/* Set once any thread has used D3DPERF. */
extern bool d3d9_perf_is_used;
void d3d9_perf_send_kept(struct rt_link *link);

/* For DllMain: the calling thread ends and its names are forgotten; the dll is unloaded while the process continues. */
void d3d9_perf_thread_ends(void);
void d3d9_perf_unload(void);

/* Before each command that draws, copies, clears, queries or presents: sends the names of the calling thread. Costs
 * a read of one byte if the program does not use D3DPERF. */
static inline void d3d9_perf_send(struct rt_link *link)
{
    if (__atomic_load_n(&d3d9_perf_is_used, __ATOMIC_RELAXED))
        d3d9_perf_send_kept(link);
}

/* Begin: the level of the event that begins, from 0 on. End: that of the event that ends; -1: none has begun. */
int WINAPI D3DPERF_BeginEvent(D3DCOLOR color, LPCWSTR name);
int WINAPI D3DPERF_EndEvent(void);
void WINAPI D3DPERF_SetMarker(D3DCOLOR color, LPCWSTR name);
void WINAPI D3DPERF_SetRegion(D3DCOLOR color, LPCWSTR name);
BOOL WINAPI D3DPERF_QueryRepeatFrame(void);
void WINAPI D3DPERF_SetOptions(DWORD options);
DWORD WINAPI D3DPERF_GetStatus(void);

#endif
