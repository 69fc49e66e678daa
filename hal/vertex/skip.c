/* SPDX-License-Identifier: MIT */
/* The only place that reports skipped draws. */
#include "hal/vertex/skip.h"

#include "base/base.h"
#include "hal/driver.h"
#include "hal/observer.h"
#include "hal/renderer.h"
#include "hal/scene.h"

const char *hal_skip_name(enum hal_skip why)
{
#define SKIP_NAME(NUMBER, name, text) name,
    static const char *const names[HAL_SKIP_COUNT] = {HAL_SKIPS(SKIP_NAME)};

    return names[why];
}

const char *hal_skip_text(enum hal_skip why)
{
#define SKIP_TEXT(NUMBER, name, text) text,
    static const char *const texts[HAL_SKIP_COUNT] = {HAL_SKIPS(SKIP_TEXT)};

    return texts[why];
}

void hal_skip_draw(struct hal_renderer *renderer, const struct hal_draw *draw, enum hal_skip why, uint32_t number)
{
    const struct hal_observer *observer = renderer->scene->driver->observer;
    const uint32_t key = number * HAL_SKIP_COUNT + (uint32_t)why;

    if (number)
        log_once(LOG_WARN, key, "a draw is skipped: %s (%#x)", hal_skip_text(why), (unsigned)number);
    else
        log_once(LOG_WARN, key, "a draw is skipped: %s", hal_skip_text(why));
    if (observer && observer->skipped)
        observer->skipped(observer->user, renderer->owner, draw, why);
}
