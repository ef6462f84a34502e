// SPDX-License-Identifier: Apache-2.0
#include "cpu/cost/eikonal/arrivals.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include "core/cost/arrival.hpp"
#include "cpu/cost/eikonal/tile_arrivals.hpp"
#include "cpu/simd/dispatch.hpp"
#include "threads/rows.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/cost/eikonal/arrivals.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/cost/eikonal/arrivals-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::eikonal {
namespace HWY_NAMESPACE {
namespace {

ArrivalKernels kernels_of(int rank, bool has_sites) {
  if (rank == 2) return {find_waits<2>, has_sites ? answer_cells<2, true> : answer_cells<2, false>};
  return {find_waits<3>, has_sites ? answer_cells<3, true> : answer_cells<3, false>};
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::eikonal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thiessen::cpu::eikonal {

HWY_EXPORT(kernels_of);

ArrivalKernels arrival_kernels(std::int64_t targets, int rank, bool has_sites) {
  return HWY_DISPATCH_TABLE(kernels_of)[dispatch_index_or_scalar(targets)](rank, has_sites);
}

namespace {

class ArrivalSearch {
 public:
  ArrivalSearch(ContextState& state, const CostSites<double>& sites, const ArrivalField& field)
      : state_(state),
        sites_(sites),
        field_(field),
        extent_(field.ground.extent),
        loop_(loop_over_rows(state, extent_[2], 0)),
        kernels_(
            arrival_kernels(state.instruction_sets, field.ground.rank, field.answers.has_sites())),
        turns_(state, extent_, field.ground.rank == 2 ? TileShape<2>::kSize : TileShape<3>::kSize),
        ready_(
            static_cast<std::size_t>(turns_.tiles()[0] * turns_.tiles()[1] * turns_.tiles()[2])) {}

  void run(std::uint8_t* links) {
    for_rows([&](std::int64_t row) { kernels_.find_waits(field_, row); });
    std::vector<std::int64_t> starts;
    std::mutex mutex;
    loop_(rows(), [&](std::int64_t begin, std::int64_t end) {
      std::vector<std::int64_t> some;
      for (std::int64_t row = begin; row < end; ++row) forget_unknown(row, some);
      const std::scoped_lock lock(mutex);
      starts.insert(starts.end(), some.begin(), some.end());
    });
    add_ready(starts);
    if (field_.ground.rank == 2)
      answer_tiles<2>();
    else
      answer_tiles<3>();
    if (links != nullptr) for_rows([&](std::int64_t row) { write_links(row, links); });
  }

 private:
  std::int64_t rows() const { return extent_[0] * extent_[1]; }

  template <class Visit>
  void for_rows(const Visit& visit) const {
    loop_(rows(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) visit(row);
    });
  }

  bool is_known(std::int64_t cell) const { return (field_.answers.word[cell] & kIsKnown) != 0; }

  /// Sets the costs that are not known to infinity, and finds the cells that wait for none.
  void forget_unknown(std::int64_t row, std::vector<std::int64_t>& starts) const {
    for (std::int64_t cell = row * extent_[2]; cell < (row + 1) * extent_[2]; ++cell) {
      if (!is_known(cell)) field_.answers.cost[cell] = kInfinity;
      if ((field_.answers.word[cell] & kWaits) == 0) starts.push_back(cell);
    }
  }

  template <class Cells>
  void add_ready(const Cells& cells) {
    for (const std::int64_t cell : cells) {
      const std::int64_t tile = turns_.tile_of(cell);
      ready_[static_cast<std::size_t>(tile)].push_back(cell);
      turns_.wait(tile, field_.order[cell]);
    }
  }

  template <int kRank>
  void answer_tiles() {
    constexpr std::int64_t kCells = TileShape<kRank>::kCells;
    std::vector<TileCells<kRank>> copies(static_cast<std::size_t>(state_.threads));
    std::vector<CellList> lists(copies.size());
    turns_.run<CellList>(
        [&](const TileTurn& turn, CellList& beyond, int worker) {
          TileCells<kRank>& copy = copies[static_cast<std::size_t>(worker)];
          CellList& list = lists[static_cast<std::size_t>(worker)];
          std::vector<std::int64_t>& ready = ready_[static_cast<std::size_t>(turn.tile)];
          list.clear(kCells);
          beyond.clear(kCells);
          for (const std::int64_t cell : ready)
            list.add(copy.index_in(turn.box, to_cell(extent_, cell)));
          ready.clear();
          copy.load(field_.ground, field_.answers, turn.box);
          kernels_.answer(field_.ground, copy.cells(), list, beyond);
          copy.store(field_.ground, field_.answers, turn.box);
          for (std::int64_t& cell : beyond) cell = to_index(extent_, copy.cell_at(turn.box, cell));
        },
        [&](const TileTurn&, const CellList& beyond) { add_ready(beyond); });
  }

  void write_links(std::int64_t row, std::uint8_t* links) const {
    const CellWord* const word = field_.answers.word;
    const auto side = [&](std::int64_t cell) {
      if (!is_known(cell)) return static_cast<std::size_t>(link_of(word[cell]));
      if (sites_.cell[rank_of(word[cell])] == cell) return kNoSide;
      return thiessen::eikonal::side_of_known(extent_, field_.order, cell,
                                              [&](std::int64_t of) { return rank_of(word[of]); });
    };
    for (std::int64_t cell = row * extent_[2]; cell < (row + 1) * extent_[2]; ++cell)
      links[cell] = static_cast<std::uint8_t>(side(cell));
  }

  ContextState& state_;
  const CostSites<double>& sites_;
  const ArrivalField& field_;
  const Axes& extent_;
  Loop loop_;
  ArrivalKernels kernels_;
  TileTurns turns_;
  std::vector<std::vector<std::int64_t>> ready_;  ///< of each tile that waits
};

}  // namespace

void find_arrivals(ContextState& state, const Ground& ground, const CostSites<double>& sites,
                   const double* order, const Answers& answers, std::uint8_t* links) {
  ArrivalSearch(state, sites, {ground, order, answers}).run(links);
}

}  // namespace thiessen::cpu::eikonal
#endif
