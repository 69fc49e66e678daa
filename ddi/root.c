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

#define DEFAULT_MXCSR 0x1F80

unsigned ddi_enter(void)
{
    unsigned mode = 0;
    base_lock(&ddi_root.lock);
#if defined(__SSE__)
    mode = _mm_getcsr();
    if (mode != DEFAULT_MXCSR)
        _mm_setcsr(DEFAULT_MXCSR);
#endif
    return mode;
}

void ddi_leave(unsigned float_mode)
{
#if defined(__SSE__)
    if (float_mode != DEFAULT_MXCSR)
        _mm_setcsr(float_mode);
#else
    (void)float_mode;
#endif
    base_unlock(&ddi_root.lock);
}
