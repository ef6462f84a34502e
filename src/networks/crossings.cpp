// SPDX-License-Identifier: Apache-2.0
#include "networks/crossings.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <utility>

#include "core/base/context_state.hpp"
#include "core/cost/labels.hpp"
#include "threads/rows.hpp"

namespace thiessen::networks {
namespace {

/// Which of two crossings of one border counts: the cheaper one, else the one whose cells come
/// first.
bool is_better(const Crossing& one, const Crossing& other) {
  const auto key = [](const Crossing& each) {
    return std::tuple(each.cost, std::min(each.of_a, each.of_b), std::max(each.of_a, each.of_b));
  };
  return key(one) < key(other);
}

class BestCrossings {
 public:
  void take(Crossing found) {
    if (!(found.cost < std::numeric_limits<double>::infinity())) return;
    if (found.a > found.b) {
      std::swap(found.a, found.b);
      std::swap(found.of_a, found.of_b);
    }
    const auto a = static_cast<std::uint64_t>(found.a), b = static_cast<std::uint64_t>(found.b);
    Crossing& best = best_[a << 32 | b];
    if (is_better(found, best)) best = found;
  }

  void take(const BestCrossings& others) {
    for (const auto& [pair, crossing] : others.best_) take(crossing);
  }

  std::vector<Crossing> sorted() const {
    std::vector<Crossing> all;
    for (const auto& [pair, crossing] : best_) all.push_back(crossing);
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  std::unordered_map<std::uint64_t, Crossing> best_;
};

/// Looks at the steps to later cells; the steps back cost the same.
class BorderSearch {
 public:
  BorderSearch(const SteppedMap& map, const double* cost, const std::int32_t* number)
      : map_(map),
        cost_(cost),
        number_(number),
        deltas_(neighbour_deltas(map.edges(), map.extent())) {
    for (int k = 0; k < map.edges().count; ++k)
      if (deltas_[static_cast<std::size_t>(k)] > 0) later_ |= std::uint32_t{1} << k;
  }

  void look_at(std::int64_t row, BestCrossings& best) const {
    const Axes& extent = map_.extent();
    for (std::int64_t from = row * extent[2]; from < (row + 1) * extent[2]; ++from) {
      if (number_[from] == 0) continue;
      for_each_neighbour(map_.edges(), deltas_, extent, from, [&](std::int64_t to, int k) {
        if ((later_ >> k & 1) == 0 || number_[to] == 0 || number_[to] == number_[from]) return;
        best.take({.a = number_[from],
                   .b = number_[to],
                   .cost = (cost_[from] + cost_[to]) + map_.cost(k, from),
                   .of_a = from,
                   .of_b = to});
      });
    }
  }

 private:
  const SteppedMap& map_;
  const double* cost_;
  const std::int32_t* number_;
  std::array<std::int64_t, kMostNeighbours> deltas_;
  std::uint32_t later_ = 0;
};

/// Adds places whose cells lie in the regions of others, since they share a cell or the way there
/// is free.
void add_shared_cells(const NumberedPlaces& places, const double* cost, const std::int32_t* number,
                      BestCrossings& best) {
  for (std::int32_t place = 1; place <= places.count(); ++place)
    for (const std::int64_t cell : places.cells(place))
      if (number[cell] != 0 && number[cell] != place)
        best.take({.a = number[cell], .b = place, .cost = cost[cell], .of_a = cell, .of_b = cell});
}

}  // namespace

std::vector<Crossing> find_crossings(ContextState& state, const SteppedMap& map,
                                     const NumberedPlaces& places, const double* cost,
                                     const std::int32_t* number) {
  const Axes& extent = map.extent();
  const BorderSearch search(map, cost, number);
  std::vector<BestCrossings> found(static_cast<std::size_t>(state.threads));
  parallel_for(state, extent[0] * extent[1], rows_per_task(extent[2]), 0,
               [&](std::int64_t begin, std::int64_t end, int worker) {
                 for (std::int64_t row = begin; row < end; ++row)
                   search.look_at(row, found[static_cast<std::size_t>(worker)]);
               });
  BestCrossings best;
  for (const BestCrossings& own : found) best.take(own);
  add_shared_cells(places, cost, number, best);
  return best.sorted();
}

}  // namespace thiessen::networks
