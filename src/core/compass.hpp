// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace thiessen {

/// Compass direction of a displacement in degrees, in (0, 360]: 90 east, 180 south, 270 west, 360
/// north; 0 for no displacement. Additions, multiplications and divisions only, in one fixed order,
/// so that the bits are the same on every machine; within 1e-12 of the true angle.
double compass_degrees(double east, double north);

}  // namespace thiessen
