// SPDX-License-Identifier: Apache-2.0
//
// Rows are runs of equal labels. In its row a run touches the next one; where the runs of two
// neighbouring rows, or of rows shifted against each other for diagonal neighbours, lie beside each
// other, the length of what they share is the number of contacts. So work is done once a run, not
// once a cell.
//
// The raster is cut into boxes of planes and rows over its whole width. A box counts the contacts
// of its cells with the neighbours that come before them, those beyond the box included, whose runs
// it finds for itself.
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/statistics/pair_ids.hpp"
#include "core/statistics/tables.hpp"
#include "cpu/statistics/row_runs.hpp"
#include "cpu/statistics/statistics.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu {
namespace statistics {
namespace {

/// A row before one, and how its cells are shifted against the neighbours in question.
struct Neighbour {
  int dz;
  int dy;
  int dx;
  int kind;
};

/// The neighbours in other rows that come before a cell.
std::vector<Neighbour> neighbours_before(Connectivity connectivity) {
  std::vector<Neighbour> all;
  for (int dz = -1; dz <= 0; ++dz)
    for (int dy = -1; dy <= (dz < 0 ? 1 : -1); ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        const int steps = (dz != 0 ? 1 : 0) + (dy != 0 ? 1 : 0) + (dx != 0 ? 1 : 0);
        if (steps > 1 && connectivity == Connectivity::faces) continue;
        if (steps > 2 && connectivity == Connectivity::edges) continue;
        all.push_back({dz, dy, dx, steps > 1 ? kDiagonal : dz != 0 ? 0 : kAcrossRows});
      }
  return all;
}

struct Box {
  std::int64_t z_begin;
  std::int64_t z_end;
  std::int64_t y_begin;
  std::int64_t y_end;
};

/// Boxes of at least 32 rows, and of some planes where that does not make enough of them: several
/// for each thread, and so many that a call is soon cancelled.
std::vector<Box> cut(const Axes& extent, int threads) {
  constexpr std::int64_t kFewestCells = 1 << 17;
  constexpr std::int64_t kMostCells = 1 << 22;
  constexpr std::int64_t kFewestRows = 32;
  const std::int64_t cells = extent[0] * extent[1] * extent[2];
  const std::int64_t wanted = std::max(
      threads == 1 ? 1 : std::min<std::int64_t>(std::int64_t{4} * threads, cells / kFewestCells),
      cells / kMostCells);
  const auto split = [](std::int64_t count, std::int64_t parts) {
    return (count + parts - 1) / parts;
  };
  const std::int64_t in_y =
      std::clamp<std::int64_t>(wanted, 1, std::max<std::int64_t>(1, extent[1] / kFewestRows));
  const std::int64_t rows = split(extent[1], in_y);
  const std::int64_t planes =
      split(extent[0], std::clamp<std::int64_t>(wanted / in_y, 1, extent[0]));
  std::vector<Box> boxes;
  for (std::int64_t z = 0; z < extent[0]; z += planes)
    for (std::int64_t y = 0; y < extent[1]; y += rows)
      boxes.push_back({z, std::min(z + planes, extent[0]), y, std::min(y + rows, extent[1])});
  return boxes;
}

struct KeptRun {
  std::uint32_t end;
  std::uint32_t slot;
  std::uint32_t pair;  ///< the number of its pair with the run before
};

/// The runs of a row. Behind them come two that end with the row and are left out.
using Row = std::vector<KeptRun>;

/// What one worker has seen.
class Contacts {
 public:
  Contacts(const AdjacencyProblem& problem, std::int64_t targets)
      : extent_(problem.raster.extent),
        neighbours_(neighbours_before(problem.connectivity)),
        labels_(problem.raster.left_out),
        finder_(problem.raster, targets) {}

  void add_box(const Box& box) {
    first_row_ = std::max<std::int64_t>(box.y_begin - 1, 0);
    const bool flat = extent_[0] == 1;
    const std::int64_t end_row = flat ? box.y_end : std::min(box.y_end + 1, extent_[1]);
    kept_rows_ = flat ? 2 : end_row - first_row_;
    for (auto& plane : planes_) plane.resize(static_cast<std::size_t>(kept_rows_));
    for (std::int64_t z = std::max<std::int64_t>(box.z_begin - 1, 0); z < box.z_end; ++z)
      for (std::int64_t y = first_row_; y < end_row; ++y) {
        find_row(z, y);
        if (z >= box.z_begin && y >= box.y_begin && y < box.y_end) add_row(z, y);
      }
  }

  /// Adds what another worker has seen.
  void add(const Contacts& other) {
    for (std::size_t id = 1; id < other.pairs_.size(); ++id) {
      ContactCounts& counts =
          counts_of(labels_.slot_of(other.labels_.key(other.pairs_.lower_slot(id))),
                    labels_.slot_of(other.labels_.key(other.pairs_.higher_slot(id))));
      for (std::size_t kind = 0; kind < kContactKinds; ++kind)
        counts[kind] += other.counts_[id][kind];
    }
  }

  Adjacency table(const LabelRaster& raster) const {
    const std::vector<std::uint32_t> slots = labels_.in_order(raster.labels.element_type());
    return make_adjacency(raster, {.keys = labels_.keys(),
                                   .in_order = slots,
                                   .pairs = std::span(pairs_.pairs()).subspan(1),
                                   .counts = std::span(counts_).subspan(1)});
  }

 private:
  /// The runs of a row, of those that are kept: two planes of rows, or two rows of the only plane.
  Row& row(std::int64_t z, std::int64_t y) {
    return planes_[static_cast<std::size_t>(z % 2)]
                  [static_cast<std::size_t>((y - first_row_) % kept_rows_)];
  }

  void find_row(std::int64_t z, std::int64_t y) {
    finder_.begin_row(z, y);
    finder_.find(0, extent_[2], labels_, found_);
    Row& kept = row(z, y);
    const auto count = static_cast<std::size_t>(found_.count);
    kept.resize(count + 2);
    for (std::size_t i = 0; i <= count; ++i)
      kept[i] = {found_.begins[i + 1], found_.slots[i], PairIds::kNoPair};
    kept[count + 1] = kept[count];
  }

  std::uint32_t id_of(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t id = pairs_.id_of(a, b);
    if (id >= counts_.size()) counts_.resize(pairs_.size());
    return id;
  }
  ContactCounts& counts_of(std::uint32_t a, std::uint32_t b) { return counts_[id_of(a, b)]; }

  void add_row(std::int64_t z, std::int64_t y) {
    Row& own = row(z, y);
    if (y > first_row_)
      compare_with_row_before(row(z, y - 1), own);
    else
      compare_in_row(own);
    for (const auto& [dz, dy, dx, kind] : neighbours_) {
      const bool done = dz == 0 && dx == 0;
      if (done || z + dz < 0 || y + dy < 0 || y + dy >= extent_[1]) continue;
      compare(own, row(z + dz, y + dy), dx, static_cast<std::size_t>(kind));
    }
  }

  void compare_in_row(Row& own) {
    for (std::size_t i = 1; i + 2 < own.size(); ++i) touch_run_before(own[i]);
  }

  void touch_run_before(KeptRun& run) {
    run.pair = id_of((&run)[-1].slot, run.slot);
    ++counts_[run.pair][kAlongRows];
  }

  /// Counts the contacts of a row with the one before it, and those in it. Where the same two
  /// labels meet in both rows, so that their boundary has just moved, the number of their pair is
  /// known from the row before; a search for it takes longer than all the rest.
  void compare_with_row_before(const Row& before, Row& row) {
    const KeptRun* other = before.data();
    KeptRun* own = row.data();
    const auto width = static_cast<std::uint32_t>(extent_[2]);
    std::uint32_t x = 0;
    while (x < width) {
      finder_.fetch(x + extent_[2]);
      const std::uint32_t next = std::min(own->end, other->end);
      const std::uint32_t last = std::max(own->end, other->end);
      if (own->slot == other->slot && own[1].slot == other[1].slot &&
          last <= std::min(own[1].end, other[1].end)) {
        ++own;
        ++other;
        std::uint32_t id = other->pair;
        if (id == PairIds::kNoPair) id = id_of(own[-1].slot, own->slot);  // in rows before a box
        own->pair = id;
        ContactCounts& counts = counts_[id];
        ++counts[kAlongRows];
        counts[kAcrossRows] += last - next;
        x = last;
        continue;
      }
      if (own->slot != other->slot) counts_of(own->slot, other->slot)[kAcrossRows] += next - x;
      if (other->end == next) ++other;
      if (own->end == next && next < width) touch_run_before(*++own);
      x = next;
    }
  }

  /// Counts the contacts of the cells x of a row with the cells x + dx of another.
  void compare(const Row& own_row, const Row& other_row, std::int64_t dx, std::size_t kind) {
    std::int64_t x = std::max<std::int64_t>(0, -dx);
    const std::int64_t end = extent_[2] - std::max<std::int64_t>(0, dx);
    const KeptRun* own = own_row.data() + (own_row[0].end <= x ? 1 : 0);
    const KeptRun* other = other_row.data() + (other_row[0].end - dx <= x ? 1 : 0);
    while (x < end) {
      const std::int64_t own_end = own->end;
      const std::int64_t other_end = other->end - dx;
      const std::int64_t next = std::min({own_end, other_end, end});
      if (own->slot != other->slot) counts_of(own->slot, other->slot)[kind] += next - x;
      own += own_end == next ? 1 : 0;
      other += other_end == next ? 1 : 0;
      x = next;
    }
  }

  Axes extent_;
  std::vector<Neighbour> neighbours_;
  LabelSlots labels_;
  RunFinder finder_;
  Runs found_;  ///< with room for as many as a row has cells
  std::int64_t first_row_ = 0;
  std::int64_t kept_rows_ = 0;
  std::array<std::vector<Row>, 2> planes_;
  PairIds pairs_;
  std::vector<ContactCounts> counts_ = std::vector<ContactCounts>(1);  ///< of each pair
};

Adjacency find_adjacency(ContextState& state, const AdjacencyProblem& problem) {
  const Axes& extent = problem.raster.extent;
  const bool is_empty = extent[0] * extent[1] * extent[2] == 0;
  const std::vector<Box> boxes = is_empty ? std::vector<Box>() : cut(extent, state.threads);
  const auto count = static_cast<std::int64_t>(boxes.size());
  state.progress.begin(count);
  std::vector<std::unique_ptr<Contacts>> workers(static_cast<std::size_t>(state.threads));
  parallel_for(state, count, 1, 1, [&](std::int64_t begin, std::int64_t end, int index) {
    auto& worker = workers[static_cast<std::size_t>(index)];
    if (!worker) worker = std::make_unique<Contacts>(problem, state.instruction_sets);
    for (std::int64_t i = begin; i < end; ++i) worker->add_box(boxes[static_cast<std::size_t>(i)]);
  });
  std::unique_ptr<Contacts> all;
  for (auto& worker : workers) {
    if (!worker) continue;
    if (all)
      all->add(*worker);
    else
      all = std::move(worker);
  }
  if (!all) all = std::make_unique<Contacts>(problem, state.instruction_sets);
  return all->table(problem.raster);
}

}  // namespace
}  // namespace statistics

Adjacency run_adjacency(ContextState& state, const AdjacencyProblem& problem) {
  return statistics::find_adjacency(state, problem);
}

}  // namespace thiessen::cpu
