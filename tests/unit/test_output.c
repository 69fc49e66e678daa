/* SPDX-License-Identifier: MIT */
/* base/output.h: a file is complete or as it was before, whatever happens in between. */
#include "base/output.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/scratch_folder.h"

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void holds(const char *path, const char *text)
{
    char got[64] = "";
    FILE *file = fopen(path, "r");

    assert_non_null(file);
    got[fread(got, 1, sizeof(got) - 1, file)] = 0;
    fclose(file);
    assert_string_equal(got, text);
}

static void test_new_file(void **state)
{
    struct output output;

    (void)state;
    assert_true(output_open(&output, at("a"), OUTPUT_REPLACE));
    fputs("text", output.file);
    assert_int_not_equal(access(at("a"), F_OK), 0); /* not before it is complete */
    assert_true(output_commit(&output));
    holds(at("a"), "text");
    assert_int_equal(files_in_folder(NULL), 1);
}

static void test_old_file_stays(void **state)
{
    struct output output;

    (void)state;
    put(at("a"), "old");
    assert_true(output_open(&output, at("a"), OUTPUT_REPLACE));
    fputs("half of", output.file);
    holds(at("a"), "old");
    output_discard(&output);
    output_discard(&output); /* closed: nothing happens */
    holds(at("a"), "old");
    assert_int_equal(files_in_folder(NULL), 1);
    assert_int_equal(chmod(at("a"), 0640), 0);
    assert_true(output_open(&output, at("a"), OUTPUT_REPLACE));
    fputs("new", output.file);
    assert_true(output_commit(&output));
    holds(at("a"), "new");
    struct stat now;
    assert_int_equal(stat(at("a"), &now), 0);
    assert_int_equal(now.st_mode & 07777, 0640);
}

/* A failing write, as on a full disk, leaves the old file and no other. */
static void test_failed_write(void **state)
{
    static char block[1 << 16];
    struct rlimit before, little = {4096, 4096};
    struct output output;

    (void)state;
    put(at("a"), "old");
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    little.rlim_max = before.rlim_max;
    assert_true(output_open(&output, at("a"), OUTPUT_REPLACE));
    setrlimit(RLIMIT_FSIZE, &little);
    fwrite(block, 1, sizeof(block), output.file);
    fwrite(block, 1, sizeof(block), output.file);
    bool done = output_commit(&output);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_false(done);
    holds(at("a"), "old");
    assert_int_equal(files_in_folder(NULL), 1);
}

static void test_never_overwrites(void **state)
{
    struct output first, second;

    (void)state;
    assert_true(output_open(&first, at("a"), OUTPUT_NEW));
    assert_false(output_open(&second, at("a"), OUTPUT_NEW)); /* somebody else writes it */
    assert_int_equal(errno, EEXIST);
    fputs("first", first.file);
    assert_true(output_commit(&first));
    assert_false(output_open(&second, at("a"), OUTPUT_NEW)); /* it is there */
    assert_int_equal(errno, EEXIST);
    holds(at("a"), "first");

    /* it appears while we write */
    assert_true(output_open(&first, at("b"), OUTPUT_NEW));
    fputs("ours", first.file);
    put(at("b"), "theirs");
    assert_false(output_commit(&first));
    assert_int_equal(errno, EEXIST);
    holds(at("b"), "theirs");
}

/* Two outputs of one process, and the temporary file of a killed process, do not get in each other's way. */
static void test_temporaries_differ(void **state)
{
    struct output first, second;

    (void)state;
    assert_true(output_open(&first, at("a"), OUTPUT_REPLACE));
    assert_true(output_open(&second, at("a"), OUTPUT_REPLACE));
    fputs("first", first.file);
    fputs("second", second.file);
    assert_true(output_commit(&first));
    assert_true(output_commit(&second));
    holds(at("a"), "second");
    assert_int_equal(files_in_folder(NULL), 1);
}

static void test_devices_stay(void **state)
{
    struct output output;

    (void)state;
    assert_int_equal(mkfifo(at("pipe"), 0600), 0);
    if (fork() == 0) {
        FILE *reader = fopen(at("pipe"), "r");

        _exit(!reader || fgetc(reader) != 'x');
    }
    assert_true(output_open(&output, at("pipe"), OUTPUT_REPLACE));
    fputs("x", output.file);
    assert_true(output_commit(&output));
    int status;
    wait(&status);
    assert_int_equal(status, 0);
    struct stat now;
    assert_int_equal(stat(at("pipe"), &now), 0);
    assert_true(S_ISFIFO(now.st_mode));
    /* a device that accepts nothing: an error, and the device is still there */
    assert_true(output_open(&output, "/dev/full", OUTPUT_REPLACE));
    fputs("x", output.file);
    assert_false(output_commit(&output));
    assert_int_equal(errno, ENOSPC);
    assert_int_equal(access("/dev/full", F_OK), 0);
}

static void test_links(void **state)
{
    struct output output;

    (void)state;
    put(at("real"), "old");
    assert_int_equal(symlink("real", at("link")), 0);
    assert_true(output_open(&output, at("link"), OUTPUT_REPLACE));
    fputs("new", output.file);
    assert_true(output_commit(&output));
    holds(at("real"), "new");
    struct stat now;
    assert_int_equal(lstat(at("link"), &now), 0);
    assert_true(S_ISLNK(now.st_mode));
    assert_true(output_is_same_file(at("link"), at("real")));
    put(at("other"), "new");
    assert_false(output_is_same_file(at("other"), at("real")));
    assert_false(output_is_same_file(at("nowhere"), at("nowhere")));
}

static void test_reasons(void **state)
{
    struct output output;

    (void)state;
    assert_false(output_open(&output, at("no/such/folder"), OUTPUT_REPLACE));
    assert_int_equal(errno, ENOENT);
    assert_null(output.file);
    assert_false(output_open(&output, folder, OUTPUT_REPLACE));
    assert_int_equal(errno, EISDIR);
}

/* A signal handler removes this when the process is asked to end. */
static void test_signal(void **state)
{
    struct output output;

    (void)state;
    put(at("a"), "old");
    assert_true(output_open(&output, at("a"), OUTPUT_REPLACE));
    fputs("new", output.file);
    assert_int_equal(files_in_folder(NULL), 2);
    output_remove_temporaries();
    assert_int_equal(files_in_folder(NULL), 1);
    output_discard(&output);
    holds(at("a"), "old");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_in_folder(test_new_file),
        test_in_folder(test_old_file_stays),
        test_in_folder(test_failed_write),
        test_in_folder(test_never_overwrites),
        test_in_folder(test_temporaries_differ),
        test_in_folder(test_devices_stay),
        test_in_folder(test_links),
        test_in_folder(test_reasons),
        test_in_folder(test_signal),
    };

    return cmocka_run_group_tests_name("files written whole or not at all", tests, NULL, NULL);
}
