// SPDX-License-Identifier: Apache-2.0
#include "cpu/cost/eikonal/starts.hpp"

#include <algorithm>

#include "core/cost/straight_lines.hpp"

namespace thiessen::cpu::eikonal {
namespace {

using thiessen::eikonal::FromSite;
using thiessen::eikonal::StraightLine;
using thiessen::eikonal::StraightLines;
using thiessen::eikonal::WayFromSite;

class Starts {
 public:
  Starts(const Ground& ground, const PlacedSites& sites, const StraightLines& lines,
         const Answers& answers)
      : ground_(ground), sites_(sites), lines_(lines), answers_(answers) {}

  void add(Rank rank) const {
    const std::int64_t cell = sites_.list.cell[rank];
    if (cell == kNoCell) return;
    const Axes site = to_cell(ground_.extent, cell);
    add_line(rank, site, {});
    for (const StraightLine& line : lines_.lines)
      if (is_inside(site, line.to)) add_line(rank, site, line);
  }

 private:
  void add_line(Rank rank, const Axes& site, const StraightLine& line) const {
    const auto* const offset = sites_.offset == nullptr ? nullptr : sites_.offset + rank;
    const double cost =
        cost_of_line(line, lines_.parts.data(), offset, ground_.spacing,
                     [&](const FromSite& to) { return ground_.cost_of(cell_at(site, to)); });
    if (!(cost < kInfinity)) return;
    give(cell_at(site, line.to), sites_.list.initial_of(rank) + cost, rank,
         thiessen::eikonal::way_from_site(line.to, offset == nullptr ? AlongAxes{} : *offset,
                                          ground_.spacing));
  }

  bool is_inside(const Axes& site, const FromSite& to) const {
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      if (site[axis] + to[axis] < 0 || site[axis] + to[axis] >= ground_.extent[axis]) return false;
    return true;
  }

  std::int64_t cell_at(const Axes& site, const FromSite& to) const {
    return to_index(ground_.extent, {site[0] + to[0], site[1] + to[1], site[2] + to[2]});
  }

  void give(std::int64_t cell, double cost, Rank rank, const WayFromSite& way) const {
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
  const StraightLines& lines_;
  const Answers& answers_;
};

}  // namespace

void start_answers(ContextState& state, const Ground& ground, const PlacedSites& sites,
                   double radius, const Answers& answers) {
  std::fill_n(answers.cost, ground.cells(), kInfinity);
  std::fill_n(answers.word, ground.cells(), word_of_rank(kNoRank));
  const StraightLines lines =
      thiessen::eikonal::straight_lines(ground.extent, ground.spacing, radius);
  const Starts starts(ground, sites, lines, answers);
  constexpr Rank kSitesPerCheck = 1024;
  for (Rank rank = 0; rank < static_cast<Rank>(sites.list.count); ++rank) {
    if (rank % kSitesPerCheck == 0) state.progress.check();
    starts.add(rank);
  }
}

}  // namespace thiessen::cpu::eikonal
