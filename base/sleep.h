/* SPDX-License-Identifier: MIT */
#ifndef HALCYON_BASE_SLEEP_H
#define HALCYON_BASE_SLEEP_H

/* The calling thread sleeps for about so long. */
void sleep_milliseconds(unsigned milliseconds);
/* Other threads run, if some wait for the processor. */
void sleep_yield(void);

#endif
