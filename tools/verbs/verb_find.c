/* SPDX-License-Identifier: MIT */
/* dp2 find: the draws that meet conditions. */
#include "tools/debug/inspection.h"

#include "base/base.h"
#include "dp2/names.h"
#include "inspect/find/find.h"
#include "inspect/json/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct search {
    struct inspection inspection;
    struct frame_range range;
    bool as_json;
    struct inspect_query *query;
    uint64_t found;
    struct json_writer json;
};

static bool show(void *user, const struct inspect_place *place, const struct inspect_action *action)
{
    struct search *search = user;
    const char *type = dp2_primitive_name(action->type);

    search->found++;
    if (search->as_json) {
        inspect_put_name(&search->json, NULL, place, action);
        return true;
    }
    progress_clear();
    printf("%" PRIu32 ".%" PRIu32 " %s %s", place->frame, place->draw, inspect_kind_name(action->kind), action->token);
    if (action->kind == INSPECT_DRAW)
        printf(" %s %" PRIu32, type ? type : "-", action->primitives);
    printf("\n");
    return true;
}

/* All frames of the range, or up to the end of the capture. */
static int search_frames(struct search *search)
{
    const uint32_t end = frame_range_end(&search->range);
    struct inspect *session = search->inspection.session;
    struct capture_error error = {0};

    for (uint32_t frame = 0; frame <= end && frame < CAPTURE_MAX_FRAMES; frame++) {
        if (!frame_range_has(&search->range, frame))
            continue;
        if (!inspect_find(session, frame, search->query, show, search, &error))
            break;
        progress_show(&search->inspection.progress, frame);
    }
    progress_end(&search->inspection.progress);
    if (error.text[0])
        return inspection_fail(&search->inspection, &error);
    if (inspect_end(session) == CAPTURE_OK)
        return TOOL_OK;
    return tool_check_frames(&verb_find, search->inspection.path, &search->range, inspect_frames_there(session));
}

static void put_understood(struct search *search)
{
    struct json_writer *json = &search->json;

    json_put_number(json, "tested", inspect_query_tested(search->query));
    json_open_list(json, "understood");
    for (size_t i = 0; i < inspect_query_count(search->query); i++) {
        json_open_object(json, NULL);
        json_put_text(json, "words", inspect_query_words(search->query, i));
        json_put_text(json, "meaning", inspect_query_meaning(search->query, i));
        json_put_number(json, "met", inspect_query_met(search->query, i));
        json_close(json);
    }
    json_close(json);
}

static void print_understood(const struct search *search)
{
    for (size_t i = 0; i < inspect_query_count(search->query); i++)
        printf("# %s: %" PRIu64 " of %" PRIu64 "\n", inspect_query_meaning(search->query, i),
               inspect_query_met(search->query, i), inspect_query_tested(search->query));
}

static int search_capture(struct search *search, const char *path)
{
    const struct inspect_options options = {.states_alone = true};
    int status = inspection_open_with(&search->inspection, &verb_find, path, frame_range_end(&search->range), &options);

    if (status != TOOL_OK)
        return status;
    if (search->as_json) {
        json_begin(&search->json, stdout, "dp2-find", false);
        json_put_text(&search->json, "file", path);
        json_stream_list(&search->json, "draws");
    }
    status = search_frames(search);
    if (search->as_json) {
        json_close(&search->json);
        put_understood(search);
        if (!json_end(&search->json))
            status = tool_fail(&verb_find, "out of memory");
    } else if (status != TOOL_ERROR) {
        print_understood(search);
    }
    return inspection_close(&search->inspection, status);
}

/* The words of all operands after the first, with spaces between them; to be freed. NULL: out of memory. */
static char *join(char **words, int count)
{
    size_t size = 1;
    char *text, *at;

    for (int i = 0; i < count; i++)
        size += strlen(words[i]) + 1;
    text = at = mem_alloc(size, 1, 0);
    for (int i = 0; text && i < count; i++)
        at += sprintf(at, "%s%s", i ? " " : "", words[i]);
    return text;
}

static int find_verb(void *settings, char **operands, int count)
{
    struct search *search = settings;
    char *text = join(operands + 1, count - 1), why[768] = "out of memory";
    bool no_memory = true;

    if (text)
        search->query = inspect_query(text, why, sizeof(why), &no_memory);
    free(text);
    if (!search->query)
        return no_memory ? tool_fail(&verb_find, "out of memory") : tool_fail(&verb_find, "%s", why);
    return search_capture(search, operands[0]);
}

static void release(void *settings)
{
    inspect_query_free(((struct search *)settings)->query);
}

static const struct option_row options[] = {
    {"frame", 'f', SETS_FRAMES(struct search, range), .argument = "N|A-B",
     .help = "search only these frames (default: all)"},
    TOOL_JSON(struct search, as_json),
    {0},
};

static const struct option_operand operands[] = {
    {"FILE", .value = VALUE_FILE}, {.name = "CONDITION", .repeats = true}, {0}};

const struct tool_verb verb_find = {
    .syntax =
        {
            .name = "find",
            .summary = "find draws by their state, surfaces, shaders and kind",
            .about = "Lists the draws, clears, blits, fills and presents for which all conditions hold, and what was "
                     "understood, with how many actions meet each condition alone. Nothing is drawn, so ten thousand "
                     "draws take a fraction of a second.\n"
                     "\n"
                     "STATE=VALUE, also with !=, <, <=, > or >=, or without any (ZENABLE off): a render state or a "
                     "stage state, with the names and values that 'dp2 state' prints, in any case; on and off; "
                     "numbers. 'stage 0' or 'sampler 3' before a stage state names one, else any will do. 'changed "
                     "STATE': it differs from the action before. 'reads #12', 'writes #2', 'uses #7' (or '#7'): a "
                     "surface, as a texture that the program reads, the source or destination of a blit, a target, a "
                     "depth buffer, a vertex or index buffer. 'vs5', 'ps3': a shader, vs0 and ps0: none. 'draw', "
                     "'clear', 'blit', 'fill', 'present'; the beginning of a type of primitives or of a token; "
                     "'refused'; FRAME.DRAW. 'not' before a condition reverses it.",
            .options = options,
            .notes = "A word that means nothing ends the search with exit status 2, and a similar word that does.",
            .examples = "dp2 find game.capture ZENABLE off\n"
                        "dp2 find game.capture 'ALPHABLENDENABLE on reads #12'\n"
                        "dp2 find game.capture 'stage 1 COLOROP!=DISABLE' not ps0 --frame 2\n"
                        "dp2 find game.capture changed FILLMODE --json | jq -r '.draws[].draw'",
            .operands = operands,
            .missing = "a capture and a condition",
        },
    .size = sizeof(struct search),
    .run = find_verb,
    .release = release,
};
