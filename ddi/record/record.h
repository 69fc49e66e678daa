/* SPDX-License-Identifier: MIT */
/*
 * Recording of captures inside the driver's entry points (docs/capture-format.md), when HALCYON_CAPTURE or the caller names a
 * file. The driver's root has the recorder; the entry points call hooks by RECORD (ddi/entry.h).
 *
 * Rules for the caller. All hooks are called with the driver's lock held. Hooks of creation come after the driver has
 * succeeded (the surface's hal_surface exists), hooks of destruction before it begins; all others (blt, flip, clear,
 * draw...) before the call is executed and after its arguments were validated. Surfaces are identified by their LCL
 * address between creation and destruction.
 */
#ifndef HALCYON_DDI_RECORD_RECORD_H
#define HALCYON_DDI_RECORD_RECORD_H

#include "d3d/ddi.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hal_display_palette;
struct recorder;

/* The interfaces through which the driver is called; one bit each. */
enum record_interface {
    RECORD_DIRECTX_DDI = 1, /* by a runtime, through the callbacks of the DirectX 9 DDI */
    RECORD_WDDM = 2,        /* through the user-mode interface of WDDM (umd/) */
};

/* Names of the bits, for logs and captures. */
const char *record_interfaces_text(unsigned interfaces);

/* After base_init: the recorder of a process that is to be recorded, NULL if it is not (or if memory is short, which the log
 * says). exact_path: everything, or the frames in HALCYON_CAPTURE_FRAMES, goes into exactly this file, which is replaced; the
 * text must outlive the recorder. NULL: HALCYON_CAPTURE names the files, which are created with their first events. */
struct recorder *record_start(const char *exact_path, enum record_interface caller);
/* Another caller has come; the information of files that begin from now on names its interface, too. NULL is fine. */
void record_caller(struct recorder *recorder, enum record_interface caller);
/* Before every hook: begins and ends ranges of frames (HALCYON_CAPTURE_FRAMES) between two calls, when the surfaces hold the
 * result of the last call. may_end: the program may be ended here, if that was asked for (HALCYON_CAPTURE_EXIT); not before locks, by which
 * runtimes read the last frame. False: nothing is recorded any more. */
bool record_poll(struct recorder *recorder, bool may_end);
/* Writes remaining events, the index and the footer: when the driver is destroyed, or at the latest at exit. A second call does
 * nothing. The recorder stays, for record_has_failed. */
void record_stop(struct recorder *recorder);
/* True if a file could not be written, or none of the named frames occurred. Call it after record_stop. */
bool record_has_failed(const struct recorder *recorder);

/* Records `count` frames (0: HALCYON_CAPTURE_COUNT) from the next one on into a new file. False: the recorder does not exist
 * (NULL) or has stopped, or is already writing frames. */
bool record_request(struct recorder *recorder, uint32_t count);
struct record_status {
    bool listening; /* record_request can succeed */
    bool writing;   /* this frame is being written to a file */
    uint32_t frame; /* number of this frame, from 0; 0 if nothing is recorded */
};
/* NULL: nothing is recorded. */
struct record_status record_get_status(const struct recorder *recorder);

/* CreateSurface and CreateExecuteBuffer: the surfaces of one call (all levels, faces, back
 * buffers). */
void record_create_surfaces(struct recorder *recorder, DDRAWI_DDRAWSURFACE_LCL *const *surfaces, unsigned count);
/* CreateSurfaceEx. Surfaces reached through the attach list are recorded with it. fpVidMem = 0 of a
 * system-memory surface means its destruction: call before the driver forgets it. */
void record_create_surface_ex(struct recorder *recorder, const DDRAWI_DIRECTDRAW_LCL *local,
                              DDRAWI_DDRAWSURFACE_LCL *surface, uint32_t flags);
void record_destroy_surface(struct recorder *recorder, DDRAWI_DDRAWSURFACE_LCL *surface);
void record_destroy_local(struct recorder *recorder, const DDRAWI_DIRECTDRAW_LCL *local);

/* Lock and LockExecuteBuffer after success (rect NULL: all; flags: DDLOCK_*); Unlock after the driver has
 * done its part. */
void record_lock(struct recorder *recorder, DDRAWI_DDRAWSURFACE_LCL *surface, const RECTL *rect, uint32_t flags);
void record_unlock(struct recorder *recorder, DDRAWI_DDRAWSURFACE_LCL *surface);

/* AccessSamples that writes. */
void record_samples(struct recorder *recorder, const HALCYON_SAMPLESDATA *data);

/* SetColorKey, after the surface has the key. */
void record_color_keys(struct recorder *recorder, DDRAWI_DDRAWSURFACE_LCL *surface);

/* CreatePalette, SetEntries, DestroyPalette, SetPalette (NULL: the surface has none now), the first two after the palette
 * has its entries. */
void record_create_palette(struct recorder *recorder, const struct hal_display_palette *palette);
void record_set_entries(struct recorder *recorder, const struct hal_display_palette *palette, uint32_t first,
                        uint32_t count);
void record_destroy_palette(struct recorder *recorder, const struct hal_display_palette *palette);
void record_set_palette(struct recorder *recorder, DDRAWI_DDRAWSURFACE_LCL *surface,
                        const struct hal_display_palette *palette);

/* Also for colour and depth fills, which are blits without a source. */
void record_blt(struct recorder *recorder, const DDHAL_BLTDATA *data);
void record_flip(struct recorder *recorder, const DDHAL_FLIPDATA *data);

/* level: what the runtime passed in dwhContext; target, depth: its surfaces, which `data` names in a way that depends
 * on the level; context: its handle. */
void record_context_create(struct recorder *recorder, const D3DHAL_CONTEXTCREATEDATA *data, uint32_t level,
                           DDRAWI_DDRAWSURFACE_LCL *target, DDRAWI_DDRAWSURFACE_LCL *depth, uint32_t context);
void record_context_destroy(struct recorder *recorder, uint32_t context);
void record_context_destroy_all(struct recorder *recorder, uint32_t process);
void record_set_render_target(struct recorder *recorder, uint32_t context, DDRAWI_DDRAWSURFACE_LCL *target,
                              DDRAWI_DDRAWSURFACE_LCL *depth);
void record_scene(struct recorder *recorder, uint32_t context, uint32_t flag);
/* Clear and Clear2. rects: count of them, NULL if 0. */
void record_clear(struct recorder *recorder, uint32_t context, uint32_t flags, uint32_t color, float depth,
                  uint32_t stencil, const D3DRECT *rects, uint32_t count);

/* One DrawPrimitives2 call, with pointers and lengths as the driver resolved them. */
struct record_draw_call {
    uint32_t context;
    uint32_t flags;        /* dwFlags, D3DHALDP2_* */
    uint32_t vertex_type;  /* dwVertexType */
    uint32_t vertex_size;  /* dwVertexSize */
    uint32_t vertex_count; /* dwVertexLength */
    const uint8_t *commands;
    size_t command_bytes;
    const uint8_t *vertices; /* at dwVertexOffset; NULL if there are none */
    size_t vertex_bytes;     /* readable from `vertices` on, as the driver limits them */
};
void record_draw(struct recorder *recorder, const struct record_draw_call *call);

#endif
