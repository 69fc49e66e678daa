/* SPDX-License-Identifier: MIT */
#ifndef HALCYON_BASE_SLEEP_H
#define HALCYON_BASE_SLEEP_H

/* The calling thread sleeps for about so long. */
void sleep_milliseconds(unsigned milliseconds);

#endif
