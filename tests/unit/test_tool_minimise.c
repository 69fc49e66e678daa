/* SPDX-License-Identifier: MIT */
/* The parts of dp2 minimise: delta debugging, and captures as items that may be left out (tools/minimise/). */
#include "tests/random.h"
#include "tests/unit/inspect_fixture.h"

#include "dp2/fields.h"
#include "tools/minimise/ddmin.h"
#include "tools/minimise/model.h"
#include "replay/player.h"
#include "tests/dp2_stream.h"
#include "client/umd/bridge.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- ddmin ---------------------------------------------------------------------------------------- */

enum { ITEMS = 1000 };

struct list {
    uint8_t flags[ITEMS];
    unsigned tests, stop_after; /* 0: never */
    double share;
    bool even; /* the share never goes back */
};

/* Items 3, 17 and 640 are needed, and 5 if 800 is present. */
static enum ddmin_answer list_test(void *user)
{
    struct list *list = user;
    const uint8_t *f = list->flags;

    list->tests++;
    if (list->stop_after && list->tests > list->stop_after)
        return DDMIN_STOP;
    return f[3] && f[17] && f[640] && (!f[800] || f[5]) ? DDMIN_YES : DDMIN_NO;
}

static void list_progress(void *user, double share)
{
    struct list *list = user;

    list->even &= share >= list->share && share <= 1;
    list->share = share;
}

static size_t minimise_list(struct list *list, bool *going)
{
    const struct ddmin ddmin = {list_test, list_progress, list};
    uint8_t *items[ITEMS];
    size_t count = ITEMS;

    memset(list->flags, 1, ITEMS);
    list->even = true;
    for (size_t i = 0; i < ITEMS; i++)
        items[i] = &list->flags[i];
    *going = ddmin_list(&ddmin, items, &count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(*items[i], 1);
    return count;
}

static void needed_items_are_found(void **state)
{
    struct list list = {0};
    bool going;

    (void)state;
    assert_int_equal(minimise_list(&list, &going), 3);
    assert_true(going && list.flags[3] && list.flags[17] && list.flags[640]);
    assert_true(list.tests < 100); /* about 3 log2(1000) and as much again */
    assert_true(list.even && list.share > 0.999);
}

static void a_stop_keeps_what_has_passed(void **state)
{
    (void)state;
    for (unsigned after = 1; after < 100; after++) {
        struct list list = {.stop_after = after};
        bool going;
        size_t kept = 0;
        const size_t count = minimise_list(&list, &going);

        for (size_t i = 0; i < ITEMS; i++)
            kept += list.flags[i];
        assert_int_equal(kept, count);
        assert_true(going ? list.tests <= after : list.tests == after + 1);
        list.stop_after = 0;
        assert_int_equal(list_test(&list), DDMIN_YES);
        if (going)
            return;
    }
    fail();
}

struct range {
    uint32_t begin, end, first, last; /* first to last are needed */
};

static enum ddmin_answer range_test(void *user)
{
    const struct range *range = user;

    return range->begin <= range->first && range->end > range->last ? DDMIN_YES : DDMIN_NO;
}

static void ranges_are_shortened_from_both_sides(void **state)
{
    (void)state;
    for (uint32_t first = 0; first < 40; first++) {
        for (uint32_t last = first; last < 40; last++) {
            struct range a = {0, 40, first, last}, b = a, c = a;
            const struct ddmin whole = {range_test, NULL, &a}, even = {range_test, NULL, &b},
                               end = {range_test, NULL, &c};

            assert_true(ddmin_range(&whole, &a.begin, &a.end, 1, 1));
            assert_int_equal(a.begin, first);
            assert_int_equal(a.end, last + 1);
            assert_true(ddmin_range(&even, &b.begin, &b.end, 1, 2));
            assert_int_equal(b.begin, first / 2 * 2);
            assert_true(ddmin_range(&end, &c.begin, &c.end, 1, 0));
            assert_int_equal(c.begin, 0);
            assert_int_equal(c.end, last + 1);
        }
    }
}

/* --- captures ------------------------------------------------------------------------------------- */

static const char *const texts[] = {
    "tests/cli/multi.dp2s",        "tests/cli/color-keys.dp2s",         "tests/cli/patches.dp2s",
    "tests/cli/samples.dp2s",      "tests/cli/feedback.dp2s",           "examples/dp2/10-patch.dp2s",
    "examples/dp2/11-shader.dp2s", "tests/streams/context-of-dx6.dp2s",
};

static struct capture_reader *read_text(const char *path, struct fixture_capture *capture)
{
    struct capture_error error;
    struct capture_reader *reader;

    fixture_assemble_file(capture, path);
    reader = capture_open_memory(capture->bytes, capture->size, &error);
    assert_non_null(reader);
    return reader;
}

struct compare {
    struct capture_reader *reader;
    size_t count;
};

static bool same_event(void *user, const struct capture_event *event)
{
    struct compare *compare = user;
    struct capture_event other;
    struct capture_error error;

    assert_int_equal(capture_next(compare->reader, &other, &error), CAPTURE_OK);
    assert_int_equal(event->type, other.type);
    assert_int_equal(event->size, other.size);
    assert_int_equal(event->frame, other.frame);
    assert_memory_equal(event->data, other.data, other.size);
    compare->count++;
    return true;
}

/* With nothing left out the events are the same. */
static void whole_captures_stay_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct fixture_capture capture;
        struct compare compare = {.reader = read_text(texts[i], &capture)};
        struct capture_event event;
        struct capture_error error;
        struct model_counts counts;
        struct model model;

        assert_int_equal(model_read(&model, compare.reader, UINT32_MAX, &error), MODEL_OK);
        capture_rewind(compare.reader);
        assert_true(model_write(&model, same_event, &compare));
        assert_int_equal(capture_next(compare.reader, &event, &error), CAPTURE_END);
        assert_true(model_count(&model, &counts));
        assert_int_equal(counts.events, compare.count);
        model_free(&model);
        capture_close(compare.reader);
        fixture_free(&capture);
    }
}

struct player_of {
    struct player *player;
    const char *text;
};

/* The result is complete: sound events, readable commands, and no name of something that does not exist. */
static bool play_event(void *user, const struct capture_event *event)
{
    const struct player_of *of = user;
    struct capture_error error = {0};

    if (!capture_event_is_sound(event, &error) || !player_play(of->player, event, &error))
        fail_msg("%s: %s", of->text, error.text);
    if (event->type == CAPTURE_DRAW) {
        const struct capture_draw *draw = (const void *)event->data;
        const uint32_t size = dp2_fvf_size(draw->vertex_type);
        size_t at;

        assert_int_equal(dp2_walk(draw + 1, draw->command_bytes, size ? size : draw->vertex_size, &at), DP2_END);
    }
    return true;
}

static void leave_out_some(struct model *model, uint32_t seed)
{
    const uint32_t often = 2 + seed % 30;

    for (size_t i = 0; i < model->event_count; i++) {
        struct model_range *memory = &model->events[i].memory, *vertices = &model->events[i].vertices;

        model->events[i].kept = random_next(&seed) % often != 0;
        memory->end = memory->all ? 1 + random_next(&seed) % memory->all : 0;
        memory->begin = memory->all ? random_next(&seed) % memory->end : 0;
        vertices->end = vertices->all ? random_next(&seed) % (vertices->all + 1) : 0;
    }
    for (size_t i = 0; i < model->command_count; i++)
        model->commands[i].kept = random_next(&seed) % often != 0;
    for (size_t i = 0; i < model->entry_count; i++)
        model->entries[i].kept = random_next(&seed) % often != 0;
}

static void what_is_left_is_whole(void **state)
{
    struct client_driver driver;

    (void)state;
    assert_true(SUCCEEDED(client_driver_init(&driver, client_umd_or(HalcyonDriverInit, OpenAdapter))));
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct fixture_capture capture;
        struct capture_reader *reader = read_text(texts[i], &capture);
        struct capture_error error;
        struct model model;

        assert_int_equal(model_read(&model, reader, UINT32_MAX, &error), MODEL_OK);
        for (uint32_t seed = 0; seed < 40; seed++) {
            struct player_of of = {player_create(&driver), texts[i]};
            struct model_counts counts, pruned;

            leave_out_some(&model, seed);
            assert_true(model_write(&model, play_event, &of));
            assert_true(model_count(&model, &counts));
            model_prune(&model);
            assert_true(model_count(&model, &pruned));
            assert_memory_equal(&counts, &pruned, sizeof(counts));
            player_destroy(of.player);
        }
        model_free(&model);
        capture_close(reader);
        fixture_free(&capture);
    }
    client_driver_close(&driver);
}

/* --- a crash -------------------------------------------------------------------------------------- */

static DWORD(WINAPI *draw_well)(LPD3DHAL_DRAWPRIMITIVES2DATA data);

/* A driver that crashes on one token. */
static DWORD WINAPI draw_badly(LPD3DHAL_DRAWPRIMITIVES2DATA data)
{
    const DDRAWI_DDRAWSURFACE_LCL *commands = data->lpDDCommands;
    struct dp2_cursor cursor;
    struct dp2_command command;

    dp2_cursor_init(&cursor, (const uint8_t *)commands->lpGbl->fpVidMem + data->dwCommandOffset, data->dwCommandLength,
                    dp2_fvf_size(data->dwVertexType));
    while (dp2_next(&cursor, &command) == DP2_OK)
        if (command.info->number == DP2OP_SETRENDERTARGET)
            abort();
    return draw_well(data);
}

struct crash {
    struct model *model;
    struct client_driver *driver;
};

static bool play_into_the_crash(void *user, const struct capture_event *event)
{
    struct capture_error error;

    return player_play(user, event, &error);
}

static enum ddmin_answer still_crashes(void *user)
{
    struct crash *crash = user;
    int status = 0;
    const pid_t child = fork();

    if (child == 0) {
        struct player *player = player_create(crash->driver);

        signal(SIGABRT, SIG_DFL);
        if (player)
            model_write(crash->model, play_into_the_crash, player);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT ? DDMIN_YES : DDMIN_NO;
}

static void minimise_crash(struct crash *crash, size_t count, uint8_t *(*item)(struct model *model, size_t i))
{
    const struct ddmin ddmin = {still_crashes, NULL, crash};
    uint8_t **items = malloc((count + 1) * sizeof(*items));
    size_t kept = 0;

    assert_non_null(items);
    for (size_t i = 0; i < count; i++)
        if (*item(crash->model, i))
            items[kept++] = item(crash->model, i);
    assert_true(ddmin_list(&ddmin, items, &kept));
    model_prune(crash->model);
    free(items);
}

static uint8_t *event_item(struct model *model, size_t i)
{
    return &model->events[i].kept;
}

static uint8_t *command_item(struct model *model, size_t i)
{
    return &model->commands[i].kept;
}

/* A driver that aborts at one token: of six frames only that token remains, in a call to a context that has a
 * target. */
static void a_crash_is_reduced_to_its_token(void **state)
{
    struct fixture_capture capture;
    struct capture_reader *reader = read_text("tests/cli/multi.dp2s", &capture);
    struct capture_error error;
    struct client_driver driver;
    struct model model;
    struct crash crash = {&model, &driver};
    struct model_counts counts;

    (void)state;
    assert_true(SUCCEEDED(client_driver_init(&driver, client_umd_or(HalcyonDriverInit, OpenAdapter))));
    assert_int_equal(model_read(&model, reader, UINT32_MAX, &error), MODEL_OK);
    assert_int_equal(still_crashes(&crash), DDMIN_NO);
    draw_well = driver.d3d3.DrawPrimitives2;
    driver.d3d3.DrawPrimitives2 = draw_badly;
    assert_int_equal(still_crashes(&crash), DDMIN_YES);
    minimise_crash(&crash, model.event_count, event_item);
    minimise_crash(&crash, model.command_count, command_item);
    minimise_crash(&crash, model.event_count, event_item);
    assert_true(model_count(&model, &counts));
    assert_int_equal(counts.calls, 1);
    assert_int_equal(counts.commands, 1);
    assert_int_equal(counts.frames, 0);
    for (size_t i = 0; i < model.command_count; i++)
        if (model.commands[i].kept)
            assert_int_equal(model.commands[i].head.info->number, DP2OP_SETRENDERTARGET);
    model_free(&model);
    capture_close(reader);
    fixture_free(&capture);
    client_driver_close(&driver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(needed_items_are_found),
        cmocka_unit_test(a_stop_keeps_what_has_passed),
        cmocka_unit_test(ranges_are_shortened_from_both_sides),
        cmocka_unit_test(whole_captures_stay_the_same),
        cmocka_unit_test(what_is_left_is_whole),
        cmocka_unit_test(a_crash_is_reduced_to_its_token),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
