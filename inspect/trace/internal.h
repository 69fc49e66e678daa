/* SPDX-License-Identifier: MIT */
/* Shared by the traces of pixels and vertices. */
#ifndef HALCYON_INSPECT_TRACE_INTERNAL_H
#define HALCYON_INSPECT_TRACE_INTERNAL_H

#include "inspect/trace/trace.h"

/* pixel.c: goes to an action, which must be a draw. False: see the error. */
bool inspect_trace_begin(struct inspect *session, uint32_t action, struct capture_error *error);

#endif
