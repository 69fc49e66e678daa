/* SPDX-License-Identifier: MIT */
/* SDL 1.2 as Windows has it, with what its video drivers need and no more: takes the place of SDL's file of this name. */
#ifndef _SDL_config_h
#define _SDL_config_h

#include "SDL_config_win32.h"

#undef SDL_AUDIO_DRIVER_DSOUND
#undef SDL_VIDEO_OPENGL
#undef SDL_VIDEO_OPENGL_WGL
#undef SDL_ASSEMBLY_ROUTINES

#endif
