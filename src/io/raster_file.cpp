// SPDX-License-Identifier: Apache-2.0
#include "io/raster_file.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "io/input_file.hpp"
#include "io/io_error.hpp"
#include "io/npy.hpp"
#include "io/png.hpp"
#include "io/pnm.hpp"
#include "io/raster_shape.hpp"

namespace thiessen::io {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kNpySignature = "\x93NUMPY"sv;
constexpr std::string_view kPngSignature = "\x89PNG\r\n\x1a\n"sv;

enum class Format { npy, png, pgm, ppm };

struct Suffix {
  std::string_view text;
  Format format;
};

constexpr std::array<Suffix, 4> kSuffixes = {
    {{".npy", Format::npy}, {".png", Format::png}, {".pgm", Format::pgm}, {".ppm", Format::ppm}}};

bool is_pnm(std::string_view start) {
  return start.size() >= 3 && start[0] == 'P' && start[1] >= '1' && start[1] <= '6' &&
         " \t\n\v\f\r#"sv.find(start[2]) != std::string_view::npos;
}

Format format_of(const std::filesystem::path& path) {
  std::string suffix = path.extension().string();
  std::transform(suffix.begin(), suffix.end(), suffix.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  for (const Suffix& known : kSuffixes) {
    if (known.text == suffix) return known.format;
  }
  fail(path, "has the suffix " + excerpt(suffix) +
                 ", which names no format; .npy, .png, .pgm and .ppm can be written");
}

std::string name_of(Format format) {
  switch (format) {
    case Format::npy:
      return "NPY";
    case Format::png:
      return "PNG";
    case Format::pgm:
      return "PGM";
    case Format::ppm:
      return "PPM";
  }
  return "";
}

bool is_rgb(ElementType type, const Extents& extents) {
  return type == ElementType::u8 && extents.rank() == 3 && extents[2] == 3;
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
  const bool rgb = format != Format::pgm && is_rgb(type, extents);
  if (!grey && !rgb) {
    constexpr std::string_view kGrey = "integers of two axes";
    constexpr std::string_view kRgb = "u8 extents (y, x, 3)";
    fail(path, "cannot hold a raster of type " + std::string(thiessen::name_of(type)) + " and " +
                   text_of(extents) + " cells; a " + name_of(format) + " holds " +
                   std::string(format == Format::ppm ? kRgb : kGrey) +
                   (format == Format::png ? " or " + std::string(kRgb) : ""));
  }
  for (const int axis : {0, 1}) {
    if (extents[axis] >= 1 && extents[axis] <= kLongestAxis) continue;
    fail(path, "cannot hold " + text_of(extents) + " cells; an axis of a " + name_of(format) +
                   " has 1 to " + std::to_string(kLongestAxis));
  }
}

}  // namespace

RasterFile read_raster(const std::filesystem::path& path, const ReadOptions& options) {
  InputFile file(path, options.progress);
  const std::string_view start = file.peek(kPngSignature.size());
  if (start.starts_with(kNpySignature)) return {read_npy(file)};
  if (start.starts_with(kPngSignature)) return {read_png(file)};
  if (is_pnm(start)) return {read_pnm(file)};
  if (start.empty()) file.fail_short("is empty");
  file.fail("is none of NPY, PNG, PBM, PGM and PPM: it begins with " + excerpt(start));
}

void require_writable(const std::filesystem::path& path, ElementType type, const Extents& extents) {
  const Format format = format_of(path);
  if (format == Format::npy) return require_npy(path, extents);
  require_picture(path, format, type, extents);
}

void write_raster(OutputFile& file, View<const void> raster, const WriteOptions& options) {
  if (raster.space() != MemorySpace::host) {
    fail(file.target(), "is to hold a raster in device memory; copy it to the host first");
  }
  require_writable(file.target(), raster.element_type(), raster.extents());
  switch (format_of(file.target())) {
    case Format::npy:
      write_npy(file, raster, options.progress);
      break;
    case Format::png:
      write_png(file, raster, options.progress);
      break;
    case Format::pgm:
    case Format::ppm:
      write_pnm(file, raster, options.progress);
      break;
  }
  file.close();
  if (options.progress) options.progress(1);
}

}  // namespace thiessen::io
