/* SPDX-License-Identifier: MIT */
/*
 * Resources by handle: small numbers that the runtime gives out, one table for each DirectDraw object
 * (docs/reference/driver-calls.md, section 4).
 */
#ifndef HALCYON_HAL_HANDLES_H
#define HALCYON_HAL_HANDLES_H

#include <stdbool.h>
#include <stdint.h>

struct hal_driver;
struct hal_buffer;
struct hal_resource;
struct hal_resources;
struct hal_surface;

#define HAL_MAX_SURFACE_HANDLE 0xFFFFF

/* Grows with the handles in use. */
struct hal_handle_table {
    struct hal_resource **resources; /* by handle; NULL: unknown */
    uint32_t capacity;
    uint32_t changes; /* counts changes: code that caches the resource of a handle compares it */
};

/* The driver keeps one of these for each DirectDraw object (DDRAWI_DIRECTDRAW_LCL). */
struct hal_local {
    struct hal_local *next;
    const void *dd_local; /* compared, never read */
    struct hal_handle_table handles;
};

/* The handle table of a DirectDraw object; made on first use. */
struct hal_handle_table *hal_driver_handles(struct hal_driver *driver, const void *dd_local);
/* NULL: it has no table yet. */
struct hal_local *hal_driver_find_local(struct hal_driver *driver, const void *dd_local);
/* Makes room for a handle, so that hal_handles_name cannot fail. False: out of memory, or beyond
 * HAL_MAX_SURFACE_HANDLE. */
bool hal_handles_reserve(struct hal_handle_table *table, uint32_t handle);
/* Gives the resource this handle and no other; a resource that had the handle before has none. Room must be reserved; the
 * handle must not be 0. */
void hal_handles_name(struct hal_handle_table *table, uint32_t handle, struct hal_resource *resource);
/* False: out of memory, or a handle beyond HAL_MAX_SURFACE_HANDLE. NULL resource: the handle is unused. */
bool hal_handles_set(struct hal_handle_table *table, uint32_t handle, struct hal_resource *resource);
struct hal_resource *hal_handles_get(const struct hal_handle_table *table, uint32_t handle);

/* The resource that this handle names in a stream; NULL: none. */
struct hal_resource *hal_resource_of(const struct hal_resources *resources, uint32_t handle);
/* The surface, or the buffer, that it names; NULL: none, or the other type. */
struct hal_surface *hal_surface_of(const struct hal_resources *resources, uint32_t handle);
struct hal_buffer *hal_buffer_of(const struct hal_resources *resources, uint32_t handle);
/* True if the handle is 0 or names a surface of this kind. */
bool hal_find_target(const struct hal_resources *resources, uint32_t handle, uint32_t kind,
                     struct hal_surface **surface);

#endif
