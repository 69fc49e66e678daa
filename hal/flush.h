/* SPDX-License-Identifier: MIT */
/* Why a scene is drawn: the reasons by number, with their names and texts (hal/scene.h). */
#ifndef HALCYON_HAL_FLUSH_H
#define HALCYON_HAL_FLUSH_H

/* X(NUMBER, name, text): why a scene is drawn. */
#define HAL_FLUSHES(X)                                                                                         \
    X(HAL_FLUSH_PRESENT, "present", "a picture of the scene is copied to the front buffer")                    \
    X(HAL_FLUSH_FLIP, "flip", "a surface of the scene changes its memory with another one")                    \
    X(HAL_FLUSH_LOCK, "lock", "the program locks a surface of the scene")                                      \
    X(HAL_FLUSH_LOCKED, "locked", "a picture was locked while the call drew, and the program may write to it") \
    X(HAL_FLUSH_BLIT, "blit", "a surface of the scene is copied, filled, or gets its levels")                  \
    X(HAL_FLUSH_TEXTURE, "texture", "a draw samples what the scene draws, or a texture that has changed")      \
    X(HAL_FLUSH_QUERY, "query", "a query counts what has been drawn")                                          \
    X(HAL_FLUSH_FEEDBACK, "feedback", "a feedback map that the scene marks is read, written or cleared")       \
    X(HAL_FLUSH_DEPTH, "depth", "the depth buffer is copied to a texture (RESZ)")                              \
    X(HAL_FLUSH_SURFACES, "surfaces", "the scene uses as many surfaces as it can")                             \
    X(HAL_FLUSH_VALUES, "values", "the values of its pixel programs take as much memory as they may")          \
    X(HAL_FLUSH_PROGRAMS, "programs", "the cache of programs of texture stages is full")                       \
    X(HAL_FLUSH_SHADER, "shader", "a shader is deleted")                                                       \
    X(HAL_FLUSH_SURFACE, "surface", "a surface of the scene is destroyed or changes its shape")                \
    X(HAL_FLUSH_CONTEXT, "context", "another context uses a surface of the scene")                             \
    X(HAL_FLUSH_END, "end", "the context is destroyed")                                                        \
    X(HAL_FLUSH_LOOK, "look", "a recording, a debugger or a test looks at what has been drawn")

enum hal_flush {
#define HAL_FLUSH_NUMBER(NUMBER, name, text) NUMBER,
    HAL_FLUSHES(HAL_FLUSH_NUMBER) HAL_FLUSH_COUNT
};
const char *hal_flush_name(enum hal_flush why);
const char *hal_flush_text(enum hal_flush why);

#endif
