// SPDX-License-Identifier: Apache-2.0
//
// Cloud optimised GeoTIFF: its overviews come before its cells, so GDAL makes it of a whole file,
// a temporary GeoTIFF beside it that has no name.
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "io/gdal.hpp"
#include "io/gdal_geotiff_options.hpp"
#include "io/gdal_output.hpp"
#include "io/gdal_session.hpp"
#include "io/io_error.hpp"

namespace thiessen::io {
namespace {

constexpr std::array<std::string_view, 9> kCogOptions = {
    "COMPRESS",    "LEVEL",      "PREDICTOR", "BLOCKSIZE",          "BIGTIFF",
    "NUM_THREADS", "RESAMPLING", "OVERVIEWS", "OVERVIEW_RESAMPLING"};
constexpr std::array<std::string_view, 5> kCogCompressions = {"NONE", "LZW", "LZMA", "ZSTD",
                                                              "DEFLATE"};

template <std::size_t Count>
bool is_listed(const std::string& word, const std::array<std::string_view, Count>& words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view other) {
    return EQUAL(word.c_str(), std::string(other).c_str());
  });
}

/// Our options, and then the user's. Throws Error{io} for one that loses values of the cells.
CPLStringList cog_options(const std::filesystem::path& path, const WriteOptions& options) {
  CPLStringList list;
  list.SetNameValue("COMPRESS", "DEFLATE");
  list.SetNameValue("BIGTIFF", "IF_SAFER");
  list.SetNameValue("OVERVIEW_RESAMPLING", "NEAREST");  // no labels or distances that none has
  for (const std::string& option : options.creation_options) {
    const std::size_t equals = option.find('=');
    const std::string name = option.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : option.substr(equals + 1);
    if (equals == std::string::npos || !is_listed(name, kCogOptions) ||
        (EQUAL(name.c_str(), "COMPRESS") && !is_listed(value, kCogCompressions)))
      fail(path, "cannot be created with the option " + excerpt(option) +
                     ": those of a COG that lose nothing are COMPRESS, LEVEL, PREDICTOR, "
                     "BLOCKSIZE, BIGTIFF, NUM_THREADS, OVERVIEWS and OVERVIEW_RESAMPLING");
    list.SetNameValue(name.c_str(), value.c_str());
  }
  return list;
}

/// The temporary file is stored in the quickest way.
WriteOptions options_of_temporary(WriteOptions options) {
  options.creation_options.clear();
  return options;
}

class CogWriter : public RowWriter {
 public:
  CogWriter(OutputFile& file, ElementType type, const Extents& extents, const WriteOptions& options)
      : file_(file),
        options_(options),
        temporary_(file.target().string() + ".temporary.tif", true),
        rows_(write_geotiff_rows(temporary_, type, extents, options_of_temporary(options))) {}

  void write(const View<const void>& rows) override { rows_->write(rows); }

  void finish() override {
    rows_->finish();
    rows_.reset();
    const GdalSession session(options_.threads);
    GdalOutput from(temporary_);
    GdalOutput to(file_);
    const auto check = [&](bool is_done) {
      from.rethrow();
      to.rethrow();
      session.check(is_done ? CE_None : CE_Failure, file_.target(), "cannot be written");
    };
    const Dataset source(GDALOpen(from.name().c_str(), GA_ReadOnly));
    check(source != nullptr);
    const CPLStringList list = cog_options(file_.target(), options_);
    Dataset copy(GDALCreateCopy(GDALGetDriverByName("COG"), to.name().c_str(), source.get(), FALSE,
                                list.List(), nullptr, nullptr));
    check(copy != nullptr);
    copy.reset();
    check(true);
  }

 private:
  OutputFile& file_;
  WriteOptions options_;
  OutputFile temporary_;
  std::unique_ptr<RowWriter> rows_;
};

}  // namespace

void require_cog(const std::filesystem::path& path, ElementType type, const Extents& extents,
                 const WriteOptions& options) {
  require_geotiff(path, type, extents, options_of_temporary(options));
  const bool has_pages = extents.rank() == (options.bands == Bands::none ? 3 : 4);
  if (has_pages) fail(path, "cannot hold planes as pages; a COG has one image");
  if (type == ElementType::i8 || type == ElementType::boolean)
    fail(path, "cannot hold cells of type " + std::string(name_of(type)) + " as a COG");
  const GdalSession session;
  GDALDriverH driver = GDALGetDriverByName("COG");
  if (driver == nullptr) fail(path, "is to be a COG, which this GDAL does not write");
  if (GDALValidateCreationOptions(driver, cog_options(path, options).List()) == 0)
    fail(path, "cannot be created with these options: " + one_line(session.complaint()));
}

std::unique_ptr<RowWriter> write_cog_rows(OutputFile& file, ElementType type,
                                          const Extents& extents, const WriteOptions& options) {
  return std::make_unique<CogWriter>(file, type, extents, options);
}

}  // namespace thiessen::io
