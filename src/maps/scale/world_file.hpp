// SPDX-License-Identifier: Apache-2.0
//
// World files: where a picture lies, in six lines of text beside it.
#pragma once

#include <string>

#include "io/files/output_file.hpp"
#include "maps/drawing/drawing.hpp"
#include "thiessen/grid.hpp"

namespace thiessen::maps {

class WorldFile {
 public:
  /// Its name is that of the picture with another suffix: .pgw for .png, .tfw for .tif, .wld else.
  WorldFile(const std::string& picture, bool overwrite, io::Checkpoint checkpoint);

  /// `georeference` is that of the pixels of a picture, whose first one has its corner at `corner`.
  void write(const Georeference& georeference, const Point& corner);

  io::OutputFile& file() { return file_; }

 private:
  io::OutputFile file_;
};

}  // namespace thiessen::maps
