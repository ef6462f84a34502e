// SPDX-License-Identifier: Apache-2.0
//
// What the kernels of the second pass (arrivals-inl.hpp) work on, the same for every instruction
// set.
#pragma once

#include <cstdint>
#include <vector>

#include "cpu/cost/eikonal/arrivals.hpp"
#include "cpu/cost/eikonal/tile_cells.hpp"

namespace thiessen::cpu::eikonal {

/// Some cells, with room for a vector behind them.
class CellList {
 public:
  /// Forgets all, and makes room for `most` cells.
  void clear(std::int64_t most) {
    if (std::ssize(cells_) < most + kSpare) cells_.resize(static_cast<std::size_t>(most + kSpare));
    count = 0;
  }
  void add(std::int64_t cell) { data()[count++] = cell; }

  std::int64_t* data() { return cells_.data(); }
  std::int64_t* begin() { return cells_.data(); }
  std::int64_t* end() { return cells_.data() + count; }
  const std::int64_t* begin() const { return cells_.data(); }
  const std::int64_t* end() const { return cells_.data() + count; }

  std::int64_t count = 0;

 private:
  static constexpr std::int64_t kSpare = 8;
  std::vector<std::int64_t> cells_;
};

/// All cells, one element a cell in C order.
struct ArrivalField {
  const Ground& ground;
  const double* order;
  const Answers& answers;
};

struct ArrivalKernels {
  /// Finds for whom the cells of a row wait.
  void (*find_waits)(const ArrivalField& field, std::int64_t row);
  /// Answers `ready` cells of a tile, and those that become so, which join the list. `beyond` gets
  /// cells of other tiles that wait for none any more.
  void (*answer)(const Ground& ground, const Cells& cells, CellList& ready, CellList& beyond);
};

/// The kernels that an instruction set has.
ArrivalKernels arrival_kernels(std::int64_t targets, int rank, bool has_sites);

}  // namespace thiessen::cpu::eikonal
