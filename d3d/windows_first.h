/* SPDX-License-Identifier: MIT */
/*
 * windows.h as the Makefile compiles it once per width (a precompiled header), for the files that include it anyway: it is nine
 * tenths of what they take to compile. No file includes this one.
 */
#ifndef HALCYON_WINDOWS_FIRST_H
#define HALCYON_WINDOWS_FIRST_H

/* Tests call methods by macros, of which windows.h has those of IUnknown. Macros of other headers stay the choice of each file. */
#define COBJMACROS
#include <windows.h>
#undef COBJMACROS

#endif
