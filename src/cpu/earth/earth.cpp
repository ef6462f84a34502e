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
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "core/result_writer.hpp"
#include "core/site_cells.hpp"
#include "cpu/earth/chords.hpp"
#include "cpu/earth/geodesic.hpp"
#include "cpu/earth/nearest_two.hpp"
#include "cpu/earth/site_tree.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu {
namespace earth {
namespace {

constexpr std::int64_t kBlock = 64;
constexpr std::int64_t kLeafCells = kCellsAtOnce;

/// Coordinates of rows or of columns, also between and beyond them.
class Scale {
 public:
  Scale(const std::vector<double>& centres, int fraction_bits)
      : centres_(centres), unit_(std::ldexp(1.0, -fraction_bits)) {}

  /// `place` counts from the first centre, in units of 2^-fraction_bits of a cell.
  double at(std::int64_t place) const {
    const auto last = static_cast<std::int64_t>(centres_.size()) - 1;
    const double cells = static_cast<double>(place) * unit_;
    const double floor = std::floor(cells);
    if (floor == cells && floor >= 0 && floor <= static_cast<double>(last))
      return centres_[static_cast<std::size_t>(floor)];
    if (last == 0) return centres_[0];
    const auto from =
        static_cast<std::size_t>(std::clamp(floor, 0.0, static_cast<double>(last - 1)));
    return centres_[from] +
           (cells - static_cast<double>(from)) * (centres_[from + 1] - centres_[from]);
  }

 private:
  const std::vector<double>& centres_;
  double unit_;
};

/// Where cells and sites are.
class Places {
 public:
  explicit Places(const Problem& problem)
      : rows_(problem.earth->latitude, problem.fraction_bits),
        columns_(problem.earth->longitude, problem.fraction_bits),
        bits_(problem.fraction_bits) {}

  /// In the units of S, as sites are given.
  Place place(std::int64_t y, std::int64_t x) const {
    return {std::clamp(rows_.at(y), -90.0, 90.0), columns_.at(x)};
  }
  Place of_cell(std::int64_t y, std::int64_t x) const { return place(y << bits_, x << bits_); }

 private:
  Scale rows_;
  Scale columns_;
  int bits_;
};

/// The places of sites by their site index.
class SitePlaces {
 public:
  SitePlaces(const Problem& problem, const ProblemViews& views, const Places& places)
      : problem_(problem), views_(views), places_(places) {}

  Place operator()(std::int64_t index) const {
    const Axes at =
        problem_.point_sites ? views_.points.at[index] : to_cell(problem_.extent, index);
    return places_.place(at[1], at[2]);
  }

 private:
  const Problem& problem_;
  const ProblemViews& views_;
  const Places& places_;
};

std::span<Site> list_sites(ContextState& state, Scratch::Frame& scratch, const Problem& problem,
                           const ProblemViews& views, const Places& places, const Chords& chords) {
  Site* sites = nullptr;
  std::int64_t count = 0;
  if (problem.point_sites) {
    count = views.points.count;
    sites = scratch.array<Site>(count);
    for (std::int64_t i = 0; i < count; ++i) {
      const Axes& at = views.points.at[i];
      sites[i] = {chords.point(places.place(at[1], at[2])), i};
    }
  } else {
    Site* next = nullptr;
    count = list_site_cells(
        problem, views.sites, state.progress,
        [&](std::int64_t all) { sites = next = scratch.array<Site>(all); },
        [&](const Axes& cell) {
          *next++ = {chords.point(places.of_cell(cell[1], cell[2])),
                     to_index(problem.extent, cell)};
        });
  }
  return {sites, static_cast<std::size_t>(count)};
}

/// Cells of a block of rows and columns.
struct Cells {
  std::int64_t top, bottom, left, right;  // before the last ones

  std::int64_t height() const { return bottom - top; }
  std::int64_t width() const { return right - left; }
};

/// The points of cells: rows give the distances from the axis and from the equator, columns the
/// direction from the axis.
class CellPoints {
 public:
  CellPoints(const Problem& problem, const Chords& chords) {
    for (const double latitude : problem.earth->latitude) {
      const auto [out, up] = chords.meridian(latitude);
      out_.push_back(out);
      up_.push_back(up);
    }
    for (const double longitude : problem.earth->longitude) {
      cosine_.push_back(std::cos(longitude * Chords::kRadians));
      sine_.push_back(std::sin(longitude * Chords::kRadians));
    }
  }

  Point at(std::int64_t y, std::int64_t x) const {
    const auto row = static_cast<std::size_t>(y);
    const auto column = static_cast<std::size_t>(x);
    return {out_[row] * cosine_[column], out_[row] * sine_[column], up_[row]};
  }

  Box box(const Cells& cells) const {
    const Range out = range(out_, cells.top, cells.bottom);  // not negative
    const Range up = range(up_, cells.top, cells.bottom);
    const Range cosine = range(cosine_, cells.left, cells.right);
    const Range sine = range(sine_, cells.left, cells.right);
    const auto low = [&](double least) { return least * (least < 0 ? out.most : out.least); };
    const auto high = [&](double most) { return most * (most < 0 ? out.least : out.most); };
    return {{low(cosine.least), low(sine.least), up.least},
            {high(cosine.most), high(sine.most), up.most}};
  }

 private:
  struct Range {
    double least, most;
  };

  static Range range(const std::vector<double>& values, std::int64_t begin, std::int64_t end) {
    const auto found = std::minmax_element(values.begin() + begin, values.begin() + end);
    return {*found.first, *found.second};
  }

  std::vector<double> out_, up_, cosine_, sine_;
};

/// Nodes or sites that may be nearest, and the reach that they give a block.
template <class Item>
struct Kept {
  std::vector<Item> items;
  std::vector<double> squares;  ///< of the least distance of each
  double reach_square = std::numeric_limits<double>::infinity();

  void clear(double reach) {
    items.clear();
    squares.clear();
    reach_square = reach;
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
        views_(views),
        ellipsoid_(ellipsoid_of(problem)),
        chords_(ellipsoid_),
        geodesic_(ellipsoid_),
        places_(problem),
        site_places_(problem, views, places_),
        find_nearest_two_(nearest_two_kernel(state.instruction_sets)),
        slab_(whole_raster(problem)),
        scratch_(state.scratch) {
    planar_ = views;
    planar_.out.direction = {};
    wants_lengths_ = views.out.distance || problem.limited;
  }

  void run() {
    const PhaseTimer phase(state_, "earth");
    const std::span<Site> sites = list_sites(state_, scratch_, problem_, views_, places_, chords_);
    const SiteTree tree(sites, state_.progress);
    const CellPoints points(problem_, chords_);
    tree_ = &tree;
    points_ = &points;
    has_sites_ = !sites.empty();
    const ResultWriter<double> writer(problem_, slab_, planar_, Write::all);
    writer_ = &writer;
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

  /// S and site index of each cell of a row, by comparing all sites.
  void run_by_force() {
    const PhaseTimer phase(state_, "brute force");
    const std::span<Site> sites = list_sites(state_, scratch_, problem_, views_, places_, chords_);
    const ResultWriter<double> writer(problem_, slab_, planar_, Write::all);
    writer_ = &writer;
    parallel_for(state_, problem_.extent[1], 1, problem_.extent[2],
                 [&](std::int64_t begin, std::int64_t end, int) {
                   Winners<double> row;
                   for (std::int64_t y = begin; y < end; ++y)
                     for_each_chunk(0, y, problem_.extent[2], [&](const Chunk& chunk) {
                       compare_all(chunk, sites, row);
                       write(chunk, row);
                     });
                 });
  }

 private:
  static Ellipsoid ellipsoid_of(const Problem& problem) {
    constexpr double kEquator = 6378137;
    constexpr double kMean = 6371008.8;
    const bool sphere = problem.metric == Metric::great_circle;
    return {problem.earth->radius.value_or(sphere ? kMean : kEquator),
            sphere ? 0 : problem.earth->flattening};
  }

  void compare_all(const Chunk& chunk, std::span<const Site> sites, Winners<double>& row) const {
    for (std::int64_t i = 0; i < chunk.count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const Place from = places_.of_cell(chunk.y, chunk.x + i);
      row.site[at] = kUnreached;
      row.exact[at] = 0;
      for (const Site& site : sites)
        take_nearer(site.index, geodesic_.micrometres(from, site_places_(site.index)), row.site[at],
                    row.exact[at]);
      row.exact[at] /= kMicrometres;
      state_.progress.check();
    }
  }

  static void take_nearer(std::int64_t site, double length, std::int64_t& winner, double& least) {
    if (winner != kUnreached && (length > least || (length == least && site > winner))) return;
    winner = site;
    least = length;
  }

  void solve_block(const Cells& cells, Worker& worker) const {
    if (!has_sites_) return write_unreached(cells, worker);
    Kept<std::int32_t>& root = worker.nodes[0];
    root.clear(std::numeric_limits<double>::infinity());
    root.add(0, 0);
    split(cells, 1, worker);
  }

  void split(const Cells& cells, std::size_t depth, Worker& worker) const {
    const Box box = points_->box(cells);
    const std::vector<std::int32_t>& nodes = worker.nodes[depth].items;
    keep_nodes(box, worker.nodes[depth - 1].items, worker.nodes[depth], worker.open);
    const bool is_leaf = std::max(cells.height(), cells.width()) <= kLeafCells;
    if (is_leaf || nodes.size() == 1) keep_sites(box, nodes, worker);
    if ((is_leaf || nodes.size() == 1) && worker.sites.items.size() == 1)
      return give(cells, *worker.sites.items[0], worker);
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
    kept.clear(std::numeric_limits<double>::infinity());
    const double side = box.longest_side();
    open.assign(from.rbegin(), from.rend());
    for (const std::int32_t number : open)
      kept.reach_square =
          std::min(kept.reach_square, greatest_square(box, tree_->node(number).box));
    while (!open.empty()) {
      const std::int32_t number = open.back();
      open.pop_back();
      const SiteTree::Node& node = tree_->node(number);
      const double least = least_square(box, node.box);
      if (least > chords_.widened_on_sphere(kept.reach_square)) continue;
      if (node.right == 0 || node.box.longest_side() <= side) {
        kept.add(number, least);
        continue;
      }
      for (const std::int32_t half : {node.right, number + 1}) {
        kept.reach_square =
            std::min(kept.reach_square, greatest_square(box, tree_->node(half).box));
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
        worker.row.exact[i] = wants_lengths_ ? metres(places_.of_cell(y, x), site.index) : 0;
      }
      write({0, y, cells.left, cells.width()}, worker.row);
    }
  }

  double metres(const Place& from, std::int64_t site) const {
    return geodesic_.micrometres(from, site_places_(site)) / kMicrometres;
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
      write({0, y, cells.left, cells.width()}, worker.row);
    }
  }

  void take_cells(const Cells& cells, std::int64_t y, double press, Worker& worker) const {
    for (std::size_t i = 0; i < kCellsAtOnce; ++i) {
      const std::int64_t x = std::min(cells.left + static_cast<std::int64_t>(i), cells.right - 1);
      const Point point = points_->at(y, x);
      worker.cell_x[i] = point[0];
      worker.cell_y[i] = point[1];
      worker.cell_z[i] = point[2] * press;
    }
  }

  void keep_sites(const Box& box, const std::vector<std::int32_t>& nodes, Worker& worker) const {
    Kept<const Site*>& sites = worker.sites;
    sites.clear(std::numeric_limits<double>::infinity());
    worker.open.assign(nodes.begin(), nodes.end());
    while (!worker.open.empty()) {
      const std::int32_t number = worker.open.back();
      worker.open.pop_back();
      const SiteTree::Node& node = tree_->node(number);
      if (node.right != 0) {
        worker.open.push_back(node.right);
        worker.open.push_back(number + 1);
        continue;
      }
      for (const Site& site : tree_->sites_of(node)) {
        const Box at{site.at, site.at};
        sites.reach_square = std::min(sites.reach_square, greatest_square(box, at));
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
    if (wants_lengths_) worker.row.exact[i] = metres(places_.of_cell(y, x), worker.row.site[i]);
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
    if (!worker.is_near) drop_far_by_ellipsoid(points_->at(y, x), worker.near);
    const Place place = places_.of_cell(y, x);
    double micrometres = 0;
    worker.row.site[i] = kUnreached;
    for (const Site* const site : worker.near)
      take_nearer(site->index, geodesic_.micrometres(place, site_places_(site->index)),
                  worker.row.site[i], micrometres);
    worker.row.exact[i] = micrometres / kMicrometres;
  }

  /// Where chords on the sphere leave several sites, those of the ellipsoid may leave fewer.
  void drop_far_by_ellipsoid(const Point& cell, std::vector<const Site*>& sites) const {
    double least = std::numeric_limits<double>::infinity();
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
      write({0, y, cells.left, cells.width()}, worker.row);
    }
  }

  void write(const Chunk& chunk, Winners<double>& row) const {
    writer_->write(chunk, row);
    const View<float>& direction = views_.out.direction;
    if (!direction) return;
    for (std::int64_t i = 0; i < chunk.count; ++i) {
      const std::int64_t site = row.site[static_cast<std::size_t>(i)];
      const Place from = places_.of_cell(chunk.y, chunk.x + i);
      const float azimuth = site < 0
                                ? std::numeric_limits<float>::quiet_NaN()
                                : static_cast<float>(geodesic_.azimuth(from, site_places_(site)));
      std::memcpy(
          direction.bytes() + chunk.y * direction.stride(1) + (chunk.x + i) * direction.stride(2),
          &azimuth, sizeof azimuth);
    }
  }

  static constexpr double kMicrometres = 1e6;

  ContextState& state_;
  const Problem& problem_;
  const ProblemViews& views_;
  ProblemViews planar_;  ///< without the direction, which is the azimuth here
  Ellipsoid ellipsoid_;
  Chords chords_;
  Geodesic geodesic_;
  Places places_;
  SitePlaces site_places_;
  FindNearestTwo find_nearest_two_;
  const Slab slab_;
  Scratch::Frame scratch_;
  const SiteTree* tree_ = nullptr;
  const CellPoints* points_ = nullptr;
  const ResultWriter<double>* writer_ = nullptr;
  bool has_sites_ = false;
  bool wants_lengths_ = false;
};

}  // namespace
}  // namespace earth

void run_earth(ContextState& state, const Problem& problem, const ProblemViews& views) {
  state.progress.begin(problem.cells());
  earth::Search(state, problem, views).run();
}

void run_earth_by_force(ContextState& state, const Problem& problem, const ProblemViews& views) {
  state.progress.begin(problem.cells());
  earth::Search(state, problem, views).run_by_force();
}

}  // namespace thiessen::cpu
