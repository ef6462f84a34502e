// SPDX-License-Identifier: Apache-2.0
//
// Ranks by MPI.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>

#include "slabs/ranks.hpp"
#include "thiessen/error.hpp"
#include "thiessen/mpi.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {
namespace {

/// A file of MPI-IO. Files return errors unless they are told otherwise.
class MpiFile final : public SharedFile {
 public:
  explicit MpiFile(const std::string& name) : name_(name) {
    check(MPI_File_open(MPI_COMM_WORLD, name.c_str(), MPI_MODE_WRONLY, MPI_INFO_NULL, &file_));
  }
  // Closing is for all ranks together, which a rank with an error cannot do.
  ~MpiFile() override = default;
  MpiFile(const MpiFile&) = delete;
  MpiFile& operator=(const MpiFile&) = delete;

  void write_at(std::uint64_t position, const std::byte* bytes, std::size_t count) override {
    constexpr std::size_t kPieceBytes = std::size_t{1} << 30;  // counts are int
    for (std::size_t done = 0; done < count; done += kPieceBytes) {
      const auto piece = static_cast<int>(std::min(kPieceBytes, count - done));
      MPI_Status status;
      check(MPI_File_write_at(file_, static_cast<MPI_Offset>(position + done), bytes + done, piece,
                              MPI_BYTE, &status));
      int written = 0;
      MPI_Get_count(&status, MPI_BYTE, &written);
      if (written != piece)
        throw Error(ErrorCode::io, name_ + ": cannot be written: " + std::to_string(written) +
                                       " of " + std::to_string(piece) + " bytes were");
    }
  }

  void close() override {
    check(MPI_File_sync(file_));
    check(MPI_File_close(&file_));
  }

 private:
  void check(int result) const {
    if (result == MPI_SUCCESS) return;
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(result, text.data(), &length);
    throw Error(ErrorCode::io, name_ + ": cannot be written: " +
                                   std::string(text.data(), static_cast<std::size_t>(length)));
  }

  std::string name_;
  MPI_File file_ = MPI_FILE_NULL;
};

class MpiRanks final : public Ranks {
 public:
  MpiRanks() : communicator_(MPI_COMM_WORLD) {
    MPI_Comm here = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &on_this_machine_);
    MPI_Comm_free(&here);
  }

  Communicator& communicator() override { return communicator_; }
  int on_this_machine() const override { return on_this_machine_; }

  Received received() const override {
    return {communicator_.received().messages, communicator_.received().bytes};
  }

  std::unique_ptr<SharedFile> open(const std::string& name) override {
    return std::make_unique<MpiFile>(name);
  }

  void leave() override { MPI_Finalize(); }
  void abort(int exit_code) override { MPI_Abort(MPI_COMM_WORLD, exit_code); }

 private:
  MpiCommunicator communicator_;
  int on_this_machine_ = 1;
};

}  // namespace

std::unique_ptr<Ranks> join_by_mpi() {
  int level = MPI_THREAD_SINGLE;
  // A thread of its own writes files, and never calls MPI while another one does.
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level);
  if (level < MPI_THREAD_SERIALIZED)
    throw Error(ErrorCode::unsupported,
                "MPI_THREAD_SERIALIZED is more than this MPI has, which is " + mpi_version());
  return std::make_unique<MpiRanks>();
}

/// "Open MPI v4.1.4, package: …" and "MPICH Version: 4.0.2\nMPICH Release date: …" in short.
std::string mpi_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  std::string version(text.data(), static_cast<std::size_t>(length));
  version.resize(std::min(version.find_first_of(",\n"), version.size()));
  const std::size_t word = version.find("Version:");
  if (word != std::string::npos) version.erase(word, std::string("Version:").size());
  const auto doubled = [](char a, char b) {
    return std::isspace(static_cast<unsigned char>(a)) &&
           std::isspace(static_cast<unsigned char>(b));
  };
  version.erase(std::unique(version.begin(), version.end(), doubled), version.end());
  std::replace(version.begin(), version.end(), '\t', ' ');
  return version;
}

}  // namespace thiessen::cli
