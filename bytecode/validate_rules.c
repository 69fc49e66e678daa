/* SPDX-License-Identifier: MIT */
/*
 * The API's rules for shaders: the only place that says which rule applies to which model. Each function checks one
 * thing (rules.h); one may rely on the rules before its own in the table. Sources: docs/reference/shader-code.md;
 * DirectX 8.1 and 9 documentation, "Pixel Shaders", "Vertex Shaders".
 */
#include "bytecode/rules.h"

#define NONE    0, 0
#define ALL     0x100, 0x3ff
#define V_1     0x100, 0x101
#define V_2     0x200, 0x2fe /* without software versions */
#define V_2_0   0x200, 0x200
#define V_2_X   0x201, 0x201
#define M_1_2   0x100, 0x2fe /* models 1 and 2 */
#define M_2     0x200, 0x2ff
#define M_2_UP  0x200, 0x3ff
#define M_2X_UP 0x201, 0x3ff
#define M_3     0x300, 0x3ff
#define V_3_0   0x300, 0x300
#define P_1     0x100, 0x104
#define P_1_3   0x100, 0x103
#define P_1_1   0x100, 0x101
#define P_1_2   0x102, 0x103
#define P_1_4   0x104, 0x104

#define START   VALIDATE_START
#define EACH    VALIDATE_INSTRUCTION
#define LAST    VALIDATE_END

/* MUST: code that breaks the rule cannot be executed, or the original runtime is known to reject it. MAY: code that
 * breaks it has one sensible meaning, which the compiler gives it; the retail runtimes of the time and wined3d create
 * such shaders. */
#define MUST true
#define MAY  false

/* vertex versions, pixel versions, when, whether it must be kept, the rule, the message when it is broken */
const struct validator_rule validator_rules[] = {
    {ALL, ALL, START, MUST, rule_stage_is_wanted, "code of the other stage"},
    {ALL, ALL, START, MUST, rule_version_is_known, "a version that the device lacks"},

    {ALL, ALL, EACH, MUST, rule_registers_exist, "a register that the model lacks"},
    {ALL, ALL, EACH, MAY, rule_instruction_is_of_model, "an instruction that the model lacks"},
    {NONE, P_1_4, EACH, MUST, rule_stage_exists, "texld or bem into a register that names no stage"},
    {ALL, ALL, EACH, MAY, rule_temps_of_model, "a temporary that the model lacks"},
    {ALL, NONE, EACH, MUST, rule_constants_are_there, "a constant that the device lacks"},
    {V_2_X, V_2_X, EACH, MAY, rule_temps_are_there, "a temporary that the device lacks"},
    {ALL, ALL, EACH, MUST, rule_indices_are_allowed, "an index where the model has none"},
    {ALL, NONE, EACH, MAY, rule_address_is_known, "a0 is used before it is written"},
    {M_2_UP, M_3, EACH, MAY, rule_counter_is_in_a_loop, "aL outside of loops"},
    {M_1_2, V_2, EACH, MAY, rule_one_constant, "more than one constant register in an instruction"},
    {NONE, P_1, EACH, MAY, rule_two_constants, "more than two constant registers in an instruction"},
    {NONE, V_2, EACH, MAY, rule_constant_read_twice, "a constant read three times in an instruction"},
    {M_1_2, V_2, EACH, MAY, rule_one_input, "more than one input register in an instruction"},
    {NONE, V_2, EACH, MAY, rule_one_texture, "more than one texture register in an instruction"},
    {NONE, P_1_1, EACH, MAY, rule_two_textures, "more than two texture registers in an instruction"},
    {ALL, ALL, EACH, MAY, rule_temps_are_written, "a temporary is read before it is written"},
    {V_1, NONE, EACH, MUST, rule_inputs_are_fed, "an input that the declaration does not feed"},

    {ALL, ALL, EACH, MAY, rule_writes_something, "an empty write mask"},
    {V_1, NONE, EACH, MAY, rule_matrix_mask_early, "a matrix product with another mask than its rows, or all"},
    {M_2_UP, M_2_UP, EACH, MAY, rule_matrix_mask, "a matrix product with another mask than its rows"},
    {ALL, M_2_UP, EACH, MAY, rule_matrix_rows_plain, "a swizzle or modifier on the rows of a matrix"},
    {V_1, NONE, EACH, MAY, rule_fraction_mask, "frc writes y or xy in vs_1_1"},
    {M_2_UP, M_2_UP, EACH, MAY, rule_cross_mask, "crs writes w"},
    {M_2_UP, M_2_UP, EACH, MAY, rule_normal_mask, "nrm writes xyz or xyzw"},
    {M_2_UP, M_2_UP, EACH, MAY, rule_sincos_mask, "sincos writes z or w"},
    {M_2_UP, M_2_UP, EACH, MAY, rule_not_in_place, "crs, nrm and sincos do not write what they read"},
    {NONE, P_1_3, EACH, MAY, rule_early_mask, "write masks are rgba, rgb or a below ps_1_4"},
    {NONE, P_1_4, EACH, MAY, rule_coordinate_mask, "texcrd writes rgb or rg"},
    {NONE, P_1_4, EACH, MAY, rule_texel_mask, "texld writes rgba"},
    {0x100, 0x2ff, NONE, EACH, MAY, rule_not_saturated, "_sat is not for vertex shaders below 3.0"},
    {ALL, M_2_UP, EACH, MAY, rule_not_shifted, "result shifts are for ps_1_x"},
    {NONE, P_1_3, EACH, MAY, rule_shifted_little, "result shifts are _x2, _x4 and _d2 below ps_1_4"},
    {NONE, P_1_4, EACH, MAY, rule_shifted_more, "result shift beyond _x8 or _d8"},
    {NONE, 0x100, 0x2ff, EACH, MAY, rule_textures_plain, "a modifier on the result of a texture instruction"},
    {0x100, 0x2ff, 0x100, 0x2ff, EACH, MAY, rule_no_absolute, "_abs is for model 3"},
    {ALL, M_2_UP, EACH, MAY, rule_no_scaling, "_bias, _bx2, _x2 and 1- are for ps_1_x"},
    {NONE, P_1_3, EACH, MAY, rule_no_doubling, "_x2 on a source is for ps_1_4"},
    {ALL, ALL, EACH, MAY, rule_division_of_coordinates, "_dz and _dw are for texld and texcrd of ps_1_4"},
    {NONE, P_1_4, EACH, MAY, rule_division_by_kind, "_dw is for t#, _dz for r#"},
    {NONE, P_1_4, EACH, MAY, rule_two_divisions, "more than two _dz"},
    {M_2_UP, M_2_UP, EACH, MUST, rule_not_of_conditions, "! is for conditions"},
    {M_3, M_3, EACH, MAY, rule_absolute_constants_alike, "_abs on some constants of an instruction and not on others"},
    {NONE, P_1_3, EACH, MAY, rule_early_swizzles, "swizzles are .a, and .b into alpha, below ps_1_4"},
    {NONE, P_1_4, EACH, MAY, rule_phased_swizzles,
     "swizzles of ps_1_4 are one component, or .xyz and .xyw of coordinates"},
    {NONE, 0x200, 0x201, EACH, MAY, rule_plain_swizzles, "a swizzle that ps_2_0 lacks"},
    {M_2_UP, M_2_UP, EACH, MAY, rule_scalars_replicated, "a scalar operand without a single component"},

    {V_1, NONE, EACH, MAY, rule_address_by_mov, "a0.x is written by mov alone"},
    {M_2_UP, NONE, EACH, MAY, rule_address_by_mova, "a0 is written by mova alone"},
    {M_2_UP, NONE, EACH, MUST, rule_mova_to_address, "mova writes a0"},
    {NONE, P_1_3, EACH, MAY, rule_condition_is_r0, "cnd looks at r0.a below ps_1_4"},
    {NONE, P_1_2, EACH, MAY, rule_compare_elsewhere, "cmp writes what it reads"},
    {NONE, P_1_2, EACH, MAY, rule_three_compares, "more than three cmp"},
    {NONE, P_1_2, EACH, MAY, rule_four_dot_products, "more than four dp4"},
    {M_2, NONE, EACH, MAY, rule_scratch_is_temps, "sgn wants two temporaries of its own"},
    {M_2, M_2, EACH, MAY, rule_series_is_constants, "sincos wants two constants"},
    {NONE, P_1, EACH, MAY, rule_paired, "a pair that is not one of colour and one of alpha"},
    {NONE, P_1, EACH, MAY, rule_dp4_alone, "dp4 in a pair"},

    {NONE, P_1_3, EACH, MAY, rule_textures_first, "a texture instruction after arithmetic"},
    {NONE, P_1_4, EACH, MAY, rule_textures_first, "a texture instruction after arithmetic of its phase"},
    {NONE, P_1_3, EACH, MAY, rule_stage_is_earlier, "a texture instruction that reads a later stage"},
    {NONE, P_1_3, EACH, MAY, rule_stage_is_sampled, "a texture instruction that reads a stage without result"},
    {NONE, P_1_3, EACH, MAY, rule_stage_is_new, "a stage with two texture instructions"},
    {NONE, P_1_3, EACH, MAY, rule_pads_in_a_row,
     "texm3x2pad and texm3x3pad come right before the instruction that they belong to"},
    {NONE, P_1_4, EACH, MAY, rule_one_phase, "a second phase"},
    {NONE, P_1_4, EACH, MAY, rule_inputs_late, "v# in the first phase"},
    {NONE, P_1_4, EACH, MAY, rule_computed_coordinates_late, "texld or texkill of r#, or texdepth, in the first phase"},
    {NONE, P_1_4, EACH, MAY, rule_one_bump, "bem twice, or in the second phase"},
    {NONE, P_1_4, EACH, MAY, rule_depth_from_r5, "texdepth takes r5"},
    {NONE, P_1_4, EACH, MAY, rule_r5_is_dead, "r5 after texdepth"},

    {M_3, M_2_UP, EACH, MUST, rule_samplers_in_place,
     "s# is the second operand of texture instructions, and nothing else"},
    {NONE, V_2_0, EACH, MAY, rule_coordinates_plain, "a swizzle or modifier on texture coordinates"},
    {NONE, M_2, EACH, MAY, rule_coordinates_are_values, "texture coordinates are t# or r#"},
    {NONE, M_2, EACH, MAY, rule_texels_to_temps, "texture instructions write r#"},
    {NONE, 0x200, 0x201, EACH, MAY, rule_four_orders, "dependent reads of more than fourth order"},
    {NONE, V_2_X, EACH, MAY, rule_gradients_supported, "gradients that the device lacks"},
    {NONE, M_2X_UP, EACH, MAY, rule_gradients_in_the_open, "differences of computed values inside dynamic flow"},

    {M_2_UP, ALL, EACH, MAY, rule_declarations_first, "a declaration or definition after code"},
    {ALL, M_2_UP, EACH, MUST, rule_usage_exists, "a usage that does not exist"},
    {M_3, M_2_UP, EACH, MAY, rule_sampler_has_kind, "a sampler that is neither 2d, cube nor volume"},
    {NONE, M_3, EACH, MUST, rule_input_usage, "an input usage that pixel shaders do not have"},
    {ALL, M_2_UP, EACH, MAY, rule_components_are_new, "components declared twice"},
    {ALL, M_3, EACH, MAY, rule_meaning_is_new, "a usage declared twice"},
    {ALL, M_2_UP, EACH, MAY, rule_inputs_are_declared, "a register without dcl"},
    {M_3, NONE, EACH, MAY, rule_outputs_are_declared, "an output without dcl"},

    {M_2_UP, M_2X_UP, EACH, MUST, rule_operands_of_flow, "an operand of the wrong kind"},
    {M_2X_UP, M_2X_UP, EACH, MUST, rule_comparison_exists, "a comparison that does not exist"},
    {M_2_UP, M_2X_UP, EACH, MUST, rule_block_was_opened, "the end of a block that was not opened"},
    {M_2X_UP, M_2X_UP, EACH, MUST, rule_break_leaves_a_loop, "break outside of loops"},
    {M_2_UP, M_2X_UP, EACH, MUST, rule_four_loops, "loops nested more than four deep"},
    {V_2_0, NONE, EACH, MAY, rule_one_loop, "loops nested in vs_2_0"},
    {V_2_X, V_2_X, EACH, MAY, rule_loops_of_caps, "loops nested deeper than the device can"},
    {M_2_UP, M_2X_UP, EACH, MUST, rule_calls_four_deep, "calls nested more than four deep"},
    {V_2_0, NONE, EACH, MAY, rule_calls_once, "calls nested in vs_2_0"},
    {V_2_X, V_2_X, EACH, MAY, rule_calls_of_caps, "calls nested deeper than the device can"},
    {M_2_UP, M_2X_UP, EACH, MUST, rule_ifs_24_deep, "if on constants more than 24 deep"},
    {NONE, V_2_X, EACH, MAY, rule_ifs_of_caps, "if on constants deeper than the device can"},
    {M_2X_UP, M_2X_UP, EACH, MUST, rule_dynamic_24_deep, "dynamic flow more than 24 deep"},
    {V_2_X, V_2_X, EACH, MAY, rule_dynamic_of_caps, "dynamic flow deeper than the device can"},
    {M_2_UP, M_2X_UP, EACH, MUST, rule_calls_forward, "a call backwards"},
    {M_2_UP, M_2X_UP, EACH, MUST, rule_label_is_new, "a label a second time"},
    {M_2_UP, M_2X_UP, EACH, MAY, rule_label_behind_ret, "a label that does not follow ret"},
    {M_2_UP, M_2X_UP, EACH, MAY, rule_nothing_behind_ret, "code between ret and a label"},

    {V_2_X, V_2_X, EACH, MAY, rule_predication_supported, "predicates that the device lacks"},
    {M_2X_UP, M_2X_UP, EACH, MUST, rule_predicate_by_setp, "p0 is written by setp, and setp writes p0"},
    {M_2X_UP, M_2X_UP, EACH, MAY, rule_predicate_known, "p0 is read before it is set"},
    {M_2_UP, M_2_UP, EACH, MUST, rule_predicate_on_results, "a predicate on an instruction without result"},
    {M_2X_UP, M_2X_UP, EACH, MAY, rule_predicate_swizzle, "a predicate's swizzle is all components or one"},

    {NONE, M_2, EACH, MAY, rule_colors_by_mov, "oC# is written by mov of all components below 3.0"},
    {NONE, M_2, EACH, MAY, rule_depth_by_mov, "oDepth is written by mov below 3.0"},
    {NONE, M_2, EACH, MAY, rule_outputs_once, "oC# or oDepth written twice"},
    {NONE, M_2X_UP, EACH, MAY, rule_outputs_unconditional, "oC# or oDepth under a dynamic condition"},

    {0x100, 0x2ff, NONE, LAST, MAY, rule_position_written, "the position is not written, or not all of it"},
    {M_3, NONE, LAST, MAY, rule_position_declared, "no output is the whole position"},
    {NONE, P_1_3, LAST, MAY, rule_no_pads_left, "texm3x2pad or texm3x3pad without its end"},
    {NONE, 0x100, 0x2ff, LAST, MAY, rule_color_written, "the first colour is not written"},
    {NONE, M_2, LAST, MAY, rule_colors_without_gap, "oC# written without those before it"},
    {V_1, NONE, LAST, MAY, rule_slots_128, "more than 128 instruction slots"},
    {V_2, NONE, LAST, MAY, rule_slots_256, "more than 256 instruction slots"},
    {NONE, 0x100, 0x100, LAST, MAY, rule_slots_ps_1_0, "more than 4 texture or 8 instructions in all"},
    {NONE, 0x101, 0x103, LAST, MAY, rule_slots_ps_1, "more than 4 texture or 8 arithmetic instructions"},
    {NONE, P_1_4, LAST, MAY, rule_slots_ps_1_4, "more than 6 texture or 8 arithmetic instructions in a phase"},
    {NONE, V_2_0, LAST, MAY, rule_slots_ps_2_0, "more than 32 texture or 64 arithmetic instructions"},
    {NONE, V_2_X, LAST, MAY, rule_slots_ps_2_x, "more instructions than the device can"},
    {V_3_0, V_3_0, LAST, MAY, rule_slots_3_0, "more instruction slots than the device has"},
    {V_2_0, NONE, LAST, MAY, rule_static_flow_fits, "more than 16 flow instructions in vs_2_0"},
    {M_2_UP, M_2X_UP, LAST, MUST, rule_blocks_closed, "a block is not closed"},
    {M_2_UP, M_2X_UP, LAST, MUST, rule_labels_exist, "a call of a label that does not exist"},
    {M_2_UP, M_2X_UP, LAST, MAY, rule_ends_with_ret, "a subroutine without ret"},
};
const unsigned validator_rule_count = ARRAY_COUNT(validator_rules);
_Static_assert(ARRAY_COUNT(validator_rules) <= VALIDATOR_RULES, "struct validator has a flag for each rule");
