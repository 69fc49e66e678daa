/* SPDX-License-Identifier: MIT */
/*
 * Shared declarations of the entry points: the driver's single root, its lock, and the callbacks that driver.c puts
 * into the tables. Every callback is ENTER, checks, a call into hal/, LEAVE, so hal/ never runs on two threads at once.
 * Results go into ddRVal; the return value is DDHAL_DRIVER_HANDLED, except where the runtime must do the work itself.
 */
#ifndef HALCYON_DDI_ENTRY_H
#define HALCYON_DDI_ENTRY_H

#include "base/base.h"
#include "base/lock.h"
#include "caps/caps.h"
#include "hal/hal.h"

#define DDI_MAX_TEXTURE_FORMATS 48
#define DDI_MAX_FOURCCS         16

struct recorder;

struct ddi_root {
    struct base_lock lock;
    unsigned users;                          /* HalcyonDriverInit calls without a DestroyDriver yet */
    unsigned interfaces;                     /* enum record_interface bits: of the users since there was none */
    struct hal_driver *driver;               /* NULL without users */
    PFND3DPARSEUNKNOWNCOMMAND parse_unknown; /* the runtime's; NULL */
    struct {
        DWORD creates, destroys, locks; /* of textures, of all programs (GetDriverState) */
    } texturing;
    D3DHAL_GLOBALDRIVERDATA global_data;
    DDSURFACEDESC texture_formats[DDI_MAX_TEXTURE_FORMATS];
    DWORD fourccs[DDI_MAX_FOURCCS]; /* lpdwFourCC of DDHALINFO */
    const char *record_path;        /* ddi_record_to_file; NULL */
    struct recorder *recorder;      /* NULL: nothing has been recorded (ddi/record/record.h) */
};
extern struct ddi_root ddi_root;

/* Takes the lock and sets the floating-point mode that the driver needs (rounding to nearest, no traps, denormals
 * kept), because programs change it. ddi_leave restores both. */
unsigned ddi_enter(void);
void ddi_leave(unsigned float_mode);

#define DDI_ENTER() const unsigned ddi_float_mode = ddi_enter()
#define DDI_LEAVE() ddi_leave(ddi_float_mode)

/* RECORD(blt, data) calls record_blt with the recorder, if there is one: one branch without. The caller includes
 * ddi/record/record.h. */
#define RECORD(hook, ...) RECORD_POLLED(true, hook, __VA_ARGS__)
/* The same for Lock and Unlock. */
#define RECORD_ACCESS(hook, ...) RECORD_POLLED(false, hook, __VA_ARGS__)
#define RECORD_POLLED(may_end, hook, ...)                                 \
    do {                                                                  \
        if (ddi_root.recorder && record_poll(ddi_root.recorder, may_end)) \
            record_##hook(ddi_root.recorder, __VA_ARGS__);                \
    } while (0)

/* info.c */
DWORD PASCAL ddi_get_driver_info(LPDDHAL_GETDRIVERINFODATA data);
DWORD PASCAL ddi_get_avail_memory(LPDDHAL_GETAVAILDRIVERMEMORYDATA data);

/* driver_state.c */
DWORD PASCAL ddi_get_driver_state(LPDDHAL_GETDRIVERSTATEDATA data);

/* surface.c */
DWORD PASCAL ddi_can_create_surface(LPDDHAL_CANCREATESURFACEDATA data);
DWORD PASCAL ddi_create_surface(LPDDHAL_CREATESURFACEDATA data);
DWORD PASCAL ddi_create_surface_ex(LPDDHAL_CREATESURFACEEXDATA data);
DWORD PASCAL ddi_destroy_surface(LPDDHAL_DESTROYSURFACEDATA data);
DWORD PASCAL ddi_destroy_local(LPDDHAL_DESTROYDDLOCALDATA data);
DWORD PASCAL ddi_can_create_buffer(LPDDHAL_CANCREATESURFACEDATA data);
DWORD PASCAL ddi_create_buffer(LPDDHAL_CREATESURFACEDATA data);

/* access.c */
DWORD PASCAL ddi_lock(LPDDHAL_LOCKDATA data);
DWORD PASCAL ddi_unlock(LPDDHAL_UNLOCKDATA data);
DWORD PASCAL ddi_lock_buffer(LPDDHAL_LOCKDATA data);
DWORD PASCAL ddi_unlock_buffer(LPDDHAL_UNLOCKDATA data);
DWORD PASCAL ddi_blt(LPDDHAL_BLTDATA data);
DWORD PASCAL ddi_flip(LPDDHAL_FLIPDATA data);
DWORD PASCAL ddi_get_blt_status(LPDDHAL_GETBLTSTATUSDATA data);
DWORD PASCAL ddi_get_flip_status(LPDDHAL_GETFLIPSTATUSDATA data);
DWORD PASCAL ddi_set_color_key(LPDDHAL_SETCOLORKEYDATA data);
DWORD PASCAL ddi_add_attached(LPDDHAL_ADDATTACHEDSURFACEDATA data);

/* display.c */
DWORD PASCAL ddi_set_mode(LPDDHAL_SETMODEDATA data);
DWORD PASCAL ddi_wait_for_vertical_blank(LPDDHAL_WAITFORVERTICALBLANKDATA data);
DWORD PASCAL ddi_get_scan_line(LPDDHAL_GETSCANLINEDATA data);
DWORD PASCAL ddi_set_exclusive_mode(LPDDHAL_SETEXCLUSIVEMODEDATA data);
DWORD PASCAL ddi_flip_to_gdi(LPDDHAL_FLIPTOGDISURFACEDATA data);
DWORD PASCAL ddi_set_clip_list(LPDDHAL_SETCLIPLISTDATA data);

/* palette.c */
DWORD PASCAL ddi_create_palette(LPDDHAL_CREATEPALETTEDATA data);
DWORD PASCAL ddi_destroy_palette(LPDDHAL_DESTROYPALETTEDATA data);
DWORD PASCAL ddi_set_entries(LPDDHAL_SETENTRIESDATA data);
DWORD PASCAL ddi_set_palette(LPDDHAL_SETPALETTEDATA data);

/* context.c */
DWORD PASCAL ddi_context_create(LPD3DHAL_CONTEXTCREATEDATA data);
DWORD PASCAL ddi_context_destroy(LPD3DHAL_CONTEXTDESTROYDATA data);
DWORD PASCAL ddi_context_destroy_all(LPD3DHAL_CONTEXTDESTROYALLDATA data);
DWORD PASCAL ddi_scene_capture(LPD3DHAL_SCENECAPTUREDATA data);
DWORD PASCAL ddi_set_render_target(LPD3DHAL_SETRENDERTARGETDATA data);
DWORD PASCAL ddi_clear(LPD3DHAL_CLEARDATA data);
DWORD PASCAL ddi_clear2(LPD3DHAL_CLEAR2DATA data);
DWORD PASCAL ddi_validate_stages(LPD3DHAL_VALIDATETEXTURESTAGESTATEDATA data);

/* draw.c */
DWORD PASCAL ddi_draw_primitives2(LPD3DHAL_DRAWPRIMITIVES2DATA data);

/* wddm2.c */
struct WDDM2_CALLBACKS;
extern const struct WDDM2_CALLBACKS ddi_wddm2_callbacks;

/* process.c */
DWORD PASCAL ddi_process_vertices(LPHALCYON_PROCESSVERTICESDATA data);

/* samples.c */
DWORD PASCAL ddi_access_samples(LPHALCYON_SAMPLESDATA data);

#endif
