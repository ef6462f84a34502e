// SPDX-License-Identifier: Apache-2.0
#include "cpu/cost/eikonal/starts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

namespace thiessen::cpu::eikonal {
namespace {

/// A part of a line in one cell.
struct Part {
  Axes cell;  ///< from that of the site
  double length;
};

/// The ways from face to face where a line goes through an edge or a corner: one must be open.
using Ways = std::vector<std::vector<Axes>>;

struct Line {
  Axes to{};
  double length = 0;
  std::vector<Part> parts;
  std::vector<Ways> turns;
};

/// The cells between two that differ by one along some axes, for each order of these.
Ways ways_between(const Axes& from, const Axes& to) {
  std::vector<std::size_t> axes;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    if (from[axis] != to[axis]) axes.push_back(axis);
  Ways ways;
  do {
    Axes at = from;
    std::vector<Axes> way;
    for (std::size_t i = 0; i + 1 < axes.size(); ++i) {
      at[axes[i]] = to[axes[i]];
      way.push_back(at);
    }
    ways.push_back(std::move(way));
  } while (std::next_permutation(axes.begin(), axes.end()));
  return ways;
}

/// The straight line from the centre of a cell to that of another one. It crosses faces along an
/// axis at (2j − 1) / 2|d|, which are fractions with one denominator.
Line line_to(const Axes& to, double length) {
  Line line;
  line.to = to;
  line.length = length;
  Axes way{}, crossed{}, at{};
  std::int64_t denominator = 2;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    way[axis] = std::abs(to[axis]);
    denominator *= std::max<std::int64_t>(way[axis], 1);
  }
  const auto next_along = [&](std::size_t axis) {
    if (crossed[axis] == way[axis]) return denominator;
    return (2 * crossed[axis] + 1) * (denominator / (2 * way[axis]));
  };
  for (std::int64_t last = 0;;) {
    std::int64_t next = denominator;
    for (std::size_t axis = 0; axis < kAxes; ++axis) next = std::min(next, next_along(axis));
    line.parts.push_back(
        {at, length * (static_cast<double>(next - last) / static_cast<double>(denominator))});
    if (next == denominator) return line;
    const Axes from = at;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      if (next_along(axis) != next) continue;
      at[axis] += to[axis] > 0 ? 1 : -1;
      ++crossed[axis];
    }
    if (Ways ways = ways_between(from, at); ways.size() > 1) line.turns.push_back(std::move(ways));
    last = next;
  }
}

/// The lines to all cells within a radius, the shortest first.
std::vector<Line> lines_around(const Ground& ground, double radius) {
  double widest = 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    if (ground.extent[axis] > 1) widest = std::max(widest, ground.spacing[axis]);
  Axes reach{};
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    if (ground.extent[axis] > 1)
      reach[axis] = static_cast<std::int64_t>(radius * widest / ground.spacing[axis]);
  std::vector<Line> lines;
  for (std::int64_t z = -reach[0]; z <= reach[0]; ++z)
    for (std::int64_t y = -reach[1]; y <= reach[1]; ++y)
      for (std::int64_t x = -reach[2]; x <= reach[2]; ++x) {
        const Axes to{z, y, x};
        double square = 0;
        for (std::size_t axis = 0; axis < kAxes; ++axis) {
          const double along = static_cast<double>(to[axis]) * ground.spacing[axis];
          square += along * along;
        }
        if (square > 0 && square <= radius * widest * (radius * widest))
          lines.push_back(line_to(to, std::sqrt(square)));
      }
  std::ranges::stable_sort(lines, {}, &Line::length);
  return lines;
}

class Starts {
 public:
  Starts(const Ground& ground, const PlacedSites& sites, const Answers& answers)
      : ground_(ground), sites_(sites), answers_(answers) {}

  void add(Rank rank, const std::vector<Line>& lines) {
    const std::int64_t cell = sites_.list.cell[rank];
    if (cell == kNoCell) return;
    const Axes site = to_cell(ground_.extent, cell);
    const double initial = sites_.list.initial_of(rank);
    const Way own = way_to({}, rank);
    give(cell, initial + (own.length == 0 ? 0 : own.length * ground_.cost_of(cell)), rank, own);
    for (const Line& line : lines) {
      if (!is_inside(site, line.to)) continue;
      double cost = cost_along(line, site);
      if (!(cost < kInfinity)) continue;
      const Way way = way_to(line.to, rank);
      if (sites_.offset != nullptr) cost *= way.length / line.length;
      give(cell_at(site, line.to), initial + cost, rank, way);
    }
  }

 private:
  struct Way {
    double length = 0;
    std::array<float, kAxes> direction{};
  };

  /// From a site to the centre of a cell.
  Way way_to(const Axes& to, Rank rank) const {
    Way way;
    std::array<double, kAxes> along{};
    double square = 0;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      const double offset = sites_.offset == nullptr ? 0 : sites_.offset[rank][axis];
      along[axis] = (static_cast<double>(to[axis]) - offset) * ground_.spacing[axis];
      square += along[axis] * along[axis];
    }
    way.length = std::sqrt(square);
    for (std::size_t axis = 0; axis < kAxes && way.length > 0; ++axis)
      way.direction[axis] = static_cast<float>(along[axis] / way.length);
    return way;
  }

  bool is_inside(const Axes& site, const Axes& to) const {
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      if (site[axis] + to[axis] < 0 || site[axis] + to[axis] >= ground_.extent[axis]) return false;
    return true;
  }

  std::int64_t cell_at(const Axes& site, const Axes& to) const {
    return to_index(ground_.extent, {site[0] + to[0], site[1] + to[1], site[2] + to[2]});
  }

  double cost_along(const Line& line, const Axes& site) const {
    double sum = 0;
    for (const Part& part : line.parts) {
      const double cost = ground_.cost_of(cell_at(site, part.cell));
      if (!(cost < kInfinity)) return kInfinity;
      sum += part.length * cost;
    }
    const auto is_open = [&](const Axes& cell) {
      return ground_.cost_of(cell_at(site, cell)) < kInfinity;
    };
    const bool passes = std::ranges::all_of(line.turns, [&](const Ways& ways) {
      return std::ranges::any_of(
          ways, [&](const auto& way) { return std::ranges::all_of(way, is_open); });
    });
    return passes ? sum : kInfinity;
  }

  void give(std::int64_t cell, double cost, Rank rank, const Way& way) const {
    CellWord& word = answers_.word[cell];
    const bool ties = cost == answers_.cost[cell];
    if (!(cost < answers_.cost[cell]) && !(ties && rank < rank_of(word))) return;
    answers_.cost[cell] = cost;
    word = word_of_rank(rank) | (way.length > 0 ? 0 : kHasNoDirection);
    if (!answers_.has_sites()) return;
    const auto& [z, y, x] = way.direction;
    answers_.direction[0][cell] =
        ground_.rank == 2 ? Answers::two_floats(y, x) : Answers::two_floats(z, y);
    if (ground_.rank == 3) answers_.direction[1][cell] = Answers::two_floats(x, 0);
  }

  const Ground& ground_;
  const PlacedSites& sites_;
  const Answers& answers_;
};

}  // namespace

void start_answers(ContextState& state, const Ground& ground, const PlacedSites& sites,
                   double radius, const Answers& answers) {
  std::fill_n(answers.cost, ground.cells(), kInfinity);
  std::fill_n(answers.word, ground.cells(), word_of_rank(kNoRank));
  const std::vector<Line> lines = lines_around(ground, radius);
  Starts starts(ground, sites, answers);
  constexpr Rank kSitesPerCheck = 1024;
  for (Rank rank = 0; rank < static_cast<Rank>(sites.list.count); ++rank) {
    if (rank % kSitesPerCheck == 0) state.progress.check();
    starts.add(rank, lines);
  }
}

}  // namespace thiessen::cpu::eikonal
