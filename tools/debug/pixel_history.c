/* SPDX-License-Identifier: MIT */
/* The history of a pixel as text. */
#include "tools/debug/pixel_history.h"

#include "base/base.h"
#include "dp2/names.h"
#include "inspect/pixel/pixel.h"

#include <inttypes.h>

static void print_pixel(const struct inspect_pixel *pixel)
{
    if (pixel->has_color) {
        printf(" ");
        for (unsigned i = pixel->bytes; i-- > 0;)
            printf("%02x", pixel->raw[0][i]);
        printf(" (%.4g %.4g %.4g %.4g)", (double)pixel->color[0][0], (double)pixel->color[0][1],
               (double)pixel->color[0][2], (double)pixel->color[0][3]);
        if (pixel->has_index && pixel->palette)
            printf(" entry %u of palette %" PRIu32, pixel->raw[0][0], pixel->palette);
        else if (pixel->has_index)
            printf(" grey, without a palette");
    }
    if (pixel->has_depth)
        printf(" z %.9g", (double)pixel->depth[0]);
    if (pixel->has_stencil)
        printf(" s %u", pixel->stencil[0]);
    if (pixel->samples > 1)
        printf(" [sample 0 of %u]", pixel->samples);
    if (!pixel->has_color && !pixel->has_depth)
        printf(" -");
}

static const char *compare_name(unsigned func)
{
    const char *name = dp2_value_name(DP2_KIND_COMPARE, func);

    return name ? name : "?";
}

/* The render state and the values that the verdict comes from. */
static void print_reason(const struct inspect_fragment *f)
{
    if (f->state)
        printf(" by %s", f->state);
    switch (f->verdict) {
    case INSPECT_KILLED:
        if (f->killed_by)
            printf(" by kill %u of %u", f->killed_by, f->kills);
        break;
    case INSPECT_ALPHA_FAILED:
        printf(": %u is not %s %u", f->alpha, compare_name(f->alpha_func), f->alpha_ref);
        break;
    case INSPECT_DEPTH_FAILED:
        printf(": %.9g is not %s %.9g", (double)f->depth[0], compare_name(f->depth_func), (double)f->before.depth[0]);
        break;
    case INSPECT_STENCIL_FAILED:
        printf(": %u is not %s %u (mask %#x)", f->stencil_ref & f->stencil_mask, compare_name(f->stencil_func),
               f->before.stencil[0] & f->stencil_mask, f->stencil_mask);
        break;
    default:
        break;
    }
}

/* Its effect without the test that it failed, or without the planes. */
static void print_otherwise(enum inspect_otherwise otherwise, uint8_t parts)
{
    const char *before = " ";

    printf("(without that %s", inspect_otherwise_text(otherwise));
    for (unsigned i = 0; i < INSPECT_PARTS; i++)
        if (otherwise == INSPECT_CHANGES && parts >> i & 1) {
            printf("%s%s", before, inspect_part_name(i));
            before = ", ";
        }
    printf(")");
}

static void print_fragment(const struct inspect_fragment *f)
{
    printf("    primitive %-6" PRIu32 " %-14s output (", f->primitive, inspect_verdict_name(f->verdict));
    for (unsigned c = 0; c < 4; c++)
        if (f->output_mask >> c & 1)
            printf("%s%.4g", c ? " " : "", (double)f->output[c]);
        else
            printf("%s-", c ? " " : "");
    printf(")");
    if (f->has_depth)
        printf(" z %.9g", (double)f->depth[0]);
    if (f->before.samples > 1)
        printf(" samples %#" PRIx32, f->samples);
    print_reason(f);
    if (f->otherwise != INSPECT_NOT_TRIED) {
        printf("  ");
        print_otherwise(f->otherwise, f->would_change);
    }
    if (f->verdict >= INSPECT_WRITE_MASKED) {
        printf("  ->");
        print_pixel(&f->after);
    }
    printf("\n");
}

static void print_nearest(const struct inspect_pixel_row *row)
{
    const struct inspect_nearest *nearest = &row->nearest;

    inspection_print_lacks("    ", &row->lacks);
    if (row->fragment_count)
        return;
    if (!row->reaches) {
        printf("    it does not draw to surface #%" PRIu32 "\n", row->surface);
    } else if (!nearest->found) {
        if (!row->lacks.count)
            printf("    it has no primitives\n");
    } else {
        printf("    nearest: primitive %" PRIu32 " %s", nearest->primitive, inspect_verdict_name(nearest->verdict));
        if (nearest->verdict == INSPECT_OUTSIDE || nearest->verdict == INSPECT_CLIPPED)
            inspection_print_planes(nearest->planes);
        if ((nearest->verdict == INSPECT_UNCOVERED || nearest->verdict == INSPECT_NO_AREA) && nearest->distance < 1e9)
            printf(", %.2f pixels away", nearest->distance);
        printf(": %s", inspect_verdict_text(nearest->verdict));
        if (nearest->otherwise != INSPECT_NOT_TRIED) {
            printf(" ");
            print_otherwise(nearest->otherwise, nearest->would_change);
        }
        printf("\n");
    }
}

static void print_texel(const uint8_t *texel, unsigned bytes)
{
    printf("0x");
    for (unsigned i = bytes; i-- > 0;)
        printf("%02x", texel[i]);
}

static void print_source(const struct inspect_blit *blit)
{
    printf(" #%" PRIu32 " (%u,%u)", blit->source, blit->x, blit->y);
    if (blit->has_texel) {
        printf(" ");
        print_texel(blit->texel, blit->bytes);
    }
    printf("%s%s", blit->stretched ? ", stretched" : "", blit->mirrored_x || blit->mirrored_y ? ", mirrored" : "");
}

/* The fate of the pixel in a blit, and the values that decided. */
static void print_blit(const struct inspect_pixel_row *row)
{
    const struct inspect_blit *blit = &row->blit;

    if (blit->fate == INSPECT_BLIT_NONE)
        return;
    printf("    %s: %s", inspect_blit_fate_name(blit->fate), inspect_blit_fate_text(blit->fate));
    if (blit->fate == INSPECT_BLIT_FILLED)
        printf(" with %#" PRIx32, blit->fill);
    if (blit->fate == INSPECT_BLIT_COPIED || blit->fate == INSPECT_BLIT_SOURCE_KEYED ||
        blit->fate == INSPECT_BLIT_DESTINATION_KEYED) {
        printf(":");
        print_source(blit);
        if (blit->source_key.set)
            printf(", source key %#" PRIx32, blit->source_key.value);
        if (blit->destination_key.set)
            printf(", destination key %#" PRIx32, blit->destination_key.value);
    }
    printf("\n");
    if (blit->disagrees)
        printf("    but the pixel became something else, as where rectangles of a clip list overlap\n");
}

/* The change between two actions. */
static void print_between(const struct inspect_pixel_row *row)
{
    if (row->between == INSPECT_NO_CHANGE)
        return;
    printf("    %s:", inspect_change_between_text(row->between));
    print_pixel(&row->before);
    printf(" ->");
    print_pixel(&row->after);
    printf("\n");
}

/* user: whether to print why a draw did not reach the pixel */
static bool show_row(void *user, const struct inspect_pixel_row *row)
{
    const size_t kept = BASE_MIN(row->fragment_count, (size_t)INSPECT_MOST_FRAGMENTS);

    progress_clear();
    printf("%" PRIu32 ".%-6" PRIu32 " %-7s %s #%" PRIu32, row->place.frame, row->place.draw,
           inspect_kind_name(row->action.kind),
           row->refused   ? "refused"
           : row->changed ? "changed"
                          : "same   ",
           row->surface);
    print_pixel(&row->after);
    printf("\n");
    if (row->text[0])
        printf("    %s\n", row->text);
    if (row->from)
        printf("    from now on #%" PRIu32 " is the memory that was #%" PRIu32 "\n", row->surface, row->from);
    print_blit(row);
    print_between(row);
    for (size_t i = 0; i < kept; i++)
        print_fragment(&row->fragments[i]);
    if (row->fragment_count > kept)
        printf("    and %zu more primitives\n", row->fragment_count - kept);
    if (*(const bool *)user && row->action.kind == INSPECT_DRAW)
        print_nearest(row);
    return true;
}

int pixel_print_history(const struct inspection *inspection, uint32_t surface, unsigned x, unsigned y, uint32_t only)
{
    struct inspect_pixel final;
    struct capture_error error = {0};
    bool one = only != UINT32_MAX;

    if (!inspect_pixel(inspection->session, surface, x, y, only, show_row, &one, NULL, &final, &error))
        return inspection_fail(inspection, &error);
    if (!one) {
        printf("at the end");
        print_pixel(&final);
        printf("\n");
    }
    return TOOL_OK;
}
