/* SPDX-License-Identifier: MIT */
/* The only place that reports skipped draws to the observer. */
#include "hal/vertex/skip.h"

#include "base/base.h"
#include "hal/driver.h"
#include "hal/observer.h"
#include "hal/renderer.h"
#include "hal/scene.h"
#include "hal/state/state.h"

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
    const uint32_t key = number * HAL_SKIP_COUNT + (uint32_t)why;

    if (number)
        log_once(LOG_WARN, key, "a draw is skipped: %s (%#x)", hal_skip_text(why), (unsigned)number);
    else
        log_once(LOG_WARN, key, "a draw is skipped: %s", hal_skip_text(why));
    hal_skip_observe(renderer, draw, why);
}

void hal_skip_without_layout(struct hal_renderer *renderer)
{
    const uint32_t shader = renderer->state->vertex_shader;

    hal_skip_draw(renderer, NULL, shader & 1 ? HAL_SKIP_SHADER : HAL_SKIP_FORMAT, shader);
}

void hal_skip_observe(const struct hal_renderer *renderer, const struct hal_draw *draw, enum hal_skip why)
{
    const struct hal_observer *observer = renderer->scene->driver->observer;

    if (observer && observer->skipped)
        observer->skipped(observer->user, renderer->owner, draw, why);
}
