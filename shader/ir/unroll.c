/* SPDX-License-Identifier: MIT */
/*
 * Unrolls loops whose count the program itself defines. The result has no loops, so it runs only as steps, and its
 * temporaries can be tracked. Either all loops of a program are unrolled or none: a program with remaining loops may
 * reach the limit of executed instructions (SHADER_MAX_EXECUTED), and must then stop at the same place as before. A
 * loop is not unrolled if it can be left early, holds conditions, indexes by its counter, or would become too long.
 */
#include "shader/ir/optimize.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST_LOOP    512  /* the most instructions of an unrolled loop */
#define LONGEST_PROGRAM 2048 /* the most instructions of a program after unrolling */

struct loop {
    unsigned at, end; /* its first instruction, and its ENDLOOP */
    unsigned count;
};

static bool uses_counter(const struct ir_instruction *i)
{
    bool uses = i->destination.relative == IR_AL;

    for (unsigned k = 0; k < ARRAY_COUNT(i->source); k++)
        uses |= i->source[k].relative == IR_AL;
    return uses;
}

/* Can the loop that begins at instruction `at` be unrolled? */
static bool find_body(const struct shader_code *code, unsigned at, struct loop *loop)
{
    const struct ir_instruction *i = &code->code[at];
    const unsigned reg = i->source[0].index;
    unsigned end = at + 1;

    if ((i->op != IR_LOOP && i->op != IR_REP) || i->source[0].relative || !(code->integers_defined >> reg & 1))
        return false;
    while (end < code->count && code->code[end].op <= IR_KILL && !uses_counter(&code->code[end]))
        end++;
    if (end >= code->count || code->code[end].op != IR_ENDLOOP)
        return false;
    if (end == at + 1) /* an empty body, which only takes time */
        return false;
    *loop = (struct loop){at, end, (unsigned)BASE_MIN(BASE_MAX(code->integers[reg][0], 0), 255)};
    return (end - at - 1) * loop->count <= LONGEST_LOOP &&
           code->count + (end - at - 1) * loop->count <= LONGEST_PROGRAM;
}

/* False: no memory. */
static bool replace_loop(struct shader_code *code, const struct loop *loop)
{
    const unsigned body = loop->end - loop->at - 1, more = body * loop->count;
    const unsigned count = code->count - body - 2 + more;
    struct ir_instruction *fresh = mem_calloc(count, sizeof(*fresh));
    unsigned n = 0;

    if (!fresh)
        return false;
    for (unsigned i = 0; i < loop->at; i++)
        fresh[n++] = code->code[i];
    for (unsigned i = 0; i < more; i++)
        fresh[n++] = code->code[loop->at + 1 + i % body];
    for (unsigned i = loop->end + 1; i < code->count; i++)
        fresh[n++] = code->code[i];
    /* flow from outside a loop only leads to its beginning */
    for (unsigned i = 0; i < count; i++)
        if (fresh[i].target > loop->at)
            fresh[i].target = fresh[i].target + more - body - 2;
    free(code->code);
    code->code = fresh;
    code->count = code->capacity = count;
    return true;
}

static bool has_any(const struct shader_code *code, enum ir_op first, enum ir_op last)
{
    for (unsigned i = 0; i < code->count; i++)
        if (code->code[i].op >= first && code->code[i].op <= last)
            return true;
    return false;
}

bool optimize_unroll(struct shader_code *code)
{
    struct ir_instruction *kept;
    unsigned count = code->count, capacity = code->capacity;
    struct loop loop;
    bool done = false;

    if (!has_any(code, IR_LOOP, IR_REP) || has_any(code, IR_CALL, IR_CALL))
        return true;
    kept = mem_calloc(capacity, sizeof(*kept));
    if (!kept)
        return false;
    memcpy(kept, code->code, count * sizeof(*kept));
    /* from the end, so that inner loops are reached before outer ones */
    for (unsigned at = count; at-- > 0;)
        if (find_body(code, at, &loop) && !replace_loop(code, &loop))
            goto done;
    done = true;
    if (has_any(code, IR_LOOP, IR_REP)) {
        free(code->code);
        code->code = kept;
        code->count = count;
        code->capacity = capacity;
        return true;
    }
done:
    free(kept);
    return done;
}
