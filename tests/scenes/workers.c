/* SPDX-License-Identifier: MIT */
/* Processes that play scenes: the driver reads its settings once per process. */
#include "tests/scenes/scenes.h"

#include "ddi/root.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SCENE_SECONDS 3600 /* no scene takes this long, even under sanitizers and on a busy machine */

#define MAX_WORKERS   64

struct worker {
    bool used;
    pid_t process;
    int orders, results; /* ends of pipes */
};

static struct worker all_workers[MAX_WORKERS];

const char *settings_text(const struct settings *settings)
{
    static char texts[4][128];
    static unsigned next;
    char *text = texts[next++ % 4];

    snprintf(text, sizeof(texts[0]), "HALCYON_THREADS=%u HALCYON_CPU=%s HALCYON_SPLIT_SEED=%u HALCYON_DDI=%s%s",
             settings->threads, cpu_level_name(settings->level), (unsigned)settings->split_seed,
             settings->umd ? "umd" : "dx9", settings->light ? ", lightweight MIP maps" : "");
    return text;
}

void settings_apply(const struct settings *settings)
{
    char number[16];

    snprintf(number, sizeof(number), "%u", settings->threads);
    setenv("HALCYON_THREADS", number, 1);
    snprintf(number, sizeof(number), "%u", (unsigned)settings->split_seed);
    setenv("HALCYON_SPLIT_SEED", number, 1);
    setenv("HALCYON_CPU", cpu_level_name(settings->level), 1);
    setenv("HALCYON_DDI", settings->umd ? "umd" : "dx9", 1);
    setenv("HALCYON_LOG_LEVEL", "none", 0);
    if (settings->light)
        world_make_light();
}

static bool write_all(int to, const void *data, size_t bytes)
{
    while (bytes) {
        const ssize_t n = write(to, data, bytes);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        data = (const uint8_t *)data + n;
        bytes -= (size_t)n;
    }
    return true;
}

static bool read_all(int from, void *data, size_t bytes)
{
    while (bytes) {
        const ssize_t n = read(from, data, bytes);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        data = (uint8_t *)data + n;
        bytes -= (size_t)n;
    }
    return true;
}

static void play_orders(int orders, int results)
{
    static struct result result;
    uint8_t *wanted = malloc(SCENE_WANTED_BYTES);
    struct order order;

    while (wanted && read_all(orders, &order, sizeof(order))) {
        alarm(SCENE_SECONDS);
        scene_play(&order, &result, wanted);
        alarm(0);
        if (!write_all(results, &result, sizeof(result)) || !write_all(results, wanted, result.byte_count))
            break;
    }
    free(wanted);
}

static void be_worker(const struct settings *settings, const char *capture, const char *frames, int orders, int results)
{
    /* A worker ends when the pipe with its orders is closed, so no later worker must inherit that pipe. */
    for (unsigned i = 0; i < MAX_WORKERS; i++)
        if (all_workers[i].used)
            close(all_workers[i].orders);
    settings_apply(settings);
    setenv("HALCYON_CAPTURE", "", 1);
    if (capture)
        ddi_record_to_file(capture);
    setenv("HALCYON_CAPTURE_FRAMES", frames ? frames : "", 1);
    play_orders(orders, results);
    exit(0); /* what is recorded is finished at exit */
}

struct worker *worker_start(const struct settings *settings, const char *capture, const char *frames)
{
    struct worker *worker = NULL;
    int orders[2] = {-1, -1}, results[2] = {-1, -1};

    for (unsigned i = 0; i < MAX_WORKERS && !worker; i++)
        worker = all_workers[i].used ? NULL : &all_workers[i];
    if (!worker || pipe(orders) || pipe(results))
        goto fail;
    fflush(NULL);
    worker->process = fork();
    if (worker->process < 0)
        goto fail;
    if (worker->process == 0) {
        close(orders[1]);
        close(results[0]);
        be_worker(settings, capture, frames, orders[0], results[1]);
    }
    close(orders[0]);
    close(results[1]);
    worker->used = true;
    worker->orders = orders[1];
    worker->results = results[0];
    return worker;
fail:
    for (unsigned i = 0; i < 2; i++) {
        if (orders[i] >= 0)
            close(orders[i]);
        if (results[i] >= 0)
            close(results[i]);
    }
    return NULL;
}

bool worker_stop(struct worker *worker)
{
    int status = 0;

    if (!worker)
        return false;
    close(worker->orders);
    close(worker->results);
    while (waitpid(worker->process, &status, 0) < 0 && errno == EINTR) {
    }
    worker->used = false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool worker_send(struct worker *worker, const struct order *order)
{
    return worker && write_all(worker->orders, order, sizeof(*order));
}

bool worker_receive(struct worker *worker, struct result *result, uint8_t *wanted)
{
    static uint8_t *nobody;
    int status = 0;

    if (!nobody)
        nobody = malloc(SCENE_WANTED_BYTES);
    if (worker && read_all(worker->results, result, sizeof(*result)) &&
        read_all(worker->results, wanted ? wanted : nobody, result->byte_count))
        return true;
    memset(result, 0, sizeof(*result));
    result->failed = 1;
    if (worker && waitpid(worker->process, &status, 0) > 0 && WIFSIGNALED(status))
        snprintf(result->failure, sizeof(result->failure), "the process died: %s", strsignal(WTERMSIG(status)));
    else
        snprintf(result->failure, sizeof(result->failure), "the process ended");
    return false;
}
