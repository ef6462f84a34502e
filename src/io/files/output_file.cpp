// SPDX-License-Identifier: Apache-2.0
//
// An output file: opened beside its target, filled, synced, and named at the end.
#include "io/files/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "io/files/io_error.hpp"
#include "io/files/zarr_folder.hpp"

namespace thiessen::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
constexpr std::size_t kPieceBytes = std::size_t{16} << 20;  // between two looks at the checkpoint
constexpr int kMostLinks = 40;                              // as the kernel
constexpr const char* kStandardOutput = "-";

/// The end of a chain of symbolic links, whether it exists or not.
fs::path follow_links(const fs::path& target) {
  fs::path path = target;
  std::error_code problem;
  for (int links = 0; fs::is_symlink(fs::symlink_status(path, problem)); ++links) {
    if (links == kMostLinks) fail(target, "cannot be created", ELOOP);
    path = path.parent_path() / fs::read_symlink(path, problem);
    if (problem) fail(target, "cannot be created", problem.value());
  }
  return path;
}

void require_replaceable(const fs::path& target, bool overwrite) {
  if (!overwrite) fail(target, "exists already; only --overwrite replaces it");
  if (::access(target.c_str(), W_OK) != 0) fail(target, "cannot be overwritten", errno);
}

}  // namespace

OutputFile::OutputFile(fs::path target, bool overwrite, Checkpoint checkpoint, Writers writers)
    : target_(std::move(target)),
      buffer_(std::make_unique_for_overwrite<char[]>(kBufferBytes)),
      checkpoint_(std::move(checkpoint)),
      overwrite_(overwrite) {
  if (target_ == kStandardOutput)
    attach(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0));
  else
    open(writers);
}

void OutputFile::open(Writers writers) {
  std::error_code problem;
  const fs::file_status status = fs::status(target_, problem);
  if (!fs::status_known(status)) fail(target_, "cannot be created", problem.value());
  const bool is_folder = fs::is_directory(status);
  if (is_folder && (writers != Writers::library || !is_zarr_folder(target_)))
    fail(target_, "cannot be created", EISDIR);
  if (!target_.has_filename()) fail(target_, "cannot be created", ENOENT);
  const bool is_regular = fs::is_regular_file(status);
  if (is_regular || is_folder || fs::is_block_file(status))
    require_replaceable(target_, overwrite_);
  destination_ = follow_links(target_);
  // /dev/stdout may lead to a file that has no name, or has lost it.
  const bool exists = fs::exists(status);
  const bool has_name = !exists || fs::equivalent(target_, destination_, problem);
  const bool is_hidden = has_name && (is_regular || is_folder || !exists);
  if (writers == Writers::library && !is_hidden)
    fail(target_, "is a pipe or device, to which this format is not written");
  if (!is_hidden) return attach(::open(target_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  const bool in_folder = writers == Writers::library;
  const int reason = in_folder ? folder_.create(destination_)
                               : hidden_.create(destination_, writers == Writers::many);
  if (reason != 0) fail_to("be created", reason);
  if (!in_folder) attach(::fcntl(hidden_.descriptor(), F_DUPFD_CLOEXEC, 0));
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : target_(std::move(other.target_)),
      destination_(std::move(other.destination_)),
      hidden_(std::move(other.hidden_)),
      folder_(std::move(other.folder_)),
      buffer_(std::move(other.buffer_)),
      checkpoint_(std::move(other.checkpoint_)),
      overwrite_(other.overwrite_),
      synced_(other.synced_),
      stream_(std::exchange(other.stream_, nullptr)) {}

OutputFile::~OutputFile() { discard(); }

void OutputFile::fail_to(const char* what, int reason) const {
  fail(target_, std::string("cannot ") + what, reason);
}

void OutputFile::check() const {
  if (checkpoint_) checkpoint_();
}

void OutputFile::write(const void* bytes, std::size_t count) {
  if (stream_ == nullptr) fail_to("be written", EBADF);
  const auto* rest = static_cast<const std::byte*>(bytes);
  while (count > 0) {
    check();
    const std::size_t piece = std::min(count, kPieceBytes);
    if (std::fwrite(rest, 1, piece, stream_) < piece) fail_to("be written", errno);
    rest += piece;
    count -= piece;
  }
}

std::size_t OutputFile::read_at(std::uint64_t position, void* bytes, std::size_t count) {
  auto* const first = static_cast<std::byte*>(bytes);
  std::size_t done = 0;
  while (done < count) {
    const ::ssize_t got =
        ::pread(descriptor(), first + done, count - done, static_cast<::off_t>(position + done));
    if (got == 0) break;
    if (got < 0 && errno != EINTR) fail_to("be read back", errno);
    if (got > 0) done += static_cast<std::size_t>(got);
  }
  return done;
}

void OutputFile::write_at(std::uint64_t position, const void* bytes, std::size_t count) {
  const auto* const first = static_cast<const std::byte*>(bytes);
  for (std::size_t done = 0; done < count;) {
    check();
    const std::size_t piece = std::min(count - done, kPieceBytes);
    const ::ssize_t put =
        ::pwrite(descriptor(), first + done, piece, static_cast<::off_t>(position + done));
    if (put < 0 && errno != EINTR) fail_to("be written", errno);
    if (put > 0) done += static_cast<std::size_t>(put);
  }
}

std::uint64_t OutputFile::size() const {
  struct stat status {};
  if (::fstat(descriptor(), &status) != 0) fail_to("be written", errno);
  return static_cast<std::uint64_t>(status.st_size);
}

void OutputFile::resize(std::uint64_t bytes) {
  if (::ftruncate(descriptor(), static_cast<::off_t>(bytes)) != 0) {
    fail_to("be written", errno);
  }
}

int OutputFile::descriptor() const {
  if (stream_ == nullptr) fail_to("be written", EBADF);
  return ::fileno(stream_);
}

void OutputFile::close() {
  if (stream_ == nullptr) return;
  const int flushed = std::fflush(stream_);
  const int reason = errno;
  const bool failed_before = std::ferror(stream_) != 0;
  const int closed = std::fclose(std::exchange(stream_, nullptr));
  if (flushed == 0 && closed == 0 && !failed_before) return;
  const int cause = flushed != 0 ? reason : closed != 0 ? errno : EIO;
  discard();
  fail_to("be written", cause);
}

void OutputFile::sync() {
  close();
  const bool is_hidden = hidden_.exists() || folder_.exists();
  if (!is_hidden || synced_) return;
  const int reason = folder_.exists() ? folder_.sync() : hidden_.sync();
  synced_ = reason == 0;
  if (synced_) return;
  discard();
  fail_to("be written", reason);
}

void OutputFile::commit() {
  sync();
  if (!hidden_.exists() && !folder_.exists()) return;
  const int reason =
      folder_.exists() ? folder_.move_into_place(overwrite_) : hidden_.move_into_place(overwrite_);
  if (reason == 0) return;
  discard();
  fail(target_, "cannot be given its name", reason);
}

void OutputFile::attach(int descriptor) {
  if (descriptor < 0) fail_to("be created", errno);
  stream_ = ::fdopen(descriptor, "wb");
  if (stream_ == nullptr) {
    ::close(descriptor);
    fail_to("be created", ENOMEM);
  }
  // glibc keeps its small buffer unless it is given one.
  std::setvbuf(stream_, buffer_.get(), _IOFBF, kBufferBytes);
}

void OutputFile::discard() noexcept {
  if (stream_ != nullptr) std::fclose(std::exchange(stream_, nullptr));
  hidden_.discard();
  folder_.discard();
}

void commit_all(const std::vector<OutputFile*>& files, const Checkpoint& before_names) {
  for (OutputFile* const file : files) file->sync();
  if (before_names) before_names();
  for (OutputFile* const file : files) file->commit();
}

}  // namespace thiessen::io
