// SPDX-License-Identifier: Apache-2.0
#include "talk/report.hpp"

#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <utility>

#include "thiessen/error.hpp"
#include "words/flag_group.hpp"

namespace thiessen::cli {
namespace {

/// Whether nobody reads our stdout any more.
bool reader_is_gone() {
  pollfd stream{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&stream, 1, 0) == 1 && (stream.revents & (POLLERR | POLLHUP)) != 0;
}

}  // namespace

void add_talk_flags(CLI::App& command, TalkArguments& arguments) {
  const FlagGroup talk(command, "Talk");
  talk.flag("--timing", arguments.timing, "Print milliseconds and Mpixel/s of each step on stderr");
  talk.flag("--strict", arguments.strict,
            "A warning is an error: no site at all, sites that are ignored or win no cell …");
  talk.flag("--json", arguments.json, "Print a report as JSON on stdout");
  auto* progress =
      talk.flag("--progress", arguments.progress,
                "Show progress on stderr even if stderr is no terminal, as 0...10...20");
  talk.flag("--no-progress", arguments.no_progress, "Show no progress at a terminal")
      ->excludes(progress);
  talk.flag("-q,--quiet", arguments.quiet, "Print errors only, and no warnings");
}

Report::Report(std::string command) {
  facts_["command"] = std::move(command);
  facts_["version"] = THIESSEN_VERSION;
}

double Report::lap() {
  const Clock::time_point now = Clock::now();
  const std::chrono::duration<double, std::milli> elapsed = now - std::exchange(last_, now);
  return elapsed.count();
}

void Report::step(const std::string& name) { steps_.push_back({name, lap(), 0, {}}); }

void Report::computed(const Context& context, const Extents& extents) {
  Step step{"compute", lap(), 0, {}};
  step.mpixel_per_s = static_cast<double>(extents.count()) / step.milliseconds / 1e3;
  for (const Phase& phase : context.phases())
    step.parts.push_back({std::string(phase.name), phase.milliseconds, 0, {}, phase.detail});
  facts_["scratch_bytes"] = context.scratch_bytes();
  steps_.push_back(std::move(step));
}

void Report::set(const std::string& key, nlohmann::ordered_json value) {
  facts_[key] = std::move(value);
}

void Report::append(const std::string& key, nlohmann::ordered_json value) {
  facts_[key].push_back(std::move(value));
}

void Report::print(const TalkArguments& arguments) const {
  if (arguments.timing && !arguments.quiet) print_timing();
  if (arguments.json) print_json();
}

void Report::print_timing() const {
  for (const Step& step : steps_) {
    std::fprintf(stderr, "%-24s %10.2f ms", step.name.c_str(), step.milliseconds);
    if (step.mpixel_per_s > 0) std::fprintf(stderr, "  %10.1f Mpixel/s", step.mpixel_per_s);
    std::fputc('\n', stderr);
    for (const Step& part : step.parts)
      std::fprintf(stderr, "  %-22s %10.2f ms%s%s\n", part.name.c_str(), part.milliseconds,
                   part.detail.empty() ? "" : "  ", part.detail.c_str());
  }
  const std::chrono::duration<double, std::milli> total = last_ - start_;
  std::fprintf(stderr, "%-24s %10.2f ms\n", "total", total.count());
}

nlohmann::ordered_json Report::to_json(const Step& step) {
  nlohmann::ordered_json json{{"name", step.name}, {"ms", step.milliseconds}};
  if (step.mpixel_per_s > 0) json["mpixel_per_s"] = step.mpixel_per_s;
  if (!step.detail.empty()) json["detail"] = step.detail;
  for (const Step& part : step.parts) json["phases"].push_back(to_json(part));
  return json;
}

void Report::print_json() const {
  nlohmann::ordered_json json = facts_;
  for (const Step& step : steps_) json["steps"].push_back(to_json(step));
  const std::chrono::duration<double, std::milli> total = last_ - start_;
  json["total_ms"] = total.count();
  print_to_stdout(json);
}

nlohmann::ordered_json to_json(const Extents& extents) {
  auto list = nlohmann::ordered_json::array();
  for (int axis = 0; axis < extents.rank(); ++axis) list.push_back(extents[axis]);
  return list;
}

void flush_stdout() {
  if (std::cout.flush() || reader_is_gone()) return;
  throw Error(ErrorCode::io, "standard output: cannot be written");
}

void print_to_stdout(const nlohmann::ordered_json& json) {
  // File names need not be UTF-8, but JSON must be.
  std::cout << json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
  flush_stdout();
}

}  // namespace thiessen::cli
