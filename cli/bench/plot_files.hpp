// SPDX-License-Identifier: Apache-2.0
//
// The folder into which a bench draws its plots.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/files/output_file.hpp"

namespace thiessen::cli {

/// A plot and the name of its file.
struct NamedPlot {
  std::string name;
  std::string svg;
};

/// Makes the folder that a flag names, if there is none. Throws UsageError if it cannot be made.
void make_folder(const std::string& flag, const std::filesystem::path& folder);

class PlotFolder {
 public:
  /// Makes the folder of --plots; an empty name means none. Throws UsageError if it cannot be made.
  PlotFolder(const std::string& folder, bool overwrite);

  /// The files, written but without their names; commit() names them.
  std::vector<io::OutputFile> write(const std::vector<NamedPlot>& plots) const;

 private:
  std::filesystem::path folder_;
  bool overwrite_;
};

}  // namespace thiessen::cli
