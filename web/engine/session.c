/* SPDX-License-Identifier: MIT */
/* The session of tools/debug/inspection.h, which is kept from one request to the next. */
#include "web/engine/engine.h"

#include "base/base.h"
#include "client/client.h"
#include "tools/debug/inspection.h"

#include <stdlib.h>

#define TURN 0.02 /* seconds between two pauses */

static struct {
    struct web_contents *contents; /* of the capture */
    struct capture_reader *reader;
    struct inspect *session;
    bool opening;
    bool of_one_request; /* it differs from all others */
    double paused;       /* the time of the page's last turn */
} kept;

/* Called between two events. */
static bool may_go_on(void *user)
{
    bool wanted = true;

    (void)user;
    if (clock_seconds() - kept.paused >= TURN) {
        wanted = web_pause();
        kept.paused = clock_seconds();
    }
    return wanted;
}

void web_session_end(void)
{
    inspect_close(kept.session);
    capture_close(kept.reader);
    web_contents_release(kept.contents);
    kept.session = NULL;
    kept.reader = NULL;
    kept.contents = NULL;
}

int web_session_frame(void)
{
    return kept.session && !kept.of_one_request ? (int)inspect_frame(kept.session) : -1;
}

/* The driver has one global state, so only one session can use it. */
HRESULT __real_client_driver_init(struct client_driver *driver, HALCYONDRIVERINIT init);
HRESULT __wrap_client_driver_init(struct client_driver *driver, HALCYONDRIVERINIT init);
HRESULT __wrap_client_driver_init(struct client_driver *driver, HALCYONDRIVERINIT init)
{
    if (!kept.opening)
        web_session_end();
    return __real_client_driver_init(driver, init);
}

int inspection_open(struct inspection *inspection, const struct tool_verb *verb, const char *path, uint32_t last)
{
    return inspection_open_with(inspection, verb, path, last, NULL);
}

/* A session on the capture. False: the error has been printed, and *status is the verb's result. */
static bool start(const struct tool_verb *verb, const char *path, const struct inspect_options *options,
                  struct web_contents *contents, int *status)
{
    struct inspect_options with_pauses = options ? *options : (struct inspect_options){0};
    struct capture_error error = {0};

    with_pauses.may_go_on = may_go_on;
    setenv("HALCYON_CAPTURE", "", 1);
    web_session_end();
    kept.reader = tool_open_capture(verb, path, status);
    if (!kept.reader)
        return false;
    kept.opening = true;
    kept.session = inspect_open(kept.reader, &with_pauses, &error);
    kept.opening = false;
    if (!kept.session) {
        *status = tool_fail(verb, "%s", error.text);
        web_session_end();
        return false;
    }
    if (contents)
        contents->references++;
    kept.contents = contents;
    kept.of_one_request = options != NULL;
    return true;
}

int inspection_open_with(struct inspection *inspection, const struct tool_verb *verb, const char *path, uint32_t last,
                         const struct inspect_options *options)
{
    struct web_contents *contents = web_file_get(path);
    const bool goes_on = kept.session && contents == kept.contents && !kept.of_one_request && !options;
    int status = TOOL_OK;
    bool done = goes_on || start(verb, path, options, contents, &status);

    *inspection = (struct inspection){.verb = verb, .path = path};
    web_contents_release(contents);
    if (!done)
        return status;
    inspection->reader = kept.reader;
    inspection->session = kept.session;
    progress_start(&inspection->progress, verb->syntax.name, kept.reader, last, 1);
    return TOOL_OK;
}

int inspection_close(struct inspection *inspection, int status)
{
    if (!inspection->session)
        return status;
    progress_end(&inspection->progress);
    status = tool_check_skipped(inspection->verb, inspection->path, inspection->reader, status);
    if (kept.of_one_request)
        web_session_end();
    return status;
}
