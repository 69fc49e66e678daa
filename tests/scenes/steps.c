/* SPDX-License-Identifier: MIT */
/* The steps of a scene: draws, and everything between them. */
#include "tests/scenes/scenes.h"

#include "d3d/feedback.h"
#include "dp2/tokens.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* --- random numbers and stories ----------------------------------------------------------------------- */

/* SplitMix64 (Steele, Lea, Flood 2014). */
uint32_t scene_random(struct scene *s)
{
    uint64_t v = s->random += UINT64_C(0x9e3779b97f4a7c15);

    v = (v ^ v >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    v = (v ^ v >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((v ^ v >> 31) >> 32);
}

/* As bits, because signalling floats would not survive being passed as floats. */
static const uint32_t strange_floats[] = {
    0x7fc00000, 0xffc12345, 0x7f800001, /* NaN: quiet, negative with a payload, signalling */
    0x7f800000, 0xff800000,             /* infinite */
    0x7149f2ca, 0xf149f2ca,             /* 1e30 */
    0x7f7fffff, 0xff7fffff,             /* the greatest */
    0x00000001, 0x807fffff, 0x0da24260, /* denormal, and 1e-30 */
    0x80000000,                         /* -0 */
    0x4f000000, 0xcf000000, 0x4f800000, /* 2^31, 2^32 */
    0x4b000001, 0x47800000,             /* 2^23 + 1, 65536 */
};

static void make_strange(struct scene *s, float *f)
{
    memcpy(f, &strange_floats[below(s, ARRAY_COUNT(strange_floats))], sizeof(*f));
}

float any_float(struct scene *s, float usual)
{
    if (has(s, STRANGE_FLOATS) && chance(s, 20))
        make_strange(s, &usual);
    return usual;
}

void any_floats(struct scene *s, float *floats, unsigned count)
{
    if (!has(s, STRANGE_FLOATS) || !chance(s, 20))
        return;
    for (unsigned n = 1 + below(s, BASE_MIN(count, 4u)); n; n--)
        make_strange(s, &floats[below(s, count)]);
}

/* Each step has its own sequence of random numbers. */
static void begin_step(struct scene *s, unsigned step)
{
    s->step = step;
    s->random = s->order->seed * UINT64_C(0x2545f4914f6cdd1d) + (uint64_t)step * UINT64_C(0xd1342543de82ef95);
    scene_random(s);
}

void scene_tell(struct scene *s, const char *format, ...)
{
    char *story = s->result->story[BASE_MIN(s->step, SCENE_MAX_STEPS - 1)];
    const size_t used = strlen(story), room = sizeof(s->result->story[0]) - used;
    va_list args;

    if (room < 4)
        return;
    va_start(args, format);
    if (used)
        memcpy(story + used, "; ", 3);
    vsnprintf(story + used + (used ? 2 : 0), room - (used ? 2 : 0), format, args);
    va_end(args);
}

/* --- steps ---------------------------------------------------------------------------------------------- */

static void draw(struct scene *s)
{
    for (unsigned n = 1 + below(s, 3); n; n--) {
        states_change(s);
        geometry_draw(s);
    }
}

static void clear(struct scene *s)
{
    static const float depths[] = {1, 1, 0.5f, 0.3f, 0};
    const uint32_t flags = 1 + below(s, 7), color = scene_random(s),
                   stencil = chance(s, 70) ? below(s, 4) : below(s, 256);
    const float depth = any_float(s, chance(s, 80) ? depths[below(s, ARRAY_COUNT(depths))] : fraction(s));
    const unsigned count = chance(s, 60) ? 0 : 1 + below(s, 3);
    D3DRECT rects[3];

    for (unsigned i = 0; i < count; i++) {
        const LONG x = (LONG)below(s, s->width), y = (LONG)below(s, s->height);

        rects[i] = (D3DRECT){x, y, x + (LONG)below(s, 200), y + (LONG)below(s, 200)};
    }
    scene_tell(s, "clear %u, depth %.2f, stencil %u, %u rectangles", (unsigned)flags, (double)depth, (unsigned)stencil,
               count);
    stage_submit(&s->stage);
    if (!s->stage.failed) /* refused without a depth buffer that has the components to clear */
        client_clear(s->stage.client, s->stage.context, flags, color, depth, stencil, count ? rects : NULL, count);
}

/* Targets that share the depth buffer, one with its own depth that may be read as a texture, and no depth. */
static void change_target(struct scene *s)
{
    const unsigned t = below(s, has(s, TARGET_TEXTURE) ? 3 : 2);
    const unsigned own = t == 2;
    const bool depth = chance(s, 85);
    const D3DHAL_DP2SETRENDERTARGET body = {world_handle(s->targets[t]), depth ? world_handle(s->depths[own]) : 0};

    const bool second = t == 0 && has(s, PIXEL_SHADERS) && chance(s, 50);
    const uint32_t more[2] = {1, second ? world_handle(s->targets[1]) : 0};

    scene_tell(s, "target %u%s%s", t, second ? " and 1" : "", depth ? "" : " without depth");
    stage_command(&s->stage, D3DDP2OP_SETRENDERTARGET, 1, &body, sizeof(body));
    if (has(s, PIXEL_SHADERS))
        stage_command(&s->stage, D3DDP2OP_SETRENDERTARGET2, 1, more, sizeof(more));
}

static void change_context(struct scene *s)
{
    stage_submit(&s->stage);
    s->stage.context = s->contexts[s->stage.context == s->contexts[0]];
    scene_tell(s, "the other context");
}

static struct client_chain *any_surface(struct scene *s)
{
    const unsigned n = below(s, 6);

    return n < 2 ? s->targets[n] : n == 2 ? s->targets[2] : s->textures[below(s, 6)];
}

static RECT any_rect(struct scene *s, const struct client_surface *surface)
{
    const LONG x = (LONG)below(s, surface->width), y = (LONG)below(s, surface->height);

    return (RECT){x, y, x + 1 + (LONG)below(s, surface->width - (unsigned)x),
                  y + 1 + (LONG)below(s, surface->height - (unsigned)y)};
}

/* A copy within a target or a depth buffer, with all samples. */
static void move_part(struct scene *s)
{
    struct client_chain *chain = chance(s, 50) ? s->targets[below(s, 2)] : s->depths[0];
    const RECT from = any_rect(s, client_part(chain, 0));
    const LONG x = -(LONG)below(s, (unsigned)from.left + 1), y = -(LONG)below(s, (unsigned)from.top + 1);
    const RECT to = {from.left + x, from.top + y, from.right + x, from.bottom + y};
    const bool back = chance(s, 50);

    scene_tell(s, "part of surface %u moves", (unsigned)world_handle(chain));
    client_blt(client_part(chain, 0), back ? &from : &to, client_part(chain, 0), back ? &to : &from, 0);
}

/* Fills and copies; copies between incompatible formats are refused. */
static void blit(struct scene *s)
{
    struct client_surface *to = client_part(any_surface(s), 0), *from = client_part(any_surface(s), 0);
    const RECT rect = any_rect(s, to), source = any_rect(s, from);

    stage_submit(&s->stage);
    if (s->stage.failed)
        return;
    if (chance(s, 20)) {
        move_part(s);
    } else if (chance(s, 40)) {
        scene_tell(s, "fill of surface %u", (unsigned)client_handle(to));
        client_fill(to, &rect, scene_random(s));
    } else if (chance(s, 20)) {
        scene_tell(s, "fill of depth");
        client_fill_depth(client_part(s->depths[0], 0), NULL, scene_random(s));
    } else {
        scene_tell(s, "blit of surface %u to %u", (unsigned)client_handle(from), (unsigned)client_handle(to));
        client_blt(to, &rect, from, &source, 0);
    }
}

/* Textures and targets are written while scenes that read them wait. */
static void write_memory(struct scene *s)
{
    struct client_chain *chain =
        chance(s, 70) ? s->textures[below(s, SCENE_TEXTURES)] : s->targets[below(s, SCENE_TARGETS)];

    if (has(s, STRANGE_FLOATS) && chance(s, 20)) /* of which some formats are floats */
        chain = s->depths[0];
    const unsigned part = below(s, world_part_count(chain));

    stage_submit(&s->stage);
    scene_tell(s, "memory of surface %u, part %u", (unsigned)world_handle(chain), part);
    world_fill(s, chain, part, chance(s, 50) && chain->usage & CLIENT_DYNAMIC ? DDLOCK_DISCARDCONTENTS : 0);
}

static void read_memory(struct scene *s)
{
    const unsigned n = below(s, 5);

    scene_tell(s, "a look at %s %u", n < 3 ? "target" : "depth", n < 3 ? n : n - 3);
    world_record(s, n < 3 ? "target in between" : "depth in between",
                 client_part(n < 3 ? s->targets[n] : s->depths[n - 3], 0));
}

static void present(struct scene *s)
{
    stage_submit(&s->stage);
    scene_tell(s, "a frame ends");
    if (!s->stage.failed)
        client_blt(client_part(s->screen, 0), NULL, client_part(s->targets[0], 0), NULL,
                   DDBLT_PRESENTATION | DDBLT_LAST_PRESENTATION);
    world_record(s, "target at the end of a frame", client_part(s->targets[0], 0));
}

/* An occlusion query begins, or ends and is answered over the commands of the call that ended it. */
static void query(struct scene *s)
{
    const uint32_t create[2] = {1, 9}, issue[2] = {1, s->query_open ? 1 : 2};
    struct client_draw call = {.context = s->contexts[0], .commands = client_part(s->answers, 0)};
    struct dp2_builder builder;
    struct client_lock lock;

    stage_submit(&s->stage);
    if (s->stage.failed || FAILED(client_lock(call.commands, NULL, DDLOCK_DISCARDCONTENTS, &lock)))
        return;
    scene_tell(s, "a query %s", s->query_open ? "ends" : "begins");
    memset(lock.bits, 0, 64);
    dp2_builder_init(&builder, lock.bits, 1024);
    if (!s->query_open)
        dp2_put(&builder, D3DDP2OP_CREATEQUERY, 1, create, sizeof(create));
    dp2_put(&builder, D3DDP2OP_ISSUEQUERY, 1, issue, sizeof(issue));
    client_unlock(call.commands);
    call.command_length = (uint32_t)builder.length;
    if (FAILED(client_draw(s->stage.client, &call)) || !s->query_open ||
        FAILED(client_lock(call.commands, NULL, DDLOCK_READONLY, &lock))) {
        s->query_open = !s->query_open;
        return;
    }
    world_record_bytes(s, "answer of a query", lock.bits, BASE_MIN(call.error_offset, 64u));
    client_unlock(call.commands);
    s->query_open = false;
}

/* Maps are cleared, copied and read. */
static void feedback(struct scene *s)
{
    const unsigned m = below(s, SCENE_MAPS);

    if (!s->maps[m])
        return;
    stage_submit(&s->stage);
    if (chance(s, 40)) {
        scene_tell(s, "map %u is cleared", m);
        client_fill(client_part(s->maps[m], 0), NULL, 0);
    } else {
        const uint32_t pair[2] = {world_handle(s->textures[m]), chance(s, 60) ? world_handle(s->maps[m]) : 0};

        scene_tell(s, "map %u is %spaired with its texture", m, pair[1] ? "" : "no longer ");
        stage_command(&s->stage, DP2OP_SETFEEDBACK, 1, pair, sizeof(pair));
        if (chance(s, 40))
            world_record_maps(s);
    }
}

/* --- scenes ----------------------------------------------------------------------------------------------- */

static void choose_features(struct scene *s)
{
    static const uint8_t percent[FEATURE_COUNT] = {
        [DEPTH] = 80,
        [STENCIL] = 35,
        [ALPHA_TEST] = 30,
        [BLEND] = 40,
        [FOG] = 20,
        [DITHER] = 20,
        [COVERAGE] = 25,
        [CONSERVATIVE] = 20,
        [RASTERIZER_OBJECT] = 15,
        [FEEDBACK] = 40,
        [CLIP_PLANES] = 12,
        [POINT_SPRITES] = 20,
        [LINES] = 20,
        [PATCHES] = 10,
        [VERTEX_SHADERS] = 30,
        [PIXEL_SHADERS] = 40,
        [TWO_CONTEXTS] = 25,
        [TARGET_CHANGES] = 35,
        [TARGET_TEXTURE] = 35,
        [BLITS] = 25,
        [MEMORY_WRITES] = 30,
        [READBACKS] = 25,
        [QUERIES] = 35,
        [SCISSOR] = 20,
        [VIEWPORTS] = 20,
        [CLEARS] = 75,
        [BUFFERS] = 45,
        [DEPTH_BOUNDS] = 8,
        [ALPHA_COVERAGE] = 12,
        [LIGHTING] = 20,
        [FILL_MODES] = 20,
        [STRANGE_FLOATS] = 20,
    };

    for (unsigned f = 0; f < FEATURE_COUNT; f++)
        if (chance(s, percent[f]))
            s->features |= UINT64_C(1) << f;
}

static void take_step(struct scene *s)
{
    static const struct {
        enum feature feature;
        uint8_t weight;
        void (*take)(struct scene *s);
    } kinds[] = {
        {CLEARS, 12, clear},
        {TARGET_CHANGES, 8, change_target},
        {TWO_CONTEXTS, 8, change_context},
        {BLITS, 5, blit},
        {MEMORY_WRITES, 6, write_memory},
        {READBACKS, 3, read_memory},
        {QUERIES, 8, query},
        {FEEDBACK, 6, feedback},
        {FEATURE_COUNT, 3, present},
    };
    unsigned at = below(s, 80);

    for (unsigned k = 0; k < ARRAY_COUNT(kinds); k++) {
        if (kinds[k].feature != FEATURE_COUNT && !has(s, kinds[k].feature))
            continue;
        if (at < kinds[k].weight) {
            kinds[k].take(s);
            return;
        }
        at -= kinds[k].weight;
    }
    draw(s);
}

/* Gives both pairs of surfaces initial contents. */
static void first_clears(struct scene *s)
{
    for (unsigned c = 0; c < 2; c++) {
        s->stage.context = s->contexts[c];
        stage_submit(&s->stage);
        if (!s->stage.failed)
            client_clear(s->stage.client, s->stage.context, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, scene_random(s), 1, 0,
                         NULL, 0);
        stage_submit(&s->stage);
    }
    world_fill(s, s->targets[1], 0, 0);
    s->stage.context = s->contexts[0];
}

void scene_play(const struct order *order, struct result *result, uint8_t *wanted)
{
    static struct scene scene;
    struct scene *s = &scene;

    memset(s, 0, sizeof(*s));
    memset(result, 0, sizeof(*result));
    s->order = order;
    s->result = result;
    s->wanted = wanted;
    begin_step(s, SCENE_MAX_STEPS);
    choose_features(s);
    s->step_count = result->steps = 8 + below(s, 28);
    world_open(s);
    scene_tell(s, "%ux%u, %u samples, features %#llx", s->width, s->height, BASE_MAX(s->samples, 1u),
               (unsigned long long)s->features);
    if (!s->stage.failed) {
        programs_make(s);
        first_clears(s);
    }
    for (unsigned n = 0; n < s->step_count; n++) {
        begin_step(s, n);
        if (!(order->skipped >> n & 1))
            take_step(s);
    }
    world_close(s);
    if (s->stage.failed) {
        result->failed = (uint32_t)s->stage.error;
        snprintf(result->failure, sizeof(result->failure), "%s", s->stage.failed);
    }
}
