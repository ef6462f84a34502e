// SPDX-License-Identifier: Apache-2.0
//
// The nearest site on the ellipsoid: S is the length of the shortest way in micrometres, and the
// order (S, site index) decides, as everywhere. Computing S takes about a microsecond, so nearly
// all sites are left out by their chord, the straight line through the Earth (chords.hpp):
//
//   1. The sites become a tree of boxes in space (site_tree.hpp).
//   2. The raster is cut into blocks, these into four, and so on, down to leaves of 8 x 8 cells.
//   The
//      site with the shortest chord to the middle of a block leads there: nodes and sites that are
//      clearly farther from all its cells are left out (Dominator). A block takes over the tree's
//      nodes that its parent kept, opens those that are larger than itself, and keeps what the lead
//      leaves. If that is one site, the block is done.
//   3. Where a leaf keeps many sites, as it does when all are far away, those are left out that are
//      farther than another one by more than their distances may change within the leaf
//      (comparison.hpp). If there are still many, its quarters do the same, down to single cells.
//   4. Each cell of a leaf takes the chords to all sites that are left. If one is clearly the
//      shortest, that is its site; else rough lengths (rough_length.hpp) leave a few, among which S
//      decides.
//   5. S of that site, if distances are wanted.
//
// "Clearly" are the bounds of Chords and RoughLengths, so that the answer is that of comparing all
// S. Boxes and chords are those of the sphere that is pressed to make the ellipsoid, until step 4
// needs more.
#include "cpu/earth/earth.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <vector>

#include "core/search/result_writer.hpp"
#include "core/search/site_cells.hpp"
#include "core/search/special_values.hpp"
#include "cpu/earth/chords.hpp"
#include "cpu/earth/comparison.hpp"
#include "cpu/earth/geodesic.hpp"
#include "cpu/earth/nearest_two.hpp"
#include "cpu/earth/places.hpp"
#include "cpu/earth/rough_length.hpp"
#include "cpu/earth/site_tree.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu {
namespace earth {
namespace {

constexpr std::int64_t kBlock = 64;
constexpr std::int64_t kLeafCells = kCellsAtOnce;
/// From so many sites of a leaf on, step 3 pays; and with so many of the nearest each one is
/// compared.
constexpr std::size_t kMany = 32;
constexpr std::size_t kFront = 32;

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
  double metres(const LatLon& from, std::int64_t site) const {
    return geodesic_.micrometres(from, places_.of_site(site)) / kMicrometres;
  }

  /// Takes a site for winner if (S, site index) is less than that of the one before.
  void take_nearer(const LatLon& from, std::int64_t site, std::int64_t& winner,
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
      const LatLon from = places_.of_cell(chunk.y, chunk.x + i);
      const float azimuth =
          site < 0 ? kNoDirection
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
    const LatLon from = ways.places().of_cell(chunk.y, chunk.x + i);
    row.site[at] = kUnreached;
    row.exact[at] = 0;
    for (const std::int64_t site : sites) ways.take_nearer(from, site, row.site[at], row.exact[at]);
    state.progress.check();
  }
}

/// What a thread keeps.
struct Worker {
  static constexpr std::size_t kDepths = 5;  // blocks of 64, 32, 16 and 8 cells, and the root

  std::vector<std::vector<std::int32_t>> nodes{kDepths};
  std::vector<std::int32_t> open;
  std::vector<const Site*> sites;
  std::vector<BoundedSite> rough;  // of these sites, or of some
  std::vector<double> x, y, z;     // of these sites
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
        rough_lengths_(ellipsoid_of(*problem.earth, problem.metric)),
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
    worker.nodes[0].assign(1, 0);
    split(cells, 1, sites_.front(), worker);
  }

  /// `guess` is a site that may lead.
  void split(const Cells& cells, std::size_t depth, const Site& guess, Worker& worker) const {
    const std::vector<std::int32_t>& from = worker.nodes[depth - 1];
    std::vector<std::int32_t>& nodes = worker.nodes[depth];
    const Site& site = nearest_to(middle_of(cells), from, guess, worker.open);
    const Box box = points_.box(cells);
    const Dominator dominator(box, site.at, chords_);
    keep_nodes(dominator, box.longest_side(), from, nodes, worker.open);
    const bool is_leaf = std::max(cells.height(), cells.width()) <= kLeafCells;
    if (is_leaf || nodes.size() == 1) {
      keep_sites(dominator, nodes, worker);
      if (worker.sites.size() == 1) return give(cells, *worker.sites[0], worker);
    }
    if (is_leaf) return solve_leaf(cells, dominator, worker);
    const std::int64_t half = std::int64_t{kBlock} >> depth;
    for (std::int64_t top = cells.top; top < cells.bottom; top += half)
      for (std::int64_t left = cells.left; left < cells.right; left += half)
        split({top, std::min(top + half, cells.bottom), left, std::min(left + half, cells.right)},
              depth + 1, site, worker);
  }

  Point middle_of(const Cells& cells) const {
    return points_.at((cells.top + cells.bottom) / 2, (cells.left + cells.right) / 2);
  }

  /// The site of some nodes with the shortest chord.
  const Site& nearest_to(const Point& point, const std::vector<std::int32_t>& nodes,
                         const Site& guess, std::vector<std::int32_t>& open) const {
    const Site* nearest = &guess;
    double least = square_between(point, guess.at);
    open.assign(nodes.begin(), nodes.end());
    while (!open.empty()) {
      const std::int32_t number = open.back();
      open.pop_back();
      const SiteTree::Node& node = tree_.node(number);
      if (least_square(point, node.box) >= least) continue;
      if (node.right != 0) {
        const bool is_right = least_square(point, tree_.node(node.right).box) <
                              least_square(point, tree_.node(number + 1).box);
        open.push_back(is_right ? number + 1 : node.right);
        open.push_back(is_right ? node.right : number + 1);
        continue;
      }
      for (const Site& site : tree_.sites_of(node)) {
        const double square = square_between(point, site.at);
        if (square >= least) continue;
        least = square;
        nearest = &site;
      }
    }
    return *nearest;
  }

  /// Opens nodes until they are as small as the block, and keeps those that may matter to it.
  void keep_nodes(const Dominator& dominator, double side, const std::vector<std::int32_t>& from,
                  std::vector<std::int32_t>& kept, std::vector<std::int32_t>& open) const {
    kept.clear();
    open.assign(from.rbegin(), from.rend());
    while (!open.empty()) {
      const std::int32_t number = open.back();
      open.pop_back();
      const SiteTree::Node& node = tree_.node(number);
      if (dominator.dominates(node.box)) continue;
      if (node.right == 0 || node.box.longest_side() <= side) {
        kept.push_back(number);
        continue;
      }
      open.push_back(node.right);
      open.push_back(number + 1);
    }
  }

  /// The sites of nodes that may matter to a block.
  void keep_sites(const Dominator& dominator, const std::vector<std::int32_t>& nodes,
                  Worker& worker) const {
    worker.sites.clear();
    for (const std::int32_t number : nodes)
      for (const Site& site : tree_.sites_of(tree_.node(number)))
        if (!dominator.dominates(site.at)) worker.sites.push_back(&site);
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

  void solve_leaf(const Cells& cells, const Dominator& dominator, Worker& worker) const {
    const std::vector<const Site*>& sites = worker.sites;
    if (sites.size() > kMany && dominator.is_far()) {
      leave_out_farther(cells, worker);
      if (sites.size() > kMany && cells.count() > 1) return solve_quarters(cells, worker);
    }
    worker.x.clear();
    worker.y.clear();
    worker.z.clear();
    worker.is_near = chords_.is_near(dominator.greatest_square());
    const double axis_ratio = worker.is_near ? chords_.axis_ratio() : 1;
    for (const Site* const site : sites) {
      worker.x.push_back(site->at[0]);
      worker.y.push_back(site->at[1]);
      worker.z.push_back(site->at[2] * axis_ratio);
    }
    for (std::int64_t y = cells.top; y < cells.bottom; ++y) {
      take_cells(cells, y, axis_ratio, worker);
      find_nearest_two_({worker.cell_x.data(), worker.cell_y.data(), worker.cell_z.data()},
                        {worker.x.data(), worker.y.data(), worker.z.data()}, sites.size(),
                        worker.nearest);
      for (std::int64_t x = cells.left; x < cells.right; ++x)
        solve_cell(y, x, static_cast<std::size_t>(x - cells.left), worker);
      ways_.write({0, y, cells.left, cells.width()}, worker.row);
    }
  }

  void solve_quarters(const Cells& cells, Worker& worker) const {
    const std::vector<const Site*> sites = worker.sites;
    const std::int64_t half = (std::max(cells.height(), cells.width()) + 1) / 2;
    for (std::int64_t top = cells.top; top < cells.bottom; top += half)
      for (std::int64_t left = cells.left; left < cells.right; left += half) {
        const Cells quarter{top, std::min(top + half, cells.bottom), left,
                            std::min(left + half, cells.right)};
        const Point middle = middle_of(quarter);
        const Site* const nearest =
            *std::min_element(sites.begin(), sites.end(), [&](const Site* a, const Site* b) {
              return square_between(middle, a->at) < square_between(middle, b->at);
            });
        const Dominator dominator(points_.box(quarter), nearest->at, chords_);
        worker.sites.clear();
        for (const Site* const site : sites)
          if (!dominator.dominates(site->at)) worker.sites.push_back(site);
        solve_leaf(quarter, dominator, worker);
      }
  }

  void take_cells(const Cells& cells, std::int64_t y, double axis_ratio, Worker& worker) const {
    for (std::size_t i = 0; i < kCellsAtOnce; ++i) {
      const std::int64_t x = std::min(cells.left + static_cast<std::int64_t>(i), cells.right - 1);
      const Point point = points_.at(y, x);
      worker.cell_x[i] = point[0];
      worker.cell_y[i] = point[1];
      worker.cell_z[i] = point[2] * axis_ratio;
    }
  }

  /// Step 3.
  void leave_out_farther(const Cells& cells, Worker& worker) const {
    const Point middle = middle_of(cells);
    std::vector<BoundedSite>& rough = worker.rough;
    measure(middle, worker.sites, rough);
    const double radius = greatest_way(cells, middle);
    const double limit = least_of_most(rough) + 2 * radius;
    std::erase_if(rough, [&](const BoundedSite& site) { return site.length.least > limit; });
    std::sort(rough.begin(), rough.end(), [](const BoundedSite& a, const BoundedSite& b) {
      return a.length.least < b.length.least;
    });
    Box sites = Box::empty();
    for (const BoundedSite& site : rough) sites.include(site.site->at);
    const double across = rough_lengths_.longest_of(square_between(sites.low, sites.high));
    const Comparison comparison(rough_lengths_, radius, across, rough.front().length,
                                rough.back().length);
    worker.sites.clear();
    std::size_t kept = 0;
    for (const BoundedSite& site : rough) {
      const auto front = rough.begin() + static_cast<std::ptrdiff_t>(std::min(kept, kFront));
      if (std::any_of(rough.begin(), front,
                      [&](const BoundedSite& other) { return comparison.is_farther(site, other); }))
        continue;
      worker.sites.push_back(site.site);
      rough[kept++] = site;
    }
  }

  void measure(const Point& from, const std::vector<const Site*>& sites,
               std::vector<BoundedSite>& rough) const {
    rough.clear();
    for (const Site* const site : sites)
      rough.push_back({site, rough_lengths_.between(from, site->at)});
  }

  /// From the middle to the cells of a leaf.
  double greatest_way(const Cells& cells, const Point& middle) const {
    double greatest = 0;
    for (std::int64_t y = cells.top; y < cells.bottom; ++y)
      for (std::int64_t x = cells.left; x < cells.right; ++x)
        greatest = std::max(greatest, square_between(middle, points_.at(y, x)));
    return rough_lengths_.longest_of(greatest);
  }

  /// Cell number i of a row of a leaf.
  void solve_cell(std::int64_t y, std::int64_t x, std::size_t i, Worker& worker) const {
    const double least = worker.nearest.least[i];
    const double widest =
        worker.is_near ? chords_.widened(least) : chords_.widened_on_sphere(least);
    if (worker.nearest.next[i] <= widest) return compare_near(y, x, widest, i, worker);
    const auto nearest = static_cast<std::size_t>(worker.nearest.site[i]);
    worker.row.site[i] = worker.sites[nearest]->index;
    if (wants_lengths_)
      worker.row.exact[i] = ways_.metres(ways_.places().of_cell(y, x), worker.row.site[i]);
  }

  /// Decides among the sites whose chord is not clearly too long.
  void compare_near(std::int64_t y, std::int64_t x, double widest, std::size_t i,
                    Worker& worker) const {
    const Point from{worker.cell_x[i], worker.cell_y[i], worker.cell_z[i]};
    worker.near.clear();
    for (std::size_t k = 0; k < worker.x.size(); ++k)
      if (square_between(from, {worker.x[k], worker.y[k], worker.z[k]}) <= widest)
        worker.near.push_back(worker.sites[k]);
    measure(points_.at(y, x), worker.near, worker.rough);
    const double most = least_of_most(worker.rough);
    const LatLon place = ways_.places().of_cell(y, x);
    worker.row.site[i] = kUnreached;
    for (const BoundedSite& rough : worker.rough)
      if (rough.length.least <= most)
        ways_.take_nearer(place, rough.site->index, worker.row.site[i], worker.row.exact[i]);
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
  RoughLengths rough_lengths_;
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
