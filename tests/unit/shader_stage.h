/* SPDX-License-Identifier: MIT */
/*
 * DirectX 9 shaders through the driver interface, for tests: a float target that a quad covers, shaders as assembly
 * text, and functions that read pixels. Coordinates of the quad run from 0 at the left (top) edge to 1 at the other, so
 * that pixel (x, y) has (x, y) / SIZE: centres lie on integers.
 */
#ifndef HALCYON_TESTS_SHADER_STAGE_H
#define HALCYON_TESTS_SHADER_STAGE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bytecode/bytecode.h"
#include "tests/stage/stage.h"

#define SIZE 16 /* pixels each way */

enum { /* D3DFORMAT, D3DRENDERSTATETYPE of DirectX 9 */
       FORMAT_A32B32G32R32F = 116,
       FORMAT_A16B16G16R16F = 113,
       FORMAT_R32F = 114,
       STATE_COLORWRITEENABLE1 = 190,
};

struct shader_scene {
    struct stage stage;
    struct client_chain *more[24]; /* further targets and textures */
    unsigned more_count;
    uint32_t next_handle;
};

struct quad_vertex {
    float position[4]; /* clip space */
    float texcoord[4]; /* u, v, 0, 1 */
    uint32_t color;
};

static const struct quad_vertex quad[4] = {
    {{-1, 1, 0.25f, 1}, {0, 0, 0, 1}, 0xff204060},
    {{1, 1, 0.25f, 1}, {1, 0, 0, 1}, 0xff204060},
    {{-1, -1, 0.25f, 1}, {0, 1, 0, 1}, 0xff204060},
    {{1, -1, 0.25f, 1}, {1, 1, 0, 1}, 0xff204060},
};

/* D3DVERTEXELEMENT9 */
struct element {
    uint16_t stream, offset;
    uint8_t type, method, usage, index;
};
static const struct element quad_elements[] = {{0, 0, 3, 0, 0, 0}, {0, 16, 3, 0, 5, 0}, {0, 32, 4, 0, 10, 0}};

static void check(const struct shader_scene *s)
{
    if (s->stage.failed)
        fail_msg("%s: %08x", s->stage.failed, (unsigned)s->stage.error);
}

static void put_words(struct shader_scene *s, uint8_t token, const uint32_t *words, size_t count)
{
    stage_command(&s->stage, token, 1, words, 4 * count);
}

static void declare(struct shader_scene *s, const struct element *elements, unsigned count)
{
    uint32_t body[2 + 2 * 64] = {s->next_handle, count};

    if (count)
        memcpy(&body[2], elements, count * sizeof(*elements));
    put_words(s, D3DDP2OP_CREATEVERTEXSHADERDECL, body, 2 + 2 * count);
    put_words(s, D3DDP2OP_SETVERTEXSHADERDECL, &s->next_handle, 1);
    s->next_handle += 2;
}

/* Assembles a text into tokens, after `head` free words; returns their number. */
static inline size_t assemble_text(const char *text, uint32_t *words, size_t capacity)
{
    struct shader_error error = {0};
    size_t count = shader_assemble(text, words, capacity, &error);

    if (!count)
        fail_msg("line %u: %s\n%s", (unsigned)error.offset, error.text, text);
    return count;
}

static void use_code(struct shader_scene *s, const char *text, uint8_t create, uint8_t set)
{
    static uint32_t body[8192];
    size_t count = text ? assemble_text(text, body + 2, ARRAY_COUNT(body) - 2) : 0;

    body[0] = text ? s->next_handle : 0;
    body[1] = (uint32_t)(4 * count);
    if (text)
        put_words(s, create, body, 2 + count);
    put_words(s, set, body, 1);
    s->next_handle += 2;
}

/* NULL: fixed function, the texture stages. */
static inline void use_vs(struct shader_scene *s, const char *text)
{
    use_code(s, text, D3DDP2OP_CREATEVERTEXSHADERFUNC, D3DDP2OP_SETVERTEXSHADERFUNC);
}

static inline void use_ps(struct shader_scene *s, const char *text)
{
    use_code(s, text, D3DDP2OP_CREATEPIXELSHADER, D3DDP2OP_SETPIXELSHADER);
}

static inline void set_floats(struct shader_scene *s, bool pixel, unsigned reg, float x, float y, float z, float w)
{
    const float value[4] = {x, y, z, w};

    stage_constants(&s->stage, pixel, reg, 1, value);
}

static inline void set_integers(struct shader_scene *s, bool pixel, unsigned reg, int x, int y, int z, int w)
{
    const uint32_t body[6] = {reg, 1, (uint32_t)x, (uint32_t)y, (uint32_t)z, (uint32_t)w};

    put_words(s, pixel ? D3DDP2OP_SETPIXELSHADERCONSTI : D3DDP2OP_SETVERTEXSHADERCONSTI, body, 6);
}

static inline void set_boolean(struct shader_scene *s, bool pixel, unsigned reg, bool value)
{
    const uint32_t body[3] = {reg, 1, value};

    put_words(s, pixel ? D3DDP2OP_SETPIXELSHADERCONSTB : D3DDP2OP_SETVERTEXSHADERCONSTB, body, 3);
}

#define VS_PASS                                                                                                 \
    "vs_3_0\ndcl_position v0\ndcl_texcoord v1\ndcl_color v2\ndcl_position o0\ndcl_texcoord0 o1\ndcl_color o2\n" \
    "mov o0, v0\nmov o1, v1\nmov o2, v2\n"
#define VS_PASS_2 "vs_2_0\ndcl_position v0\ndcl_texcoord v1\ndcl_color v2\nmov oPos, v0\nmov oT0, v1\nmov oD0, v2\n"

static inline int open_format(void **state, uint32_t format)
{
    struct shader_scene *s = calloc(1, sizeof(*s));

    if (!stage_open(&s->stage, SIZE, SIZE, format, D3DFMT_D24S8) || !stage_set_level(&s->stage, DDI_LEVEL_DX9)) {
        print_error("%s\n", s->stage.failed);
        return -1;
    }
    s->next_handle = 1;
    stage_state(&s->stage, D3DRS_CULLMODE, D3DCULL_NONE);
    stage_state(&s->stage, D3DRS_ZENABLE, FALSE);
    stage_state(&s->stage, D3DRS_LIGHTING, FALSE);
    declare(s, quad_elements, 3);
    stage_clear(&s->stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1.0f, 0);
    *state = s;
    return 0;
}

static inline int open_floats(void **state)
{
    return open_format(state, FORMAT_A32B32G32R32F);
}

static inline int open_bytes(void **state)
{
    return open_format(state, D3DFMT_A8R8G8B8);
}

static inline int close_stage(void **state)
{
    struct shader_scene *s = *state;

    stage_submit(&s->stage);
    for (unsigned i = 0; i < s->more_count; i++)
        client_chain_destroy(s->more[i]);
    stage_close(&s->stage);
    free(s);
    return 0;
}

/* A surface in addition to the target; its handle is client_handle(client_part(chain, 0)). */
static inline struct client_chain *add_surface(struct shader_scene *s, const struct client_chain_desc *desc)
{
    struct client_chain *chain = NULL;

    assert_int_equal(client_chain_create(s->stage.client, desc, &chain), DD_OK);
    s->more[s->more_count++] = chain;
    return chain;
}

static inline struct client_chain *add_target(struct shader_scene *s, unsigned index, uint32_t format)
{
    const struct client_chain_desc desc = {.usage = CLIENT_TARGET, .format = format, .width = SIZE, .height = SIZE};
    struct client_chain *chain = add_surface(s, &desc);
    const uint32_t body[2] = {index, client_handle(client_part(chain, 0))};

    put_words(s, D3DDP2OP_SETRENDERTARGET2, body, 2);
    return chain;
}

/* A 2D texture with these words in level 0 (and `rest` in all smaller levels), for a sampler's row. */
static inline uint32_t add_texture(struct shader_scene *s, uint32_t format, unsigned size, unsigned levels,
                                   const uint32_t *texels, uint32_t rest)
{
    const struct client_chain_desc desc = {
        .usage = CLIENT_TEXTURE, .format = format, .width = size, .height = size, .levels = levels};
    struct client_chain *chain = add_surface(s, &desc);

    for (unsigned level = 0; level < levels; level++) {
        struct client_lock lock;

        assert_int_equal(client_lock(client_level(chain, 0, level), NULL, 0, &lock), DD_OK);
        for (unsigned y = 0; y < size >> level; y++)
            for (unsigned x = 0; x < size >> level; x++) {
                const uint32_t word = level ? rest + level : texels[y * size + x];

                memcpy(lock.bits + y * lock.pitch + 4 * x, &word, 4);
            }
        client_unlock(client_level(chain, 0, level));
    }
    return client_handle(client_part(chain, 0));
}

static inline void draw_quad(struct shader_scene *s)
{
    stage_draw_vertices(&s->stage, D3DPT_TRIANGLESTRIP, 2, quad, 4, sizeof(quad[0]));
    check(s);
}

/* --- looking ------------------------------------------------------------------------------- */

static inline void read_surface(struct shader_scene *s, struct client_chain *chain, unsigned x, unsigned y, void *out,
                                size_t bytes)
{
    struct client_lock lock;

    stage_submit(&s->stage);
    check(s);
    assert_int_equal(client_lock(client_part(chain, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
    memcpy(out, lock.bits + y * lock.pitch + x * bytes, bytes);
    client_unlock(client_part(chain, 0));
}

static inline void surface_is(struct shader_scene *s, struct client_chain *chain, unsigned x, unsigned y, float r,
                              float g, float b, float a)
{
    const float wanted[4] = {r, g, b, a};
    float got[4];

    read_surface(s, chain, x, y, got, sizeof(got));
    for (unsigned c = 0; c < 4; c++)
        if (!(fabsf(got[c] - wanted[c]) <= 1e-5f * (1.0f + fabsf(wanted[c]))))
            fail_msg("pixel (%u, %u): (%g %g %g %g) instead of (%g %g %g %g)", x, y, (double)got[0], (double)got[1],
                     (double)got[2], (double)got[3], (double)r, (double)g, (double)b, (double)a);
}

/* A pixel of the first target, which must hold floats. */
static inline void pixel_is(struct shader_scene *s, unsigned x, unsigned y, float r, float g, float b, float a)
{
    surface_is(s, s->stage.target, x, y, r, g, b, a);
}

/* Draws the quad with a pixel shader without inputs and returns one pixel. */
static inline void draws(struct shader_scene *s, unsigned x, unsigned y, float r, float g, float b, float a)
{
    draw_quad(s);
    pixel_is(s, x, y, r, g, b, a);
}

static inline uint32_t word_at(struct shader_scene *s, struct client_chain *chain, unsigned x, unsigned y)
{
    uint32_t word;

    read_surface(s, chain, x, y, &word, sizeof(word));
    return word;
}

/* Checks that the create token with this text's tokens fails. */
static inline void is_refused(struct shader_scene *s, const char *text, bool pixel)
{
    use_code(s, text, pixel ? D3DDP2OP_CREATEPIXELSHADER : D3DDP2OP_CREATEVERTEXSHADERFUNC,
             pixel ? D3DDP2OP_SETPIXELSHADER : D3DDP2OP_SETVERTEXSHADERFUNC);
    if (stage_take_error(&s->stage) == DD_OK)
        fail_msg("the driver takes\n%s", text);
}

#endif
