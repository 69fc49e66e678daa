/* SPDX-License-Identifier: MIT */
/* Command lines that are described by a table: the parser, its messages, and the help. */
#include "base/json/json.h"
#include "base/options/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct settings {
    bool verbose, quiet, checked;
    const char *output, *optional;
    long tries, frame;
    int space;
    struct frame_range range;
    const char *first, *second; /* of --pair */
    unsigned options;           /* calls of take_hud */
};

static enum option_result take_pair(void *user, const struct option_row *row, const char *value,
                                    struct option_line *line)
{
    struct settings *settings = user;

    settings->first = value;
    settings->second = option_next(line);
    return settings->second ? OPTION_OK : option_wrong(line, "--%s needs two", row->name);
}

static enum option_result take_hud(void *user, const struct option_row *row, const char *value,
                                   struct option_line *line)
{
    struct settings *settings = user;

    (void)row;
    if (value && strcmp(value, "fail") == 0) {
        line->status = 7;
        return OPTION_FAILED;
    }
    settings->options++;
    settings->optional = value;
    return value && strcmp(value, "list") == 0 ? OPTION_DONE : OPTION_OK;
}

static const struct option_row options[] = {
    {"verbose", 'v', SETS_BOOL(struct settings, verbose), .help = "more"},
    {"quiet", 'q', SETS_BOOL(struct settings, quiet), .help = "less"},
    {"check", 0, SETS_BOOL(struct settings, checked), .help = "check"},
    {"no-check", 0, CLEARS_BOOL(struct settings, checked), .help = "do not"},
    {"output", 'o', SETS_TEXT(struct settings, output), .argument = "FILE", .help = "where to"},
    {"tries", 0, SETS_NUMBER(struct settings, tries), .argument = "N", .low = 1, .high = 9, .help = "how often"},
    {"tries-of-frame", 0, SETS_NUMBER(struct settings, frame), .argument = "N", .high = 9, .wrong = "a frame",
     .help = "which"},
    {"space", 0, SETS_CHOICE(struct settings, space), .argument = "SPACE", .choices = "ndc|pixel|clip|",
     .help = "what points are in"},
    {"range", 'r', SETS_FRAMES(struct settings, range), .argument = "N|A-B", .help = "these"},
    {"pair", 'p', OPTION_CALL, .take = take_pair, .argument = "A B", .help = "two words"},
    {"hud", 0, OPTION_CALL, .take = take_hud, .argument = "ITEMS", .optional = true, .help = "figures"},
    {0},
};

static const struct option_operand operands[] = {{.name = "FILE"}, {"OTHER", .optional = true}, {0}};

static const struct option_syntax syntax = {
    .name = "try",
    .summary = "a verb",
    .about = "Does nothing.",
    .options = options,
    .operands = operands,
    .missing = "a file",
};

static char *words[16];

/* Words separated by spaces. */
static enum option_result parse(const struct option_syntax *how, const char *text, struct settings *settings,
                                struct option_line *line)
{
    static char copy[256];
    int count = 1;

    *settings = (struct settings){.space = -1};
    snprintf(copy, sizeof(copy), "%s", text);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        words[count++] = word;
    words[count] = NULL;
    return options_parse(how, settings, count, words, line);
}

static void good(const char *text, struct settings *settings)
{
    struct option_line line;

    if (parse(&syntax, text, settings, &line) != OPTION_OK)
        fail_msg("%s: %s", text, line.error);
}

static void bad(const char *text, const char *message)
{
    struct settings settings;
    struct option_line line;

    assert_int_equal(parse(&syntax, text, &settings, &line), OPTION_WRONG);
    assert_string_equal(line.error, message);
}

static void test_values(void **state)
{
    struct settings s;

    (void)state;
    good("f -v --check --output=a --tries 3 --space pixel -r 1,5-9", &s);
    assert_true(s.verbose && s.checked && !s.quiet);
    assert_string_equal(s.output, "a");
    assert_int_equal(s.tries, 3);
    assert_int_equal(s.space, 1);
    assert_int_equal(s.range.count, 2);
    good("--check --no-check f", &s);
    assert_false(s.checked);
    good("-vqoname f", &s);
    assert_true(s.verbose && s.quiet);
    assert_string_equal(s.output, "name");
    good("-o -v f", &s); /* the word after it, whatever it is */
    assert_string_equal(s.output, "-v");
    assert_false(s.verbose);
    good("--output= f", &s);
    assert_string_equal(s.output, "");
    good("-p one two f", &s);
    assert_string_equal(s.first, "one");
    assert_string_equal(s.second, "two");
}

static void test_prefixes(void **state)
{
    struct settings s;

    (void)state;
    good("--verb --ou=x --tries 2 --tries-o 4 f", &s); /* --tries itself begins another */
    assert_true(s.verbose);
    assert_string_equal(s.output, "x");
    assert_int_equal(s.tries, 2);
    assert_int_equal(s.frame, 4);
    bad("--tr 2 f", "option '--tr' is ambiguous");
    bad("--h=1 f", "option '--h=1' is ambiguous"); /* --hud, --help */
    bad("--verbosely f", "unrecognized option '--verbosely'");
    bad("--verbose=1 f", "option '--verbose' doesn't allow an argument");
}

static void test_optional_values(void **state)
{
    struct settings s;
    struct option_line line;

    (void)state;
    good("--hud f", &s);
    assert_null(s.optional);
    assert_int_equal(s.options, 1);
    good("--hud=full f", &s);
    assert_string_equal(s.optional, "full");
    assert_int_equal(parse(&syntax, "--hud=list --bogus", &s, &line), OPTION_DONE);
    assert_int_equal(parse(&syntax, "--hud=fail --bogus", &s, &line), OPTION_FAILED);
    assert_int_equal(line.status, 7);
    assert_int_equal(parse(&syntax, "--help --bogus", &s, &line), OPTION_HELP);
    assert_int_equal(parse(&syntax, "-vh", &s, &line), OPTION_HELP);
}

static void test_operands(void **state)
{
    static const struct option_operand several[] = {{.name = "FILE"}, {"MORE", .optional = true, .repeats = true}, {0}};
    struct option_syntax stopping = syntax, any = syntax;
    struct settings s;
    struct option_line line;

    (void)state;
    any.operands = several;
    assert_int_equal(parse(&syntax, "a -v -- -q", &s, &line), OPTION_OK);
    assert_int_equal(line.operand_count, 2);
    assert_string_equal(words[1], "a");
    assert_string_equal(words[2], "-q");
    assert_true(s.verbose && !s.quiet);
    good("-", &s); /* standard input */
    bad("-v", "missing operand: a file");
    bad("a b c", "extra operand 'c'");
    assert_int_equal(parse(&any, "", &s, &line), OPTION_WRONG);
    assert_int_equal(parse(&any, "a b c d", &s, &line), OPTION_OK);
    assert_int_equal(line.operand_count, 4);
    stopping.stops = true;
    stopping.missing = NULL;
    assert_int_equal(parse(&stopping, "-v a -q b", &s, &line), OPTION_OK);
    assert_int_equal(line.operand_count, 3);
    assert_string_equal(words[2], "-q");
    assert_false(s.quiet);
}

static void test_messages(void **state)
{
    (void)state;
    bad("f -Z", "invalid option -- 'Z'");
    bad("f -1", "'-1' begins no option, and no number here is negative");
    bad("f -o", "option requires an argument -- 'o'");
    bad("f --output", "option '--output' requires an argument");
    bad("f --tries 0", "--tries takes 1 to 9, not '0'");
    bad("f --tries 1x", "--tries takes 1 to 9, not '1x'");
    bad("f --tries-of-frame 10", "'10' is not a frame");
    bad("f --space ndcs", "--space takes ndc, pixel or clip, not 'ndcs'");
    bad("f --space= ", "--space takes ndc, pixel or clip, not ''");
    bad("f -r x", "'x' is not a range of frames");
    bad("f -p one", "--pair needs two");
}

/* Returns the text that a function prints. */
static char *printed(void (*print)(FILE *file))
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);

    assert_non_null(file);
    print(file);
    fclose(file);
    return text;
}

static void print_help(FILE *file)
{
    static const struct option_row long_options[] = {
        {"output", 'o', SETS_TEXT(struct settings, output), .argument = "FILE",
         .help = "a text that is so long that it does not fit into one line of eighty columns"},
        {"hud", 0, OPTION_CALL, .take = take_hud, .argument = "ITEMS", .optional = true, .help = "figures"},
        {"a-name-of-many-letters", 0, SETS_BOOL(struct settings, quiet), .help = "less"},
        {0},
    };
    static const struct option_syntax how = {
        .name = "try",
        .about = "One paragraph.\n\n  two   columns\nAnd another.",
        .options = long_options,
        .notes = "Notes.",
        .examples = "dp2 try a\ndp2 try b",
        .operands = operands,
    };

    options_print_help(file, "dp2", &how);
}

static void test_help(void **state)
{
    char *text = printed(print_help);

    (void)state;
    assert_string_equal(text, "usage: dp2 try FILE [OTHER] [OPTION...]\n"
                              "\n"
                              "One paragraph.\n"
                              "\n"
                              "  two   columns\n"
                              "And another.\n"
                              "\n"
                              "  -o, --output FILE   a text that is so long that it does not fit into one line\n"
                              "                      of eighty columns\n"
                              "      --hud[=ITEMS]   figures\n"
                              "      --a-name-of-many-letters\n"
                              "                      less\n"
                              "\n"
                              "Notes.\n"
                              "\n"
                              "examples:\n"
                              "  dp2 try a\n"
                              "  dp2 try b\n");
    free(text);
}

static void print_json(FILE *file)
{
    struct json_writer json;

    json_begin(&json, file, "dp2-help", false);
    json_stream_list(&json, "verbs");
    options_put(&json, &syntax, "group");
    json_close(&json);
    assert_true(json_end(&json));
}

static void test_json(void **state)
{
    char *text = printed(print_json);
    json_t *root = json_loads(text, 0, NULL);
    const json_t *verb = json_array_get(json_object_get(root, "verbs"), 0);
    const json_t *listed = json_object_get(verb, "options"), *space = json_array_get(listed, 7);

    (void)state;
    assert_int_equal(json_array_size(listed), 11);
    assert_string_equal(json_string_value(json_object_get(space, "name")), "space");
    assert_int_equal(json_array_size(json_object_get(space, "choices")), 3);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(listed, 5), "most")), 9);
    assert_string_equal(json_string_value(json_object_get(json_array_get(listed, 0), "letter")), "v");
    assert_null(json_object_get(json_array_get(listed, 0), "argument"));
    assert_true(json_is_true(json_object_get(json_array_get(json_object_get(verb, "operands"), 1), "optional")));
    json_decref(root);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),   cmocka_unit_test(test_prefixes), cmocka_unit_test(test_optional_values),
        cmocka_unit_test(test_operands), cmocka_unit_test(test_messages), cmocka_unit_test(test_help),
        cmocka_unit_test(test_json),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
