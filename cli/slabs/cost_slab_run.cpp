// SPDX-License-Identifier: Apache-2.0
#include "slabs/cost_slab_run.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "inputs/cell_values.hpp"
#include "inputs/raster_input.hpp"
#include "inputs/site_rows.hpp"
#include "io/raster/quantity.hpp"
#include "slabs/cost_store.hpp"
#include "slabs/slab_run.hpp"
#include "slabs/worker.hpp"
#include "talk/interrupt.hpp"
#include "talk/reporting.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {
namespace {

/// A path that winds goes on in slabs that are in memory, as a rule.
constexpr std::int64_t kSlabsHeld = 8;

/// How much longer a run works than it takes to keep what it has found.
constexpr int kWorkPerKeeping = 20;

KeptTypes kept_types(const CostInput& input, const CostDistanceOptions& options,
                     const CostResultArguments& results) {
  KeptTypes types;
  types.keep(Kept::map, input.map.element_type());
  types.keep(Kept::resistance, to_element_type(options.distance_type));
  types.keep(Kept::cost, to_element_type(options.distance_type));
  const bool points = input.sites.are_points();
  if (!points) types.keep(Kept::sites, input.sites.raster.element_type());
  const bool links = results.files.has("back_link"), labels = results.files.has("labels");
  if (links || labels || results.files.has("site_index"))
    types.keep(Kept::site_index, ElementType::i64);
  if (!points && labels) types.keep(Kept::labels, input.sites.label_type());
  if (links) types.keep(Kept::hops, ElementType::i64);
  if (input.has_initial_cost) types.keep(Kept::initial_cost, ElementType::f64);  // or f32
  return types;
}

/// The rasters that a stage takes.
std::vector<Kept> rasters_of(CostStage stage) {
  switch (stage) {
    case CostStage::costs:
      return {Kept::map, Kept::sites, Kept::initial_cost, Kept::resistance, Kept::cost};
    case CostStage::sites:
      return {Kept::sites, Kept::initial_cost, Kept::resistance,
              Kept::cost,  Kept::site_index,   Kept::labels};
    case CostStage::hops:
      return {Kept::resistance, Kept::cost, Kept::site_index, Kept::hops};
  }
  return {};
}

/// Whether its first visits make it.
bool is_made(CostStage stage, Kept which) {
  return changing_stage(which) == stage || (stage == CostStage::costs && which == Kept::resistance);
}

/// Whether only first visits of slabs take it.
bool is_for_begin(Kept which) {
  return which == Kept::map || which == Kept::sites || which == Kept::initial_cost;
}

/// A slab in memory: what its stage takes of it, with the rows beside it.
struct HeldSlab {
  SlabRows own;
  SlabRows rows;
  OfKept<Raster> rasters;
  std::int64_t last_use = 0;
  bool is_written = false;  ///< since its last visit
};

using Clock = std::chrono::steady_clock;

/// Inputs that are read from their files whenever a slab needs them.
class DirectInputs {
 public:
  DirectInputs() = default;
  ~DirectInputs() {
    worker_.start([this] { files_ = {}; });
    worker_.wait();
  }
  DirectInputs(const DirectInputs&) = delete;
  DirectInputs& operator=(const DirectInputs&) = delete;

  void open(Kept which, const SlabInput::Open& open) {
    on_worker([&] { files_[which] = open(); });
  }
  bool has(Kept which) const { return files_[which] != nullptr; }
  void read(Kept which, const SlabRows& rows, std::byte* to) {
    on_worker([&] { files_[which]->read(rows.first, rows.count, to); });
  }

 private:
  void on_worker(const std::function<void()>& work) {
    worker_.start(work);
    as_usage([&] { worker_.wait(); });
  }

  OfKept<std::unique_ptr<io::RowReader>> files_;
  Worker worker_;  // which is gone before them
};

class Runner {
 public:
  explicit Runner(CostSlabRun& run)
      : run_(run),
        raster_(run.input.sites.extents()),
        types_(kept_types(run.input, run.options, run.results)),
        is_begun_(static_cast<std::size_t>(run.plan.slabs), false) {
    found_.sites_before.resize(is_begun_.size());
    if (!run.initial_cost_file.empty()) open_initial_cost();
    if (!run.initial_cost_field.empty())
      initial_costs_ = initial_costs_of_features(run.initial_cost_field, run.input.sites);
  }

  nlohmann::ordered_json run() {
    // Says early what is wrong with the outputs; it is made again once all is known.
    { const CostResults trial(run_.results, run_.input, run_.context.threads()); }
    if (run_.plan.folder != nullptr) run_.plan.folder->begin(run_.plan.rows);
    open_inputs();
    store_.emplace(copied_types(), raster_, run_.plan, first_output());
    take_inputs();
    solve(CostStage::costs);
    warn();
    if (types_.holds(Kept::site_index)) solve(CostStage::sites);
    if (types_.holds(Kept::hops)) solve(CostStage::hops);
    run_.input.nodata_is_label = found_.nodata_is_label;
    run_.report.set("visits", visits_);
    nlohmann::ordered_json names = write();
    if (store_->is_kept()) store_->remove();
    return names;
  }

 private:
  std::string first_output() const {
    const std::vector<std::string> paths = run_.results.files.paths();
    return paths.empty() ? "" : paths.front();
  }

  void open_initial_cost() {
    const std::string& path = run_.initial_cost_file;
    const io::RasterInfo info = as_usage([&] { return io::inspect_raster(path); });
    require_scaling(path, info.scaling);
    const ElementType type = info.scaling ? ElementType::f64 : info.element_type;
    require_initial_cost(path, info.grid, type, run_.input.sites);
    types_.keep(Kept::initial_cost, type);
    initial_cost_nodata_ = info.nodata;
  }

  // --- inputs

  /// Opens the inputs that need no copy: rasters in files, of which any rows can be read.
  void open_inputs() {
    const int threads = run_.context.threads();
    const Sites& sites = run_.input.sites;
    const auto open = [&](const std::string& path, const std::optional<LabelValue>& nodata) {
      return io::quantity_rows(io::open_rows(path, {.colours = false, .threads = threads}), nodata);
    };
    inputs_.open(Kept::map, [&] { return open(map_path_, run_.input.map_nodata); });
    if (types_.holds(Kept::sites) && !sites.image && !sites.layer && !run_.sites.file.empty())
      inputs_.open(Kept::sites,
                   [&] { return open_site_rows(run_.sites, sites, rows_at_once(), threads); });
    if (!run_.initial_cost_file.empty())
      inputs_.open(Kept::initial_cost,
                   [&] { return open(run_.initial_cost_file, initial_cost_nodata_); });
  }

  /// What the store has to hold.
  KeptTypes copied_types() const {
    KeptTypes types = types_;
    for (const Kept which : {Kept::map, Kept::sites, Kept::initial_cost})
      if (inputs_.has(which)) types.drop(which);
    return types;
  }

  /// Copies the other inputs, unless the interrupted run did: then this one goes on from what it
  /// knew.
  void take_inputs() {
    if (store_->before()) {
      found_ = *store_->before();
    } else {
      if (types_.holds(Kept::sites) && !inputs_.has(Kept::sites)) copy(Kept::sites);
      if (!run_.initial_cost_field.empty()) copy(Kept::initial_cost);
      if (store_->is_kept()) keep(CostStage::costs);
    }
    if (store_->is_kept()) run_.report.set("resumed", slabs_begun());
  }

  /// First visits of slabs that need not be done, in all stages.
  std::int64_t slabs_begun() const {
    std::int64_t count = 0;
    for (const CostStage stage : {CostStage::costs, CostStage::sites, CostStage::hops})
      for (std::size_t slab = 0; slab < is_begun_.size(); ++slab)
        count += store_->holds(stage, slab) ? 1 : 0;
    return count;
  }

  std::unique_ptr<io::RowReader> open_copied(Kept which) const {
    const Sites& sites = run_.input.sites;
    if (which == Kept::initial_cost) return open_value_rows(run_.sites, sites, initial_costs_);
    return open_site_rows(run_.sites, sites, rows_at_once(), run_.context.threads());
  }

  void copy(Kept which) {
    run_.progress.stage("read", which == Kept::sites ? 0.1 : 0.15, raster_.count());
    SlabInput rows([&] { return open_copied(which); });
    rows.for_each_slab(run_.plan.part, rows_at_once(),
                       [&](std::int64_t first, const View<const void>& cells) {
                         store_->write(which, {first, cells.extent(0)}, cells.bytes());
                         run_.progress.advance(share(first + cells.extent(0)));
                       });
    run_.report.step("read");
  }

  void read(Kept which, const SlabRows& rows, std::byte* to) {
    if (inputs_.has(which))
      inputs_.read(which, rows, to);
    else
      store_->read(which, rows, to);
  }

  /// Rows that fit into memory.
  std::int64_t rows_at_once() const {
    return std::min(run_.plan.held * run_.plan.rows, raster_[0]);
  }

  double share(std::int64_t rows) const {
    return static_cast<double>(rows) / static_cast<double>(raster_[0]);
  }

  // --- visits

  /// Does a stage, or goes on with it where the interrupted run has left it.
  void solve(CostStage stage) {
    constexpr std::array<double, 3> kEnds{0.5, 0.75, 0.9};
    run_.progress.stage(name_of(stage).data(), kEnds[static_cast<std::size_t>(stage)],
                        raster_.count());
    visits_[std::string(name_of(stage))] = 0;
    if (static_cast<std::size_t>(stage) < found_.stages_done) return;
    std::vector<std::int64_t> heights(is_begun_.size());
    for (std::size_t slab = 0; slab < heights.size(); ++slab) {
      heights[slab] = rows_of(slab).count;
      is_begun_[slab] = store_->holds(stage, slab);
    }
    CostSlabQueue queue(heights);
    std::int64_t begun = 0;
    while (const auto next = next_visit(queue)) {
      throw_if_interrupted();
      begun += next->is_first ? 1 : 0;
      const Reporting reporting = show(begun, next->is_first);
      queue.add(next->slab, visit(stage, next->slab));
      if (store_->is_kept() && Clock::now() >= keeps_at_) keep(stage);
    }
    visits_[std::string(name_of(stage))] = queue.visits();
    while (!held_.empty()) put_back(stage, held_.begin());
    spare_ = {};
    ++found_.stages_done;
    if (store_->is_kept()) keep(stage);
    run_.context.release_scratch();
    run_.report.step(std::string(name_of(stage)));
  }

  SlabRows rows_of(std::size_t slab) const {
    return run_.plan.slab(static_cast<std::int64_t>(slab));
  }

  /// Has a kill lose nothing of what is known, of slabs in memory, too. How long that takes says
  /// when it is done again.
  void keep(CostStage stage) {
    const Clock::time_point start = Clock::now();
    for (auto& [slab, held] : held_) write_back(stage, slab, held);
    store_->keep(found_);
    const Clock::time_point end = Clock::now();
    keeps_at_ = end + kWorkPerKeeping * (end - start);
  }

  /// A slab in memory, if one waits: as long as that is so, nothing is read.
  std::optional<CostSlabQueue::Visit> next_visit(CostSlabQueue& queue) const {
    std::vector<std::size_t> held;
    held.reserve(held_.size());
    for (const auto& [slab, unused] : held_) held.push_back(slab);
    const auto next = queue.next_among(held);
    return next ? next : queue.next();
  }

  /// First visits take most of the time; nobody knows how many others follow the last of them.
  Reporting show(std::int64_t begun, bool is_first) {
    const auto slabs = static_cast<double>(run_.plan.slabs);
    const double before = (static_cast<double>(begun) - (is_first ? 1 : 0)) / slabs;
    const double part = is_first ? 1 / slabs : 0;
    return {run_.context,
            [this, before, part](double done) { run_.progress.advance(before + part * done); }};
  }

  CostSlabReport visit(CostStage stage, std::size_t number) {
    const bool begins = !is_begun_[number];
    HeldSlab& held = hold(stage, number);
    for (const Kept which : rasters_of(stage))
      if (changing_stage(which) == stage) look_beside(which, held);
    CostSlab slab = slab_of(held, stage, begins);
    slab.sites_before = found_.sites_before[number];
    const CostSlabReport report = begins
                                      ? begin_cost_slab(run_.context, slab, run_.options, stage)
                                      : continue_cost_slab(run_.context, slab, run_.options, stage);
    is_begun_[number] = true;
    held.is_written = false;
    if (begins && stage == CostStage::costs)
      store_->write(Kept::resistance, held.rows, held.rasters[Kept::resistance].bytes());
    for (const Kept which : {Kept::map, Kept::sites, Kept::initial_cost}) spare(which, held);
    if (begins && stage == CostStage::costs) note(number, report);
    return report;
  }

  /// The slab in memory; what its first visit makes is not read.
  HeldSlab& hold(CostStage stage, std::size_t number) {
    if (!held_.contains(number)) {
      if (std::ssize(held_) >= run_.plan.held) put_back(stage, least_used());
      HeldSlab& held = held_[number];
      held.own = rows_of(number);
      held.rows = cost_slab_rows(raster_, held.own, run_.options.connectivity);
      for (const Kept which : rasters_of(stage)) {
        if (!types_.holds(which) || (is_for_begin(which) && is_begun_[number])) continue;
        held.rasters[which] = raster_of(which, held.rows.count);
        if (is_begun_[number] || !is_made(stage, which))
          read(which, held.rows, held.rasters[which].bytes());
      }
      look_for_nodata(held);
    }
    HeldSlab& held = held_[number];
    held.last_use = ++uses_;
    return held;
  }

  /// Whether the nodata value of the map is a label, too.
  void look_for_nodata(const HeldSlab& held) {
    const std::optional<LabelValue>& nodata = run_.input.map_nodata;
    const Raster& sites = held.rasters[Kept::sites];
    if (found_.nodata_is_label || !nodata || sites.extents().rank() == 0) return;
    if (can_hold(types_.type(Kept::sites), *nodata) && any_holds(sites.view(), *nodata))
      found_.nodata_is_label = true;
  }

  using HeldSlabs = std::map<std::size_t, HeldSlab>;

  HeldSlabs::iterator least_used() {
    return std::min_element(held_.begin(), held_.end(), [](const auto& a, const auto& b) {
      return a.second.last_use < b.second.last_use;
    });
  }

  /// Writes what has been found for the own rows of a slab, whose memory others may have.
  void put_back(CostStage stage, HeldSlabs::iterator slab) {
    write_back(stage, slab->first, slab->second);
    for (const Kept which : rasters_of(stage)) spare(which, slab->second);
    held_.erase(slab);
  }

  /// Keeps the memory of a raster for the next slab: new memory costs more than what is done in it.
  void spare(Kept which, HeldSlab& held) {
    if (held.rasters[which].extents().rank() > 0)
      spare_[which] = std::exchange(held.rasters[which], {});
  }

  void write_back(CostStage stage, std::size_t number, HeldSlab& held) {
    if (std::exchange(held.is_written, true)) return;
    store_->write_slab(stage, number,
                       [&](Kept which) { return row_of(held, which, held.own.first); });
  }

  /// Takes what is known of the rows beside a slab from their own slabs.
  void look_beside(Kept which, HeldSlab& held) {
    if (!types_.holds(which)) return;
    for (std::int64_t row = held.rows.first; row < held.rows.first + held.rows.count; ++row) {
      if (row >= held.own.first && row < held.own.first + held.own.count) continue;
      const auto of = static_cast<std::size_t>(row / run_.plan.rows);
      std::byte* const to = row_of(held, which, row);
      const auto there = held_.find(of);
      if (!is_begun_[of])
        put_nothing(which, to);
      else if (there != held_.end())
        std::memcpy(to, row_of(there->second, which, row), row_bytes(which));
      else
        store_->read(which, {row, 1}, to);
    }
  }

  /// Marks the cells of a row as not known.
  void put_nothing(Kept which, std::byte* row) const {
    const std::int64_t count = raster_.count() / raster_[0];
    if (which == Kept::labels) return;  // they count where there is a site only
    if (which != Kept::cost)
      std::fill_n(reinterpret_cast<std::int64_t*>(row), count, kUnreached);
    else if (types_.type(Kept::cost) == ElementType::f64)
      std::fill_n(reinterpret_cast<double*>(row), count, CostSlabReport::kNone);
    else
      std::fill_n(reinterpret_cast<float*>(row), count, std::numeric_limits<float>::infinity());
  }

  std::size_t row_bytes(Kept which) const {
    return types_.bytes(which) * static_cast<std::size_t>(raster_.count() / raster_[0]);
  }

  std::byte* row_of(const HeldSlab& held, Kept which, std::int64_t row) const {
    return const_cast<std::byte*>(held.rasters[which].bytes()) +
           static_cast<std::size_t>(row - held.rows.first) * row_bytes(which);
  }

  /// A raster whose cells may hold anything.
  Raster raster_of(Kept which, std::int64_t rows) {
    if (spare_[which].extents() == with_rows(raster_, rows))
      return std::exchange(spare_[which], {});
    return Raster(types_.type(which), with_rows(raster_, rows));
  }

  /// A slab with all rasters that are in memory.
  CostSlab slab_of(HeldSlab& held, CostStage stage, bool is_first) {
    auto& rasters = held.rasters;
    const auto view = [&](Kept which) {
      return rasters[which].extents().rank() > 0 ? rasters[which].view() : View<void>();
    };
    CostSlab slab{.raster = raster_,
                  .own = held.own,
                  .map = {view(Kept::map), run_.input.edge_weight},
                  .resistance = view(Kept::resistance),
                  .cost = view(Kept::cost)};
    if (run_.input.sites.are_points()) slab.points = run_.input.sites.point_list();
    if (is_first && stage != CostStage::hops) slab.sites = view(Kept::sites);
    if (is_first && stage != CostStage::hops) slab.initial_cost = view(Kept::initial_cost);
    if (rasters[Kept::site_index].extents().rank() > 0)
      slab.site_index = rasters[Kept::site_index].view<std::int64_t>();
    slab.labels = view(Kept::labels);
    if (rasters[Kept::hops].extents().rank() > 0)
      slab.hops = rasters[Kept::hops].view<std::int64_t>();
    return slab;
  }

  void note(std::size_t slab, const CostSlabReport& report) {
    if (slab + 1 < found_.sites_before.size())
      found_.sites_before[slab + 1] = found_.sites_before[slab] + report.sites;
    found_.sites += report.sites;
    if (report.ignored_sites > 0)
      found_.first_ignored = found_.ignored == 0
                                 ? report.first_ignored_site
                                 : std::min(found_.first_ignored, report.first_ignored_site);
    found_.ignored += report.ignored_sites;
  }

  void warn() {
    const std::string& name = run_.input.sites.name;
    const std::int64_t ignored = found_.ignored;
    run_.report.set("ignored_sites", ignored);
    if (ignored > 0)
      run_.warnings.add(
          {"ignored_sites", ignored,
           name + ": " + std::to_string(ignored) + (ignored == 1 ? " site" : " sites") +
               " on barriers or outside of the map " + (ignored == 1 ? "is" : "are") +
               " ignored, the first with the index " + std::to_string(found_.first_ignored)});
    if (found_.sites <= ignored)
      run_.warnings.add({"no_site", 1, name + ": no site, so every cell is unreached"});
  }

  // --- outputs

  nlohmann::ordered_json write() {
    run_.progress.stage("write", 1, raster_.count());
    CostResults results(run_.results, run_.input, run_.context.threads());
    results.files().warn(run_.warnings);
    run_.options.nodata_label = results.nodata_label().value_or(run_.options.unreached);
    const std::int64_t at_once = rows_at_once();
    results.files().open_rows(at_once, run_.plan.parts);
    Worker writer;
    try {
      HeldSlab held;
      for (std::int64_t first = 0; first < raster_[0]; first += held.own.count) {
        throw_if_interrupted();
        held.own = {first, std::min(at_once, raster_[0] - first)};
        held.rows = cost_slab_rows(raster_, held.own, run_.options.connectivity);
        for (const Kept which : {Kept::map, Kept::resistance, Kept::cost, Kept::site_index,
                                 Kept::labels, Kept::hops}) {
          if (!types_.holds(which)) continue;
          if (held.rasters[which].extents() != with_rows(raster_, held.rows.count))
            held.rasters[which] = raster_of(which, held.rows.count);
          read(which, held.rows, held.rasters[which].bytes());
        }
        finish_cost_slab(run_.context, slab_of(held, CostStage::hops, false), run_.options,
                         first_rows(results.views(), held.own.count));
        results.files().write_rows(writer, held.own.count);
        run_.progress.advance(share(first + held.own.count));
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

  CostSlabRun& run_;
  const Extents& raster_;
  KeptTypes types_;
  std::string map_path_ = run_.input.name;
  std::optional<CostStore> store_;
  CostProgress found_;
  Clock::time_point keeps_at_;
  DirectInputs inputs_;
  std::vector<double> initial_costs_;  ///< of the features of sites
  std::optional<LabelValue> initial_cost_nodata_;
  HeldSlabs held_;
  OfKept<Raster> spare_;
  std::int64_t uses_ = 0;
  std::vector<bool> is_begun_;  ///< in this stage
  nlohmann::ordered_json visits_ = nlohmann::ordered_json::object();
};

}  // namespace

SlabNeeds cost_slab_needs(const CostInput& input, const CostDistanceOptions& options,
                          const CostResultArguments& results, std::size_t result_bytes,
                          std::size_t at_once) {
  const KeptTypes types = kept_types(input, options, results);
  const std::size_t image = input.sites.image ? size_of(input.sites.image->type) : 0;
  const auto sum = [&](std::initializer_list<Kept> which) {
    std::size_t bytes = 0;
    for (const Kept each : which) bytes += types.bytes(each);
    return bytes;
  };
  // Ranks, tight steps and lists of sites.
  const std::size_t scratch = sizeof(std::uint32_t) + 16;
  const std::size_t stages = sum({Kept::map, Kept::sites, Kept::initial_cost, Kept::resistance,
                                  Kept::cost, Kept::site_index, Kept::labels, Kept::hops}) +
                             scratch;
  const std::size_t end =
      sum({Kept::map, Kept::resistance, Kept::cost, Kept::site_index, Kept::labels, Kept::hops}) +
      2 * result_bytes;
  return {.at_once = at_once,
          .in_slab = std::max(stages, end) + image,
          .of_column = bytes_of_areas(image),
          .slabs_held = kSlabsHeld,
          .rows_beside = options.connectivity == Connectivity::knights ? 4 : 2};
}

nlohmann::ordered_json solve_cost_by_slabs(CostSlabRun& run) {
  give_arrays_back();
  return Runner(run).run();
}

}  // namespace thiessen::cli
