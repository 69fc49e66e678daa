/* SPDX-License-Identifier: MIT */
/* Skipped draws: the reason, for the log (once each) and the observer. */
#ifndef HALCYON_HAL_VERTEX_SKIP_H
#define HALCYON_HAL_VERTEX_SKIP_H

#include <stdint.h>

struct hal_renderer;
struct hal_draw;

/* X(NUMBER, name, text): why a whole draw is skipped. */
#define HAL_SKIPS(X)                                                                                  \
    X(HAL_SKIP_FORMAT, "format", "its vertex format is not valid")                                    \
    X(HAL_SKIP_SHADER, "shader", "its vertex shader is unknown")                                      \
    X(HAL_SKIP_NO_VERTICES, "no-vertices", "the call brings no vertices")                             \
    X(HAL_SKIP_NO_INDICES, "no-indices", "no index buffer is bound")                                  \
    X(HAL_SKIP_TYPE, "type", "its primitive type is unknown")                                         \
    X(HAL_SKIP_NO_PRIMITIVES, "no-primitives", "it asks for no primitives")                           \
    X(HAL_SKIP_NO_VIEWPORT, "no-viewport", "the viewport has no pixels")                              \
    X(HAL_SKIP_BEYOND, "beyond", "its first vertex or index lies beyond the end of its buffer")       \
    X(HAL_SKIP_NO_TARGET, "no-target", "there is no target that can be drawn to")                     \
    X(HAL_SKIP_NO_POSITION, "no-position", "its vertex program gives no position")                    \
    X(HAL_SKIP_NO_POSITIONS, "no-positions", "the vertices of its patch have no positions")           \
    X(HAL_SKIP_NO_SURFACE, "no-surface", "its patch has a basis, degree or size that no surface has") \
    X(HAL_SKIP_UNKNOWN_PATCH, "unknown-patch", "its handle names no patch, and it describes none")    \
    X(HAL_SKIP_NO_MEMORY, "no-memory", "memory is short")

enum hal_skip {
#define HAL_SKIP_NUMBER(NUMBER, name, text) NUMBER,
    HAL_SKIPS(HAL_SKIP_NUMBER) HAL_SKIP_COUNT
};
const char *hal_skip_name(enum hal_skip why);
const char *hal_skip_text(enum hal_skip why);

/* Reports a skipped draw. draw: NULL if too little was looked up to access its data. number: the format, shader or type
 * concerned; each is logged once. */
void hal_skip_draw(struct hal_renderer *renderer, const struct hal_draw *draw, enum hal_skip why, uint32_t number);
/* Likewise, a draw for whose vertex format or shader there is no layout (hal_stream_layout). */
void hal_skip_without_layout(struct hal_renderer *renderer);
/* Tells the observer alone, of a draw that the caller has logged in more detail. */
void hal_skip_observe(const struct hal_renderer *renderer, const struct hal_draw *draw, enum hal_skip why);

#endif
