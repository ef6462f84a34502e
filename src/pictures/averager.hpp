// SPDX-License-Identifier: Apache-2.0
//
// From rows of the canvas to rows of pixels.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pictures/painter.hpp"
#include "pictures/scene.hpp"

namespace thiessen {

/// Averages rows of the canvas into rows of pixels.
class Averager {
 public:
  explicit Averager(const Scene& scene);

  void paint_row(Painter& painter, const View<std::uint8_t>& pixels, std::int64_t y);

 private:
  static constexpr std::uint64_t kWhole = 256;

  /// Red, green, blue and opacity, as in LinearColour.
  using Channels = std::array<std::uint64_t, 4>;

  /// The units of one pixel, and the shares of the first and the last that lie in it.
  struct Stretch {
    std::int64_t begin, end;
    std::uint64_t first, last, width;
  };

  bool is_plain() const;
  static void put(const View<std::uint8_t>& pixels, std::uint8_t* pixel, const Channels& light);
  static void copy_row(const std::vector<LinearColour>& row, const View<std::uint8_t>& pixels,
                       std::int64_t y);
  void write_row(const View<std::uint8_t>& pixels, std::int64_t y, std::uint64_t height) const;
  void add(const std::vector<LinearColour>& row, std::uint64_t height);
  static void gather(const std::vector<LinearColour>& row, std::int64_t unit, std::uint64_t share,
                     Channels& sum);

  const Scene& scene_;
  std::vector<Stretch> stretches_;  // for each column of pixels
  std::vector<Channels> sums_;      // the same
};

}  // namespace thiessen
