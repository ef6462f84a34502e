// SPDX-License-Identifier: Apache-2.0
#include "io/raster/inspect.hpp"

#include <string_view>
#include <utility>

#include "io/files/input_file.hpp"
#include "io/files/signature.hpp"
#include "io/files/unknown_file.hpp"
#include "io/raster/file_part.hpp"
#include "io/raster/formats/npy.hpp"
#include "io/raster/formats/png.hpp"
#include "io/raster/formats/pnm.hpp"
#include "io/raster/gdal.hpp"

namespace thiessen::io {
namespace {

std::string name_of_pnm(char digit) {
  if (digit == '1' || digit == '4') return "PBM";
  return digit == '2' || digit == '5' ? "PGM" : "PPM";
}

RasterInfo inspect_own(InputFile& file, OwnFormat format) {
  const auto info = [format](std::string name, const RasterLayout& layout) {
    // Only pictures are u32: colours, 0xRRGGBB.
    const bool coloured = format != OwnFormat::npy && layout.type == ElementType::u32;
    return RasterInfo{.format = std::move(name),
                      .element_type = coloured ? ElementType::u8 : layout.type,
                      .grid = {.extents = layout.extents},
                      .bands = coloured ? 3 : 1};
  };
  if (format == OwnFormat::npy) return info("NPY", read_npy_layout(file));
  if (format == OwnFormat::png) return info("PNG", read_png_layout(file));
  const std::string name = name_of_pnm(file.peek(kSignatureBytes)[1]);
  return info(name, read_pnm_layout(file));
}

}  // namespace

RasterInfo inspect_raster(const std::filesystem::path& name) {
  const FilePart part = part_of(name);
  const std::filesystem::path& path = part.file;
  const int band = reading_of(part, {}).band.value_or(1);
  if (is_for_gdal_alone(path)) {
    if (std::optional<RasterInfo> info = inspect_gdal_raster(path, band)) return std::move(*info);
  }
  InputFile file(path);
  const OwnFormat format = own_format(file.peek(kSignatureBytes));
  if (format != OwnFormat::none) return inspect_own(file, format);
  if (!file.peek(1).empty() && std::filesystem::is_regular_file(path)) {
    if (std::optional<RasterInfo> info = inspect_gdal_raster(path, band)) return std::move(*info);
  }
  fail_unknown(file);
}

}  // namespace thiessen::io
