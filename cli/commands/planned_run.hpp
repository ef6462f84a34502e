// SPDX-License-Identifier: Apache-2.0
//
// How a command over rasters goes: its flags make a call, the library plans how the call can be
// done, and it is done by rows or with all rows in memory.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "inputs/mask_input.hpp"
#include "inputs/rasters/domain_input.hpp"
#include "inputs/sites/site_input.hpp"
#include "results/output_flags.hpp"
#include "results/result_files.hpp"
#include "results/warnings.hpp"
#include "slabs/file_rows.hpp"
#include "slabs/ranks.hpp"
#include "slabs/slab_plan.hpp"
#include "talk/interrupt.hpp"
#include "talk/progress.hpp"
#include "talk/report.hpp"
#include "talk/reporting.hpp"
#include "vectors/cell_areas.hpp"
#include "vectors/site_features.hpp"
#include "words/device_choice.hpp"
#include "words/file_access.hpp"
#include "words/memory.hpp"

namespace thiessen::cli {

/// What all runs have in common: their sites, and the study area.
class PlannedRun {
 public:
  PlannedRun(const TalkArguments& talk, const MaskArguments& mask, Context& context, Report& report,
             Progress& progress)
      : context_(context),
        report_(report),
        progress_(progress),
        warnings_(talk),
        talk_(talk),
        mask_arguments_(mask) {}

  const Extents& extents() const { return run_sites_->extents(); }

 protected:
  /// Opens the study area and the cells of sites that are described, which are those of the run
  /// from now on.
  void open_sources(const SiteArguments& source, Sites& sites);

  /// Reads, burns or draws the cells of sites.
  void hold_sites(const SiteArguments& source);

  /// Throws Error{out_of_memory} if there is too little for a run with all rows in memory, of whose
  /// arrays `held` bytes are there.
  void require_rest(const StreamPlan& plan, std::size_t held) const {
    require_memory(plan.bytes_at_once - static_cast<double>(held), extents(),
                   run_sites_->grid_cause);
  }

  /// Reads the rasters of the domain, that of `like` and the study area: whether they take any
  /// cells away, and with --clip-sites sites.
  void find_domain(DomainRows* like, bool is_at_once);

  /// Makes room for results with all rows in memory, with so many more bytes a cell, and begins to
  /// compute them: a stage that ends at `end` of the work.
  void begin_computing(ResultFiles& files, std::size_t scratch_per_cell, double end);

  /// Tells of a run that is done, and of its files.
  void tell(const ResultFiles& files, std::string_view method, std::string_view metric);

  /// Does it by rows: computes the call and writes the files. `warn` is called before these get
  /// their names.
  template <class Call>
  void stream_to(ResultFiles& files, const Call& call, const StreamPlan& plan,
                 const std::function<void(const StreamReport&)>& warn) {
    files.open_rows(plan.parts);
    StreamTalk talk(context_, files, progress_, report_, extents());
    const StreamReport done = stream(context_, call, plan, talk.events());
    warn(done);
    files.commit();
    talk.finish(plan, done);
    report_.set("slabs", plan.slabs);
  }

  /// The same for nearest sites, with what is odd in them. `change` gets rows of the sites' cells
  /// and of the results before these are written.
  void stream_sites(ResultFiles& files, NearestSiteStream call, const StreamPlan& plan,
                    const std::function<void(const View<const void>& cells,
                                             const NearestSiteOutputs& out)>& change);

  Context& context_;
  Report& report_;
  Progress& progress_;
  Warnings warnings_;
  RowSource* cells_ = nullptr;   ///< of the sites; null if they are points
  RowSource* domain_ = nullptr;  ///< null: all cells

 private:
  const TalkArguments& talk_;
  const MaskArguments& mask_arguments_;
  Sites* run_sites_ = nullptr;
  std::optional<FileRows> read_cells_;
  std::optional<DomainRows> mask_;
  std::optional<ClippedRows> clipped_cells_;
  std::optional<RasterRows> held_cells_;
  std::optional<CommonRows> common_;
};

/// What vector outputs are made of: sites on this grid, and their results by these options.
template <class Options>
FeatureInputs feature_inputs(const Sites& sites, const Grid& grid, const RunResults& results,
                             const Options& options, const std::string& why_cell_outlines) {
  FeatureInputs inputs{.sites = sites,
                       .regions = results.regions(),
                       .distance = results.distance(),
                       .unreached = options.unreached,
                       .nodata = results.nodata_label(),
                       .spacing = options.spacing,
                       .why_cell_outlines = why_cell_outlines};
  if (options.earth)
    inputs.cell_areas = cell_areas(grid, *options.earth, options.metric);
  else if (inputs.spacing.empty())
    inputs.spacing = {1, 1};
  return inputs;
}

/// Does what the flags of a command say; `Run` is a PlannedRun.
template <class Run, class Arguments>
void run_planned(const char* command, const Arguments& arguments) {
  set_access(arguments.access);
  Context context = open_context(arguments.device, arguments.talk.timing || arguments.talk.json);
  const Interruptible interruptible(context);
  Report report(command);
  Progress progress(arguments.talk);
  const Reporting reporting(context, [&](double fraction) { progress.advance(fraction); });
  progress.stage("open", 0.01);
  Run run(arguments, context, report, progress);
  const StreamPlan plan = run.plan();
  if (arguments.memory.dry_run)
    tell_plan(command, run.extents(), plan, arguments.talk);
  else
    run.run(plan);
}

}  // namespace thiessen::cli
