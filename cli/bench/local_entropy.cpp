// SPDX-License-Identifier: Apache-2.0
#include "bench/local_entropy.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace thiessen::cli {
namespace {

constexpr std::size_t kMost = 9;

std::array<double, kMost + 1> logarithms() {
  std::array<double, kMost + 1> table{};
  for (std::size_t i = 1; i <= kMost; ++i) table[i] = std::log2(static_cast<double>(i));
  return table;
}

/// The cells of one window.
struct Window {
  std::array<std::int64_t, kMost> labels;
  std::size_t count = 0;

  bool is_even() const {
    return std::all_of(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(count),
                       [&](std::int64_t label) { return label == labels[0]; });
  }
};

/// log2(m) minus the mean of log2(c) over the window's m cells, where c is the number of cells with
/// the cell's label: the same as -sum p log2(p) over the labels.
double entropy_of(const Window& window) {
  static const std::array<double, kMost + 1> log2 = logarithms();
  double sum = 0;
  for (std::size_t i = 0; i < window.count; ++i) {
    std::size_t equal = 0;
    for (std::size_t k = 0; k < window.count; ++k)
      equal += window.labels[k] == window.labels[i] ? 1U : 0U;
    sum += log2[equal];
  }
  return log2[window.count] - sum / static_cast<double>(window.count);
}

Window window_at(const View<const std::int64_t>& cells, std::int64_t y, std::int64_t x) {
  const std::int64_t height = cells.extent(0), width = cells.extent(1);
  const std::int64_t left = std::max<std::int64_t>(x - 1, 0), right = std::min(x + 2, width);
  Window window;
  for (std::int64_t row = std::max<std::int64_t>(y - 1, 0); row < std::min(y + 2, height); ++row) {
    const std::int64_t* const labels = cells.data() + row * width;
    for (std::int64_t column = left; column < right; ++column)
      window.labels[window.count++] = labels[column];
  }
  return window;
}

}  // namespace

double local_entropy_at(const View<const std::int64_t>& cells, std::int64_t y, std::int64_t x) {
  const Window window = window_at(cells, y, x);
  return window.is_even() ? 0 : entropy_of(window);
}

double local_entropy(const View<const std::int64_t>& cells) {
  const std::int64_t height = cells.extent(0), width = cells.extent(1);
  double sum = 0;
  for (std::int64_t y = 0; y < height; ++y) {
    double of_row = 0;
    for (std::int64_t x = 0; x < width; ++x) of_row += local_entropy_at(cells, y, x);
    sum += of_row;
  }
  return height * width == 0 ? 0 : sum / static_cast<double>(height * width);
}

}  // namespace thiessen::cli
