// SPDX-License-Identifier: Apache-2.0
//
// What a run of cost distance in slabs knows of all cells: in a file beside an output that is gone
// when the run ends; or in the folder of --resume (run_folder.hpp), for the next run:
//
//     cells           rasters, row by row; those that visits change twice
//     progress.json   which of the two copies of a slab counts, in each stage, and how far the run
//     is
//
// A kill may come between any two writes, or in the midst of one. That harms nothing: a slab is
// written to the copy that does not count. keep() has all such copies on the disk before
// progress.json names them, and that file appears whole or not at all. Everything else is written
// before any progress.json is there, or always has the same bytes.
//
// The slabs of one progress.json may be of different age. Each is as some visit left it: its values
// are those of paths, and no step between its own cells lowers any. The next run visits all of them
// again with what is known beside them, which makes up for the visits that were lost. So it ends at
// the fixed point of the raster, of which there is only one (docs/slabs.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "slabs/row_store.hpp"
#include "slabs/slab_plan.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {

/// What is kept of all cells.
enum class Kept : std::uint8_t {
  map,
  sites,
  initial_cost,
  resistance,
  cost,
  site_index,
  labels,
  hops
};
inline constexpr std::size_t kKeptRasters = 8;
inline constexpr std::size_t kCostStages = 3;

/// A value for each of them.
template <class T>
class OfKept {
 public:
  T& operator[](Kept which) { return values_[static_cast<std::size_t>(which)]; }
  const T& operator[](Kept which) const { return values_[static_cast<std::size_t>(which)]; }

 private:
  std::array<T, kKeptRasters> values_{};
};

/// The stage whose visits change it.
std::optional<CostStage> changing_stage(Kept which);

/// What is kept in a run, and of which type.
class KeptTypes {
 public:
  void keep(Kept which, ElementType type) {
    types_[which] = type;
    is_kept_[which] = true;
  }
  void drop(Kept which) { is_kept_[which] = false; }
  bool holds(Kept which) const { return is_kept_[which]; }
  ElementType type(Kept which) const { return types_[which]; }
  std::size_t bytes(Kept which) const { return holds(which) ? size_of(types_[which]) : 0; }

 private:
  OfKept<ElementType> types_;
  OfKept<bool> is_kept_;
};

/// How far a run has come, but for the cells.
struct CostProgress {
  std::size_t stages_done = 0;
  bool nodata_is_label = false;            ///< as of CostInput
  std::vector<std::int64_t> sites_before;  ///< of each slab
  std::int64_t sites = 0;
  std::int64_t ignored = 0;
  std::int64_t first_ignored = 0;
};

class CostStore {
 public:
  /// `output`: one of the run's. Goes on with what the folder of the plan holds. Throws Error{io},
  /// UsageError for a folder with damaged files.
  CostStore(const KeptTypes& types, const Extents& raster, const SlabPlan& plan,
            const std::string& output);

  /// That of the interrupted run, if it had read its inputs.
  const std::optional<CostProgress>& before() const { return before_; }

  /// Whether a slab has been written in a stage.
  bool holds(CostStage stage, std::size_t slab) const {
    return written_[static_cast<std::size_t>(stage)][slab] != kNone;
  }

  /// Rows as they were written last.
  void read(Kept which, const SlabRows& rows, std::byte* to) const;
  /// Rows of what no visit changes.
  void write(Kept which, const SlabRows& rows, const std::byte* from);
  /// The own rows of a slab in all rasters that visits change in a stage; from(which) has them.
  using From = std::function<const std::byte*(Kept which)>;
  void write_slab(CostStage stage, std::size_t slab, const From& from);

  /// Whether what is known outlives a kill.
  bool is_kept() const { return plan_.folder != nullptr; }

  /// From now on a kill loses nothing of what has been written. Only if is_kept().
  void keep(const CostProgress& progress);

  /// The outputs are there: removes what is kept.
  void remove() const;

 private:
  static constexpr std::int8_t kNone = -1;
  using Copies = std::array<std::vector<std::int8_t>, kCostStages>;  // for each slab

  void load_progress();
  std::size_t place(Kept which, std::int8_t copy) const {
    return places_[which] + static_cast<std::size_t>(copy);
  }

  KeptTypes types_;
  const SlabPlan& plan_;
  std::optional<CostProgress> before_;
  Copies kept_;                 // those that progress.json names
  Copies written_;              // those that were written last
  OfKept<std::size_t> places_;  // of the first copy; the second one follows
  std::optional<RowStore> rows_;
};

}  // namespace thiessen::cli
