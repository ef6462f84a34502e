// SPDX-License-Identifier: Apache-2.0
//
// The nearest site on the ellipsoid: S is the length of the shortest way in micrometres, and the
// order (S, site index) decides, as everywhere. Computing S takes about a microsecond, so nearly
// all sites are left out by their chord, the straight line through the Earth (chords.hpp):
//
//   1. The sites become a tree of boxes in space (site_tree.hpp).
//   2. The raster is cut into blocks, these into four, and so on, down to leaves of 8 x 8 cells. A
//      block takes over the tree's nodes that its parent kept, opens those that are larger than
//      itself, and keeps the ones that may hold the nearest site of one of its cells. If that is
//      one site, the block is done.
//   3. Each cell of a leaf takes the chords to all sites that are left. If one is clearly the
//      shortest, that is its site; else S decides among those that are not clearly longer.
//   4. S of that site, if distances are wanted.
//
// "Clearly" are the proven bounds of Chords, so that the answer is that of comparing all S. Boxes
// and chords are those of the sphere that is pressed to make the ellipsoid, until step 3 needs
// more.
//
// Notation: the reach of a block is a chord within which each of its cells has a site.
#include "cpu/earth/earth.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "core/result_writer.hpp"
#include "core/site_cells.hpp"
#include "cpu/earth/chords.hpp"
#include "cpu/earth/geodesic.hpp"
#include "cpu/earth/nearest_two.hpp"
#include "cpu/earth/places.hpp"
#include "cpu/earth/site_tree.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu {
namespace earth {
namespace {

constexpr std::int64_t kBlock = 64;
constexpr std::int64_t kLeafCells = kCellsAtOnce;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// What the search and brute force need: lengths and results.
class Ways {
 public:
  Ways(const Problem& problem, const ProblemViews& views)
      : geodesic_(ellipsoid_of(*problem.earth, problem.metric)),
        places_(problem, views),
        slab_(whole_raster(problem)),
        direction_(views.out.direction),
        planar_(without_direction(views)),
        writer_(problem, slab_, planar_, Write::all) {}

  const Places& places() const { return places_; }

  /// S from a place to a site, in metres.
  double metres(const Place& from, std::int64_t site) const {
    return geodesic_.micrometres(from, places_.of_site(site)) / kMicrometres;
  }

  /// Takes a site for winner if (S, site index) is less than that of the one before.
  void take_nearer(const Place& from, std::int64_t site, std::int64_t& winner,
                   double& exact) const {
    const double length = metres(from, site);
    if (winner != kUnreached && (length > exact || (length == exact && site > winner))) return;
    winner = site;
    exact = length;
  }

  void write(const Chunk& chunk, Winners<double>& winners) const {
    writer_.write(chunk, winners);
    if (!direction_) return;
    for (std::int64_t i = 0; i < chunk.count; ++i) {
      const std::int64_t site = winners.site[static_cast<std::size_t>(i)];
      const Place from = places_.of_cell(chunk.y, chunk.x + i);
      const float azimuth =
          site < 0 ? std::numeric_limits<float>::quiet_NaN()
                   : static_cast<float>(geodesic_.azimuth(from, places_.of_site(site)));
      std::memcpy(direction_.bytes() + chunk.y * direction_.stride(1) +
                      (chunk.x + i) * direction_.stride(2),
                  &azimuth, sizeof azimuth);
    }
  }

 private:
  static constexpr double kMicrometres = 1e6;

  static ProblemViews without_direction(ProblemViews views) {
    views.out.direction = {};
    return views;
  }

  Geodesic geodesic_;
  Places places_;
  const Slab slab_;
  View<float> direction_;      ///< the azimuth here
  const ProblemViews planar_;  ///< the other outputs, which are those of any metric
  ResultWriter<double> writer_;
};

/// All sites in the order of their site index, as make(site index) makes them.
template <class Make>
auto list_sites(ContextState& state, Scratch::Frame& scratch, const Problem& problem,
                const ProblemViews& views, const Make& make) {
  using Item = decltype(make(std::int64_t{0}));
  Item* items = nullptr;
  std::int64_t count = views.points.count;
  if (problem.point_sites) {
    items = scratch.array<Item>(count);
    for (std::int64_t i = 0; i < count; ++i) items[i] = make(i);
  } else {
    Item* next = nullptr;
    count = list_site_cells(
        problem, views.sites, state.progress,
        [&](std::int64_t all) { items = next = scratch.array<Item>(all); },
        [&](const Axes& cell) { *next++ = make(to_index(problem.extent, cell)); });
  }
  return std::span<Item>(items, static_cast<std::size_t>(count));
}

/// S and site index of each cell of a chunk, by comparing all sites.
void compare_all(ContextState& state, const Ways& ways, std::span<const std::int64_t> sites,
                 const Chunk& chunk, Winners<double>& row) {
  for (std::int64_t i = 0; i < chunk.count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Place from = ways.places().of_cell(chunk.y, chunk.x + i);
    row.site[at] = kUnreached;
    row.exact[at] = 0;
    for (const std::int64_t site : sites) ways.take_nearer(from, site, row.site[at], row.exact[at]);
    state.progress.check();
  }
}

/// Nodes or sites that may be nearest, and the reach that they give a block.
template <class Item>
struct Kept {
  std::vector<Item> items;
  std::vector<double> squares;  ///< of the least distance of each
  double reach_square = kInfinity;

  void clear() {
    items.clear();
    squares.clear();
    reach_square = kInfinity;
  }
  /// Each cell of the block has a site within this box.
  void reach(const Box& block, const Box& box) {
    reach_square = std::min(reach_square, greatest_square(block, box));
  }
  void add(const Item& item, double least) {
    items.push_back(item);
    squares.push_back(least);
  }
  /// Drops those that are clearly farther than the reach.
  void drop_far(const Chords& chords) {
    const double widest = chords.widened_on_sphere(reach_square);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < items.size(); ++i)
      if (squares[i] <= widest) items[kept++] = items[i];
    items.resize(kept);
  }
};

/// What a thread keeps.
struct Worker {
  static constexpr std::size_t kDepths = 5;  // blocks of 64, 32, 16 and 8 cells, and the root

  std::vector<Kept<std::int32_t>> nodes{kDepths};
  std::vector<std::int32_t> open;
  Kept<const Site*> sites;
  std::vector<double> x, y, z;  // of these sites
  alignas(64) std::array<double, kCellsAtOnce> cell_x, cell_y, cell_z;
  NearestTwo nearest;
  std::vector<const Site*> near;
  bool is_near = false;  ///< its coordinates are those of the ellipsoid
  Winners<double> row;
};

class Search {
 public:
  Search(ContextState& state, const Problem& problem, const ProblemViews& views)
      : state_(state),
        problem_(problem),
        ways_(problem, views),
        chords_(ellipsoid_of(*problem.earth, problem.metric)),
        points_(*problem.earth, chords_),
        find_nearest_two_(nearest_two_kernel(state.instruction_sets)),
        scratch_(state.scratch),
        sites_(list_sites(state, scratch_, problem, views,
                          [&](std::int64_t index) {
                            return Site{chords_.point(ways_.places().of_site(index)), index};
                          })),
        tree_(sites_, state.progress),
        wants_lengths_(views.out.distance || problem.limited) {}

  void run() {
    const std::int64_t height = problem_.extent[1];
    const std::int64_t width = problem_.extent[2];
    const std::int64_t across = (width + kBlock - 1) / kBlock;
    const std::int64_t blocks = (height + kBlock - 1) / kBlock * across;
    std::vector<Worker> workers(static_cast<std::size_t>(state_.threads));
    parallel_for(
        state_, blocks, 1, kBlock * kBlock, [&](std::int64_t begin, std::int64_t end, int number) {
          Worker& worker = workers[static_cast<std::size_t>(number)];
          for (std::int64_t i = begin; i < end; ++i) {
            const std::int64_t top = i / across * kBlock;
            const std::int64_t left = i % across * kBlock;
            solve_block({top, std::min(top + kBlock, height), left, std::min(left + kBlock, width)},
                        worker);
          }
        });
  }

 private:
  void solve_block(const Cells& cells, Worker& worker) const {
    if (sites_.empty()) return write_unreached(cells, worker);
    Kept<std::int32_t>& root = worker.nodes[0];
    root.clear();
    root.add(0, 0);
    split(cells, 1, worker);
  }

  void split(const Cells& cells, std::size_t depth, Worker& worker) const {
    const Box box = points_.box(cells);
    const std::vector<std::int32_t>& nodes = worker.nodes[depth].items;
    keep_nodes(box, worker.nodes[depth - 1].items, worker.nodes[depth], worker.open);
    const bool is_leaf = std::max(cells.height(), cells.width()) <= kLeafCells;
    if (is_leaf || nodes.size() == 1) {
      keep_sites(box, nodes, worker);
      if (worker.sites.items.size() == 1) return give(cells, *worker.sites.items[0], worker);
    }
    if (is_leaf) return solve_leaf(cells, worker);
    const std::int64_t half = std::int64_t{kBlock} >> depth;
    for (std::int64_t top = cells.top; top < cells.bottom; top += half)
      for (std::int64_t left = cells.left; left < cells.right; left += half)
        split({top, std::min(top + half, cells.bottom), left, std::min(left + half, cells.right)},
              depth + 1, worker);
  }

  /// Opens nodes until they are as small as the block, and keeps those that may matter to it.
  void keep_nodes(const Box& box, const std::vector<std::int32_t>& from, Kept<std::int32_t>& kept,
                  std::vector<std::int32_t>& open) const {
    kept.clear();
    const double side = box.longest_side();
    open.assign(from.rbegin(), from.rend());
    for (const std::int32_t number : open) kept.reach(box, tree_.node(number).box);
    while (!open.empty()) {
      const std::int32_t number = open.back();
      open.pop_back();
      const SiteTree::Node& node = tree_.node(number);
      const double least = least_square(box, node.box);
      if (least > chords_.widened_on_sphere(kept.reach_square)) continue;
      if (node.right == 0 || node.box.longest_side() <= side) {
        kept.add(number, least);
        continue;
      }
      for (const std::int32_t half : {node.right, number + 1}) {
        kept.reach(box, tree_.node(half).box);
        open.push_back(half);
      }
    }
    kept.drop_far(chords_);
  }

  /// All cells of a block have this site.
  void give(const Cells& cells, const Site& site, Worker& worker) const {
    for (std::int64_t y = cells.top; y < cells.bottom; ++y) {
      for (std::int64_t x = cells.left; x < cells.right; ++x) {
        const auto i = static_cast<std::size_t>(x - cells.left);
        worker.row.site[i] = site.index;
        worker.row.exact[i] =
            wants_lengths_ ? ways_.metres(ways_.places().of_cell(y, x), site.index) : 0;
      }
      ways_.write({0, y, cells.left, cells.width()}, worker.row);
    }
  }

  void solve_leaf(const Cells& cells, Worker& worker) const {
    const std::vector<const Site*>& sites = worker.sites.items;
    worker.x.clear();
    worker.y.clear();
    worker.z.clear();
    worker.is_near = chords_.is_near(worker.sites.reach_square);
    const double press = worker.is_near ? chords_.press() : 1;
    for (const Site* const site : sites) {
      worker.x.push_back(site->at[0]);
      worker.y.push_back(site->at[1]);
      worker.z.push_back(site->at[2] * press);
    }
    for (std::int64_t y = cells.top; y < cells.bottom; ++y) {
      take_cells(cells, y, press, worker);
      find_nearest_two_({worker.cell_x.data(), worker.cell_y.data(), worker.cell_z.data()},
                        {worker.x.data(), worker.y.data(), worker.z.data()}, sites.size(),
                        worker.nearest);
      for (std::int64_t x = cells.left; x < cells.right; ++x)
        solve_cell(y, x, static_cast<std::size_t>(x - cells.left), worker);
      ways_.write({0, y, cells.left, cells.width()}, worker.row);
    }
  }

  void take_cells(const Cells& cells, std::int64_t y, double press, Worker& worker) const {
    for (std::size_t i = 0; i < kCellsAtOnce; ++i) {
      const std::int64_t x = std::min(cells.left + static_cast<std::int64_t>(i), cells.right - 1);
      const Point point = points_.at(y, x);
      worker.cell_x[i] = point[0];
      worker.cell_y[i] = point[1];
      worker.cell_z[i] = point[2] * press;
    }
  }

  void keep_sites(const Box& box, const std::vector<std::int32_t>& nodes, Worker& worker) const {
    Kept<const Site*>& sites = worker.sites;
    sites.clear();
    worker.open.assign(nodes.begin(), nodes.end());
    while (!worker.open.empty()) {
      const std::int32_t number = worker.open.back();
      worker.open.pop_back();
      const SiteTree::Node& node = tree_.node(number);
      if (node.right != 0) {
        worker.open.push_back(node.right);
        worker.open.push_back(number + 1);
        continue;
      }
      for (const Site& site : tree_.sites_of(node)) {
        const Box at{site.at, site.at};
        sites.reach(box, at);
        sites.add(&site, least_square(box, at));
      }
    }
    sites.drop_far(chords_);
  }

  /// Cell number i of a row of a leaf.
  void solve_cell(std::int64_t y, std::int64_t x, std::size_t i, Worker& worker) const {
    const double least = worker.nearest.least[i];
    const double widest =
        worker.is_near ? chords_.widened(least) : chords_.widened_on_sphere(least);
    if (worker.nearest.next[i] <= widest) return compare_near(y, x, widest, i, worker);
    const auto nearest = static_cast<std::size_t>(worker.nearest.site[i]);
    worker.row.site[i] = worker.sites.items[nearest]->index;
    if (wants_lengths_)
      worker.row.exact[i] = ways_.metres(ways_.places().of_cell(y, x), worker.row.site[i]);
  }

  /// Decides among the sites whose chord is not clearly too long.
  void compare_near(std::int64_t y, std::int64_t x, double widest, std::size_t i,
                    Worker& worker) const {
    const Point from{worker.cell_x[i], worker.cell_y[i], worker.cell_z[i]};
    worker.near.clear();
    for (std::size_t k = 0; k < worker.x.size(); ++k)
      if (square_of({worker.x[k] - from[0], worker.y[k] - from[1], worker.z[k] - from[2]}) <=
          widest)
        worker.near.push_back(worker.sites.items[k]);
    if (!worker.is_near) drop_far_by_ellipsoid(points_.at(y, x), worker.near);
    const Place place = ways_.places().of_cell(y, x);
    worker.row.site[i] = kUnreached;
    for (const Site* const site : worker.near)
      ways_.take_nearer(place, site->index, worker.row.site[i], worker.row.exact[i]);
  }

  /// Where chords on the sphere leave several sites, those of the ellipsoid may leave fewer.
  void drop_far_by_ellipsoid(const Point& cell, std::vector<const Site*>& sites) const {
    double least = kInfinity;
    for (const Site* const site : sites) least = std::min(least, chords_.square(cell, site->at));
    const double widest = chords_.widened(least);
    std::erase_if(sites, [&](const Site* site) { return chords_.square(cell, site->at) > widest; });
  }

  /// As the kernel computes it.
  static double square_of(const Point& way) {
    return way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
  }

  void write_unreached(const Cells& cells, Worker& worker) const {
    for (std::int64_t y = cells.top; y < cells.bottom; ++y) {
      worker.row.site.fill(kUnreached);
      ways_.write({0, y, cells.left, cells.width()}, worker.row);
    }
  }

  ContextState& state_;
  const Problem& problem_;
  Ways ways_;
  Chords chords_;
  CellPoints points_;
  FindNearestTwo find_nearest_two_;
  Scratch::Frame scratch_;
  std::span<Site> sites_;
  SiteTree tree_;
  bool wants_lengths_;
};

}  // namespace
}  // namespace earth

void run_earth(ContextState& state, const Problem& problem, const ProblemViews& views) {
  state.progress.begin(problem.cells());
  const PhaseTimer phase(state, "earth");
  earth::Search(state, problem, views).run();
}

void run_earth_by_force(ContextState& state, const Problem& problem, const ProblemViews& views) {
  state.progress.begin(problem.cells());
  const PhaseTimer phase(state, "brute force");
  Scratch::Frame scratch(state.scratch);
  const earth::Ways ways(problem, views);
  const std::span<const std::int64_t> sites =
      earth::list_sites(state, scratch, problem, views, [](std::int64_t index) { return index; });
  parallel_for(state, problem.extent[1], 1, problem.extent[2],
               [&](std::int64_t begin, std::int64_t end, int) {
                 Winners<double> row;
                 for (std::int64_t y = begin; y < end; ++y)
                   for_each_chunk(0, y, problem.extent[2], [&](const Chunk& chunk) {
                     earth::compare_all(state, ways, sites, chunk, row);
                     ways.write(chunk, row);
                   });
               });
}

}  // namespace thiessen::cpu
