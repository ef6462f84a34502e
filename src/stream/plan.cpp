// SPDX-License-Identifier: Apache-2.0
#include "stream/plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/refuse.hpp"
#include "operations/rows/numbers.hpp"

namespace thiessen {
namespace {

constexpr std::string_view kRaster = "the raster";

/// Searches work on 16 rows; planes have no such number.
constexpr std::int64_t kStep = 16;
/// Files of the library have blocks of 256 rows.
constexpr std::int64_t kBlock = 256;

class Planner {
 public:
  Planner(const Extents& raster, const StreamNeeds& needs, const StreamLimits& limits)
      : rows_(std::max<std::int64_t>(raster[0], 1)),
        columns_(static_cast<double>(raster.count()) / static_cast<double>(rows_)),
        step_(raster.rank() == 2 ? kStep : 1),
        block_(limits.block),
        of_process_(static_cast<double>(limits.of_process)),
        unit_(raster.rank() == 2 ? "rows" : "planes"),
        needs_(needs) {}

  double at_once() const {
    return needs_.fixed + static_cast<double>(rows_) * columns_ * needs_.at_once;
  }

  double in_slabs(std::int64_t rows) const {
    constexpr double kFaces = 24;  // that are combined at once
    const double slabs = std::ceil(static_cast<double>(rows_) / static_cast<double>(rows));
    const auto held = static_cast<double>(rows + needs_.rows_beside);
    return of_process_ + needs_.fixed +
           columns_ * (held * needs_.in_slab + slabs * needs_.of_column + kFaces * needs_.of_face);
  }

  /// The most rows with which slabs take no more than so many bytes; 0 if not even a few do.
  std::int64_t rows_within(double most) const {
    if (in_slabs(rows_) <= most) return rows_;
    std::int64_t best = 0;
    visit_rows([&](std::int64_t rows) {
      if (in_slabs(rows) <= most) best = rows;
    });
    return best;
  }

  /// The rows of slabs that take the least.
  std::int64_t rows_of_least() const {
    std::int64_t best = rows_;
    visit_rows([&](std::int64_t rows) {
      if (in_slabs(rows) < in_slabs(best)) best = rows;
    });
    return best;
  }

  /// "in slabs it takes 64.5 GiB at least, with 576 rows each".
  std::string least() const {
    const std::int64_t best = rows_of_least();
    const std::string of_process =
        of_process_ > 0 ? " (" + text_of_bytes(of_process_) + " of it whatever the raster)" : "";
    return "in slabs it takes " + text_of_bytes(in_slabs(best)) + " at least, with " +
           std::to_string(best) + " " + unit_ + " each" + of_process;
  }

  /// The rows of each of several slabs that hold `most` rows together.
  std::int64_t rows_of_slab(std::int64_t most) const {
    if (needs_.slabs_held == 1 || most == 0) return most;
    return std::max(most / needs_.slabs_held / step_ * step_, std::min(step_, most));
  }

 private:
  /// Calls visit(rows) for the heights that slabs may have; less than a step where memory is short.
  template <class Visit>
  void visit_rows(const Visit& visit) const {
    for (std::int64_t rows = 1; rows < rows_ + step_; rows = after(rows))
      visit(std::min(rows, rows_));
  }
  std::int64_t after(std::int64_t rows) const {
    if (rows < step_) return 2 * rows;
    return rows < block_ ? std::min(rows + step_, block_) : rows + block_;
  }

  std::int64_t rows_;
  double columns_;
  std::int64_t step_;
  std::int64_t block_;
  double of_process_;
  const char* unit_;
  const StreamNeeds& needs_;
};

std::string text_of(const BrokenRule& why) { return Error(ErrorCode::unsupported, why).what(); }

/// Refuses a limit, as the call is not done in slabs.
[[noreturn]] void refuse_slabs(const char* limit, const std::string& value, const BrokenRule& why) {
  refuse(limit, value, "the call is not done in slabs: " + text_of(why));
}

}  // namespace

namespace {

void check(const StreamLimits& limits) {
  if (limits.memory < 0) refuse("memory", std::to_string(limits.memory), "must be at least 1");
  if (limits.rows < 0 || limits.rows > 1 << 30)
    refuse("slab_rows", std::to_string(limits.rows), "must be from 1 to 2^30");
  if (limits.block < 1) refuse("block", std::to_string(limits.block), "must be at least 1");
}

/// Refuses limits that ask for slabs of a call that has none.
void check_at_once(const StreamPlan& plan, const StreamLimits& limits, int ranks) {
  const BrokenRule& why = *plan.why_at_once;
  if (ranks > 1) refuse_slabs("ranks", std::to_string(ranks), why);
  if (limits.rows > 0 && why.argument != kRaster)
    refuse_slabs("slab_rows", std::to_string(limits.rows), why);
  if (limits.memory > 0 && plan.bytes > static_cast<double>(limits.memory))
    refuse("memory", std::to_string(limits.memory),
           "the call needs " + text_of_bytes(plan.bytes) +
               " at once, and is not done in slabs: " + text_of(why));
}

/// Cuts the part of this rank into slabs, if a few rows fit the memory.
void cut(StreamPlan& plan, const Planner& own, const StreamNeeds& needs,
         const StreamLimits& limits) {
  const std::int64_t own_rows = std::max<std::int64_t>(plan.part.count, 1);
  const std::int64_t most = own.rows_within(static_cast<double>(plan.memory));
  const std::int64_t wanted = limits.rows > 0 ? limits.rows : own.rows_of_slab(most);
  const std::int64_t rows = std::min(wanted, own_rows);
  plan.bytes_least = own.in_slabs(own.rows_of_least());
  if (rows == 0) return;
  plan.is_at_once = false;
  plan.rows = rows;
  plan.slabs = (plan.part.count + rows - 1) / rows;
  plan.held = needs.slabs_held == 1
                  ? 1
                  : std::clamp<std::int64_t>(most / rows, 1, std::max<std::int64_t>(plan.slabs, 1));
  plan.bytes = own.in_slabs(plan.held * rows);
}

}  // namespace

StreamPlan choose_plan(const Extents& raster, const StreamNeeds& needs, const StreamLimits& limits,
                       std::optional<BrokenRule> why_at_once) {
  check(limits);
  const int ranks = limits.communicator == nullptr ? 1 : limits.communicator->size();
  if (limits.why_at_once) why_at_once = limits.why_at_once;
  if (raster.count() == 0) why_at_once = BrokenRule{std::string(kRaster), {}, "has no cells"};
  const Planner whole(raster, needs, limits);
  StreamPlan plan{.rows = raster[0],
                  .bytes = whole.at_once(),
                  .bytes_at_once = whole.at_once(),
                  .memory = limits.memory,
                  .parts = parts_of(raster, ranks),
                  .part = {},
                  .why_at_once = why_at_once,
                  .folder = limits.folder,
                  .communicator = limits.communicator};
  plan.part = plan.parts[static_cast<std::size_t>(ranks > 1 ? limits.communicator->rank() : 0)];
  if (plan.memory == 0) {
    const std::int64_t available = available_memory();
    plan.memory = available < 0 ? std::numeric_limits<std::int64_t>::max() : available / 2;
  }
  const bool is_too_much = plan.bytes > static_cast<double>(plan.memory);
  if (limits.rows == 0 && !is_too_much && ranks == 1) return plan;
  if (why_at_once) {
    check_at_once(plan, limits, ranks);
    return plan;
  }
  // A part may have no rows; a slab has one.
  const Planner own(slab_extents(raster, std::max<std::int64_t>(plan.part.count, 1)), needs,
                    limits);
  cut(plan, own, needs, limits);
  if (plan.is_at_once && (limits.memory > 0 || ranks > 1))
    refuse("memory", std::to_string(plan.memory),
           "is too little: at once the call takes " + text_of_bytes(plan.bytes) + ", and " +
               own.least());
  return plan;
}

SlabRows StreamPlan::slab(std::int64_t number) const {
  const std::int64_t before = std::min(number * rows, part.count);
  return {part.first + before, std::min(rows, part.count - before)};
}

std::vector<SlabRows> parts_of(const Extents& extents, int ranks) {
  const std::int64_t rows = extents[0];
  const std::int64_t step = extents.rank() == 2 && rows >= 4 * kBlock * ranks ? kBlock : 1;
  std::vector<SlabRows> parts;
  std::int64_t first = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const std::int64_t end = rank + 1 == ranks ? rows : rows / step * (rank + 1) / ranks * step;
    parts.push_back({first, end - first});
    first = end;
  }
  return parts;
}

}  // namespace thiessen
