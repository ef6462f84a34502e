// SPDX-License-Identifier: Apache-2.0
//
// Two passes over the cells: the first one marks those with an edge and counts them row by row, the
// second one makes the edges, each in its place.
#include "coverage/edges.hpp"

#include <string>
#include <utility>

#include "core/base/cell_access.hpp"
#include "core/base/first_found.hpp"
#include "core/base/refuse.hpp"
#include "operations/rows/numbers.hpp"
#include "thiessen/error.hpp"
#include "threads/rows.hpp"

namespace thiessen::coverage {
namespace {

/// The cells of a chunk of a row, and those of the rows beside it; null beyond the raster.
template <class T>
class RowsAround {
 public:
  RowsAround(const CoverageProblem& problem, std::int64_t row)
      : problem_(problem),
        reader_(problem.coverage),
        z_(row / problem.extent[1]),
        y_(row % problem.extent[1]) {}

  void read(std::int64_t x, std::int64_t count) {
    x_ = x;
    own_ = read(0, 0, count, buffers_[0]);
    beside_ = {read(-1, 0, count, buffers_[1]), read(1, 0, count, buffers_[2]),
               read(0, -1, count, buffers_[3]), read(0, 1, count, buffers_[4])};
  }

  T own(std::int64_t i) const { return own_[i]; }

  /// The sides of a cell that meet an empty one, as in CellEdge.
  std::uint8_t sides_to_empty(std::int64_t i) const {
    unsigned sides = 0;
    for (std::size_t side = 0; side < beside_.size(); ++side)
      if (beside_[side] != nullptr && is_empty(beside_[side][i])) sides |= 1U << side;
    if (x_ + i > 0 && is_empty(at(x_ + i - 1))) sides |= 16;
    if (x_ + i + 1 < problem_.extent[2] && is_empty(at(x_ + i + 1))) sides |= 32;
    return static_cast<std::uint8_t>(sides);
  }

  Axes cell(std::int64_t i) const { return {z_, y_, x_ + i}; }

 private:
  const T* read(std::int64_t dz, std::int64_t dy, std::int64_t count, ChunkBuffer& buffer) const {
    const std::int64_t z = z_ + dz, y = y_ + dy;
    if (z < 0 || z >= problem_.extent[0] || y < 0 || y >= problem_.extent[1]) return nullptr;
    return reinterpret_cast<const T*>(reader_.read(z, y, x_, count, buffer));
  }

  T at(std::int64_t x) const {
    T element;
    std::memcpy(&element, address_of(problem_.coverage, {z_, y_, x}), sizeof element);
    return element;
  }

  const CoverageProblem& problem_;
  CellReader reader_;
  std::int64_t z_, y_, x_ = 0;
  const T* own_ = nullptr;
  std::array<const T*, 4> beside_{};
  std::array<ChunkBuffer, 5> buffers_;
};

template <class T>
class EdgeSearch {
 public:
  EdgeSearch(ContextState& state, const CoverageProblem& problem)
      : state_(state), problem_(problem) {}

  Edges find(Scratch::Frame& scratch) {
    auto* const numbers = scratch.array<EdgeNumber>(problem_.cells());
    auto* const before = scratch.array<std::int64_t>(problem_.rows());
    for_each_row([&](std::int64_t row) { before[row] = mark(row, numbers); });
    if (wrong_.any()) refuse_first();
    const std::int64_t count = sum_before(before);
    auto* const edges = scratch.array<CellEdge>(count);
    for_each_row([&](std::int64_t row) { make(row, before[row], numbers, edges); });
    return {count, edges, numbers};
  }

 private:
  template <class Visit>
  void for_each_row(const Visit& visit) {
    const std::int64_t width = problem_.extent[2];
    parallel_for(state_, problem_.rows(), rows_per_task(width), width,
                 [&](std::int64_t begin, std::int64_t end, int) {
                   for (std::int64_t row = begin; row < end; ++row) visit(row);
                 });
  }

  /// Marks the cells of a row that have an edge by 1, the others by 0. Returns how many have.
  std::int64_t mark(std::int64_t row, EdgeNumber* numbers) {
    const std::int64_t width = problem_.extent[2];
    RowsAround<T> rows(problem_, row);
    std::int64_t count = 0;
    for (std::int64_t x = 0; x < width; x += kChunk) {
      const std::int64_t cells = std::min(kChunk, width - x);
      rows.read(x, cells);
      for (std::int64_t i = 0; i < cells; ++i) {
        const std::int64_t index = row * width + x + i;
        numbers[index] = has_edge(rows, i, index) ? 1 : 0;
        count += numbers[index];
      }
    }
    return count;
  }

  bool has_edge(const RowsAround<T>& rows, std::int64_t i, std::int64_t index) {
    const T element = rows.own(i);
    if (is_empty(element)) return false;
    if (is_full(element)) return rows.sides_to_empty(i) != 0;
    const double share = to_share(element);
    if (share > 0 && share < 1) return read_around<T>(problem_, rows.cell(i)).differs();
    wrong_.report(index);
    return false;
  }

  [[noreturn]] void refuse_first() const {
    const Axes cell = to_cell(problem_.extent, wrong_.index());
    T element;
    std::memcpy(&element, address_of(problem_.coverage, cell), sizeof element);
    std::string place;
    for (auto axis = static_cast<std::size_t>(kAxes - problem_.rank); axis < kAxes; ++axis)
      place += (place.empty() ? "" : ", ") + std::to_string(cell[axis]);
    refuse("coverage[" + place + "]", shortest_decimal(to_share(element)), "must be from 0 to 1");
  }

  /// Turns how many edges rows have into how many are before them. Returns how many there are.
  std::int64_t sum_before(std::int64_t* counts) const {
    std::int64_t sum = 0;
    for (std::int64_t row = 0; row < problem_.rows(); ++row) sum += std::exchange(counts[row], sum);
    if (sum >= std::numeric_limits<EdgeNumber>::max())
      throw Error(ErrorCode::unsupported,
                  {"coverage",
                   {},
                   "has " + std::to_string(sum) + " cells on an edge; must be at most 2^32 - 2"});
    return sum;
  }

  /// Makes the edges of a row, after `before` others.
  void make(std::int64_t row, std::int64_t before, EdgeNumber* numbers, CellEdge* edges) const {
    const std::int64_t width = problem_.extent[2];
    RowsAround<T> rows(problem_, row);
    for (std::int64_t x = 0; x < width; x += kChunk) {
      const std::int64_t cells = std::min(kChunk, width - x);
      rows.read(x, cells);
      EdgeNumber* const own = numbers + row * width + x;
      for (std::int64_t i = 0; i < cells; ++i) {
        if (own[i] == 0) continue;
        edges[before++] = edge_of(rows, i);
        own[i] = static_cast<EdgeNumber>(before);
      }
    }
  }

  CellEdge edge_of(const RowsAround<T>& rows, std::int64_t i) const {
    const Axes cell = rows.cell(i);
    CellEdge edge;
    if (is_full(rows.own(i))) {
      edge.shape = EdgeShape::sides;
      edge.sides = rows.sides_to_empty(i);
    } else {
      edge = fit_edge(read_around<T>(problem_, cell), problem_.spacing);
    }
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      edge.cell[axis] = static_cast<std::int32_t>(cell[axis]);
    return edge;
  }

  ContextState& state_;
  const CoverageProblem& problem_;
  FirstFound wrong_;
};

}  // namespace

Edges find_edges(ContextState& state, const CoverageProblem& problem, Scratch::Frame& scratch) {
  Edges edges;
  state.progress.begin(2 * problem.cells());
  visit_coverage_type(problem.coverage.element_type(), [&]<class T>(std::type_identity<T>) {
    edges = EdgeSearch<T>(state, problem).find(scratch);
  });
  return edges;
}

}  // namespace thiessen::coverage
