// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engines.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::ablation {

/// A call with its inputs, and where it writes.
struct Call {
  std::function<void(Context&)> run;
  std::vector<Raster*> results;
  int rank = 2;
};

/// How a call does without an engine.
struct Row {
  std::string_view engine;
  double on_ms = 0;  ///< median of the rounds
  double off_ms = 0;
  double ratio = 0;  ///< median of the rounds' off / on
  int rounds = 0;
  bool is_equal = false;       ///< the same bits in all results
  std::optional<bool> is_out;  ///< whether stages show that the engine did not run, if they can
  std::string on_stages;
  std::string off_stages;
};

struct Effort {
  std::string engine;  ///< only engines with this in their names
  int rounds = 5;
  double seconds = 10;  ///< after which no round begins but the first
  int threads = 1;
};

/// Calls with all engines, and without each of those that may run, in turn. Times are those of the
/// processor, since others may keep the machine busy; with several threads, those of the clock.
std::vector<Row> measure(const Call& call, std::span<const Engine> engines, const Effort& effort);

}  // namespace thiessen::ablation
