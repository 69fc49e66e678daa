/* SPDX-License-Identifier: MIT */
/* One step of the walk from the last step of a plan to its first. */
#include "shader/jit/live.h"

static unsigned sources_of_step(const struct plan_step *step)
{
    switch (step->kernel) {
    case STEP_DP3_VV:
    case STEP_DP3_VU:
    case STEP_TEXTURE:
        return 3;
    case STEP_DP4_VV:
    case STEP_DP4_VU:
    case STEP_ROWS3:
    case STEP_ROWS4:
        return 4;
    case STEP_SCALAR:
    case STEP_RSQ:
        return 1;
    default:
        return step->parts;
    }
}

static void note_reads_of_step(const struct plan_step *step, bool live[SEGMENT_PLACES])
{
    for (unsigned k = 0; k < 3; k++)
        for (unsigned n = 0; n < sources_of_step(step); n++)
            if (!plan_is_uniform(step->source[k][n]))
                live[segment_place(step->source[k][n])] = true;
}

static void note_reads_of_instruction(const struct ir_instruction *i, bool live[SEGMENT_PLACES])
{
    for (unsigned k = 0; k < ARRAY_COUNT(i->source); k++) {
        const struct ir_source *s = &i->source[k];
        const bool any = s->relative != IR_ABSOLUTE;
        const unsigned first = any ? 0 : 4u * s->index, end = any ? SEGMENT_TEMPS : first + 4;

        for (unsigned place = first; s->file == IR_TEMP && place < end; place++)
            live[place] = true;
    }
}

void live_before(const struct shader_code *code, const struct plan_step *step, bool live[SEGMENT_PLACES])
{
    const bool interpreted = step->kernel == STEP_INSTRUCTION;

    for (unsigned n = 0; !interpreted && n < step->parts; n++)
        live[segment_place(step->out[n])] = false;
    if (!interpreted)
        note_reads_of_step(step, live);
    if (interpreted || step->kernel == STEP_TEXTURE)
        note_reads_of_instruction(&code->code[step->instruction], live);
}
