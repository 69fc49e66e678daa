/* SPDX-License-Identifier: MIT */
/*
 * An rt_adapter is the loaded driver and what it reports: capabilities, formats with their operations, multisample
 * types with their qualities, queries. The format checks of all versions of IDirect3D are answered here; the API layer
 * decides which of them a program may call, and with what parameters. A dll has one adapter, by the rules of its version: the
 * driver reports more to the runtimes of Direct3D 9 (docs/reference/driver-calls.md, section 6).
 */
#ifndef HALCYON_RUNTIME_ADAPTER_H
#define HALCYON_RUNTIME_ADAPTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "d3d/caps9.h"
#include "client/client.h"
#include "runtime/common/driver/rules.h"

/* --- what the driver reports ----------------------------------------------------------- */

struct rt_format_ops {
    uint32_t format;
    uint32_t operations; /* D3DFORMAT_OP_* */
    uint32_t samples;    /* bit n - 1: n samples can be drawn to; bit 0, with rules.has_nonmaskable: nonmaskable ones */
};

struct rt_adapter;

/* Reads all of it from a driver at hand, whose memory the adapter takes over. NULL: out of memory, or a driver that lacks what the
 * rules ask for; the driver is closed. */
struct rt_adapter *rt_adapter_create(const struct client_driver *driver, const struct rt_driver_rules *rules);
void rt_adapter_destroy(struct rt_adapter *adapter);
const struct client_driver *rt_adapter_driver(const struct rt_adapter *adapter);
const struct rt_driver_rules *rt_adapter_rules(const struct rt_adapter *adapter);
/* Counts presented frames of all devices, from 0. Writes "frames shown: N" to the log at 1, 10, 100... frames, which
 * `halcyon run` reads. */
uint32_t rt_adapter_next_frame(struct rt_adapter *adapter);
/* Writes the same line with the current number, if there was any frame. */
void rt_adapter_tell_frames(const struct rt_adapter *adapter);
const D3DCAPS8 *rt_adapter_caps(const struct rt_adapter *adapter);
/* As the driver reports them; the API layer fills in the runtime's own members. NULL without rules.asks_dx9. */
const struct d3d_caps9 *rt_adapter_caps9(const struct rt_adapter *adapter);
/* NULL: the driver does not list the format. */
const struct rt_format_ops *rt_adapter_format(const struct rt_adapter *adapter, uint32_t format);
/* Is the D3DQUERYTYPE among those offered? None is without rules.asks_dx9. */
bool rt_adapter_has_query(const struct rt_adapter *adapter, uint32_t type);

/* --- questions of IDirect3D ------------------------------------------------------------- */

/* D3DUSAGE_* that only d3d9types.h names. */
enum rt_usage {
    RT_USAGE_AUTOGENMIPMAP = 0x400,
    RT_USAGE_DMAP = 0x4000,
    RT_USAGE_QUERY_LEGACYBUMPMAP = 0x8000,
    RT_USAGE_QUERY_SRGBREAD = 0x10000,
    RT_USAGE_QUERY_FILTER = 0x20000,
    RT_USAGE_QUERY_SRGBWRITE = 0x40000,
    RT_USAGE_QUERY_POSTPIXELSHADER_BLENDING = 0x80000,
    RT_USAGE_QUERY_VERTEXTEXTURE = 0x100000,
    RT_USAGE_QUERY_WRAPANDMIP = 0x200000,
};
#define RT_OK_NOAUTOGEN ((HRESULT)0x0876086F) /* D3DOK_NOAUTOGEN */

/* X8R8G8B8, R5G6B5, X1R5G5B5. */
bool rt_is_display_format(uint32_t format);
/* Can surfaces of the format be drawn to, while the display has `display`? */
bool rt_can_be_target(const struct rt_format_ops *ops, uint32_t display, uint32_t format);
/* The driver's list decides, also for unknown FOURCCs: some of them name abilities, not formats. `usage`: D3DUSAGE_*
 * and, with rules.checks_usages, those above; `type`: D3DRTYPE_SURFACE to D3DRTYPE_CUBETEXTURE. D3D_OK, RT_OK_NOAUTOGEN where
 * all but AUTOGENMIPMAP is there, or D3DERR_NOTAVAILABLE. */
HRESULT rt_check_operations(const struct rt_adapter *adapter, uint32_t display, uint32_t usage, uint32_t type,
                            uint32_t format);
/* Likewise, for formats in which surfaces can be created. */
HRESULT rt_check_format(const struct rt_adapter *adapter, uint32_t display, uint32_t usage, uint32_t type,
                        uint32_t format);
/* Do the checks of IDirect3D report the format? Surfaces of some formats can be created although no card offered
 * them; programs that found them would take code paths that nobody has tested (docs/texturing.md). */
bool rt_format_is_offered(const struct rt_adapter *adapter, uint32_t format);
/* CheckDepthStencilMatch: D3D_OK, D3DERR_NOTAVAILABLE or D3DERR_INVALIDCALL. */
HRESULT rt_check_depth_match(const struct rt_adapter *adapter, uint32_t display, uint32_t target, uint32_t depth);
/* CheckDeviceMultiSampleType. `samples`: D3DMULTISAMPLE_TYPE, with rules.has_nonmaskable also 1, NONMASKABLE. *qualities (NULL is fine): how
 * many there are, 1 if the type is not available. */
HRESULT rt_check_multisample(const struct rt_adapter *adapter, uint32_t format, uint32_t samples, uint32_t *qualities);
/* CheckDeviceFormatConversion: can surfaces of `source` be shown, or stretched to, as `target`? Any number converts
 * to itself (Wine's test_format_conversion). The driver's blits convert more than this list of display formats
 * (RT_FORMAT_COLORS_FROM). */
HRESULT rt_check_conversion(const struct rt_adapter *adapter, uint32_t source, uint32_t target);

#endif
