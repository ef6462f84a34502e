// SPDX-License-Identifier: Apache-2.0
//
// The output of `bench jfa-star`: text and plots.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench/flooding_case.hpp"
#include "bench/plot_files.hpp"

namespace thiessen::cli {

/// Passes that the document gives JFA* for 2000 sites: log*(2000).
inline constexpr std::int64_t kClaimedPasses = 4;

/// Prints the document's case on stderr: methods, then entropy and errors pass by pass.
void print_case(const CaseResult& result);

/// Prints the other cases on stderr, a line for each method.
void print_sweep(const std::vector<CaseResult>& results);

/// Plots: entropy and errors by pass for the case; time and errors by size for each number of
/// sites.
std::vector<NamedPlot> plots_of(const CaseResult& result, const std::vector<CaseResult>& sweep);

/// The figure "the difference at the same step": the states of two methods after the same pass, and
/// the exact answer, side by side.
class StepFigure {
 public:
  explicit StepFigure(const Extents& extents);

  /// Takes the states that it shows: those after pass 4, or after the last one if there are less.
  void take(Method method, const FloodingPass& pass);

  /// The three as one picture (y, x, 3).
  Raster paint(const Raster& sites, const View<const std::int64_t>& exact) const;

 private:
  Extents extents_;
  Raster circle_, grid_;
};

}  // namespace thiessen::cli
