// SPDX-License-Identifier: Apache-2.0
//
// Names of values, as GDAL keeps them beside a raster.
#include <cpl_conv.h>
#include <cpl_string.h>
#include <gdal.h>

#include <memory>
#include <string>

#include "io/output_format.hpp"
#include "io/raster_file.hpp"

namespace thiessen::io {
namespace {

std::string escaped(const std::string& text) {
  struct Free {
    void operator()(char* bytes) const noexcept { CPLFree(bytes); }
  };
  const std::unique_ptr<char, Free> result(
      CPLEscapeString(text.data(), static_cast<int>(text.size()), CPLES_XML));
  return result.get();
}

std::string field(int index, const std::string& name, GDALRATFieldType type,
                  GDALRATFieldUsage usage) {
  return "      <FieldDefn index=\"" + std::to_string(index) + "\">\n        <Name>" + name +
         "</Name>\n        <Type>" + std::to_string(type) + "</Type>\n        <Usage>" +
         std::to_string(usage) + "</Usage>\n      </FieldDefn>\n";
}

}  // namespace

std::string attribute_table_of(const std::filesystem::path& path, const WriteOptions& options) {
  if (options.names.empty() || output_format(path, options.format).format != Format::geotiff)
    return {};
  std::string text =
      "<PAMDataset>\n  <PAMRasterBand band=\"1\">\n    <GDALRasterAttributeTable "
      "tableType=\"thematic\">\n";
  text += field(0, "Value", GFT_Integer, GFU_MinMax) + field(1, "Name", GFT_String, GFU_Name);
  std::size_t row = 0;
  for (const std::string& name : options.names) {
    text += "      <Row index=\"" + std::to_string(row) + "\">\n        <F>" +
            std::to_string(row + 1) + "</F>\n        <F>" + escaped(name) + "</F>\n      </Row>\n";
    ++row;
  }
  return text + "    </GDALRasterAttributeTable>\n  </PAMRasterBand>\n</PAMDataset>\n";
}

}  // namespace thiessen::io
