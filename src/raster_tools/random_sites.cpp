// SPDX-License-Identifier: Apache-2.0
//
// Marks the cells that a keyed permutation draws, and then numbers them in index order. A slab
// looks for its cells among the draws or, if it has fewer cells than there are draws, finds by the
// inverse permutation when each of them is drawn.
#include "thiessen/random_sites.hpp"

#include <limits>
#include <string>

#include "core/base/rng.hpp"
#include "core/problem/problem.hpp"
#include "core/slabs/slab.hpp"
#include "thiessen/error.hpp"
#include "thiessen/slabs/slabs.hpp"
#include "threads/guarded.hpp"

namespace thiessen {
namespace {

void check(const View<void>& sites, const Extents& raster, std::int64_t count) {
  check_aligned_cells("sites", sites);
  check_no_self_overlap("sites", sites);
  const ElementType type = sites.element_type();
  if (type != ElementType::i32 && type != ElementType::i64)
    throw Error(ErrorCode::invalid_argument,
                {"sites", {}, "are " + std::string(name_of(type)) + "; must be i32 or i64"});
  const std::int64_t cells = raster.count();
  if (count < 0 || count > cells)
    throw Error(ErrorCode::invalid_argument,
                {"count", std::to_string(count),
                 "must be 0 to the number of cells, " + std::to_string(cells)});
  if (type == ElementType::i32 && count > std::numeric_limits<std::int32_t>::max())
    throw Error(ErrorCode::invalid_argument,
                {"count", std::to_string(count), "labels of i32 end at 2^31 - 1"});
}

/// The draws of all sites of a raster.
class Draws {
 public:
  Draws(const Extents& raster, std::int64_t count, std::uint64_t seed)
      : permutation_(static_cast<std::uint64_t>(raster.count()), seed), count_(count) {}

  std::int64_t count() const { return count_; }
  /// The cell of a draw.
  std::int64_t cell(std::int64_t draw) const {
    return static_cast<std::int64_t>(permutation_(static_cast<std::uint64_t>(draw)));
  }
  bool has(std::int64_t cell) const {
    return permutation_.inverse(static_cast<std::uint64_t>(cell)) <
           static_cast<std::uint64_t>(count_);
  }

 private:
  Permutation permutation_;
  std::int64_t count_;
};

/// Some rows of the raster, of which `first` is the first cell, with `above` sites above them.
/// Returns the number of the last site.
template <class Label>
std::int64_t draw(Progress& progress, const View<void>& sites, std::int64_t first,
                  const Draws& draws, std::int64_t above) {
  const Axes extent = to_axes(sites.extents());
  const std::int64_t cells = sites.extents().count();
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

  const bool looks_back = draws.count() > cells;
  progress.begin(2 * extent[0] * extent[1] + (looks_back ? 0 : draws.count()));
  std::int64_t cell = first;
  for_each_label([&](Label& label) {
    label = looks_back && draws.has(cell) ? 1 : 0;
    ++cell;
  });
  for (std::int64_t i = 0; !looks_back && i < draws.count(); ++i) {
    const std::int64_t drawn = draws.cell(i) - first;
    if (drawn >= 0 && drawn < cells) label_at(to_cell(extent, drawn)) = 1;
    progress.advance(1);
  }
  std::int64_t number = above;
  for_each_label([&](Label& label) {
    if (label != 0) label = static_cast<Label>(++number);
  });
  return number;
}

std::int64_t draw_rows(ContextState& state, const View<void>& sites, std::int64_t first,
                       const Draws& draws, std::int64_t above) {
  const View<void> cells = with_three_axes(sites);
  if (sites.element_type() == ElementType::i32)
    return draw<std::int32_t>(state.progress, cells, first, draws, above);
  return draw<std::int64_t>(state.progress, cells, first, draws, above);
}

/// The number of sites before a cell.
std::int64_t sites_before(ContextState& state, std::int64_t cell, const Draws& draws) {
  constexpr std::int64_t kAtOnce = 1 << 16;
  if (cell == 0) return 0;
  std::int64_t sites = 0;
  for (std::int64_t i = 0; i < draws.count(); ++i) {
    if (i % kAtOnce == 0) state.progress.check();
    if (draws.cell(i) < cell) ++sites;
  }
  return sites;
}

}  // namespace

void random_sites(Context& context, View<void> sites, std::int64_t count, std::uint64_t seed) {
  ContextState& state = context.state();
  guarded(state, [&] {
    check(sites, sites.extents(), count);
    draw_rows(state, sites, 0, Draws(sites.extents(), count, seed), 0);
  });
}

std::int64_t random_sites_slab(Context& context, View<void> sites, const SlabPlace& place,
                               std::int64_t count, std::uint64_t seed,
                               std::optional<std::int64_t> above) {
  ContextState& state = context.state();
  std::int64_t last = 0;
  guarded(state, [&] {
    check_slab(sites.extents(), place.raster, place.first);
    check(sites, place.raster, count);
    if (place.raster.count() == 0) return;
    const Draws draws(place.raster, count, seed);
    const std::int64_t first = place.first * (place.raster.count() / place.raster[0]);
    last =
        draw_rows(state, sites, first, draws, above ? *above : sites_before(state, first, draws));
  });
  return last;
}

}  // namespace thiessen
