/* SPDX-License-Identifier: MIT */
/*
 * The user's multisampling (HALCYON_MULTISAMPLE): back buffers, and the targets and depth buffers that are drawn to with them, have
 * samples though the program has asked for none. docs/antialiasing.md has the rules.
 */
#ifndef HALCYON_RUNTIME_MULTISAMPLE_H
#define HALCYON_RUNTIME_MULTISAMPLE_H

#include <stdbool.h>
#include <stdint.h>

struct rt_adapter;
struct rt_device;
struct rt_surface;

/* A device has one, from its back buffer on. */
struct rt_multisample {
    bool is_set;            /* the user has set something; else bindings are never looked at */
    unsigned samples;       /* of a pixel, 2 or more; 0: as the program asks */
    unsigned width, height; /* of the back buffer, as the program believes */
};

bool rt_multisample_is_set(void);
/* Samples of a back buffer of this format whose program asks for `asked`, by the setting: 0: as the program asks. A number
 * that the driver does not have is named once in the log. */
unsigned rt_multisample_for(const struct rt_adapter *adapter, uint32_t format, unsigned asked);

/* Before something is drawn to bound surfaces: all of them get the same number of samples, that of the setting, or one if there is one
 * among them that cannot have it. */
void rt_device_match_samples(struct rt_device *device);
/* Before depth is copied from `source` to `destination`, which takes as many samples as the source has: depth is copied between equal
 * numbers, and from samples to none. */
void rt_device_match_copy(struct rt_device *device, const struct rt_surface *source, struct rt_surface *destination);
/* How many samples of target 0, as the driver counts them, are one pixel of the program's; by the internal resolution, too. */
unsigned rt_device_counted_parts(const struct rt_device *device);

#endif
