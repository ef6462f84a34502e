// SPDX-License-Identifier: Apache-2.0
//
// What the phases of a call tell of the engines that ran.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "thiessen/context.hpp"

namespace thiessen::ablation {

class Stages {
 public:
  Stages() = default;
  explicit Stages(const std::vector<Phase>& phases);

  /// How many phases of a call have a name; a signed distance takes several runs.
  int count(std::string_view name) const;
  bool has(std::string_view name) const { return count(name) > 0; }
  /// The place of the first phase of a name, or a greater one than all.
  std::size_t place_of(std::string_view name) const;
  /// Whether a phase reports a share of leaves of this engine.
  bool solved_by(std::string_view engine) const;
  /// "near search: dense 3.0 %, near 97.0 %; far search: far 0.0 %".
  std::string text() const;

 private:
  struct Stage {
    std::string name;
    std::string detail;
  };
  std::vector<Stage> stages_;
};

}  // namespace thiessen::ablation
