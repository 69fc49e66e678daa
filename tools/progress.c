/* SPDX-License-Identifier: MIT */
/*
 * The progress of the work, on the terminal.
 */
#include "tools/tool.h"

#include "base/base.h"
#include "dp2/capture/capture.h"

#include <inttypes.h>
#include <unistd.h>

#define BAR 25 /* characters */

/* Whether the line is on the terminal; there is only one terminal. */
static bool line_is_shown;

void progress_start(struct progress *progress, const char *what, const struct capture_reader *reader, uint32_t end,
                    uint64_t passes)
{
    const uint64_t frames = capture_indexed_frames(reader);

    *progress = (struct progress){.what = what, .reader = reader, .passes = passes, .counted = "frame"};
    progress->frames = BASE_MIN(frames, (uint64_t)end + 1);
    progress->start = progress->last = clock_seconds();
}

static bool is_due(struct progress *progress)
{
    const double now = clock_seconds();

    if (progress->hidden || now - progress->start < 1 || now - progress->last < 0.1 || !isatty(STDERR_FILENO))
        return false;
    progress->last = now;
    return true;
}

/* share: 0 to 1 */
static void progress_draw(const struct progress *progress, double share)
{
    const unsigned percent = (unsigned)(share * 100);
    char bar[BAR + 1];

    for (unsigned i = 0; i < BAR; i++)
        bar[i] = i < percent * BAR / 100 ? '#' : '.';
    bar[BAR] = 0;
    if (isatty(STDOUT_FILENO))
        fflush(stdout); /* buffered results must not be printed after the line */
    fprintf(stderr, "\r\033[K%s [%s] %3u%%  %s %" PRIu64, progress->what, bar, percent, progress->counted,
            progress->number);
    fflush(stderr);
    line_is_shown = true;
}

void progress_show(struct progress *progress, uint32_t frame)
{
    const uint64_t size = capture_size(progress->reader), position = capture_position(progress->reader);
    double share = 0;

    progress->number = frame;
    if (!progress->first)
        progress->first = position;
    if (!is_due(progress))
        return;
    if (progress->frames)
        share = ((double)frame + 1) / (double)progress->frames;
    else if (size > progress->first)
        share = (double)(position - progress->first) / (double)(size - progress->first);
    progress_draw(progress, ((double)progress->pass + BASE_MIN(share, 1.0)) / (double)progress->passes);
}

void progress_show_share(struct progress *progress, double share, const char *counted, uint64_t number)
{
    progress->counted = counted;
    progress->number = number;
    if (is_due(progress))
        progress_draw(progress, BASE_MIN(share, 1.0));
}

void progress_setup(struct progress *progress)
{
    if (!progress->first && is_due(progress))
        progress_draw(progress, 0);
}

void progress_next_pass(struct progress *progress)
{
    progress->pass++;
}

void progress_end(struct progress *progress)
{
    if (line_is_shown)
        progress_draw(progress, 1);
    progress_clear();
}

void progress_clear(void)
{
    if (line_is_shown)
        fputs("\r\033[K", stderr);
    line_is_shown = false;
}
