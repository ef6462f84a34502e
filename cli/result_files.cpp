// SPDX-License-Identifier: Apache-2.0
#include "result_files.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "arguments.hpp"
#include "interrupt.hpp"
#include "memory.hpp"

namespace thiessen::cli {
namespace {

/// Where a file of this name ends up, be it by a link to what does not exist yet.
std::filesystem::path real_path(const std::string& name) {
  constexpr int kMostLinks = 40;  // as the kernel
  std::error_code none;
  std::filesystem::path path = std::filesystem::absolute(name, none);
  for (int links = 0; links < kMostLinks && std::filesystem::is_symlink(path, none); ++links)
    path = path.parent_path() / std::filesystem::read_symlink(path, none);
  return std::filesystem::weakly_canonical(path, none);
}

}  // namespace

ResultFile& ResultFiles::add(ResultFile result) {
  if (!result.path.empty()) {
    as_usage(
        [&] { io::require_writable(result.path, result.type, result.extents, result.options); });
    require_new_name(result.path);
  }
  return results_.emplace_back(Entry{std::move(result)}).result;
}

void ResultFiles::require_new_name(const std::string& path) const {
  for (const Entry& other : results_)
    if (!other.result.path.empty() && real_path(other.result.path) == real_path(path))
      throw UsageError(path + ": is given for two outputs; each needs a file of its own");
}

void ResultFiles::reserve(std::int64_t cells, std::size_t scratch_per_cell) {
  std::size_t bytes_per_cell = scratch_per_cell;
  for (const Entry& entry : results_) {
    const std::int64_t components = entry.result.extents.count() / std::max<std::int64_t>(cells, 1);
    bytes_per_cell += size_of(entry.result.type) * static_cast<std::size_t>(components);
  }
  require_memory(cells, bytes_per_cell);
  for (Entry& entry : results_) {
    ResultFile& result = entry.result;
    if (!result.path.empty()) entry.file.emplace(result.path, overwrite_, throw_if_interrupted);
    result.raster = Raster(result.type, result.extents);
  }
}

void ResultFiles::write(Progress& progress) {
  progress.stage("write", 1);
  double total = 0, done = 0;
  for (const Entry& entry : results_)
    if (entry.file) total += static_cast<double>(entry.result.raster.size_bytes());
  for (Entry& entry : results_) {
    if (!entry.file) continue;
    const double first = done / total;
    done += static_cast<double>(entry.result.raster.size_bytes());
    entry.result.options.progress = progress.checkpoint(first, done / total);
    io::write_raster(*entry.file, std::as_const(entry.result.raster).view(), entry.result.options);
  }
  throw_if_interrupted();
  for (Entry& entry : results_)
    if (entry.file) entry.file->commit();
  progress.finish();
}

nlohmann::ordered_json ResultFiles::names() const {
  nlohmann::ordered_json names = nlohmann::ordered_json::array();
  for (const Entry& entry : results_)
    if (entry.file) names.push_back(entry.file->target().string());
  return names;
}

}  // namespace thiessen::cli
