// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>

namespace thiessen::io {

/// Called between the pieces of a long write; what it throws ends the write.
using Checkpoint = std::function<void()>;

/// Called now and then with the fraction that is written; what it throws ends the write.
using WriteProgress = std::function<void(double fraction)>;

/// Reports every 64 rows of so many.
inline void report_rows(const WriteProgress& progress, std::int64_t row, std::int64_t rows) {
  constexpr std::int64_t kRows = 64;
  if (progress && row % kRows == 0) progress(static_cast<double>(row) / static_cast<double>(rows));
}

/// A file that appears whole or not at all: it is written beside its target under another name and
/// renamed by commit(). Without commit() nothing is left.
class OutputFile {
 public:
  /// Creates the temporary file, so that an unwritable folder is known before any work is done. A
  /// symbolic link is followed. A pipe or device has nothing to lose: it is written directly,
  /// whatever `overwrite` says. Throws Error{io} if it cannot, or if the file `target` exists and
  /// `overwrite` is false.
  OutputFile(std::filesystem::path target, bool overwrite, Checkpoint checkpoint = {});
  ~OutputFile();
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;

  const std::filesystem::path& target() const noexcept { return target_; }

  /// Throws Error{io} naming the target if the bytes cannot be written.
  void write(const void* bytes, std::size_t count);

  /// Whether it has the calls below: not a pipe or device.
  bool has_random_access() const noexcept { return !temporary_.empty(); }

  /// Random access, for formats that come from a library; not together with write(). They throw as
  /// write() does. read_at() returns fewer bytes at the end.
  std::size_t read_at(std::uint64_t position, void* bytes, std::size_t count);
  void write_at(std::uint64_t position, const void* bytes, std::size_t count);
  std::uint64_t size() const;
  void resize(std::uint64_t bytes);

  /// Flushes and closes: after this only commit() can fail, and hardly.
  void close();

  /// Gives the file its name. Throws Error{io} if without `overwrite` another file has taken it.
  void commit();

 private:
  void open_directly();
  void open_temporary();
  void attach(int descriptor);
  int descriptor() const;
  void discard() noexcept;

  std::filesystem::path target_;
  std::filesystem::path destination_;  // the target, symbolic links followed
  std::filesystem::path temporary_;    // empty: the target is no regular file and is written itself
  std::unique_ptr<char[]> buffer_;     // of the stream
  Checkpoint checkpoint_;
  bool overwrite_ = false;
  std::FILE* stream_ = nullptr;
};

}  // namespace thiessen::io
