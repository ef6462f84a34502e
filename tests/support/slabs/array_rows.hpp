// SPDX-License-Identifier: Apache-2.0
//
// Arrays as sources and sinks of rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "operations/outputs.hpp"
#include "support/draw.hpp"
#include "support/slabs/rows_of.hpp"
#include "thiessen/slabs/stream.hpp"

namespace thiessen::testing {

/// Calls visit(from, to) for the runs of contiguous cells of two views of the same extents.
template <class Visit>
void for_each_run(const View<const void>& from, const View<void>& to, const Visit& visit) {
  const Extents& extents = from.extents();
  const int last = extents.rank() - 1;
  const std::int64_t rows = extents.count() / std::max<std::int64_t>(extents[last], 1);
  for (std::int64_t row = 0; row < rows; ++row) {
    std::int64_t rest = row, a = 0, b = 0;
    for (int axis = last - 1; axis >= 0; --axis) {
      a += rest % extents[axis] * from.stride(axis);
      b += rest % extents[axis] * to.stride(axis);
      rest /= extents[axis];
    }
    for (std::int64_t x = 0; x < extents[last]; ++x)
      visit(from.bytes() + a + x * from.stride(last), to.bytes() + b + x * to.stride(last));
  }
}

/// `draw` says whether it has memory that a stream reads from, and whether it wants to be read in
/// order.
class ArraySource final : public RowSource {
 public:
  ArraySource(const View<const void>& cells, Draw& draw)
      : cells_(cells),
        extents_(cells.extents()),
        has_memory_(draw.once_in(2) && is_packed()),
        is_in_order_(draw.once_in(3)) {}

  ElementType element_type() const override { return cells_.element_type(); }
  const Extents& extents() const override { return extents_; }
  bool is_in_order() const override { return is_in_order_; }
  View<const void> memory(const SlabRows& rows) override {
    return has_memory_ ? rows_of(cells_, {rows.first, rows.count}) : View<const void>();
  }
  void read(const SlabRows& rows, std::byte* cells) override {
    ++reads;
    const View<const void> from = rows_of(cells_, {rows.first, rows.count});
    const std::size_t size = size_of(element_type());
    for_each_run(from, {cells, element_type(), from.extents()},
                 [&](const std::byte* a, std::byte* b) { std::memcpy(b, a, size); });
  }

  std::int64_t reads = 0;

 private:
  bool is_packed() const {
    return cells_.strides() ==
           View<const void>(cells_.bytes(), cells_.element_type(), extents_).strides();
  }

  View<const void> cells_;
  Extents extents_;
  bool has_memory_, is_in_order_;
};

/// The rows of `cells` lie on its axis `axis`.
class ArraySink final : public RowSink {
 public:
  ArraySink(const View<void>& cells, int axis, bool has_memory)
      : cells_(cells), axis_(axis), has_memory_(has_memory) {}

  ElementType element_type() const override { return cells_.element_type(); }
  View<void> memory(const SlabRows& rows) override {
    return has_memory_ ? part(rows) : View<void>();
  }
  void write(const SlabRows& rows, const View<const void>& cells) override {
    const std::size_t size = size_of(element_type());
    if (!has_memory_)
      for_each_run(cells, part(rows),
                   [&](const std::byte* a, std::byte* b) { std::memcpy(b, a, size); });
    written += rows.count;
  }
  void finish() override { is_finished = true; }
  void abandon() noexcept override { is_abandoned = true; }

  std::int64_t written = 0;
  bool is_finished = false, is_abandoned = false;

 private:
  View<void> part(const SlabRows& rows) const {
    std::vector<std::int64_t> sizes;
    for (int axis = 0; axis < cells_.rank(); ++axis)
      sizes.push_back(axis == axis_ ? rows.count : cells_.extent(axis));
    return {cells_.bytes() + rows.first * cells_.stride(axis_), cells_.element_type(),
            Extents(sizes), cells_.strides()};
  }

  View<void> cells_;
  int axis_;
  bool has_memory_;
};

/// Sinks for the outputs of a call.
class ArraySinks {
 public:
  template <class Outputs>
  ArraySinks(const Outputs& out, Draw& draw, std::int64_t k = 0) {
    for_each_output(out, [&](const ::thiessen::Output& output, const View<void>& view) {
      sinks.emplace_back(view, front_axes(output, k), draw.once_in(2));
      outputs.push_back({output.name, &sinks.back()});
    });
  }

  std::deque<ArraySink> sinks;
  std::vector<StreamedOutput> outputs;
};

/// The warnings of these kinds, in words.
inline std::vector<std::string> messages_of(const std::vector<Warning>& warnings,
                                            const std::vector<std::string_view>& kinds) {
  std::vector<std::string> messages;
  for (const Warning& warning : warnings)
    if (std::ranges::find(kinds, name_of(warning.kind)) != kinds.end())
      messages.push_back(warning.message);
  return messages;
}

}  // namespace thiessen::testing
