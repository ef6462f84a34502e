// SPDX-License-Identifier: Apache-2.0
//
// How much of a cell lies on one side of a plane, and where a plane lies that leaves so much of it.
// In 2-D it is a line. The cell is the cube of side 1 around 0.
//
//   m, offset   the plane m·p = offset; inside of it is m·p <= offset
//   a, b, c     |m| along the three axes, ascending, divided by their sum: a + b + c = 1
//   u           the offset, moved and scaled so that it goes from 0 (nothing inside) to 1 (all)
//   share       of the cell that lies inside
//
// Beyond u = 1/2 the share is 1 less that of 1 - u. Below, it is a polynomial between a, b, c and
// a + b: cubic while the plane cuts off a corner, quadratic between two parallel edges, linear
// between two faces. Each corner that the plane has passed takes a cube away again. The terms are
// put together so that none cancels another where a is small.
//
// After R. Scardovelli and S. Zaleski, "Analytical relations connecting linear interfaces and
// volume fractions in rectangular grids" (2000). The inverse of cubics is sought by halves here,
// since libraries differ in the last bit of roots and cosines: + - * / and square roots only, so
// that the bits are the same on every machine.
#pragma once

#include <array>
#include <cmath>

#include "core/base/host_device.hpp"

namespace thiessen {

/// A length or a slope along each of (z, y, x).
using Vector = std::array<double, 3>;

class CellCut {
 public:
  /// m: not 0 on all axes. Less than 1e-12 of the largest along an axis is none.
  THIESSEN_HD explicit CellCut(const Vector& m)
      : a_(magnitude(m[0])), b_(magnitude(m[1])), c_(magnitude(m[2])) {
    put_in_order(a_, b_);
    put_in_order(b_, c_);
    put_in_order(a_, b_);
    constexpr double kNone = 1e-12;
    if (a_ < kNone * c_) a_ = 0;
    if (b_ < kNone * c_) b_ = 0;
    const double sum = a_ + b_ + c_;
    per_sum_ = 1 / sum;
    a_ *= per_sum_;
    b_ *= per_sum_;
    c_ *= per_sum_;
    per_corner_ = 1 / (6 * a_ * b_ * c_);
    per_edges_ = 1 / (2 * b_ * c_);
    per_faces_ = 1 / c_;
  }

  /// The share of the cell inside of the plane.
  THIESSEN_HD double share(double offset) const {
    const double u = offset * per_sum_ + 0.5;
    if (u <= 0) return 0;
    if (u >= 1) return 1;
    return u <= 0.5 ? lower_share(u) : 1 - lower_share(1 - u);
  }

  /// The offset that leaves `share` of the cell inside, 0 to 1.
  THIESSEN_HD double offset(double share) const {
    const double u = share <= 0.5 ? lower_place(share) : 1 - lower_place(1 - share);
    return (u - 0.5) / per_sum_;
  }

 private:
  THIESSEN_HD static double magnitude(double value) { return value < 0 ? -value : value; }

  THIESSEN_HD static void put_in_order(double& low, double& high) {
    if (low <= high) return;
    const double kept = low;
    low = high;
    high = kept;
  }

  THIESSEN_HD double cubed(double height) const { return height * height * height * per_corner_; }

  /// For 0 <= u <= 1/2.
  THIESSEN_HD double lower_share(double u) const {
    if (u >= a_ + b_) return (u - (a_ + b_) / 2) * per_faces_;
    if (u < a_) return cubed(u);
    double share = (u * (u - a_) + a_ * a_ / 3) * per_edges_;
    if (u > b_) share -= cubed(u - b_);
    if (u > c_) share -= cubed(u - c_);
    return share;
  }

  /// u of a share up to 1/2.
  THIESSEN_HD double lower_place(double share) const {
    const double linear = share * c_ + (a_ + b_) / 2;
    if (linear >= a_ + b_) return linear;
    const double square = 8 * b_ * c_ * share - a_ * a_ / 3;
    const double quadratic = square > 0 ? (a_ + std::sqrt(square)) / 2 : 0;
    if (quadratic < a_) return place_between(0, a_, share);
    if (quadratic <= b_) return quadratic;
    return place_between(b_, a_ + b_ < 0.5 ? a_ + b_ : 0.5, share);
  }

  THIESSEN_HD double place_between(double low, double high, double share) const {
    constexpr int kHalvings = 52;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = (low + high) / 2;
      if (lower_share(middle) < share)
        low = middle;
      else
        high = middle;
    }
    return (low + high) / 2;
  }

  double a_, b_, c_;
  // One over the sum of |m|, and over what polynomials are divided by; infinity where none is
  // asked.
  double per_sum_, per_corner_, per_edges_, per_faces_;
};

}  // namespace thiessen
