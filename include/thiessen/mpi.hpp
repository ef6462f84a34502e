// SPDX-License-Identifier: Apache-2.0
//
// The ranks of MPI as a Communicator. This header needs an MPI, and its function the library
// thiessen::mpi (CMake: find_package(thiessen COMPONENTS mpi); pkg-config: thiessen-mpi).
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "thiessen/export.hpp"
#include "thiessen/slabs/communicator.hpp"

namespace thiessen {

/// The ranks of an MPI communicator, which hold the slabs of a raster. MPI must be initialised
/// before, and finalised after the object is gone. One thread at a time uses the object, and MPI
/// must allow calls on that thread: MPI_THREAD_FUNNELED for the main thread, MPI_THREAD_SERIALIZED
/// for any other.
///
/// Messages of any size go in pieces of at most `piece_bytes`, because MPI counts bytes in an int.
/// If MPI returns an error, all functions throw Error{io} with MPI's text. Sometimes MPI does not
/// return, for example when a rank dies. Then the program ends, as mpirun does.
class THIESSEN_API MpiCommunicator final : public Communicator {
 public:
  /// Bytes that a rank has received by exchange(), without bytes from itself.
  struct Received {
    std::int64_t messages = 0;
    std::int64_t bytes = 0;
  };

  static constexpr std::size_t kPieceBytes = std::size_t{1} << 30;

  /// All ranks of `ranks` make it together, because it gets a communicator of its own
  /// (MPI_Comm_dup), so that its messages do not mix with the caller's. Throws
  /// Error{invalid_argument} if MPI is not initialised, if `ranks` is MPI_COMM_NULL or between
  /// groups, or if `piece_bytes` is 0 or more than an int holds.
  explicit MpiCommunicator(MPI_Comm ranks, std::size_t piece_bytes = kPieceBytes);
  ~MpiCommunicator() override;
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::vector<std::byte> exchange(int to, std::span<const std::byte> bytes, int from) override;
  std::int64_t sum_of_all(std::int64_t value) override;
  std::int64_t sum_before(std::int64_t value) override;

  /// Bytes that this rank has received so far.
  const Received& received() const noexcept { return received_; }

 private:
  MPI_Comm ranks_ = MPI_COMM_NULL;
  std::size_t piece_bytes_;
  int rank_ = 0;
  int size_ = 1;
  Received received_;
};

}  // namespace thiessen
