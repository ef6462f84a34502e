// SPDX-License-Identifier: Apache-2.0
//
// A table of costs: a search from each origin, or back from each destination if those are fewer.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/refuse.hpp"
#include "core/problem/problem.hpp"
#include "networks/path_lines.hpp"
#include "threads/guarded.hpp"

namespace thiessen {
namespace networks {
namespace {

/// A way that is wanted, by the numbers of its places.
struct Pair {
  std::int32_t origin, destination;
};

std::vector<Pair> all_pairs(std::int32_t origins, std::int32_t destinations) {
  std::vector<Pair> pairs;
  for (std::int32_t i = 1; i <= origins; ++i)
    for (std::int32_t j = 1; j <= destinations; ++j) pairs.push_back({i, j});
  return pairs;
}

std::vector<Pair> listed_pairs(const View<const std::int64_t>& list, std::int32_t origins,
                               std::int32_t destinations) {
  if (list.rank() != 2 || list.extent(1) != 2)
    refuse("pairs", "must have the extents (pairs, 2), an origin and a destination each");
  if (list.space() != MemorySpace::host) refuse("pairs", "must be in memory of the host");
  check_strides("pairs", list);
  const auto number = [&](std::int64_t pair, std::int64_t column, std::int32_t count) {
    const std::int64_t place = list(pair, column);
    if (place < 0 || place >= count)
      refuse("pairs[" + std::to_string(pair) + "][" + std::to_string(column) + "]",
             std::to_string(place),
             "must be the position of " + std::string(column == 0 ? "an origin" : "a destination") +
                 ", 0 to " + std::to_string(count - 1));
    return static_cast<std::int32_t>(place) + 1;
  };
  std::vector<Pair> pairs;
  for (std::int64_t i = 0; i < list.extent(0); ++i)
    pairs.push_back({number(i, 0, origins), number(i, 1, destinations)});
  return pairs;
}

/// The pairs by the places that searches begin at.
class PairsBySource {
 public:
  PairsBySource(const std::vector<Pair>& pairs, std::int32_t origins, std::int32_t destinations) {
    const auto used = [&](std::int32_t Pair::*member, std::int32_t count) {
      std::vector<bool> is_used(static_cast<std::size_t>(count) + 1);
      for (const Pair& pair : pairs) is_used[static_cast<std::size_t>(pair.*member)] = true;
      return std::count(is_used.begin(), is_used.end(), true);
    };
    from_origins = used(&Pair::origin, origins) <= used(&Pair::destination, destinations);
    order.resize(pairs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return source(pairs[a]) < source(pairs[b]);
    });
  }

  std::int32_t source(const Pair& pair) const {
    return from_origins ? pair.origin : pair.destination;
  }
  std::int32_t target(const Pair& pair) const {
    return from_origins ? pair.destination : pair.origin;
  }

  bool from_origins = true;
  std::vector<std::size_t> order;  ///< of the pairs
};

/// Finds the ways of a table, search by search.
class TableSearch {
 public:
  TableSearch(Searches& searches, const NumberedPlaces& origins, const NumberedPlaces& destinations,
              std::vector<Pair> pairs, bool with_paths)
      : searches_(searches),
        pairs_(std::move(pairs)),
        by_source_(pairs_, origins.count(), destinations.count()),
        sources_(by_source_.from_origins ? origins : destinations),
        targets_(by_source_.from_origins ? destinations : origins),
        with_paths_(with_paths) {}

  /// How many searches there will be.
  std::int64_t count() const {
    std::int64_t count = 0;
    std::int32_t last = 0;
    for (const std::size_t pair : by_source_.order) {
      const std::int32_t source = by_source_.source(pairs_[pair]);
      count += source != last;
      last = source;
    }
    return count;
  }

  CostTable run() {
    make_room();
    CostTable table;
    table.costs.assign(pairs_.size(), std::numeric_limits<double>::infinity());
    std::int32_t searched = 0;
    for (const std::size_t pair : by_source_.order) {
      const std::int32_t source = by_source_.source(pairs_[pair]);
      if (source != searched) search(source);
      searched = source;
      const std::int64_t end = cheapest_cell(by_source_.target(pairs_[pair]));
      if (end < 0) continue;
      table.costs[pair] = distance_.data()[end];
      if (map_) ways_[pair] = follow(end, source);
    }
    if (map_) add_paths(table.paths);
    return table;
  }

 private:
  struct Way {
    std::vector<std::int64_t> cells;
    std::vector<double> costs;
  };

  void make_room() {
    distance_ = Array<double>(searches_.extents());
    if (!with_paths_) return;
    back_link_ = Array<std::uint8_t>(searches_.extents());
    map_.emplace(searches_);
    ways_.resize(pairs_.size());
  }

  void search(std::int32_t source) {
    const WalkDirection direction =
        by_source_.from_origins ? WalkDirection::from_site : WalkDirection::to_site;
    searches_.run(sources_, direction,
                  {.distance = distance_.view(), .back_link = back_link_.view()}, source);
  }

  /// The cell of a place that costs least, the first of several; -1 if none is reached.
  std::int64_t cheapest_cell(std::int32_t place) const {
    std::int64_t best = -1;
    double least = std::numeric_limits<double>::infinity();
    for (const std::int64_t cell : targets_.cells(place))
      if (distance_.data()[cell] < least) {
        least = distance_.data()[cell];
        best = cell;
      }
    return best;
  }

  /// The way between a cell and the source, from the origin to the destination.
  Way follow(std::int64_t end, std::int32_t source) const {
    Way way;
    way.cells = path_back(back_link_.view(), searches_.options().connectivity, end);
    // Links of eikonal fronts end beside the source, from where the way is straight.
    const auto cells = sources_.cells(source);
    if (!std::binary_search(cells.begin(), cells.end(), way.cells.back()))
      way.cells.push_back(nearest_of(cells, way.cells.back()));
    if (by_source_.from_origins) std::reverse(way.cells.begin(), way.cells.end());
    const double whole = distance_.data()[end];
    for (const std::int64_t cell : way.cells) {
      const double cost = distance_.data()[cell];
      way.costs.push_back(by_source_.from_origins ? cost : whole - cost);
    }
    return way;
  }

  std::int64_t nearest_of(std::span<const std::int64_t> cells, std::int64_t to) const {
    return *std::min_element(cells.begin(), cells.end(), [&](std::int64_t a, std::int64_t b) {
      return map_->length(to, a) < map_->length(to, b);
    });
  }

  void add_paths(LeastCostPaths& paths) const {
    PathLines lines(*map_, paths);
    for (const Way& way : ways_) lines.add(way.cells, [&](std::size_t i) { return way.costs[i]; });
  }

  Searches& searches_;
  std::vector<Pair> pairs_;
  PairsBySource by_source_;
  const NumberedPlaces& sources_;
  const NumberedPlaces& targets_;
  bool with_paths_;
  Array<double> distance_;
  Array<std::uint8_t> back_link_;
  std::optional<SteppedMap> map_;
  std::vector<Way> ways_;
};

CostTable make_table(Context& context, const CostMap& map, const Places& from, const Places& to,
                     const CostDistanceOptions& options, const CostTableOptions& wanted) {
  Searches searches(context, map, options);
  NumberedPlaces origins(from, searches.extents(), options, "origins");
  NumberedPlaces destinations(to, searches.extents(), options, "destinations");
  auto pairs = wanted.pairs ? listed_pairs(wanted.pairs, origins.count(), destinations.count())
                            : all_pairs(origins.count(), destinations.count());
  TableSearch search(searches, origins, destinations, std::move(pairs), wanted.paths);
  searches.begin(search.count() + 2);
  searches.check(origins, "origins");
  searches.check(destinations, "destinations");
  CostTable table = search.run();
  table.origins = std::move(origins.labels());
  table.destinations = std::move(destinations.labels());
  searches.finish();
  return table;
}

}  // namespace
}  // namespace networks

// NOLINTNEXTLINE(readability-function-size): each argument is one of the caller's
CostTable cost_table(Context& context, const CostMap& map, const Places& origins,
                     const Places& destinations, const CostDistanceOptions& options,
                     const CostTableOptions& wanted) {
  return guarded(context.state(), [&] {
    return networks::make_table(context, map, origins, destinations, options, wanted);
  });
}

CostTable cost_table(const CostMap& map, const Places& origins, const Places& destinations,
                     const CostDistanceOptions& options, const CostTableOptions& wanted) {
  return cost_table(default_context(), map, origins, destinations, options, wanted);
}

}  // namespace thiessen
