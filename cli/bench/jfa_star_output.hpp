// SPDX-License-Identifier: Apache-2.0
//
// What `bench jfa-star` tells and draws.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench/flooding_case.hpp"
#include "bench/plot_files.hpp"

namespace thiessen::cli {

/// Passes that the document gives JFA* for 2000 sites: log*(2000).
inline constexpr std::int64_t kClaimedPasses = 4;

/// The document's case, on stderr: methods, then entropy and errors pass by pass.
void print_case(const CaseResult& result);

/// The other cases, a line for each method, on stderr.
void print_sweep(const std::vector<CaseResult>& results);

/// Entropy and errors by pass of the case; time and errors by size, for each number of sites.
std::vector<NamedPlot> plots_of(const CaseResult& result, const std::vector<CaseResult>& sweep);

/// The figure "the difference at the same step": what two methods hold after the same pass, and the
/// exact answer, side by side.
class StepFigure {
 public:
  explicit StepFigure(const Extents& extents);

  /// Takes the states that it shows: those after pass 4, or after the last one if there are less.
  void take(const std::string& algorithm, const FloodingPass& pass);

  /// The three as one picture (y, x, 3).
  Raster paint(const Raster& sites, const View<const std::int64_t>& exact) const;

 private:
  Extents extents_;
  Raster circle_, grid_;
};

}  // namespace thiessen::cli
