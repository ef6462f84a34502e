// SPDX-License-Identifier: Apache-2.0
#include "cpu/slabs/widened_slab.hpp"

#include <algorithm>
#include <cstring>

#include "core/base/cell_access.hpp"
#include "core/problem/cell_class.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu {
namespace {

/// Values that make a cell a site, and none.
struct Values {
  LabelBits site;
  LabelBits other;
};

/// Empty if all values, or none, make a cell a site.
std::optional<Values> find_values(const SiteRule& rule) {
  std::vector<LabelBits> candidates = rule.values;
  if (rule.nodata) candidates.push_back(*rule.nodata);
  const std::int64_t most = rule.type == ElementType::boolean
                                ? 1
                                : std::min<std::int64_t>(std::ssize(rule.values) + 2, 127);
  for (std::int64_t value = 0; value <= most; ++value)
    candidates.push_back(to_label_bits(value, rule.type, "value"));
  Values values;
  bool has_site = false;
  bool has_other = false;
  for (const LabelBits& candidate : candidates) {
    std::uint8_t found = 0;
    classify(rule, candidate.bytes.data(), 1, &found);
    const bool is_site = found == kSiteCell;
    (is_site ? values.site : values.other) = candidate;
    (is_site ? has_site : has_other) = true;
  }
  if (!has_site || !has_other) return std::nullopt;
  return values;
}

/// An array of the widened raster.
class WideCells {
 public:
  WideCells(const Problem& wide, const Problem& whole, ElementType type, std::int64_t above,
            Scratch::Frame& scratch)
      : extents_{wide.extent[0], wide.extent[1], wide.extent[2]},
        type_(type),
        element_(static_cast<std::int64_t>(size_of(type))),
        columns_(slab_columns(whole)),
        above_(above),
        bytes_(scratch.array<std::byte>(wide.cells() * element_)) {}

  View<const void> view() const { return {bytes_, type_, extents_}; }

  /// Copies the cells of the slab.
  void copy(ContextState& state, const View<const void>& slab) const {
    const CellReader cells(slab);
    const std::int64_t height = slab.extent(1);
    const std::int64_t width = slab.extent(2);
    parallel_for(state, slab.extent(0) * height, 16, 0,
                 [&](std::int64_t begin, std::int64_t end, int) {
                   ChunkBuffer buffer;
                   for (std::int64_t row = begin; row < end; ++row)
                     for (std::int64_t x = 0; x < width; x += kChunk) {
                       const std::int64_t count = std::min(kChunk, width - x);
                       std::memcpy(bytes_ + (above_ * columns_ + row * width + x) * element_,
                                   cells.read(row / height, row % height, x, count, buffer),
                                   static_cast<std::size_t>(count * element_));
                     }
                 });
  }

  /// Gives all rows beyond the slab one value.
  void fill_beyond(std::int64_t slab_rows, const LabelBits& value) const {
    const std::int64_t all = extents_.count();
    fill(0, above_ * columns_, value);
    fill((above_ + slab_rows) * columns_, all, value);
  }

  void put(std::int64_t row, std::int64_t column, const std::byte* value) const {
    std::memcpy(bytes_ + (row * columns_ + column) * element_, value,
                static_cast<std::size_t>(element_));
  }
  std::int64_t element() const { return element_; }

 private:
  void fill(std::int64_t begin, std::int64_t end, const LabelBits& value) const {
    visit_element_width(type_, [&]<class T>(std::type_identity<T>) {
      T each;
      std::memcpy(&each, value.bytes.data(), sizeof each);
      auto* const cells = reinterpret_cast<T*>(bytes_);
      std::fill(cells + begin, cells + end, each);
    });
  }

  Extents extents_;
  ElementType type_;
  std::int64_t element_;
  std::int64_t columns_;
  std::int64_t above_;
  std::byte* bytes_;
};

/// The arrays of the widened raster.
struct WideRaster {
  WideCells sites;
  std::optional<WideCells> numbers;  ///< labels that are not the values of the sites
  LabelBits site;                    ///< a value that makes a cell a site
  std::int64_t first_row = 0;        ///< coordinate of its first row in the whole raster
};

/// Puts the outer sites of one side into the rows `begin` to `end` - 1, which were added there.
void put_outer_sites(const Neighbours& outer, std::int64_t begin, std::int64_t end,
                     std::int64_t columns, const WideRaster& wide) {
  if (outer.coordinate == nullptr) return;
  const WideCells& labelled = wide.numbers ? *wide.numbers : wide.sites;
  for (std::int64_t column = 0; column < columns; ++column) {
    if (outer.coordinate[column] == kNoSite) continue;
    const std::int64_t row = outer.coordinate[column] - wide.first_row;
    if (row < begin || row >= end) continue;
    if (wide.numbers || outer.labels == nullptr)
      wide.sites.put(row, column, wide.site.bytes.data());
    if (outer.labels != nullptr)
      labelled.put(row, column, outer.labels + column * labelled.element());
  }
}

}  // namespace

std::optional<WidenedSlab> widen_slab(ContextState& state, const Problem& problem, const Slab& slab,
                                      const ProblemViews& views, const OuterReach& reach,
                                      Scratch::Frame& scratch) {
  WidenedSlab wide{alone(problem, slab), views, 0};
  if (reach.above == 0 && reach.below == 0) return wide;
  const auto axis = static_cast<std::size_t>(problem.first_axis());
  const std::int64_t rows = reach.above + slab.count + reach.below;
  const std::int64_t first_row = slab.first - reach.above;
  const bool is_periodic = problem.period[axis] != kNoPeriod;
  if (is_periodic && (first_row < 0 || first_row + rows > problem.extent[axis]))
    return std::nullopt;
  const std::optional<Values> values = find_values(problem.rule);
  if (!values) return std::nullopt;

  const PhaseTimer phase(state, "widen slab");
  wide.first = reach.above;
  wide.problem.extent[axis] = rows;
  wide.problem.first_site -= reach.above * slab_columns(problem);
  const auto take = [&](const View<const void>& cells) {
    WideCells copy(wide.problem, problem, cells.element_type(), reach.above, scratch);
    copy.copy(state, cells);
    return copy;
  };
  WideRaster raster{take(views.sites), std::nullopt, values->site, first_row};
  raster.sites.fill_beyond(slab.count, values->other);
  wide.views.sites = wide.views.labels = raster.sites.view();
  const bool are_values = views.labels.bytes() == views.sites.bytes();
  if (views.out.labels && !are_values && !problem.rule.complement) {
    raster.numbers = take(views.labels);
    wide.views.labels = raster.numbers->view();
  }
  const auto put = [&](Neighbours outer, std::int64_t begin, std::int64_t end) {
    const bool are_numbers = problem.rule.type == ElementType::boolean;
    if (are_numbers && !raster.numbers) outer.labels = nullptr;
    put_outer_sites(outer, begin, end, slab_columns(problem), raster);
  };
  put(slab.above, 0, reach.above);
  put(slab.below, reach.above + slab.count, rows);
  wide.views.out = rows_of(views.out, problem.first_axis(), -reach.above, rows);
  return wide;
}

}  // namespace thiessen::cpu
