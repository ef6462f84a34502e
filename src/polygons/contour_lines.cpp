// SPDX-License-Identifier: Apache-2.0
//
// Marching squares in one sweep over all levels. The corners of a square are the centres of four
// cells. Levels are numbered, and the number of the last one at or below a cell, its rank, is all
// that decides where lines run: level k crosses the side between two cells if k is above the rank
// of the one, and not above that of the other. A side keeps the points in which levels cross it one
// after the other, so that the two squares that share it find them by the rank alone.
//
// In a square, clockwise, each run of corners below level k is cut off by a step from the side
// before it to the side after it; of a saddle, that are two runs. Each point has one step to the
// next at most, and one from the point before.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <string>
#include <utility>

#include "core/base/refuse.hpp"
#include "core/problem/call_checks.hpp"
#include "operations/checks/options.hpp"
#include "operations/rows/numbers.hpp"
#include "thiessen/contours.hpp"
#include "thiessen/error.hpp"
#include "threads/guarded.hpp"

namespace thiessen {
namespace contours {
namespace {

/// The numbered levels: multiples of an interval, or a list, whose first one is level 1.
class Levels {
 public:
  explicit Levels(const ContourOptions& options)
      : interval_(options.interval.value_or(0)), list_(options.levels) {
    std::sort(list_.begin(), list_.end());
    list_.erase(std::unique(list_.begin(), list_.end()), list_.end());
  }

  double level(std::int64_t number) const {
    return list_.empty() ? static_cast<double>(number) * interval_
                         : list_[static_cast<std::size_t>(number) - 1];
  }

  /// The number of the last level at or below a finite distance.
  std::int64_t rank(double distance) const {
    if (!list_.empty())
      return std::upper_bound(list_.begin(), list_.end(), distance) - list_.begin();
    constexpr double kMost = 4503599627370496;  // 2^52: numbers beyond have no neighbours
    const double quotient = std::floor(distance / interval_);
    if (!(std::abs(quotient) < kMost))
      refuse("interval", std::to_string(interval_),
             "the distance " + std::to_string(distance) + " has 2^52 of it or more");
    // The quotient is rounded, and may belong to the level before or after.
    auto number = static_cast<std::int64_t>(quotient);
    if (level(number) > distance) --number;
    if (level(number + 1) <= distance) ++number;
    return number;
  }

 private:
  double interval_;
  std::vector<double> list_;
};

/// A row of cells.
struct Row {
  static constexpr std::int64_t kNoRank = std::numeric_limits<std::int64_t>::min();

  std::vector<double> distances = {};
  std::vector<std::int64_t> ranks = {};  ///< kNoRank: the distance is not finite
};

template <class T>
void read_row(const View<const void>& distance, std::int64_t y, const Levels& levels, Row& row) {
  const std::byte* cell = distance.bytes() + y * distance.stride(0);
  row.distances.clear();
  row.ranks.clear();
  for (std::int64_t x = 0; x < distance.extent(1); ++x, cell += distance.stride(1)) {
    const auto value = static_cast<double>(*reinterpret_cast<const T*>(cell));
    row.distances.push_back(value);
    row.ranks.push_back(std::isfinite(value) ? levels.rank(value) : Row::kNoRank);
  }
}

/// A corner of a square.
struct Corner {
  std::int64_t y, x;
  double distance;
  std::int64_t rank;
};

constexpr std::int64_t kNone = -1;

/// The points of all lines, and the steps between them.
class Steps {
 public:
  explicit Steps(const Levels& levels) : levels_(levels) {}

  /// Adds the points in which levels cross a side, from the least level on. Returns the first.
  std::int64_t cross(const Corner& a, const Corner& b) {
    const auto first = static_cast<std::int64_t>(next_.size());
    const auto [least, greatest] = std::minmax(a.rank, b.rank);
    for (std::int64_t number = least + 1; number <= greatest; ++number) {
      const double share = (levels_.level(number) - a.distance) / (b.distance - a.distance);
      coordinates_.push_back(static_cast<double>(a.y) + (b.y > a.y ? share : 0));
      coordinates_.push_back(static_cast<double>(a.x) + (b.x > a.x ? share : 0));
      numbers_.push_back(number);
      next_.push_back(kNone);
      has_before_.push_back(false);
    }
    return first;
  }

  void join(std::int64_t from, std::int64_t to) {
    next_[static_cast<std::size_t>(from)] = to;
    has_before_[static_cast<std::size_t>(to)] = true;
  }

  Contours collect_lines() const {
    Contours contours;
    for (const std::size_t start : starts()) {
      contours.points.push_back(static_cast<std::int64_t>(contours.coordinates.size()) / 2);
      if (append_line(start, contours.coordinates))
        contours.levels.push_back(levels_.level(numbers_[start]));
      else
        contours.points.pop_back();
    }
    contours.points.push_back(static_cast<std::int64_t>(contours.coordinates.size()) / 2);
    return contours;
  }

 private:
  /// A point of each line: by level, then those of lines with ends, then in the order of the sweep.
  std::vector<std::size_t> starts() const {
    std::vector<std::size_t> starts;
    std::vector<bool> taken(next_.size(), false);
    for (const bool with_ends : {true, false})
      for (std::size_t i = 0; i < next_.size(); ++i) {
        if (taken[i] || (with_ends && has_before_[i])) continue;
        starts.push_back(i);
        for (auto at = static_cast<std::int64_t>(i);
             at != kNone && !taken[static_cast<std::size_t>(at)];
             at = next_[static_cast<std::size_t>(at)])
          taken[static_cast<std::size_t>(at)] = true;
      }
    std::stable_sort(starts.begin(), starts.end(),
                     [this](std::size_t a, std::size_t b) { return numbers_[a] < numbers_[b]; });
    return starts;
  }

  /// Appends the points of a line, none of them twice in a row, which happens where a level is the
  /// distance of a cell. Returns false, and appends nothing, if there is only one.
  bool append_line(std::size_t start, std::vector<double>& coordinates) const {
    const std::size_t begin = coordinates.size();
    for (std::size_t at = start;;) {
      const double y = coordinates_[2 * at], x = coordinates_[2 * at + 1];
      const std::size_t end = coordinates.size();
      if (end == begin || coordinates[end - 2] != y || coordinates[end - 1] != x)
        coordinates.insert(coordinates.end(), {y, x});
      const bool closes = at == start && end > begin;
      if (closes || next_[at] == kNone) break;
      at = static_cast<std::size_t>(next_[at]);
    }
    if (coordinates.size() > begin + 2) return true;
    coordinates.resize(begin);
    return false;
  }

  const Levels& levels_;
  std::vector<double> coordinates_;
  std::vector<std::int64_t> numbers_;  ///< of the levels
  std::vector<std::int64_t> next_;
  std::vector<bool> has_before_;
};

/// Takes the rows of squares from above to below.
class Sweep {
 public:
  Sweep(std::int64_t width, Steps& steps)
      : steps_(steps), above_(static_cast<std::size_t>(width), kNone) {}

  void cross_row(std::int64_t y, const Row& upper, const Row& lower) {
    std::int64_t left = kNone;
    for (std::size_t x = 0; x + 1 < above_.size(); ++x) {
      const std::int64_t rank = upper.ranks[x];
      const bool is_plain = rank == upper.ranks[x + 1] && rank == lower.ranks[x] &&
                            rank == lower.ranks[x + 1] && rank != Row::kNoRank;
      if (is_plain) {  // sides without points have no first one that anybody asks for
        left = above_[x] = 0;
        continue;
      }
      const auto corner = [&](const Row& row, std::int64_t down, std::size_t right) {
        return Corner{y + down, static_cast<std::int64_t>(x + right), row.distances[x + right],
                      row.ranks[x + right]};
      };
      // Clockwise: side k runs from corner k to the next.
      const std::array<Corner, 4> corners{corner(upper, 0, 0), corner(upper, 0, 1),
                                          corner(lower, 1, 1), corner(lower, 1, 0)};
      left = cross_square(corners, left, above_[x]);
    }
  }

 private:
  /// Crosses a square. `left` and `above` are the first points on those sides, or kNone if no
  /// square before had them; `above` becomes that below. Returns that on the right.
  std::int64_t cross_square(const std::array<Corner, 4>& corners, std::int64_t left,
                            std::int64_t& above) {
    std::int64_t least = corners[0].rank, greatest = least;
    for (const Corner& corner : corners) {
      least = std::min(least, corner.rank);
      greatest = std::max(greatest, corner.rank);
    }
    if (least == Row::kNoRank) {
      above = kNone;
      return kNone;
    }
    // Points are found from the upper or left end of a side, whichever square comes first.
    const auto& [a, b, c, d] = corners;
    const std::array<std::int64_t, 4> first{above != kNone ? above : steps_.cross(a, b),
                                            steps_.cross(b, c), steps_.cross(d, c),
                                            left != kNone ? left : steps_.cross(a, d)};
    for (std::int64_t number = least + 1; number <= greatest; ++number)
      join_level(corners, first, number);
    above = first[2];
    return first[1];
  }

  void join_level(const std::array<Corner, 4>& corners, const std::array<std::int64_t, 4>& first,
                  std::int64_t number) {
    const auto is_below = [&](std::size_t corner) { return corners[corner % 4].rank < number; };
    const auto point = [&](std::size_t side) {
      const std::int64_t least = std::min(corners[side].rank, corners[(side + 1) % 4].rank);
      return first[side] + number - least - 1;
    };
    for (std::size_t last = 0; last < 4; ++last) {
      if (!is_below(last) || is_below(last + 1)) continue;
      std::size_t before = (last + 3) % 4;
      while (is_below(before)) before = (before + 3) % 4;
      steps_.join(point(before), point(last));
    }
  }

  Steps& steps_;
  std::vector<std::int64_t> above_;
};

std::string six_digits(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", number);
  return text.data();
}

/// Throws unless the multiples of the interval between the finite distances are few enough.
template <class T>
void check_interval(const View<const void>& distance, double interval, const Levels& levels) {
  double least = std::numeric_limits<double>::infinity(), greatest = -least;
  for (std::int64_t y = 0; y < distance.extent(0); ++y) {
    const std::byte* cell = distance.bytes() + y * distance.stride(0);
    for (std::int64_t x = 0; x < distance.extent(1); ++x, cell += distance.stride(1)) {
      const auto value = static_cast<double>(*reinterpret_cast<const T*>(cell));
      if (!std::isfinite(value)) continue;
      least = std::min(least, value);
      greatest = std::max(greatest, value);
    }
  }
  if (least < greatest && levels.rank(greatest) - levels.rank(least) > kMostContourLevels)
    refuse("interval = " + six_digits(interval) + ": distances up to " + six_digits(greatest) +
           " have more than " + std::to_string(kMostContourLevels) + " of it; give a longer one");
}

template <class T>
Contours find_lines(ContextState& state, const View<const void>& distance,
                    const ContourOptions& options) {
  const Levels levels(options);
  if (options.interval) check_interval<T>(distance, *options.interval, levels);
  const std::int64_t height = distance.extent(0), width = distance.extent(1);
  Steps steps(levels);
  Sweep sweep(width, steps);
  Row upper, lower;
  state.progress.begin(height * width);
  for (std::int64_t y = 0; y < height; ++y, state.progress.advance(width)) {
    state.progress.check();
    read_row<T>(distance, y, levels, lower);
    if (y > 0) sweep.cross_row(y - 1, upper, lower);
    std::swap(upper, lower);
  }
  return steps.collect_lines();
}

void check_contours(const View<const void>& distance, const ContourOptions& options,
                    const ReachableMemory& reachable) {
  check_aligned_cells("distance", distance, reachable);
  check_distance_type({"distance", distance});
  if (distance.rank() != 2)
    refuse("distance", "has " + std::to_string(distance.rank()) + " axes; must have 2");
  if (distance.space() != MemorySpace::host)
    throw Error(ErrorCode::unsupported, "distance lies on a device; lines are found on the host");
  if (options.interval.has_value() == !options.levels.empty())
    refuse("interval and levels: one of the two must be given");
  if (static_cast<std::int64_t>(options.levels.size()) > kMostContourLevels)
    refuse("levels", "has " + std::to_string(options.levels.size()) +
                         " values; must have at most " + std::to_string(kMostContourLevels));
  check_options(kContourLines.fields, &options, 2);
}

}  // namespace
}  // namespace contours

Contours contour_lines(Context& context, View<const void> distance, const ContourOptions& options) {
  ContextState& state = context.state();
  return guarded(state, [&] {
    contours::check_contours(distance, options, ReachableMemory(state));
    return distance.element_type() == ElementType::f64
               ? contours::find_lines<double>(state, distance, options)
               : contours::find_lines<float>(state, distance, options);
  });
}

}  // namespace thiessen
