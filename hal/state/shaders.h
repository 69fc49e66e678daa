/* SPDX-License-Identifier: MIT */
/*
 * Shaders by handle: vertex shaders of DirectX 8, declarations and vertex functions of DirectX 9, pixel shaders
 * (shader_tokens.c).
 */
#ifndef HALCYON_HAL_STATE_SHADERS_H
#define HALCYON_HAL_STATE_SHADERS_H

#include "base/map.h"
#include "hal/vertex/stream.h"

#include <stddef.h>
#include <stdint.h>

struct hal_state;
struct shader_program;

/* Maximum bytes of all compiled shaders and declarations of a context: their memory is limited, not their number. */
#define HAL_MAX_SHADER_BYTES (512u << 20)

/* A vertex shader of DirectX 8 (declaration and code), a declaration or vertex function of DirectX 9, a pixel
 * shader (hal/state/shader_tokens.c). */
struct hal_shader {
    struct hal_layout layout;       /* of the declaration, if it has one */
    struct shader_program *program; /* of the code, if it has one */
    uint32_t declaration_bytes, code_bytes;
    size_t memory;   /* bytes: this structure, what follows it, and the program */
    uint8_t bytes[]; /* the declaration, then the code */
};

/* Called before a program is destroyed: its users must not refer to it afterwards. */
struct hal_shader_hook {
    struct hal_shader_hook *next;
    void (*forget)(void *user, const struct shader_program *program);
    void *user;
};

struct hal_shaders {
    struct base_map vertex_shaders, pixel_shaders, declarations, vertex_functions; /* hal_shader */
    size_t bytes; /* hal_shader.memory of all of them */
    uint64_t
        changes; /* grows when a shader is created or deleted, from 1 on: pointers to shaders are valid until then */
    struct hal_shader_hook *hooks;
};

/* For a new context. */
void hal_shaders_init(struct hal_shaders *shaders);
/* Adds a user of programs, which stays until the shaders are destroyed. */
void hal_shaders_watch(struct hal_shaders *shaders, struct hal_shader_hook *hook);
/* Frees all shaders; the context must have drawn everything, and must not draw with them again. */
void hal_shaders_destroy(struct hal_shaders *shaders);
/* The shader whose declaration is current; NULL: unknown. */
const struct hal_shader *hal_current_declaration(const struct hal_state *state, const struct hal_shaders *shaders);

#endif
