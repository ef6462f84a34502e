// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "thiessen/solvers/changes.hpp"

namespace thiessen {

/// The list behind a ChangedCells. Its memory stays from solve to solve. There are two lists if a
/// caller holds one during a solve.
class ChangedList {
 public:
  void clear() {
    if (cells_.use_count() > 1) {
      cells_.swap(spare_);
      if (cells_.use_count() != 1) cells_ = std::make_shared<Cells>();
    }
    cells_->cell.clear();
    cells_->site_before.clear();
  }
  void add(std::int64_t cell, std::int64_t site_before) {
    cells_->cell.push_back(cell);
    cells_->site_before.push_back(site_before);
  }
  ChangedCells view() const { return {cells_->cell, cells_->site_before, cells_}; }
  std::size_t bytes() const { return bytes_of(*cells_) + (spare_ ? bytes_of(*spare_) : 0); }

 private:
  struct Cells {
    std::vector<std::int64_t> cell;
    std::vector<std::int64_t> site_before;
  };
  static std::size_t bytes_of(const Cells& cells) {
    return (cells.cell.capacity() + cells.site_before.capacity()) * sizeof(std::int64_t);
  }

  std::shared_ptr<Cells> cells_ = std::make_shared<Cells>();
  std::shared_ptr<Cells> spare_;
};

}  // namespace thiessen
