// SPDX-License-Identifier: Apache-2.0
//
// Finds what is odd in the sites of a call. Points at the same place are found by hashes: a bit for
// each hash first, so that only points whose hash repeats go into a table.
#include "api/warnings.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "core/base/cell_access.hpp"
#include "core/base/refuse.hpp"
#include "core/search/special_values.hpp"
#include "threads/parallel.hpp"

namespace thiessen {
namespace {

std::string counted(std::int64_t count, const char* one, const char* several) {
  return std::to_string(count) + " " + (count == 1 ? one : several);
}

std::size_t element_of(const View<const void>& labels) { return size_of(labels.element_type()); }

const std::byte* label_of(const WarnedPoints& points, std::int64_t point) {
  return points.labels.bytes() + point * points.labels.stride(0);
}

/// A label that two points share does not vanish with one of them.
bool has_own_label(const WarnedPoints& points, std::int64_t a, std::int64_t b) {
  return !points.labels ||
         std::memcmp(label_of(points, a), label_of(points, b), element_of(points.labels)) != 0;
}

std::uint64_t hash_of(const Axes& place) {
  constexpr std::uint64_t kFactors[kAxes] = {0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F,
                                             0x165667B19E3779F9};
  std::uint64_t sum = 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    sum = (sum ^ static_cast<std::uint64_t>(place[axis])) * kFactors[axis];
  return sum ^ (sum >> 32);
}

/// A set of hashes, as bits: small enough to stay in the caches.
class HashBits {
 public:
  HashBits(Scratch::Frame& scratch, std::int64_t points) {
    constexpr std::uint64_t kBitsPerPoint = 16, kBitsPerWord = 64;
    const std::uint64_t bits =
        std::bit_ceil(static_cast<std::uint64_t>(points) * kBitsPerPoint + kBitsPerWord);
    mask_ = bits - 1;
    words_ = scratch.array<std::uint64_t>(static_cast<std::int64_t>(bits / kBitsPerWord));
    std::fill_n(words_, bits / kBitsPerWord, std::uint64_t{0});
  }

  bool has(std::uint64_t hash) const { return (word(hash) >> (hash % 64) & 1) != 0; }
  void add(std::uint64_t hash) { word(hash) |= std::uint64_t{1} << (hash % 64); }

 private:
  std::uint64_t& word(std::uint64_t hash) const { return words_[(hash & mask_) / 64]; }

  std::uint64_t mask_;
  std::uint64_t* words_;
};

/// A set of places, by open addressing, with more than twice as many slots as points.
class SeenPlaces {
 public:
  SeenPlaces(Scratch::Frame& scratch, const PointSites& points, std::int64_t most)
      : points_(points),
        slots_(std::bit_ceil(static_cast<std::uint64_t>(most) * 2 + 1)),
        slot_(scratch.array<std::int64_t>(static_cast<std::int64_t>(slots_))) {
    std::fill_n(slot_, slots_, std::int64_t{-1});
  }

  /// The first point at the place of this one. If there is none, it is this point, which is added.
  std::int64_t first_at(std::int64_t point, std::uint64_t hash) {
    for (std::uint64_t at = hash;; ++at) {
      std::int64_t& seen = slot_[at & (slots_ - 1)];
      if (seen < 0) seen = point;
      if (seen == point || points_.at[seen] == points_.at[point]) return seen;
    }
  }

 private:
  const PointSites& points_;
  std::uint64_t slots_;
  std::int64_t* slot_;  ///< a point; -1: free
};

/// Calls visit(point, hash) for all points.
template <class Visit>
void for_each_hash(const ContextState& state, const PointSites& points, const Visit& visit) {
  constexpr std::int64_t kAtOnce = 1 << 16;
  for (std::int64_t i = 0; i < points.count; ++i) {
    if (i % kAtOnce == 0) state.progress.check();
    visit(i, hash_of(points.at[i]));
  }
}

/// Few points share a hash with another one; only these are compared.
Warning find_same_places(ContextState& state, const WarnedPoints& points) {
  Warning found{.kind = WarningKind::same_place};
  Scratch::Frame scratch(state.scratch);
  HashBits once(scratch, points.places.count);
  HashBits again(scratch, points.places.count);
  std::int64_t repeated = 0;
  for_each_hash(state, points.places, [&](std::int64_t, std::uint64_t hash) {
    if (once.has(hash)) {
      again.add(hash);
      ++repeated;
    }
    once.add(hash);
  });
  if (repeated == 0) return found;
  SeenPlaces seen(scratch, points.places, 2 * repeated);  // each hash occurred before
  for_each_hash(state, points.places, [&](std::int64_t i, std::uint64_t hash) {
    if (!again.has(hash)) return;
    const std::int64_t first = seen.first_at(i, hash);
    if (first == i || !has_own_label(points, first, i)) return;
    if (found.count++ == 0) found.first = i;
  });
  return found;
}

/// Whether a point lies in a cell of the grid; its left and upper edge belong to a cell.
bool is_inside(const Axes& place, const Problem& problem) {
  const std::int64_t cell = std::int64_t{1} << problem.fraction_bits;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    if (problem.period[axis] != kNoPeriod) continue;
    const std::int64_t twice = 2 * place[axis];
    if (twice < -cell || twice >= (2 * problem.extent[axis] - 1) * cell) return false;
  }
  return true;
}

template <class T>
T load(const View<const void>& view, const Axes& cell) {
  T value;
  std::memcpy(&value, address_of(view, cell), sizeof value);
  return value;
}

/// The first component of an offset.
View<const void> component_of(const View<const void>& offset) {
  return {offset.bytes(),
          offset.element_type(),
          {offset.extent(1), offset.extent(2), offset.extent(3)},
          {offset.stride(1), offset.stride(2), offset.stride(3)}};
}

bool is_on_host(const View<const void>& view) { return view && view.space() == MemorySpace::host; }

/// Whether outputs show that a cell has a site. False if they leave it open.
bool is_reached(const Problem& problem, const NearestSiteOutputs& out, bool has_domain,
                const Axes& cell) {
  if (is_on_host(out.site_index)) return load<std::int64_t>(out.site_index, cell) >= 0;
  if (is_on_host(out.offset))
    return load<std::int32_t>(component_of(out.offset), cell) != kNoOffset;
  if (is_on_host(out.ties)) return load<std::uint8_t>(out.ties, cell) != kNoTies;
  if (is_on_host(out.distance) && problem.distance_to == DistanceTo::sites)
    return std::isfinite(out.distance.element_type() == ElementType::f64
                             ? load<double>(out.distance, cell)
                             : static_cast<double>(load<float>(out.distance, cell)));
  if (!is_on_host(out.labels)) return false;
  const std::size_t element = size_of(out.labels.element_type());
  const auto differs = [&](const LabelBits& other) {
    return std::memcmp(address_of(out.labels, cell), other.bytes.data(), element) != 0;
  };
  return differs(problem.unreached) && (!problem.rule.nodata || differs(*problem.rule.nodata)) &&
         (!has_domain || differs(problem.nodata_label));
}

bool is_reached_somewhere(const Problem& problem, const ProblemViews& views) {
  constexpr std::int64_t kMostCells = 1024;
  const std::int64_t step = problem.cells() / kMostCells + 1;
  for (std::int64_t i = 0; i < problem.cells(); i += step)
    if (is_reached(problem, views.out, static_cast<bool>(views.domain), to_cell(problem.extent, i)))
      return true;
  return false;
}

/// Calls visit(class, count) for the classes of all cells, some of a row at a time, on all threads,
/// until it returns false.
template <class Visit>
void visit_classes(ContextState& state, const View<const void>& cells, const SiteRule& rule,
                   const Visit& visit) {
  constexpr std::int64_t kCellsAtOnce = 1 << 17;
  const std::int64_t height = cells.extent(1);
  const std::int64_t width = cells.extent(2);
  const CellReader reader(cells);
  std::atomic<bool> goes_on{true};
  const auto visit_row = [&](std::int64_t z, std::int64_t y) {
    ChunkBuffer buffer;
    std::array<std::uint8_t, kChunk> classes;
    for (std::int64_t x = 0; x < width && goes_on; x += kChunk) {
      const std::int64_t count = std::min(kChunk, width - x);
      classify(rule, reader.read(z, y, x, count, buffer), count, classes.data());
      for (const std::uint8_t own : {kFreeCell, kSiteCell, kNodataCell}) {
        const auto of_class = std::count(classes.begin(), classes.begin() + count, own);
        if (of_class > 0 && !visit(own, static_cast<std::int64_t>(of_class))) goes_on = false;
      }
    }
  };
  parallel_for(state, cells.extent(0) * height, kCellsAtOnce / width + 1, 0,
               [&](std::int64_t begin, std::int64_t end, int) {
                 for (std::int64_t row = begin; row < end && goes_on; ++row)
                   visit_row(row / height, row % height);
               });
}

const char* why_no_site(const SiteRule& rule) {
  if (rule.selection == SiteSelection::values) return "no cell holds one of the values";
  if (rule.selection == SiteSelection::all || rule.selection == SiteSelection::others)
    return "all cells are nodata";
  return rule.type == ElementType::boolean ? "all cells are false"
                                           : "all cells are 0, NaN or nodata";
}

}  // namespace

std::string_view name_of(WarningKind kind) noexcept {
  switch (kind) {
    case WarningKind::no_site:
      return "no_site";
    case WarningKind::ignored_sites:
      return "ignored_sites";
    case WarningKind::outside_of_grid:
      return "outside_of_grid";
    case WarningKind::same_place:
      return "same_place";
    case WarningKind::unreached_label:
      return "unreached_label";
    case WarningKind::no_free_cell:
      return "no_free_cell";
  }
  return "unknown";
}

void warn(ContextState& state, bool strict, Warning warning) {
  if (strict) refuse(warning.message + " (strict)");
  state.warnings.push_back(std::move(warning));
}

void warn_of_no_point(ContextState& state, bool strict, const WarnedPoints& points) {
  if (points.places.count > 0) return;
  warn(state, strict,
       {.kind = WarningKind::no_site,
        .count = 1,
        .message = "no site: the list of points is empty, so every cell is unreached"});
}

void warn_of_points_outside(ContextState& state, bool strict, const WarnedPoints& points,
                            const Problem& problem) {
  const auto [at, count, bits, centre] = points.places;
  if (count == 0 ||
      std::any_of(at, at + count, [&](const Axes& place) { return is_inside(place, problem); }))
    return;
  warn(state, strict,
       {.kind = WarningKind::outside_of_grid,
        .count = count,
        .message =
            (count == 1 ? "the only point lies" : "all " + std::to_string(count) + " points lie") +
            std::string(" outside of the grid")});
}

void warn_of_same_places(ContextState& state, bool strict, const WarnedPoints& points) {
  Warning found = find_same_places(state, points);
  if (found.count == 0) return;
  found.message = counted(found.count, "point lies", "points lie") +
                  " where an earlier one of another label does, so that no cell gets " +
                  (found.count == 1 ? "its label" : "their labels") + "; the first is points[" +
                  std::to_string(found.first) + "]";
  warn(state, strict, std::move(found));
}

void warn_of_unreached_labels(ContextState& state, bool strict, const WarnedPoints& points) {
  if (!points.labels) return;
  Warning found{.kind = WarningKind::unreached_label};
  for (std::int64_t i = 0; i < points.places.count; ++i) {
    if (std::memcmp(label_of(points, i), points.unreached.bytes.data(),
                    element_of(points.labels)) != 0)
      continue;
    if (found.count++ == 0) found.first = i;
  }
  if (found.count == 0) return;
  found.message = counted(found.count, "point has", "points have") +
                  " the label of unreached cells, the first is points[" +
                  std::to_string(found.first) + "]; another value of unreached tells them apart";
  warn(state, strict, std::move(found));
}

void warn_of_points(ContextState& state, bool strict, const Problem& problem,
                    const ProblemViews& views, const View<const void>& labels) {
  const bool seen = label_output(views.out) && labels.space() == MemorySpace::host;
  const WarnedPoints points{.places = views.points,
                            .labels = seen ? labels : View<const void>{},
                            .unreached = problem.unreached};
  warn_of_no_point(state, strict, points);
  if (views.points.at == nullptr) return;
  warn_of_points_outside(state, strict, points, problem);
  // A weight may let a later point win the place.
  const bool wants_places = views.out.labels || views.out.site_index;
  if (wants_places && !problem.has_weights()) warn_of_same_places(state, strict, points);
  warn_of_unreached_labels(state, strict, points);
}

bool has_sites(ContextState& state, const View<const void>& cells, const SiteRule& rule,
               std::int64_t but) {
  std::atomic<std::int64_t> sum{0};
  visit_classes(state, cells, rule, [&](std::uint8_t own, std::int64_t count) {
    return own != kSiteCell || (sum += count) <= but;
  });
  return sum > but;
}

bool needs_sites(const Problem& problem, const NearestSiteOutputs& out) {
  return problem.distance_to == DistanceTo::sites || wants_sites(out);
}

bool needs_free_cells(const Problem& problem) {
  return problem.rule.nodata && problem.distance_to != DistanceTo::boundary &&
         !problem.signed_distance && !problem.wants_extra_outputs();
}

void find_classes(ContextState& state, const View<const void>& cells, const SiteRule& rule,
                  FoundClasses& found) {
  std::array<std::atomic<bool>, std::tuple_size_v<FoundClasses>> own{};
  visit_classes(state, cells, rule, [&](std::uint8_t each, std::int64_t) {
    own[each] = true;
    return each != kFreeCell;
  });
  for (std::size_t each = 0; each < found.size(); ++each) found[each] = found[each] || own[each];
}

bool is_without_site(ContextState& state, const Problem& problem, const ProblemViews& views) {
  return !is_reached_somewhere(problem, views) && !has_sites(state, views.sites, problem.rule);
}

void warn_of_no_site(ContextState& state, bool strict, const SiteRule& rule, std::int64_t count,
                     std::int64_t first, std::int64_t rasters) {
  if (count == 0) return;
  const std::string where =
      rasters == 1 ? "no site: "
                   : std::to_string(count) + " of " + std::to_string(rasters) +
                         " rasters have no site, the first is " + std::to_string(first) + ": ";
  warn(state, strict,
       {.kind = WarningKind::no_site,
        .count = count,
        .first = first,
        .message = where + why_no_site(rule) + ", so every cell is unreached"});
}

void warn_of_no_free_cell(ContextState& state, bool strict, std::int64_t rasters) {
  const std::string where =
      rasters == 1 ? "" : " of any of " + std::to_string(rasters) + " rasters";
  warn(state, strict,
       {.kind = WarningKind::no_free_cell,
        .count = rasters,
        .message = "no free cell" + where +
                   ": all are sites or nodata, so that distances reach no other cell; with "
                   "free_nodata the nodata cells are the free ones"});
}

}  // namespace thiessen
