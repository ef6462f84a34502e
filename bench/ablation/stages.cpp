// SPDX-License-Identifier: Apache-2.0
#include "stages.hpp"

#include <algorithm>
#include <cstdlib>

namespace thiessen::ablation {

Stages::Stages(const std::vector<Phase>& phases) {
  for (const Phase& phase : phases) stages_.push_back({std::string(phase.name), phase.detail});
}

int Stages::count(std::string_view name) const {
  return static_cast<int>(std::count_if(stages_.begin(), stages_.end(),
                                        [&](const Stage& stage) { return stage.name == name; }));
}

std::size_t Stages::place_of(std::string_view name) const {
  const auto found = std::find_if(stages_.begin(), stages_.end(),
                                  [&](const Stage& stage) { return stage.name == name; });
  return static_cast<std::size_t>(found - stages_.begin());
}

bool Stages::solved_by(std::string_view engine) const {
  const std::string before = std::string(engine) + " ";
  return std::any_of(stages_.begin(), stages_.end(), [&](const Stage& stage) {
    const std::size_t at = stage.detail.find(before);
    return at != std::string::npos && std::atof(stage.detail.c_str() + at + before.size()) > 0;
  });
}

std::string Stages::text() const {
  std::string text;
  for (const Stage& stage : stages_)
    text +=
        (text.empty() ? "" : "; ") + stage.name + (stage.detail.empty() ? "" : ": " + stage.detail);
  return text;
}

}  // namespace thiessen::ablation
