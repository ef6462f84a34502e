// SPDX-License-Identifier: Apache-2.0
#include "pictures/brush.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace thiessen {

Brush::Brush(double width, double scale_y, double scale_x, double strength) {
  const double soft = std::max(scale_y, scale_x);
  if (width < soft) strength *= width / soft;
  const double radius = std::max(width, soft) / 2;
  reach_y_ = static_cast<int>((radius + soft / 2) / scale_y);
  reach_x_ = static_cast<int>((radius + soft / 2) / scale_x);
  for (int y = 0; y <= reach_y_; ++y) {
    int half_width = -1;
    for (int x = -reach_x_; x <= reach_x_; ++x) {
      const double dy = y * scale_y;
      const double dx = x * scale_x;
      coverage_.push_back(coverage(std::sqrt(dy * dy + dx * dx), radius, soft, strength));
      if (coverage_.back() > 0) half_width = std::max(half_width, std::abs(x));
    }
    half_width_.push_back(half_width);
  }
}

std::uint8_t Brush::coverage(double distance, double radius, double soft, double strength) const {
  const double share = std::clamp((radius - distance) / soft + 0.5, 0.0, 1.0);
  return static_cast<std::uint8_t>(std::lround(255 * strength * share));
}

void Brush::put(int dy, const std::vector<std::int32_t>& seeds, std::uint8_t* covered) const {
  const auto row = static_cast<std::size_t>(std::abs(dy));
  if (row >= half_width_.size() || half_width_[row] < 0) return;
  const int half = half_width_[row];
  const std::uint8_t* middle =
      &coverage_[row * static_cast<std::size_t>(2 * reach_x_ + 1)] + reach_x_;
  for (const std::int32_t seed : seeds)
    for (int x = -half; x <= half; ++x) covered[seed + x] = std::max(covered[seed + x], middle[x]);
}

}  // namespace thiessen
