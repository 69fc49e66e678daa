/* SPDX-License-Identifier: MIT */
/* Shared declarations of capture_setup: surfaces, announcements and contexts that exist after the events. */
#ifndef HALCYON_DP2_CAPTURE_SETUP_INTERNAL_H
#define HALCYON_DP2_CAPTURE_SETUP_INTERNAL_H

#include "base/map.h"
#include "dp2/capture/setup.h"
#include "dp2/capture/patch_log.h"

struct setup_blob {
    struct setup_blob *next;
    uint32_t root; /* announcements */
    bool left_out;
    bool marked; /* existed at capture_setup_mark */
    size_t size;
    uint32_t data[];
};

struct setup_surface {
    struct setup_blob *made; /* the event; NULL: does not exist */
    struct capture_part part;
    struct capture_color_key keys[2];   /* source, destination, as set since; id 0: never */
    struct capture_set_palette palette; /* the same */
};

#define SETUP_MAX_PALETTES 65536 /* of a capture, at once */

struct setup_palette {
    uint32_t number, flags;
    bool marked, gone; /* existed at capture_setup_mark; has been destroyed since */
    uint32_t entries[CAPTURE_PALETTE_ENTRIES];
};

struct setup_context {
    struct setup_context *next;
    struct capture_context head;
    struct state_log log;
    struct patch_log patches;
};

struct capture_setup {
    struct setup_surface *surfaces;
    uint32_t limit;
    struct setup_blob *made, **made_end, *announced, **announced_end;
    struct setup_blob *gone, **gone_end; /* events that destroyed surfaces which existed at capture_setup_mark */
    struct setup_context *contexts, **contexts_end;
    struct base_map palettes; /* struct setup_palette, by number */
    bool (*read)(void *user, uint32_t local, uint32_t handle, size_t offset, size_t size, uint8_t *out);
    void *user; /* of `read`; NULL: buffers cannot be read */
};

#endif
