/* SPDX-License-Identifier: MIT */
/*
 * Promises of the code to itself, which nothing from outside can break: bit budgets, alignments, invariants. Builds
 * with HALCYON_ASSERTS (sanitizers and fuzzers, see the Makefile) check them and abort with a message; in all others
 * they are compiled, so that they stay correct, and leave no code behind. What comes from outside is checked by code
 * that answers with an error, never by this.
 */
#ifndef HALCYON_BASE_ASSERT_H
#define HALCYON_BASE_ASSERT_H

/* Says on the standard error stream what was promised where, and aborts. */
_Noreturn void base_assert_failed(const char *condition, const char *file, int line);

/* The condition must have no side effects. */
#if defined(HALCYON_ASSERTS)
#define BASE_ASSERT(condition) ((condition) ? (void)0 : base_assert_failed(#condition, __FILE__, __LINE__))
#else
#define BASE_ASSERT(condition) ((void)sizeof(!(condition)))
#endif

#endif
