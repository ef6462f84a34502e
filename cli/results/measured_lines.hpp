// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "io/table/feature_file.hpp"

namespace thiessen::cli {

/// Lines through places (y, x) with a measure of each, as they are added.
class MeasuredLines {
 public:
  void add_point(double y, double x, double measure) {
    coordinates_.insert(coordinates_.end(), {y, x});
    measures_.push_back(measure);
  }

  /// Ends a line of one point or more. A layer wants two at least, so that one stands there twice.
  void end_line() {
    const auto count = static_cast<std::int64_t>(measures_.size()) - points_.back();
    if (count == 1)
      add_point(coordinates_[coordinates_.size() - 2], coordinates_.back(), measures_.back());
    points_.push_back(static_cast<std::int64_t>(measures_.size()));
  }

  io::Lines lines() const { return {points_, coordinates_, measures_}; }

 private:
  std::vector<std::int64_t> points_ = {0};
  std::vector<double> coordinates_, measures_;
};

}  // namespace thiessen::cli
