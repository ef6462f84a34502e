// SPDX-License-Identifier: Apache-2.0
#include "measure.hpp"

#include <algorithm>
#include <cstring>
#include <ctime>

namespace thiessen::ablation {
namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// What a call writes into cells that held something else.
using Bytes = std::vector<std::vector<std::byte>>;

void scribble(const Call& call) {
  for (Raster* result : call.results) std::memset(result->bytes(), 0xa5, result->size_bytes());
}

Bytes copy_results(const Call& call) {
  Bytes bytes;
  for (Raster* result : call.results)
    bytes.emplace_back(result->bytes(), result->bytes() + result->size_bytes());
  return bytes;
}

bool has_results(const Call& call, const Bytes& bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if (std::memcmp(call.results[i]->bytes(), bytes[i].data(), bytes[i].size()) != 0) return false;
  return true;
}

/// An engine that is left out.
struct Without {
  const Engine* engine = nullptr;
  Row row = {};
  std::vector<double> on = {};
  std::vector<double> off = {};
  std::vector<double> ratio = {};
};

class Measurement {
 public:
  Measurement(const Call& call, int threads)
      : call_(call),
        clock_(threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC),
        context_({.device = "cpu", .threads = threads}),
        usual_(context_.state().limits),
        sets_(context_.state().instruction_sets) {}

  std::vector<Row> run(std::span<const Engine> engines, const Effort& effort) {
    const double start = now();
    scribble(call_);
    call_.run(context_);
    expected_ = copy_results(call_);
    const Stages stages(context_.phases());
    for (const Engine& engine : engines)
      if ((engine.rank == 0 || engine.rank == call_.rank) &&
          engine.name.find(effort.engine) != std::string_view::npos &&
          (engine.may_run == nullptr || engine.may_run(stages)))
        compare(engine, stages);
    for (int round = 0; round < effort.rounds; ++round) {
      if (round > 0 && now() - start > 1e3 * effort.seconds) break;
      time_round();
    }
    std::vector<Row> rows;
    for (Without& without : all_) rows.push_back(row_of(without));
    return rows;
  }

 private:
  /// Without an engine: results and stages. Also takes its scratch memory.
  void compare(const Engine& engine, const Stages& stages) {
    Without without{.engine = &engine};
    without.row.engine = engine.name;
    scribble(call_);
    leave_out(engine);
    call_.run(context_);
    const Stages others(context_.phases());
    without.row.is_equal = has_results(call_, expected_);
    if (engine.is_out != nullptr) without.row.is_out = engine.is_out(others);
    without.row.on_stages = stages.text();
    without.row.off_stages = others.text();
    all_.push_back(without);
    take_back();
  }

  double now() const {
    timespec time{};
    clock_gettime(clock_, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
  }

  /// Milliseconds of a call; short calls are repeated.
  double time_call() {
    constexpr double kLeast = 5;
    const double start = now();
    int calls = 0;
    do {
      call_.run(context_);
      ++calls;
    } while (now() - start < kLeast);
    return (now() - start) / calls;
  }

  /// Long calls with all engines are not timed again after each one without.
  void time_round() {
    constexpr double kLong = 100;
    constexpr std::size_t kAtOnce = 4;
    for (std::size_t first = 0; first < all_.size();) {
      const double before = time_call();
      const std::size_t end = before < kLong ? first + 1 : std::min(first + kAtOnce, all_.size());
      for (std::size_t i = first; i < end; ++i) {
        leave_out(*all_[i].engine);
        all_[i].off.push_back(time_call());
        take_back();
      }
      const double on = (before + time_call()) / 2;
      for (; first < end; ++first) {
        all_[first].on.push_back(on);
        all_[first].ratio.push_back(all_[first].off.back() / on);
      }
    }
  }

  static Row row_of(Without& without) {
    Row row = without.row;
    row.on_ms = median(without.on);
    row.off_ms = median(without.off);
    row.ratio = median(without.ratio);
    row.rounds = static_cast<int>(without.ratio.size());
    return row;
  }

  void leave_out(const Engine& engine) { engine.leave_out(context_.state()); }
  void take_back() {
    context_.state().limits = usual_;
    context_.state().instruction_sets = sets_;
  }

  const Call& call_;
  clockid_t clock_;
  Context context_;
  EngineLimits usual_;
  std::int64_t sets_;
  Bytes expected_;
  std::vector<Without> all_;
};

}  // namespace

std::vector<Row> measure(const Call& call, std::span<const Engine> engines, const Effort& effort) {
  return Measurement(call, effort.threads).run(engines, effort);
}

}  // namespace thiessen::ablation
