/* SPDX-License-Identifier: MIT */
/* Shaders of all models: texts with random parts, and random bytecode. */
#include "tests/scenes/scenes.h"

#include "bytecode/bytecode.h"
#include "tests/unit/shader_random.h"

#include <stdio.h>
#include <string.h>

#define FIRST_PIXEL  101 /* handles of shaders are odd */
#define FIRST_VERTEX 201
#define DECLARATION  301
#define MAX_TEXT     2048

struct text {
    char chars[MAX_TEXT];
    size_t length;
};

static void put(struct text *text, const char *line)
{
    const size_t room = sizeof(text->chars) - text->length;
    const int written = snprintf(text->chars + text->length, room, "%s\n", line);

    if (written > 0 && (size_t)written < room)
        text->length += (size_t)written;
}

static void put_one(struct scene *s, struct text *text, const char *const *lines, unsigned count)
{
    put(text, lines[below(s, count)]);
}
#define PUT_ONE(s, text, lines) put_one(s, text, lines, ARRAY_COUNT(lines))

/* --- pixels ------------------------------------------------------------------------------------------ */

static void pixel_1_1(struct scene *s, struct text *text)
{
    static const char *const second[] = {"tex t1", "texkill t1", "texcoord t1", "texbem t1, t0", "texreg2ar t1, t0"};
    static const char *const colors[] = {"mul r0, t0, v0",    "mad r0, t0, c0, v1", "lrp r0, v0, t0, c1",
                                         "add_x2 r0, t0, v1", "mov r0, v1",         "mul r0, t0, v1"};
    static const char *const more[] = {"add_sat r0, r0, t1", "dp3 r0.xyz, r0_bx2, t1_bx2", "mul r0, r0, 1-t1",
                                       "mov r0, r0", "cnd r0, r0.w, v0, c1"};

    put(text, chance(s, 70) ? "ps_1_1" : "ps_1_3");
    put(text, "tex t0");
    PUT_ONE(s, text, second);
    PUT_ONE(s, text, colors);
    PUT_ONE(s, text, more);
}

static void pixel_1_4(struct scene *s, struct text *text)
{
    static const char *const second[] = {"texld r1, r0", "texcrd r1.xyz, t1\nmov r1.w, c0", "texkill t1\ntexld r1, t1",
                                         "texld r1, t1"};
    static const char *const colors[] = {"mul r0, r1, v0", "mad r0, r1, c0, v1", "lrp r0, c1, r1, r2",
                                         "add r0, r1, v1"};

    put(text, "ps_1_4\ntexcrd r0.xyz, t0\ntexld r2, t0\nadd r0.xyz, r0, c1\nphase");
    PUT_ONE(s, text, second);
    PUT_ONE(s, text, colors);
}

/* The body of shader models 2 and 3, where r0, r1 hold two coordinates and r2, r3 two colours; the result is in r0. */
static void pixel_body(struct scene *s, struct text *text, bool branches)
{
    static const char *const reads[] = {"texld r4, r0, s0", "texldp r4, r0, s0", "texldb r4, r0, s0",
                                        "mul r0, r0, c0\ntexld r4, r0, s0"};
    static const char *const more[] = {"texld r5, r1, s1", "mov r5, r1",   "texld r5, r4, s1",
                                       "frc r5, r1",       "rsq r5, r1.x", "exp r5, r1.y"};
    static const char *const kills[] = {"add r6, r1, -c1\ntexkill r6", "sub r6, r4, c0\ntexkill r6"};
    static const char *const flows[] = {"if_gt r1.x, c1.x\nmov r5, c0\nelse\nadd r5, r5, r4\nendif",
                                        "if_lt r2.x, c0.y\ntexldl r5, r1, s2\nendif",
                                        "rep i0\nadd r5, r5, c1\nbreak_gt r5.x, r2.y\nendrep",
                                        "dsx r6, r1\nadd r5, r5, r6",
                                        "texldd r5, r1, s2, r2, r3",
                                        "texldl r5, r0, s1"};
    static const char *const ends[] = {"mul r0, r4, r2", "mad r0, r4, r5, r3", "lrp r0, r2, r4, r5", "add r0, r4, r3",
                                       "mov r0, r3"};

    PUT_ONE(s, text, reads);
    PUT_ONE(s, text, more);
    if (branches)
        PUT_ONE(s, text, flows);
    if (chance(s, 30))
        PUT_ONE(s, text, kills);
    PUT_ONE(s, text, ends);
    if (chance(s, 15))
        put(text, "mad r6.x, r4.x, c0.y, c1.y\nmov oDepth, r6.x");
    if (chance(s, 30))
        put(text, "mov oC1, r3");
    put(text, "mov oC0, r0");
}

static void pixel_2_0(struct scene *s, struct text *text)
{
    put(text,
        "ps_2_0\ndcl t0\ndcl t1\ndcl v0\ndcl v1\ndcl_2d s0\ndcl_2d s1\nmov r0, t0\nmov r1, t1\nmov r2, v0\nmov r3, v1");
    pixel_body(s, text, false);
}

static void pixel_3_0(struct scene *s, struct text *text)
{
    put(text, "ps_3_0\ndefi i0, 3, 0, 0, 0\ndcl_texcoord v0\ndcl_texcoord1 v1\ndcl_color v2\ndcl_color1 v3\ndcl_2d "
              "s0\ndcl_2d s1\n"
              "dcl_2d s2");
    if (chance(s, 30))
        put(text, "dcl vPos.xy\nmov r0, v0\nmov r1, v1\nmul r2.xy, vPos, c1\nmov r2.zw, v2\nmov r3, v3");
    else
        put(text, "mov r0, v0\nmov r1, v1\nmov r2, v2\nmov r3, v3");
    pixel_body(s, text, true);
}

/* --- vertices ---------------------------------------------------------------------------------------- */

static void vertex_text(struct scene *s, struct text *text, unsigned model)
{
    static const char *const positions[] = {"m4x4 %s, v0, c0", "mad r0, v0, c4, c5\nmov r0.w, c5.w\nmov %s, r0",
                                            "m4x4 r0, v0, c0\nadd r0.x, r0.x, c5.y\nmov %s, r0"};
    static const char *const colors[] = {"mov %s, v5", "mul %s, v5, v3.z", "mad %s, v6, c5, v5"};
    static const char *const coordinates[] = {"mov %s, v7", "mad %s, v7, c4, c5", "mov %s, v8"};
    static const char *const outputs[2][5] = {{"oPos", "oD0", "oD1", "oT0", "oT1"}, {"o0", "o1", "o2", "o3", "o4"}};
    const char *const *out = outputs[model == 3];
    char line[160];

    put(text, model == 3 ? "vs_3_0" : model == 2 ? "vs_2_0" : "vs_1_1");
    put(text, "dcl_position v0\ndcl_normal v3\ndcl_color v5\ndcl_color1 v6\ndcl_texcoord v7\ndcl_texcoord1 v8");
    if (model == 3)
        put(text, "dcl_position o0\ndcl_color o1\ndcl_color1 o2\ndcl_texcoord o3\ndcl_texcoord1 o4");
#define PUT_OUTPUT(list, n) (snprintf(line, sizeof(line), (list)[below(s, ARRAY_COUNT(list))], out[n]), put(text, line))
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    PUT_OUTPUT(positions, 0);
    PUT_OUTPUT(colors, 1);
    PUT_OUTPUT(colors, 2);
    PUT_OUTPUT(coordinates, 3);
    PUT_OUTPUT(coordinates, 4);
#pragma GCC diagnostic pop
#undef PUT_OUTPUT
}

/* --- making ------------------------------------------------------------------------------------------ */

/* A shader that the driver refuses is refused with any settings: then the scene does not have it. */
static uint32_t create(struct scene *s, uint8_t token, uint32_t handle, const uint32_t *tokens, size_t count)
{
    static uint32_t body[RANDOM_MAX_TOKENS + 2];

    if (s->stage.failed || !count || count > RANDOM_MAX_TOKENS)
        return 0;
    body[0] = handle;
    body[1] = (uint32_t)(4 * count);
    memcpy(body + 2, tokens, 4 * count);
    stage_submit(&s->stage);
    stage_command(&s->stage, token, 1, body, 8 + 4 * count);
    return SUCCEEDED(stage_take_error(&s->stage)) ? handle : 0;
}

static uint32_t create_text(struct scene *s, uint8_t token, uint32_t handle, const struct text *text)
{
    static uint32_t tokens[RANDOM_MAX_TOKENS];
    struct shader_error error = {0};
    const size_t count = shader_assemble(text->chars, tokens, ARRAY_COUNT(tokens), &error);

    if (!count)
        scene_tell(s, "a shader cannot be assembled: line %u: %s", (unsigned)error.offset, error.text);
    return create(s, token, handle, tokens, count);
}

static uint32_t create_random(struct scene *s, uint32_t handle)
{
    static struct shader_random random;

    memset(&random, 0, sizeof(random));
    random.state = (uint64_t)scene_random(s) << 32 | scene_random(s);
    do {
        random_program(&random, 12);
    } while (random.tokens[0] >> 16 != 0xffff || (random.tokens[0] & 0xff) == 0xff);
    return create(s, D3DDP2OP_CREATEPIXELSHADER, handle, random.tokens, random.count);
}

static void make_pixel_shader(struct scene *s, unsigned n)
{
    static void (*const makers[])(struct scene *, struct text *) = {pixel_1_1, pixel_1_4, pixel_2_0, pixel_3_0,
                                                                    pixel_3_0};
    const uint32_t handle = FIRST_PIXEL + 2 * n;
    struct text text = {.length = 0};

    for (unsigned tries = 0; tries < 8 && !s->pixel_shaders[n] && chance(s, 30); tries++)
        s->pixel_shaders[n] = create_random(s, handle);
    if (s->pixel_shaders[n])
        return;
    makers[below(s, ARRAY_COUNT(makers))](s, &text);
    s->pixel_shaders[n] = create_text(s, D3DDP2OP_CREATEPIXELSHADER, handle, &text);
    if (!s->pixel_shaders[n])
        scene_tell(s, "a pixel shader was refused: %s", text.chars);
}

/* The D3DVERTEXELEMENT9 that replace D3DFVF_XYZ, NORMAL, DIFFUSE, SPECULAR and TEX2 of geometry.c. */
static void declare(struct scene *s)
{
    static const struct {
        uint32_t handle, count;
        struct {
            uint16_t stream, offset;
            uint8_t type, method, usage, index;
        } element[6];
    } body = {DECLARATION,
              6,
              {{0, 0, 2, 0, 0, 0},
               {0, 12, 2, 0, 3, 0},
               {0, 24, 4, 0, 10, 0},
               {0, 28, 4, 0, 10, 1},
               {0, 32, 1, 0, 5, 0},
               {0, 40, 1, 0, 5, 1}}};

    stage_command(&s->stage, D3DDP2OP_CREATEVERTEXSHADERDECL, 1, &body, sizeof(body));
}

static void make_vertex_shader(struct scene *s, unsigned n)
{
    struct text text = {.length = 0};

    vertex_text(s, &text, 1 + n % 3);
    s->vertex_shaders[n] = create_text(s, D3DDP2OP_CREATEVERTEXSHADERFUNC, FIRST_VERTEX + 2 * n, &text);
    if (!s->vertex_shaders[n])
        scene_tell(s, "a vertex shader was refused: %s", text.chars);
}

static void set_constants(struct scene *s)
{
    float transform[6][4] = {{1, 0, 0, 0},
                             {0, 1, 0, 0},
                             {0, 0, 0.5f, 0.25f},
                             {0, 0, chance(s, 60) ? 0.5f : 0, 1},
                             {fraction(s), fraction(s), fraction(s), 1},
                             {0.5f * fraction(s), 0.1f, 0.3f, 1 + fraction(s)}};
    float colors[4][4] = {{fraction(s), fraction(s), fraction(s), fraction(s)},
                          {0.2f * fraction(s), fraction(s), fraction(s), 1},
                          {1, 0.5f, 0.25f, 0},
                          {2, 1, 0, 1}};

    any_floats(s, transform[0], 24);
    any_floats(s, colors[0], 16);
    stage_constants(&s->stage, false, 0, 6, transform[0]);
    stage_constants(&s->stage, true, 0, 4, colors[0]);
}

/* Each context has its own shaders. */
void programs_make(struct scene *s)
{
    const uint64_t random = s->random;

    for (unsigned c = 0; c < 2 && !s->stage.failed; c++) {
        s->random = random;
        memset(s->pixel_shaders, 0, sizeof(s->pixel_shaders));
        memset(s->vertex_shaders, 0, sizeof(s->vertex_shaders));
        stage_submit(&s->stage);
        s->stage.context = s->contexts[c];
        for (unsigned n = 0; n < SCENE_PROGRAMS && has(s, PIXEL_SHADERS); n++)
            make_pixel_shader(s, n);
        if (has(s, VERTEX_SHADERS)) {
            declare(s);
            for (unsigned n = 0; n < SCENE_PROGRAMS; n++)
                make_vertex_shader(s, n);
        }
        set_constants(s);
        stage_submit(&s->stage);
    }
    s->stage.context = s->contexts[0];
    s->vertex_shader = SCENE_PROGRAMS;
}

void programs_change(struct scene *s)
{
    if (has(s, PIXEL_SHADERS) && chance(s, 50)) {
        const uint32_t handle = chance(s, 70) ? s->pixel_shaders[below(s, SCENE_PROGRAMS)] : 0;

        stage_command(&s->stage, D3DDP2OP_SETPIXELSHADER, 1, &handle, sizeof(handle));
    }
    if (has(s, VERTEX_SHADERS) && chance(s, 50))
        s->vertex_shader = below(s, SCENE_PROGRAMS + 3);
    if ((has(s, PIXEL_SHADERS) || has(s, VERTEX_SHADERS)) && chance(s, 30))
        set_constants(s);
}
