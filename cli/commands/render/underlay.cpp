// SPDX-License-Identifier: Apache-2.0
#include "commands/render/underlay.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "inputs/rasters/raster_input.hpp"
#include "io/files/input_file.hpp"
#include "io/files/signature.hpp"
#include "io/raster/crs.hpp"
#include "io/raster/exact.hpp"
#include "io/raster/file_part.hpp"
#include "maps/drawing/drawing.hpp"
#include "maps/scale/orientation.hpp"
#include "thiessen/element_visit.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {
namespace {

bool is_png(const std::string& path) {
  const io::FilePart part = io::part_of(path);
  if (part.band) return false;  // of which read_raster_file() knows
  io::InputFile file(part.file);
  return io::own_format(file.peek(io::kSignatureBytes)) == io::OwnFormat::png;
}

Raster colours_to_pixels(const Raster& raster) {
  const Extents& extents = raster.extents();
  Raster pixels = Raster::of<std::uint8_t>({extents[0], extents[1], 4});
  std::uint8_t* pixel = pixels.view<std::uint8_t>().data();
  const auto* const colours = reinterpret_cast<const std::uint32_t*>(raster.bytes());
  for (std::int64_t i = 0; i < extents.count(); ++i, pixel += 4) {
    for (int channel = 0; channel < 3; ++channel)
      pixel[channel] = static_cast<std::uint8_t>(colours[i] >> (16 - 8 * channel));
    pixel[3] = 255;
  }
  return pixels;
}

template <class T>
Raster greys_to_pixels(const T* cells, const Extents& extents, const std::optional<T>& nodata) {
  Raster pixels = Raster::of<std::uint8_t>({extents[0], extents[1], 4});
  const bool has_nodata = nodata.has_value();
  const T missing = nodata.value_or(T{});
  const auto is_shown = [&](T cell) {
    return std::isfinite(static_cast<double>(cell)) && !(has_nodata && cell == missing);
  };
  double least = std::numeric_limits<double>::infinity();
  double greatest = -least;
  for (std::int64_t i = 0; i < extents.count(); ++i) {
    if (!is_shown(cells[i])) continue;
    least = std::min(least, static_cast<double>(cells[i]));
    greatest = std::max(greatest, static_cast<double>(cells[i]));
  }
  std::uint8_t* pixel = pixels.view<std::uint8_t>().data();
  for (std::int64_t i = 0; i < extents.count(); ++i, pixel += 4) {
    const bool shown = is_shown(cells[i]);
    const double share = shown && greatest > least
                             ? (static_cast<double>(cells[i]) - least) / (greatest - least)
                             : 0;
    std::fill(pixel, pixel + 3, static_cast<std::uint8_t>(std::lround(255 * share)));
    pixel[3] = shown ? 255 : 0;
  }
  return pixels;
}

Raster to_pixels(const io::RasterFile& file) {
  const Raster& raster = file.raster;
  if (raster.element_type() == ElementType::u32) return colours_to_pixels(raster);
  return visit_element_type(raster.element_type(), [&]<class T>(std::type_identity<T>) {
    const auto nodata = file.nodata ? io::cast_exactly<T>(*file.nodata) : std::optional<T>();
    return greys_to_pixels(reinterpret_cast<const T*>(raster.bytes()), raster.extents(), nodata);
  });
}

/// World coordinates of the upper left and the lower right corner.
std::array<double, 4> corners_of(const Georeference& place, const Extents& extents) {
  const std::array<double, 6>& t = place.transform;
  const auto columns = static_cast<double>(extents[1]);
  const auto rows = static_cast<double>(extents[0]);
  return {t[0], t[3], t[0] + columns * t[1] + rows * t[2], t[3] + columns * t[4] + rows * t[5]};
}

/// `own` is the place of the image.
void require_same_area(const std::string& path, const Raster& image, const Georeference& own,
                       const Extents& extents, const Georeference& place) {
  const std::array<double, 4> a = corners_of(own, image.extents());
  const std::array<double, 4> b = corners_of(place, extents);
  const double cell = std::hypot(place.transform[1], place.transform[4]);
  const bool same = std::equal(a.begin(), a.end(), b.begin(),
                               [&](double x, double y) { return std::fabs(x - y) <= cell; });
  if (!same || !io::same_crs(own.crs, place.crs))
    throw UsageError("--underlay " + path + ": shows another area than the raster; " +
                     "cut it to the raster's, as by gdalwarp -te");
}

}  // namespace

Raster read_underlay(const std::string& path, const Extents& extents,
                     const std::optional<Georeference>& georeference,
                     const io::ReadOptions& options) {
  Raster pixels;
  if (as_usage_error([&] { return is_png(path); })) {
    pixels = as_usage_error([&] { return maps::read_png_colours(path); });
  } else {
    const io::RasterFile file = read_raster_file(path, options);
    if (file.raster.extents().rank() != 2)
      throw UsageError("--underlay " + path + ": has three axes; an image has two");
    const std::optional<Georeference>& own = file.raster.grid().georeference;
    const std::optional<maps::Turn> turn = maps::turn_of(own, file.raster.extents());
    if (own && georeference)
      require_same_area(path, file.raster, turn ? turn->georeference : *own, extents,
                        *georeference);
    pixels = to_pixels(file);
    if (turn) maps::turn_cells(pixels.bytes(), 4, file.raster.extents(), *turn);
  }
  const auto height = static_cast<double>(pixels.extents()[0]);
  const auto width = static_cast<double>(pixels.extents()[1]);
  const double expected = width * static_cast<double>(extents[0]) / static_cast<double>(extents[1]);
  if (std::fabs(height - expected) > std::max(1.0, 0.01 * expected))
    throw UsageError("--underlay " + path + ": has " +
                     size_text({pixels.extents()[0], pixels.extents()[1]}) +
                     " pixels; must have the proportions of the raster, " + size_text(extents));
  if (std::max(pixels.extents()[0], pixels.extents()[1]) > maps::kLongestSide)
    throw UsageError("--underlay " + path + ": has more than " +
                     std::to_string(maps::kLongestSide) + " pixels along a side");
  return pixels;
}

}  // namespace thiessen::cli
