// SPDX-License-Identifier: Apache-2.0
#include "cost_slab_run.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "cell_values.hpp"
#include "interrupt.hpp"
#include "raster_input.hpp"
#include "row_store.hpp"
#include "slab_run.hpp"
#include "worker.hpp"

namespace thiessen::cli {
namespace {

/// What is kept of all cells.
enum Kept { kMap, kSites, kInitialCost, kCost, kSiteIndex, kLabels, kHops, kKeptRasters };

/// What is kept in the run, and of which type.
class KeptTypes {
 public:
  void keep(Kept which, ElementType type) {
    types_[which] = type;
    is_kept_[which] = true;
  }
  bool holds(Kept which) const { return is_kept_[which]; }
  ElementType type(Kept which) const { return types_[which]; }
  std::size_t bytes(Kept which) const { return holds(which) ? size_of(types_[which]) : 0; }

 private:
  std::array<ElementType, kKeptRasters> types_{};
  std::array<bool, kKeptRasters> is_kept_{};
};

KeptTypes kept_types(const CostInput& input, const CostDistanceOptions& options,
                     const CostResultArguments& results) {
  KeptTypes types;
  types.keep(kMap, input.map.element_type());
  types.keep(kCost, options.computed_in);
  const bool points = input.sites.are_points();
  if (!points) types.keep(kSites, input.sites.raster.element_type());
  const bool links = !results.back_link.empty();
  if (links || !results.labels.empty() || !results.site_index.empty())
    types.keep(kSiteIndex, ElementType::i64);
  if (!points && !results.labels.empty()) types.keep(kLabels, input.sites.label_type());
  if (links) types.keep(kHops, ElementType::i64);
  return types;
}

/// The rasters that a stage takes; those that it changes come last.
std::vector<Kept> rasters_of(CostStage stage) {
  switch (stage) {
    case CostStage::costs:
      return {kMap, kSites, kInitialCost, kCost};
    case CostStage::sites:
      return {kMap, kSites, kInitialCost, kCost, kSiteIndex, kLabels};
    case CostStage::hops:
      return {kMap, kCost, kSiteIndex, kHops};
  }
  return {};
}

bool is_changed(CostStage stage, Kept which) {
  switch (stage) {
    case CostStage::costs:
      return which == kCost;
    case CostStage::sites:
      return which == kSiteIndex || which == kLabels;
    case CostStage::hops:
      return which == kHops;
  }
  return false;
}

/// Whether only first visits of slabs take it.
bool is_for_begin(Kept which) { return which == kSites || which == kInitialCost; }

/// Rows in memory of what is kept.
using Rows = std::array<Raster, kKeptRasters>;

class Runner {
 public:
  explicit Runner(CostSlabRun& run)
      : run_(run),
        raster_(run.input.sites.extents()),
        types_(kept_types(run.input, run.options, run.results)),
        sites_before_(static_cast<std::size_t>(run.plan.slabs), 0) {
    if (!run.initial_cost_file.empty()) open_initial_cost();
  }

  nlohmann::ordered_json run() {
    // Says early what is wrong with the outputs; it is made again once all is known.
    { const CostResults trial(run_.results, run_.input, run_.context.threads()); }
    store_.emplace(first_output(), raster_[0]);
    for (int which = 0; which < kKeptRasters; ++which)
      places_[static_cast<std::size_t>(which)] =
          store_->add(types_.bytes(static_cast<Kept>(which)) *
                      static_cast<std::size_t>(raster_.count() / raster_[0]));
    copy_inputs();
    solve(CostStage::costs);
    warn();
    if (types_.holds(kSiteIndex)) solve(CostStage::sites);
    if (types_.holds(kHops)) solve(CostStage::hops);
    run_.report.set("visits", visits_);
    return write();
  }

 private:
  std::string first_output() const {
    for (const std::string* path : {&run_.results.labels, &run_.results.distance,
                                    &run_.results.site_index, &run_.results.back_link})
      if (!path->empty()) return *path;
    return {};
  }

  void open_initial_cost() {
    const std::string& path = run_.initial_cost_file;
    const io::RasterInfo info = as_usage([&] { return io::inspect_raster(path); });
    require_initial_cost(path, info.grid, info.element_type, run_.input.sites);
    types_.keep(kInitialCost, info.element_type);
  }

  // --- inputs

  void copy_inputs() {
    run_.progress.stage("read", 0.15, raster_.count());
    copy(kMap, map_path_, {.colours = false, .threads = run_.context.threads()});
    if (!run_.sites_file.empty()) {
      io::ReadOptions reading{.threads = run_.context.threads()};
      choose_band(run_.sites_band, reading);
      copy(kSites, run_.sites_file, reading);
    }
    if (types_.holds(kInitialCost))
      copy(kInitialCost, run_.initial_cost_file, {.threads = run_.context.threads()});
    run_.report.step("read");
  }

  void copy(Kept which, const std::string& path, const io::ReadOptions& options) {
    SlabInput file(path, options);
    const std::optional<LabelValue>& nodata = run_.input.map_nodata;
    const bool may_be_label = which == kSites && nodata && can_hold(types_.type(kSites), *nodata);
    const auto keep = [&](std::int64_t first, const View<const void>& cells) {
      store_->write(places_[which], {first, cells.extent(0)}, cells.bytes());
      if (may_be_label && any_holds(cells, *nodata)) run_.input.nodata_is_label = true;
      run_.progress.advance(share(first + cells.extent(0)));
    };
    file.for_each_slab(run_.plan.parts.front(), run_.plan.rows, keep);
  }

  double share(std::int64_t rows) const {
    return static_cast<double>(rows) / static_cast<double>(raster_[0]);
  }

  // --- visits

  SlabRows rows_of(std::size_t slab) const {
    const std::int64_t first = static_cast<std::int64_t>(slab) * run_.plan.rows;
    return {first, std::min(run_.plan.rows, raster_[0] - first)};
  }

  void solve(CostStage stage) {
    constexpr std::array<double, 3> kEnds{0.5, 0.75, 0.9};
    run_.progress.stage(name_of(stage).data(), kEnds[static_cast<std::size_t>(stage)],
                        raster_.count());
    std::vector<std::int64_t> heights(static_cast<std::size_t>(run_.plan.slabs));
    for (std::size_t slab = 0; slab < heights.size(); ++slab) heights[slab] = rows_of(slab).count;
    CostSlabQueue queue(heights);
    forget(stage);
    while (const auto next = queue.next()) {
      throw_if_interrupted();
      show(queue.visits());
      queue.add(next->slab, visit(stage, *next));
    }
    visits_[std::string(name_of(stage))] = queue.visits();
    run_.context.on_progress({});
    run_.context.release_scratch();
    held_ = {};
    run_.report.step(std::string(name_of(stage)));
  }

  /// First visits come first, and take most of the time; nobody knows how many others follow.
  void show(std::int64_t visits) {
    const auto slabs = static_cast<double>(run_.plan.slabs);
    const double others = std::max(static_cast<double>(visits) - slabs, 0.0);
    const double before = visits <= run_.plan.slabs
                              ? 0.8 * (static_cast<double>(visits) - 1) / slabs
                              : 1 - 0.2 / (1 + others / (4 * slabs));
    const double part = visits <= run_.plan.slabs ? 0.8 / slabs : 0;
    run_.context.on_progress(
        [this, before, part](double done) { run_.progress.advance(before + part * done); });
  }

  /// Marks the rows of all slabs as not known: those that lie beside a slab before their own first
  /// visit.
  void forget(CostStage stage) {
    const bool is_cost = stage == CostStage::costs;
    for (std::size_t slab = 1; slab < sites_before_.size(); ++slab) {
      const SlabRows rows{rows_of(slab).first,
                          std::min<std::int64_t>(rows_of(slab).count, kMostBeside)};
      const Kept which = is_cost ? kCost : stage == CostStage::sites ? kSiteIndex : kHops;
      Raster none = raster_of(which, rows.count);
      const std::int64_t count = none.extents().count();
      if (!is_cost)
        std::fill_n(reinterpret_cast<std::int64_t*>(none.bytes()), count, kUnreached);
      else if (none.element_type() == ElementType::f64)
        std::fill_n(reinterpret_cast<double*>(none.bytes()), count, CostSlabReport::kNone);
      else
        std::fill_n(reinterpret_cast<float*>(none.bytes()), count,
                    std::numeric_limits<float>::infinity());
      store_->write(places_[which], rows, none.bytes());
    }
  }

  CostSlabReport visit(CostStage stage, const CostSlabQueue::Visit& next) {
    const SlabRows own = rows_of(next.slab);
    const SlabRows rows = cost_slab_rows(raster_, own, run_.options.connectivity);
    for (const Kept which : rasters_of(stage))
      if (next.is_first || !is_for_begin(which)) load(which, rows);
    CostSlab slab = slab_of(own, stage, next.is_first);
    slab.sites_before = sites_before_[next.slab];
    const CostSlabReport report = next.is_first
                                      ? begin_cost_slab(run_.context, slab, run_.options, stage)
                                      : continue_cost_slab(run_.context, slab, run_.options, stage);
    for (const Kept which : rasters_of(stage))
      if (is_changed(stage, which)) save(which, rows, own);
    if (next.is_first && stage == CostStage::costs) note(next.slab, report);
    return report;
  }

  Raster raster_of(Kept which, std::int64_t rows) const {
    const Extents extents =
        raster_.rank() == 2 ? Extents{rows, raster_[1]} : Extents{rows, raster_[1], raster_[2]};
    return Raster(types_.type(which), extents);
  }

  void load(Kept which, const SlabRows& rows) {
    if (!types_.holds(which)) return;
    Raster& held = held_[which];
    if (held.extents().rank() == 0 || held.extents()[0] != rows.count)
      held = raster_of(which, rows.count);
    store_->read(places_[which], rows, held.bytes());
  }

  /// Keeps the own rows of a slab.
  void save(Kept which, const SlabRows& rows, const SlabRows& own) {
    if (!types_.holds(which)) return;
    const std::size_t row_bytes = held_[which].size_bytes() / static_cast<std::size_t>(rows.count);
    store_->write(
        places_[which], own,
        held_[which].bytes() + static_cast<std::size_t>(own.first - rows.first) * row_bytes);
  }

  CostSlab slab_of(const SlabRows& own, CostStage stage, bool is_first) {
    CostSlab slab{
        .raster = raster_,
        .own = own,
        .map = std::as_const(held_[kMap]).view(),
        .points = run_.input.sites.are_points() ? run_.input.sites.point_list() : PointList{},
        .cost = held_[kCost].view()};
    const bool with_sites = is_first && stage != CostStage::hops;
    if (with_sites && types_.holds(kSites)) slab.sites = std::as_const(held_[kSites]).view();
    if (with_sites && types_.holds(kInitialCost))
      slab.initial_cost = std::as_const(held_[kInitialCost]).view();
    if (stage == CostStage::costs) return slab;
    if (types_.holds(kSiteIndex)) slab.site_index = held_[kSiteIndex].view<std::int64_t>();
    if (types_.holds(kLabels) && held_[kLabels].extents().rank() > 0)
      slab.labels = held_[kLabels].view();
    if (types_.holds(kHops) && held_[kHops].extents().rank() > 0)
      slab.hops = held_[kHops].view<std::int64_t>();
    return slab;
  }

  void note(std::size_t slab, const CostSlabReport& report) {
    if (slab + 1 < sites_before_.size())
      sites_before_[slab + 1] = sites_before_[slab] + report.sites;
    sites_ += report.sites;
    if (report.ignored_sites > 0)
      first_ignored_ = ignored_ == 0 ? report.first_ignored_site
                                     : std::min(first_ignored_, report.first_ignored_site);
    ignored_ += report.ignored_sites;
  }

  void warn() {
    const std::string& name = run_.input.sites.name;
    run_.report.set("ignored_sites", ignored_);
    if (ignored_ > 0)
      run_.warnings.add(
          {"ignored_sites", ignored_,
           name + ": " + std::to_string(ignored_) + (ignored_ == 1 ? " site" : " sites") +
               " on barriers or outside of the map " + (ignored_ == 1 ? "is" : "are") +
               " ignored, the first with the index " + std::to_string(first_ignored_)});
    if (sites_ <= ignored_)
      run_.warnings.add({"no_site", 1, name + ": no site, so every cell is unreached"});
  }

  // --- outputs

  nlohmann::ordered_json write() {
    run_.progress.stage("write", 1, raster_.count());
    CostResults results(run_.results, run_.input, run_.context.threads());
    run_.options.nodata_label = results.nodata_label().value_or(run_.options.unreached);
    results.files().open_rows(run_.plan.rows, run_.plan.parts);
    Worker writer;
    try {
      for (std::size_t slab = 0; slab < sites_before_.size(); ++slab) {
        throw_if_interrupted();
        const SlabRows own = rows_of(slab);
        const SlabRows rows = cost_slab_rows(raster_, own, run_.options.connectivity);
        for (const Kept which : {kMap, kCost, kSiteIndex, kLabels, kHops}) load(which, rows);
        finish_cost_slab(run_.context, slab_of(own, CostStage::hops, false), run_.options,
                         first_rows(results.views(), own.count));
        results.files().write_rows(writer, own.count);
        run_.progress.advance(share(own.first + own.count));
      }
      results.files().finish_rows(writer);
    } catch (...) {
      results.files().abandon_rows(writer);
      throw;
    }
    run_.progress.finish();
    run_.report.step("write files");
    return results.files().names();
  }

  static constexpr std::int64_t kMostBeside = 2;

  CostSlabRun& run_;
  const Extents& raster_;
  KeptTypes types_;
  std::string map_path_ = run_.input.name;
  std::optional<RowStore> store_;
  std::array<std::size_t, kKeptRasters> places_{};
  Rows held_;
  std::vector<std::int64_t> sites_before_;  ///< for each slab
  std::int64_t sites_ = 0, ignored_ = 0, first_ignored_ = 0;
  nlohmann::ordered_json visits_ = nlohmann::ordered_json::object();
};

}  // namespace

SlabNeeds cost_slab_needs(const CostInput& input, const CostDistanceOptions& options,
                          const CostResultArguments& results, std::size_t result_bytes,
                          std::size_t at_once) {
  const KeptTypes types = kept_types(input, options, results);
  const auto sum = [&](std::initializer_list<Kept> which) {
    std::size_t bytes = 0;
    for (const Kept each : which) bytes += types.bytes(each);
    return bytes;
  };
  // The map as floats, ranks, tight steps and lists of sites.
  const std::size_t scratch = size_of(options.computed_in) + sizeof(std::uint32_t) + 16;
  const std::size_t stages =
      sum({kMap, kSites, kInitialCost, kCost, kSiteIndex, kLabels, kHops}) + scratch;
  const std::size_t end = sum({kMap, kCost, kSiteIndex, kLabels, kHops}) + 2 * result_bytes;
  return {.at_once = at_once,
          .in_slab = std::max(stages, end),
          .rows_beside = options.connectivity == Connectivity::knights ? 4 : 2};
}

nlohmann::ordered_json solve_cost_by_slabs(CostSlabRun& run) { return Runner(run).run(); }

}  // namespace thiessen::cli
