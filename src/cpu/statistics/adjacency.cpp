// SPDX-License-Identifier: Apache-2.0
//
// Rows are runs of equal labels. In its row a run touches the next one; where the runs of two
// neighbouring rows, or of rows shifted against each other for diagonal neighbours, lie beside each
// other, the length of what they share is the number of contacts. So work is done once a run, not
// once a cell.
//
// The raster is cut into boxes of planes and rows over its whole width. A box counts the contacts of
// its cells with the neighbours that come before them, those beyond the box included, whose runs it
// finds for itself.
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "cpu/statistics/pair_table.hpp"
#include "cpu/statistics/row_runs.hpp"
#include "cpu/statistics/statistics.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu {
namespace statistics {
namespace {

/// The kinds of contacts: across a face along each axis of the raster, and others.
constexpr int kKinds = kAxes + 1;
constexpr int kOtherKind = kAxes;

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
        all.push_back({dz, dy, dx, steps > 1 ? kOtherKind : dz != 0 ? 0 : 1});
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
  const std::int64_t wanted =
      std::max(threads == 1 ? 1 : std::min<std::int64_t>(4 * threads, cells / kFewestCells),
               cells / kMostCells);
  const auto split = [](std::int64_t count, std::int64_t parts) {
    return (count + parts - 1) / parts;
  };
  const std::int64_t in_y = std::clamp<std::int64_t>(
      wanted, 1, std::max<std::int64_t>(1, extent[1] / kFewestRows));
  const std::int64_t rows = split(extent[1], in_y);
  const std::int64_t planes = split(extent[0], std::clamp<std::int64_t>(wanted / in_y, 1, extent[0]));
  std::vector<Box> boxes;
  for (std::int64_t z = 0; z < extent[0]; z += planes)
    for (std::int64_t y = 0; y < extent[1]; y += rows)
      boxes.push_back({z, std::min(z + planes, extent[0]), y, std::min(y + rows, extent[1])});
  return boxes;
}

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

  void add(const Contacts& other) {
    other.pairs_.for_each([&](std::uint32_t a, std::uint32_t b, const auto& counts) {
      const std::uint64_t pair = PairTable<kKinds>::pair_of(
          labels_.slot_of(other.labels_.key(a)), labels_.slot_of(other.labels_.key(b)));
      auto& own = pairs_.counts_of(pair);
      for (std::size_t kind = 0; kind < kKinds; ++kind) own[kind] += counts[kind];
    });
  }

  Adjacency table(const LabelRaster& raster) const;

 private:
  /// A stretch of cells where two rows have different labels.
  struct Stretch {
    std::uint64_t pair;
    std::int64_t length;
  };

  /// The runs of a row, of those that are kept: two planes of rows, or two rows of the only plane.
  Runs& row(std::int64_t z, std::int64_t y) {
    return planes_[static_cast<std::size_t>(z % 2)]
                  [static_cast<std::size_t>((y - first_row_) % kept_rows_)];
  }

  void find_row(std::int64_t z, std::int64_t y) {
    finder_.begin_row(z, y);
    finder_.find(0, extent_[2], labels_, found_runs_);
    Runs& kept = row(z, y);
    const auto count = static_cast<std::ptrdiff_t>(found_runs_.count);
    kept.count = found_runs_.count;
    kept.begins.assign(found_runs_.begins.begin(), found_runs_.begins.begin() + count + 1);
    kept.slots.assign(found_runs_.slots.begin(), found_runs_.slots.begin() + count);
  }

  void add_row(std::int64_t z, std::int64_t y) {
    const Runs& own = row(z, y);
    for (std::int64_t i = 1; i < own.count; ++i)
      if (differ(own.slot(i - 1), own.slot(i)))
        ++pairs_.counts_of(PairTable<kKinds>::pair_of(own.slot(i - 1), own.slot(i)))[kAxes - 1];
    for (const Neighbour& neighbour : neighbours_) {
      if (z + neighbour.dz < 0 || y + neighbour.dy < 0 || y + neighbour.dy >= extent_[1]) continue;
      compare(own, row(z + neighbour.dz, y + neighbour.dy), neighbour.dx);
      for (std::int64_t i = 0; i < found_; ++i) {
        const auto& [pair, length] = stretches_[static_cast<std::size_t>(i)];
        pairs_.counts_of(pair)[static_cast<std::size_t>(neighbour.kind)] += length;
      }
    }
  }

  static bool differ(std::uint32_t a, std::uint32_t b) {
    return a != b && a != kLeftOut && b != kLeftOut;
  }

  /// Finds where the cells x of a row and x + dx of another have different labels. Whether they do
  /// is as good as random, so all stretches are written, and those that do not are written over.
  void compare(const Runs& own, const Runs& other, std::int64_t dx) {
    found_ = 0;
    stretches_.resize(std::max(stretches_.size(),
                               static_cast<std::size_t>(own.count + other.count + 1)));
    std::int64_t x = std::max<std::int64_t>(0, -dx);
    const std::int64_t end = extent_[2] - std::max<std::int64_t>(0, dx);
    std::int64_t i = own.begin(1) <= x ? 1 : 0;
    std::int64_t j = other.begin(1) - dx <= x ? 1 : 0;
    while (x < end) {
      const std::int64_t own_end = own.begin(i + 1);
      const std::int64_t other_end = other.begin(j + 1) - dx;
      const std::int64_t next = std::min(own_end, other_end);
      const std::uint32_t a = own.slot(i);
      const std::uint32_t b = other.slot(j);
      stretches_[static_cast<std::size_t>(found_)] = {PairTable<kKinds>::pair_of(a, b),
                                                      std::min(next, end) - x};
      found_ += differ(a, b) ? 1 : 0;
      i += own_end == next ? 1 : 0;
      j += other_end == next ? 1 : 0;
      x = next;
    }
  }

  Axes extent_;
  std::vector<Neighbour> neighbours_;
  LabelSlots labels_;
  RunFinder finder_;
  Runs found_runs_;  ///< with room for as many as a row has cells
  std::int64_t first_row_ = 0;
  std::int64_t kept_rows_ = 0;
  std::array<std::vector<Runs>, 2> planes_;
  std::vector<Stretch> stretches_;
  std::int64_t found_ = 0;
  PairTable<kKinds> pairs_;
};

Adjacency Contacts::table(const LabelRaster& raster) const {
  struct Row {
    std::uint64_t order[2];
    LabelKey keys[2];
    std::array<std::int64_t, kKinds> counts;
  };
  const ElementType type = raster.labels.element_type();
  std::vector<Row> rows;
  rows.reserve(pairs_.size());
  pairs_.for_each([&](std::uint32_t a, std::uint32_t b, const auto& counts) {
    Row row{.order = {}, .keys = {labels_.key(a), labels_.key(b)}, .counts = counts};
    if (order_of(row.keys[0], type) > order_of(row.keys[1], type))
      std::swap(row.keys[0], row.keys[1]);
    for (int i = 0; i < 2; ++i) row.order[i] = order_of(row.keys[i], type);
    rows.push_back(row);
  });
  std::sort(rows.begin(), rows.end(), [](const Row& left, const Row& right) {
    return std::lexicographical_compare(left.order, left.order + 2, right.order, right.order + 2);
  });
  Adjacency table;
  std::vector<LabelKey> keys[2];
  for (const Row& row : rows) {
    for (int i = 0; i < 2; ++i) keys[i].push_back(row.keys[i]);
    std::int64_t contacts = row.counts[kOtherKind];
    double boundary = 0;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      if (row.counts[axis] == 0) continue;
      double face = 1;
      for (std::size_t other = 0; other < kAxes; ++other)
        if (other != axis) face *= raster.spacing[other];
      contacts += row.counts[axis];
      boundary += static_cast<double>(row.counts[axis]) * face;
    }
    table.contacts.push_back(contacts);
    table.boundary.push_back(boundary);
  }
  table.a = to_labels(keys[0], type);
  table.b = to_labels(keys[1], type);
  return table;
}

}  // namespace
}  // namespace statistics

Adjacency run_adjacency(ContextState& state, const AdjacencyProblem& problem) {
  using namespace statistics;
  const Axes& extent = problem.raster.extent;
  const bool is_empty = extent[0] * extent[1] * extent[2] == 0;
  const std::vector<Box> boxes = is_empty ? std::vector<Box>() : cut(extent, state.threads);
  const auto count = static_cast<std::int64_t>(boxes.size());
  state.progress.begin(count);
  std::vector<std::unique_ptr<Contacts>> workers(static_cast<std::size_t>(state.threads));
  parallel_for(state, count, 1, 1, [&](std::int64_t begin, std::int64_t end, int index) {
    auto& worker = workers[static_cast<std::size_t>(index)];
    if (!worker) worker = std::make_unique<Contacts>(problem, state.instruction_sets);
    for (std::int64_t i = begin; i < end; ++i)
      worker->add_box(boxes[static_cast<std::size_t>(i)]);
  });
  Contacts all(problem, state.instruction_sets);
  for (const auto& worker : workers)
    if (worker) all.add(*worker);
  return all.table(problem.raster);
}

}  // namespace thiessen::cpu
