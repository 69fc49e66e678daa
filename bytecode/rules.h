/* SPDX-License-Identifier: MIT */
/*
 * Declares the rules of validate_rules.c, and the state that they examine. Each rule_ function is true if the current
 * instruction, or the shader at its end, keeps one rule; it is called only for the models that its rows name. Private
 * to the validate_*.c files.
 */
#ifndef HALCYON_BYTECODE_RULES_H
#define HALCYON_BYTECODE_RULES_H

#include "bytecode/validator.h"

typedef const struct validator *V;
#define BIT(n) (1u << (n))

/* validate_registers.c */
bool rule_stage_is_wanted(V v);
bool rule_version_is_known(V v);
bool rule_registers_exist(V v);
bool rule_instruction_is_of_model(V v);
bool rule_temps_of_model(V v);
bool rule_constants_are_there(V v);
bool rule_temps_are_there(V v);
bool rule_indices_are_allowed(V v);
bool rule_address_is_known(V v);
bool rule_counter_is_in_a_loop(V v);
bool rule_one_constant(V v);
bool rule_two_constants(V v);
bool rule_one_input(V v);
bool rule_one_texture(V v);
bool rule_two_textures(V v);
bool rule_constant_read_twice(V v);
bool rule_temps_are_written(V v);
bool rule_inputs_are_fed(V v);
bool rule_declarations_first(V v);
bool rule_inputs_are_declared(V v);
bool rule_outputs_are_declared(V v);
bool rule_components_are_new(V v);
bool rule_meaning_is_new(V v);
bool rule_usage_exists(V v);
bool rule_sampler_has_kind(V v);
bool rule_input_usage(V v);

/* validate_operands.c */
bool rule_writes_something(V v);
bool rule_matrix_mask(V v);
bool rule_matrix_mask_early(V v);
bool rule_matrix_rows_plain(V v);
bool rule_fraction_mask(V v);
bool rule_cross_mask(V v);
bool rule_normal_mask(V v);
bool rule_sincos_mask(V v);
bool rule_not_in_place(V v);
bool rule_early_mask(V v);
bool rule_coordinate_mask(V v);
bool rule_texel_mask(V v);
bool rule_not_saturated(V v);
bool rule_not_shifted(V v);
bool rule_shifted_little(V v);
bool rule_shifted_more(V v);
bool rule_textures_plain(V v);
bool rule_no_absolute(V v);
bool rule_no_scaling(V v);
bool rule_no_doubling(V v);
bool rule_division_of_coordinates(V v);
bool rule_division_by_kind(V v);
bool rule_two_divisions(V v);
bool rule_not_of_conditions(V v);
bool rule_absolute_constants_alike(V v);
bool validator_is_replicated(unsigned swizzle);
bool rule_early_swizzles(V v);
bool rule_phased_swizzles(V v);
bool rule_plain_swizzles(V v);
bool rule_scalars_replicated(V v);

/* validate_instructions.c */
bool rule_address_by_mov(V v);
bool rule_address_by_mova(V v);
bool rule_mova_to_address(V v);
bool rule_condition_is_r0(V v);
bool rule_compare_elsewhere(V v);
bool rule_three_compares(V v);
bool rule_four_dot_products(V v);
bool rule_scratch_is_temps(V v);
bool rule_series_is_constants(V v);
bool rule_paired(V v);
bool rule_dp4_alone(V v);
bool rule_textures_first(V v);
bool rule_stage_is_earlier(V v);
bool rule_stage_is_sampled(V v);
bool rule_stage_is_new(V v);
bool rule_pads_in_a_row(V v);
bool rule_no_pads_left(V v);
bool rule_one_phase(V v);
bool rule_inputs_late(V v);
bool rule_computed_coordinates_late(V v);
bool rule_stage_exists(V v);
bool rule_one_bump(V v);
bool rule_depth_from_r5(V v);
bool rule_r5_is_dead(V v);
bool rule_samplers_in_place(V v);
bool rule_coordinates_plain(V v);
bool rule_coordinates_are_values(V v);
bool rule_texels_to_temps(V v);
bool rule_four_orders(V v);
bool rule_gradients_supported(V v);
bool rule_gradients_in_the_open(V v);

/* validate_flow.c */
bool rule_operands_of_flow(V v);
bool rule_comparison_exists(V v);
bool rule_block_was_opened(V v);
bool rule_break_leaves_a_loop(V v);
bool rule_static_flow_fits(V v);
bool rule_one_loop(V v);
bool rule_loops_of_caps(V v);
bool rule_four_loops(V v);
bool rule_calls_once(V v);
bool rule_calls_of_caps(V v);
bool rule_calls_four_deep(V v);
bool rule_ifs_of_caps(V v);
bool rule_ifs_24_deep(V v);
bool rule_dynamic_of_caps(V v);
bool rule_dynamic_24_deep(V v);
bool rule_calls_forward(V v);
bool rule_label_is_new(V v);
bool rule_label_behind_ret(V v);
bool rule_nothing_behind_ret(V v);
bool rule_predication_supported(V v);
bool rule_predicate_known(V v);
bool rule_predicate_on_results(V v);
bool rule_predicate_swizzle(V v);
bool rule_predicate_by_setp(V v);

/* validate_whole.c */
bool rule_colors_by_mov(V v);
bool rule_depth_by_mov(V v);
bool rule_outputs_once(V v);
bool rule_outputs_unconditional(V v);
bool rule_position_written(V v);
bool rule_position_declared(V v);
bool rule_color_written(V v);
bool rule_colors_without_gap(V v);
bool rule_slots_128(V v);
bool rule_slots_256(V v);
bool rule_slots_ps_1_0(V v);
bool rule_slots_ps_1(V v);
bool rule_slots_ps_1_4(V v);
bool rule_slots_ps_2_0(V v);
bool rule_slots_ps_2_x(V v);
bool rule_slots_3_0(V v);
bool rule_blocks_closed(V v);
bool rule_labels_exist(V v);
bool rule_ends_with_ret(V v);

#endif
