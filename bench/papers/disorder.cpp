// SPDX-License-Identifier: Apache-2.0
#include "disorder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace thiessen::bench {
namespace {

constexpr std::size_t kMost = 9;  ///< cells of a window

std::array<double, kMost + 1> logarithms() {
  std::array<double, kMost + 1> table{};
  for (std::size_t i = 1; i <= kMost; ++i) table[i] = std::log2(static_cast<double>(i));
  return table;
}

/// log2(m) minus the mean of log2(c) over the window's m cells, where c is the number of cells with
/// the cell's label: the same as -sum p log2(p) over the labels.
double entropy_of(const std::array<std::int64_t, kMost>& labels, std::size_t count) {
  static const std::array<double, kMost + 1> log2 = logarithms();
  const auto end = labels.begin() + static_cast<std::ptrdiff_t>(count);
  if (std::all_of(labels.begin(), end, [&](std::int64_t label) { return label == labels[0]; }))
    return 0;
  double sum = 0;
  for (auto label = labels.begin(); label != end; ++label)
    sum += log2[static_cast<std::size_t>(std::count(labels.begin(), end, *label))];
  return log2[count] - sum / static_cast<double>(count);
}

double entropy_at(const View<const std::int64_t>& cells, std::int64_t y, std::int64_t x) {
  const std::int64_t height = cells.extent(0), width = cells.extent(1);
  const std::int64_t left = std::max<std::int64_t>(x - 1, 0), right = std::min(x + 2, width);
  std::array<std::int64_t, kMost> labels{};
  std::size_t count = 0;
  for (std::int64_t row = std::max<std::int64_t>(y - 1, 0); row < std::min(y + 2, height); ++row)
    for (std::int64_t column = left; column < right; ++column)
      labels[count++] = cells.data()[row * width + column];
  return entropy_of(labels, count);
}

}  // namespace

LocalEntropy::LocalEntropy(const View<const std::int64_t>& cells)
    : bits(Raster::of<float>(cells.extents())) {
  const std::int64_t height = cells.extent(0), width = cells.extent(1);
  float* bit = bits.view<float>().data();
  for (std::int64_t y = 0; y < height; ++y) {
    double of_row = 0;
    for (std::int64_t x = 0; x < width; ++x) {
      const double entropy = entropy_at(cells, y, x);
      *bit++ = static_cast<float>(entropy);
      of_row += entropy;
    }
    mean += of_row;
  }
  mean /= static_cast<double>(height * width);
}

std::int64_t disconnected_cells(const View<const std::int64_t>& cells) {
  const std::int64_t height = cells.extent(0), width = cells.extent(1), count = height * width;
  const std::int64_t* const site = cells.data();
  std::vector<bool> reached(static_cast<std::size_t>(count));
  std::vector<std::int64_t> open;
  const auto reach = [&](std::int64_t cell) {
    if (reached[static_cast<std::size_t>(cell)]) return;
    reached[static_cast<std::size_t>(cell)] = true;
    open.push_back(cell);
  };
  for (std::int64_t cell = 0; cell < count; ++cell)
    if (site[cell] == cell) reach(cell);
  while (!open.empty()) {
    const std::int64_t cell = open.back();
    open.pop_back();
    const std::int64_t y = cell / width, x = cell % width;
    for (std::int64_t v = std::max<std::int64_t>(y - 1, 0); v < std::min(y + 2, height); ++v)
      for (std::int64_t u = std::max<std::int64_t>(x - 1, 0); u < std::min(x + 2, width); ++u)
        if (site[v * width + u] == site[cell]) reach(v * width + u);
  }
  std::int64_t disconnected = 0;
  for (std::int64_t cell = 0; cell < count; ++cell)
    disconnected += site[cell] >= 0 && !reached[static_cast<std::size_t>(cell)] ? 1 : 0;
  return disconnected;
}

}  // namespace thiessen::bench
