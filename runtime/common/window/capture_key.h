/* SPDX-License-Identifier: MIT */
/* HALCYON_CAPTURE_KEY: the key that captures the next frames (docs/capture-format.md, "Ranges"). */
#ifndef HALCYON_RUNTIME_CAPTURE_KEY_H
#define HALCYON_RUNTIME_CAPTURE_KEY_H

#include <stdbool.h>

#include <windows.h>

struct rt_capture_key {
    int code; /* virtual key; 0: no key */
    bool down;
    bool looked; /* once already */
};

/* Sets the key that the configuration names, or none if no folder for captures is configured. */
void rt_capture_key_init(struct rt_capture_key *key);
/* True if the key has been pressed since the last call while a window of this program had the focus. The program's
 * own input is not affected. */
bool rt_capture_key_pressed(struct rt_capture_key *key);

#endif
