// SPDX-License-Identifier: Apache-2.0
//
// The data of a CostSolver on the device. Plain data for the kernels, all addresses in device
// memory, and functions of host and device.
//
//   answer   cost and site of each cell: as they are now, and as they were before the last solve
//   site     the index of a site: of points the place in their list, else the cell; or kNoRank, or
//            kOutsideSite for a cell that is nodata
//   record   where a site stands in the arrays of sites (core/cost/site_table.hpp)
//   tile     as a front has them (tile.hpp): a repair works by tiles
//   list     of the tiles that a solve looks at, each once. There are two: that of the last solve,
//            and that of the next one, on which updates put the tiles in which something changes
//   round    the work of all blocks between two barriers
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "cuda/cost/kernels.hpp"
#include "cuda/cost/tiles/flow.hpp"
#include "cuda/job/results.hpp"

namespace thiessen::cuda::cost {

inline constexpr std::uint32_t kOutsideSite = kNoRank - 1;
/// What stands for the record of a cell without sites.
inline constexpr std::uint32_t kNoRecord = 0xFFFFFFFFu;

/// The mark of a site that is on the list of changed sites.
inline constexpr std::uint32_t kMarkTold = 1;

// Bits of the mark of a tile.
THIESSEN_HD constexpr std::uint32_t mark_of_list(std::uint32_t list) { return 1u << list; }
THIESSEN_HD constexpr std::uint32_t mark_of_round(std::uint32_t round) { return 4u << round % 2; }

/// The bits of a float or a double.
template <class T>
using FloatBits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// A resistance is NaN in barriers; this NaN stands for nodata.
template <class T>
THIESSEN_HD T outside_resistance() {
  const auto barrier = std::bit_cast<FloatBits<T>>(std::numeric_limits<T>::quiet_NaN());
  return std::bit_cast<T>(static_cast<FloatBits<T>>(barrier + 1));
}

template <class T>
THIESSEN_HD bool is_outside(T resistance) {
  return std::bit_cast<FloatBits<T>>(resistance) ==
         std::bit_cast<FloatBits<T>>(outside_resistance<T>());
}

/// An illegal value that an update had.
struct SolverFault {
  std::uint64_t index;  ///< in the values, as a box; kNone: there is no fault
  std::uint64_t value;  ///< its bytes
  Axes extent;          ///< of the values
  std::uint32_t is_map;

  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
};

/// What blocks tell each other, and the host.
struct SolverWork {
  // tiles
  std::uint32_t list;    ///< of the last solve: 0 or 1
  std::uint32_t tiles;   ///< on that list
  std::uint32_t edited;  ///< on the list of the next one
  /// Tiles entered for a round, modulo 3; in the upper half, those of them new on the list.
  unsigned long long entered[3];  // NOLINT(google-runtime-int): as atomicAdd has it
  // what goes on
  std::uint32_t whole;   ///< the next answer is to be made anew
  std::uint32_t afresh;  ///< the last answer was made anew
  std::uint32_t wanted;  ///< it is to be made anew by the kernels behind the repair
  std::uint32_t generation;
  // what changed
  std::uint32_t changed_sites;
  unsigned long long changed;  // NOLINT(google-runtime-int): as atomicAdd has it
  std::uint32_t first[kAxes];
  std::uint32_t last[kAxes];
  std::uint32_t first_link;  ///< plane, in 2-D row, of back links that were written
  std::uint32_t last_link;
  // sites on barriers: [list] of the last solve, the other one cleared for the next
  std::uint32_t ignored[2];
  std::uint32_t first_ignored[2];  ///< the least of their indices
  // what is wrong
  unsigned long long illegal;  ///< the first of an update  // NOLINT(google-runtime-int)
  std::uint32_t is_stale;      ///< a graph was launched whose arrays are gone
  SolverFault fault;           ///< the first one that nobody has been told
};

/// An output in device memory with any strides.
struct SolverCells {
  std::byte* bytes = nullptr;
  std::int64_t stride[kAxes] = {};
  std::int32_t element = 0;
  bool is_packed = false;
  bool is_aligned = false;

  THIESSEN_HD explicit operator bool() const { return bytes != nullptr; }
  THIESSEN_HD std::byte* at(const Axes& extent, std::int64_t cell) const {
    if (is_packed) return bytes + cell * element;
    const Axes place = to_cell(extent, cell);
    return bytes + place[0] * stride[0] + place[1] * stride[1] + place[2] * stride[2];
  }
  THIESSEN_HD void put(const Axes& extent, std::int64_t cell, const std::byte* value) const {
    std::byte* const to = at(extent, cell);
    if (is_aligned) return copy_element(to, value, element);
    for (std::int32_t i = 0; i < element; ++i) to[i] = value[i];
  }
  template <class Value>
  THIESSEN_HD void put(const Axes& extent, std::int64_t cell, Value value) const {
    std::uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    put(extent, cell, reinterpret_cast<const std::byte*>(&bits));
  }
  /// Writes a byte if it is another one; returns whether it was.
  THIESSEN_HD bool replace(const Axes& extent, std::int64_t cell, std::uint8_t value) const {
    std::byte* const to = at(extent, cell);
    const bool differs = *to != std::byte{value};
    if (differs) *to = std::byte{value};
    return differs;
  }
};

struct SolverOutputs {
  SolverCells labels;
  SolverCells site_index;
  SolverCells distance;
  SolverCells back_link;
  LabelBits unreached;
  LabelBits nodata;
  const std::byte* site_labels = nullptr;  ///< by record; null: record + 1
};

template <class T>
struct SolverJob {
  CostJob<T> now;  ///< rank: the site of each cell; sites by record
  T* cost_before = nullptr;
  std::uint32_t* site_before = nullptr;
  std::uint32_t* first = nullptr;  ///< of each cell the record of the first of its cheapest sites
  std::uint32_t* site_mark = nullptr;  ///< of each site

  std::uint32_t most_tiles = 0;  ///< that a repair looks at
  // Lists and marks of tiles, with room for all of them:
  std::uint32_t* list[2] = {};
  std::uint32_t* round[2] = {};  ///< the tiles of even and of odd rounds
  std::uint32_t* tile_mark = nullptr;
  std::uint32_t* changed_sites = nullptr;  ///< room for all that can change

  std::uint32_t generation = 0;  ///< of the arrays of sites
  SolverWork* work = nullptr;
  SolverOutputs out;

  THIESSEN_HD std::uint32_t site_of_record(std::uint32_t record) const {
    return now.ranks_are_cells ? static_cast<std::uint32_t>(now.listed_cell[record]) : record;
  }
  THIESSEN_HD std::uint32_t record_of_site(std::uint32_t site) const {
    return now.ranks_are_cells ? first[site] : site;
  }
  /// The cost at which the sites of a cell, of which this is the first, start paths.
  THIESSEN_HD T start_of(std::uint32_t record, T resistance) const {
    if (record == kNoRecord || !is_passable(resistance)) return std::numeric_limits<T>::infinity();
    const T initial = now.initial[record];
    return initial <= now.limit ? initial : std::numeric_limits<T>::infinity();
  }
  /// That site, if the cell has its initial cost, else kNoRank.
  THIESSEN_HD std::uint32_t root_of(std::uint32_t record, T cost) const {
    return record != kNoRecord && now.initial[record] == cost ? site_of_record(record) : kNoRank;
  }
};

/// Values that replace some of the map.
struct MapUpdate {
  CostMap values;
  Axes extent{};                         ///< of the values
  Axes first{};                          ///< the cell of the first of them, in a box
  const std::uint32_t* cell = nullptr;   ///< instead of a box
  const std::uint32_t* value = nullptr;  ///< with `cell`: which of the values
  std::int64_t count = 0;                ///< of the values, or of the cells
  bool is_checked = false;               ///< no value is illegal
  bool is_map = false;                   ///< they are the whole map
};

/// Sites that have changed: records, and cells.
template <class T>
struct SiteUpdate {
  std::int64_t records = 0;
  std::int64_t cells = 0;
  std::int64_t all_records = 0;            ///< of the solver
  const std::uint32_t* record = nullptr;   ///< which ones
  const std::int64_t* cell = nullptr;      ///< of each of them; kNoCell: none
  const T* initial = nullptr;              ///< of each of them
  const std::byte* label = nullptr;        ///< of each of them; null: none
  const std::uint32_t* changed = nullptr;  ///< the cells
  const std::uint32_t* first = nullptr;    ///< of each of them, or kNoRecord
};

/// Makes an answer without sites of a map of barriers.
template <class T>
void start_solver(const CudaSession& session, const SolverJob<T>& job);

template <class T>
void replace_values(const CudaSession& session, const SolverJob<T>& job, const MapUpdate& update);

template <class T>
void replace_sites(const CudaSession& session, const SolverJob<T>& job, const SiteUpdate<T>& sites,
                   std::int64_t* site_count);

/// Repairs the answer, or decides that it is to be made anew.
template <class T>
void repair_costs(const CudaSession& session, const SolverJob<T>& job);

/// Makes the answer anew if that was decided.
template <class T>
void solve_afresh(const CudaSession& session, const SolverJob<T>& job, const CostStart& from,
                  Scratch::Frame& device);

/// Writes labels in the cells of some sites, which are ascending.
template <class T>
void relabel_cells(const CudaSession& session, const SolverJob<T>& job, const std::uint32_t* sites,
                   std::int64_t count);

/// A cell that changed.
struct SolverChange {
  std::uint32_t cell;
  std::uint32_t site_before;
};
/// Lists the cells that the last solve changed, in any order; adds to the count.
template <class T>
void list_changed(const CudaSession& session, const SolverJob<T>& job, SolverChange* changes,
                  std::uint32_t* count);

}  // namespace thiessen::cuda::cost
