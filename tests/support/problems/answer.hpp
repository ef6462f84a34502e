// SPDX-License-Identifier: Apache-2.0
//
// The outputs of a random problem, as bytes that can be compared.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "support/problems/raster_problem.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::testing {

/// The place of an output in memory: `shift` cells from the beginning of a cache line, with `gap`
/// cells between its rows.
struct Placement {
  std::int64_t shift = 0;
  std::int64_t gap = 0;
};

/// An output with guards around its rows.
class Output {
 public:
  /// `components`: those of an offset; 0: no such axis.
  Output(const RasterProblem& problem, ElementType type, const Placement& placement,
         std::int64_t components = 0)
      : extents_(problem.extents()),
        components_(components),
        type_(type),
        element_(static_cast<std::int64_t>(size_of(type))),
        columns_(problem.size[2] * element_),
        row_(columns_ + placement.gap * element_),
        rows_(std::max<std::int64_t>(components, 1) * problem.size[0] * problem.size[1]),
        bytes_(static_cast<std::size_t>(rows_ * row_ + placement.shift * element_ + kLine),
               kUntouched) {
    const auto address = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(bytes_.data()));
    first_ = (kLine - address % kLine) % kLine + placement.shift * element_;
  }

  View<void> view() {
    std::vector<std::int64_t> sizes;
    if (components_ > 0) sizes.push_back(components_);
    for (int axis = 0; axis < extents_.rank(); ++axis) sizes.push_back(extents_[axis]);
    View<void>::Strides strides{};
    strides[sizes.size() - 1] = element_;
    strides[sizes.size() - 2] = row_;
    for (std::size_t axis = sizes.size() - 2; axis-- > 0;)
      strides[axis] = strides[axis + 1] * sizes[axis + 1];
    return {bytes_.data() + first_, type_, Extents(sizes), strides};
  }

  bool operator==(const Output& other) const {
    for (std::int64_t row = 0; row < rows_; ++row)
      if (std::memcmp(cells(row), other.cells(row), static_cast<std::size_t>(columns_)) != 0)
        return false;
    return true;
  }

  /// Whether only cells were written.
  bool is_within_cells() const {
    const std::byte* from = bytes_.data();
    for (std::int64_t row = 0; row < rows_; ++row) {
      if (!is_untouched(from, cells(row))) return false;
      from = cells(row) + columns_;
    }
    return is_untouched(from, bytes_.data() + bytes_.size());
  }

 private:
  static constexpr std::int64_t kLine = 64;
  static constexpr std::byte kUntouched{0xa5};

  const std::byte* cells(std::int64_t row) const { return bytes_.data() + first_ + row * row_; }

  static bool is_untouched(const std::byte* begin, const std::byte* end) {
    return std::all_of(begin, end, [](std::byte byte) { return byte == kUntouched; });
  }

  Extents extents_;
  std::int64_t components_;
  ElementType type_;
  std::int64_t element_;
  std::int64_t columns_;  ///< in bytes
  std::int64_t row_;
  std::int64_t rows_;
  std::vector<std::byte> bytes_;
  std::int64_t first_ = 0;
};

/// The outputs that a call wants.
struct Wanted {
  bool labels = false;
  bool site_index = false;
  bool distance = false;
  ElementType distance_type = ElementType::f32;
  bool squared = false;
  bool offset = false;
  bool direction = false;

  static Wanted draw(Draw& draw, const RasterProblem& problem) {
    const NearestSiteOptions& options = problem.options;
    const bool plain = std::ranges::all_of(options.spacing, [](double s) { return s == 1; });
    Wanted wanted{.labels = !draw.once_in(3), .site_index = draw.once_in(3)};
    wanted.distance = draw.once_in(2) || !(wanted.labels || wanted.site_index);
    if (draw.once_in(4)) wanted.distance_type = ElementType::f64;
    wanted.squared = options.metric == Metric::euclidean && plain && draw.once_in(5);
    wanted.offset = draw.once_in(5);
    wanted.direction = problem.rank() == 2 && draw.once_in(5);
    return wanted;
  }
};

/// The outputs of one call.
class Answer {
 public:
  Answer(const RasterProblem& problem, const Wanted& wanted, const Placement& placement = {}) {
    const bool numbered = problem.type == ElementType::boolean;
    if (wanted.labels)
      views_.labels = add(problem, numbered ? ElementType::i32 : problem.type, placement);
    if (wanted.distance) views_.distance = add(problem, wanted.distance_type, placement);
    if (wanted.site_index)
      views_.site_index = as<std::int64_t>(add(problem, ElementType::i64, placement));
    if (wanted.squared)
      views_.squared = as<std::int64_t>(add(problem, ElementType::i64, placement));
    if (wanted.offset)
      views_.offset = as<std::int32_t>(add(problem, ElementType::i32, placement, problem.rank()));
    if (wanted.direction) views_.direction = as<float>(add(problem, ElementType::f32, placement));
  }

  const NearestSiteOutputs& views() const { return views_; }

  bool operator==(const Answer& other) const {
    return std::ranges::equal(outputs_, other.outputs_,
                              [](const auto& a, const auto& b) { return *a == *b; });
  }

  bool is_within_cells() const {
    return std::ranges::all_of(outputs_, [](const auto& each) { return each->is_within_cells(); });
  }

 private:
  View<void> add(const RasterProblem& problem, ElementType type, const Placement& placement,
                 std::int64_t components = 0) {
    outputs_.push_back(std::make_unique<Output>(problem, type, placement, components));
    return outputs_.back()->view();
  }

  template <class T>
  static View<T> as(const View<void>& view) {
    return View<T>(reinterpret_cast<T*>(view.bytes()), view.extents(), view.strides());
  }

  std::vector<std::unique_ptr<Output>> outputs_;
  NearestSiteOutputs views_;
};

}  // namespace thiessen::testing
