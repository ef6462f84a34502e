// SPDX-License-Identifier: Apache-2.0
//
// A pass of jump flooding on any problem, cell by cell (core/problem/flooding.hpp defines a pass).
//
// The state of a cell is the code of the site that it holds. Codes are ordered like site indices:
// for cells they are the coordinates side by side, for points the place in the list.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/order/measure.hpp"
#include "core/order/torus.hpp"
#include "core/problem/flooding.hpp"
#include "cuda/job/job.hpp"

namespace thiessen::cuda::flood {

template <class Word>
struct CellCodes {
  using Code = Word;
  static constexpr Code kNone = ~Code{0};
  Axes extent{};
  int x_bits = 0;
  int y_bits = 0;

  THIESSEN_HD Code code(const Axes& cell) const {
    return ((static_cast<Code>(cell[0]) << y_bits | static_cast<Code>(cell[1])) << x_bits) |
           static_cast<Code>(cell[2]);
  }
  THIESSEN_HD Axes place(Code code) const {
    const Code row = code >> x_bits;
    return {static_cast<std::int64_t>(row >> y_bits),
            static_cast<std::int64_t>(row & ((Code{1} << y_bits) - 1)),
            static_cast<std::int64_t>(code & ((Code{1} << x_bits) - 1))};
  }
  THIESSEN_HD std::int64_t index(Code code) const { return to_index(extent, place(code)); }
};

struct PointCodes {
  using Code = std::uint32_t;
  static constexpr Code kNone = ~Code{0};
  const Axes* at = nullptr;

  THIESSEN_HD const Axes& place(Code code) const { return at[code]; }
  THIESSEN_HD std::int64_t index(Code code) const { return code; }
};

/// S, in integers that are wide enough.
template <class Scalar>
struct FloodMeasure {
  using Coordinate = std::conditional_t<sizeof(Scalar) == 4, std::int32_t, std::int64_t>;
  Metric metric = Metric::euclidean;
  int fraction_bits = 0;
  Scalar factor[kAxes];
  Coordinate period[kAxes];

  THIESSEN_HD Scalar operator()(const Axes& cell, const Axes& place) const {
    Scalar along_axis[kAxes];
    THIESSEN_UNROLL
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      const auto from = static_cast<Coordinate>(cell[axis] << fraction_bits);
      const auto to = static_cast<Coordinate>(place[axis]);
      Coordinate delta = from < to ? to - from : from - to;
      delta = period[axis] - delta < delta ? period[axis] - delta : delta;
      along_axis[axis] = metric == Metric::euclidean
                             ? along<Metric::euclidean>(factor[axis], Scalar{delta})
                             : along<Metric::manhattan>(factor[axis], Scalar{delta});
    }
    if (metric == Metric::chessboard)
      return combine<Metric::chessboard>(combine<Metric::chessboard>(along_axis[0], along_axis[1]),
                                         along_axis[2]);
    return along_axis[0] + along_axis[1] + along_axis[2];
  }
};

/// The data that all passes use.
template <class Codes, class Scalar>
struct Flood {
  using Code = typename Codes::Code;
  Codes codes;
  FloodMeasure<Scalar> measure;
  Axes extent{};
  bool periodic[kAxes] = {};
  Code* state[2] = {};
  const Code* by_rank = nullptr;          ///< null: a rank is its own code
  const std::int64_t* counted = nullptr;  ///< on the device: the number of sites; or null:
  std::int64_t known = 0;                 ///< the number is known
  FloodingNoise noise = FloodingNoise::none;
  FloodingPaper paper = FloodingPaper::none;
  bool literal = false;
  std::uint64_t seed = 0;

  /// What the paper takes for no site where others look.
  THIESSEN_HD bool is_hidden(Code site) const {
    return site == 0 && paper == FloodingPaper::czyzewski;
  }
  THIESSEN_HD std::int64_t sites() const { return counted != nullptr ? *counted : known; }
  THIESSEN_HD Code noise_of(std::int64_t cell, std::int64_t sites) const {
    const std::int64_t rank = noise_rank(seed, cell, sites);
    return by_rank != nullptr ? by_rank[rank] : static_cast<Code>(rank);
  }
};

/// The place of a pass in the schedule. The steps of jfa-star and its kin depend on the number of
/// sites, which only the device knows when the passes are launched: so all possible passes are
/// launched.
struct FloodSchedule {
  std::int64_t place = 0;  ///< passes launched before
  std::int64_t last = 0;   ///< the last place
  bool counted = false;    ///< whether counted_steps() says how many are done before the last place
  FloodingPasses passes = FloodingPasses::plain;

  /// The number of passes that are done before this place, which may be the one behind the last.
  THIESSEN_HD std::int64_t number(std::int64_t sites) const {
    if (!counted) return place;
    const std::int64_t most = counted_steps(passes, sites);
    const std::int64_t inner = place < last ? place : last;
    return (inner < most ? inner : most) + (place > last ? 1 : 0);
  }
  THIESSEN_HD bool is_done(std::int64_t sites) const {
    return !counted || place >= last || place < counted_steps(passes, sites);
  }
};

struct FloodPass {
  FloodSchedule schedule;
  std::int64_t step = 0;
  int points = 0;  ///< points of a random circle
  int offsets = 0;
  std::int32_t offset[kMostCirclePoints][kAxes] = {};
  const UnitVector* directions = nullptr;  ///< for random circles
};

/// The first, in the order (S, code) or that of the paper, of the sites that are offered to a cell.
template <class Codes, class Scalar>
struct FloodBest {
  using Code = typename Codes::Code;
  const Flood<Codes, Scalar>& flood;
  const Axes& cell;
  Code site = Codes::kNone;
  Scalar exact = 0;
  bool compares = false;  ///< also without a site

  /// Takes what the cell itself counts as holding.
  THIESSEN_HD void begin(Code own) {
    offer(own);
    if (flood.literal && own == Codes::kNone)
      exact = flood.measure(cell, Axes{0, flood.extent[1], 0});
    compares = flood.literal;
  }

  THIESSEN_HD void offer(Code other) {
    if (other == site || other == Codes::kNone) return;
    const Scalar distance = flood.measure(cell, flood.codes.place(other));
    if ((site != Codes::kNone || compares) && !takes(flood.paper, distance, other, exact, site))
      return;
    site = other;
    exact = distance;
  }
};

/// The site that a cell counts as holding whose state is `site`.
template <class Codes, class Scalar>
THIESSEN_HD typename Codes::Code held(const Flood<Codes, Scalar>& flood, typename Codes::Code site,
                                      std::int64_t cell, std::int64_t sites) {
  if (site == Codes::kNone && flood.noise == FloodingNoise::in_place && sites > 0)
    return flood.noise_of(cell, sites);
  return site;
}

/// The site that a cell holds after a pass over the states `old`, with so many sites in all.
template <class Codes, class Scalar>
THIESSEN_HD typename Codes::Code flood_cell(const Flood<Codes, Scalar>& flood,
                                            const FloodPass& pass, const typename Codes::Code* old,
                                            const Axes& cell, std::int64_t sites) {
  const std::int64_t own = to_index(flood.extent, cell);
  FloodBest<Codes, Scalar> best{flood, cell};
  best.begin(held(flood, old[own], own, sites));
  const bool random = pass.points > 0;
  const std::uint64_t seed = random ? circle_seed(flood.seed, pass.schedule.number(sites)) : 0;
  const int count = random ? pass.points : pass.offsets;
  for (int i = 0; i < count; ++i) {
    Axes offset{pass.offset[i][0], pass.offset[i][1], pass.offset[i][2]};
    if (random) {
      const UnitVector unit = pass.directions[random_direction(seed, own, pass.points, i)];
      offset = {0, along_direction(pass.step, unit.y), along_direction(pass.step, unit.x)};
    }
    Axes at;
    THIESSEN_UNROLL
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      at[axis] =
          neighbour_along(cell[axis], offset[axis], flood.extent[axis], flood.periodic[axis]);
    if (at[0] < 0 || at[1] < 0 || at[2] < 0) continue;
    const std::int64_t neighbour = to_index(flood.extent, at);
    const typename Codes::Code site = old[neighbour];
    best.offer(held(flood, flood.is_hidden(site) ? Codes::kNone : site, neighbour, sites));
  }
  return best.site;
}

}  // namespace thiessen::cuda::flood
