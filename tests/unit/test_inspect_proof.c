/* SPDX-License-Identifier: MIT */
/*
 * The frame debugger's answers compared with reality: every draw of a frame has a row, a picture and a state; the
 * history of a pixel ends in the picture; and draws that are changed to fail on purpose fail for that reason.
 *
 * test_inspect_proof [--pixels N] [--failures N] [--seed N] [--frame N] [CAPTURE...]
 *
 * In each capture the frame with the most draws is tested, or that of --frame. Without captures: a little of each text
 * of the tree.
 *
 * test_inspect_proof --broken CAPTURE
 *
 * Plays the capture on a driver that is broken on purpose: it aborts as soon as the stencil test has been switched on.
 */
#include "inspect_fixture.h"

#include "base/base.h"
#include "bytecode/bytecode.h"
#include "d3d/ddi.h"
#include "hal/context.h"
#include "hal/vertex/clip.h"
#include "hal/vertex/front_end.h"
#include "inspect/draws.h"
#include "inspect/internal.h"
#include "inspect/pixel/draw.h"
#include "inspect/pixel/pixel.h"
#include "inspect/picture/shot.h"
#include "inspect/state/state.h"
#include "tools/edit/stream.h"
#include "tests/random.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>

static unsigned wanted_pixels = 4, wanted_failures = 3;
static long wanted_frame = -1;
/* --- a capture ----------------------------------------------------------------------------------- */

struct proof {
    const char *path;
    const struct fixture_capture *capture;
    uint32_t frame;
    struct capture_reader *reader;
    struct inspect *session;
    struct action_targets *targets; /* by action of the frame */
    double longest;                 /* history of a pixel, seconds */
    uint64_t pixels, compared, rows;
};

/* The surfaces that an action writes, by the rows of inspect_draws. */
struct action_targets {
    uint32_t color[HAL_INSPECT_TARGETS], depth;
};

static void open_session(struct proof *p, const struct fixture_capture *capture)
{
    static const struct inspect_options options;
    struct capture_error error;

    p->reader = capture_open_memory(capture->bytes, capture->size, &error);
    assert_non_null(p->reader);
    p->session = inspect_open(p->reader, &options, &error);
    assert_non_null(p->session);
}

static void close_session(struct proof *p)
{
    inspect_close(p->session);
    capture_close(p->reader);
}

static void load(struct proof *p)
{
    struct capture_error error;

    if (!inspect_load(p->session, p->frame, &error))
        fail_msg("%s: frame %" PRIu32 ": %s", p->path, p->frame, error.text);
}

static const struct capture_frame *shown_frame(const struct inspect *session)
{
    const struct inspect_events *events = &session->index.events;

    return events->count && events->list[events->count - 1].type == CAPTURE_FRAME
               ? (const void *)events->list[events->count - 1].data
               : NULL;
}

/* The frame with the most draws; returns false if no frame has a draw and shows anything. */
static bool choose_frame(struct proof *p)
{
    struct capture_error error;
    size_t most = 0;

    for (uint32_t frame = 0; inspect_load(p->session, frame, &error); frame++) {
        const struct capture_frame *shown = shown_frame(p->session);
        size_t draws = 0;

        for (size_t i = 0; i < inspect_action_count(p->session); i++)
            draws += inspect_action(p->session, i)->kind == INSPECT_DRAW;
        if (!shown || !shown->surface || (wanted_frame >= 0 && frame != wanted_frame) || draws <= most)
            continue;
        most = draws;
        p->frame = frame;
    }
    return most > 0;
}

/* --- rows, pictures, states ---------------------------------------------------------------------- */

struct rows {
    size_t count;
    struct action_targets *targets; /* by action */
};

static bool count_row(void *user, const struct inspect_draw *draw)
{
    struct rows *rows = user;
    struct action_targets *targets = &rows->targets[rows->count];

    assert_int_equal(draw->place.draw, rows->count++);
    memcpy(targets->color, draw->target, sizeof(targets->color));
    targets->depth = draw->depth;
    return true;
}

/* Returns the number of draws. */
static unsigned check_draws(struct proof *p)
{
    const size_t count = inspect_action_count(p->session);
    struct rows rows = {.targets = calloc(count + 1, sizeof(*rows.targets))};
    struct capture_error error;
    unsigned draws = 0;

    assert_non_null(rows.targets);
    p->targets = rows.targets;
    assert_true(inspect_draws(p->session, count_row, &rows, &error));
    assert_int_equal(rows.count, count);
    for (uint32_t i = 0; i < count; i++) {
        struct inspect_shot shot;
        struct inspect_state state;

        if (inspect_action(p->session, i)->kind != INSPECT_DRAW)
            continue;
        draws++;
        /* A shadow map has no colours. */
        if (!inspect_shoot(p->session, i, INSPECT_SHOW_COLOR, NULL, &shot, &error) &&
            !inspect_shoot(p->session, i, INSPECT_SHOW_DEPTH, NULL, &shot, &error)) {
            if (rows.targets[i].color[0])
                fail_msg("%s: draw %" PRIu32 ".%" PRIu32 " has no picture: %s", p->path, p->frame, i, error.text);
        } else {
            assert_true(shot.picture.width > 0 && shot.picture.height > 0);
            free(shot.picture.pixels);
        }
        assert_true(inspect_seek(p->session, i + (size_t)1, &error));
        if (!inspect_state(p->session, 0, &state, &error) || state.count < 1000)
            fail_msg("%s: draw %" PRIu32 ".%" PRIu32 " has no state: %s", p->path, p->frame, i, error.text);
        inspect_state_free(&state);
    }
    return draws;
}

/* --- histories ----------------------------------------------------------------------------------- */

/* Pixels, row after row. */
struct chain {
    struct proof *p;
    uint32_t surface; /* 0: the picture */
    unsigned x, y;
    struct inspect_pixel at;
};

static void check_colors(const struct chain *chain, const struct inspect_pixel *pixel,
                         const struct inspect_place *place)
{
    assert_true(chain->at.has_color == pixel->has_color);
    for (unsigned s = 0; pixel->has_color && s < pixel->samples; s++)
        if (memcmp(chain->at.raw[s], pixel->raw[s], pixel->bytes))
            fail_msg("%s: %u,%u does not continue where it ended at %" PRIu32 ".%" PRIu32, chain->p->path, chain->x,
                     chain->y, place->frame, place->draw);
}

/* Draws and clears are in the history of their targets and of no other surface. */
static void check_surface(const struct chain *chain, const struct inspect_pixel_row *row)
{
    const struct action_targets *targets = &chain->p->targets[row->place.draw];
    bool is_target = row->surface == targets->depth;

    chain->p->rows++;
    for (unsigned t = 0; t < HAL_INSPECT_TARGETS; t++)
        is_target |= row->surface == targets->color[t];
    if ((row->action.kind == INSPECT_DRAW || row->action.kind == INSPECT_CLEAR) && !is_target)
        fail_msg("%s: %u,%u of #%" PRIu32 ": %" PRIu32 ".%" PRIu32 " does not draw there", chain->p->path, chain->x,
                 chain->y, row->surface, row->place.frame, row->place.draw);
}

/* A flip gives the surface the contents of another one; of the picture they stay the same. */
static bool follow_flip(struct chain *chain, const struct inspect_pixel_row *row)
{
    if (!chain->surface)
        check_colors(chain, &row->after, &row->place);
    else if (row->surface == chain->surface)
        check_colors(chain, &row->before, &row->place);
    if (!chain->surface || row->surface == chain->surface)
        chain->at = row->after;
    return true;
}

static bool follow_row(void *user, const struct inspect_pixel_row *row)
{
    struct chain *chain = user;

    check_surface(chain, row);
    if (row->from)
        return follow_flip(chain, row);
    if (chain->surface && row->surface != chain->surface)
        return true; /* memory that a later flip gives to the surface */
    check_colors(chain, &row->before, &row->place);
    if (row->disagrees)
        fail_msg("%s: %u,%u: the primitives of %" PRIu32 ".%" PRIu32 " leave something else than the draw",
                 chain->p->path, chain->x, chain->y, row->place.frame, row->place.draw);
    for (size_t i = 0; i < BASE_MIN(row->fragment_count, (size_t)INSPECT_MOST_FRAGMENTS); i++) {
        const struct inspect_fragment *f = &row->fragments[i];

        check_colors(chain, &f->before, &row->place);
        chain->at = f->after;
        assert_true((f->otherwise == INSPECT_NOT_TRIED) == (f->verdict >= INSPECT_BLENDED));
    }
    if (row->fragment_count && row->fragment_count <= INSPECT_MOST_FRAGMENTS)
        check_colors(chain, &row->after, &row->place);
    chain->at = row->after;
    return true;
}

static float mean_of_samples(const struct inspect_pixel *pixel, unsigned component)
{
    float sum = 0;

    for (unsigned s = 0; s < pixel->samples; s++)
        sum += pixel->color[s][component];
    return sum / (float)pixel->samples;
}

/* Does the pixel have the colour of the picture? A mean is rounded there, and so are formats with fewer bits. */
static bool is_shown(const struct inspect_pixel *pixel, uint32_t shown)
{
    const float most = pixel->bytes == 4 && pixel->samples == 1 ? 0.01f : 1.0f;

    for (unsigned c = 0; c < 3; c++)
        if (fabsf(mean_of_samples(pixel, c) * 255.0f - (float)(shown >> (16 - 8 * c) & 255)) > most)
            return false;
    return true;
}

/* A pixel of a random surface that an action of the frame draws to, or which holds its depth. */
static void check_other_surface(struct proof *p)
{
    const size_t count = inspect_action_count(p->session);
    const struct action_targets *targets = &p->targets[random_below((uint32_t)count)];
    const unsigned which = random_below(HAL_INSPECT_TARGETS + 1);
    const uint32_t surface = which < HAL_INSPECT_TARGETS ? targets->color[which] : targets->depth;
    const struct player_surface *owner = surface ? player_surface_of(p->session->player, surface) : NULL;
    struct chain chain = {.p = p, .surface = surface};
    struct inspect_pixel last;
    struct capture_error error = {0};

    if (!owner || !owner->gbl.wWidth || !owner->gbl.wHeight)
        return;
    chain.x = random_below(owner->gbl.wWidth);
    chain.y = random_below(owner->gbl.wHeight);
    if (!inspect_pixel(p->session, surface, chain.x, chain.y, UINT32_MAX, follow_row, &chain, &chain.at, &last, &error))
        fail_msg("%s: %u,%u of #%" PRIu32 ": %s", p->path, chain.x, chain.y, surface, error.text);
    check_colors(&chain, &last, &(struct inspect_place){p->frame, UINT32_MAX});
    p->pixels++;
}

static void check_histories(struct proof *p)
{
    const struct capture_frame *frame = shown_frame(p->session);
    struct player_picture picture = {0};
    struct capture_error error = {0};

    assert_true(inspect_finish(p->session, &error));
    if (!player_grab(inspect_player(p->session), frame, &picture, &error))
        return; /* a hostile capture */
    for (unsigned i = 0; i < wanted_pixels; i++) {
        struct chain chain = {.p = p, .x = random_below(picture.width), .y = random_below(picture.height)};
        const double start = clock_seconds();
        struct inspect_pixel last;

        if (i % 4 == 3) {
            check_other_surface(p);
            continue;
        }
        if (!inspect_pixel(p->session, 0, chain.x, chain.y, UINT32_MAX, follow_row, &chain, &chain.at, &last, &error))
            fail_msg("%s: %u,%u: %s", p->path, chain.x, chain.y, error.text);
        p->longest = BASE_MAX(p->longest, clock_seconds() - start);
        check_colors(&chain, &last, &(struct inspect_place){p->frame, UINT32_MAX});
        p->pixels++;
        if (!last.has_color)
            continue;
        p->compared++;
        if (!is_shown(&last, picture.pixels[(size_t)chain.y * picture.width + chain.x]))
            fail_msg("%s: %u,%u ends as %g %g %g, and is %08" PRIx32, p->path, chain.x, chain.y,
                     (double)mean_of_samples(&last, 0), (double)mean_of_samples(&last, 1),
                     (double)mean_of_samples(&last, 2), picture.pixels[(size_t)chain.y * picture.width + chain.x]);
    }
    free(picture.pixels);
}

/* --- failures on purpose ------------------------------------------------------------------------- */

#define CAUSES(X)                         \
    X(CULL, INSPECT_CULLED)               \
    X(CLIP, INSPECT_CLIPPED)              \
    X(SCISSOR, INSPECT_SCISSORED)         \
    X(SAMPLE_MASK, INSPECT_SAMPLE_MASKED) \
    X(ALPHA_TEST, INSPECT_ALPHA_FAILED)   \
    X(STENCIL, INSPECT_STENCIL_FAILED)    \
    X(DEPTH, INSPECT_DEPTH_FAILED)        \
    X(WRITE_MASK, INSPECT_WRITE_MASKED)   \
    X(KILL, INSPECT_KILLED)

enum cause {
#define CAUSE_NUMBER(name, verdict) name,
    CAUSES(CAUSE_NUMBER) CAUSE_COUNT
};
static const char *const cause_names[] = {
#define CAUSE_NAME(name, verdict) #name,
    CAUSES(CAUSE_NAME)};
static const enum inspect_verdict cause_verdicts[] = {
#define CAUSE_VERDICT(name, verdict) verdict,
    CAUSES(CAUSE_VERDICT)};

static unsigned proved[CAUSE_COUNT];

/* A primitive that is visible at a pixel, and must become invisible. */
struct failure {
    uint32_t surface, draw, primitive;
    unsigned x, y;
    enum cause cause;
    bool front_facing, alone; /* no other primitive of the draw covers the pixel */
    bool changes;             /* it changed the color of the pixel */
    bool wants_shader_3;      /* the draw has a vertex shader of model 3 */
};

/* Candidates: all primitives that changed the pixel; one is picked. */
struct candidates {
    unsigned seen;
    struct failure failure;
    unsigned kinds; /* of its draw */
};
enum { IS_TRIANGLES = 1, HAS_DEPTH = 2, HAS_STENCIL = 4, HAS_SAMPLES = 8 };

static bool take_candidate(void *user, const struct inspect_pixel_row *row)
{
    struct candidates *c = user;

    for (size_t i = 0; i < BASE_MIN(row->fragment_count, (size_t)INSPECT_MOST_FRAGMENTS); i++) {
        const struct inspect_fragment *f = &row->fragments[i];

        if (f->verdict < INSPECT_BLENDED || random_below(++c->seen))
            continue;
        c->failure.draw = row->place.draw;
        c->failure.primitive = f->primitive;
        c->failure.front_facing = f->front_facing;
        c->failure.alone = row->fragment_count == 1;
        c->failure.changes = inspect_changed_parts(&f->before, &f->after) & INSPECT_PART_COLOR;
        c->kinds = row->action.type >= 4 || strstr(row->action.token, "PATCH") ? IS_TRIANGLES : 0;
        c->kinds |= f->before.has_depth ? HAS_DEPTH : 0;
        c->kinds |= f->before.has_stencil ? HAS_STENCIL : 0;
        c->kinds |= f->before.samples > 1 ? HAS_SAMPLES : 0;
    }
    return true;
}

static const struct inspect_value *value_of(const struct inspect_state *state, const char *group, const char *name)
{
    for (size_t i = 0; i < state->count; i++)
        if (!strcmp(state->values[i].group, group) && !strcmp(state->values[i].name, name))
            return &state->values[i];
    return NULL;
}

/* Which of the causes are possible at this draw, which has been drawn last? */
static bool can_cause(struct proof *p, const struct candidates *c, enum cause cause)
{
    const struct hal_context *context =
        inspect_context(p->session, inspect_action(p->session, c->failure.draw)->context);
    struct inspect_state state;
    struct capture_error error;
    bool can = true;

    assert_non_null(context);
    assert_true(inspect_state(p->session, 0, &state, &error));
    switch (cause) {
    case CULL:
        can = c->kinds & IS_TRIANGLES;
        break;
    case CLIP:
        can = c->kinds & IS_TRIANGLES && !context->renderer.front->projection.transformed &&
              value_of(&state, "render states", "CLIPPING")->bits[0] &&
              !value_of(&state, "render states", "CLIPPLANEENABLE")->bits[0];
        break;
    case SAMPLE_MASK:
        can = c->kinds & HAS_SAMPLES;
        break;
    case STENCIL:
        can = c->kinds & HAS_STENCIL;
        break;
    case DEPTH:
        can = c->kinds & HAS_DEPTH;
        break;
    default:
        break;
    }
    inspect_state_free(&state);
    return can;
}

/* Picks a pixel of some draw's target, a draw that changed it, and how it may fail. Returns false if there is none. */
static bool find_failure(struct proof *p, struct failure *failure)
{
    struct capture_error error;

    for (unsigned tries = 0; tries < 200; tries++) {
        const uint32_t draw = random_below((uint32_t)inspect_action_count(p->session));
        struct candidates c = {0};
        struct player_surface *surface;
        struct inspect_state state;
        const struct inspect_value *code;
        uint32_t depth;

        if (inspect_action(p->session, draw)->kind != INSPECT_DRAW)
            continue;
        assert_true(inspect_seek(p->session, draw + (size_t)1, &error));
        inspect_targets(p->session, &c.failure.surface, &depth);
        surface = player_surface_of(p->session->player, c.failure.surface);
        if (!surface)
            continue;
        c.failure.x = random_below(surface->gbl.wWidth);
        c.failure.y = random_below(surface->gbl.wHeight);
        if (!inspect_pixel(p->session, c.failure.surface, c.failure.x, c.failure.y, UINT32_MAX, take_candidate, &c,
                           NULL, NULL, &error) ||
            !c.seen)
            continue;
        assert_true(inspect_seek(p->session, c.failure.draw, &error) && inspect_step(p->session, NULL, &error));
        /* Each cause is equally likely: causes that few draws can have come first. */
        c.failure.cause = (enum cause)random_below(CAUSE_COUNT);
        for (unsigned i = 0; i < CAUSE_COUNT; i++)
            if (proved[i] < proved[c.failure.cause] && can_cause(p, &c, (enum cause)i))
                c.failure.cause = (enum cause)i;
        if (!can_cause(p, &c, c.failure.cause))
            continue;
        assert_true(inspect_state(p->session, 0, &state, &error));
        code = value_of(&state, "vertex shader", "assembly");
        c.failure.wants_shader_3 = code && code->text && strstr(code->text, "vs_3_0");
        inspect_state_free(&state);
        *failure = c.failure;
        return true;
    }
    return false;
}

static const char *commands_of(const struct failure *f, char text[200])
{
    switch (f->cause) {
    case CULL:
        return f->front_facing ? "RENDERSTATE {state=CULLMODE value=CW}" : "RENDERSTATE {state=CULLMODE value=CCW}";
    case CLIP:
        return "SETCLIPPLANE {index=0 plane=(0 0 0 -1)}\nRENDERSTATE {state=CLIPPLANEENABLE value=1}";
    case SCISSOR:
        snprintf(text, 200, "SETSCISSORRECT {rect=(%u 0 %u 16384)}\nRENDERSTATE {state=SCISSORTESTENABLE value=TRUE}",
                 f->x + 1, f->x + 2);
        return text;
    case SAMPLE_MASK:
        return "RENDERSTATE {state=MULTISAMPLEMASK value=0}";
    case ALPHA_TEST:
        return "RENDERSTATE {state=ALPHATESTENABLE value=TRUE} {state=ALPHAFUNC value=NEVER}";
    case STENCIL:
        return "RENDERSTATE {state=STENCILENABLE value=TRUE} {state=STENCILFUNC value=NEVER} {state=CCW_STENCILFUNC "
               "value=NEVER}";
    case DEPTH:
        return "RENDERSTATE {state=ZENABLE value=TRUE} {state=ZFUNC value=NEVER}";
    case WRITE_MASK:
        return "RENDERSTATE {state=COLORWRITEENABLE value=0} {state=COLORWRITEENABLE1 value=0} "
               "{state=COLORWRITEENABLE2 value=0} {state=COLORWRITEENABLE3 value=0}";
    default:
        return NULL;
    }
}

static void add_shader(struct edit *edit, bool model_3)
{
    struct edit_shader *shader = &edit->shaders[edit->shader_count++];
    struct shader_error error;
    char text[120];

    snprintf(text, sizeof(text), "ps_%u_0\ndef c0, -1, -1, -1, -1\nmov r0, c0\ntexkill r0\nmov oC0, r0\n",
             model_3 ? 3 : 2);
    *shader = (struct edit_shader){.pixel = true, .code = malloc(400)};
    shader->bytes = 4 * shader_assemble(text, shader->code, 100, &error);
    assert_true(shader->bytes > 0);
}

/* The capture with that change at the one draw, up to the frame. Returns false if the change is impossible there. */
static bool change(const struct proof *p, const struct failure *f, struct fixture_capture *out)
{
    struct edit *edit = calloc(1, sizeof(*edit));
    struct inspect_frame_index index = {0};
    struct capture_error error = {0};
    struct capture_reader *reader = capture_open_memory(p->capture->bytes, p->capture->size, &error);
    struct capture_event event;
    char text[200];
    const char *commands = commands_of(f, text);
    bool done = true;

    assert_non_null(edit);
    edit->at = true;
    edit->place.place = (struct inspect_place){p->frame, f->draw};
    while (commands && *commands) {
        const size_t length = strcspn(commands, "\n");
        char one[200];

        snprintf(one, sizeof(one), "%.*s", (int)length, commands);
        if (!edit_add_command(edit, one))
            fail_msg("%s: %s", one, edit->why);
        commands += length + (commands[length] == '\n');
    }
    if (!commands)
        add_shader(edit, f->wants_shader_3);
    *out = (struct fixture_capture){0};
    out->output.file = open_memstream(&out->bytes, &out->size);
    out->writer = capture_create(&out->output, "", &out->error);
    while (done && capture_next(reader, &event, &error) == CAPTURE_OK && event.frame <= p->frame) {
        const size_t first = index.count;
        struct capture_event *changed = NULL;

        assert_true(inspect_index_add(&index, &event));
        if (event.type == CAPTURE_FRAME)
            inspect_index_free(&index);
        if (event.type == CAPTURE_DRAW) {
            changed =
                edit_draw(edit, &event, index.pieces + first, event.frame == p->frame ? index.count - first : 0, first);
            done = changed != NULL;
        }
        if (done)
            assert_true(fixture_event(out, event.type, changed ? changed->data : event.data,
                                      changed ? changed->size : event.size));
        free(changed);
    }
    assert_true(capture_finish(out->writer, &out->error));
    fclose(out->output.file);
    assert_true(!done || edit->draws == 1);
    inspect_index_free(&index);
    edit_free(edit);
    free(edit);
    capture_close(reader);
    return done;
}

static bool judge(void *user, const struct inspect_pixel_row *row)
{
    const struct failure *f = user;
    const enum inspect_verdict wanted = cause_verdicts[f->cause];
    enum inspect_verdict found = row->nearest.found ? row->nearest.verdict : INSPECT_WRITTEN;
    enum inspect_otherwise otherwise = row->nearest.otherwise;

    for (size_t i = 0; i < BASE_MIN(row->fragment_count, (size_t)INSPECT_MOST_FRAGMENTS); i++)
        if (row->fragments[i].primitive == f->primitive) {
            found = row->fragments[i].verdict;
            otherwise = row->fragments[i].otherwise;
        }
    if (found == INSPECT_OUTSIDE && f->cause == CLIP)
        found = INSPECT_CLIPPED; /* conservatively, the pixel's centre is on none */
    if (found != wanted || (f->cause == CLIP && !(row->nearest.planes & HAL_OUT_USER0)))
        fail_msg("%s at %u,%u of #%" PRIu32 ": primitive %" PRIu32 " of %" PRIu32 ".%" PRIu32 " is %s",
                 cause_names[f->cause], f->x, f->y, f->surface, f->primitive, row->place.frame, row->place.draw,
                 inspect_verdict_name(found));
    assert_int_not_equal(otherwise, INSPECT_NOT_TRIED);
    /* Another primitive of the draw, which now fails as well, may have set depth or stencil for this one. The program
     * that kills has another output. In conservative mode, another plane may cut off the pixel's centre. */
    if (f->alone && f->cause != KILL && (f->cause != CLIP || row->nearest.planes == HAL_OUT_USER0) &&
        otherwise != (f->changes ? INSPECT_CHANGES : otherwise))
        fail_msg("%s at %u,%u of #%" PRIu32 ": without that, primitive %" PRIu32 " of %" PRIu32 ".%" PRIu32 " %s",
                 cause_names[f->cause], f->x, f->y, f->surface, f->primitive, row->place.frame, row->place.draw,
                 inspect_otherwise_name(otherwise));
    return true;
}

static void check_failure(struct proof *p, struct failure *f)
{
    struct fixture_capture changed;
    struct proof other = {.path = p->path, .frame = p->frame};
    struct capture_error error;

    if (change(p, f, &changed)) {
        open_session(&other, &changed);
        load(&other);
        if (!inspect_pixel(other.session, f->surface, f->x, f->y, f->draw, judge, f, NULL, NULL, &error))
            fail_msg("%s: %s at %u,%u of %" PRIu32 ".%" PRIu32 ": %s", p->path, cause_names[f->cause], f->x, f->y,
                     p->frame, f->draw, error.text);
        close_session(&other);
        proved[f->cause]++;
    }
    fixture_free(&changed);
}

/* --- all of it ----------------------------------------------------------------------------------- */

static void check_capture(const struct fixture_capture *capture, const char *path)
{
    struct proof p = {.path = path, .capture = capture};
    struct failure *failures = calloc(wanted_failures + 1, sizeof(*failures));
    unsigned draws, found = 0;

    assert_non_null(failures);
    open_session(&p, capture);
    if (choose_frame(&p)) {
        load(&p);
        draws = check_draws(&p);
        check_histories(&p);
        while (found < wanted_failures && find_failure(&p, &failures[found]))
            proved[failures[found++].cause]++;
        for (unsigned i = 0; i < found; i++)
            proved[failures[i].cause]--;
        print_message("%s: frame %" PRIu32 ": %u draws, %" PRIu64 " pixels (%" PRIu64 " in the picture), %" PRIu64
                      " rows, %.0f ms for a history at most, %u failures\n",
                      path, p.frame, draws, p.pixels, p.compared, p.rows, 1000 * p.longest, found);
    }
    close_session(&p);
    for (unsigned i = 0; i < found; i++)
        check_failure(&p, &failures[i]);
    free(failures);
    free(p.targets);
}

static void check_text(const char *path)
{
    struct fixture_capture capture;

    fixture_assemble_file(&capture, path);
    check_capture(&capture, path);
    fixture_free(&capture);
}

static void test_texts(void **state)
{
    (void)state;
    fixture_all_texts(check_text);
    for (unsigned i = 0; i < CAUSE_COUNT; i++)
        if (!proved[i])
            fail_msg("no draw was made to fail by %s", cause_names[i]);
}

static void test_files(void **state)
{
    char **paths = *state;

    for (; *paths; paths++) {
        struct fixture_capture capture = {0};

        fixture_read(&capture, *paths);
        check_capture(&capture, *paths);
        fixture_free(&capture);
    }
    for (unsigned i = 0; i < CAUSE_COUNT; i++)
        print_message("%s %u\n", cause_names[i], proved[i]);
}

/* --- a broken driver ------------------------------------------------------------------------------ */

static void abort_with_stencil(const struct inspect *session)
{
    for (const struct player_context *c = session->player->contexts; c; c = c->next) {
        const struct hal_context *context = inspect_context(session, c->recorded);

        if (context && context->state.render_state[D3DRS_STENCILENABLE])
            abort();
    }
}

static int play_broken(const char *path)
{
    struct fixture_capture capture = {0};
    struct proof p = {.path = path, .capture = &capture};
    struct capture_error error;

    fixture_read(&capture, path);
    open_session(&p, &capture);
    for (uint32_t frame = 0; inspect_load(p.session, frame, &error); frame++) {
        for (size_t i = 0; i < inspect_action_count(p.session) && inspect_seek(p.session, i, &error); i++)
            abort_with_stencil(p.session);
        if (inspect_finish(p.session, &error))
            abort_with_stencil(p.session);
    }
    close_session(&p);
    fixture_free(&capture);
    return 0;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"pixels", required_argument, NULL, 'p'}, {"failures", required_argument, NULL, 'f'},
        {"seed", required_argument, NULL, 's'},   {"frame", required_argument, NULL, 'n'},
        {"broken", required_argument, NULL, 'b'}, {0},
    };
    int option;

    setenv("HALCYON_LOG_LEVEL", "none", 0);
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (option) {
        case 'p':
            wanted_pixels = (unsigned)atoi(optarg);
            break;
        case 'f':
            wanted_failures = (unsigned)atoi(optarg);
            break;
        case 's':
            random_seed = (uint32_t)atoi(optarg);
            break;
        case 'n':
            wanted_frame = atoi(optarg);
            break;
        case 'b':
            return play_broken(optarg);
        default:
            return 2;
        }
    }
    const struct CMUnitTest of_files[] = {cmocka_unit_test_prestate(test_files, argv + optind)};
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts)};

    if (optind < argc)
        return cmocka_run_group_tests(of_files, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
