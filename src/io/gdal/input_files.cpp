// SPDX-License-Identifier: Apache-2.0
#include "io/files/input_files.hpp"

#include <cpl_string.h>

#include <algorithm>
#include <string_view>

#include "io/gdal/session.hpp"
#include "io/raster/file_part.hpp"

namespace thiessen::io {
namespace {

constexpr std::size_t kMostFiles = 10'000;

bool is_virtual(GDALDatasetH dataset) {
  const std::string_view driver = GDALGetDriverShortName(GDALGetDatasetDriver(dataset));
  return driver == "VRT" || driver == "OGR_VRT";
}

Dataset open_virtual(const std::filesystem::path& path) {
  static constexpr const char* kDrivers[] = {"VRT", "OGR_VRT", nullptr};
  return Dataset(GDALOpenEx(path.c_str(), GDAL_OF_READONLY, kDrivers, nullptr, nullptr));
}

/// Adds the files that GDAL lists for a dataset, if they are not there yet.
void add_files(GDALDatasetH dataset, std::vector<std::filesystem::path>& files) {
  const StringList list(GDALGetFileList(dataset));
  for (char** name = list.get(); name != nullptr && *name != nullptr; ++name) {
    const bool known = std::find(files.begin(), files.end(), *name) != files.end();
    if (!known && files.size() < kMostFiles) files.emplace_back(*name);
  }
}

/// Adds the files in a folder and below.
void add_files_of_folder(const std::filesystem::path& path,
                         std::vector<std::filesystem::path>& files) {
  std::error_code problem;
  std::filesystem::recursive_directory_iterator entries(path, problem);
  const std::filesystem::recursive_directory_iterator end;
  for (; !problem && entries != end && files.size() < kMostFiles; entries.increment(problem))
    if (entries->is_regular_file(problem)) files.push_back(entries->path());
}

}  // namespace

std::vector<std::filesystem::path> files_of_input(const std::filesystem::path& name) {
  const std::filesystem::path path = part_of(name).file;
  std::vector<std::filesystem::path> files{path};
  std::error_code none;
  if (std::filesystem::is_other(path, none)) return files;  // a pipe gives its contents only once
  if (std::filesystem::is_directory(path, none)) {
    add_files_of_folder(path, files);
    return files;
  }
  const GdalSession session;
  Dataset dataset = try_to_open(path, GDAL_OF_RASTER | GDAL_OF_VECTOR);
  if (!dataset) return files;
  const bool has_sources = is_virtual(dataset.get());
  add_files(dataset.get(), files);
  // A VRT lists its own sources, but not those of a VRT among them.
  for (std::size_t next = 1; has_sources && next < files.size(); ++next)
    if (dataset = open_virtual(files[next]); dataset) add_files(dataset.get(), files);
  return files;
}

}  // namespace thiessen::io
