// SPDX-License-Identifier: Apache-2.0
//
// Cuts outlines off at a study area.
#pragma once

#include <filesystem>
#include <memory>

#include "thiessen/polygons.hpp"

namespace thiessen::io {

/// An area in cells. GEOS does the cutting, by way of GDAL.
class AreaClip {
 public:
  /// All that lies in one of the polygons, whose rings may run either way; what is not valid is
  /// made valid, as GEOS does. `name` is theirs in messages. Throws Error{io}.
  AreaClip(const Polygons& areas, std::filesystem::path name);
  ~AreaClip();
  AreaClip(const AreaClip&) = delete;
  AreaClip& operator=(const AreaClip&) = delete;

  /// What lies inside. Polygons that lie inside whole stay as they are, bit for bit.
  Polygons clip(const Polygons& polygons) const;
  /// The same of borders, which lose their distances. Throws Error{io}.
  Borders clip(const Borders& borders) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace thiessen::io
