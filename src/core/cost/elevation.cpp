// SPDX-License-Identifier: Apache-2.0
#include "core/cost/elevation.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string>

#include "core/base/first_found.hpp"
#include "core/base/refuse.hpp"
#include "operations/rows/numbers.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen {
namespace {

/// An elevation as it is held; NaN where it is not known.
template <class T>
struct Height {
  T value;
  bool legal;
};

template <class T, class Value>
Height<T> to_height(Value value, bool is_nodata) {
  constexpr T kUnknown = std::numeric_limits<T>::quiet_NaN();
  if (is_nodata || value != value) return {kUnknown, true};
  const auto wide = static_cast<double>(value);
  const double most = static_cast<double>(std::numeric_limits<T>::max()) / 4;
  if (wide > most || wide < -most) return {kUnknown, false};
  return {static_cast<T>(value), true};
}

template <class T>
class GroundLoader {
 public:
  GroundLoader(const CostProblem& problem, const CostViews& views, const T* map, T* resistance,
               T* elevation)
      : problem_(problem),
        views_(views),
        reader_(views.elevation),
        map_(map),
        resistance_(resistance),
        elevation_(elevation) {
    rule_.type = views.elevation.element_type();
    rule_.nodata = problem.elevation_nodata;
  }

  void load_row(std::int64_t row) {
    ChunkBuffer buffer;
    std::array<std::uint8_t, kChunk> classes{};
    const std::int64_t width = problem_.extent[2];
    for (std::int64_t x = 0; x < width; x += kChunk) {
      const std::int64_t count = std::min(kChunk, width - x);
      const std::byte* values = reader_.read(0, row, x, count, buffer);
      if (rule_.nodata) classify(rule_, values, count, classes.data());
      visit_element_type(rule_.type, [&]<class Value>(std::type_identity<Value>) {
        load(reinterpret_cast<const Value*>(values), classes.data(), row * width + x, count);
      });
    }
  }

  void refuse_illegal() const {
    if (!illegal_.any()) return;
    const std::byte* const at =
        address_of(views_.elevation, to_cell(problem_.extent, illegal_.index()));
    const double own = visit_element_type(rule_.type, [&]<class Value>(std::type_identity<Value>) {
      Value value;
      std::memcpy(&value, at, sizeof value);
      return static_cast<double>(value);
    });
    refuse("elevation" + cell_text(problem_, illegal_.index()) + " = " + shortest_decimal(own) +
           "; must be NaN, or finite and at most a quarter of the greatest float");
  }

 private:
  template <class Value>
  void load(const Value* values, const std::uint8_t* classes, std::int64_t first,
            std::int64_t count) {
    const T sign = problem_.walk_direction == WalkDirection::to_site ? -1 : 1;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t cell = first + i;
      const Height<T> height = to_height<T>(values[i], classes[i] == kNodataCell);
      if (!height.legal) illegal_.report(cell);
      const bool known = height.value == height.value;
      const T resistance = map_ == nullptr ? T{1} : map_[cell];
      resistance_[cell] = known ? resistance : std::numeric_limits<T>::quiet_NaN();
      elevation_[cell] = known ? sign * height.value : T{0};
    }
  }

  const CostProblem& problem_;
  const CostViews& views_;
  CellReader reader_;
  SiteRule rule_;
  const T* map_;
  T* resistance_;
  T* elevation_;
  FirstFound illegal_;
};

SiteRule nodata_rule(const View<const void>& cells, const std::optional<LabelBits>& nodata) {
  SiteRule rule;
  rule.type = cells.element_type();
  rule.nodata = nodata;
  return rule;
}

}  // namespace

template <class T>
WalkedGround<T> load_walked_ground(const CostProblem& problem, const CostViews& views,
                                   const Loop& loop, Scratch::Frame& scratch) {
  const T* const map = views.map ? load_map<T>(problem, views.map, loop, scratch) : nullptr;
  const bool is_own = map != nullptr && map != reinterpret_cast<const T*>(views.map.bytes());
  auto* const resistance = is_own ? const_cast<T*>(map) : scratch.array<T>(problem.cells());
  auto* const elevation = scratch.array<T>(problem.cells());
  GroundLoader<T> loader(problem, views, map, resistance, elevation);
  loop(problem.extent[1], [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) loader.load_row(row);
  });
  loader.refuse_illegal();
  return {resistance, elevation};
}

template WalkedGround<float> load_walked_ground(const CostProblem&, const CostViews&, const Loop&,
                                                Scratch::Frame&);
template WalkedGround<double> load_walked_ground(const CostProblem&, const CostViews&, const Loop&,
                                                 Scratch::Frame&);

OutsideCells::OutsideCells(const CostProblem& problem, const CostViews& views)
    : map_(views.map),
      elevation_(views.elevation),
      of_map_(nodata_rule(views.map, problem.nodata)),
      of_elevation_(nodata_rule(views.elevation, problem.elevation_nodata)) {}

void OutsideCells::find(const Axes& cell, std::int64_t count, std::uint8_t* classes) const {
  ChunkBuffer buffer;
  const auto find_in = [&](const CellReader& cells, const SiteRule& rule, std::uint8_t* into) {
    classify(rule, cells.read(cell[0], cell[1], cell[2], count, buffer), count, into);
  };
  if (of_map_.nodata)
    find_in(map_, of_map_, classes);
  else
    std::fill_n(classes, count, kFreeCell);
  if (!of_elevation_.nodata) return;
  std::array<std::uint8_t, kChunk> more;
  find_in(elevation_, of_elevation_, more.data());
  for (std::int64_t i = 0; i < count; ++i)
    if (more[static_cast<std::size_t>(i)] == kNodataCell) classes[i] = kNodataCell;
}

}  // namespace thiessen
