// SPDX-License-Identifier: Apache-2.0
//
// The folder that a bench draws its plots into.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/output_file.hpp"

namespace thiessen::cli {

/// A plot and the name of its file.
struct NamedPlot {
  std::string name;
  std::string svg;
};

class PlotFolder {
 public:
  /// Makes the folder of --plots; an empty name: there is none. Throws UsageError if it cannot be.
  PlotFolder(const std::string& folder, bool overwrite);

  /// The files, written but without their names yet: commit() gives them these.
  std::vector<io::OutputFile> write(const std::vector<NamedPlot>& plots) const;

 private:
  std::filesystem::path folder_;
  bool overwrite_;
};

}  // namespace thiessen::cli
