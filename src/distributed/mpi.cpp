// SPDX-License-Identifier: Apache-2.0
#include "thiessen/mpi.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "thiessen/error.hpp"

namespace thiessen {
namespace {

/// Throws what MPI says of a result, unless it is a success.
void check_mpi(int result, const char* call) {
  if (result == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  if (MPI_Error_string(result, text.data(), &length) != MPI_SUCCESS) length = 0;
  throw Error(ErrorCode::io,
              std::string(call) + ": " +
                  (length > 0 ? std::string(text.data(), static_cast<std::size_t>(length))
                              : "error " + std::to_string(result)));
}

bool is_initialised() {
  int initialised = 0;
  int finalised = 0;
  MPI_Initialized(&initialised);
  MPI_Finalized(&finalised);
  return initialised != 0 && finalised == 0;
}

[[noreturn]] void refuse_ranks(const std::string& text) {
  throw Error(ErrorCode::invalid_argument, text);
}

int rank_or_none(int rank) { return rank < 0 ? MPI_PROC_NULL : rank; }

}  // namespace

MpiCommunicator::MpiCommunicator(MPI_Comm ranks, std::size_t piece_bytes)
    : piece_bytes_(piece_bytes) {
  if (piece_bytes == 0 || piece_bytes > std::size_t{std::numeric_limits<int>::max()})
    refuse_ranks("piece_bytes = " + std::to_string(piece_bytes) + "; must be 1 to " +
                 std::to_string(std::numeric_limits<int>::max()));
  if (!is_initialised()) refuse_ranks("MPI is not initialised; call MPI_Init_thread() before");
  if (ranks == MPI_COMM_NULL) refuse_ranks("ranks = MPI_COMM_NULL; must be a communicator");
  int is_between_groups = 0;
  check_mpi(MPI_Comm_test_inter(ranks, &is_between_groups), "MPI_Comm_test_inter");
  if (is_between_groups != 0)
    refuse_ranks("ranks is a communicator between groups; must be one of a group");
  check_mpi(MPI_Comm_dup(ranks, &ranks_), "MPI_Comm_dup");
  // From here on errors come back; the caller's communicator keeps its way.
  MPI_Comm_set_errhandler(ranks_, MPI_ERRORS_RETURN);
  MPI_Comm_rank(ranks_, &rank_);
  MPI_Comm_size(ranks_, &size_);
}

MpiCommunicator::~MpiCommunicator() {
  if (is_initialised()) MPI_Comm_free(&ranks_);
}

std::vector<std::byte> MpiCommunicator::exchange(int to, std::span<const std::byte> bytes,
                                                 int from) {
  constexpr int kOfSizes = 0;
  constexpr int kOfPieces = 1;
  const int target = rank_or_none(to);
  const int source = rank_or_none(from);
  const std::uint64_t sent = bytes.size();
  std::uint64_t coming = 0;
  check_mpi(MPI_Sendrecv(&sent, 1, MPI_UINT64_T, target, kOfSizes, &coming, 1, MPI_UINT64_T, source,
                         kOfSizes, ranks_, MPI_STATUS_IGNORE),
            "MPI_Sendrecv");
  std::vector<std::byte> answer(static_cast<std::size_t>(coming));
  const auto pieces = [this](std::size_t size) { return (size + piece_bytes_ - 1) / piece_bytes_; };
  const auto piece = [this](std::size_t size, std::size_t number) {
    const std::size_t first = std::min(size, number * piece_bytes_);
    return static_cast<int>(std::min(size - first, piece_bytes_));
  };
  const std::size_t pieces_sent = pieces(bytes.size());
  const std::size_t pieces_coming = pieces(answer.size());
  for (std::size_t i = 0; i < std::max(pieces_sent, pieces_coming); ++i) {
    const std::size_t first = i * piece_bytes_;
    check_mpi(MPI_Sendrecv(bytes.data() + std::min(first, bytes.size()), piece(bytes.size(), i),
                           MPI_BYTE, i < pieces_sent ? target : MPI_PROC_NULL, kOfPieces,
                           answer.data() + std::min(first, answer.size()), piece(answer.size(), i),
                           MPI_BYTE, i < pieces_coming ? source : MPI_PROC_NULL, kOfPieces, ranks_,
                           MPI_STATUS_IGNORE),
              "MPI_Sendrecv");
  }
  if (from >= 0 && from != rank_) {
    ++received_.messages;
    received_.bytes += static_cast<std::int64_t>(answer.size());
  }
  return answer;
}

std::int64_t MpiCommunicator::sum_of_all(std::int64_t value) {
  std::int64_t sum = 0;
  check_mpi(MPI_Allreduce(&value, &sum, 1, MPI_INT64_T, MPI_SUM, ranks_), "MPI_Allreduce");
  return sum;
}

std::int64_t MpiCommunicator::sum_before(std::int64_t value) {
  std::int64_t sum = 0;
  check_mpi(MPI_Exscan(&value, &sum, 1, MPI_INT64_T, MPI_SUM, ranks_), "MPI_Exscan");
  return rank_ == 0 ? 0 : sum;  // MPI leaves it undefined there
}

}  // namespace thiessen
