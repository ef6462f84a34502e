// SPDX-License-Identifier: Apache-2.0
//
// How the command asks the library for a plan of a stream (thiessen/slabs/stream.hpp), and says
// what comes of it in the words of its flags.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/result_files.hpp"
#include "slabs/ranks.hpp"
#include "talk/progress.hpp"
#include "talk/report.hpp"
#include "thiessen/slabs/slabs.hpp"
#include "thiessen/slabs/stream.hpp"
#include "words/arguments.hpp"
#include "words/memory.hpp"

namespace thiessen::cli {

/// Why files are not written in slabs, if so.
std::optional<BrokenRule> why_not_by_rows(const std::vector<std::string>& paths,
                                          const std::string& format);

/// Throws UsageError if the flags or ranks ask for slabs of a run that is not over rows: slabs are
/// for `what` ("sites that are a raster file").
void require_rows(const MemoryArguments& arguments, bool are_rows, const char* what);

/// What the flags and the ranks allow. `why_at_once`: why all rows are needed in memory, which the
/// library then says in the words of the flags; `output`: a file, beside which a temporary one may
/// lie.
StreamLimits limits_of(const MemoryArguments& arguments,
                       const std::optional<BrokenRule>& why_at_once, const std::string& output);

/// The same error in the words of the flags.
[[noreturn]] void throw_of_plan(const Error& error, const MemoryArguments& arguments);

/// plan_stream(), whose errors are those of flags: UsageError. `why_at_once`: why the command needs
/// all rows in memory; `output`: as above.
template <class Call>
StreamPlan choose_plan(const Context& context, const Call& call, const MemoryArguments& arguments,
                       std::optional<BrokenRule> why_at_once, const std::string& output = "") {
  if (!why_at_once) why_at_once = thiessen::why_at_once(context, call);
  try {
    return plan_stream(context, call, limits_of(arguments, why_at_once, output));
  } catch (const Error& error) {
    throw_of_plan(error, arguments);
  }
}

/// What --dry-run says: on stdout, in words or, with --json, for programs. Throws
/// Error{out_of_memory} after that if there is too little memory.
void tell_plan(const std::string& command, const Extents& extents, const StreamPlan& plan,
               const TalkArguments& talk);

/// Shows the stages of a stream, whose call reports to `progress` meanwhile, and has the ranks meet
/// before the work.
class StreamTalk {
 public:
  StreamTalk(Context& context, ResultFiles& files, Progress& progress, Report& report,
             const Extents& extents);
  ~StreamTalk() { context_.on_progress({}); }
  StreamTalk(const StreamTalk&) = delete;
  StreamTalk& operator=(const StreamTalk&) = delete;

  StreamEvents events();

  /// Ends the last stage, and adds what each rank did to the report of the first one.
  void finish(const StreamPlan& plan, const StreamReport& done);

 private:
  /// A stage, by its name in the events, the bar and the report.
  struct Stage {
    const char* name;
    const char* step;
  };
  static const Stage& stage_of(std::string_view name);

  void end_stage();

  Context& context_;
  ResultFiles& files_;
  Progress& progress_;
  Report& report_;
  std::int64_t cells_;
  const Stage* stage_ = nullptr;
  double begin_ = 0, end_ = 0;
  Received before_, faces_;
};

}  // namespace thiessen::cli
