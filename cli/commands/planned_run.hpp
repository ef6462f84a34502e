// SPDX-License-Identifier: Apache-2.0
//
// How a command over rasters goes: its flags make a call, the library plans how the call can be
// done, and it is done by rows or with all rows in memory.
#pragma once

#include <functional>

#include "results/result_files.hpp"
#include "results/warnings.hpp"
#include "slabs/ranks.hpp"
#include "slabs/slab_plan.hpp"
#include "talk/interrupt.hpp"
#include "talk/progress.hpp"
#include "talk/report.hpp"
#include "talk/reporting.hpp"
#include "words/device_choice.hpp"
#include "words/file_access.hpp"
#include "words/memory.hpp"

namespace thiessen::cli {

/// What all runs have in common.
class PlannedRun {
 public:
  PlannedRun(const TalkArguments& talk, Context& context, Report& report, Progress& progress)
      : context_(context), report_(report), progress_(progress), warnings_(talk) {}

 protected:
  /// Throws Error{out_of_memory} if there is too little for a run with all rows in memory, of whose
  /// arrays `held` bytes are there.
  static void require_rest(const StreamPlan& plan, std::size_t held, const Sites& sites) {
    require_memory(plan.bytes_at_once - static_cast<double>(held), sites.extents(),
                   sites.grid_cause);
  }

  /// Does it by rows: computes the call and writes the files. `warn` is called before these get
  /// their names.
  template <class Call>
  void stream_to(ResultFiles& files, const Call& call, const StreamPlan& plan,
                 const Extents& extents, const std::function<void(const StreamReport&)>& warn) {
    files.open_rows(plan.parts);
    StreamTalk talk(context_, files, progress_, report_, extents);
    const StreamReport done = stream(context_, call, plan, talk.events());
    warn(done);
    files.commit();
    talk.finish(plan, done);
    report_.set("slabs", plan.slabs);
  }

  /// The same for nearest sites, with what is odd in them. `change` gets rows of the sites' cells
  /// and of the results before these are written.
  void stream_sites(ResultFiles& files, NearestSiteStream call, const StreamPlan& plan,
                    const Sites& sites,
                    const std::function<void(const View<const void>& cells,
                                             const NearestSiteOutputs& out)>& change) {
    UnheededNodata unheeded(call.options, sites);
    call.on_rows = [&](const SlabRows&, const View<const void>& cells,
                       const NearestSiteOutputs& out) {
      if (!sites.are_points()) unheeded.look_at(cells);
      if (change) change(cells, out);
    };
    stream_to(files, call, plan, sites.extents(), [&](const StreamReport&) {
      if (ranks().rank() == 0) warnings_.add(context_, sites);
      unheeded.warn(warnings_);
    });
  }

  Context& context_;
  Report& report_;
  Progress& progress_;
  Warnings warnings_;
};

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
