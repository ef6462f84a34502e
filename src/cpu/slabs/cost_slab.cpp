// SPDX-License-Identifier: Apache-2.0
//
// A slab of cost distance is a raster with the rows beside it. All steps between its own cells and
// others lie in that raster, and cost there what they cost in the whole one: they touch no cells
// farther away. So the usual methods solve it. What is known of the rows beside the slab takes part
// as if it were sites:
//
//   costs  start with what is known; cells that are reached at less pass that on
//   sites  a cell beside the slab passes on the site that it has, like a root
//   (core/cost/labels.hpp) hops   the same with its number of steps, to cells of the same site
//
// In each stage values only fall, and every value that appears is that of a path. When no slab
// changes rows beside it any more, no step anywhere lowers anything: that is the fixed point of the
// whole raster (docs/cost-distance.md proves that there is one), whatever the order of visits.
//
// A later visit starts from the cells beside the slab that lower something in it. A step between
// own cells lowers nothing before that, so that nothing else has to be looked at.
#include "cpu/slabs/cost_slab.hpp"

#include <algorithm>
#include <bit>
#include <compare>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "core/base/cell_access.hpp"
#include "core/base/cell_queue.hpp"
#include "core/cost/labels.hpp"
#include "core/search/special_values.hpp"
#include "cpu/cost/cost.hpp"
#include "cpu/cost/tiles/ranks.hpp"
#include "threads/rows.hpp"

namespace thiessen::cpu {
namespace {

/// A cell from which a value spreads: its site, or its number of hops.
struct Source {
  std::int64_t value;
  std::int64_t cell;

  bool operator<(const Source& other) const {
    return value != other.value ? value < other.value : cell < other.cell;
  }
};

/// Whether a site or a number of hops comes before another one; -1, which is none, comes last.
bool is_less(std::int64_t a, std::int64_t b) {
  return static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b);
}

template <class T>
class SlabVisit {
 public:
  SlabVisit(ContextState& state, const CostSlabProblem& slab)
      : state_(state),
        slab_(slab),
        extent_(slab.problem.extent),
        edges_(make_edges<T>(slab.problem)),
        deltas_(neighbour_deltas(edges_, extent_)),
        is_plain_(!edges_.tight_barriers && edges_.count != 16),
        resistance_(static_cast<T*>(slab.resistance)),
        cost_(static_cast<T*>(slab.cost)),
        loop_(loop_over_rows(state, extent_[2], extent_[2])) {
    constexpr std::int64_t kUnits = 4 + kUnitsOfCost + cost::kUnitsOfRank;
    state.progress.begin(kUnits * slab.problem.cells());
  }

  CostSlabReport begin(CostStage stage) {
    switch (stage) {
      case CostStage::costs:
        return begin_costs();
      case CostStage::sites:
        return begin_sites();
      case CostStage::hops:
        return begin_hops();
    }
    return {};
  }

  CostSlabReport go_on(CostStage stage) {
    switch (stage) {
      case CostStage::costs:
        return continue_costs();
      case CostStage::sites:
        return continue_sites();
      case CostStage::hops:
        return continue_hops();
    }
    return {};
  }

  void finish() {
    const std::int64_t lines = slab_.problem.rank == 2 ? 1 : extent_[1];  // of a row
    loop_((slab_.end - slab_.begin) * lines, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t line = begin; line < end; ++line) write_line(slab_.begin * lines + line);
    });
  }

 private:
  // --- costs

  CostSlabReport begin_costs() {
    copy_map();
    Scratch::Frame scratch(state_.scratch);
    CostSlabReport report;
    const CostSites<T> sites = list_all_sites(slab_.views, scratch, report);
    const T* const before = copy_beside(cost_, scratch);
    loop_(extent_[0] * extent_[1], [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t cell = begin * extent_[2]; cell < end * extent_[2]; ++cell)
        if (slab_.is_own(cell)) cost_[cell] = std::numeric_limits<T>::infinity();
    });
    auto* const starts = scratch.array<std::int64_t>(sites.count + beside_count());
    std::int64_t count = 0;
    for (std::int64_t rank = 0; rank < sites.count; ++rank) {
      const std::int64_t cell = sites.cell[rank];
      const T initial = sites.initial_of(rank);
      if (cell == kNoCell || initial > limit() || initial >= cost_[cell]) continue;
      cost_[cell] = initial;
      starts[count++] = cell;
    }
    slab_.for_each_beside([&](std::int64_t cell) {
      if (cost_[cell] <= limit()) starts[count++] = cell;
    });
    lower_costs(starts, count);
    tell_changes(cost_, before, report);
    return report;
  }

  void copy_map() {
    Scratch::Frame scratch(state_.scratch);
    const T* const map = load_map<T>(slab_.problem, slab_.views.map, loop_, scratch);
    loop_(extent_[0] * extent_[1], [&](std::int64_t begin, std::int64_t end) {
      std::copy(map + begin * extent_[2], map + end * extent_[2], resistance_ + begin * extent_[2]);
    });
  }

  CostSlabReport continue_costs() {
    Scratch::Frame scratch(state_.scratch);
    CostSlabReport report;
    const T* const before = copy_beside(cost_, scratch);
    auto* const starts = scratch.array<std::int64_t>(beside_count());
    std::int64_t count = 0;
    slab_.for_each_beside([&](std::int64_t cell) {
      bool lowers = false;
      for_each_neighbour(cell, [&](int k, std::int64_t next) {
        if (lowers || !slab_.is_own(next) || !(cost_[cell] < cost_[next])) return;
        const T cost = along(cost_[cell], weight(k, cell, next));
        lowers = cost < cost_[next] && cost <= limit();
      });
      if (lowers) starts[count++] = cell;
    });
    if (count == 0) return report;
    lower_costs(starts, count);
    tell_changes(cost_, before, report);
    return report;
  }

  /// Passes on the costs of some cells.
  void lower_costs(const std::int64_t* starts, std::int64_t count) {
    CostDistanceReport unused;
    solve_exactly(state_, job_of({.count = count, .cell = starts}), unused);
  }

  CostJob<T> job_of(const CostSites<T>& sites) const {
    return {.problem = slab_.problem,
            .edges = edges_,
            .limit = limit(),
            .resistance = resistance_,
            .sites = sites,
            .cost = cost_};
  }

  T limit() const { return greatest_cost<T>(slab_.problem); }

  /// The sites of all rows; those that are ignored have no cell. `report` gets those of own rows.
  CostSites<T> list_all_sites(const CostViews& views, Scratch::Frame& scratch,
                              CostSlabReport& report) {
    const CostSites<T> sites = list_sites<T>(slab_.problem, views, loop_, scratch);
    auto* const cells = const_cast<std::int64_t*>(sites.cell);  // our own, from the scratch
    sites_above_ =
        std::lower_bound(cells, cells + (sites.by_cell ? sites.count : 0), slab_.own_begin()) -
        cells;
    for (std::int64_t rank = 0; rank < sites.count; ++rank) {
      const std::int64_t cell = cells[rank];
      const bool is_ignored = cell == kNoCell || !is_passable(resistance_[cell]);
      if (is_ignored) cells[rank] = kNoCell;
      if (cell != kNoCell ? !slab_.is_own(cell) : !is_out_of_raster(rank)) continue;
      report.sites += cell != kNoCell ? 1 : 0;
      if (is_ignored && report.ignored_sites++ == 0)
        report.first_ignored_site = sites.by_cell ? slab_.first_cell() + cell : rank;
    }
    return sites;
  }

  /// Whether a point lies outside of the raster. The slab with the first row tells of it.
  bool is_out_of_raster(std::int64_t point) {
    if (slab_.first_row + slab_.begin != 0 || !slab_.problem.point_sites) return false;
    Scratch::Frame scratch(state_.scratch);
    const View<const void>& all = slab_.views.points;
    const View<const void> one(all.bytes() + point * all.stride(0), all.element_type(),
                               {1, all.extent(1)}, all.strides());
    Axes raster = extent_;
    raster[slab_.problem.rank == 2 ? 1 : 0] = slab_.raster_rows;
    return cell_of_point(raster, snap_points(one, scratch.array<Axes>(1)), 0) == kNoCell;
  }

  // --- sites

  CostSlabReport begin_sites() {
    Scratch::Frame scratch(state_.scratch);
    CostSlabReport report;
    const std::int64_t* const before = copy_beside(slab_.site, scratch);
    const CostSites<T> sites = list_labelled_sites(scratch);
    auto* const sources = scratch.array<Source>(sites.count + beside_count());
    auto* const initial = scratch.array<T>(sites.count + beside_count());
    const std::int64_t count = list_sources_of_sites(sites, sources, initial);
    auto* const cells = scratch.array<std::int64_t>(count);
    for (std::int64_t i = 0; i < count; ++i) cells[i] = sources[i].cell;
    auto* const rank = scratch.array<Rank>(slab_.problem.cells());
    find_ranks(state_, job_of({.count = count, .cell = cells, .initial = initial}), rank);
    loop_(extent_[0] * extent_[1], [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t cell = begin * extent_[2]; cell < end * extent_[2]; ++cell) {
        if (rank[cell] != kNoRank)
          take_site(cell, sources[rank[cell]].value, sources[rank[cell]].cell);
        else if (slab_.is_own(cell))
          slab_.site[cell] = kUnreached;
      }
    });
    tell_changes(slab_.site, before, report);
    return report;
  }

  /// The sites of all rows, whose labels are put into their cells.
  CostSites<T> list_labelled_sites(Scratch::Frame& scratch) {
    const bool is_labelled = slab_.label != nullptr;
    const bool is_numbered = slab_.views.sites.element_type() == ElementType::boolean;
    CostViews views = slab_.views;
    if (is_labelled && !is_numbered) {
      views.labels = views.sites;
      views.out.labels = View<void>(slab_.label, views.sites.element_type(), {1, 1, 1});
    }
    CostSlabReport unused;
    const CostSites<T> sites = list_all_sites(views, scratch, unused);
    for (std::int64_t rank = 0; is_labelled && rank < sites.count; ++rank) {
      const std::int64_t cell = sites.cell[rank];
      if (cell == kNoCell || is_known(cell)) continue;
      const std::int64_t number = slab_.sites_before - sites_above_ + rank + 1;
      const auto narrow = static_cast<std::int32_t>(number);
      const std::byte* label = reinterpret_cast<const std::byte*>(&number);
      if (!is_numbered)
        label = sites.label + static_cast<std::size_t>(rank) * slab_.label_bytes;
      else if (slab_.label_bytes == sizeof narrow)
        label = reinterpret_cast<const std::byte*>(&narrow);
      std::memcpy(label_of(cell), label, slab_.label_bytes);
    }
    return sites;
  }

  /// Whether a cell beside the slab has a site already.
  bool is_known(std::int64_t cell) const { return !slab_.is_own(cell) && slab_.site[cell] >= 0; }

  /// Lists the sites in whose cells nothing else is known, and what is known beside the slab, in
  /// the order of sites; and the costs with which these are roots.
  std::int64_t list_sources_of_sites(const CostSites<T>& sites, Source* sources, T* initial) {
    Source* end = sources;
    for (std::int64_t rank = 0; rank < sites.count; ++rank) {
      const std::int64_t cell = sites.cell[rank];
      if (cell == kNoCell || is_known(cell) || cost_[cell] != sites.initial_of(rank)) continue;
      *end++ = {sites.by_cell ? slab_.first_cell() + cell : rank, cell};
    }
    slab_.for_each_beside([&](std::int64_t cell) {
      if (is_known(cell)) *end++ = {slab_.site[cell], cell};
    });
    std::sort(sources, end);
    const std::int64_t count = end - sources;
    if (count >= std::int64_t{kNoRank})
      throw Error(ErrorCode::unsupported,
                  {"sites",
                   {},
                   "are " + std::to_string(count) + " in a slab; it takes fewer than 2^32 - 1"});
    for (std::int64_t i = 0; i < count; ++i) initial[i] = cost_[sources[i].cell];
    return count;
  }

  CostSlabReport continue_sites() {
    Scratch::Frame scratch(state_.scratch);
    CostSlabReport report;
    const std::int64_t* const before = copy_beside(slab_.site, scratch);
    auto* const sources = scratch.array<Source>(beside_count());
    Source* end = sources;
    slab_.for_each_beside([&](std::int64_t cell) {
      const std::int64_t site = slab_.site[cell];
      bool lowers = false;
      if (site >= 0)
        for_each_neighbour(cell, [&](int k, std::int64_t next) {
          lowers = lowers || (slab_.is_own(next) && is_less(site, slab_.site[next]) &&
                              is_tight_step(k, cell, next));
        });
      if (lowers) *end++ = {site, cell};
    });
    std::sort(sources, end);
    ChunkPool pool(scratch);
    CellQueue queue(pool);
    for (const Source* source = sources; source != end; ++source) spread_site(source->cell, queue);
    tell_changes(slab_.site, before, report);
    return report;
  }

  void spread_site(std::int64_t start, CellQueue& queue) {
    for (queue.push(start); !queue.empty();) {
      const std::int64_t cell = queue.pop_front();
      for_each_neighbour(cell, [&](int k, std::int64_t next) {
        if (!is_less(slab_.site[cell], slab_.site[next]) || !is_tight_step(k, cell, next)) return;
        take_site(next, slab_.site[cell], cell);
        queue.push(next);
      });
      check_sometimes();
    }
  }

  /// Gives a cell a site, whose label another cell has.
  void take_site(std::int64_t cell, std::int64_t site, std::int64_t labelled) {
    slab_.site[cell] = site;
    if (slab_.label != nullptr && cell != labelled)
      std::memcpy(label_of(cell), label_of(labelled), slab_.label_bytes);
  }

  std::byte* label_of(std::int64_t cell) const {
    return slab_.label + static_cast<std::size_t>(cell) * slab_.label_bytes;
  }

  // --- hops

  CostSlabReport begin_hops() {
    Scratch::Frame scratch(state_.scratch);
    CostSlabReport report;
    const std::int64_t* const before = copy_beside(slab_.hops, scratch);
    std::fill(slab_.hops + slab_.own_begin(), slab_.hops + slab_.own_end(), kUnreached);
    auto* const sources = scratch.array<Source>(beside_count());
    Source* end = sources;
    slab_.for_each_beside([&](std::int64_t cell) {
      if (slab_.hops[cell] > 0) *end++ = {slab_.hops[cell], cell};
    });
    Scratch::Frame points(state_.scratch);
    const CostSites<T> sites = slab_.problem.point_sites
                                   ? list_sites<T>(slab_.problem, slab_.views, loop_, points)
                                   : CostSites<T>{};
    Scratch::Frame chunks(state_.scratch);
    ChunkPool pool(chunks);
    CellQueue queue(pool);
    const auto start = [&](std::int64_t cell) {
      slab_.hops[cell] = 0;
      queue.push(cell);
    };
    for (std::int64_t i = 0; i < sites.count; ++i)
      if (sites.cell[i] != kNoCell && slab_.site[sites.cell[i]] == i) start(sites.cell[i]);
    for (std::int64_t cell = 0; !slab_.problem.point_sites && cell < slab_.problem.cells(); ++cell)
      if (slab_.site[cell] == slab_.first_cell() + cell) start(cell);
    count_hops(sources, end, queue);
    tell_changes(slab_.hops, before, report);
    return report;
  }

  CostSlabReport continue_hops() {
    Scratch::Frame scratch(state_.scratch);
    CostSlabReport report;
    const std::int64_t* const before = copy_beside(slab_.hops, scratch);
    auto* const sources = scratch.array<Source>(beside_count());
    Source* end = sources;
    slab_.for_each_beside([&](std::int64_t cell) {
      bool lowers = false;
      if (slab_.hops[cell] >= 0)
        for_each_neighbour(cell, [&](int k, std::int64_t next) {
          lowers = lowers || (slab_.is_own(next) && is_hop(k, cell, next));
        });
      if (lowers) *end++ = {slab_.hops[cell], cell};
    });
    ChunkPool pool(scratch);
    CellQueue queue(pool);
    count_hops(sources, end, queue);
    tell_changes(slab_.hops, before, report);
    return report;
  }

  /// Spreads hops from sources and from the cells of the queue, those with the fewest first.
  void count_hops(Source* source, Source* end, CellQueue& queue) {
    std::sort(source, end);
    std::int64_t waiting = kNoCell;  // taken from the queue already
    for (;;) {
      if (waiting == kNoCell && !queue.empty()) waiting = queue.pop_front();
      const bool is_source =
          source != end && (waiting == kNoCell || source->value < slab_.hops[waiting]);
      if (!is_source && waiting == kNoCell) return;
      const std::int64_t cell = is_source ? (source++)->cell : std::exchange(waiting, kNoCell);
      for_each_neighbour(cell, [&](int k, std::int64_t next) {
        if (!is_hop(k, cell, next)) return;
        slab_.hops[next] = slab_.hops[cell] + 1;
        queue.push(next);
      });
      check_sometimes();
    }
  }

  /// Whether a step gives a cell of the same site fewer hops than it has.
  bool is_hop(int k, std::int64_t cell, std::int64_t next) const {
    return slab_.site[cell] >= 0 && slab_.site[cell] == slab_.site[next] &&
           is_less(slab_.hops[cell] + 1, slab_.hops[next]) && is_tight_step(k, cell, next);
  }

  // --- steps; they cost the same both ways

  T weight(int k, std::int64_t cell, std::int64_t next) const {
    return is_plain_
               ? edges_.weight(k, step_sum(resistance_[cell], resistance_[next]))
               : step_weight(edges_, k, resistance_ + cell, extent_[1] * extent_[2], extent_[2]);
  }

  bool is_tight_step(int k, std::int64_t cell, std::int64_t next) const {
    return is_tight(cost_[cell], weight(k, cell, next), cost_[next]);
  }

  /// Calls visit(k, neighbour).
  template <class Visit>
  void for_each_neighbour(std::int64_t cell, const Visit& visit) const {
    thiessen::for_each_neighbour(edges_, deltas_, extent_, cell,
                                 [&](std::int64_t next, int k) { visit(k, next); });
  }

  // --- the rows beside the slab

  std::int64_t beside_count() const {
    return slab_.problem.cells() - (slab_.own_end() - slab_.own_begin());
  }

  template <class Value>
  const Value* copy_beside(const Value* values, Scratch::Frame& scratch) const {
    auto* const copy = scratch.array<Value>(beside_count());
    std::int64_t count = 0;
    slab_.for_each_beside([&](std::int64_t cell) { copy[count++] = values[cell]; });
    return copy;
  }

  /// Tells of the cells beside the slab whose values are not those of before.
  template <class Value>
  void tell_changes(const Value* values, const Value* before, CostSlabReport& report) const {
    slab_.for_each_beside([&](std::int64_t cell) {
      if (values[cell] == *before++) return;
      const std::int64_t row = cell / slab_.row_cells;
      double& least = row < slab_.begin
                          ? report.above[static_cast<std::size_t>(slab_.begin - 1 - row)]
                          : report.below[static_cast<std::size_t>(row - slab_.end)];
      least = std::min(least, static_cast<double>(cost_[cell]));
    });
  }

  // --- outputs

  /// Writes a line along x of the outputs.
  void write_line(std::int64_t line) const {
    const Axes first{line / extent_[1], line % extent_[1], 0};
    const CellReader map(slab_.views.map);
    const SiteRule nodata{.type = map.element_type(), .nodata = slab_.problem.nodata};
    for (std::int64_t x = 0; x < extent_[2]; x += kChunk) {
      Piece piece{.out = {first[0], first[1], x},
                  .first = line * extent_[2] + x,
                  .count = std::min(kChunk, extent_[2] - x)};
      if (slab_.problem.nodata) {
        ChunkBuffer buffer;
        classify(nodata, map.read(first[0], first[1], x, piece.count, buffer), piece.count,
                 piece.classes.data());
      }
      piece.out[slab_.problem.rank == 2 ? 1 : 0] -= slab_.begin;
      write_piece(piece);
    }
  }

  struct Piece {
    Axes out;  ///< its first cell in the outputs
    std::int64_t first;
    std::int64_t count;
    std::array<std::uint8_t, kChunk> classes{};

    bool is_nodata(std::int64_t i) const {
      return classes[static_cast<std::size_t>(i)] == kNodataCell;
    }
  };

  void write_piece(const Piece& piece) const {
    const CostDistanceOutputs& out = slab_.views.out;
    if (out.labels) write_labels(out.labels, piece);
    if (out.site_index)
      write<std::int64_t>(out.site_index, piece, [&](std::int64_t i) {
        return piece.is_nodata(i) ? kNodata : slab_.site[piece.first + i];
      });
    const auto cost_of = [&](std::int64_t i) {
      return piece.is_nodata(i) ? static_cast<T>(kNodataDistance) : cost_[piece.first + i];
    };
    if (out.distance && out.distance.element_type() == ElementType::f32)
      write<float>(out.distance, piece,
                   [&](std::int64_t i) { return static_cast<float>(cost_of(i)); });
    else if (out.distance)
      write<double>(out.distance, piece,
                    [&](std::int64_t i) { return static_cast<double>(cost_of(i)); });
    if (out.back_link)
      write<std::uint8_t>(out.back_link, piece, [&](std::int64_t i) {
        return piece.is_nodata(i) ? kBackLinkNodata : back_link(piece.first + i);
      });
  }

  std::uint8_t back_link(std::int64_t cell) const {
    if (slab_.site[cell] < 0) return kBackLinkUnreached;
    if (slab_.hops[cell] == 0) return 0;
    std::uint32_t back = 0;
    for_each_neighbour(cell, [&](int k, std::int64_t from) {
      const bool leads_back = slab_.site[from] == slab_.site[cell] &&
                              is_less(slab_.hops[from], slab_.hops[cell]) &&
                              is_tight(cost_[from], weight(k, cell, from), cost_[cell]);
      back |= std::uint32_t{leads_back} << k;
    });
    return link_along<T>(edges_, nullptr, back, 0);
  }

  void write_labels(const View<void>& view, const Piece& piece) const {
    visit_element_width(view.element_type(), [&]<class L>(std::type_identity<L>) {
      const auto from_bits = [](const std::byte* bytes) {
        L value;
        std::memcpy(&value, bytes, sizeof value);
        return value;
      };
      const L unreached = from_bits(slab_.problem.unreached.bytes.data());
      const L nodata = from_bits(slab_.problem.nodata_label.bytes.data());
      write<L>(view, piece, [&](std::int64_t i) {
        const std::int64_t site = slab_.site[piece.first + i];
        if (piece.is_nodata(i)) return nodata;
        if (site < 0) return unreached;
        if (!slab_.problem.point_sites) return from_bits(label_of(piece.first + i));
        if (!slab_.views.labels) return static_cast<L>(site + 1);
        if (site >= slab_.views.labels.extent(0)) return unreached;  // not by a visit
        return from_bits(slab_.views.labels.bytes() + site * slab_.views.labels.stride(0));
      });
    });
  }

  template <class Out, class Of>
  void write(const View<void>& view, const Piece& piece, const Of& of) const {
    ChunkBuffer buffer;
    const CellWriter<Out> writer(address_of(view, piece.out), view.stride(2), buffer);
    Out* const cells = writer.begin();
    for (std::int64_t i = 0; i < piece.count; ++i) cells[i] = of(i);
    writer.flush(piece.count);
  }

  void check_sometimes() {
    constexpr std::int64_t kStride = 4096;
    if (++steps_ % kStride == 0) state_.progress.check();
  }

  ContextState& state_;
  const CostSlabProblem& slab_;
  Axes extent_;
  CostEdges<T> edges_;
  std::array<std::int64_t, kMostNeighbours> deltas_;
  bool is_plain_;  ///< steps depend only on the two cells
  T* resistance_;
  T* cost_;
  Loop loop_;
  std::int64_t sites_above_ = 0;  ///< sites of the raster in the rows above the slab
  std::int64_t steps_ = 0;
};

/// Calls act(visit) in the float type of a slab.
template <class Act>
auto with_visit(ContextState& state, const CostSlabProblem& slab, const Act& act) {
  if (slab.problem.wide) {
    SlabVisit<double> visit(state, slab);
    return act(visit);
  }
  SlabVisit<float> visit(state, slab);
  return act(visit);
}

}  // namespace

CostSlabReport begin_cost_slab(ContextState& state, const CostSlabProblem& slab, CostStage stage) {
  return with_visit(state, slab, [&](auto& visit) { return visit.begin(stage); });
}

CostSlabReport continue_cost_slab(ContextState& state, const CostSlabProblem& slab,
                                  CostStage stage) {
  return with_visit(state, slab, [&](auto& visit) { return visit.go_on(stage); });
}

void finish_cost_slab(ContextState& state, const CostSlabProblem& slab) {
  with_visit(state, slab, [&](auto& visit) { visit.finish(); });
}

}  // namespace thiessen::cpu
