// SPDX-License-Identifier: Apache-2.0
#include "api/render/averager.hpp"

#include <algorithm>
#include <cstddef>

namespace thiessen {

Averager::Averager(const Scene& scene)
    : scene_(scene), sums_(static_cast<std::size_t>(scene.x.pixels) * 3) {
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
  std::fill(sums_.begin(), sums_.end(), std::uint64_t{0});
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

void Averager::put(const View<std::uint8_t>& pixels, std::uint8_t* pixel, std::uint32_t red,
                   std::uint32_t green, std::uint32_t blue) {
  pixel[0] = to_byte(red);
  pixel[pixels.stride(2)] = to_byte(green);
  pixel[2 * pixels.stride(2)] = to_byte(blue);
}

void Averager::copy_row(const std::vector<Light>& row, const View<std::uint8_t>& pixels,
                        std::int64_t y) {
  std::uint8_t* pixel = &pixels(y, 0, 0);
  for (const Light& light : row) {
    put(pixels, pixel, light.red, light.green, light.blue);
    pixel += pixels.stride(1);
  }
}

void Averager::write_row(const View<std::uint8_t>& pixels, std::int64_t y,
                         std::uint64_t height) const {
  std::uint8_t* pixel = &pixels(y, 0, 0);
  const std::uint64_t* sum = sums_.data();
  for (const Stretch& stretch : stretches_) {
    const std::uint64_t area = height * stretch.width;
    const auto mean = [&](std::uint64_t value) {
      return static_cast<std::uint32_t>((value + area / 2) / area);
    };
    put(pixels, pixel, mean(sum[0]), mean(sum[1]), mean(sum[2]));
    pixel += pixels.stride(1);
    sum += 3;
  }
}

void Averager::add(const std::vector<Light>& row, std::uint64_t height) {
  std::uint64_t* sum = sums_.data();
  for (const Stretch& stretch : stretches_) {
    std::array<std::uint64_t, 3> inner{};
    for (std::int64_t unit = stretch.begin + 1; unit < stretch.end - 1; ++unit)
      gather(row, unit, 1, inner);
    for (std::uint64_t& channel : inner) channel *= kWhole;
    gather(row, stretch.begin, stretch.first, inner);
    gather(row, stretch.end - 1, stretch.last, inner);
    for (const std::uint64_t channel : inner) *sum++ += height * channel;
  }
}

void Averager::gather(const std::vector<Light>& row, std::int64_t unit, std::uint64_t share,
                      std::array<std::uint64_t, 3>& sum) {
  const Light& light = row[static_cast<std::size_t>(unit)];
  sum[0] += share * light.red;
  sum[1] += share * light.green;
  sum[2] += share * light.blue;
}

}  // namespace thiessen
