// SPDX-License-Identifier: Apache-2.0
//
// From the nearest point of edges to the nearest edge. Where two edges meet, that with the nearer
// point may be the farther one; so each cell looks at the edges in the cells around the one that it
// has, too.
#include "coverage/nearest_edges.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/cell_access.hpp"
#include "threads/rows.hpp"

namespace thiessen::coverage {
namespace {

using Cell = std::array<std::int32_t, kAxes>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Distances from cells to the nearest of the edges that they look at.
class Search {
 public:
  Search(const CoverageProblem& problem, const Edges& edges)
      : extent_(problem.extent), edges_(edges), distance_(problem.spacing) {}

  /// The squared distance of a cell that has the edge `number`; infinity if it has none.
  double find(const Cell& cell, EdgeNumber number) const {
    if (number == 0) return kInfinity;
    const CellEdge& own = edges_.edge(number);
    double least = distance_.squared(own, cell, kInfinity);
    for_each_around(own.cell, [&](EdgeNumber other) {
      if (other == 0 || other == number) return;
      const double square = distance_.squared(edges_.edge(other), cell, least);
      if (square < least) least = square;
    });
    return least;
  }

 private:
  /// Calls visit(number) for a cell and those around it.
  template <class Visit>
  void for_each_around(const Cell& cell, const Visit& visit) const {
    const auto first = [&](std::size_t axis) { return cell[axis] > 0 ? cell[axis] - 1 : 0; };
    const auto last = [&](std::size_t axis) {
      return cell[axis] + 1 < extent_[axis] ? cell[axis] + 1 : cell[axis];
    };
    for (std::int64_t z = first(0); z <= last(0); ++z)
      for (std::int64_t y = first(1); y <= last(1); ++y) {
        const EdgeNumber* const row = edges_.numbers + to_index(extent_, {z, y, 0});
        for (std::int64_t x = first(2); x <= last(2); ++x) visit(row[x]);
      }
  }

  Axes extent_;
  const Edges& edges_;
  EdgeDistance distance_;
};

/// Whether cells of a chunk of a row are inside of the shape.
class Inside {
 public:
  Inside(const CoverageProblem& problem, const Edges& edges) : problem_(problem), edges_(edges) {}

  void read(std::int64_t row, std::int64_t x, std::int64_t count) {
    const std::int64_t height = problem_.extent[1];
    numbers_ = edges_.numbers + row * problem_.extent[2] + x;
    visit_coverage_type(problem_.coverage.element_type(), [&]<class T>(std::type_identity<T>) {
      const auto* const cells = reinterpret_cast<const T*>(
          CellReader(problem_.coverage).read(row / height, row % height, x, count, buffer_));
      for (std::int64_t i = 0; i < count; ++i)
        is_half_[static_cast<std::size_t>(i)] = to_share(cells[i]) >= 0.5;
    });
  }

  bool operator[](std::int64_t i) const {
    if (numbers_[i] != 0) {
      const EdgeShape shape = edges_.edge(numbers_[i]).shape;
      if (shape == EdgeShape::box) return true;
      if (shape == EdgeShape::hole) return false;
    }
    return is_half_[static_cast<std::size_t>(i)];
  }

 private:
  const CoverageProblem& problem_;
  const Edges& edges_;
  const EdgeNumber* numbers_ = nullptr;
  ChunkBuffer buffer_;
  std::array<bool, kChunk> is_half_;
};

/// Writes squared distances as signed ones.
template <class Distance>
class RowWriter {
 public:
  RowWriter(const CoverageProblem& problem, const Edges& edges, const View<void>& distance)
      : problem_(problem), distance_(distance), inside_(problem, edges) {}

  /// Writes a row whose cells have the squared distances squared_of(x).
  template <class SquaredOf>
  void write(std::int64_t row, const SquaredOf& squared_of) {
    const std::int64_t height = problem_.extent[1], width = problem_.extent[2];
    for (std::int64_t x = 0; x < width; x += kChunk) {
      const std::int64_t count = std::min(kChunk, width - x);
      inside_.read(row, x, count);
      const CellWriter<Distance> writer(address_of(distance_, {row / height, row % height, x}),
                                        distance_.stride(2), buffer_);
      Distance* const cells = writer.begin();
      for (std::int64_t i = 0; i < count; ++i) {
        const double length = length_of(squared_of(x + i));
        cells[i] = static_cast<Distance>(inside_[i] && length > 0 ? -length : length);
      }
      writer.flush(count);
    }
  }

 private:
  double length_of(double square) const {
    const double length = std::sqrt(square) * problem_.unit;
    return length <= problem_.max_distance ? length : kInfinity;
  }

  const CoverageProblem& problem_;
  const View<void>& distance_;
  Inside inside_;
  ChunkBuffer buffer_;
};

/// Writes all rows of squared distances, squared_of(cell, index).
template <class SquaredOf>
void write_rows(ContextState& state, const CoverageProblem& problem, const Edges& edges,
                const View<void>& distance, const SquaredOf& squared_of) {
  const auto write_all = [&]<class Distance>(std::type_identity<Distance>) {
    const std::int64_t height = problem.extent[1], width = problem.extent[2];
    loop_over_rows(state, width, width)(problem.rows(), [&](std::int64_t begin, std::int64_t end) {
      RowWriter<Distance> writer(problem, edges, distance);
      for (std::int64_t row = begin; row < end; ++row) {
        Cell cell{static_cast<std::int32_t>(row / height), static_cast<std::int32_t>(row % height)};
        writer.write(row, [&](std::int64_t x) {
          cell[2] = static_cast<std::int32_t>(x);
          return squared_of(cell, row * width + x);
        });
      }
    });
  };
  if (distance.element_type() == ElementType::f64)
    write_all(std::type_identity<double>{});
  else
    write_all(std::type_identity<float>{});
}

}  // namespace

void write_distances(ContextState& state, const CoverageProblem& problem, const Edges& edges,
                     const EdgeNumber* nearest, const View<void>& distance) {
  const Search search(problem, edges);
  state.progress.begin(problem.cells());
  write_rows(state, problem, edges, distance, [&](const Cell& cell, std::int64_t index) {
    return search.find(cell, nearest[index]);
  });
}

void write_without_edges(ContextState& state, const CoverageProblem& problem, const Edges& edges,
                         const View<void>& distance) {
  state.progress.begin(problem.cells());
  write_rows(state, problem, edges, distance, [](const Cell&, std::int64_t) { return kInfinity; });
}

}  // namespace thiessen::coverage
