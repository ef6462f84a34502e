// SPDX-License-Identifier: Apache-2.0
#include "slabs/slab_plan.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "inputs/rasters/raster_input.hpp"
#include "io/files/output_format.hpp"
#include "io/raster/raster_rows.hpp"
#include "io/table/site_file.hpp"
#include "operations/rows/numbers.hpp"
#include "words/arguments.hpp"
#include "words/option_flags.hpp"

namespace thiessen::cli {
namespace {

/// The flag that wants slabs.
const char* flag_of_memory(const MemoryArguments& arguments) {
  if (arguments.dry_run) return "--dry-run";
  return arguments.memory.empty() ? "--slab-rows" : "--memory";
}

/// "--method jfa is not; slabs have exact only". What is no option keeps its words.
BrokenRule with_flag_names(const BrokenRule& why) {
  const bool is_option = why.argument.find_first_of(" .-/") == std::string::npos;
  const std::string what = is_option ? flag_of(why.argument) : why.argument;
  if (why.value.empty()) return {what, {}, why.rule};
  return {what + " " + why.value, {}, "is not; " + why.rule};
}

std::string text_of(const BrokenRule& why) { return why.argument + " " + why.rule; }

void require_fit(bool fits) {
  if (!fits)
    throw Error(ErrorCode::out_of_memory,
                "the run needs more memory than the " +
                    text_of_bytes(static_cast<double>(available_memory())) + " that are available");
}

/// The text with other words for some.
std::string replaced(std::string text, const std::string& old, const std::string& words) {
  for (std::size_t at = text.find(old); at != std::string::npos;
       at = text.find(old, at + words.size()))
    text.replace(at, old.size(), words);
  return text;
}

}  // namespace

void require_rows(const MemoryArguments& arguments, bool are_rows, const char* what) {
  if (are_rows) return;
  if (ranks().are_many())
    throw UsageError("many ranks are for " + std::string(what) + "; there are " +
                     std::to_string(ranks().size()));
  if (arguments.are_given())
    throw UsageError(std::string(flag_of_memory(arguments)) + ": is for " + what);
}

std::optional<BrokenRule> why_not_by_rows(const std::vector<std::string>& paths,
                                          const std::string& format) {
  for (const std::string& path : paths) {
    if (path.empty()) continue;
    const std::string own = io::is_format_for(path, format) ? format : "";
    if (!as_usage_error([&] { return io::is_written_by_rows(path, own); }))
      return BrokenRule{path, {}, "is not written by rows; .tif, .npy and .zarr are"};
  }
  return std::nullopt;
}

StreamLimits limits_of(const MemoryArguments& arguments,
                       const std::optional<BrokenRule>& why_at_once, const std::string& output) {
  StreamLimits limits{.communicator = &ranks().communicator()};
  if (why_at_once) limits.why_at_once = with_flag_names(*why_at_once);
  if (!output.empty() && !is_stream(output))
    limits.folder = std::filesystem::absolute(output).parent_path().string();
  if (!arguments.memory.empty() || ranks().are_many()) limits.memory = memory_limit(arguments);
  if (!arguments.slab_rows.empty())
    limits.rows = parse_integer("--slab-rows", arguments.slab_rows, 1, 1 << 30);
  return limits;
}

void throw_of_plan(const Error& error, const MemoryArguments& arguments) {
  const BrokenRule& broken = error.broken_rule();
  const std::string rule = replaced(broken.rule, "the call", "the run");
  if (broken.argument == "memory" && !arguments.memory.empty())
    throw UsageError("--memory " + arguments.memory + ": " + rule);
  if (broken.argument == "slab_rows")
    throw UsageError("--slab-rows " + arguments.slab_rows + ": " + rule);
  if (broken.argument == "ranks") throw UsageError(broken.value + " ranks: " + rule);
  if (broken.argument != "memory") throw error;
  throw Error(ErrorCode::out_of_memory,
              "a rank has " + text_of_bytes(static_cast<double>(memory_limit(arguments))) +
                  " of memory, which " + rule);
}

void tell_plan(const std::string& command, const Extents& extents, const StreamPlan& plan,
               const TalkArguments& talk) {
  if (ranks().rank() > 0) return;
  const double whole = plan.bytes_at_once;
  const auto limit = static_cast<double>(plan.memory);
  const std::int64_t available = available_memory();
  const bool fits = !plan.is_at_once || available < 0 || whole <= static_cast<double>(available);
  if (talk.json) {
    nlohmann::ordered_json json;
    json["command"] = command;
    json["dry_run"] = true;
    json["extents"] = to_json(extents);
    json["memory"] = plan.memory;
    json["needed_at_once"] = whole;
    json["slabs"] = plan.slabs;
    json["rows"] = plan.rows;
    json["needed"] = plan.bytes;
    json["ranks"] = ranks().size();
    json["fits"] = fits;
    print_to_stdout(json);
    return require_fit(fits);
  }
  const std::string slabs = std::to_string(plan.slabs) + " slabs of " + std::to_string(plan.rows) +
                            (extents.rank() == 2 ? " rows, " : " planes, ") +
                            text_of_bytes(plan.bytes);
  std::string text;
  if (!plan.is_at_once && ranks().are_many())
    text = "each of " + std::to_string(ranks().size()) + " ranks may take " + text_of_bytes(limit) +
           ": " + slabs;
  else if (!plan.is_at_once)
    text = text_of_bytes(whole) + " at once, of which it may take " + text_of_bytes(limit) + ": " +
           slabs;
  else if (whole <= limit)
    text = text_of_bytes(whole) + ", all at once; it may take " + text_of_bytes(limit);
  else
    text =
        text_of_bytes(whole) + " at once, of which it may take " + text_of_bytes(limit) + "; " +
        (plan.why_at_once ? "it is not done in slabs: " + text_of(*plan.why_at_once)
                          : "in slabs it takes " + text_of_bytes(plan.bytes_least) + " at least") +
        (fits ? "; so it takes more, as there is so much" : "");
  std::printf("%s: %s\n", command.c_str(), text.c_str());
  flush_stdout();
  require_fit(fits);
}

StreamTalk::StreamTalk(Context& context, ResultFiles& files, Progress& progress, Report& report,
                       const Extents& extents)
    : context_(context),
      files_(files),
      progress_(progress),
      report_(report),
      cells_(extents.count()) {
  context.on_progress([this](double fraction) {
    if (end_ > begin_) progress_.advance((fraction - begin_) / (end_ - begin_));
  });
}

const StreamTalk::Stage& StreamTalk::stage_of(std::string_view name) {
  static constexpr Stage kStages[] = {
      {"read", "read"},         {"summarise", "summarise slabs"},
      {"costs", "costs"},       {"sites", "sites"},
      {"hops", "hops"},         {"compute", "compute and write slabs"},
      {"write", "write files"}, {"finish", "finish files"}};
  return *std::ranges::find(kStages, name, &Stage::name);
}

void StreamTalk::end_stage() {
  if (stage_ != nullptr) report_.step(stage_->step);
}

StreamEvents StreamTalk::events() {
  const auto on_stage = [this](std::string_view stage, double begin, double end) {
    if (stage_ == &stage_of("summarise"))
      faces_ = {ranks().received().messages - before_.messages,
                ranks().received().bytes - before_.bytes};
    end_stage();
    stage_ = &stage_of(stage);
    begin_ = begin;
    end_ = end;
    progress_.stage(stage_->name, end, cells_);
  };
  const auto on_begin = [this] {
    meet_ranks();
    files_.share_rows();
    before_ = ranks().received();
  };
  return {.on_begin = on_begin, .on_stage = on_stage};
}

void StreamTalk::finish(const StreamPlan& plan, const StreamReport& done) {
  progress_.finish();
  end_stage();
  const nlohmann::ordered_json own{{"first_row", plan.part.first},
                                   {"rows", plan.part.count},
                                   {"slabs", plan.slabs},
                                   {"faces_received", faces_.messages},
                                   {"bytes_of_faces", faces_.bytes},
                                   {"processor_s", done.processor_seconds}};
  for (const std::string& text : gather_texts(own.dump()))
    report_.append("ranks", nlohmann::ordered_json::parse(text));
}

}  // namespace thiessen::cli
