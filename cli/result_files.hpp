// SPDX-License-Identifier: Apache-2.0
//
// The rasters that a command computes, and the files that they go to.
#pragma once

#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>

#include "io/output_file.hpp"
#include "io/raster_file.hpp"
#include "progress.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {

/// A raster to compute, and where it goes.
struct ResultFile {
  std::string path;  ///< empty: needed, but not written
  ElementType type = ElementType::u8;
  Extents extents = {};
  io::WriteOptions options = {};
  Raster raster = {};
};

/// The raster of a result, or nothing for a null pointer.
template <class T>
View<T> view_of(ResultFile* result) {
  if (result == nullptr) return {};
  if constexpr (std::is_void_v<T>)
    return result->raster.view();
  else
    return result->raster.view<T>();
}

/// Every result of one run: promised, then given memory and files together, then written together.
class ResultFiles {
 public:
  explicit ResultFiles(bool overwrite) : overwrite_(overwrite) {}

  /// Promises a result. The reference stays good. Throws UsageError for a path that cannot hold it
  /// or is taken by another result.
  ResultFile& add(ResultFile result);

  bool empty() const { return results_.empty(); }

  /// Throws UsageError if a result goes to that file: of two outputs in one it would leave one.
  void require_new_name(const std::string& path) const;

  /// Allocates the rasters and opens the files, if there is memory for them and for so many bytes a
  /// cell more.
  void reserve(std::int64_t cells, std::size_t scratch_per_cell);

  /// All files get their contents first, then all get their names. The last stage of `progress`.
  void write(Progress& progress);

  nlohmann::ordered_json names() const;

 private:
  struct Entry {
    ResultFile result;
    std::optional<io::OutputFile> file = std::nullopt;
  };

  bool overwrite_;
  std::deque<Entry> results_;
};

}  // namespace thiessen::cli
