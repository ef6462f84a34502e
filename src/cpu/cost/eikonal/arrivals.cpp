// SPDX-License-Identifier: Apache-2.0
//
// Each cell once, as soon as its earlier neighbours are done. A byte of each cell has bits for
// these, and they are taken away one by one. Cells that are ready wait in a list of their tile, so
// that cells which are done after each other lie close together.
#include "cpu/cost/eikonal/arrivals.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/scratch.hpp"
#include "cpu/cost/eikonal/tile_front.hpp"

namespace thiessen::cpu::eikonal {
namespace {

using thiessen::eikonal::Arrival;
using thiessen::eikonal::Arrivals;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Bits of the faces of a cell: those of Sides; and of a cell whose answer was known.
using Faces = std::uint8_t;
constexpr Faces kKnown = 1U << (2 * kAxes);

constexpr Faces face_bit(std::size_t axis, bool is_above) {
  return static_cast<Faces>(side_bit(axis, is_above));
}

/// Cells of a tile that are ready, in the order in which they were found.
class ReadyTiles {
 public:
  ReadyTiles(const Axes& extent, int rank)
      : size_{rank == 2 ? 1 : 16, rank == 2 ? 64 : 32, rank == 2 ? 64 : 32} {
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      tiles_[axis] = (extent[axis] + size_[axis] - 1) / size_[axis];
    lists_.resize(static_cast<std::size_t>(tiles_[0] * tiles_[1] * tiles_[2]));
  }

  void add(const Axes& cell) {
    const std::int64_t tile =
        to_index(tiles_, {cell[0] / size_[0], cell[1] / size_[1], cell[2] / size_[2]});
    List& list = lists_[static_cast<std::size_t>(tile)];
    list.cells.push_back(cell);
    if (!list.is_waiting) waiting_.push_back(tile);
    list.is_waiting = true;
  }

  /// Calls visit(cell) for all cells, also those that it adds.
  template <class Visit>
  void run(const Visit& visit) {
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      List& list = lists_[static_cast<std::size_t>(waiting_[i])];
      for (; list.done < list.cells.size(); ++list.done) {
        const Axes cell = list.cells[list.done];
        visit(cell);
      }
      list.cells.clear();
      list.done = 0;
      list.is_waiting = false;
    }
  }

 private:
  struct List {
    std::vector<Axes> cells;
    std::size_t done = 0;
    bool is_waiting = false;
  };

  Axes size_;
  Axes tiles_{};
  std::vector<List> lists_;
  std::vector<std::int64_t> waiting_;
};

template <bool kHasSites>
class ArrivalSearch {
 public:
  ArrivalSearch(ContextState& state, const Ground& ground, const CostSites<double>& sites,
                const double* order, const Answers& answers, std::uint8_t* link)
      : state_(state),
        ground_(ground),
        sites_(sites),
        order_(order),
        answers_(answers),
        link_(link),
        scratch_(state.scratch),
        earlier_(scratch_.array<Faces>(ground.cells())),
        open_(scratch_.array<Faces>(ground.cells())),
        ready_(ground.extent, ground.rank) {
    for (std::size_t axis = first_axis(); axis < kAxes; ++axis)
      inverse_[axis] = 1 / ground.spacing[axis];
  }

  void run() {
    find_earlier();
    start();
    ready_.run([&](const Axes& cell) { finish(cell); });
    if (link_ != nullptr) link_known();
  }

 private:
  std::size_t first_axis() const { return static_cast<std::size_t>(kAxes - ground_.rank); }
  std::int64_t stride(std::size_t axis) const {
    return axis == 2 ? 1 : axis == 1 ? ground_.extent[2] : ground_.extent[1] * ground_.extent[2];
  }
  bool is_known(std::int64_t cell) const { return (open_[cell] & kKnown) != 0; }

  template <class Visit>
  void for_each_cell(const Visit& visit) const {
    std::int64_t cell = 0;
    for (std::int64_t z = 0; z < ground_.extent[0]; ++z)
      for (std::int64_t y = 0; y < ground_.extent[1]; ++y)
        for (std::int64_t x = 0; x < ground_.extent[2]; ++x) visit(Axes{z, y, x}, cell++);
  }

  /// Calls visit(axis, is_above, neighbour) for the neighbours of a cell across faces.
  template <class Visit>
  void for_each_neighbour(const Axes& at, std::int64_t cell, const Visit& visit) const {
    for (std::size_t axis = first_axis(); axis < kAxes; ++axis) {
      if (at[axis] > 0) visit(axis, false, cell - stride(axis));
      if (at[axis] + 1 < ground_.extent[axis]) visit(axis, true, cell + stride(axis));
    }
  }

  /// Finds which neighbours of each cell are earlier.
  void find_earlier() {
    for_each_cell([&](const Axes& at, std::int64_t cell) {
      Faces faces = 0;
      const double own = order_[cell];
      if (own < kInfinity)
        for_each_neighbour(at, cell, [&](std::size_t axis, bool is_above, std::int64_t other) {
          if (is_above ? order_[other] < own : order_[other] <= own)
            faces |= face_bit(axis, is_above);
        });
      earlier_[cell] = open_[cell] = faces;
      const bool is_known = own < kInfinity && answers_.cost[cell] == own;
      if (is_known) open_[cell] = kKnown;
      if (!is_known) forget(cell);
    });
  }

  void forget(std::int64_t cell) {
    answers_.cost[cell] = kInfinity;
    if constexpr (kHasSites) answers_.rank[cell] = kNoRank;
    if (link_ != nullptr) link_[cell] = kNoLink;
  }

  /// Behind a known cell, only a known cell counts.
  void start() {
    for_each_cell([&](const Axes& at, std::int64_t cell) {
      if (!is_known(cell)) return;
      for_each_neighbour(at, cell, [&](std::size_t axis, bool is_above, std::int64_t other) {
        if (!is_known(other)) earlier_[cell] &= static_cast<Faces>(~face_bit(axis, is_above));
      });
      ready_.add(at);
    });
  }

  /// Answers a cell, and tells its neighbours.
  void finish(const Axes& at) {
    const std::int64_t cell = to_index(ground_.extent, at);
    if (!is_known(cell)) answer(cell);
    constexpr std::int64_t kCellsPerReport = 1 << 16;
    if (++done_ % kCellsPerReport == 0) state_.progress.advance(kCellsPerReport);
    for_each_neighbour(at, cell, [&](std::size_t axis, bool is_above, std::int64_t other) {
      const Faces bit = face_bit(axis, !is_above);
      if ((open_[other] & bit) == 0) return;
      open_[other] &= static_cast<Faces>(~bit);
      if (open_[other] != 0) return;
      Axes next = at;
      next[axis] += is_above ? 1 : -1;
      ready_.add(next);
    });
  }

  void answer(std::int64_t cell) {
    Arrivals arrivals;
    for (std::size_t axis = first_axis(); axis < kAxes; ++axis)
      if ((earlier_[cell] & (face_bit(axis, false) | face_bit(axis, true))) != 0)
        arrivals.add(arrival_along(cell, axis));
    const double own = ground_.cost_of(cell);
    const double cost = answers_.cost[cell] = arrivals.solve(own);
    if constexpr (kHasSites) choose_site(cell, own, cost, arrivals);
  }

  Arrival arrival_along(std::int64_t cell, std::size_t axis) const {
    const std::int64_t step = stride(axis);
    const Faces faces = earlier_[cell];
    const double* const cost = answers_.cost;
    bool is_above = (faces & face_bit(axis, false)) == 0;
    if (!is_above && (faces & face_bit(axis, true)) != 0)
      is_above = cost[cell + step] < cost[cell - step];
    const std::int64_t way = is_above ? step : -step;
    Arrival arrival{.from = cell + way, .axis = axis, .is_above = is_above};
    const double near = cost[arrival.from];
    arrival.v = near;
    arrival.scale = inverse_[axis];
    const bool has_behind = (earlier_[arrival.from] & face_bit(axis, is_above)) != 0;
    if (!has_behind || !(cost[arrival.from + way] <= near)) return arrival;
    arrival.v = near + (near - cost[arrival.from + way]) / 3;
    arrival.scale = 1.5 * inverse_[axis];
    return arrival;
  }

  /// The site of the neighbour whose front, if it went straight on to the cell as a plane, would be
  /// the first.
  void choose_site(std::int64_t cell, double own, double cost, const Arrivals& arrivals) {
    const Rank* const rank = answers_.rank;
    std::size_t best = 0;
    double least = 0;
    bool is_one_site = true;
    const auto count = static_cast<std::size_t>(arrivals.count);
    for (std::size_t i = 0; i < count; ++i) {
      const Arrival& arrival = arrivals.at[i];
      const double straight = straight_on(arrival, own);
      is_one_site = is_one_site && rank[arrival.from] == rank[arrivals.at[0].from];
      const auto order = [&](const Arrival& of) { return std::pair(rank[of.from], of.axis); };
      if (i == 0 || straight < least ||
          (straight == least && order(arrival) < order(arrivals.at[best]))) {
        best = i;
        least = straight;
      }
    }
    const Arrival& from = arrivals.at[best];
    answers_.rank[cell] = rank[from.from];
    if (link_ != nullptr) link_[cell] = static_cast<std::uint8_t>(2 * from.axis + from.is_above);
    FrontDirection& direction = answers_.direction[cell];
    direction = answers_.direction[from.from];
    if (!is_one_site || !(own > 0)) return;
    direction = {};
    for (std::size_t i = 0; i < count; ++i) {
      const Arrival& arrival = arrivals.at[i];
      const auto part = static_cast<float>((cost - arrival.v) * arrival.scale / own);
      direction[arrival.axis] = arrival.is_above ? -part : part;
    }
  }

  double straight_on(const Arrival& arrival, double own) const {
    const FrontDirection& front = answers_.direction[arrival.from];
    double along = arrival.is_above ? -front[arrival.axis] : front[arrival.axis];
    if (front[0] == 0 && front[1] == 0 && front[2] == 0) along = 1;
    return answers_.cost[arrival.from] +
           (own + ground_.cost_of(arrival.from)) / 2 * ground_.spacing[arrival.axis] * along;
  }

  /// The way from a known cell leads to the earliest neighbour of its site.
  void link_known() {
    for_each_cell([&](const Axes& at, std::int64_t cell) {
      if (!is_known(cell)) return;
      link_[cell] = kNoLink;
      if (sites_.cell[answers_.rank[cell]] == cell) return;
      const auto turn = [&](std::int64_t of) {
        return std::tuple(answers_.rank[of] != answers_.rank[cell], order_[of], of);
      };
      auto least = std::tuple(true, order_[cell], cell);
      for_each_neighbour(at, cell, [&](std::size_t axis, bool is_above, std::int64_t other) {
        if (std::pair(order_[other], other) >= std::pair(order_[cell], cell)) return;
        if (turn(other) >= least) return;
        least = turn(other);
        link_[cell] = static_cast<std::uint8_t>(2 * axis + is_above);
      });
    });
  }

  ContextState& state_;
  const Ground& ground_;
  const CostSites<double>& sites_;
  const double* order_;
  const Answers& answers_;
  std::uint8_t* link_;
  Scratch::Frame scratch_;
  Faces* earlier_;  ///< of each cell: its neighbours that are earlier
  Faces* open_;     ///< of each cell: those of them that are not done; kKnown
  ReadyTiles ready_;
  std::array<double, kAxes> inverse_{};
  std::int64_t done_ = 0;
};

}  // namespace

void find_arrivals(ContextState& state, const Ground& ground, const CostSites<double>& sites,
                   const double* order, const Answers& answers, std::uint8_t* link) {
  if (answers.rank != nullptr)
    ArrivalSearch<true>(state, ground, sites, order, answers, link).run();
  else
    ArrivalSearch<false>(state, ground, sites, order, answers, nullptr).run();
}

}  // namespace thiessen::cpu::eikonal
