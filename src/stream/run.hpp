// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ctime>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/context_state.hpp"
#include "stream/rows.hpp"
#include "thiessen/slabs/stream.hpp"

namespace thiessen {

/// What the streams of all calls have in common: stages, times, warnings, and how outputs end.
class StreamRun {
 protected:
  StreamRun(Context& context, const StreamPlan& plan, const StreamEvents& events)
      : context_(context), plan_(plan), events_(events) {}

  ContextState& state() { return context_.state(); }
  Progress& progress() { return state().progress; }

  /// Nothing is wrong with the call.
  void begin() {
    if (events_.on_begin) events_.on_begin();
    go_on();
  }

  void stage(std::string_view name, double begin, double end) {
    progress().check();
    if (events_.on_stage) events_.on_stage(name, begin, end);
  }

  /// Takes time as that of this rank, or, until go_on(), as that of others.
  void go_on() { report_.processor_seconds -= processor_seconds(); }
  void pause() { report_.processor_seconds += processor_seconds(); }

  /// All inputs in memory, a view for each.
  std::vector<View<const void>> read_all(RowInputs& inputs, std::int64_t rows) {
    stage("read", 0, 0);
    inputs.begin({0, rows}, rows);
    return rows > 0 ? inputs.next() : inputs.no_rows();
  }

  /// Calls compute(), which has all rows written, and ends the outputs.
  template <class Outputs, class Compute>
  StreamReport run(RowOutputs<Outputs>& outputs, const Compute& compute) {
    try {
      compute();
      outputs.wait();
      pause();
      stage("finish", 1, 1);
      outputs.finish();
    } catch (...) {
      outputs.abandon();
      throw;
    }
    state().warnings = std::move(warnings_);
    return report_;
  }

  Context& context_;
  const StreamPlan& plan_;
  const StreamEvents& events_;
  StreamReport report_;
  std::vector<Warning> warnings_;

 private:
  /// The processor time of the process.
  static double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
};

}  // namespace thiessen
