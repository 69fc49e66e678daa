/* SPDX-License-Identifier: MIT */
/*
 * Constants of shaders as the stream sets them. Float vectors beyond those of hardware vertex processing exist only in
 * contexts of DirectX 9, and take memory only once one of them is set: binding constants copies only those that exist.
 * Source: docs/reference/device-state.md, section 4.
 */
#include "hal/state/constants.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "d3d/dp2_tokens.h"
#include "dp2/dp2.h"
#include "hal/context.h"
#include "hal/dp2_fields.h"
#include "hal/state/dirty.h"
#include "hal/state/values.h"
#include "hal/tokens.h"
#include "hal/work.h"

#include <stdlib.h>
#include <string.h>

/* --- storage ------------------------------------------------------------------------------------ */

bool hal_constants_create(struct hal_constants *constants, uint32_t floats)
{
    constants->f = mem_calloc(floats, sizeof(*constants->f));
    constants->float_count = constants->f ? floats : 0;
    return constants->f != NULL;
}

void hal_constants_destroy(struct hal_constants *constants)
{
    free(constants->f);
    constants->f = NULL;
    constants->float_count = 0;
}

/* Allocates float vectors 0 .. count - 1; in larger steps, because programs set them one by one. */
static bool reserve_floats(struct hal_constants *constants, uint32_t count)
{
    uint32_t total = constants->float_count;
    float(*f)[4];

    while (total < count)
        total *= 2;
    if (total == constants->float_count)
        return true;
    f = mem_realloc(constants->f, total, sizeof(*f));
    if (!f)
        return false;
    memset(f + constants->float_count, 0, (total - constants->float_count) * sizeof(*f));
    constants->f = f;
    constants->float_count = total;
    return true;
}

/* --- banks -------------------------------------------------------------------------------------- */

struct hal_register_bank hal_register_bank(struct hal_state *state, uint8_t token)
{
    struct hal_constants *v = &state->vertex_constants, *p = &state->pixel_constants;
    const uint32_t most = state->level >= DDI_LEVEL_DX9 ? HAL_SOFTWARE_CONSTANTS : HAL_VERTEX_CONSTANTS;

    switch (token) {
    case D3DDP2OP_SETVERTEXSHADERCONST:
        return (struct hal_register_bank){(uint8_t *)v->f, v->float_count, most, 16, HAL_DIRTY_VERTEX_CONSTANTS};
    case D3DDP2OP_SETPIXELSHADERCONST:
        return (struct hal_register_bank){(uint8_t *)p->f, p->float_count, p->float_count, 16,
                                          HAL_DIRTY_PIXEL_CONSTANTS};
    case D3DDP2OP_SETVERTEXSHADERCONSTI:
        return (struct hal_register_bank){(uint8_t *)v->i, HAL_OTHER_CONSTANTS, HAL_OTHER_CONSTANTS, 16,
                                          HAL_DIRTY_VERTEX_CONSTANTS};
    case D3DDP2OP_SETPIXELSHADERCONSTI:
        return (struct hal_register_bank){(uint8_t *)p->i, HAL_OTHER_CONSTANTS, HAL_OTHER_CONSTANTS, 16,
                                          HAL_DIRTY_PIXEL_CONSTANTS};
    case D3DDP2OP_SETVERTEXSHADERCONSTB:
        return (struct hal_register_bank){(uint8_t *)v->b, HAL_OTHER_CONSTANTS, HAL_OTHER_CONSTANTS, 4,
                                          HAL_DIRTY_VERTEX_CONSTANTS};
    default:
        return (struct hal_register_bank){(uint8_t *)p->b, HAL_OTHER_CONSTANTS, HAL_OTHER_CONSTANTS, 4,
                                          HAL_DIRTY_PIXEL_CONSTANTS};
    }
}

/* Gives the bank memory for registers below `end`, which is within its limit. */
static bool reserve(struct hal_context *context, uint8_t token, uint32_t end, struct hal_register_bank *bank)
{
    if (end <= bank->count)
        return true;
    if (!reserve_floats(&context->state.vertex_constants, end)) {
        hal_work_lacks_memory(&context->scene.work, "constants of vertex shaders");
        return false;
    }
    *bank = hal_register_bank(&context->state, token);
    return true;
}

/* --- the tokens --------------------------------------------------------------------------------- */

/* The runtime checks ranges, and may be wrong. */
HRESULT hal_token_shader_constants(struct hal_context *context, const struct dp2_command *command)
{
    struct hal_register_bank bank = hal_register_bank(&context->state, command->info->number);
    struct dp2_entry entry = {0};

    while (dp2_next_entry(command, &entry)) {
        const uint32_t first = DP2_FIELD(entry.head, D3DHAL_DP2SETVERTEXSHADERCONST, dwRegister);
        const uint32_t count = DP2_FIELD(entry.head, D3DHAL_DP2SETVERTEXSHADERCONST, dwCount);

        if (first > bank.limit || count > bank.limit - first || (uint64_t)count * bank.bytes > entry.data_size) {
            log_warn("%s: registers %u..%u do not exist", command->info->name, (unsigned)first,
                     (unsigned)(first + count));
            return E_INVALIDARG;
        }
        if (count && !reserve(context, command->info->number, first + count, &bank))
            return E_OUTOFMEMORY;
        memcpy(bank.registers + (size_t)first * bank.bytes, entry.data, (size_t)count * bank.bytes);
        context->state.dirty |= bank.dirty;
        for (uint32_t i = 0; bank.bytes == 4 && i < count; i++) {
            uint32_t *flag = (uint32_t *)bank.registers + first + i;

            *flag = *flag != 0;
        }
    }
    return DD_OK;
}

void hal_register_values(const struct hal_register_bank *bank, uint32_t first, uint32_t count, uint8_t *values)
{
    const uint32_t held = first < bank->count ? BASE_MIN(count, bank->count - first) : 0;

    if (held)
        memcpy(values, bank->registers + (size_t)first * bank->bytes, (size_t)held * bank->bytes);
    memset(values + (size_t)held * bank->bytes, 0, (size_t)(count - held) * bank->bytes);
}
