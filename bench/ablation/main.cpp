// SPDX-License-Identifier: Apache-2.0
//
// Measures what each engine of the CPU's methods "exact" is worth: calls with all engines and calls
// without one of them take turns. Their results must be equal.
//
// usage: thiessen_ablation [--quick] [--shapes FOLDER] [--only TEXT] [--engine TEXT] [--rounds N]
//                          [--seconds S] [--threads N] [--shard I/N] [--json FILE] [--list]
//
//   --quick    small rasters, to see that all runs
//   --shapes   masks that write_shapes.py wrote
//   --only     cases whose input and output contain the text
//   --engine   engines whose name contains the text
//   --rounds   at most so many rounds of a case (5)
//   --seconds  time of a case after which no further round begins (10)
//   --threads  of a call (1: processor time; else time of the clock)
//   --shard    the I-th of N parts of the cases, which take about as long; I counts from 0
//   --json     a line for each case and engine, too
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cases.hpp"
#include "measure.hpp"

namespace thiessen::ablation {
namespace {

struct Options {
  bool are_quick = false;
  bool is_list = false;
  std::string shapes, only, json;
  int shard = 0;
  int shards = 1;
  Effort effort;
};

Options read_options(std::span<char*> arguments) {
  Options options;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string_view flag = arguments[i];
    if (flag == "--quick") {
      options.are_quick = true;
      continue;
    }
    if (flag == "--list") {
      options.is_list = true;
      continue;
    }
    if (i + 1 == arguments.size())
      throw Error(ErrorCode::invalid_argument, std::string(flag) + ": unknown, or lacks a value");
    const char* const value = arguments[++i];
    if (flag == "--shapes")
      options.shapes = value;
    else if (flag == "--only")
      options.only = value;
    else if (flag == "--engine")
      options.effort.engine = value;
    else if (flag == "--json")
      options.json = value;
    else if (flag == "--rounds")
      options.effort.rounds = std::atoi(value);
    else if (flag == "--threads")
      options.effort.threads = std::atoi(value);
    else if (flag == "--seconds")
      options.effort.seconds = std::atof(value);
    else if (flag != "--shard" || std::sscanf(value, "%d/%d", &options.shard, &options.shards) != 2)
      throw Error(ErrorCode::invalid_argument, std::string(flag) + ": unknown");
  }
  return options;
}

/// The cases of a shard: the one with the most work goes where there is least so far.
std::vector<Case> choose(std::vector<Case> cases, const Options& options) {
  std::erase_if(cases, [&](const Case& item) {
    return (item.input + "; " + item.output).find(options.only) == std::string::npos;
  });
  std::stable_sort(cases.begin(), cases.end(),
                   [](const Case& a, const Case& b) { return a.work > b.work; });
  std::vector<double> work(static_cast<std::size_t>(options.shards));
  std::vector<Case> chosen;
  for (Case& item : cases) {
    const auto least = std::min_element(work.begin(), work.end());
    *least += item.work;
    if (least - work.begin() == options.shard) chosen.push_back(std::move(item));
  }
  return chosen;
}

const char* word_of(std::optional<bool> is_out) {
  if (!is_out) return "null";
  return *is_out ? "true" : "false";
}

void write_json(std::FILE* file, const Case& item, const Row& row) {
  std::fprintf(file,
               "{\"case\": \"%s\", \"output\": \"%s\", \"engine\": \"%.*s\", \"on_ms\": %.4f, "
               "\"off_ms\": %.4f, \"ratio\": %.4f, \"rounds\": %d, \"equal\": %s, \"out\": %s, "
               "\"on_stages\": \"%s\", \"off_stages\": \"%s\"}\n",
               item.input.c_str(), item.output.c_str(), static_cast<int>(row.engine.size()),
               row.engine.data(), row.on_ms, row.off_ms, row.ratio, row.rounds,
               row.is_equal ? "true" : "false", word_of(row.is_out), row.on_stages.c_str(),
               row.off_stages.c_str());
  std::fflush(file);
}

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

/// Returns how many rows are wrong: results differ, or an engine ran that should not.
int run(const Options& options) {
  std::unique_ptr<std::FILE, Close> json;
  if (!options.json.empty()) {
    json.reset(std::fopen(options.json.c_str(), "w"));
    if (!json) throw Error(ErrorCode::invalid_argument, options.json + ": cannot be written");
  }
  int wrong = 0;
  for (const Case& item : choose(list_cases(options.are_quick, options.shapes), options)) {
    std::printf("\n%s; %s\n", item.input.c_str(), item.output.c_str());
    if (options.is_list) continue;
    const std::vector<Row> rows = measure(item.make(), item.engines, options.effort);
    if (!rows.empty()) std::printf("  %s\n", rows.front().on_stages.c_str());
    for (const Row& row : rows) {
      const bool is_wrong = !row.is_equal || row.is_out == false;
      wrong += is_wrong ? 1 : 0;
      std::printf("  %-32.*s %10.2f %10.2f %7.3f%s\n", static_cast<int>(row.engine.size()),
                  row.engine.data(), row.on_ms, row.off_ms, row.ratio,
                  !row.is_equal ? "  RESULTS DIFFER"
                  : is_wrong    ? "  IT RAN"
                                : "");
      if (json) write_json(json.get(), item, row);
    }
    std::fflush(stdout);
  }
  return wrong;
}

}  // namespace
}  // namespace thiessen::ablation

int main(int argc, char** argv) {
  try {
    return thiessen::ablation::run(
               thiessen::ablation::read_options({argv, static_cast<std::size_t>(argc)})) == 0
               ? 0
               : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "thiessen_ablation: %s\n", error.what());
    return 2;
  }
}
