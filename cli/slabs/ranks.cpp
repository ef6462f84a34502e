// SPDX-License-Identifier: Apache-2.0
#include "slabs/ranks.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "talk/interrupt.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {
namespace {

/// The only rank.
class Alone final : public Ranks, public Communicator {
 public:
  Communicator& communicator() override { return *this; }
  int on_this_machine() const override { return 1; }
  Received received() const override { return {}; }
  std::unique_ptr<SharedFile> open(const std::string&) override { return nullptr; }
  void leave() override {}
  void abort(int) override {}

  int rank() const override { return 0; }
  int size() const override { return 1; }
  std::vector<std::byte> exchange(int to, std::span<const std::byte> bytes, int from) override {
    if (to != 0 || from != 0) return {};
    return {bytes.begin(), bytes.end()};
  }
  std::int64_t sum_of_all(std::int64_t value) override { return value; }
  std::int64_t sum_before(std::int64_t) override { return 0; }
};

/// The state of the run.
struct Run {
  std::unique_ptr<Ranks> ranks = std::make_unique<Alone>();
  bool have_met = false;
  bool works = false;  // all came to the meeting without an error
};

Run& this_run() {
  static Run run;
  return run;
}

std::optional<std::int64_t> number_in_environment(const char* name) {
  const char* const text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  char* end = nullptr;
  const std::int64_t number = std::strtoll(text, &end, 10);
  return end == text ? std::nullopt : std::optional(number);
}

template <std::size_t Count>
std::optional<std::int64_t> first_number(const std::array<const char*, Count>& names) {
  for (const char* const name : names)
    if (const auto number = number_in_environment(name)) return number;
  return std::nullopt;
}

/// What a launcher tells a process. Whatever such a process starts inherits it, so that there is a
/// way to say no.
bool is_run_of_its_own() { return number_in_environment("THIESSEN_MPI") == 0; }

/// The names are those of Open MPI; MPICH, Intel MPI and srun by PMI; MVAPICH; srun and
/// others by PMIx, which says only the rank.
std::optional<std::int64_t> launched_rank() {
  if (is_run_of_its_own()) return std::nullopt;
  return first_number(
      std::array{"OMPI_COMM_WORLD_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "PMIX_RANK"});
}

std::optional<std::int64_t> launched_size() {
  if (is_run_of_its_own()) return std::nullopt;
  return first_number(std::array{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE"});
}

/// A number that is the same in all ranks if the words are, and small enough to be summed.
std::int64_t fingerprint(const std::vector<std::string>& words) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const std::string& word : words) {
    for (const char letter : word + '\0') {
      hash ^= static_cast<unsigned char>(letter);
      hash *= 0x100000001b3;
    }
  }
  return static_cast<std::int64_t>(hash >> 24);
}

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Meets the other ranks with an exit code, 0: all is well. Returns the code of the first rank that
/// has another one, and whether that is this rank.
std::pair<int, bool> meet(int exit_code) {
  Communicator& communicator = ranks().communicator();
  this_run().have_met = true;
  const bool is_first = communicator.sum_before(exit_code != 0 ? 1 : 0) == 0 && exit_code != 0;
  return {static_cast<int>(communicator.sum_of_all(is_first ? exit_code : 0)), is_first};
}

}  // namespace

Ranks& ranks() { return *this_run().ranks; }

bool is_reporting_rank() { return launched_rank().value_or(0) == 0; }

void join_ranks(const std::string& command, const std::vector<std::string>& words) {
  const auto launched = launched_size();
  if (!launched_rank() || launched == 1) return;
  if (mpi_version().empty()) {
    // One that says no size may have started this process alone.
    if (!launched) return;
    throw UsageError("was started as " + std::to_string(*launched) +
                     " ranks, but this build has no MPI; THIESSEN_MPI=0 in the environment makes "
                     "each a run of its own");
  }
  std::unique_ptr<Ranks> joined = join_by_mpi();
  if (launched && joined->size() != *launched)
    throw UsageError("was started as " + std::to_string(*launched) + " ranks by another MPI than " +
                     mpi_version() + ", which knows of " + std::to_string(joined->size()) +
                     "; start it with the mpirun of that one");
  if (!joined->are_many()) return joined->leave();
  this_run().ranks = std::move(joined);
  const std::int64_t own = fingerprint(words);
  if (ranks().communicator().sum_of_all(own) != own * ranks().size())
    throw UsageError("the ranks have different command lines; all ranks of a run have the same");
  const char* const why =
      command == "cost" ? ": what one of its slabs finds changes others, again and again" : "";
  if (command != "voronoi" && command != "proximity")
    throw UsageError(command + " does not run on " + std::to_string(ranks().size()) + " ranks" +
                     why + "; voronoi and proximity do");
}

void meet_ranks() {
  const int exit_code = meet(0).first;
  if (exit_code != 0) throw OtherRankFailed(exit_code);
  this_run().works = true;
}

bool may_tell_error(int exit_code) {
  if (!ranks().are_many()) return is_reporting_rank();
  return this_run().works || meet(exit_code).second;
}

void leave_ranks(int exit_code) {
  if (!ranks().are_many()) return;
  if (!this_run().have_met) meet(exit_code);
  if (!this_run().works || exit_code == 0) return ranks().leave();
  remove_shared_files();
  ranks().abort(exit_code);
}

std::string name_of_rank() {
  const bool is_one_of_many = ranks().are_many() && this_run().works;
  return is_one_of_many ? "rank " + std::to_string(ranks().rank()) + ": " : "";
}

void report_from_first_rank_only(TalkArguments& arguments) {
  if (ranks().rank() > 0)
    arguments = {.quiet = true, .strict = arguments.strict, .no_progress = true};
}

std::string broadcast_from_first_rank(const std::string& text) {
  Ranks& all = ranks();
  if (all.rank() > 0) return text_of(all.communicator().exchange(-1, {}, 0));
  for (int rank = 1; rank < all.size(); ++rank)
    all.communicator().exchange(rank, bytes_of(text), -1);
  return text;
}

std::vector<std::string> gather_texts(const std::string& text) {
  Ranks& all = ranks();
  if (all.rank() > 0) {
    all.communicator().exchange(0, bytes_of(text), -1);
    return {};
  }
  std::vector<std::string> texts{text};
  texts.reserve(static_cast<std::size_t>(all.size()));
  for (int rank = 1; rank < all.size(); ++rank)
    texts.push_back(text_of(all.communicator().exchange(-1, {}, rank)));
  return texts;
}

}  // namespace thiessen::cli
