/* SPDX-License-Identifier: MIT */
/*
 * Handles that the driver gives to runtimes: numbers in the shape of pointers, never dereferenced, so that any value can be looked up. One
 * table for the process holds all of them; a handle names its place there and carries a number that no other handle has had, so that a
 * handle is not mistaken for one that was released, or for another device's. (In 32 bits that number has 12 bits and repeats.)
 *
 * Any thread may call these functions.
 */
#ifndef HALCYON_UMD_HANDLES_H
#define HALCYON_UMD_HANDLES_H

#include <stdbool.h>
#include <stdint.h>

#include "d3d/types.h"

enum umd_kind {
    UMD_NOTHING,
    UMD_ADAPTER,
    UMD_DEVICE,
    UMD_RESOURCE,
    UMD_DECLARATION,
    UMD_VERTEX_SHADER,
    UMD_PIXEL_SHADER,
    UMD_QUERY,
    UMD_STATE_BLOCK,
};

/* owner: the device that the object belongs to; NULL: adapters and devices. Returns NULL: out of memory, or a million handles exist. */
HANDLE umd_handle_new(enum umd_kind kind, const void *owner, void *object);
void umd_handle_delete(HANDLE handle);
/* The object; NULL: the handle is none of this kind and owner. */
void *umd_handle_get(HANDLE handle, enum umd_kind kind, const void *owner);
/* A small number that no other living handle has, from 1 on. */
uint32_t umd_handle_number(HANDLE handle);
/* The owner's next handle after the place *from (first 0), which is moved; NULL: there are no more. */
HANDLE umd_handle_next(const void *owner, uint32_t *from);

/* Looks the object up and keeps others from it: alone, all of them; else only callers that want it alone. NULL: no such object, or it is
 * in use. */
void *umd_handle_enter(HANDLE handle, enum umd_kind kind, bool alone);
/* By a caller that has entered and not deleted the handle since. */
void umd_handle_leave(HANDLE handle);
/* By a caller that has entered alone: its thread holds the object, and keeps others from it, until it calls this with NULL and leaves.
 * Meanwhile it enters without an atomic operation, which costs more than most functions of the interface, and leaves by clearing *inside,
 * which umd_handle_enter has set. The thread must give the object up before it ends; *inside must exist until then. */
void umd_handle_hold(HANDLE handle, bool *inside);

#endif
