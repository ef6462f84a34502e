// SPDX-License-Identifier: Apache-2.0
//
// Converts the map row by row and keeps the first illegal cell; counts the sites, then lists them.
#include "core/cost/inputs.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "core/base/cell_access.hpp"
#include "core/base/first_found.hpp"
#include "core/base/refuse.hpp"
#include "core/cost/neighbours.hpp"
#include "core/problem/point_cell.hpp"
#include "operations/rows/numbers.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen {
namespace {

/// The result of converting a piece of a row of the map.
struct Converted {
  bool changed = false;               ///< it differs from the bytes of the source
  std::int64_t illegal = kNoneFound;  ///< first illegal cell of the piece
};

/// The same for values that have the type already and are plain: not negative, not infinite, not
/// NaN, not too great. Returns false and changes nothing if one is not plain.
template <class T>
bool convert_plain_cells(const T* values, std::int64_t count, bool stiffness, T* out,
                         Converted& result) {
  using Flag = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  constexpr T kMost = std::numeric_limits<T>::max() / 4;
  const T least = stiffness ? std::numeric_limits<T>::denorm_min() : T{0};
  Flag others = 0;
  Flag barriers = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    others |= static_cast<Flag>(!(values[i] >= 0)) | static_cast<Flag>(!(values[i] <= kMost));
    barriers |= static_cast<Flag>(!(values[i] >= least));
  }
  if (others != 0) return false;
  result.changed = barriers != 0;
  for (std::int64_t i = 0; i < count && out != nullptr; ++i)
    out[i] = values[i] >= least ? values[i] : std::numeric_limits<T>::quiet_NaN();
  return true;
}

/// Converts values of a row into resistances. If the source has the type already and `out` is null,
/// it only says whether it would change anything that matters.
template <class T, class Value>
Converted convert_cells(const Value* values, const std::uint8_t* classes, std::int64_t count,
                        bool stiffness, T* out) {
  Converted result;
  if constexpr (std::is_same_v<T, Value>)
    if (classes == nullptr && convert_plain_cells(values, count, stiffness, out, result))
      return result;
  bool legal = true;
  bool changed = false;
  const auto convert = [&](auto store, auto is_nodata) {
    for (std::int64_t i = 0; i < count; ++i) {
      Resistance<T> r = to_resistance<T>(values[i], stiffness);
      if (is_nodata(i)) r = {std::numeric_limits<T>::quiet_NaN(), true};
      legal &= r.legal;
      if constexpr (std::is_same_v<T, Value>)
        changed |= is_passable(values[i]) && !is_passable(r.value);
      store(i, r.value);
    }
  };
  const auto into_out = [&](std::int64_t i, T value) { out[i] = value; };
  if (classes != nullptr)
    convert(
        [&](std::int64_t i, T value) {
          if (out != nullptr) out[i] = value;
        },
        [&](std::int64_t i) { return classes[i] == kNodataCell; });
  else if (out != nullptr)
    convert(into_out, [](std::int64_t) { return false; });
  else
    convert([](std::int64_t, T) {}, [](std::int64_t) { return false; });
  result.changed = changed;
  if (legal) return result;
  for (std::int64_t i = 0; i < count && result.illegal == kNoneFound; ++i)
    if (!to_resistance<T>(values[i], stiffness).legal &&
        (classes == nullptr || classes[i] != kNodataCell))
      result.illegal = i;
  return result;
}

/// Goes through the map, row by row.
template <class T>
class MapLoader {
 public:
  MapLoader(const CostProblem& problem, const View<const void>& map)
      : problem_(problem), reader_(map), map_(map) {
    if (problem.nodata) nodata_.nodata = problem.nodata;
    nodata_.type = map.element_type();
  }

  /// Converts the rows begin..end-1; returns whether anything changed.
  bool convert_rows(std::int64_t begin, std::int64_t end, T* out) {
    bool changed = false;
    ChunkBuffer buffer;
    std::array<std::uint8_t, kChunk> classes;
    const std::int64_t width = problem_.extent[2];
    for (std::int64_t row = begin; row < end; ++row)
      for (std::int64_t x = 0; x < width; x += kChunk) {
        const std::int64_t count = std::min(kChunk, width - x);
        const std::byte* values =
            reader_.read(row / problem_.extent[1], row % problem_.extent[1], x, count, buffer);
        if (problem_.nodata) classify(nodata_, values, count, classes.data());
        const std::int64_t first = row * width + x;
        const Converted result =
            visit_element_type(map_.element_type(), [&]<class Value>(std::type_identity<Value>) {
              return convert_cells<T>(reinterpret_cast<const Value*>(values),
                                      problem_.nodata ? classes.data() : nullptr, count,
                                      problem_.edge_weight == EdgeWeight::stiffness,
                                      out == nullptr ? nullptr : out + first);
            });
        changed |= result.changed;
        if (result.illegal != kNoneFound) illegal_.report(first + result.illegal);
      }
    return changed;
  }

  void refuse_illegal(const char* name) const {
    if (!illegal_.any()) return;
    const Axes cell = to_cell(problem_.extent, illegal_.index());
    refuse_map(problem_, illegal_.index(), address_of(map_, cell), map_.element_type(), name);
  }

 private:
  const CostProblem& problem_;
  CellReader reader_;
  View<const void> map_;
  SiteRule nodata_;
  FirstFound illegal_;
};

/// The cells of a raster that are sites, row by row: first counted, then listed.
class RasterSites {
 public:
  RasterSites(const CostProblem& problem, const View<const void>& sites)
      : problem_(problem), reader_(sites) {}

  /// Calls visit(linear index, address of the value) for each site of a row.
  template <class Visit>
  void for_each(std::int64_t row, const Visit& visit) const {
    ChunkBuffer buffer;
    std::array<std::uint8_t, kChunk> classes;
    const std::int64_t width = problem_.extent[2];
    const auto element = static_cast<std::int64_t>(size_of(reader_.element_type()));
    for (std::int64_t x = 0; x < width; x += kChunk) {
      const std::int64_t count = std::min(kChunk, width - x);
      const std::byte* values =
          reader_.read(row / problem_.extent[1], row % problem_.extent[1], x, count, buffer);
      classify(problem_.rule, values, count, classes.data());
      for (std::int64_t i = 0; i < count; ++i) {
        i += skip_free(classes.data() + i, count - i);
        if (i < count && classes[static_cast<std::size_t>(i)] == kSiteCell)
          visit(row * width + x + i, values + i * element);
      }
    }
  }

 private:
  /// The number of cells from here on that are free, in eights.
  static std::int64_t skip_free(const std::uint8_t* classes, std::int64_t count) {
    std::int64_t i = 0;
    for (std::uint64_t eight = 0; i + 8 <= count; i += 8) {
      std::memcpy(&eight, classes + i, sizeof eight);
      if (eight != 0) break;
    }
    return i;
  }

  const CostProblem& problem_;
  CellReader reader_;
};

/// Checks that ranks can hold the number of sites.
void check_count(std::int64_t count) {
  if (count >= std::int64_t{kNoRank})
    throw Error(ErrorCode::unsupported,
                {"sites",
                 {},
                 "are " + std::to_string(count) + "; cost distance takes fewer than 2^32 - 1"});
}

/// Arrays of sites that are being filled.
template <class T>
struct SiteArrays {
  std::int64_t* cell;
  T* initial;
  std::byte* label;
};

template <class T>
SiteArrays<T> make_arrays(const CostProblem& problem, const CostViews& views, std::int64_t count,
                          Scratch::Frame& scratch) {
  const bool labelled = views.labels && (views.out.labels || problem.wants_other_labels);
  const auto element =
      labelled ? static_cast<std::int64_t>(size_of(views.labels.element_type())) : 0;
  return {scratch.array<std::int64_t>(count),
          views.initial_cost ? scratch.array<T>(count) : nullptr,
          labelled ? scratch.array<std::byte>(count * element) : nullptr};
}

template <class T>
CostSites<T> list_raster(const CostProblem& problem, const CostViews& views, const Loop& loop,
                         Scratch::Frame& scratch) {
  const RasterSites raster(problem, views.sites);
  const std::int64_t rows = problem.extent[0] * problem.extent[1];
  auto* const first = scratch.array<std::int64_t>(rows + 1);  // rank of the first site of a row
  loop(rows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      first[row + 1] = 0;
      raster.for_each(row, [&](std::int64_t, const std::byte*) { ++first[row + 1]; });
    }
  });
  first[0] = 0;
  for (std::int64_t row = 0; row < rows; ++row) first[row + 1] += first[row];
  const std::int64_t count = first[rows];
  check_count(count);
  const SiteArrays<T> arrays = make_arrays<T>(problem, views, count, scratch);
  const std::size_t element = size_of(views.sites.element_type());
  loop(rows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      std::int64_t rank = first[row];
      raster.for_each(row, [&](std::int64_t index, const std::byte* value) {
        // There may be more or fewer than were counted, if somebody writes to the raster meanwhile.
        if (rank == first[row + 1]) return;
        arrays.cell[rank] = index;
        if (arrays.label != nullptr)
          std::memcpy(arrays.label + static_cast<std::size_t>(rank) * element, value, element);
        if (arrays.initial != nullptr)
          arrays.initial[rank] = checked_initial<T>(
              load_float(address_of(views.initial_cost, to_cell(problem.extent, index)),
                         views.initial_cost.element_type()),
              cell_text(problem, index));
        ++rank;
      });
      std::fill(arrays.cell + rank, arrays.cell + first[row + 1], kNoCell);
    }
  });
  return {.count = count,
          .cell = arrays.cell,
          .initial = arrays.initial,
          .label = arrays.label,
          .by_cell = true};
}

template <class T>
CostSites<T> list_points(const CostProblem& problem, const CostViews& views,
                         Scratch::Frame& scratch) {
  const std::int64_t count = views.points.extent(0);
  check_count(count);
  const PointSites points = snap_points(views.points, scratch.array<Axes>(count));
  const SiteArrays<T> arrays = make_arrays<T>(problem, views, count, scratch);
  const View<const void>& costs = views.initial_cost;
  for (std::int64_t i = 0; i < count; ++i) {
    arrays.cell[i] = cell_of_point(problem.extent, points, i, problem.origin, problem.periodic);
    if (arrays.label != nullptr) {
      const std::size_t element = size_of(views.labels.element_type());
      std::memcpy(arrays.label + static_cast<std::size_t>(i) * element,
                  views.labels.bytes() + i * views.labels.stride(0), element);
    }
    if (arrays.initial != nullptr)
      arrays.initial[i] = checked_initial<T>(
          load_float(costs.bytes() + i * costs.stride(0), costs.element_type()), std::to_string(i));
  }
  return {.count = count,
          .cell = arrays.cell,
          .initial = arrays.initial,
          .label = arrays.label,
          .by_cell = false};
}

}  // namespace

std::int64_t cell_of_point(const Axes& extent, const PointSites& points, std::int64_t point,
                           const Axes& origin, const std::array<bool, kAxes>& periodic) {
  Axes cell = points.at[point];
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    cell[axis] = cell_of_place(cell[axis], points.fraction_bits) - origin[axis];
    if (periodic[axis]) cell[axis] = (cell[axis] % extent[axis] + extent[axis]) % extent[axis];
    if (cell[axis] < 0 || cell[axis] >= extent[axis]) return kNoCell;
  }
  return to_index(extent, cell);
}

std::array<double, kAxes> offset_in_cell(const CostProblem& problem, const PointSites& points,
                                         std::int64_t point, std::int64_t cell) {
  std::array<double, kAxes> offset{};
  if (cell == kNoCell || cell != cell_of_point(problem.extent, points, point, problem.origin))
    return offset;
  const double unit = std::ldexp(1.0, -points.fraction_bits);
  const Axes at = to_cell(problem.extent, cell);
  for (auto axis = static_cast<std::size_t>(kAxes - problem.rank); axis < kAxes; ++axis) {
    const std::int64_t centre = (at[axis] + problem.origin[axis]) << points.fraction_bits;
    offset[axis] = static_cast<double>(points.at[point][axis] - centre) * unit;
  }
  return offset;
}

const std::array<double, kAxes>* site_offsets(const CostProblem& problem,
                                              const View<const void>& points,
                                              const std::int64_t* cells, std::int64_t count,
                                              Scratch::Frame& scratch) {
  auto* const offsets = scratch.array<std::array<double, kAxes>>(count);
  const PointSites snapped = snap_points(points, scratch.array<Axes>(count));
  if (snapped.fraction_bits == 0) return nullptr;
  for (std::int64_t i = 0; i < count; ++i)
    offsets[i] = offset_in_cell(problem, snapped, i, cells[i]);
  return offsets;
}

double load_float(const std::byte* address, ElementType type) {
  if (type == ElementType::f64) {
    double value;
    std::memcpy(&value, address, sizeof value);
    return value;
  }
  float value;
  std::memcpy(&value, address, sizeof value);
  return value;
}

template <class T>
T checked_initial(double value, const std::string& site) {
  if (!(value >= 0) || value > static_cast<double>(std::numeric_limits<T>::max()) / 4)
    refuse("initial_cost of site " + site + " = " + shortest_decimal(value) +
           "; must be >= 0 and at most a quarter of the greatest float");
  return static_cast<T>(value) + T{0};  // never -0
}
template float checked_initial(double, const std::string&);
template double checked_initial(double, const std::string&);

std::string cell_text(const CostProblem& problem, std::int64_t index) {
  const Axes own = to_cell(problem.extent, index);
  const Axes cell{own[0] + problem.origin[0], own[1] + problem.origin[1],
                  own[2] + problem.origin[2]};
  const std::string plane = problem.rank == 3 ? std::to_string(cell[0]) + ", " : "";
  return "[" + plane + std::to_string(cell[1]) + ", " + std::to_string(cell[2]) + "]";
}

void refuse_map(const CostProblem& problem, std::int64_t cell, const std::byte* value,
                ElementType type, const char* name) {
  const double own = visit_element_type(type, [&]<class Value>(std::type_identity<Value>) {
    Value of_type;
    std::memcpy(&of_type, value, sizeof of_type);
    return static_cast<double>(of_type);
  });
  const bool stiffness = problem.edge_weight == EdgeWeight::stiffness;
  refuse(name + cell_text(problem, cell), shortest_decimal(own),
         std::string(stiffness ? "a stiffness must be >= 0, finite" : "a cost must be >= 0") +
             " and at most a quarter of the greatest float");
}

void ignore_site(const CostProblem& problem, std::int64_t cell, std::int64_t rank,
                 CostDistanceReport& report) {
  const bool by_cell = !problem.point_sites;
  if (problem.strict)
    refuse("site " + (by_cell ? cell_text(problem, cell) : std::to_string(rank)) +
           (cell == kNoCell ? " lies outside of the raster" : " lies on a barrier") +
           "; strict sites must not");
  if (report.ignored_sites++ == 0) report.first_ignored_site = by_cell ? cell : rank;
}

Warning ignored_sites(const CostDistanceReport& report) {
  const std::int64_t count = report.ignored_sites;
  return {.kind = WarningKind::ignored_sites,
          .count = count,
          .first = report.first_ignored_site,
          .message = std::to_string(count) + (count == 1 ? " site" : " sites") +
                     " on barriers or outside of the map " + (count == 1 ? "is" : "are") +
                     " ignored, the first with the index " +
                     std::to_string(report.first_ignored_site)};
}

Warning no_site_left(const CostDistanceReport& report) {
  return {.kind = WarningKind::no_site,
          .count = 1,
          .message =
              "no site: " +
              (report.ignored_sites == 1 ? "the only one is"
                                         : "all " + std::to_string(report.ignored_sites) + " are") +
              std::string(" ignored, so every cell is unreached")};
}

template <class T>
const T* load_map(const CostProblem& problem, const View<const void>& map, const Loop& loop,
                  Scratch::Frame& scratch, const char* name) {
  MapLoader<T> loader(problem, map);
  const std::int64_t rows = problem.extent[0] * problem.extent[1];
  const bool aligned = reinterpret_cast<std::uintptr_t>(map.bytes()) % alignof(T) == 0;
  const bool as_it_is =
      map.element_type() == detail::element_type_of<T>() && is_packed(map) && aligned;
  T* resistance = as_it_is ? nullptr : scratch.array<T>(problem.cells());
  std::atomic<bool> changed{false};
  const auto convert = [&](std::int64_t begin, std::int64_t end) {
    if (loader.convert_rows(begin, end, resistance)) changed = true;
  };
  loop(rows, convert);
  loader.refuse_illegal(name);
  if (!as_it_is) return resistance;
  if (!changed) return reinterpret_cast<const T*>(map.bytes());
  resistance = scratch.array<T>(problem.cells());
  loop(rows, convert);
  return resistance;
}

template <class T>
CostSites<T> list_sites(const CostProblem& problem, const CostViews& views, const Loop& loop,
                        Scratch::Frame& scratch) {
  return problem.point_sites ? list_points<T>(problem, views, scratch)
                             : list_raster<T>(problem, views, loop, scratch);
}

namespace {

/// Cells begin … end-1 along each axis; beyond the ends of a periodic axis they go on at its other
/// end.
struct CellBox {
  Axes begin{}, end{};
};

/// The cells that lie at most so far from a cell along each axis.
CellBox box_around(const CostProblem& problem, const Axes& cell, double reach) {
  constexpr double kMostCells = 1e9;
  CellBox box;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const auto cells =
        static_cast<std::int64_t>(std::min(reach / problem.spacing[axis], kMostCells));
    const std::int64_t half = problem.extent[axis] / 2;
    const bool joins = problem.periodic[axis];
    box.begin[axis] = std::max(cell[axis] - cells, joins ? cell[axis] - half : 0);
    box.end[axis] =
        std::min(cell[axis] + cells + 1, joins ? cell[axis] + half + 1 : problem.extent[axis]);
  }
  return box;
}

double squared_length(const CostProblem& problem, const Axes& from, const Axes& to) {
  double square = 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const double along = static_cast<double>(to[axis] - from[axis]) * problem.spacing[axis];
    square += along * along;
  }
  return square;
}

/// The nearest cell of a box that is no barrier and lies within reach, the first of several.
template <class T>
std::int64_t nearest_open_in(const CostProblem& problem, const T* resistance, const Axes& from,
                             const CellBox& box, double reach) {
  double least = reach * reach;
  std::int64_t nearest = kNoCell;
  const auto look = [&](const Axes& at) {
    const std::int64_t cell = to_joined_index(problem.extent, at);
    if (!is_passable(resistance[cell])) return;
    const double square = squared_length(problem, from, at);
    if (square > least || (square == least && nearest != kNoCell && nearest < cell)) return;
    least = square;
    nearest = cell;
  };
  for (std::int64_t z = box.begin[0]; z < box.end[0]; ++z)
    for (std::int64_t y = box.begin[1]; y < box.end[1]; ++y)
      for (std::int64_t x = box.begin[2]; x < box.end[2]; ++x) look({z, y, x});
  return nearest;
}

/// The nearest cell that is no barrier, the first of several; kNoCell if all lie beyond the limit.
/// Looks twice as far each time, so that the time depends on how far it is.
template <class T>
std::int64_t nearest_open(const CostProblem& problem, const T* resistance, std::int64_t cell) {
  const Axes from = to_cell(problem.extent, cell);
  double reach = *std::ranges::max_element(problem.spacing);
  for (;;) {
    reach = std::min(reach, problem.snap_distance);
    const CellBox box = box_around(problem, from, reach);
    const std::int64_t nearest = nearest_open_in(problem, resistance, from, box, reach);
    if (nearest != kNoCell || reach == problem.snap_distance) return nearest;
    bool holds_all = true;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      holds_all &= box.end[axis] - box.begin[axis] >= problem.extent[axis];
    reach = holds_all ? problem.snap_distance : 2 * reach;
  }
}

}  // namespace

template <class T>
CostSites<T> load_sites(const CostProblem& problem, const CostViews& views, const T* resistance,
                        const Loop& loop, Scratch::Frame& scratch, CostDistanceReport& report) {
  const CostSites<T> sites = list_sites<T>(problem, views, loop, scratch);
  auto* const cell = const_cast<std::int64_t*>(sites.cell);  // our own, from the scratch
  for (std::int64_t rank = 0; rank < sites.count; ++rank) {
    const std::int64_t own = cell[rank];
    if (own != kNoCell && is_passable(resistance[own])) continue;
    const bool may_move = own != kNoCell && problem.snap_distance > 0;
    cell[rank] = may_move ? nearest_open(problem, resistance, own) : kNoCell;
    if (cell[rank] == kNoCell)
      ignore_site(problem, own, rank, report);
    else
      ++report.moved_sites;
  }
  return sites;
}

template const float* load_map(const CostProblem&, const View<const void>&, const Loop&,
                               Scratch::Frame&, const char*);
template const double* load_map(const CostProblem&, const View<const void>&, const Loop&,
                                Scratch::Frame&, const char*);
template CostSites<float> list_sites(const CostProblem&, const CostViews&, const Loop&,
                                     Scratch::Frame&);
template CostSites<double> list_sites(const CostProblem&, const CostViews&, const Loop&,
                                      Scratch::Frame&);
template CostSites<float> load_sites(const CostProblem&, const CostViews&, const float*,
                                     const Loop&, Scratch::Frame&, CostDistanceReport&);
template CostSites<double> load_sites(const CostProblem&, const CostViews&, const double*,
                                      const Loop&, Scratch::Frame&, CostDistanceReport&);

}  // namespace thiessen
