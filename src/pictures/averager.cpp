// SPDX-License-Identifier: Apache-2.0
#include "pictures/averager.hpp"

#include <algorithm>
#include <cstddef>

namespace thiessen {

Averager::Averager(const Scene& scene)
    : scene_(scene), sums_(static_cast<std::size_t>(scene.x.pixels)) {
  if (is_plain()) return;
  for (std::int64_t x = 0; x < scene.x.pixels; ++x) {
    const std::int64_t begin = scene.x.first_unit(x);
    const std::int64_t end = scene.x.end_unit(x);
    Stretch stretch{begin, end, scene.x.share(begin, x), 0, 0};
    if (end - begin > 1) stretch.last = scene.x.share(end - 1, x);
    stretch.width = stretch.first + stretch.last +
                    kWhole * static_cast<std::uint64_t>(std::max<std::int64_t>(end - begin - 2, 0));
    stretches_.push_back(stretch);
  }
}

void Averager::paint_row(Painter& painter, const View<std::uint8_t>& pixels, std::int64_t y) {
  if (is_plain()) return copy_row(painter.paint(y), pixels, y);
  std::fill(sums_.begin(), sums_.end(), Channels{});
  std::uint64_t height = 0;
  for (std::int64_t unit = scene_.y.first_unit(y); unit < scene_.y.end_unit(y); ++unit) {
    const std::uint64_t share = scene_.y.share(unit, y);
    add(painter.paint(unit), share);
    height += share;
  }
  write_row(pixels, y, height);
}

bool Averager::is_plain() const {
  return scene_.x.size == scene_.x.pixels && scene_.y.size == scene_.y.pixels;
}

void Averager::put(const View<std::uint8_t>& pixels, std::uint8_t* pixel, const Channels& light) {
  constexpr std::uint64_t kOpaque = 65535;
  const std::uint64_t opacity = light[3];
  for (std::size_t c = 0; c < 3; ++c) {
    const std::uint64_t own = opacity == kOpaque ? light[c]
                              : opacity == 0     ? 0
                                                 : std::min(light[c] * kOpaque / opacity, kOpaque);
    pixel[static_cast<std::int64_t>(c) * pixels.stride(2)] =
        to_byte(static_cast<std::uint32_t>(own));
  }
  if (pixels.extent(2) == 4)
    pixel[3 * pixels.stride(2)] =
        static_cast<std::uint8_t>((opacity * 255 + kOpaque / 2) / kOpaque);
}

void Averager::copy_row(const std::vector<LinearColour>& row, const View<std::uint8_t>& pixels,
                        std::int64_t y) {
  std::uint8_t* pixel = &pixels(y, 0, 0);
  for (const LinearColour& light : row) {
    put(pixels, pixel, {light.red, light.green, light.blue, light.opacity});
    pixel += pixels.stride(1);
  }
}

void Averager::write_row(const View<std::uint8_t>& pixels, std::int64_t y,
                         std::uint64_t height) const {
  std::uint8_t* pixel = &pixels(y, 0, 0);
  const Channels* sum = sums_.data();
  for (const Stretch& stretch : stretches_) {
    const std::uint64_t area = height * stretch.width;
    Channels mean;
    std::transform(sum->begin(), sum->end(), mean.begin(),
                   [area](std::uint64_t value) { return (value + area / 2) / area; });
    put(pixels, pixel, mean);
    pixel += pixels.stride(1);
    ++sum;
  }
}

void Averager::add(const std::vector<LinearColour>& row, std::uint64_t height) {
  Channels* sum = sums_.data();
  for (const Stretch& stretch : stretches_) {
    Channels inner{};
    for (std::int64_t unit = stretch.begin + 1; unit < stretch.end - 1; ++unit)
      gather(row, unit, 1, inner);
    for (std::uint64_t& channel : inner) channel *= kWhole;
    gather(row, stretch.begin, stretch.first, inner);
    gather(row, stretch.end - 1, stretch.last, inner);
    for (std::size_t c = 0; c < inner.size(); ++c) (*sum)[c] += height * inner[c];
    ++sum;
  }
}

void Averager::gather(const std::vector<LinearColour>& row, std::int64_t unit, std::uint64_t share,
                      Channels& sum) {
  const LinearColour& light = row[static_cast<std::size_t>(unit)];
  sum[0] += share * light.red;
  sum[1] += share * light.green;
  sum[2] += share * light.blue;
  sum[3] += share * light.opacity;
}

}  // namespace thiessen
