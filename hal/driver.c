/* SPDX-License-Identifier: MIT */
/* The driver's root: everything it owns hangs here. */
#include "hal/driver.h"

#include "base/base.h"
#include "hal/hal.h"
#include "hal/handles.h"
#include "hal/resource/copy/present.h"

#include <stdlib.h>

/* percent: of the defaults; 0: no limit. */
static void set_work_limit(struct hal_driver *driver, int percent)
{
    if (percent == 0) {
        driver->work_per_call = UINT64_MAX;
        return;
    }
    driver->work_per_call = HAL_WORK_PER_CALL / 100 * (unsigned)percent;
    driver->work_per_byte = HAL_WORK_PER_BYTE / 100 * (unsigned)percent;
    driver->work_layers = (uint64_t)HAL_WORK_LAYERS * (unsigned)percent / 100;
}

struct hal_driver *hal_driver_create(void)
{
    struct hal_driver *driver = mem_calloc(1, sizeof(*driver));
    if (!driver)
        return NULL;
    driver->cpu = cpu_level_selected();
    driver->threads = cpu_thread_count();
    driver->split_seed = (uint32_t)config_int("split_seed");
    if (*config_string("trace")) {
        driver->trace = config_string("trace");
        driver->threads = 1;
    }
    driver->next_context = 1;
    set_work_limit(driver, config_int("work_limit"));
    return driver;
}

bool hal_driver_destroy(struct hal_driver *driver)
{
    hal_present_destroy(driver);
    while (driver->contexts)
        hal_context_destroy(driver->contexts);
    while (driver->locals)
        hal_driver_drop_local(driver, driver->locals->dd_local);
    if (driver->surface_count) {
        log_warn("driver closed: %u surfaces were left behind", (unsigned)driver->surface_count);
        return false;
    }
    free(driver);
    return true;
}
