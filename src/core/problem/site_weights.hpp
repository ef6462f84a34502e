// SPDX-License-Identifier: Apache-2.0
//
// Weights of sites as integers, so that "nearer" never depends on rounding.
#pragma once

#include <cstdint>
#include <span>

#include "core/base/scratch.hpp"
#include "core/problem/problem.hpp"

namespace thiessen {

/// Checks what sites have besides their places: that it lies on the host, and is numbers of the
/// shape `expected`. `rule` follows "have other extents than ". Throws Error{invalid_argument}
/// naming `name`.
void check_numbers_of_sites(const char* name, const View<const void>& numbers,
                            const Extents& expected, const char* rule);

/// Checks that weights and weighting go together, and with the rest of the call. `expected` is the
/// shape of the weights. Throws Error{invalid_argument} naming the argument, its value and the
/// rule.
void check_weights(const View<const void>& weights, const Extents& expected,
                   const NearestSiteOptions& options, const NearestSiteOutputs& out,
                   bool has_metrics = false);

/// Reads the weights and metrics of all points, each by its own decimals, and sets Problem::keys
/// and the weights in `views`. With metrics, S counts in units of keys then. Throws
/// Error{invalid_argument} naming the first one that is not finite, not > 0 though it divides, or
/// needs more digits than exact keys have.
void set_weights(Problem& problem, ProblemViews& views, const PointList& list,
                 Scratch::Frame& scratch);

/// The same of the cells with these indices. What the weights are of other cells is not told.
void set_weights_of_cells(Problem& problem, ProblemViews& views, const View<const void>& weights,
                          std::span<const std::int64_t> cells, Scratch::Frame& scratch);

/// The greatest part of a key of power weights, S or a weight in the unit of both, if no weight has
/// a greater absolute value than this. Sums of such parts along axes stay below twice of it.
Int128 greatest_part_of_keys(const Problem& problem, Int128 greatest_weight);

/// Whether methods that go along lines find sites with these weights by keys of 64 bits: keys have
/// parts along axes, and what lines make of them fits.
bool fits_keys_of_lines(const Problem& problem, Int128 greatest_weight);

}  // namespace thiessen
