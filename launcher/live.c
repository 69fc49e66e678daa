/* SPDX-License-Identifier: MIT */
/* The captures of the running program, the requests to it, and the answers to the page. */
#define _GNU_SOURCE /* tdestroy */
#include "launcher/live.h"
#include "launcher/http.h"
#include "launcher/launcher.h"

#include "base/base.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK_EVERY   100 /* ms between two looks for captures */
#define PAGE_SECONDS 3.0 /* a page that has not asked for so long is closed */
#define MOST_SHOWN   1000

/* The page around frames may run its own script and style, ask this server, and show its frames. */
#define OUTER_POLICY                                                                                            \
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; frame-src " \
    "'self'; "                                                                                                  \
    "frame-ancestors 'none'"
/* The page of a frame has its own policy, under which it loads nothing. */
#define FRAME_POLICY "frame-ancestors 'self'; form-action 'none'; base-uri 'none'"

extern char **environ;

struct live {
    struct http_server server;
    pthread_t thread;
    atomic_bool stops;
    char folder[LAUNCHER_PATH];  /* of the captures */
    char room[LAUNCHER_PATH];    /* this user's alone; holds the trigger file */
    char trigger[LAUNCHER_PATH]; /* "": the environment names another, so the page has no buttons */
    void *known;                 /* tree of the names in the folder: <search.h>, compare_names */
    char *shown[MOST_SHOWN];     /* of `known`: captures of this run, in their order */
    unsigned shown_count;
    bool holds, waits; /* the program was told to wait after its capture; that has not come yet */
    double asked;      /* when the page asked last: clock_seconds; 0: never */
    pid_t browser;     /* that was started last, until it ends; 0: none */
};

/* --- captures ------------------------------------------------------------------------------------------- */

static bool is_capture(const char *name)
{
    const size_t length = strlen(name), ending = strlen(".capture");

    return length > ending && name[0] != '.' && !strcmp(name + length - ending, ".capture");
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Notes a name. NULL: it is known, or out of memory. */
static char *add_known(struct live *live, const char *name)
{
    char *copy = tfind(name, &live->known, compare_names) ? NULL : strdup(name);

    if (copy && !tsearch(copy, &live->known, compare_names)) {
        free(copy);
        return NULL;
    }
    return copy;
}

/* Looks for captures that are complete; shows: they are of this run. Returns whether there is a new one. */
static bool look_for_captures(struct live *live, bool shows)
{
    DIR *list = opendir(live->folder);
    const struct dirent *entry;
    bool is_new = false;

    while (list && (entry = readdir(list))) {
        char *name = is_capture(entry->d_name) ? add_known(live, entry->d_name) : NULL;

        if (name && shows && live->shown_count < MOST_SHOWN) {
            live->shown[live->shown_count++] = name;
            is_new = true;
        }
    }
    if (list)
        closedir(list);
    return is_new;
}

/* --- requests ------------------------------------------------------------------------------------------- */

/* Appears as a whole, since the program may look at any time. */
static bool write_trigger(const struct live *live, const char *text)
{
    char part[LAUNCHER_PATH];
    FILE *file = make_path(part, "%s/part", live->room) ? fopen(part, "we") : NULL;

    if (!file)
        return false;
    fputs(text, file);
    return !fclose(file) && !rename(part, live->trigger);
}

static bool request(struct live *live, const char *path)
{
    const bool holds = !strcmp(path, "hold");

    if (!live->trigger[0] || (!holds && strcmp(path, "continue") != 0) ||
        !write_trigger(live, holds ? "1 hold\n" : "continue\n"))
        return false;
    live->holds = live->waits = holds;
    return true;
}

/* --- answers -------------------------------------------------------------------------------------------- */

/* Runs a program with its output and messages in `to`; returns its exit status, -1: it cannot be executed. */
static int run_into(char *const *argv, FILE *to)
{
    posix_spawn_file_actions_t actions;
    int status = -1;
    pid_t child;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, fileno(to), 1);
    posix_spawn_file_actions_adddup2(&actions, fileno(to), 2);
    if (!posix_spawn(&child, argv[0], &actions, NULL, argv, environ))
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
    posix_spawn_file_actions_destroy(&actions);
    return status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The page of a capture, or what dp2 says instead. A damaged capture (status 1) has a page. */
static void answer_frame(const struct live *live, const char *name, struct http_answer *answer)
{
    char program[LAUNCHER_PATH], here[LAUNCHER_PATH], dp2[LAUNCHER_PATH], capture[LAUNCHER_PATH], page[LAUNCHER_PATH];
    char *const argv[] = {dp2, "view", capture, "-o", page, NULL};
    FILE *said = tmpfile();
    int status = -1;

    if (said && realpath("/proc/self/exe", program) && path_folder(here, program) && make_path(dp2, "%s/dp2", here) &&
        make_path(capture, "%s/%s", live->folder, name) && make_path(page, "%s/page.html", live->room))
        status = run_into(argv, said);
    answer->status = status == 0 || status == 1 ? 200 : 500;
    answer->file = answer->status == 200 ? fopen(page, "re") : NULL;
    if (answer->file) {
        answer->type = "text/html; charset=utf-8";
        answer->policy = FRAME_POLICY;
        unlink(page);
        if (said)
            fclose(said);
        return;
    }
    answer->status = 500;
    answer->file = said;
    if (said)
        rewind(said);
}

static void answer_state(struct live *live, struct http_answer *answer)
{
    static char text[128];

    live->asked = clock_seconds();
    snprintf(text, sizeof(text), "{\"frames\": %u, \"controls\": %s, \"holds\": %s, \"waits\": %s}\n",
             live->shown_count, live->trigger[0] ? "true" : "false", live->holds ? "true" : "false",
             live->waits ? "true" : "false");
    answer->status = 200;
    answer->type = "application/json";
    answer->text = text;
}

static void answer(void *user, const struct http_request *asked, struct http_answer *out)
{
    struct live *live = user;
    unsigned frame;
    char rest;

    if (asked->posts) {
        out->status = request(live, asked->path) ? 200 : 404;
        out->text = out->status == 200 ? "ok\n" : NULL;
    } else if (!asked->path[0]) {
        *out = (struct http_answer){
            .status = 200, .type = "text/html; charset=utf-8", .policy = OUTER_POLICY, .text = live_page};
    } else if (!strcmp(asked->path, "state")) {
        answer_state(live, out);
    } else if (sscanf(asked->path, "frame/%6u%c", &frame, &rest) == 1 && frame < live->shown_count) {
        answer_frame(live, live->shown[frame], out);
    }
}

/* --- the browser ---------------------------------------------------------------------------------------------- */

/* By $BROWSER or xdg-open, which need not be there: the address has been said. */
static void open_browser(struct live *live)
{
    const char *named = getenv("BROWSER");
    char address[HTTP_ADDRESS];
    char *const argv[] = {(char *)(named && *named ? named : "xdg-open"), address, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t signals;
    pid_t child;

    http_address(&live->server, address);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    /* Ctrl-C in the terminal is not for the browser; halcyon itself ignores it while the program runs */
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGQUIT);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    if (!posix_spawnp(&child, argv[0], &actions, &attributes, argv, environ))
        live->browser = child;
    else
        say("no browser can be opened (xdg-open, or the one that BROWSER names): open %s", address);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
}

static void *serve(void *user)
{
    struct live *live = user;

    while (!live->stops) {
        http_serve(&live->server, LOOK_EVERY, answer, live);
        if (live->browser && waitpid(live->browser, NULL, WNOHANG) == live->browser)
            live->browser = 0;
        if (!look_for_captures(live, true))
            continue;
        live->waits = false;
        if (live->asked == 0.0 || clock_seconds() - live->asked > PAGE_SECONDS) {
            live->asked = clock_seconds();
            open_browser(live);
        }
    }
    return NULL;
}

/* --- life --------------------------------------------------------------------------------------------------- */

/* A folder for this user alone. */
static bool make_room(struct live *live)
{
    const char *runtime = getenv("XDG_RUNTIME_DIR"), *temporary = getenv("TMPDIR");
    const char *top = runtime && runtime[0] == '/' && !access(runtime, W_OK) ? runtime
                      : temporary && temporary[0] == '/'                     ? temporary
                                                                             : "/tmp";

    if (!make_path(live->room, "%s/halcyon-live-XXXXXX", top) || !mkdtemp(live->room)) {
        live->room[0] = 0;
        return false;
    }
    return true;
}

static bool name_files(struct live *live, const char *folder)
{
    const char *capture = getenv("HALCYON_CAPTURE"), *frames = getenv("HALCYON_CAPTURE_FRAMES");
    const char *trigger = getenv("HALCYON_CAPTURE_TRIGGER");

    if (!capture || !*capture) {
        if (!make_path(live->folder, "%s", folder) || setenv("HALCYON_CAPTURE", folder, 1))
            return false;
    } else if (!(is_folder(capture) ? make_path(live->folder, "%s", capture) : path_folder(live->folder, capture))) {
        return false;
    }
    if ((!frames || !*frames) && setenv("HALCYON_CAPTURE_FRAMES", "none", 1))
        return false;
    if (trigger && *trigger)
        return true;
    return make_path(live->trigger, "%s/request", live->room) && !setenv("HALCYON_CAPTURE_TRIGGER", live->trigger, 1);
}

static void remove_room(const struct live *live)
{
    static const char *const names[] = {"request", "part", "page.html"};
    char path[LAUNCHER_PATH];

    for (unsigned i = 0; live->room[0] && i < ARRAY_COUNT(names); i++)
        if (make_path(path, "%s/%s", live->room, names[i]))
            unlink(path);
    if (live->room[0])
        rmdir(live->room);
}

static void destroy(struct live *live)
{
    tdestroy(live->known, free);
    free(live);
}

struct live *live_start(const char *folder)
{
    struct live *live = mem_calloc(1, sizeof(*live));
    char address[HTTP_ADDRESS];
    bool serves = false;

    if (!live) {
        say("out of memory");
        return NULL;
    }
    if (make_room(live) && name_files(live, folder) && http_open(&live->server)) {
        look_for_captures(live, false);
        errno = pthread_create(&live->thread, NULL, serve, live);
        serves = errno == 0;
        if (!serves)
            http_close(&live->server);
    }
    if (!serves) {
        say("the live debugger cannot start: %s", strerror(errno));
        remove_room(live);
        destroy(live);
        return NULL;
    }
    http_address(&live->server, address);
    say("debugger: %s", address);
    say("F11 in the program captures a frame, which opens there");
    return live;
}

void live_stop(struct live *live)
{
    if (!live)
        return;
    live->stops = true;
    pthread_join(live->thread, NULL);
    http_close(&live->server);
    remove_room(live);
    destroy(live);
}
