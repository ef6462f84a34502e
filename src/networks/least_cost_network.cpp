// SPDX-License-Identifier: Apache-2.0
//
// A network from one search: edges are the cheapest crossings between the regions of places, and
// the tree is J. Kruskal's ("On the shortest spanning subtree of a graph and the traveling salesman
// problem", 1956). K. Mehlhorn ("A faster approximation algorithm for the Steiner problem in
// graphs", 1988) shows that it spans the places at the least cost, as if all pairs were known:
// where the least way of a pair crosses a border, the places on both sides of it are nearer to the
// crossing than the pair is, so that an edge over this border costs no more.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/refuse.hpp"
#include "networks/crossings.hpp"
#include "threads/guarded.hpp"

namespace thiessen {
namespace networks {
namespace {

void refuse_directed(const CostDistanceOptions& options) {
  if (options.elevation)
    throw Error(ErrorCode::unsupported,
                {"elevation",
                 {},
                 "is given; a walk back costs something else, and edges of a "
                 "network have one cost: use cost_table()"});
  if (options.method == CostMethod::eikonal)
    throw Error(ErrorCode::unsupported,
                {"method", "eikonal",
                 "a network is made of steps, whose costs the other methods "
                 "have"});
}

/// Sets of places that are joined.
class JoinedPlaces {
 public:
  explicit JoinedPlaces(std::int32_t count) : parent_(static_cast<std::size_t>(count) + 1) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  /// Returns whether they were apart.
  bool join(std::int32_t a, std::int32_t b) {
    a = find(a);
    b = find(b);
    parent_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    return a != b;
  }

 private:
  std::int32_t find(std::int32_t place) {
    while (parent_[static_cast<std::size_t>(place)] != place) {
      std::int32_t& parent = parent_[static_cast<std::size_t>(place)];
      parent = parent_[static_cast<std::size_t>(parent)];
      place = parent;
    }
    return place;
  }

  std::vector<std::int32_t> parent_;
};

/// Which of the edges, ascending by a and b, are in the tree.
std::vector<std::uint8_t> find_tree(std::span<const Crossing> edges, std::int32_t places) {
  std::vector<std::size_t> order(edges.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return edges[i].cost < edges[j].cost; });
  JoinedPlaces joined(places);
  std::vector<std::uint8_t> in_tree(edges.size());
  for (const std::size_t edge : order)
    in_tree[edge] = joined.join(edges[edge].a, edges[edge].b) ? 1 : 0;
  return in_tree;
}

/// The answer of the search.
struct Regions {
  explicit Regions(const Extents& extents) : number(extents), cost(extents), back_link(extents) {}

  Array<std::int32_t> number;
  Array<double> cost;
  Array<std::uint8_t> back_link;
};

/// Adds the way of an edge, from a over its crossing to b.
void add_way(const Crossing& edge, const Regions& regions, Connectivity connectivity,
             PathLines& lines) {
  const auto back = [&](std::int64_t cell) {
    return path_back(regions.back_link.view(), connectivity, cell);
  };
  const bool begins_in_a = regions.number.data()[edge.of_a] == edge.a;
  std::vector<std::int64_t> cells = begins_in_a ? back(edge.of_a) : std::vector{edge.of_a};
  std::reverse(cells.begin(), cells.end());
  const std::size_t of_a = begins_in_a ? cells.size() : 0;
  if (edge.of_b != edge.of_a || !begins_in_a) {
    const std::vector<std::int64_t> rest = back(edge.of_b);
    cells.insert(cells.end(), rest.begin() + (begins_in_a ? 0 : 1), rest.end());
  }
  lines.add(cells, [&](std::size_t i) {
    const double cost = regions.cost.data()[cells[i]];
    return i < of_a ? cost : edge.cost - cost;
  });
}

/// The labels of places by their numbers.
template <class NumberOf>
Raster labels_at(const Raster& labels, std::size_t count, const NumberOf& number_of) {
  Raster found(labels.element_type(), Extents{static_cast<std::int64_t>(count)});
  const std::size_t element = size_of(labels.element_type());
  for (std::size_t i = 0; i < count; ++i)
    std::memcpy(found.bytes() + i * element,
                labels.bytes() + (static_cast<std::size_t>(number_of(i)) - 1) * element, element);
  return found;
}

LeastCostNetwork make_network(Context& context, const CostMap& map, const Places& sites,
                              const CostDistanceOptions& options) {
  refuse_directed(options);
  Searches searches(context, map, options);
  NumberedPlaces places(sites, searches.extents(), options, "sites");
  searches.begin(2);
  searches.check(places, "sites");
  Regions regions(searches.extents());
  searches.run(places, WalkDirection::from_site,
               {.labels = regions.number.view(),
                .distance = regions.cost.view(),
                .back_link = regions.back_link.view()});
  const SteppedMap stepped(searches);
  const std::vector<Crossing> edges =
      find_crossings(context.state(), stepped, places, regions.cost.data(), regions.number.data());
  LeastCostNetwork network{.in_tree = find_tree(edges, places.count())};
  PathLines lines(stepped, network.paths);
  for (const Crossing& edge : edges) {
    context.state().progress.check();
    network.costs.push_back(edge.cost);
    add_way(edge, regions, options.connectivity, lines);
  }
  network.a = labels_at(places.labels(), edges.size(), [&](std::size_t i) { return edges[i].a; });
  network.b = labels_at(places.labels(), edges.size(), [&](std::size_t i) { return edges[i].b; });
  network.labels = std::move(places.labels());
  searches.finish();
  return network;
}

}  // namespace
}  // namespace networks

LeastCostNetwork least_cost_network(Context& context, const CostMap& map, const Places& sites,
                                    const CostDistanceOptions& options) {
  return guarded(context.state(),
                 [&] { return networks::make_network(context, map, sites, options); });
}

LeastCostNetwork least_cost_network(const CostMap& map, const Places& sites,
                                    const CostDistanceOptions& options) {
  return least_cost_network(default_context(), map, sites, options);
}

}  // namespace thiessen
