/* SPDX-License-Identifier: MIT */
/*
 * The frame of a device: a window, or the full screen, the swap chain whose pictures are shown there, and the depth buffer that the
 * parameters of the swap chain ask for. Devices of Direct3D 8 and 9 are made together with one, and draw to its buffers at first.
 * A face's device contains its frame; rt_device.frame points to it. Functions are called with the device's lock held, methods
 * (rt_device_TestCooperativeLevel) take it.
 */
#ifndef HALCYON_RUNTIME_FRAME_H
#define HALCYON_RUNTIME_FRAME_H

#include "runtime/common/device/device.h"
#include "runtime/common/device/swapchain.h"
#include "runtime/common/window/display.h"
#include "runtime/common/window/fullscreen.h"

struct rt_frame {
    struct rt_device *device;
    struct rt_swapchain *swapchain; /* the implicit one; held */
    struct rt_surface *auto_depth;  /* held; NULL: the parameters do not ask for it */
    struct rt_fullscreen fullscreen;
    uint32_t display_format; /* of the mode that the parameters select */
    struct rt_cursor cursor;
};

/* Switches the screen, makes the buffers, and then the device's context, which draws to them. The frame is zeroed, `params` have been
 * checked. The device owns the frame from now on; on failure it must be destroyed (rt_device_destroy). D3DERR_NOTAVAILABLE: the screen
 * does not have the mode. */
HRESULT rt_frame_init(struct rt_frame *frame, struct rt_device *device, const struct rt_present_params *params,
                      uint32_t display_format);
/* Reset, after the version has checked `params` and that the device is not lost: unbinds everything and recreates
 * buffers, context and states. Returns api->reset_refused while resources of the default pool exist. With
 * api->reset_keeps_all only buffers, targets and the sizes of viewport and scissor are new. The status becomes
 * operational, or not reset. */
HRESULT rt_frame_reset(struct rt_frame *frame, const struct rt_present_params *params, uint32_t display_format);

/* D3D_OK, D3DERR_DEVICELOST, D3DERR_DEVICENOTRESET. */
HRESULT WINAPI rt_device_TestCooperativeLevel(void *iface);

#endif
