/* SPDX-License-Identifier: MIT */
/* Recording of palettes: captures name them by the driver's own numbers. */
#include "ddi/record/internal.h"

#include "hal/resource/display_palette.h"

static void write_entries(struct recorder *recorder, const struct hal_display_palette *palette, uint32_t first,
                          uint32_t count)
{
    const struct capture_palette event = {
        .palette = palette->number, .flags = palette->flags, .first = first, .entry_count = count};
    const struct capture_bytes pieces[2] = {{&event, sizeof(event)},
                                            {palette->entries + first, count * sizeof(*palette->entries)}};

    record_event(recorder, CAPTURE_PALETTE, pieces, 2);
}

void record_create_palette(struct recorder *recorder, const struct hal_display_palette *palette)
{
    write_entries(recorder, palette, 0, 256);
}

void record_set_entries(struct recorder *recorder, const struct hal_display_palette *palette, uint32_t first,
                        uint32_t count)
{
    if (count)
        write_entries(recorder, palette, first, count);
}

void record_destroy_palette(struct recorder *recorder, const struct hal_display_palette *palette)
{
    record_event_simple(recorder, CAPTURE_PALETTE_GONE, &palette->number, sizeof(palette->number));
}

void record_set_palette(struct recorder *recorder, DDRAWI_DDRAWSURFACE_LCL *lcl,
                        const struct hal_display_palette *palette)
{
    const struct capture_set_palette event = {record_id_of(recorder, lcl), palette ? palette->number : 0};

    if (event.id)
        record_event_simple(recorder, CAPTURE_SET_PALETTE, &event, sizeof(event));
}
