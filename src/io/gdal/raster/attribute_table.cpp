// SPDX-License-Identifier: Apache-2.0
//
// Names of values, as GDAL keeps them beside a raster.
#include <cpl_conv.h>
#include <cpl_string.h>
#include <gdal.h>

#include <memory>
#include <string>
#include <vector>

#include "io/files/io_error.hpp"
#include "io/files/output_format.hpp"
#include "io/files/utf8.hpp"
#include "io/gdal/session.hpp"
#include "io/raster/file_part.hpp"
#include "io/raster/raster_file.hpp"

namespace thiessen::io {
namespace {

std::string escaped(const std::string& text) {
  const Released<char*, VSIFree> result(
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
  if (options.names.empty() || options.names.size() > kMostNames ||
      output_format(path, options.format).format != Format::geotiff)
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

std::vector<std::string> read_value_names(const std::filesystem::path& name) {
  const FilePart part = part_of(name);
  std::error_code none;
  if (std::filesystem::is_other(part.file, none)) return {};  // a pipe gives its cells only once
  const GdalSession session;
  const Dataset dataset = try_to_open(part.file, GDAL_OF_RASTER);
  const int number = part.band.value_or(1);
  if (!dataset || number > GDALGetRasterCount(dataset.get())) return {};
  std::vector<std::string> names;
  const auto take = [&](std::int64_t value, const char* text) {
    if (value < 1 || value > static_cast<std::int64_t>(kMostNames) || *text == '\0') return;
    if (!is_utf8(text))
      fail(part.file, "has a name that is not UTF-8 in its table of values: " + excerpt(text));
    for (auto next = static_cast<std::int64_t>(names.size()) + 1; next <= value; ++next)
      names.push_back(std::to_string(next));
    names[static_cast<std::size_t>(value) - 1] = text;
  };
  GDALRasterBandH band = GDALGetRasterBand(dataset.get(), number);
  GDALRasterAttributeTableH table = GDALGetDefaultRAT(band);
  const int values = table == nullptr ? -1 : GDALRATGetColOfUsage(table, GFU_MinMax);
  const int texts = table == nullptr ? -1 : GDALRATGetColOfUsage(table, GFU_Name);
  if (values >= 0 && texts >= 0) {
    for (int row = 0; row < GDALRATGetRowCount(table); ++row)
      take(GDALRATGetValueAsInt(table, row, values), GDALRATGetValueAsString(table, row, texts));
    return names;
  }
  char** const categories = GDALGetRasterCategoryNames(band);
  for (int value = 1; value < CSLCount(categories); ++value) take(value, categories[value]);
  return names;
}

}  // namespace thiessen::io
