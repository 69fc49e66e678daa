/* SPDX-License-Identifier: MIT */
/* base/name.h and base/utf8.h: names from files, folders and patterns, numbers for names that are taken, external
 * text. */
#include "base/name.h"
#include "base/output.h"
#include "base/process.h"
#include "base/utf8.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/scratch_folder.h"

static const struct name_values values = {
    .program = "title",
    .process = 4711,
    .time = {.tm_year = 126, .tm_mon = 10, .tm_mday = 22, .tm_hour = 13, .tm_min = 15, .tm_sec = 2}};

static void expands(const char *text, const char *wanted)
{
    char *got = name_expand(text, "capture", &values);

    assert_non_null(got);
    assert_string_equal(got, wanted);
    free(got);
}

static void test_patterns(void **state)
{
    (void)state;
    expands("title.capture", "title.capture");
    expands("%e.%p.%t.capture", "title.4711.20261122-131502.capture");
    expands("%e/%e", "title/title");
    expands("100%%", "100%");
    expands("50%off/%", "50%off/%"); /* no patterns */
    expands("%", "%");
}

static void test_folders(void **state)
{
    char text[128], wanted[256];
    struct stat info;

    (void)state;
    snprintf(wanted, sizeof(wanted), "%s/title-4711-20261122-131502.capture", folder);
    expands(folder, wanted); /* it exists */
    snprintf(text, sizeof(text), "%s/", folder);
    expands(text, wanted);
    snprintf(text, sizeof(text), "%s/a/%%e/", folder);
    snprintf(wanted, sizeof(wanted), "%s/a/title/title-4711-20261122-131502.capture", folder);
    expands(text, wanted); /* a separator at its end: the folder is created */
    snprintf(text, sizeof(text), "%s/a/title", folder);
    assert_true(stat(text, &info) == 0 && S_ISDIR(info.st_mode));
}

static void opens(struct output *output, const char *name, const char *wanted)
{
    char path[128];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    assert_true(name_open(output, path));
    snprintf(path, sizeof(path), "%s/%s", folder, wanted);
    assert_string_equal(output->path, path);
    assert_int_not_equal(access(path, F_OK), 0); /* not before it is complete */
    fputs("text", output->file);
}

/* Existing files, and files that are being written, keep their names. */
static void test_numbers(void **state)
{
    struct output a, b, c, d;

    (void)state;
    opens(&a, "title.capture", "title.capture");
    opens(&b, "title.capture", "title.1.capture");
    assert_true(output_commit(&a));
    opens(&c, "title.capture", "title.2.capture");
    assert_true(output_commit(&c));
    output_keep(&b); /* as a program that dies leaves it */
    opens(&d, "title.capture", "title.3.capture");
    output_discard(&d);
    opens(&d, "title.capture", "title.3.capture");
    assert_true(output_commit_or_keep(&d));
    opens(&a, "none", "none");
    opens(&b, "none", "none.1");
    assert_true(output_commit(&a) && output_commit(&b));
    opens(&a, ".hidden", ".hidden");
    opens(&b, ".hidden", ".hidden.1");
    assert_true(output_commit(&a) && output_commit(&b));
}

static void test_kept_part(void **state)
{
    struct output output;
    char path[128], text[8] = "";
    FILE *file;

    (void)state;
    opens(&output, "kept.capture", "kept.capture");
    snprintf(path, sizeof(path), "%s/kept.capture", folder);
    file = fopen(path, "w"); /* somebody else takes the name meanwhile */
    assert_non_null(file);
    fclose(file);
    assert_false(output_commit_or_keep(&output));
    assert_int_equal(errno, EEXIST);
    strcat(path, ".part");
    file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof(text), file));
    fclose(file);
    assert_string_equal(text, "text");
}

static void test_no_place(void **state)
{
    struct output output;

    (void)state;
    assert_false(name_open(&output, "/nonexistent/title.capture"));
    assert_int_equal(errno, ENOENT);
    assert_null(output.file);
}

/* Many processes at once, one name: each gets a file, with only its own contents. */
static void test_processes(void **state)
{
    enum { COUNT = 24 };
    char path[160];
    pid_t children[COUNT];
    unsigned seen = 0;

    (void)state;
    snprintf(path, sizeof(path), "%s/race.capture", folder);
    for (unsigned i = 0; i < COUNT; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            struct output output;
            bool done = name_open(&output, path);
            for (unsigned n = 0; done && n < 1000; n++)
                fprintf(output.file, "%u\n", i);
            _exit(done && output_commit_or_keep(&output) ? 0 : 1);
        }
    }
    for (unsigned i = 0; i < COUNT; i++) {
        int status = 0;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    for (unsigned i = 0; i < COUNT; i++) {
        unsigned first, next, lines = 1;
        if (i)
            snprintf(path, sizeof(path), "%s/race.%u.capture", folder, i);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        assert_int_equal(fscanf(file, "%u", &first), 1);
        while (fscanf(file, "%u", &next) == 1) {
            assert_int_equal(next, first);
            lines++;
        }
        fclose(file);
        assert_int_equal(lines, 1000);
        seen |= 1u << first;
    }
    assert_int_equal(seen, (1u << COUNT) - 1);
}

static void cleaned(const char *from, size_t size, const char *wanted)
{
    char to[64];

    memset(to, 'x', sizeof(to));
    utf8_clean(to, size, from);
    assert_string_equal(to, wanted);
}

static void test_utf8(void **state)
{
    (void)state;
    static const struct {
        const char *text, *escaped;
    } texts[] = {
        {"plain \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80 \\ \"", "plain \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80 \\ \""},
        {"\x1b[31m\t\n\x7f", "\\x1b[31m\\x09\\x0a\\x7f"},
        {"\xc2\x80|\xc2\x9b|\xc2\x9f|\xc2\xa0", "\\xc2\\x80|\\xc2\\x9b|\\xc2\\x9f|\xc2\xa0"},
        {"\xd8\x9c|\xd8\x9b", "\\xd8\\x9c|\xd8\x9b"},
        {"\xe2\x80\x8d|\xe2\x80\x8e|\xe2\x80\x8f|\xe2\x80\x90",
         "\xe2\x80\x8d|\\xe2\\x80\\x8e|\\xe2\\x80\\x8f|\xe2\x80\x90"},
        {"\xe2\x80\xa9|\xe2\x80\xaa|\xe2\x80\xae|\xe2\x80\xaf",
         "\xe2\x80\xa9|\\xe2\\x80\\xaa|\\xe2\\x80\\xae|\xe2\x80\xaf"},
        {"\xe2\x81\xa5|\xe2\x81\xa6|\xe2\x81\xa9|\xe2\x81\xaa",
         "\xe2\x81\xa5|\\xe2\\x81\\xa6|\\xe2\\x81\\xa9|\xe2\x81\xaa"},
        {"\xff\xe2\x80", "\\xff\\xe2\\x80"},
    };
    char escaped[128];

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        utf8_escape_text(escaped, sizeof(escaped), texts[i].text);
        assert_string_equal(escaped, texts[i].escaped);
    }
    utf8_escape_text(escaped, 6, "ab\x1b"); /* not enough room for the whole character: no part of it is copied */
    assert_string_equal(escaped, "ab");
    assert_int_equal(utf8_length("a"), 1);
    assert_int_equal(utf8_length("\xc3\xa4"), 2);
    assert_int_equal(utf8_length("\xe2\x82\xac"), 3);
    assert_int_equal(utf8_length("\xf0\x9f\x98\x80"), 4);
    assert_int_equal(utf8_length("\xc0\x80"), 0);         /* overlong */
    assert_int_equal(utf8_length("\xe0\x80\x80"), 0);     /* overlong */
    assert_int_equal(utf8_length("\xed\xa0\x80"), 0);     /* surrogate */
    assert_int_equal(utf8_length("\xf4\x90\x80\x80"), 0); /* beyond U+10FFFF */
    assert_int_equal(utf8_length("\x80"), 0);
    assert_int_equal(utf8_length("\xc3"), 0);
    assert_int_equal(utf8_length("\xff"), 0);
    cleaned("a\nb\tc\x7f", 64, "a b c ");
    cleaned("\xff"
            "a\xc3",
            64,
            "\xef\xbf\xbd"
            "a\xef\xbf\xbd");
    cleaned("a\xc3\xa4"
            "b",
            3, "a"); /* between two characters */
    cleaned("a\xc3\xa4"
            "b",
            4, "a\xc3\xa4");
    cleaned("abc", 1, "");
}

static void test_process(void **state)
{
    char text[256], program[256];
    const struct name_values now = name_values_now(program, sizeof(program));

    (void)state;
    assert_int_equal(now.process, getpid());
    assert_string_equal(now.program, "test_name");
    assert_true(now.time.tm_year >= 124);
    process_path(text, sizeof(text));
    assert_non_null(strstr(text, "/test_name"));
    process_command(text, sizeof(text));
    assert_non_null(strstr(text, "test_name"));
    assert_string_equal(process_wine_version(), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patterns),  cmocka_unit_test(test_folders),  cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_kept_part), cmocka_unit_test(test_no_place), cmocka_unit_test(test_processes),
        cmocka_unit_test(test_utf8),      cmocka_unit_test(test_process),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
