/* SPDX-License-Identifier: MIT */
/*
 * Captures as text and back: every token and every event, with all bits of their fields; and malformed text, which
 * must be refused with the number of the line and do no other harm.
 */
#include "base/base.h"
#include "base/word.h"
#include "dp2/text/text.h"
#include "tests/random.h"
#include "tests/unit/dp2_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <inttypes.h>

static uint32_t aligned_stream[DP2_SAMPLE_STREAM_MAX / 4];
static uint8_t *const stream = (uint8_t *)aligned_stream;

struct text {
    char *data;
    size_t size;
};

static void put(void *user, const char *text, size_t size)
{
    struct text *out = user;

    out->data = realloc(out->data, out->size + size + 1);
    assert_non_null(out->data);
    memcpy(out->data + out->size, text, size);
    out->size += size;
    out->data[out->size] = 0;
}

/* Writes events as text, and turns the text into the same bytes. */
static void check_command(const struct dp2_command *command, bool lines)
{
    const size_t size = 4 + command->body_size;
    uint8_t *bytes = malloc(size);
    struct text text = {0};
    const struct dp2_sink sink = {put, &text};
    struct dp2_asm_error error;

    dp2_print_command(&sink, command, DP2_TEXT_FULL, lines);
    if (dp2_assemble_command(text.data, text.size, bytes, command->offset, size, &error) != size)
        fail_msg("%s\n-> %s", text.data, error.text);
    assert_memory_equal(bytes, command->body - 4, size);
    free(text.data);
    free(bytes);
}

static void check_stream(size_t length)
{
    struct dp2_cursor cursor;
    struct dp2_command command;

    dp2_cursor_init(&cursor, stream, length, SAMPLE_VERTEX_SIZE);
    while (dp2_next(&cursor, &command) == DP2_OK) {
        check_command(&command, false);
        check_command(&command, true);
    }
}

static void test_all_tokens(void **state)
{
    (void)state;
    check_stream(dp2_write_all_samples(stream, NULL));
}

/* Values of all kinds in every field that no size depends on. */
static void test_random_values(void **state)
{
    uint32_t seed = 1;

    (void)state;
    for (unsigned round = 0; round < 50; round++) {
        for (size_t i = 0; i < DP2_SAMPLE_COUNT; i++) {
            const struct dp2_token_info *info = dp2_token_info(dp2_samples[i].token);
            const size_t size = dp2_write_sample(stream, &dp2_samples[i]);
            if (dp2_rule_is_walked(info->size_rule))
                continue;
            for (size_t at = 4; at + 4 <= size; at += 4) {
                const uint32_t value = random_next(&seed) >> round % 32;
                memcpy(stream + at, &value, 4);
            }
            if (info->number != 23 && info->number != 24)
                check_stream(size);
        }
    }
}

/* --- texts -------------------------------------------------------------------------------------- */

/* A marker with `bytes` bytes of text from `text`, and bytes of padding that are not 0 if there are any. */
static size_t write_marker(const uint8_t *text, uint32_t bytes, uint8_t padding)
{
    const uint32_t head[] = {201 | 1u << 16, 1, bytes, 0xff102030};
    const size_t size = sizeof(head) + ((bytes + 3) & ~3u);

    memset(stream, padding, size);
    memcpy(stream, head, sizeof(head));
    memcpy(stream + sizeof(head), text, bytes);
    return size;
}

/* Any bytes survive the round trip, whether they are UTF-8 or not: cut characters, quotes, zeros, padding that is not
 * 0. */
static void test_any_text(void **state)
{
    uint32_t seed = 7;

    (void)state;
    for (uint32_t bytes = 0; bytes < 600; bytes++) {
        uint8_t text[600];

        for (uint32_t i = 0; i < bytes; i++)
            text[i] = (uint8_t)(bytes % 3 ? random_next(&seed) >> 8 : i);
        check_stream(write_marker(text, bytes, 0));
        check_stream(write_marker(text, bytes, 0xc3));
    }
}

static void check_marker(const char *name, enum dp2_text_style style, const char *expected)
{
    const size_t size = write_marker((const uint8_t *)name, (uint32_t)strlen(name), 0);
    struct dp2_cursor cursor;
    struct dp2_command command;
    struct text text = {0};
    const struct dp2_sink sink = {put, &text};

    dp2_cursor_init(&cursor, stream, size, 0);
    assert_int_equal(dp2_next(&cursor, &command), DP2_OK);
    dp2_print_command(&sink, &command, style, false);
    assert_string_equal(text.data, expected);
    free(text.data);
}

/* The text that people read. */
static void test_marker_names(void **state)
{
    char longer[101] = "";

    (void)state;
    check_marker("Shadows", DP2_TEXT_BRIEF, "MARKER n=1 {kind=BEGIN text_bytes=7 color=#ff102030 text=\"Shadows\"}");
    check_marker("", DP2_TEXT_BRIEF, "MARKER n=1 {kind=BEGIN text_bytes=0 color=#ff102030}");
    check_marker("Gl\xc3\xa4nzen \xe2\x82\xac", DP2_TEXT_FULL,
                 "MARKER n=1 {kind=BEGIN text_bytes=12 color=#ff102030 text=\"Gl\xc3\xa4nzen \xe2\x82\xac\"}");
    check_marker("a\"b\\c\n\xe4\xe2\x82", DP2_TEXT_FULL,
                 "MARKER n=1 {kind=BEGIN text_bytes=9 color=#ff102030 text=\"a\\x22b\\\\c\\x0a\\xe4\\xe2\\x82\"}");
    memset(longer, 'x', 100);
    check_marker(longer, DP2_TEXT_BRIEF,
                 "MARKER n=1 {kind=BEGIN text_bytes=100 color=#ff102030 "
                 "text=\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\" ...}");
}

/* --- events ------------------------------------------------------------------------------------
 */

struct events {
    enum capture_event_type type[64];
    uint8_t *data[64];
    size_t size[64];
    unsigned count;
};

static bool keep_event(void *user, enum capture_event_type type, const void *data, size_t size)
{
    struct events *events = user;

    if (events->count == 64)
        return false;
    events->type[events->count] = type;
    events->data[events->count] = malloc(size + 1);
    memcpy(events->data[events->count], data, size);
    events->size[events->count++] = size;
    return true;
}

static void free_events(struct events *events)
{
    for (unsigned i = 0; i < events->count; i++)
        free(events->data[i]);
    events->count = 0;
}

static void check_event(unsigned type, const void *data, size_t size)
{
    const struct capture_event event = {.type = (uint16_t)type, .size = (uint32_t)size, .data = data};
    const struct dp2_print_options options = {.style = DP2_TEXT_FULL, .lines = true};
    struct text text = {0};
    const struct dp2_sink sink = {put, &text};
    struct events events = {0};
    const struct dp2_asm_output output = {.event = keep_event, .user = &events};
    struct capture_error sound;
    struct dp2_asm_error error;

    assert_true(capture_event_is_sound(&event, &sound));
    dp2_print_event(&sink, &event, &options);
    if (!dp2_assemble(text.data, text.size, &output, &error))
        fail_msg("%s\n-> line %u: %s", text.data, error.line, error.text);
    assert_int_equal(events.count, 1);
    assert_int_equal(events.type[0], type);
    assert_int_equal(events.size[0], size);
    assert_memory_equal(events.data[0], data, size);
    free_events(&events);
    free(text.data);
}

/* Structures with all DWORDs different, followed by two of everything. */
static void test_all_events(void **state)
{
    (void)state;
    for (unsigned type = 1; type < CAPTURE_EVENT_COUNT; type++) {
        uint32_t data[256];
        size_t size = capture_head_size(type);
        for (unsigned i = 0; i < 256; i++)
            data[i] = 0x11223300 + i;
        switch (type) {
        case CAPTURE_SURFACES:
            data[3] = data[4] = 2;
            size += 2 * (sizeof(struct capture_part) + sizeof(struct capture_link));
            break;
        case CAPTURE_ANNOUNCE:
            data[3] = data[4] = 2;
            size += 2 * (sizeof(struct capture_name) + sizeof(struct capture_link));
            break;
        case CAPTURE_MEMORY:
            data[4] = 2;
            data[6] = 7;
            data[8] = 3;
            size += 42;
            break;
        case CAPTURE_SAMPLES:
            data[4] = 3;
            data[5] = 7;
            size += 21;
            break;
        case CAPTURE_PALETTE:
            data[3] = 5;
            size += 20;
            break;
        case CAPTURE_BLT:
            data[16] = 2;
            size += 2 * sizeof(struct capture_rect);
            break;
        case CAPTURE_CLEAR:
            data[5] = 2;
            size += 2 * sizeof(struct capture_rect);
            break;
        case CAPTURE_DRAW:
            continue;
        default:
            break;
        }
        check_event(type, data, size);
        memset(data, 0, sizeof(data));
        check_event(type, data, capture_head_size(type));
    }
}

/* Draws: all tokens; vertices with a format and without; infinities, strange padding, rubbish. */
static void test_draws(void **state)
{
    static uint32_t event[DP2_SAMPLE_STREAM_MAX / 4 + 64];
    struct capture_draw *head = (void *)event;
    uint8_t *commands = (uint8_t *)(head + 1);
    uint32_t seed = 7;

    (void)state;
    *head = (struct capture_draw){1, 3, 0x112, 32, 3, 0, 96};
    head->command_bytes = (uint32_t)dp2_write_all_samples(stream, NULL);
    for (unsigned round = 0; round < 40; round++) {
        const uint32_t padded = (head->command_bytes + 3) & ~3u;
        memset(commands, 0, sizeof(event) - sizeof(*head));
        memcpy(commands, stream, head->command_bytes);
        for (unsigned i = 0; round && i < head->command_bytes; i++)
            if (random_next(&seed) >> 20 < 4 * round)
                commands[i] = (uint8_t)(random_next(&seed) >> 16);
        for (unsigned i = 0; i < 96; i++)
            commands[padded + i] = (uint8_t)(round < 2 ? 0x41 : random_next(&seed) >> 16);
        head->vertex_type = round & 1 ? 0x112 : 0;
        check_event(CAPTURE_DRAW, event, sizeof(*head) + padded + 96);
    }
}

/* --- by hand
 * ---------------------------------------------------------------------------------------- */

static bool assemble(const char *text, struct events *events, struct dp2_asm_error *error)
{
    const struct dp2_asm_output output = {.event = keep_event, .user = events};

    return dp2_assemble(text, strlen(text), &output, error);
}

static void test_by_hand(void **state)
{
    static const char text[] = "// a picture\n"
                               "create target screen 32x16 X8R8G8B8\n"
                               "create texture bricks 8x8 A8R8G8B8 levels=2\n"
                               "create vertices corners 48\n"
                               "context c target=screen\n"
                               "memory bricks { checker(8 8 4 #ffff0000 #ff00ff00) }\n"
                               "memory bricks+1 { gradient(4 4 #0 #ffffffff #0 #ffffffff) }\n"
                               "memory corners { floats(1 2 3) u16(1 2) u8(255) hex(00112233 44) fill(2 #5) }\n"
                               "draw c {\n"
                               "  SETVERTEXSHADER {shader=XYZ|DIFFUSE}\n"
                               "  SETVERTEXSHADERCONST {register=4 (1 2 3 4) (5 6 7 8)}\n"
                               "  SETLIGHT {index=0 light=DIRECTIONAL direction=(0 0 1)}\n"
                               "  user_vertices { fvf(XYZ|DIFFUSE 0 0 0 #ffffffff  1 0 0 #ff000000) }\n"
                               "}\n"
                               "present screen\n";
    struct events events = {0};
    struct dp2_asm_error error;

    (void)state;
    if (!assemble(text, &events, &error))
        fail_msg("line %u: %s", error.line, error.text);
    assert_int_equal(events.count, 12);
    const struct capture_memory *level = (void *)events.data[8];
    assert_int_equal(level->id, 3);
    assert_int_equal(level->row_bytes, 16);
    assert_int_equal(level->row_count, 4);
    const struct capture_draw *draw = (void *)events.data[10];
    assert_int_equal(draw->context, 1);
    assert_int_equal(draw->vertex_count, 2);
    assert_int_equal(draw->vertex_size, 16);
    assert_int_equal(draw->command_bytes, 8 + 12 + 32 + 4 + 8 + 104);
    const struct capture_frame *frame = (void *)events.data[11];
    assert_int_equal(frame->rect.right, 32);
    free_events(&events);
}

static void check_wrong(const char *text, unsigned line, const char *word)
{
    struct events events = {0};
    struct dp2_asm_error error;

    assert_false(assemble(text, &events, &error));
    assert_int_equal(error.line, line);
    if (!strstr(error.text, word))
        fail_msg("\"%s\" does not speak of \"%s\"", error.text, word);
    free_events(&events);
}

/* The column too, in bytes from 1. */
static void check_at(const char *text, unsigned line, unsigned column, const char *word)
{
    struct events events = {0};
    struct dp2_asm_error error;

    assert_false(assemble(text, &events, &error));
    if (!strstr(error.text, word) || error.line != line || error.column != column)
        fail_msg("%u:%u: \"%s\" is not %u:%u and \"%s\"", error.line, error.column, error.text, line, column, word);
    free_events(&events);
}

/* Letters changed, added, left out, swapped. */
static void test_distance(void **state)
{
    static const struct {
        const char *a, *b;
        unsigned distance;
    } pairs[] = {{"", "", 0},         {"abc", "ABC", 0},
                 {"abc", "acb", 1},   {"abc", "ab", 1},
                 {"abc", "xabc", 1},  {"replay", "repaly", 1},
                 {"info", "trim", 4}, {"kitten", "sitting", 3},
                 {"", "four", 4},     {"0123456789abcdef0123456789abcdef0", "0", 32}};

    (void)state;
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        const char *a = pairs[i].a, *b = pairs[i].b;
        assert_int_equal(word_distance(a, strlen(a), b, strlen(b)), pairs[i].distance);
        assert_int_equal(word_distance(b, strlen(b), a, strlen(a)), pairs[i].distance);
    }
}

static void test_wrong_text(void **state)
{
    (void)state;
    check_wrong("\n\nfrobnicate 1", 3, "frobnicate");
    check_wrong("draw 1 {\n NOTOKEN }", 2, "NOTOKEN");
    check_wrong("draw 1 {\n RENDERSTATE {state=NOSTATE value=1} }", 2, "NOSTATE");
    check_wrong("draw 1 { RENDERSTATE {state=ZENABLE wert=1} }", 1, "wert");
    check_wrong("draw 1 { TRIANGLELIST start=0 }", 1, "n=");
    check_wrong("draw 1 { POINTS {count=70000} }", 1, "70000");
    check_wrong("draw 1 {", 1, "token");
    check_wrong("draw 1 { SETMATERIAL {diffuse=(1 2 3)} }", 1, "number");
    check_wrong("create target a 0x0 X8R8G8B8", 1, "size");
    check_wrong("create target a 8x8 X8R8G8B8\ncreate depth a 8x8 D16", 2, "twice");
    check_wrong("create texture a 8x8 X8R8G8B8 levels=99", 1, "levels");
    check_wrong("memory 1 { hex(00) }", 1, "not known");
    check_wrong("create vertices v 8\nmemory v { fill(4000000000 1) }", 2, "bytes");
    check_wrong("create vertices v 8\nmemory v { checker(8 8 0 1 2) }", 2, "size");
    check_wrong("create vertices v 8\nmemory v { file(\"x\") }", 2, "files");
    check_wrong("create vertices v 8\nmemory v { hex(123) }", 2, "123");
    check_wrong("info \"no end", 1, "string");
    check_wrong("info \"no\nend\"", 1, "string");
    check_wrong("draw 1 { CLEAR color=#ff8000 }", 1, "did you mean \"#ffff8000\"?");
    check_wrong("draw 1 { MARKER {text=\"\\n\"} }", 1, "backslash");
    check_wrong("draw 1 { MARKER {text=\"\\x4\"} }", 1, "backslash");
    check_wrong("draw 1 { MARKER {text=\"\\x-1\"} }", 1, "backslash");
    check_wrong("draw 1 { MARKER {text=name} }", 1, "quotes");
    check_wrong("draw 1 { MARKER {text=\"abc\" padding=u8(1 2)} }", 1, "padding");
    check_at("create target screen 8x8 X8R8G8B8\npresent scren", 2, 9,
             "no surface is called \"scren\"; did you mean \"screen\"?");
    check_at("create target a 8x8 X8R8G8B9", 1, 21, "no format is called \"X8R8G8B9\"; did you mean \"X8R8G8B8\"?");
    check_at("draw 1 {\n CLEAR flags=TARGET colour=#ff000000 }", 2, 21,
             "no field is called \"colour\" in CLEAR; did you mean \"color\"?");
    check_at("draw 1 { CLEAR {colour=3} }", 1, 17, "no field is called \"colour\" in CLEAR");
    check_at("draw 1 {\n CLAER }", 2, 2, "no token is called \"CLAER\"; did you mean \"CLEAR\"?");
    check_at("draw 1 {\n CLEAR {}\npresent 1", 3, 1, "'}' expected before \"present\"");
    check_at("draw 1 { RENDERSTATE {state=FILMODE value=1} }", 1, 29, "did you mean \"FILLMODE\"?");
    check_at("draw 1 { RENDERSTATE {state=FILLMODE value=WIRFRAME} }", 1, 44, "did you mean \"WIREFRAME\"?");
    check_at("context c\ndraw d { }", 2, 6, "no context is called \"d\"");
    check_at("context 1 taget=0", 1, 11, "did you mean \"target\"?");
    check_at("draw 1 { RENDERSTATE {state=COLORWRITEENABLE value=RED|GREN} }", 1, 56,
             "no flag is called \"GREN\"; did you mean \"GREEN\"?");
    check_at("drwa 1 { }", 1, 1, "no event is called \"drwa\"; did you mean \"draw\"?");
    check_at("draw 1 { CLEAR flags=TARGET color=#ff2040 {rect=(0 0 1 1)} }", 1, 35, "#aarrggbb");
    check_at("draw 1 { DRAWPRIMITIVE {type=POINTLIST start=x3= } }", 1, 46, "start");
    check_wrong("draw 1 { RENDERSTATE n=5 ... }", 1, "leaves");
}

/* Every prefix of a text, and the text with any byte replaced. */
static void test_hostile_text(void **state)
{
    static const char text[] = "create texture t 4x4 A8R8G8B8\ncontext c target=t\n"
                               "memory t { checker(4 4 2 #1 #2) }\n"
                               "draw c { 0: CLEAR flags=TARGET|ZBUFFER {rect=(0 0 4 4)} "
                               "TRIANGLEFAN_IMM n=1 padding=hex(00) vertices=hex(00112233) "
                               "user_vertices { fvf(XYZ 1 2 3) } }\npresent t\n";
    static const char others[] = "{}()=#\"x9-|+ \n\xff";
    struct dp2_asm_error error;
    struct events events = {0};
    char copy[sizeof(text)];

    (void)state;
    for (size_t i = 0; i < sizeof(text); i++) {
        memcpy(copy, text, sizeof(text));
        copy[i] = 0;
        assemble(copy, &events, &error);
        free_events(&events);
        for (size_t k = 0; i + 1 < sizeof(text) && k + 1 < sizeof(others); k++) {
            copy[i] = others[k];
            assemble(copy, &events, &error);
            free_events(&events);
        }
    }
}

/* --- shaders, lines --- */

/* Stands in for the assembler of shaders: "word NUMBER" is that number; anything else is wrong in its second line. */
static size_t fake_shader(const char *text, uint32_t *tokens, size_t capacity, struct dp2_asm_error *error)
{
    assert_true(capacity >= strlen(text));
    if (sscanf(text, "\n word %" SCNx32, tokens) == 1)
        return 1;
    *error = (struct dp2_asm_error){.line = strchr(text, '\n') ? 2 : 1, .column = 3, .text = "no word"};
    return 0;
}

static void test_shaders(void **state)
{
    static const char head[] = "draw 1 {\n CREATEPIXELSHADER {handle=1 code=asm(\"";
    const struct {
        const char *text;
        unsigned line, column;
    } wrong[] = {{"x\ny", 3, 3}, {"xyz", 2, 39 + 3}};
    struct events events = {0};
    struct dp2_asm_output output = {.event = keep_event, .shader = fake_shader, .user = &events};
    struct dp2_asm_error error;
    char text[128];

    (void)state;
    snprintf(text, sizeof(text), "%s\n word 1234\n\")} }\nnonsense", head);
    assert_false(dp2_assemble(text, strlen(text), &output, &error));
    assert_int_equal(error.line, 5); /* lines of strings count */
    assert_int_equal(events.count, 1);
    const struct capture_draw *draw = (void *)events.data[0];
    assert_int_equal(draw->command_bytes, 4 + 8 + 4);
    assert_int_equal(*(const uint32_t *)((const uint8_t *)events.data[0] + sizeof(*draw) + 12), 0x1234);
    free_events(&events);
    for (size_t i = 0; i < ARRAY_COUNT(wrong); i++) {
        snprintf(text, sizeof(text), "%s%s\")} }", head, wrong[i].text);
        assert_false(dp2_assemble(text, strlen(text), &output, &error));
        assert_string_equal(error.text, "no word");
        assert_int_equal(error.line, wrong[i].line);
        assert_int_equal(error.column, wrong[i].column);
    }
    snprintf(text, sizeof(text), "%s no end\n", head);
    assert_false(dp2_assemble(text, strlen(text), &output, &error));
    assert_non_null(strstr(error.text, "without its end"));
    check_wrong("draw 1 { CREATEPIXELSHADER {handle=1 code=asm(\"word 1\")} }", 1, "no shaders");
    free_events(&events);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_tokens),   cmocka_unit_test(test_random_values), cmocka_unit_test(test_any_text),
        cmocka_unit_test(test_marker_names), cmocka_unit_test(test_all_events),    cmocka_unit_test(test_draws),
        cmocka_unit_test(test_by_hand),      cmocka_unit_test(test_wrong_text),    cmocka_unit_test(test_hostile_text),
        cmocka_unit_test(test_distance),     cmocka_unit_test(test_shaders),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
