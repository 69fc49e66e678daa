/* SPDX-License-Identifier: MIT */
/* The table of magic values that switch vendor extensions. */
#include "hal/state/extension.h"

#include "base/base.h"
#include "caps/caps.h"
#include "d3d/ddi.h"
#include "d3d/extension.h"
#include "d3d/states.h"
#include "hal/state/dirty.h"
#include "hal/state/state.h"

/* --- magic values ------------------------------------------------------------------------ */

enum magic_kind {
    MAGIC_STAYS,  /* the value stays in the state; any other value there turns the extension off */
    MAGIC_COMMAND /* the state keeps the value it had, and other values leave the extension alone */
};

struct magic_value {
    uint8_t state; /* D3DRENDERSTATETYPE */
    uint8_t kind;
    uint8_t extension, setting; /* state->extension[extension] = setting */
    uint32_t value;
    uint32_t fourcc; /* valid only if this extension is offered (caps/extensions.c); 0: always */
    enum hal_order order;
};

/* clang-format off */
#define CONSERVATIVE(tier, quarters)                                                                    \
    {D3DRS_MULTISAMPLEANTIALIAS,           MAGIC_STAYS, HAL_EXTENSION_CONSERVATIVE,                      \
     CONSERVATIVE_SETTING(tier, quarters), EXTENSION_CONSERVATIVE(tier, quarters),                      \
     EXTENSION_CONSERVATIVE(tier, quarters), HAL_ORDER_NONE}
/* clang-format on */
#define CONSERVATIVE_TIER_ROWS(tier) \
    CONSERVATIVE(tier, 0), CONSERVATIVE(tier, 1), CONSERVATIVE(tier, 2), CONSERVATIVE(tier, 3)
#define COVERAGE(setting, fourcc)                                                                          \
    {                                                                                                      \
        D3DRS_SPECULARMATERIALSOURCE, MAGIC_STAYS, HAL_EXTENSION_COVERAGE_SOURCE, setting, fourcc, fourcc, \
            HAL_ORDER_NONE                                                                                 \
    }

static const struct magic_value magic_values[] = {
    CONSERVATIVE_TIER_ROWS(1),
    CONSERVATIVE_TIER_ROWS(2),
    CONSERVATIVE_TIER_ROWS(3),
    COVERAGE(COVERAGE_INPUT, EXTENSION_INPUT_COVERAGE),
    COVERAGE(COVERAGE_INNER, EXTENSION_INNER_COVERAGE),
    {D3D_RS_ADAPTIVETESS_X, MAGIC_STAYS, HAL_EXTENSION_DEPTH_BOUNDS, 1, EXTENSION_DEPTH_BOUNDS, EXTENSION_DEPTH_BOUNDS,
     HAL_ORDER_NONE},
    {D3D_RS_ADAPTIVETESS_Y, MAGIC_STAYS, HAL_EXTENSION_ALPHA_COVERAGE, 1, EXTENSION_ALPHA_COVERAGE,
     EXTENSION_ALPHA_COVERAGE, HAL_ORDER_NONE},
    {D3DRS_POINTSIZE, MAGIC_COMMAND, HAL_EXTENSION_ALPHA_COVERAGE_ALWAYS, 1, EXTENSION_ALPHA_COVERAGE_ON,
     EXTENSION_ALPHA_COVERAGE_ON, HAL_ORDER_NONE},
    {D3DRS_POINTSIZE, MAGIC_COMMAND, HAL_EXTENSION_ALPHA_COVERAGE_ALWAYS, 0, EXTENSION_ALPHA_COVERAGE_OFF,
     EXTENSION_ALPHA_COVERAGE_OFF, HAL_ORDER_NONE},
    {D3DRS_POINTSIZE, MAGIC_COMMAND, HAL_EXTENSION_DEPTH_RESOLVE, 0, EXTENSION_RESOLVE_DEPTH,
     EXTENSION_RESOLVE_DEPTH_NAME, HAL_ORDER_RESOLVE_DEPTH},
    {D3DRS_POINTSIZE, MAGIC_COMMAND, HAL_EXTENSION_INSTANCING, 0, EXTENSION_INSTANCING, EXTENSION_INSTANCING,
     HAL_ORDER_NONE},
};

void hal_extension_init(struct hal_state *state)
{
    for (size_t i = 0; i < ARRAY_COUNT(magic_values); i++)
        state->magic_states[magic_values[i].state / 32] |= 1u << (magic_values[i].state % 32);
}

static const struct magic_value *find_magic(uint32_t state, uint32_t value)
{
    for (size_t i = 0; i < ARRAY_COUNT(magic_values); i++)
        if (magic_values[i].state == state && magic_values[i].value == value)
            return &magic_values[i];
    return NULL;
}

/* An ordinary value: ends the effect of a magic value of this state. */
static void switch_off(struct hal_state *state, uint32_t number)
{
    for (size_t i = 0; i < ARRAY_COUNT(magic_values); i++)
        if (magic_values[i].state == number && magic_values[i].kind == MAGIC_STAYS)
            state->extension[magic_values[i].extension] = 0;
}

bool hal_extension_render_state(struct hal_state *state, uint32_t number, uint32_t value, enum hal_order *order)
{
    *order = HAL_ORDER_NONE;
    if (!(state->magic_states[number / 32] >> (number % 32) & 1))
        return true;
    const struct magic_value *magic = find_magic(number, value);

    if (!magic || (magic->fourcc && !caps_has_extension(magic->fourcc))) {
        if (magic) {
            log_once(LOG_WARN, value, "render state %u: extension %.4s is not offered", (unsigned)number,
                     (const char *)&magic->fourcc);
        }
        switch_off(state, number);
        return true;
    }
    if (state->extension[magic->extension] != magic->setting) {
        state->extension[magic->extension] = magic->setting;
        state->dirty |= HAL_DIRTY_RENDER_STATE;
    }
    *order = magic->order;
    return magic->kind == MAGIC_STAYS;
}
