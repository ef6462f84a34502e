// SPDX-License-Identifier: Apache-2.0
//
// The engines of the CPU's methods "exact" that can be left out, by limits that keep them from
// every cell.
#pragma once

#include <span>
#include <string_view>

#include "core/base/context_state.hpp"
#include "stages.hpp"

namespace thiessen::ablation {

struct Engine {
  std::string_view name;
  void (*leave_out)(ContextState& state);
  /// Whether it may do anything in a call with these stages; null: always.
  bool (*may_run)(const Stages& stages) = nullptr;
  /// Whether these stages show that it did not run; null where stages cannot tell.
  bool (*is_out)(const Stages& stages) = nullptr;
  int rank = 0;  ///< of the rasters that it is for; 0: of all
};

/// The first engine of each list leaves out nothing: its ratios are the noise of the machine.
std::span<const Engine> engines_of_sites();
std::span<const Engine> engines_of_earth();
std::span<const Engine> engines_of_cost();

}  // namespace thiessen::ablation
