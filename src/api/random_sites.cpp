// SPDX-License-Identifier: Apache-2.0
//
// Marks the cells that a keyed permutation draws, and then numbers them in index order.
#include "thiessen/random_sites.hpp"

#include <limits>
#include <string>

#include "core/problem.hpp"
#include "core/rng.hpp"
#include "thiessen/error.hpp"
#include "threads/guarded.hpp"

namespace thiessen {
namespace {

void check(const View<void>& sites, std::int64_t count) {
  check_aligned_cells("sites", sites);
  check_apart("sites", sites);
  const ElementType type = sites.element_type();
  if (type != ElementType::i32 && type != ElementType::i64)
    throw Error(ErrorCode::invalid_argument,
                "sites are " + std::string(name_of(type)) + "; must be i32 or i64");
  const std::int64_t cells = sites.extents().count();
  if (count < 0 || count > cells)
    throw Error(ErrorCode::invalid_argument, "count = " + std::to_string(count) +
                                                 "; must be 0 to the number of cells, " +
                                                 std::to_string(cells));
  if (type == ElementType::i32 && count > std::numeric_limits<std::int32_t>::max())
    throw Error(ErrorCode::invalid_argument,
                "count = " + std::to_string(count) + "; labels of i32 end at 2^31 - 1");
}

template <class Label>
void draw(Progress& progress, const View<void>& sites, std::int64_t count, std::uint64_t seed) {
  const Axes extent = to_axes(sites.extents());
  const auto label_at = [&](const Axes& cell) -> Label& {
    return *reinterpret_cast<Label*>(address_of(sites, cell));
  };
  const auto for_each_label = [&](auto&& visit) {
    for (std::int64_t z = 0; z < extent[0]; ++z)
      for (std::int64_t y = 0; y < extent[1]; ++y) {
        for (std::int64_t x = 0; x < extent[2]; ++x) visit(label_at({z, y, x}));
        progress.advance(1);
      }
  };

  progress.begin(2 * extent[0] * extent[1] + count);
  for_each_label([](Label& label) { label = 0; });
  const Permutation permutation(static_cast<std::uint64_t>(sites.extents().count()), seed);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto index = static_cast<std::int64_t>(permutation(static_cast<std::uint64_t>(i)));
    label_at(to_cell(extent, index)) = 1;
    progress.advance(1);
  }
  Label next = 0;
  for_each_label([&](Label& label) {
    if (label != 0) label = ++next;
  });
}

}  // namespace

void random_sites(Context& context, View<void> sites, std::int64_t count, std::uint64_t seed) {
  ContextState& state = context.state();
  guarded(state, [&] {
    check(sites, count);
    const View<void> cells = with_three_axes(sites);
    if (sites.element_type() == ElementType::i32)
      draw<std::int32_t>(state.progress, cells, count, seed);
    else
      draw<std::int64_t>(state.progress, cells, count, seed);
  });
}

}  // namespace thiessen
