// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "io/files/hidden_file.hpp"

namespace thiessen::io {

/// Called between the pieces of a long write; what it throws ends the write.
using Checkpoint = std::function<void()>;

/// Called now and then with the fraction that is written; what it throws ends the write.
using WriteProgress = std::function<void(double fraction)>;

/// Reports after every 64 rows.
inline void report_rows(const WriteProgress& progress, std::int64_t row, std::int64_t rows) {
  constexpr std::int64_t kRows = 64;
  if (progress && row % kRows == 0) progress(static_cast<double>(row) / static_cast<double>(rows));
}

/// Who writes an output file.
enum class Writers {
  one,     ///< this process
  many,    ///< others, too, which open it by its hidden name
  library  ///< a library, by name, in a hidden folder: a file with those beside it, or a folder
};

/// A file that appears whole or not at all: it is written beside its target, without a name or
/// under a hidden one, and gets its name from commit(). Without commit() nothing is left; if the
/// process is killed, the next one removes what is left; see HiddenFile.
class OutputFile {
 public:
  /// Creates the hidden file, so that a folder that cannot be written is known before any work is
  /// done. A symbolic link is followed. A file that is replaced passes its mode and, where
  /// permitted, its owner to the new one. A pipe or device holds nothing to lose: it is written
  /// directly, whatever `overwrite` says; so is standard output, the target "-". A folder is
  /// replaced only by a library, and only if it holds Zarr. Throws Error{io} if it cannot be
  /// created, or if the file `target` exists and `overwrite` is false.
  OutputFile(std::filesystem::path target, bool overwrite, Checkpoint checkpoint = {},
             Writers writers = Writers::one);
  ~OutputFile();
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;

  const std::filesystem::path& target() const noexcept { return target_; }

  /// The target with symbolic links followed: files that this one needs meanwhile lie beside it.
  const std::filesystem::path& place() const noexcept { return destination_; }

  /// The name by which others open it before it has its own; empty if there is none.
  const std::filesystem::path& hidden_name() const noexcept { return hidden_.name(); }

  /// The name under which a library writes; it closes the file before close().
  std::filesystem::path library_name() const { return folder_.inside(); }

  /// Calls the checkpoint, which may throw.
  void check() const;

  /// Throws Error{io} naming the target if the bytes cannot be written.
  void write(const void* bytes, std::size_t count);

  /// Whether it has the functions below; a pipe or device does not.
  bool has_random_access() const noexcept { return hidden_.exists(); }

  /// Random access, for formats that a library writes; not together with write(). They throw like
  /// write(). read_at() returns fewer bytes at the end.
  std::size_t read_at(std::uint64_t position, void* bytes, std::size_t count);
  void write_at(std::uint64_t position, const void* bytes, std::size_t count);
  std::uint64_t size() const;
  void resize(std::uint64_t bytes);

  /// Flushes and ends the writing.
  void close();

  /// Calls close(), then waits until the contents are on the disk: after this only commit() can
  /// fail, which is unlikely.
  void sync();

  /// Calls sync(), then gives the file its name and waits until that is on the disk. Throws
  /// Error{io} if `overwrite` is false and another file has taken the name.
  void commit();

 private:
  void open(Writers writers);
  void attach(int descriptor);
  int descriptor() const;
  [[noreturn]] void fail_to(const char* what, int reason) const;
  void discard() noexcept;

  std::filesystem::path target_;
  std::filesystem::path destination_;  // the target with symbolic links followed
  HiddenFile hidden_;    // unused if the target is not a regular file and is written directly,
  HiddenFolder folder_;  // or by a library
  std::unique_ptr<char[]> buffer_;  // of the stream
  Checkpoint checkpoint_;
  bool overwrite_ = false;
  bool synced_ = false;
  std::FILE* stream_ = nullptr;
};

/// Syncs all files, then commits them. What `before_names` throws once all files are whole leaves
/// no file.
void commit_all(const std::vector<OutputFile*>& files, const Checkpoint& before_names = {});

}  // namespace thiessen::io
