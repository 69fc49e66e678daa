/* SPDX-License-Identifier: MIT */
/* The ddraw.dll that the tests of DirectDraw call: loaded by its path, because a name finds Wine's. */
#ifndef TESTS_RUNTIME_DDRAW_DLL_H
#define TESTS_RUNTIME_DDRAW_DLL_H

#include <windows.h>

/* The dll in the program's folder. NULL: it is not there, which is printed as a comment of TAP. */
HMODULE load_ddraw(void);
/* An exported function of it; NULL: `library` is NULL or exports no such name, which is printed, too. */
FARPROC ddraw_export(HMODULE library, const char *name);

#endif
