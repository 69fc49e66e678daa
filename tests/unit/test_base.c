/* SPDX-License-Identifier: MIT */
/* base/: configuration keys and their sample file, log_once, allocation, short copies, CPU levels, assertions. */
#include "base/assert.h"
#include "base/base.h"
#include "base/config.h"
#include "base/lock.h"
#include "base/bytes.h"

#include <ctype.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static char directory[] = "/tmp/halcyon-test-XXXXXX";
static char log_path[64], conf_path[64];

/* The file name of this program, in capitals: program names are case-insensitive. */
static void write_section(FILE *file)
{
    char path[512];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
    const char *name;

    assert_true(length > 0);
    path[length] = 0;
    fputs("\t[", file);
    for (name = strrchr(path, '/') + 1; *name; name++)
        fputc(toupper((unsigned char)*name), file);
    fputs("]  # this program\n", file);
}

/* The environment as a user might leave it: a file, a list, a variable, and errors in each. */
static int prepare(void **state)
{
    FILE *file;

    (void)state;
    assert_non_null(mkdtemp(directory));
    snprintf(log_path, sizeof(log_path), "%s/log", directory);
    snprintf(conf_path, sizeof(conf_path), "%s/my.conf", directory);
    file = fopen(conf_path, "w");
    assert_non_null(file);
    fputs("# comment\n\n  threads = 3 # three\ncpu=sse2\ncapture_frames = 10,101-200\n"
          "nonsense\nlog_level = info\nframe_limit = 10\n",
          file);
    /* The rest of a line that is too long is not read as a line. */
    fprintf(file, "# %1200s threads = 4\nlog_level = %1200s threads = 4\n", "", "");
    fputs("[other.exe]\nframe_limit = 20\nnot = looked at\n", file);
    write_section(file);
    fputs("frame_limit = 30\nhud = fps\ncpu = scalar\n[my [old] #1.exe] # another\nframe_limit = 40\n"
          "[open\nframe_limit = 50\n[]\nframe_limit = 60\n",
          file);
    fclose(file);
    setenv("HALCYON_CONFIG_FILE", conf_path, 1);
    setenv("HALCYON_CONFIG", "cpu = scalar; colour = red;; threads = many", 1);
    setenv("HALCYON_CPU", "avx2", 1);
    setenv("HALCYON_THREADS", "65", 1);
    setenv("HALCYON_LOG_PATH", log_path, 1);
    setenv("HALCYON_LOG_LEVEL", "info", 1);
    setenv("HALCYON_LOG_FORMAT", "full", 1);
    setenv("HALCYON_TREADS", "2", 1);
    setenv("HALCYON_SOMETHING_ELSE", "2", 1); /* not ours */
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    unlink(log_path);
    unlink(conf_path);
    return rmdir(directory);
}

static size_t key_index(const char *name)
{
    size_t count, i;
    const struct config_key *keys = config_keys(&count);

    for (i = 0; i < count && strcmp(keys[i].name, name) != 0; i++)
        ;
    assert_true(i < count);
    return i;
}

static void test_precedence(void **state)
{
    char source[80];

    (void)state;
    assert_int_equal(config_int("threads"), 3); /* both later values are bad */
    assert_string_equal(config_string("cpu"), "avx2");
    assert_string_equal(config_string("capture_frames"), "10,101-200");
    assert_string_equal(config_string("capture"), "");
    snprintf(source, sizeof(source), "%s:3", conf_path);
    assert_string_equal(config_source(key_index("threads")), source);
    assert_string_equal(config_source(key_index("cpu")), "HALCYON_CPU");
    assert_string_equal(config_source(key_index("capture")), "default");
}

static void test_sections_are_for_their_program(void **state)
{
    char source[80];

    (void)state;
    assert_int_equal(config_int("frame_limit"), 30);
    assert_string_equal(config_string("hud"), "fps");
    assert_string_equal(config_string("cpu"), "avx2"); /* the environment comes before sections */
    snprintf(source, sizeof(source), "%s:15", conf_path);
    assert_string_equal(config_source(key_index("frame_limit")), source);
}

static void test_problems_are_named(void **state)
{
    static const char *const expected[] = {
        "nonsense", "the line is longer than",      "[program.exe]: [open", "colour", "many",
        "65",       "did you mean HALCYON_THREADS?"};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(expected); i++) {
        assert_non_null(config_problem(i));
        assert_non_null(strstr(config_problem(i), expected[i]));
    }
    assert_null(config_problem(ARRAY_COUNT(expected)));
}

static void test_values_are_checked(void **state)
{
    static const struct config_key number = {"n", CONFIG_INT, "0", NULL, 0, 8};
    static const struct config_key choice = {"c", CONFIG_CHOICE, "a", "a|bc|d", 0, 0};
    static const struct config_key flag = {"b", CONFIG_BOOL, "0", NULL, 0, 0};

    (void)state;
    assert_null(config_check(&number, "8"));
    assert_non_null(config_check(&number, "9"));
    assert_non_null(config_check(&number, "-1"));
    assert_non_null(config_check(&number, "1x"));
    assert_non_null(config_check(&number, ""));
    assert_null(config_check(&choice, "bc"));
    assert_non_null(config_check(&choice, "b"));
    assert_non_null(config_check(&choice, "a|bc"));
    assert_non_null(config_check(&choice, ""));
    assert_null(config_check(&flag, "off"));
    assert_non_null(config_check(&flag, "2"));
}

static void test_defaults_are_valid(void **state)
{
    size_t count;
    const struct config_key *keys = config_keys(&count);

    (void)state;
    for (size_t i = 0; i < count; i++)
        assert_null(config_check(&keys[i], keys[i].fallback));
}

/* The sample file shows every key, commented out and at its default, and no other. */
static void test_sample_file(void **state)
{
    FILE *file = fopen("halcyon.conf", "r");
    char line[256], name[64];
    size_t count, found = 0;
    const struct config_key *keys = config_keys(&count);

    (void)state;
    if (!file)
        skip(); /* not started in the project's root */
    while (fgets(line, sizeof(line), file)) {
        char value[64] = "";

        if (sscanf(line, "# %63[a-z_] = %63s", name, value) < 1 || !strstr(line, " ="))
            continue;
        if (!strchr(name, ' ') && strncmp(line + 2 + strlen(name), " =", 2) == 0) {
            assert_string_equal(value, keys[key_index(name)].fallback);
            found++;
        }
    }
    fclose(file);
    assert_int_equal(found, count);
}

/* The text about one key in a manual page, without the escapes of its hyphens. */
static bool page_section(const char *page, const char *key, char *text, size_t size)
{
    char mark[64];
    const char *from, *to;
    size_t length = 0;

    snprintf(mark, sizeof(mark), "\n.TP\n.B %s\n", key);
    from = strstr(page, mark);
    if (!from)
        return false;
    from += strlen(mark);
    to = strstr(from, "\n.");
    for (; from < to && length + 1 < size; from++)
        if (*from != '\\' || from[1] != '-')
            text[length++] = *from;
    text[length] = 0;
    return true;
}

/* Whether the text contains the word, with no letter or digit next to it. */
static bool has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);

    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
        if ((at == text || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[length]))
            return true;
    return false;
}

/* The manual page gives the default and the possible values of every key. */
static void test_manual_page(void **state)
{
    static char page[65536];
    FILE *file = fopen("tools/man/halcyon.conf.5", "r");
    char text[4096], word[64];
    size_t count, keys_in_page = 0;
    const struct config_key *keys = config_keys(&count);

    (void)state;
    if (!file)
        skip(); /* not started in the project's root */
    page[fread(page, 1, sizeof(page) - 1, file)] = 0;
    fclose(file);
    for (size_t i = 0; i < count; i++) {
        assert_true(page_section(page, keys[i].name, text, sizeof(text)));
        snprintf(word, sizeof(word), *keys[i].fallback ? "Default: \\fB%s\\fR." : "Default: empty.", keys[i].fallback);
        assert_non_null(strstr(text, word));
        if (keys[i].kind == CONFIG_INT) {
            snprintf(word, sizeof(word), "%d", keys[i].min);
            assert_true(has_word(text, word));
            snprintf(word, sizeof(word), "%d", keys[i].max);
            assert_true(has_word(text, word));
        }
        if (keys[i].kind == CONFIG_BOOL)
            assert_true(has_word(text, "0") && has_word(text, "1"));
        for (const char *choice = keys[i].choices; choice && *choice; choice += strspn(choice, "|")) {
            snprintf(word, sizeof(word), "%.*s", (int)strcspn(choice, "|"), choice);
            assert_true(has_word(text, word));
            choice += strlen(word);
        }
    }
    for (const char *at = strstr(page, "\nDefault: "); at; at = strstr(at + 1, "\nDefault: "))
        keys_in_page++;
    assert_int_equal(keys_in_page, count);
}

static unsigned lines_with(const char *text)
{
    FILE *file = fopen(log_path, "r");
    char line[1200];
    unsigned count = 0;

    assert_non_null(file);
    while (fgets(line, sizeof(line), file))
        count += strstr(line, text) != NULL;
    fclose(file);
    return count;
}

static void test_log(void **state)
{
    (void)state;
    base_init("test.dll");
    base_init("other.dll");
    assert_int_equal(lines_with("test.dll: info: Halcyon "), 1);
    assert_int_equal(lines_with("other.dll"), 0);
    assert_int_equal(lines_with("test.dll: info: cpu = avx2 (HALCYON_CPU)"), 1);
    assert_int_equal(lines_with("no such key: colour"), 1);
    char who[64];
    snprintf(who, sizeof(who), " test_base[%d] test.dll: warn: ", (int)getpid());
    assert_int_equal(lines_with(who), 7);
    for (unsigned i = 0; i < 10; i++)
        log_once(LOG_WARN, i % 2, "token %u is unknown", i % 2);
    log_once(LOG_WARN, 0, "another site");
    assert_int_equal(lines_with("token 0 is unknown"), 1);
    assert_int_equal(lines_with("token 1 is unknown"), 1);
    assert_int_equal(lines_with("another site"), 1);
    assert_false(log_enabled(LOG_DEBUG));
    log_debug("quiet");
    assert_int_equal(lines_with("quiet"), 0);
}

/* More different messages than the table holds: the table is full, and the program does not hang. */
static void test_log_once_overflow(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 5000; i++)
        log_once(LOG_WARN, i, "flood %u", i);
    assert_true(lines_with("flood") < 1024);
}

static void test_memory(void **state)
{
    uint8_t *p = mem_alloc_aligned(1000);

    (void)state;
    assert_non_null(p);
    assert_int_equal((uintptr_t)p % 64, 0);
    for (unsigned i = 0; i < 1000; i++)
        assert_int_equal(p[i], 0);
    mem_free_aligned(p);
    assert_null(mem_alloc_aligned(SIZE_MAX));
    assert_null(mem_calloc(SIZE_MAX / 2, 3));
    assert_null(mem_realloc(NULL, SIZE_MAX / 2, 3));
    p = mem_calloc(0, 8);
    assert_non_null(p);
    p = mem_realloc(p, 16, 4);
    assert_non_null(p);
    free(p);
}

static void test_mem_sums(void **state)
{
    size_t capacity = 0;
    uint8_t *bytes = NULL, *p;

    (void)state;
    assert_null(mem_alloc(SIZE_MAX / 2, 3, 0));
    assert_null(mem_alloc(SIZE_MAX / 2, 2, 2));
    p = mem_alloc(0, 0, 0);
    assert_non_null(p);
    free(p);
    p = mem_alloc(10, 3, 2);
    assert_non_null(p);
    memset(p, 1, 32);
    free(p);
    for (size_t length = 0; length < 100000; length += 37) {
        p = mem_grow(bytes, &capacity, length, 37);
        assert_non_null(p);
        assert_true(capacity >= length + 37);
        assert_true(!bytes || capacity < 2 * length + 512);
        for (unsigned i = 0; i < length; i += 997)
            assert_int_equal(p[i], (uint8_t)(i / 37));
        memset(p + length, (int)(length / 37 & 255), 37);
        bytes = p;
    }
    p = mem_grow(bytes, &capacity, 5, 0);
    assert_ptr_equal(p, bytes);
    const size_t before = capacity;
    assert_null(mem_grow(bytes, &capacity, SIZE_MAX, 1));
    assert_int_equal(capacity, before);
    free(bytes);
}

/* All sizes and alignments: what is equal, each byte that differs, and nothing written around a copy. */
static void test_bytes(void **state)
{
    enum { MOST = 300 };
    uint8_t a[MOST + 16], b[MOST + 16], copy[MOST + 16];

    (void)state;
    for (size_t i = 0; i < sizeof(a); i++)
        a[i] = (uint8_t)(i * 37 + 11);
    for (size_t bytes = 0; bytes <= MOST; bytes++) {
        const size_t from = bytes % 8, to = bytes / 8 % 8;

        memset(b, 0xEE, sizeof(b));
        memcpy(b + to, a + from, bytes);
        assert_true(base_equal(a + from, b + to, bytes));
        for (size_t at = 0; at < bytes; at++) {
            b[to + at] ^= 0x40;
            assert_false(base_equal(a + from, b + to, bytes));
            b[to + at] ^= 0x40;
        }
        memset(copy, 0xEE, sizeof(copy));
        base_copy_short(copy + to, a + from, bytes);
        assert_memory_equal(copy, b, sizeof(b));
        if (bytes % 4)
            continue;
        memset(copy, 0xEE, sizeof(copy));
        base_copy_dwords(copy + to, a + from, bytes);
        assert_memory_equal(copy, b, sizeof(b));
    }
}

static void test_cpu(void **state)
{
    (void)state;
    assert_true(cpu_level_detected() > CPU_SCALAR || sizeof(void *) == 4);
    assert_true(cpu_level_selected() <= cpu_level_detected());
#if defined(__x86_64__)
    assert_true(cpu_level_selected() <= CPU_AVX2);
    assert_string_equal(cpu_level_name(CPU_AVX512), "avx512");
#endif
    assert_int_equal(cpu_thread_count(), 3);
    assert_string_equal(cpu_level_name(CPU_SCALAR), "scalar");
    assert_string_equal(cpu_level_name(CPU_LEVEL_COUNT), "unknown");
}

static void test_clock(void **state)
{
    double first = clock_seconds();

    (void)state;
    assert_true(clock_seconds() >= first);
}

/* Threads pass a turn round; each sleeps until its turn. */
enum { PLAYERS = 3, ROUNDS = 2000 };

struct round_dance {
    struct base_lock lock;
    struct base_condition moved;
    unsigned turn, next_player;
};

static void *dance(void *argument)
{
    struct round_dance *d = argument;

    base_lock(&d->lock);
    const unsigned self = d->next_player++;

    for (unsigned round = 0; round < ROUNDS; round++) {
        while (d->turn % PLAYERS != self)
            base_wait(&d->moved, &d->lock);
        d->turn++;
        base_wake_all(&d->moved);
    }
    base_unlock(&d->lock);
    return NULL;
}

static void test_lock(void **state)
{
    struct round_dance d = {.turn = 0};
    pthread_t players[PLAYERS];

    (void)state;
    base_lock_init(&d.lock);
    base_condition_init(&d.moved);
    for (unsigned i = 0; i < PLAYERS; i++)
        assert_int_equal(pthread_create(&players[i], NULL, dance, &d), 0);
    for (unsigned i = 0; i < PLAYERS; i++)
        pthread_join(players[i], NULL);
    assert_int_equal(d.turn, PLAYERS * ROUNDS);
    base_condition_destroy(&d.moved);
    base_lock_destroy(&d.lock);
}

/* In builds that check assertions, a violated one ends the process; in others its condition is not even evaluated. */
static void test_assert(void **state)
{
#if defined(HALCYON_ASSERTS)
    const bool checked = true;
#else
    const bool checked = false;
#endif
    unsigned evaluated = 0;
    int status = 0;

    (void)state;
    BASE_ASSERT(++evaluated);
    assert_int_equal(evaluated, checked);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        BASE_ASSERT(evaluated == 2);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (checked)
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    else
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Each profile sets a setting that exists to a value that it may have and would not have otherwise, once, and is listed for people. */
static void test_profiles(void **state)
{
    size_t count, key_count;
    const struct config_profile *profiles = config_profiles(&count);
    const struct config_key *keys = config_keys(&key_count);
    static char text[65536];
    FILE *file = fopen("docs/profiles.md", "r");

    (void)state;
    assert_non_null(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = 0;
    fclose(file);
    for (size_t i = 0; i < count; i++) {
        const struct config_profile *p = &profiles[i];
        char row[512];

        assert_null(config_check(&keys[key_index(p->key)], p->value));
        assert_string_not_equal(keys[key_index(p->key)].fallback, p->value);
        assert_int_equal(strncmp(p->source, "https://", 8), 0);
        snprintf(row, sizeof(row), "| `%s` | `%s = %s` | %s |", p->program, p->key, p->value, p->reason);
        if (!strstr(text, row) || !strstr(text, p->source))
            fail_msg("docs/profiles.md lacks: %s (%s)", row, p->source);
        for (size_t k = 0; k < i; k++)
            assert_false(!strcmp(profiles[k].program, p->program) && !strcmp(profiles[k].key, p->key));
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_precedence),
        cmocka_unit_test(test_sections_are_for_their_program),
        cmocka_unit_test(test_problems_are_named),
        cmocka_unit_test(test_values_are_checked),
        cmocka_unit_test(test_defaults_are_valid),
        cmocka_unit_test(test_sample_file),
        cmocka_unit_test(test_manual_page),
        cmocka_unit_test(test_log),
        cmocka_unit_test(test_log_once_overflow),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_mem_sums),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_cpu),
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_lock),
        cmocka_unit_test(test_assert),
        cmocka_unit_test(test_profiles),
    };

    return cmocka_run_group_tests_name("base", tests, prepare, clean_up);
}
