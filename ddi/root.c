/* SPDX-License-Identifier: MIT */
/* The driver's single root, and the beginning and end of every entry: its lock, and the floating-point mode of C. */
#include "ddi/root.h"

#include "ddi/entry.h"
#include "ddi/record/record.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

struct ddi_root ddi_root = {.lock = BASE_LOCK_INITIALIZER};

struct hal_driver *ddi_driver(void)
{
    return ddi_root.driver;
}

void ddi_record_to_file(const char *path)
{
    ddi_root.record_path = path;
}

bool ddi_record_has_failed(void)
{
    return ddi_root.recorder ? record_has_failed(ddi_root.recorder) : ddi_root.record_path != NULL;
}

/* The mode that C begins with: round to the nearest, denormals as they are, no traps. */
#if defined(__SSE__)
#define DEFAULT_FLOAT_MODE 0x1F80
static unsigned float_mode(void)
{
    return _mm_getcsr();
}
static void set_float_mode(unsigned mode)
{
    _mm_setcsr(mode);
}
#elif defined(__aarch64__)
#define DEFAULT_FLOAT_MODE 0
static unsigned float_mode(void)
{
    uint64_t mode;

    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    return (unsigned)mode;
}
static void set_float_mode(unsigned mode)
{
    __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)mode));
}
#else
#define DEFAULT_FLOAT_MODE 0
static unsigned float_mode(void)
{
    return DEFAULT_FLOAT_MODE;
}
static void set_float_mode(unsigned mode)
{
    (void)mode;
}
#endif

unsigned ddi_enter(void)
{
    unsigned mode;

    base_lock(&ddi_root.lock);
    mode = float_mode();
    if (mode != DEFAULT_FLOAT_MODE)
        set_float_mode(DEFAULT_FLOAT_MODE);
    return mode;
}

void ddi_leave(unsigned mode)
{
    if (mode != DEFAULT_FLOAT_MODE)
        set_float_mode(mode);
    base_unlock(&ddi_root.lock);
}
