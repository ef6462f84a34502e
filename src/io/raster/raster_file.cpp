// SPDX-License-Identifier: Apache-2.0
#include "io/raster/raster_file.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "io/files/input_file.hpp"
#include "io/files/io_error.hpp"
#include "io/files/output_format.hpp"
#include "io/files/signature.hpp"
#include "io/files/unknown_file.hpp"
#include "io/raster/file_part.hpp"
#include "io/raster/formats/npy.hpp"
#include "io/raster/formats/png.hpp"
#include "io/raster/formats/pnm.hpp"
#include "io/raster/gdal.hpp"
#include "io/raster/raster_rows.hpp"
#include "io/raster/raster_shape.hpp"

namespace thiessen::io {
namespace {

constexpr int kColourBands = 3;

std::string name_of(Format format) {
  constexpr const char* kNames[] = {"NPY", "PNG", "PGM", "PPM", "GeoTIFF", "file of GDAL"};
  return kNames[static_cast<std::size_t>(format)];
}

/// Colours, in a PNG with or without opacity.
bool is_rgb(Format format, ElementType type, const Extents& extents) {
  if (type != ElementType::u8 || extents.rank() != 3) return false;
  return extents[2] == 3 || (format == Format::png && extents[2] == 4);
}

bool is_grey(ElementType type, const Extents& extents) {
  return type != ElementType::f32 && type != ElementType::f64 && extents.rank() == 2;
}

void require_npy(const std::filesystem::path& path, const Extents& extents) {
  if (extents.rank() < 1) fail(path, "cannot hold a raster without axes");
}

void require_picture(const std::filesystem::path& path, Format format, ElementType type,
                     const Extents& extents) {
  const bool grey = format != Format::ppm && is_grey(type, extents);
  const bool rgb = format != Format::pgm && is_rgb(format, type, extents);
  if (!grey && !rgb) {
    constexpr std::string_view kGrey = "integers of two axes";
    constexpr std::string_view kRgb = "u8 extents (y, x, 3)";
    fail(path, "cannot hold a raster of type " + std::string(thiessen::name_of(type)) + " and " +
                   text_of(extents) + " cells; a " + name_of(format) + " holds " +
                   std::string(format == Format::ppm ? kRgb : kGrey) +
                   (format == Format::png ? " or " + std::string(kRgb) + " or (y, x, 4)" : ""));
  }
  for (const int axis : {0, 1}) {
    if (extents[axis] >= 1 && extents[axis] <= kLongestAxis) continue;
    fail(path, "cannot hold " + text_of(extents) + " cells; an axis of a " + name_of(format) +
                   " has 1 to " + std::to_string(kLongestAxis));
  }
}

/// One of the bands of colours 0xRRGGBB.
Raster band_of(const Raster& colours, int band) {
  Raster cells = Raster::of<std::uint8_t>(colours.extents());
  const auto* const from = reinterpret_cast<const std::uint32_t*>(colours.bytes());
  const int shift = 8 * (kColourBands - band);
  for (std::size_t i = 0; i < cells.size_bytes(); ++i) {
    cells.bytes()[i] = static_cast<std::byte>(from[i] >> shift);
  }
  return cells;
}

Raster read_picture(InputFile& file, OwnFormat format, const ReadOptions& options) {
  Raster cells = format == OwnFormat::png ? read_png(file) : read_pnm(file);
  const bool coloured = cells.element_type() == ElementType::u32;
  const int bands = coloured ? kColourBands : 1;
  if (options.band && (*options.band < 1 || *options.band > bands))
    refuse_missing_band(file.path(), bands, *options.band);
  if (coloured && options.band) return band_of(cells, *options.band);
  if (coloured && !options.colours) {
    file.fail(
        "has 3 bands, red, green and blue; choose one with FILE|band=N, or as sites all as one "
        "number 0xRRGGBB with --band rgb");
  }
  return cells;
}

Raster read_own(InputFile& file, OwnFormat format, const ReadOptions& options) {
  if (format != OwnFormat::npy) return read_picture(file, format, options);
  if (options.band.value_or(1) != 1) refuse_missing_band(file.path(), 1, *options.band);
  return read_npy(file);
}

/// Null for a file that is read by rows.
const char* why_not_by_rows(InputFile& file) {
  if (!std::filesystem::is_regular_file(file.path()))
    return "is a pipe or device, which is not read by rows";
  switch (own_format(file.peek(kSignatureBytes))) {
    case OwnFormat::png:
    case OwnFormat::pnm:
      return "is a picture, which is not read by rows; make a GeoTIFF or NPY of it";
    case OwnFormat::npy:
      return is_npy_in_fortran_order(file)
                 ? "is in Fortran order, which is not read by rows; save it in C order"
                 : nullptr;
    case OwnFormat::none:
      break;
  }
  return nullptr;
}

/// A raster that is read whole.
class WholeRaster final : public RowReader {
 public:
  explicit WholeRaster(RasterFile file) {
    head_ = head_of(file);
    cells_ = std::move(file.raster);
  }

  void read(std::int64_t first, std::int64_t count, std::byte* cells) override {
    const auto rows = static_cast<std::size_t>(std::max<std::int64_t>(cells_.extents()[0], 1));
    const std::size_t row_bytes = cells_.size_bytes() / rows;
    std::memcpy(cells, cells_.bytes() + static_cast<std::size_t>(first) * row_bytes,
                static_cast<std::size_t>(count) * row_bytes);
  }

 private:
  Raster cells_;
};

void write_all(RowWriter& writer, const View<const void>& raster) {
  writer.write(raster);
  writer.finish();
}

OutputFormat format_of(const std::filesystem::path& path, const WriteOptions& options) {
  return output_format(path, options.format);
}

/// The options with the name that GDAL has for the format.
WriteOptions with_driver(WriteOptions options, const std::string& driver) {
  options.format = driver;
  return options;
}

std::unique_ptr<RowWriter> write_rows_by_gdal(OutputFile& file, ElementType type,
                                              const Extents& extents, const WriteOptions& options) {
  const OutputFormat format = format_of(file.target(), options);
  if (format.format == Format::geotiff) return write_geotiff_rows(file, type, extents, options);
  return write_library_rows(file, type, extents, with_driver(options, format.driver));
}

}  // namespace

bool is_for_gdal_alone(const std::filesystem::path& path) {
  std::error_code problem;
  const std::filesystem::file_status status = std::filesystem::status(path, problem);
  return has_gdal() && (!std::filesystem::exists(status) || std::filesystem::is_directory(status));
}

void fail_unknown(InputFile& file) {
  const std::string_view start = file.peek(kSignatureBytes);
  if (start.empty()) file.fail_short("is empty");
  if (has_gdal() && !std::filesystem::is_regular_file(file.path())) {
    file.fail("is none of NPY, PNG, PBM, PGM and PPM, which alone are read from a pipe or device");
  }
  file.fail("is none of NPY, PNG, PBM, PGM and PPM" + gdal_advice(file.path()) +
            ": it begins with " + excerpt(start));
}

RasterFile read_raster(const std::filesystem::path& name, const ReadOptions& asked) {
  const FilePart part = part_of(name);
  const std::filesystem::path& path = part.file;
  const ReadOptions options = reading_of(part, asked);
  if (is_for_gdal_alone(path)) {
    if (std::optional<RasterFile> read = read_gdal_raster(path, options)) return std::move(*read);
  }
  InputFile file(path, options.progress);
  const OwnFormat format = own_format(file.peek(kSignatureBytes));
  if (format != OwnFormat::none) return {read_own(file, format, options)};
  if (!file.peek(1).empty() && std::filesystem::is_regular_file(path)) {
    if (std::optional<RasterFile> read = read_gdal_raster(path, options)) return std::move(*read);
  }
  fail_unknown(file);
}

RasterHead head_of(const RasterFile& file) {
  return {.type = file.raster.element_type(),
          .grid = file.raster.grid(),
          .nodata = file.nodata,
          .voxels = file.voxels,
          .scaling = file.scaling,
          .unit = file.unit};
}

std::unique_ptr<RowReader> open_rows(const std::filesystem::path& name, const ReadOptions& asked) {
  const FilePart part = part_of(name);
  const std::filesystem::path& path = part.file;
  const ReadOptions options = reading_of(part, asked);
  if (!is_for_gdal_alone(path)) {
    InputFile file(path);
    const bool is_npy = std::filesystem::is_regular_file(path) &&
                        own_format(file.peek(kSignatureBytes)) == OwnFormat::npy;
    if (const char* const why = why_not_by_rows(file)) file.fail(why);
    if (is_npy) return open_npy_rows(path);
  }
  if (auto rows = open_gdal_rows(path, options)) return rows;
  InputFile file(path);
  fail_unknown(file);
}

std::unique_ptr<RowReader> open_rows_or_all(const std::filesystem::path& name,
                                            const ReadOptions& asked) {
  const std::filesystem::path path = part_of(name).file;
  std::error_code none;
  const bool is_pipe = std::filesystem::is_other(path, none);
  const auto is_whole = [&] {
    InputFile file(path);
    return why_not_by_rows(file) != nullptr;
  };
  if (is_pipe || (!is_for_gdal_alone(path) && is_whole()))
    return std::make_unique<WholeRaster>(read_raster(name, asked));
  return open_rows(name, asked);
}

std::unique_ptr<RowWriter> write_rows(OutputFile& file, ElementType type, const Extents& extents,
                                      const WriteOptions& options) {
  require_writable(file.target(), type, extents, options);
  const OutputFormat format = format_of(file.target(), options);
  if (!is_written_by_rows(file.target(), options.format))
    fail(file.target(), "is a " + name_of(format.format) +
                            ", which is not written by rows; what is no picture is");
  if (format.format == Format::npy)
    return write_npy_rows(file, type, extents, options.bands == Bands::first ? 1 : 0,
                          options.progress);
  return write_rows_by_gdal(file, type, extents, options);
}

std::optional<RowLayout> row_layout(const std::filesystem::path& path, ElementType type,
                                    const Extents& extents, const WriteOptions& options) {
  if (format_of(path, options).format != Format::npy) return std::nullopt;
  return npy_row_layout(type, extents, options.bands == Bands::first ? 1 : 0);
}

bool is_written_by_rows(const std::filesystem::path& path, const std::string& format) {
  const Format written = output_format(path, format).format;
  return written == Format::npy || written == Format::geotiff || written == Format::gdal;
}

Writers writers_of(const std::filesystem::path& path, const WriteOptions& options) {
  return format_of(path, options).format == Format::gdal ? Writers::library : Writers::one;
}

void require_writable(const std::filesystem::path& path, ElementType type, const Extents& extents,
                      const WriteOptions& options) {
  const OutputFormat format = format_of(path, options);
  if (format.format == Format::geotiff) return require_geotiff(path, type, extents, options);
  if (format.format == Format::gdal)
    return require_library_format(path, type, extents, with_driver(options, format.driver));
  if (!options.creation_options.empty()) {
    fail(path, "cannot be created with the option " + excerpt(options.creation_options.front()) +
                   ": a " + name_of(format.format) + " has none");
  }
  if (format.format == Format::npy) return require_npy(path, extents);
  require_picture(path, format.format, type, extents);
}

void write_raster(OutputFile& file, View<const void> raster, const WriteOptions& options) {
  if (raster.space() != MemorySpace::host) {
    fail(file.target(), "is to hold a raster in device memory; copy it to the host first");
  }
  require_writable(file.target(), raster.element_type(), raster.extents(), options);
  switch (format_of(file.target(), options).format) {
    case Format::npy:
      write_all(*write_npy_rows(file, raster.element_type(), raster.extents(), 0, options.progress),
                raster);
      break;
    case Format::png:
      write_png(file, raster, options.progress);
      break;
    case Format::pgm:
    case Format::ppm:
      write_pnm(file, raster, options.progress);
      break;
    case Format::geotiff:
    case Format::gdal:
      write_all(*write_rows_by_gdal(file, raster.element_type(), raster.extents(), options),
                raster);
      break;
  }
  file.close();
  if (options.progress) options.progress(1);
}

}  // namespace thiessen::io
