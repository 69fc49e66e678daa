/* SPDX-License-Identifier: MIT */
/* The run of a program as JSON. */
#include "inspect/json/json.h"

#include "dp2/names.h"
#include "inspect/trace/trace.h"

#include <string.h>

/* Components in one lane; those outside of the mask are null. */
static void put_lane(struct json_writer *json, const char *name, const shader_trace_value value, unsigned mask,
                     unsigned lane)
{
    json_open_list(json, name);
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            json_put_float(json, NULL, value[c][lane]);
        else
            json_put_null(json, NULL);
    json_close(json);
}

/* The value of the watched lane, and with `quad` those of all lanes. */
static void put_value(struct json_writer *json, const struct inspect_trace *trace, bool quad,
                      const shader_trace_value value, unsigned mask)
{
    put_lane(json, "value", value, mask, trace->run->lane);
    if (!quad)
        return;
    json_open_list(json, "lanes");
    for (unsigned l = 0; l < trace->run->lanes; l++)
        put_lane(json, NULL, value, mask, l);
    json_close(json);
}

static void put_registers(struct json_writer *json, const char *name, const struct inspect_trace *trace, bool quad,
                          const struct hal_run_register *list, unsigned count)
{
    json_open_list(json, name);
    for (unsigned i = 0; i < count; i++) {
        json_open_object(json, NULL);
        json_put_text(json, "register", list[i].name);
        json_put_text(json, "meaning", list[i].meaning);
        put_value(json, trace, quad, list[i].value, list[i].mask);
        json_close(json);
    }
    json_close(json);
}

/* --- texture reads ------------------------------------------------------------------------------- */

static void put_name(struct json_writer *json, const char *name, char kind, unsigned value)
{
    const char *text = dp2_value_name(kind, value);

    json_put_text(json, name, text ? text : "?");
}

static void put_sampler(struct json_writer *json, const struct hal_run_fetch *fetch)
{
    const struct hal_run_sampler *s = &fetch->state;

    json_put_text(json, "kind", inspect_texture_kind(fetch));
    json_put_number(json, "width", fetch->width);
    json_put_number(json, "height", fetch->height);
    json_put_number(json, "depth", fetch->depth);
    json_put_number(json, "levels", fetch->levels);
    json_open_list(json, "address");
    for (unsigned c = 0; c < 3; c++)
        put_name(json, NULL, DP2_KIND_ADDRESS, s->address[c]);
    json_close(json);
    put_name(json, "mag_filter", DP2_KIND_FILTER, s->mag_filter);
    put_name(json, "min_filter", DP2_KIND_FILTER, s->min_filter);
    put_name(json, "mip_filter", DP2_KIND_FILTER, s->mip_filter);
    json_put_number(json, "max_anisotropy", s->max_anisotropy);
    json_put_number(json, "base_level", s->base_level);
    json_put_float(json, "lod_bias", s->lod_bias);
    json_put_bool(json, "srgb", s->srgb);
    json_put_bool(json, "compares", s->compares);
    json_put_bool(json, "fetch4", s->fetch4);
}

static void put_texel(struct json_writer *json, const struct hal_run_texel *texel)
{
    json_open_object(json, NULL);
    json_put_number(json, "level", texel->level);
    json_put_number(json, "layer", texel->layer);
    json_put_number(json, "x", texel->x);
    json_put_number(json, "y", texel->y);
    if (texel->weight >= 0.0f)
        json_put_float(json, "weight", texel->weight);
    if (texel->channel >= 0)
        json_put_number(json, "component", (unsigned)texel->channel);
    json_open_list(json, "value");
    for (unsigned c = 0; c < 4; c++)
        json_put_float(json, NULL, texel->value[c]);
    json_close(json);
    json_close(json);
}

static void put_fetch(struct json_writer *json, const struct inspect_trace *trace, bool quad,
                      const struct hal_run_fetch *fetch)
{
    const unsigned kept = fetch->texel_count < HAL_RUN_TEXELS ? fetch->texel_count : HAL_RUN_TEXELS;
    const unsigned rows = inspect_lod_rows(fetch->mode);

    json_open_object(json, "fetch");
    json_put_number(json, "sampler", fetch->sampler);
    json_put_number(json, "surface", inspect_surface_id(fetch->surface));
    json_put_bool(json, "bound", fetch->bound);
    json_open_object(json, "coordinates");
    put_value(json, trace, quad, fetch->coordinate, (1u << fetch->axes) - 1);
    json_close(json);
    json_put_text(json, "lod_mode", inspect_lod_name(fetch->mode));
    if (rows) {
        json_open_list(json, "lod");
        for (unsigned i = 0; i < rows; i++)
            json_put_float(json, NULL, fetch->lod[i][trace->run->lane]);
        json_close(json);
    }
    if (fetch->bound)
        put_sampler(json, fetch);
    if (fetch->level >= 0.0f)
        json_put_float(json, "level", fetch->level);
    if (fetch->has_texels) {
        json_put_float(json, "border", fetch->border);
        if (fetch->border > 0.0f) {
            json_open_list(json, "border_value");
            for (unsigned c = 0; c < 4; c++)
                json_put_float(json, NULL, fetch->border_value[c]);
            json_close(json);
        }
        json_put_number(json, "texel_count", fetch->texel_count);
        json_open_list(json, "texels");
        for (unsigned i = 0; i < kept; i++)
            put_texel(json, &fetch->texels[i]);
        json_close(json);
    }
    json_close(json);
}

/* --- steps --------------------------------------------------------------------------------------- */

static void put_sources(struct json_writer *json, const struct inspect_trace *trace, bool quad,
                        const struct shader_trace_step *step)
{
    char meaning[48];

    json_open_list(json, "sources");
    for (unsigned k = 0; k < 3; k++) {
        if (!step->read[k])
            continue;
        json_open_object(json, NULL);
        hal_run_constant(trace->run, step, k, meaning, sizeof(meaning));
        if (meaning[0])
            json_put_text(json, "meaning", meaning);
        put_value(json, trace, quad, step->source[k], step->read[k]);
        json_close(json);
    }
    json_close(json);
}

static void put_result(struct json_writer *json, const struct inspect_trace *trace, bool quad,
                       const struct shader_trace_step *step)
{
    char name[16];
    unsigned mask = 0;

    for (unsigned c = 0; c < 4; c++)
        mask |= (unsigned)(step->lanes[c] >> trace->run->lane & 1) << c;
    if (!step->written || !inspect_trace_target(step, trace->run->lane, name, sizeof(name)))
        return;
    json_open_object(json, "result");
    json_put_text(json, "register", name);
    put_value(json, trace, quad, step->result, quad ? step->written : mask);
    json_close(json);
}

static void put_lanes(struct json_writer *json, const char *name, const struct inspect_trace *trace, unsigned lanes)
{
    json_open_list(json, name);
    for (unsigned l = 0; l < trace->run->lanes; l++)
        json_put_bool(json, NULL, lanes >> l & 1);
    json_close(json);
}

static void put_step(struct json_writer *json, const struct inspect_trace *trace, bool quad,
                     const struct hal_run_step *step)
{
    const struct shader_trace_step *m = &step->machine;
    char text[512];

    json_open_object(json, NULL);
    json_put_number(json, "number", m->number);
    if (m->code->origin) {
        inspect_trace_assembly(trace, m->code->origin, text, sizeof(text));
        json_put_number(json, "dword", m->code->origin);
        json_put_text(json, "assembly", text);
    }
    inspect_trace_ir(m->code, text, sizeof(text));
    json_put_text(json, "ir", text);
    json_put_bool(json, "active", m->active >> trace->run->lane & 1);
    json_put_bool(json, "active_behind", m->behind >> trace->run->lane & 1);
    if (quad) {
        put_lanes(json, "lanes_active", trace, m->active);
        put_lanes(json, "lanes_active_behind", trace, m->behind);
    }
    json_put_signed(json, "loop", m->loop);
    put_sources(json, trace, quad, m);
    put_result(json, trace, quad, m);
    if (inspect_trace_kills(m))
        json_put_bool(json, "killed", m->killed >> trace->run->lane & 1);
    if (step->fetch)
        put_fetch(json, trace, quad, step->fetch);
    json_close(json);
}

/* --- runs ---------------------------------------------------------------------------------------- */

static void put_pixel(struct json_writer *json, const struct inspect_trace *trace)
{
    json_open_list(json, "pixels");
    for (unsigned l = 0; l < trace->run->lanes; l++) {
        json_open_object(json, NULL);
        json_put_number(json, "x", trace->run->x[l]);
        json_put_number(json, "y", trace->run->y[l]);
        json_put_bool(json, "covered", trace->run->covered >> l & 1);
        json_close(json);
    }
    json_close(json);
    json_put_number(json, "lane", trace->run->lane);
    json_put_bool(json, "killed", trace->run->killed >> trace->run->lane & 1);
    json_put_bool(json, "narrow", trace->run->narrow);
    inspect_put_fragment(json, "fragment", &trace->fragment);
}

void inspect_put_trace(struct json_writer *json, const char *name, const struct inspect_trace *trace, bool quad)
{
    json_stream_object(json, name);
    json_put_text(json, "stage", trace->run->stage == SHADER_VERTEX ? "vertex" : "pixel");
    json_put_bool(json, "bytecode", trace->run->is_bytecode);
    if (trace->run->is_bytecode) {
        json_put_number(json, "major", trace->run->program->major);
        json_put_number(json, "minor", trace->run->program->minor);
    }
    json_put_number(json, "primitive", trace->primitive);
    if (trace->run->stage == SHADER_VERTEX) {
        json_put_number(json, "vertex", trace->vertex);
        if (trace->element != INSPECT_ALL)
            json_put_number(json, "element", trace->element);
        inspect_put_corner(json, "corner", NULL, &trace->corner, trace->vertex, trace->corner_inputs);
    } else {
        put_pixel(json, trace);
    }
    put_registers(json, "inputs", trace, quad, trace->run->input, trace->run->input_count);
    put_registers(json, "outputs", trace, quad, trace->run->output, trace->run->output_count);
    json_stream_list(json, "steps");
    for (size_t i = 0; i < trace->run->step_count; i++)
        put_step(json, trace, quad, &trace->run->steps[i]);
    json_close(json);
    json_close(json);
}
