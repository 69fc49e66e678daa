/* SPDX-License-Identifier: MIT */
/* The log of several programs: a shared file, or one for each. Every program here is a separate process. */
#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "tests/unit/scratch_folder.h"

#define PROGRAMS 4u
#define LINES    3000u

/* Writes lines that contain its number, with lengths up to the maximum. */
static void run(unsigned program, unsigned lines)
{
    char filler[1000];

    memset(filler, 'a' + (int)program, sizeof(filler));
    for (unsigned line = 0; line < lines; line++)
        log_write(LOG_WARN, "%u %u %.*s", program, line, (int)(line * 37 % sizeof(filler)), filler);
    _exit(0);
}

static pid_t start(const char *path, unsigned program, unsigned lines)
{
    const pid_t process = fork();

    if (process == 0) {
        setenv("HALCYON_LOG_PATH", path, 1);
        setenv("HALCYON_LOG_FORMAT", "full", 1);
        run(program, lines);
    }
    return process;
}

static void wait_for(pid_t process)
{
    int status;

    assert_int_equal(waitpid(process, &status, 0), process);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Each program's lines are complete and in order; returns how many each has. */
static void read_log(const char *path, unsigned counts[PROGRAMS])
{
    static char text[2048];
    FILE *file = fopen(path, "r");

    memset(counts, 0, PROGRAMS * sizeof(*counts));
    assert_non_null(file);
    while (fgets(text, sizeof(text), file)) {
        const char *at = strstr(text, ": warn: ");
        unsigned program, line;
        int skipped;

        assert_non_null(at);
        assert_int_equal(sscanf(at, ": warn: %u %u%n", &program, &line, &skipped), 2);
        assert_true(program < PROGRAMS);
        assert_int_equal(line, counts[program]);
        counts[program]++;
        at += skipped + 1;
        assert_int_equal(strspn(at, (const char[]){(char)('a' + program), 0}), line * 37 % 1000);
        assert_string_equal(at + line * 37 % 1000, "\n");
    }
    fclose(file);
}

static void test_one_file(void **state)
{
    unsigned counts[PROGRAMS];
    pid_t processes[PROGRAMS];
    char path[96];

    (void)state;
    snprintf(path, sizeof(path), "%s/log", folder);
    for (unsigned i = 0; i < PROGRAMS; i++)
        processes[i] = start(path, i, LINES);
    for (unsigned i = 0; i < PROGRAMS; i++)
        wait_for(processes[i]);
    read_log(path, counts);
    for (unsigned i = 0; i < PROGRAMS; i++)
        assert_int_equal(counts[i], LINES);
}

/* A launcher, then its game. */
static void test_one_after_the_other(void **state)
{
    unsigned counts[PROGRAMS];
    char path[96];

    (void)state;
    snprintf(path, sizeof(path), "%s/log", folder);
    wait_for(start(path, 0, 3));
    wait_for(start(path, 1, 5));
    read_log(path, counts);
    assert_int_equal(counts[0], 3);
    assert_int_equal(counts[1], 5);
}

static void test_a_file_each(void **state)
{
    static const char *const texts[] = {"%s/%%e.%%p.log", "%s/new/", "%s"};
    unsigned counts[PROGRAMS], files = 0;

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(texts); i++) {
        char path[96], name[256];
        pid_t process;

        snprintf(path, sizeof(path), texts[i], folder);
        process = start(path, i, 4);
        wait_for(process);
        snprintf(name, sizeof(name),
                 i == 0   ? "%s/test_log.%ld.log"
                 : i == 1 ? "ls %s/new/test_log-%ld-*.log"
                          : "ls %s/test_log-%ld-*.log",
                 folder, (long)process);
        if (i > 0) {
            FILE *list = popen(name, "r");
            assert_non_null(fgets(name, sizeof(name), list));
            name[strcspn(name, "\n")] = 0;
            pclose(list);
        }
        read_log(name, counts);
        assert_int_equal(counts[i], 4);
        files++;
    }
    assert_int_equal(files, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_in_folder(test_one_file),
        test_in_folder(test_one_after_the_other),
        test_in_folder(test_a_file_each),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
