// SPDX-License-Identifier: Apache-2.0
#include "io/raster/azimuths.hpp"

#include "core/order/compass.hpp"

namespace thiessen::io {
namespace {

constexpr double kCircle = 360;

}  // namespace

Azimuths::Azimuths(const std::array<double, 6>& t)
    : turn_(compass_degrees(-t[2], -t[5])), mirrored_(t[1] * t[5] - t[2] * t[4] > 0) {}

bool Azimuths::are_directions() const noexcept { return turn_ == kCircle && !mirrored_; }

float Azimuths::operator()(float direction) const noexcept {
  if (!(direction > 0)) return direction;
  double azimuth = mirrored_ ? turn_ - direction : turn_ + direction;
  if (azimuth > kCircle) azimuth -= kCircle;
  if (azimuth <= 0) azimuth += kCircle;
  return static_cast<float>(azimuth);
}

}  // namespace thiessen::io
