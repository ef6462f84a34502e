// SPDX-License-Identifier: Apache-2.0
#include "cpu/lines/faces.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "core/base/cell_access.hpp"
#include "core/problem/cell_class.hpp"
#include "cpu/lines/stretches.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu {
namespace {

/// The row or plane of a slab that is `step` steps from one end.
std::int64_t from_end(const Slab& slab, End end, std::int64_t step) {
  return end == End::first ? step : slab.count - 1 - step;
}

/// The address of the first cell of a stretch.
const std::byte* cell_of(const View<const void>& view, const Problem& problem,
                         const Stretch& stretch, std::int64_t along) {
  const Axes cell =
      problem.rank == 2 ? Axes{0, along, stretch.x} : Axes{along, stretch.y, stretch.x};
  return address_of(view, cell);
}

/// The columns of a stretch of a face that have no cell yet.
class OpenColumns {
 public:
  OpenColumns(const Face& face, const Stretch& stretch)
      : coordinate_(face.coordinate + stretch.column), count_(stretch.count), open_(stretch.count) {
    std::fill_n(coordinate_, count_, kNoSite);
  }

  bool are_left() const { return open_ > 0; }

  /// Gives the coordinate to those for which flags[i] = `wanted`, and calls found(i).
  template <class Found>
  void take(const std::uint8_t* flags, std::uint8_t wanted, std::int64_t coordinate,
            const Found& found) {
    const std::uint8_t* const end = flags + count_;
    const auto find = [&](const std::uint8_t* from) {
      return static_cast<const std::uint8_t*>(
          std::memchr(from, wanted, static_cast<std::size_t>(end - from)));
    };
    for (const auto* flag = find(flags); flag != nullptr; flag = find(flag + 1)) {
      const std::int64_t i = flag - flags;
      if (coordinate_[i] != kNoSite) continue;
      coordinate_[i] = static_cast<std::int32_t>(coordinate);
      --open_;
      found(i);
    }
  }

 private:
  std::int32_t* coordinate_;
  std::int64_t count_;
  std::int64_t open_;
};

/// Calls visit(cells, classes, count) for the chunks of row or plane `along` of a slab, in order.
template <class Visit>
void for_each_class(const Problem& problem, const CellReader& cells, std::int64_t along,
                    const Visit& visit) {
  const bool is_row = problem.rank == 2;
  std::array<std::uint8_t, kChunk> classes;
  ChunkBuffer buffer;
  std::int64_t column = 0;
  for (std::int64_t y = 0; y < (is_row ? 1 : problem.extent[1]); ++y)
    for (std::int64_t x = 0; x < problem.extent[2]; x += kChunk) {
      const std::int64_t count = std::min(kChunk, problem.extent[2] - x);
      classify(problem.rule, cells.read(is_row ? 0 : along, is_row ? along : y, x, count, buffer),
               count, classes.data());
      visit(column, classes.data(), count);
      column += count;
    }
}

/// Writes the numbers of the sites of one row or plane that faces look at; `number` is that of the
/// last site before it.
void number_row(const Problem& problem, const CellReader& cells, std::int64_t along,
                std::int64_t coordinate, std::int64_t number, std::span<const Face> faces) {
  for_each_class(problem, cells, along,
                 [&](std::int64_t column, const std::uint8_t* classes, std::int64_t count) {
                   for (std::int64_t i = 0; i < count; ++i) {
                     if (classes[i] != kSiteCell) continue;
                     ++number;
                     for (const Face& face : faces)
                       if (face.coordinate[column + i] == coordinate)
                         std::memcpy(face.labels + (column + i) * std::int64_t{sizeof number},
                                     &number, sizeof number);
                   }
                 });
}

}  // namespace

void find_sites_of_face(ContextState& state, const Problem& problem, const Slab& slab,
                        const View<const void>& sites, End end, const Face& face) {
  const CellReader cells(sites);
  const auto copy_label = [&](const Stretch& stretch, std::int64_t along, std::int64_t i) {
    visit_element_width(sites.element_type(), [&]<class T>(std::type_identity<T>) {
      std::memcpy(face.labels + (stretch.column + i) * std::int64_t{sizeof(T)},
                  cell_of(sites, problem, stretch, along) + i * sites.stride(2), sizeof(T));
    });
  };
  for_each_stretch(state, problem, kChunk, 0, [&](const Stretch& stretch) {
    OpenColumns columns(face, stretch);
    std::array<std::uint8_t, kChunk> classes;
    ChunkBuffer buffer;
    for (std::int64_t step = 0; step < slab.count && columns.are_left(); ++step) {
      const std::int64_t along = from_end(slab, end, step);
      classify(problem.rule, read(cells, problem, stretch, along, buffer), stretch.count,
               classes.data());
      columns.take(classes.data(), kSiteCell, slab.first + along, [&](std::int64_t i) {
        if (face.labels != nullptr) copy_label(stretch, along, i);
      });
    }
  });
}

void find_changes_of_face(ContextState& state, const Problem& problem, const Slab& slab,
                          const View<const void>& values, End end, const Face& face) {
  constexpr std::uint8_t kDiffers = 0;
  const CellReader cells(values);
  const auto element = static_cast<std::int64_t>(size_of(values.element_type()));
  for_each_stretch(state, problem, kChunk, 0, [&](const Stretch& stretch) {
    OpenColumns columns(face, stretch);
    std::array<std::uint8_t, kChunk> same;
    ChunkBuffer buffer;
    std::byte* const own = face.labels + stretch.column * element;
    std::memcpy(own, read(cells, problem, stretch, from_end(slab, end, 0), buffer),
                static_cast<std::size_t>(stretch.count * element));
    for (std::int64_t step = 1; step < slab.count && columns.are_left(); ++step) {
      const std::int64_t along = from_end(slab, end, step);
      compare_cells(values.element_type(), own, read(cells, problem, stretch, along, buffer),
                    stretch.count, same.data());
      columns.take(same.data(), kDiffers, slab.first + along, [](std::int64_t) {});
    }
  });
}

std::int64_t number_sites_of_faces(ContextState& state, const Problem& problem, const Slab& slab,
                                   const View<const void>& sites, const Face& first,
                                   const Face& last) {
  const CellReader cells(sites);
  Scratch::Frame scratch(state.scratch);
  auto* const before = scratch.array<std::int64_t>(slab.count + 1);
  before[0] = 0;
  parallel_for(state, slab.count, 1, 0, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t k = begin; k < end; ++k) {
      std::int64_t found = 0;
      for_each_class(problem, cells, k,
                     [&](std::int64_t, const std::uint8_t* classes, std::int64_t count) {
                       found += std::count(classes, classes + count, kSiteCell);
                     });
      before[k + 1] = found;
    }
  });
  for (std::int64_t k = 0; k < slab.count; ++k) before[k + 1] += before[k];
  auto* const is_seen = scratch.array<std::uint8_t>(slab.count);
  std::fill_n(is_seen, slab.count, std::uint8_t{0});
  const std::array<Face, 2> faces{first, last};
  for (const Face& face : faces)
    for (std::int64_t column = 0; column < slab_columns(problem); ++column)
      if (face.coordinate[column] != kNoSite) is_seen[face.coordinate[column] - slab.first] = 1;
  parallel_for(state, slab.count, 1, 0, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t k = begin; k < end; ++k)
      if (is_seen[k] != 0) number_row(problem, cells, k, slab.first + k, before[k], faces);
  });
  return before[slab.count];
}

}  // namespace thiessen::cpu
