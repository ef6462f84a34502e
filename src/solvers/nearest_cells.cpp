// SPDX-License-Identifier: Apache-2.0
//
// NearestSiteSolver: updates of sites that are cells of a raster.
#include <algorithm>
#include <cstring>

#include "core/base/cell_access.hpp"
#include "core/base/make_room.hpp"
#include "core/base/refuse.hpp"
#include "core/problem/cell_class.hpp"
#include "solvers/nearest_solver_state.hpp"
#include "solvers/update_checks.hpp"

namespace thiessen {

using solvers::at;
using solvers::check_range;
using solvers::check_unique;
using solvers::check_value_memory;

std::uint8_t NearestSiteSolver::State::class_of(const std::byte* value) const {
  alignas(8) std::byte aligned[8];
  std::memcpy(aligned, value, data_.element());
  std::uint8_t own = kFreeCell;
  classify(data_.problem.rule, aligned, 1, &own);
  return own;
}

void NearestSiteSolver::State::check_values(const char* name, const View<const void>& values,
                                            std::size_t count) const {
  if (values.element_type() != data_.type)
    refuse(name, "are " + std::string(name_of(values.element_type())) +
                     "; must be of the sites' type " + std::string(name_of(data_.type)));
  if (values.rank() != 1 || values.extent(0) != static_cast<std::int64_t>(count))
    refuse(name, "must be a list of " + std::to_string(count) + ", one for each cell");
  check_value_memory(name, values);
}

/// Cells that sites leave become 0.
void NearestSiteSolver::State::check_zero_is_free(const char* name) const {
  constexpr std::byte kZero[8] = {};
  if (class_of(kZero) != kFreeCell)
    refuse(std::string(name) +
           " would leave 0 in cells; by the options that is a site or nodata, and update_sites() "
           "can put something else there");
}

/// Checks that all are sites, or that none is.
void NearestSiteSolver::State::check_sites(const char* name, std::span<const std::int64_t> sites,
                                           bool are_sites) const {
  for (std::size_t i = 0; i < sites.size(); ++i)
    if (has_site(sites[i]) != are_sites)
      refuse(at(name, i) + " = " + std::to_string(sites[i]) +
             (are_sites ? " is no site; must be one" : " is a site already; must be none"));
}

/// Puts a value into a cell, and keeps the one of the answer. Room for that is reserved.
void NearestSiteSolver::State::set_cell(std::int64_t cell, const std::byte* value) {
  std::byte* const own = data_.cells.data() + static_cast<std::size_t>(cell) * data_.element();
  if (std::memcmp(own, value, data_.element()) == 0) return;
  const bool was_site = class_of(own) == kSiteCell;
  const bool is_site = class_of(value) == kSiteCell;
  if (!is_stale_) {
    FormerCell former{.cell = cell, .turn = former_cells_.size(), .value = {}};
    std::memcpy(former.value.bytes.data(), own, data_.element());
    former_cells_.push_back(former);
  }
  std::memcpy(own, value, data_.element());
  if (was_site == is_site) return;
  if (is_site)
    engine_->add_site(cell);
  else
    engine_->remove_site(cell);
}

/// Makes room for the former values of so many cells. Where there are very many, a fresh call is
/// faster than a repair, and needs none of them.
void NearestSiteSolver::State::expect_cells(std::int64_t count) {
  constexpr std::int64_t kCellsPerEdit = 8;
  constexpr std::int64_t kFew = 64;
  if (is_stale_) return;
  const std::int64_t edits = std::ssize(former_cells_) + count;
  if (edits > kFew + data_.problem.cells() / kCellsPerEdit) {
    is_stale_ = true;
    former_cells_.clear();
    return;
  }
  make_room(former_cells_, count);
}

void NearestSiteSolver::State::add_cells(std::span<const std::int64_t> cells,
                                         const View<const void>& labels) {
  require_raster("add_sites()");
  check_range("cells", cells, data_.problem.cells());
  check_unique("cells", cells, sorted_);
  check_values("labels", labels, cells.size());
  check_sites("cells", cells, false);
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (class_of(labels.bytes() + static_cast<std::int64_t>(i) * labels.stride(0)) != kSiteCell)
      refuse(at("labels", i) + " is no site by the options; must be one");
  update_cells(cells, labels);
}

void NearestSiteSolver::State::move_cells(std::span<const std::int64_t> from,
                                          std::span<const std::int64_t> to) {
  require_raster("move_sites()");
  if (from.size() != to.size())
    refuse("to", "has " + std::to_string(to.size()) + " cells; must have as many as from, " +
                     std::to_string(from.size()));
  check_range("from", from, data_.problem.cells());
  check_range("to", to, data_.problem.cells());
  check_unique("from", from, sorted_);
  check_unique("to", to, sorted_);
  check_zero_is_free("move_sites()");
  check_sites("from", from, true);
  sorted_.assign(from.begin(), from.end());
  std::sort(sorted_.begin(), sorted_.end());
  for (std::size_t i = 0; i < to.size(); ++i)
    if (has_site(to[i]) && !std::binary_search(sorted_.begin(), sorted_.end(), to[i]))
      refuse(at("to", i) + " = " + std::to_string(to[i]) + " is a site already; must be none");
  labels_.resize(from.size() * data_.element());
  for (std::size_t i = 0; i < from.size(); ++i)
    std::memcpy(labels_.data() + i * data_.element(),
                data_.cells.data() + static_cast<std::size_t>(from[i]) * data_.element(),
                data_.element());
  constexpr std::byte kZero[8] = {};
  expect_cells(2 * std::ssize(from));
  for (const std::int64_t cell : from) set_cell(cell, kZero);
  for (std::size_t i = 0; i < to.size(); ++i) set_cell(to[i], labels_.data() + i * data_.element());
}

void NearestSiteSolver::State::update_cells(std::span<const std::int64_t> cells,
                                            const View<const void>& values) {
  require_raster("update_sites()");
  check_range("cells", cells, data_.problem.cells());
  check_values("values", values, cells.size());
  expect_cells(std::ssize(cells));
  for (std::size_t i = 0; i < cells.size(); ++i)
    set_cell(cells[i], values.bytes() + static_cast<std::int64_t>(i) * values.stride(0));
}

void NearestSiteSolver::State::update_box(std::span<const std::int64_t> first,
                                          const View<const void>& values) {
  require_raster("update_box()");
  if (values.element_type() != data_.type)
    refuse("values", "are " + std::string(name_of(values.element_type())) +
                         "; must be of the sites' type " + std::string(name_of(data_.type)));
  if (values.rank() != data_.rank() || std::ssize(first) != data_.rank())
    refuse("values and first must have " + std::to_string(data_.rank()) +
           " axes, as the raster has");
  for (std::size_t axis = 0; axis < first.size(); ++axis) {
    const std::int64_t size = values.extent(static_cast<int>(axis));
    const std::int64_t extent = data_.extents[static_cast<int>(axis)];
    if (first[axis] < 0 || first[axis] > extent - size)
      refuse(at("first", axis) + " = " + std::to_string(first[axis]) + " of a box of " +
             std::to_string(size) + " cells; must lie in the raster of " + std::to_string(extent));
  }
  check_value_memory("values", values);
  const View<const void> box = with_three_axes(values);
  Axes corner{};
  std::copy(first.begin(), first.end(), corner.end() - data_.rank());
  expect_cells(values.extents().count());
  for (std::int64_t z = 0; z < box.extent(0); ++z)
    for (std::int64_t y = 0; y < box.extent(1); ++y)
      for (std::int64_t x = 0; x < box.extent(2); ++x)
        set_cell(to_index(data_.problem.extent, {corner[0] + z, corner[1] + y, corner[2] + x}),
                 address_of(box, {z, y, x}));
}

void NearestSiteSolver::State::collect_cell_edit(const FormerCell& former) {
  const std::byte* const value =
      data_.cells.data() + static_cast<std::size_t>(former.cell) * data_.element();
  if (std::memcmp(value, former.value.bytes.data(), data_.element()) == 0) return;
  const std::uint8_t was = class_of(former.value.bytes.data());
  const std::uint8_t is = class_of(value);
  if (was == kSiteCell && is == kSiteCell) return edits_.relabelled.push_back(former.cell);
  if (was == kSiteCell)
    edits_.went.push_back({former.cell, to_cell(data_.problem.extent, former.cell)});
  if (is == kSiteCell) edits_.came.push_back(former.cell);
  if (!data_.is_inside(former.cell) || (was == kNodataCell) == (is == kNodataCell)) return;
  (is == kNodataCell ? edits_.to_nodata : edits_.from_nodata).push_back(former.cell);
}

/// The first of the former values of a cell is that of the answer.
void NearestSiteSolver::State::collect_cell_edits() {
  std::sort(former_cells_.begin(), former_cells_.end(),
            [](const FormerCell& a, const FormerCell& b) {
              return a.cell == b.cell ? a.turn < b.turn : a.cell < b.cell;
            });
  for (std::size_t i = 0; i < former_cells_.size(); ++i)
    if (i == 0 || former_cells_[i].cell != former_cells_[i - 1].cell)
      collect_cell_edit(former_cells_[i]);
}

}  // namespace thiessen
