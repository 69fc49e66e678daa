/* SPDX-License-Identifier: MIT */
/* One budget for all calls of a driver; the rasterizer holds the rest of it while a context's call runs. */
#include "hal/work.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "hal/driver.h"
#include "raster/raster.h"
#include "raster/sample/sample.h"
#include "shader/shader.h"

static uint64_t work_left(const struct hal_driver *driver)
{
    return driver->work_allowed == HAL_WORK_UNBOUNDED ? HAL_WORK_UNBOUNDED : driver->work_allowed - driver->work_done;
}

/* HAL_TOO_MUCH_WORK, with a line on the log. */
static HRESULT refuse_work(const struct hal_driver *driver, const char *call)
{
    log_error("%s asks for more than the %.3f s of one core that all calls may cost (docs/limits.md): it is not done, "
              "or in part",
              call, hal_work_seconds(driver->work_allowed));
    return HAL_TOO_MUCH_WORK;
}

void hal_work_allow(struct hal_driver *driver, uint64_t picoseconds)
{
    const uint64_t before = driver->work_allowed == HAL_WORK_UNBOUNDED ? driver->work_done : driver->work_allowed;

    driver->work_allowed = before + BASE_MIN(picoseconds, HAL_WORK_UNBOUNDED - 1 - before);
}

HRESULT hal_work_take(struct hal_driver *driver, uint64_t count, uint64_t price, const char *call)
{
    const uint64_t left = work_left(driver);
    uint64_t units;

    if (__builtin_mul_overflow(count, price, &units) || units >= left) {
        driver->work_done += left;
        return refuse_work(driver, call);
    }
    driver->work_done += units;
    return DD_OK;
}

double hal_work_seconds(uint64_t picoseconds)
{
    return (double)picoseconds * 1e-12;
}

void hal_work_begin(struct hal_work *work)
{
    work->lacks_memory = false;
    work->budget = work_left(work->driver);
    raster_set_budget(work->raster, work->budget);
}

void hal_work_lacks_memory(struct hal_work *work, const char *what)
{
    if (!work->lacks_memory)
        log_error("out of memory: %s", what);
    work->lacks_memory = true;
}

bool hal_work_is_incomplete(struct hal_work *work)
{
    if (raster_take_out_of_memory(work->raster))
        hal_work_lacks_memory(work, "primitives of a scene");
    return work->lacks_memory;
}

HRESULT hal_work_end(struct hal_work *work, const char *call)
{
    const bool enough = raster_spend(work->raster, 0);
    const uint64_t used = work->budget - raster_get_budget(work->raster);

    work->driver->work_done += used;
    work->done += used;
    work->costliest = BASE_MAX(work->costliest, used);
    raster_set_budget(work->raster, HAL_WORK_UNBOUNDED);
    if (hal_work_is_incomplete(work))
        return DDERR_OUTOFMEMORY;
    return enough ? DD_OK : refuse_work(work->driver, call);
}

bool hal_work_spend(const struct hal_work *work, uint64_t count, enum hal_work_price price)
{
    return raster_spend(work->raster, count * price);
}

uint64_t hal_work_of_program(const struct shader_binding *binding)
{
    const struct shader_cost cost = shader_binding_cost(binding);
    uint64_t read = HAL_WORK_TEXTURE_READ;

    for (unsigned left = cost.textures ? binding->program->samplers : 0; left; left &= left - 1) {
        const struct raster_sampler *sampler = &binding->sampler[__builtin_ctz(left)];
        const bool anisotropic = sampler->min_filter == RASTER_FILTER_ANISOTROPIC;
        const uint64_t probes = anisotropic ? BASE_MAX(sampler->max_anisotropy, 1u) : 1;

        read =
            BASE_MAX(read, probes * HAL_WORK_TEXTURE_READ + (sampler->feedback ? (uint64_t)HAL_WORK_FEEDBACK_READ : 0));
    }
    return cost.picoseconds + cost.textures * read;
}
