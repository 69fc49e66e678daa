/* SPDX-License-Identifier: MIT */
/* Operations on feedback maps that wait until the scene that marks them has been drawn (feedback_queue.c). */
#ifndef HALCYON_HAL_RESOURCE_FEEDBACK_QUEUE_H
#define HALCYON_HAL_RESOURCE_FEEDBACK_QUEUE_H

#include "hal/scene.h"

#include <stddef.h>

struct hal_feedback_step;

/* One per context. */
struct hal_feedback_queue {
    struct hal_feedback_step *steps;
    unsigned step_count;
    size_t step_bytes;          /* of the separate maps that draws between steps mark */
    struct hal_scene_hook hook; /* `drawn` is NULL until there is a step */
};

#endif
