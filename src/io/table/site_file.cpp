// SPDX-License-Identifier: Apache-2.0
#include "io/table/site_file.hpp"

#include <string>
#include <string_view>
#include <system_error>

#include "io/files/access.hpp"
#include "io/files/input_file.hpp"
#include "io/files/lower_case.hpp"
#include "io/files/signature.hpp"
#include "io/files/unknown_file.hpp"
#include "io/raster/file_part.hpp"
#include "io/raster/gdal.hpp"

namespace thiessen::io {
namespace {

bool has_suffix_of_points(const std::filesystem::path& path) {
  std::string suffix = lower_case(path.extension().string());
  if (suffix.empty()) suffix = "." + lower_case(access().format);
  return suffix == ".csv" || suffix == ".txt" || suffix == ".xyz";
}

/// ASCII grids of GIS are often named .txt.
bool is_ascii_grid(InputFile& file) {
  constexpr std::string_view kFirstWord = "ncols";
  return lower_case(std::string(file.peek(kFirstWord.size()))) == kFirstWord;
}

/// A file may hold both: a layer that is named is no raster.
SiteFileKind kind_by_gdal(const FilePart& part) {
  if (!part.layer.empty() && is_gdal_vector(part.file)) return SiteFileKind::vector;
  if (is_gdal_raster(part.file)) return SiteFileKind::raster;
  if (is_gdal_vector(part.file)) return SiteFileKind::vector;
  InputFile file(part.file);
  fail_unknown(file);
}

}  // namespace

SiteFileKind kind_of(const std::filesystem::path& name) {
  const FilePart part = part_of(name);
  const std::filesystem::path& path = part.file;
  if (is_for_gdal_alone(path)) return kind_by_gdal(part);
  const bool is_file = std::filesystem::is_regular_file(path);
  if (!is_file && std::filesystem::exists(path)) {
    return has_suffix_of_points(path) ? SiteFileKind::points : SiteFileKind::raster;
  }
  InputFile file(path);
  if (own_format(file.peek(kSignatureBytes)) != OwnFormat::none) return SiteFileKind::raster;
  if (has_suffix_of_points(path) && !is_ascii_grid(file)) return SiteFileKind::points;
  if (file.peek(1).empty()) file.fail_short("is empty");
  return kind_by_gdal(part);
}

}  // namespace thiessen::io
