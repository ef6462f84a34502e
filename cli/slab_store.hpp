// SPDX-License-Identifier: Apache-2.0
//
// What a run in slabs has done so far, in a folder (--resume DIR): the next run goes on from there.
//
//     run.json      the run: its arguments, its inputs with their size and time, the rows of a slab
//     summary-K     slab_bytes() of the summary of slab K
//     slab-K-F      cells of slab K in result F, contiguous
//
// Each file appears whole or not at all, and slabs come in order, so that a kill at any moment
// loses no more than the slab that was being done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "memory.hpp"
#include "result_files.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {

class SlabStore {
 public:
  /// Creates the folder, or opens that of the same run. Throws UsageError for a folder of another
  /// run, or with other files; if an input has changed; if another process uses it.
  explicit SlabStore(const MemoryArguments& arguments);
  ~SlabStore();
  SlabStore(const SlabStore&) = delete;
  SlabStore& operator=(const SlabStore&) = delete;

  /// Rows of a slab of the run that was interrupted.
  std::optional<std::int64_t> rows() const;

  /// Begins or goes on with slabs of so many rows, of a run with so many result files.
  void begin(std::int64_t rows, std::int64_t results);

  /// The number of slabs that are done.
  std::int64_t done() const { return done_; }

  /// Empty if it is not known yet.
  std::optional<SlabSummary> summary(std::int64_t slab) const;
  void keep_summary(std::int64_t slab, const SlabSummary& summary) const;

  /// The rows of a slab in all results; load() writes them there. Slabs are kept in their order.
  void keep(std::int64_t slab, const std::vector<ResultRows>& results) const;
  void load(std::int64_t slab, const std::vector<ResultRows>& results) const;

  /// All is written: removes what the folder holds, and the folder if nothing else is in it.
  void remove();

 private:
  std::filesystem::path path(const std::string& name) const { return folder_ / name; }
  [[noreturn]] void refuse(const std::string& reason) const;
  void lock();
  void compare(const nlohmann::json& run) const;

  std::filesystem::path folder_;
  nlohmann::json run_;
  bool is_new_ = false;  // the folder was made here
  std::int64_t done_ = 0;
  int lock_ = -1;
};

/// Opens the folder of --resume, if it is given and work is to be done.
std::unique_ptr<SlabStore> open_store(const MemoryArguments& arguments);

}  // namespace thiessen::cli
