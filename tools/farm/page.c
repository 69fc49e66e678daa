/* SPDX-License-Identifier: MIT */
/*
 * The report as a page: totals, and each capture that is not as before, with small pictures of the first frame that differs. One file
 * that needs nothing else. Pictures are read, made smaller and written one at a time.
 */
#include "tools/farm/farm.h"

#include "base/base.h"
#include "base/output.h"
#include "replay/picture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGE_WIDTH  320u /* of a small picture, at most */
#define PAGE_HEIGHT 240u

struct page {
    const struct farm_plan *plan;
    const char *folder;
    FILE *file;
};

/* --- text and bytes ---------------------------------------------------------------------------------------- */

/* As text of an element or an attribute. */
static void page_text(const struct page *page, const char *text)
{
    for (; *text; text++)
        if (*text == '&' || *text == '<' || *text == '>' || *text == '"' || *text == '\'')
            fprintf(page->file, "&#%d;", *text);
        else
            putc(*text, page->file);
}

static void page_base64(const struct page *page, FILE *from)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint8_t data[3] = {0};
    size_t count;

    while ((count = fread(data, 1, 3, from)) > 0) {
        const uint32_t three =
            (uint32_t)data[0] << 16 | (count > 1 ? (uint32_t)data[1] << 8 : 0) | (count > 2 ? data[2] : 0u);

        putc(digits[three >> 18], page->file);
        putc(digits[three >> 12 & 63], page->file);
        putc(count > 1 ? digits[three >> 6 & 63] : '=', page->file);
        putc(count > 2 ? digits[three & 63] : '=', page->file);
    }
}

/* --- pictures ---------------------------------------------------------------------------------------------- */

/* The mean of a block of pixels. */
static uint32_t page_mean(const struct player_picture *from, unsigned left, unsigned top, unsigned size)
{
    uint64_t sum[3] = {0}, count = 0;

    for (unsigned y = top; y < top + size && y < from->height; y++)
        for (unsigned x = left; x < left + size && x < from->width; x++, count++)
            for (unsigned i = 0; i < 3; i++)
                sum[i] += from->pixels[(size_t)y * from->width + x] >> 8 * i & 255;
    for (unsigned i = 0; i < 3; i++)
        sum[i] = count ? (sum[i] + count / 2) / count : 0;
    return (uint32_t)(0xff000000 | sum[2] << 16 | sum[1] << 8 | sum[0]);
}

/* Makes it smaller by a whole number. False: out of memory. */
static bool page_shrink(struct player_picture *thumbnail, const struct player_picture *from)
{
    const unsigned by_width = (from->width + PAGE_WIDTH - 1) / PAGE_WIDTH;
    const unsigned by_height = (from->height + PAGE_HEIGHT - 1) / PAGE_HEIGHT;
    const unsigned by = BASE_MAX(1, BASE_MAX(by_width, by_height));

    thumbnail->width = (from->width + by - 1) / by;
    thumbnail->height = (from->height + by - 1) / by;
    thumbnail->pixels = mem_calloc((size_t)thumbnail->width * thumbnail->height, sizeof(*thumbnail->pixels));
    for (unsigned y = 0; thumbnail->pixels && y < thumbnail->height; y++)
        for (unsigned x = 0; x < thumbnail->width; x++)
            thumbnail->pixels[(size_t)y * thumbnail->width + x] = page_mean(from, x * by, y * by, by);
    return thumbnail->pixels != NULL;
}

/* Writes it into the page, by way of a file in the folder. */
static int page_picture(const struct page *page, const char *caption, const struct player_picture *picture)
{
    struct player_picture thumbnail = {0};
    char path[FARM_PATH], why[128] = "out of memory";
    FILE *file = NULL;

    if (!farm_path(path, page->folder, "pictures/small-%ld.png", (long)getpid()))
        return tool_fail(&farm_messages, "%s: the name is too long", page->folder);
    if (page_shrink(&thumbnail, picture) && picture_write_png(&thumbnail, path, why, sizeof(why)))
        file = fopen(path, "rb");
    if (file) {
        fprintf(page->file, "<figure><img width=%u height=%u alt=\"%s\" src=\"data:image/png;base64,", thumbnail.width,
                thumbnail.height, caption);
        page_base64(page, file);
        fprintf(page->file, "\"><figcaption>%s</figcaption></figure>\n", caption);
        fclose(file);
    }
    unlink(path);
    free(thumbnail.pixels);
    return file ? TOOL_OK : tool_fail(&farm_messages, "%s: %s", path, why);
}

/* A picture that a worker has left, which may be damaged. */
static bool page_read(const struct page *page, const char *file, bool after, struct player_picture *picture)
{
    char path[FARM_PATH], why[128];
    bool missing;

    return farm_picture_path(path, page->folder, file, after) &&
           picture_read_png(path, picture, why, sizeof(why), &missing);
}

static int page_difference(const struct page *page, struct player_picture *before, const struct player_picture *after)
{
    struct picture_numbers numbers;

    if (before->width != after->width || before->height != after->height) {
        fprintf(page->file, "<p>%ux%u pixels before, %ux%u now.\n", before->width, before->height, after->width,
                after->height);
        return TOOL_OK;
    }
    numbers = picture_compare(before, after, 0);
    picture_difference(before, after, 0);
    fprintf(page->file, "<p>%" PRIu64 " of %" PRIu64 " pixels differ, by at most %u of 255, in (%u %u %u %u).\n",
            numbers.different, numbers.pixels, numbers.largest, numbers.left, numbers.top, numbers.right,
            numbers.bottom);
    return page_picture(page, "difference", before);
}

static int page_pictures(const struct page *page, const char *file, const struct farm_result *result)
{
    struct player_picture before = {0}, after = {0};
    const bool has_before = result->has_picture[0] && page_read(page, file, false, &before);
    const bool has_after = result->has_picture[1] && page_read(page, file, true, &after);
    int status = TOOL_OK;

    if (has_before)
        status = page_picture(page, "before", &before);
    else if (page->plan->before)
        fputs("<p>No picture of the baseline: the program named by --before does not draw this frame as the baseline "
              "has it. Has the capture changed since?\n",
              page->file);
    else
        fputs("<p>No picture of the baseline: a plan with --before names the program that draws one.\n", page->file);
    if (has_after && status == TOOL_OK)
        status = page_picture(page, "now", &after);
    if (has_before && has_after && status == TOOL_OK)
        status = page_difference(page, &before, &after);
    free(before.pixels);
    free(after.pixels);
    return status;
}

/* --- the page ---------------------------------------------------------------------------------------------- */

static int page_capture(const struct page *page, const struct farm_capture *capture, const struct farm_result *result)
{
    FILE *file = page->file;

    fputs("<section><h2>", file);
    page_text(page, capture->file);
    fprintf(file, "</h2>\n<p><b class=%s>%s</b>, %zu %s", farm_verdict_name(result->verdict),
            farm_verdict_name(result->verdict), result->count, result->count == 1 ? "frame" : "frames");
    if (result->changed)
        fprintf(file, ", %zu of them differ from the baseline, the first is frame %" PRIu32, result->changed,
                result->first);
    if (result->status > 1)
        fprintf(file, "; exit status %d", result->status);
    fputs(".\n", file);
    if (result->message[0]) {
        fputs("<pre>", file);
        page_text(page, result->message);
        fputs("</pre>\n", file);
    }
    if (result->changed && page_pictures(page, capture->file, result) != TOOL_OK)
        return TOOL_ERROR;
    fputs("</section>\n", file);
    return TOOL_OK;
}

static void page_begin(const struct page *page, const struct farm_totals *totals)
{
    FILE *file = page->file;

    fputs("<!DOCTYPE html>\n<html lang=en><meta charset=utf-8><title>dp2 farm</title>\n<style>\n"
          "body{font:15px/1.4 sans-serif;margin:2em;max-width:72em}h2{font-size:1em;margin:0;overflow-wrap:anywhere}\n"
          "section{border-top:1px solid #999;padding:.7em 0}figure{display:inline-block;margin:0 1em 0 0}\n"
          "pre{white-space:pre-wrap;background:#eee;padding:.5em}td{padding-right:1em}\n"
          ".failed,.different{color:#a00}.damaged{color:#850}\n</style>\n<h1>dp2 farm</h1>\n<table>\n",
          file);
    fprintf(file, "<tr><td>captures<td>%" PRIu64 "\n<tr><td>frames<td>%" PRIu64 "\n", totals->captures, totals->frames);
    for (unsigned i = 0; i < FARM_VERDICT_COUNT; i++)
        fprintf(file, "<tr><td class=%s>%s<td>%" PRIu64 "\n", farm_verdict_name((enum farm_verdict)i),
                farm_verdict_name((enum farm_verdict)i), totals->by_verdict[i]);
    if (totals->missing)
        fprintf(file, "<tr><td class=failed>without result<td>%" PRIu64 "\n", totals->missing);
    fputs("</table>\n", file);
    if (page->plan->baseline) {
        fputs("<p>Baseline: ", file);
        page_text(page, page->plan->baseline);
        fputs("\n", file);
    }
}

static int page_write(const struct page *page, const struct farm_totals *totals)
{
    int status = TOOL_OK;

    page_begin(page, totals);
    for (size_t i = 0; status == TOOL_OK && i < page->plan->count; i++) {
        const struct farm_capture *capture = &page->plan->captures[i];
        struct farm_result result;

        if (!farm_result_read(&result, page->folder, capture->file, page->plan->id))
            continue;
        if (result.verdict == FARM_FAILED || result.verdict == FARM_DIFFERENT || result.verdict == FARM_DAMAGED)
            status = page_capture(page, capture, &result);
        farm_result_free(&result);
    }
    fputs("</html>\n", page->file);
    return status;
}

int farm_page_save(const struct farm_plan *plan, const char *folder, const struct farm_totals *totals)
{
    struct page page = {.plan = plan, .folder = folder};
    struct output output;
    char path[FARM_PATH];
    int status;

    if (!farm_path(path, folder, "report.html"))
        return tool_fail(&farm_messages, "%s: the name is too long", folder);
    if (!output_open(&output, path, OUTPUT_REPLACE))
        return tool_cannot_write(&farm_messages, path);
    page.file = output.file;
    status = page_write(&page, totals);
    if (status != TOOL_OK) {
        output_discard(&output);
        return status;
    }
    return output_commit(&output) ? TOOL_OK : tool_cannot_write(&farm_messages, path);
}
