// SPDX-License-Identifier: Apache-2.0
//
// The processes of one run: mpirun or srun starts the command several times, and each does some
// rows of the raster. A run without these has one rank, and needs no MPI.
//
// The ranks meet once before any work. An error before is told by one rank, and all end in good
// order; after that, the rank that has an error tells it and ends all.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "talk/report.hpp"
#include "thiessen/slabs/communicator.hpp"
#include "thiessen/slabs/cost_slabs.hpp"

namespace thiessen::cli {

/// Some rows of a raster; in 3-D planes.
using Part = SlabRows;

/// A file that all ranks write at once. Its functions throw Error{io}.
class SharedFile {
 public:
  virtual ~SharedFile() = default;
  virtual void write_at(std::uint64_t position, const std::byte* bytes, std::size_t count) = 0;

  /// Waits until what this rank wrote is on the disk. All ranks call it together.
  virtual void close() = 0;
};

/// What a rank has received from others.
struct Received {
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
};

/// All ranks of the run, as one of them sees them. One thread at a time uses it.
class Ranks {
 public:
  virtual ~Ranks() = default;

  virtual Communicator& communicator() = 0;
  virtual int on_this_machine() const = 0;
  virtual Received received() const = 0;

  /// Opens a file by the name that it has for now. All ranks call it together.
  virtual std::unique_ptr<SharedFile> open(const std::string& name) = 0;

  /// Ends the process in good order, where all ranks do; or all of them at once.
  virtual void leave() = 0;
  virtual void abort(int exit_code) = 0;

  int rank() { return communicator().rank(); }
  int size() { return communicator().size(); }
  bool are_many() { return size() > 1; }
};

/// Those of this process.
Ranks& ranks();

/// Whether this process is the one that tells what all of its run would tell: the first rank of
/// those that a launcher started, by what it says in the environment. THIESSEN_MPI=0 there makes
/// each process a run of its own.
bool is_reporting_rank();

/// Becomes a rank if a launcher has started several processes. `words` are those of the command
/// line, which must be the same in all, and `command` the first of them. Throws UsageError if the
/// command does not run on ranks, or if this build has no MPI or another than the launcher.
void join_ranks(const std::string& command, const std::vector<std::string>& words);

/// Another rank has failed, and tells why.
class OtherRankFailed : public std::exception {
 public:
  explicit OtherRankFailed(int exit_code) : exit_code_(exit_code) {}
  int exit_code() const noexcept { return exit_code_; }
  const char* what() const noexcept override { return "another rank failed"; }

 private:
  int exit_code_;
};

/// The ranks meet: call it once all that may be wrong with the command line is known. Throws
/// OtherRankFailed if some rank comes with an error.
void meet_ranks();

/// For a rank with an error: it meets the others unless it has. Returns whether it is the one to
/// tell its error.
bool may_tell_error(int exit_code);

/// The last call of a process that ends with this code. If work had begun, a code but 0 ends all
/// ranks.
void leave_ranks(int exit_code);

/// For errors: "rank 3: " if they are those of one rank of many at work.
std::string name_of_rank();

/// Only the first rank reports, warns and shows progress.
void report_from_first_rank_only(TalkArguments& arguments);

/// Gives all ranks the bytes of the first one.
std::string broadcast_from_first_rank(const std::string& text);

/// The texts of all ranks, in their order; empty but on the first one.
std::vector<std::string> gather_texts(const std::string& text);

/// By MPI: joins those of the launcher. Throws UsageError without it.
std::unique_ptr<Ranks> join_by_mpi();

/// The name and version of the MPI of this build; empty without.
std::string mpi_version();

}  // namespace thiessen::cli
