// SPDX-License-Identifier: Apache-2.0
//
// The inputs, and what is wanted of them.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engines.hpp"
#include "measure.hpp"

namespace thiessen::ablation {

struct Case {
  std::string input;   ///< "4096x4096, 1 %"
  std::string output;  ///< "labels"
  double work = 0;     ///< how long it takes, in proportion
  std::span<const Engine> engines;
  std::function<Call()> make;
};

/// All cases; the small sizes alone if `are_quick`. Shapes are those in the folder, if there is
/// one: masks that write_shapes.py wrote.
std::vector<Case> list_cases(bool are_quick, const std::filesystem::path& shapes);

}  // namespace thiessen::ablation
