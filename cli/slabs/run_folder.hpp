// SPDX-License-Identifier: Apache-2.0
//
// A folder that keeps what a run in slabs has done so far (--resume DIR): the next run goes on from
// there.
//
//     run.json      the run: its arguments, its inputs with their size and time, the rows of a slab
//     lock          of the run that is using it
//
// What slabs keep there: slab_store.hpp, cost_store.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "words/memory.hpp"

namespace thiessen::cli {

class RunFolder {
 public:
  /// Creates the folder, or opens that of the same run. Throws UsageError for a folder of another
  /// run, or with other files; if an input has changed; if another process uses it.
  explicit RunFolder(const MemoryArguments& arguments);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  /// Rows of a slab of the run that was interrupted.
  std::optional<std::int64_t> rows() const;

  /// Begins or goes on with slabs of so many rows.
  void begin(std::int64_t rows);

  std::filesystem::path path(const std::string& name) const { return folder_ / name; }

  /// Gives a file this contents: it appears whole or not at all, and is on the disk. Throws
  /// Error{io}.
  void keep(const std::string& name, std::span<const std::byte> bytes) const;

  /// Throws UsageError: the folder cannot be used for this reason.
  [[noreturn]] void refuse(const std::string& reason) const;

  /// All is written: removes its files and those for whose names `is_kept` says so, and the folder
  /// if nothing else is in it.
  void remove(const std::function<bool(const std::string& name)>& is_kept) const;

 private:
  void lock();
  void compare(const nlohmann::json& run) const;

  std::filesystem::path folder_;
  nlohmann::json run_;
  bool is_new_ = false;  // the folder was made here
  int lock_ = -1;
};

/// Opens the folder of --resume, if it is given and work is to be done.
std::unique_ptr<RunFolder> open_folder(const MemoryArguments& arguments);

}  // namespace thiessen::cli
