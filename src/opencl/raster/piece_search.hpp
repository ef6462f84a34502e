// SPDX-License-Identifier: Apache-2.0
//
// The driver of methods that find the winners of one piece of the raster after the other.
//
// The device finds the winner of each cell and its S, in integers. The host does everything else
// (limit, nodata, labels, distances, strides) with the ResultWriter of the CPU backend: the
// caller's arrays are on the host, and distances have the same bits even if a device has no doubles
// or rounds differently. While the host writes a piece, the device does the next.
//
// A launch is kept short, about kLaunchNanoseconds: the driver of a display ends launches that take
// seconds, and a call can be cancelled between two of them. Cells go in pieces of kPieceCells; the
// search of a piece is cut into parts, as large as the times of recent launches allow.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/search/result_writer.hpp"
#include "opencl/device/integers.hpp"
#include "opencl/device/pieces.hpp"
#include "opencl/device/session.hpp"

namespace thiessen::opencl {

/// Methods derive from it: they define the parts of a piece's search, and launch them.
template <class Scalar>
class PieceSearch {
 public:
  PieceSearch(ContextState& state, const Problem& problem, const ProblemViews& views, Write write,
              Pace pace)
      : state_(state),
        session_(session_of(state)),
        problem_(problem),
        scratch_(state.scratch),
        memory_(session_.memory),
        pace_(pace),
        slab_(whole_raster(problem)),
        writer_(problem, slab_, views, write),
        pieces_(problem.extent) {}
  virtual ~PieceSearch() = default;
  PieceSearch(const PieceSearch&) = delete;
  PieceSearch& operator=(const PieceSearch&) = delete;

 protected:
  /// A piece on its way: its winners on the device, and on the host.
  struct Slot {
    Piece piece;
    cl::Buffer least;
    cl::Buffer nearest;
    Scalar* host_least = nullptr;
    Scalar* host_nearest = nullptr;
    cl::Event launch;           ///< the last launch
    cl::Event done;             ///< when the winners are on the host
    std::int64_t reported = 0;  ///< units of progress
  };

  /// The number of parts in the search of a piece.
  virtual std::int64_t parts_of(const Piece& piece) const = 0;
  /// The number of parts that the next launch takes, > 0.
  virtual std::int64_t parts_at_once(const Piece& piece) const = 0;
  /// Puts the parts from `begin` to `end` on the queue, as slot.launch.
  virtual void launch(Slot& slot, std::int64_t begin, std::int64_t end) = 0;

  /// Takes memory for winners; rows of a piece are filled up to whole work items of `lanes`.
  void allocate_slots(std::int64_t lanes) {
    lanes_ = lanes;
    const Piece first = pieces_[0];
    const std::int64_t room = first.rows * items(first) * lanes_;
    for (std::int64_t i = 0; i < std::min<std::int64_t>(pieces_.count(), 2); ++i) {
      Slot& slot = slot_of(i);
      const std::size_t bytes = static_cast<std::size_t>(room) * sizeof(Scalar);
      slot.least = memory_.allocate(bytes, "distances of a piece");
      slot.nearest = memory_.allocate(bytes, "sites of a piece");
      slot.host_least = scratch_.array<Scalar>(room);
      slot.host_nearest = scratch_.array<Scalar>(room);
    }
  }

  /// Searches and writes all pieces. `index` gives site indices for the numbers that kernels use;
  /// null: they are the same. Without slots there is no site.
  void run_pieces(const char* phase_name, const std::int64_t* index) {
    const PhaseTimer phase(state_, phase_name);
    const QueueGuard guard(session_);
    const std::int64_t count = pieces_.count();
    for (std::int64_t i = 0; i <= count; ++i) {
      if (i < count) search(slot_of(i), pieces_[i]);
      if (i > 0) write(slot_of(i - 1), index);
    }
  }

  /// The number of work items of a row.
  std::int64_t items(const Piece& piece) const { return parts(piece.width, lanes_); }

  ContextState& state_;
  OpenclSession& session_;
  const Problem& problem_;
  Scratch::Frame scratch_;
  DeviceMemory::Frame memory_;
  Pace pace_;

 private:
  Slot& slot_of(std::int64_t piece) { return slots_[static_cast<std::size_t>(piece % 2)]; }
  bool has_sites() const { return lanes_ > 0; }

  /// Puts the search of a piece on the queue, and the copy of its winners to the host.
  void search(Slot& slot, const Piece& piece) {
    slot.piece = piece;
    slot.reported = 0;
    const std::int64_t all = has_sites() ? parts_of(piece) : 0;
    for (std::int64_t begin = 0; begin < all;) {
      state_.progress.check();
      const std::int64_t end = std::min(begin + parts_at_once(piece), all);
      checked("search of a piece", [&] {
        launch(slot, begin, end);
        if (end == all) return read(slot);
        slot.launch.wait();
        pace_.learn(slot.launch);
      });
      if (end < all) report(slot, piece.cells() * end / all);
      begin = end;
    }
  }

  void read(Slot& slot) {
    const cl::CommandQueue& queue = session_.queue();
    const auto cells = static_cast<std::size_t>(slot.piece.rows * items(slot.piece) * lanes_);
    const std::size_t bytes = cells * sizeof(Scalar);
    queue.enqueueReadBuffer(slot.least, CL_FALSE, 0, bytes, slot.host_least);
    queue.enqueueReadBuffer(slot.nearest, CL_FALSE, 0, bytes, slot.host_nearest, nullptr,
                            &slot.done);
    queue.flush();
  }

  void report(Slot& slot, std::int64_t units) {
    state_.progress.advance(units - slot.reported);
    slot.reported = units;
  }

  /// Waits for the winners of a piece, and writes the outputs that the caller wants.
  void write(Slot& slot, const std::int64_t* index) {
    if (has_sites())
      checked("search of a piece", [&] {
        slot.done.wait();
        pace_.learn(slot.launch);
      });
    const Piece& piece = slot.piece;
    const std::int64_t pitch = has_sites() ? items(piece) * lanes_ : piece.width;
    Winners<std::int64_t> winners;
    for (std::int64_t i = 0; i < piece.rows; ++i) {
      const std::int64_t row = piece.row + i;
      for_each_chunk(row / problem_.extent[1], row % problem_.extent[1], piece.x,
                     piece.x + piece.width, [&](const Chunk& chunk) {
                       const std::int64_t first = i * pitch + chunk.x - piece.x;
                       copy_winners(slot, index, first, chunk.count, winners);
                       writer_.write(chunk, winners);
                     });
      state_.progress.check();
    }
    report(slot, piece.cells());
  }

  /// Copies the winners of `count` cells from position `first` on.
  void copy_winners(const Slot& slot, const std::int64_t* index, std::int64_t first,
                    std::int64_t count, Winners<std::int64_t>& winners) const {
    winners.site.fill(kUnreached);
    winners.exact.fill(0);
    if (!has_sites()) return;
    for (std::int64_t i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const std::int64_t place = slot.host_nearest[first + i];
      winners.site[at] = index == nullptr || place < 0 ? place : index[place];
      winners.exact[at] = slot.host_least[first + i];
    }
  }

  const Slab slab_;
  ResultWriter<std::int64_t> writer_;
  const Pieces pieces_;
  std::int64_t lanes_ = 0;  ///< cells of a work item; 0: no slots
  std::array<Slot, 2> slots_;
};

}  // namespace thiessen::opencl
