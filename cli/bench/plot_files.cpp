// SPDX-License-Identifier: Apache-2.0
#include "bench/plot_files.hpp"

#include "words/arguments.hpp"

namespace thiessen::cli {

void make_folder(const std::string& flag, const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder))
    throw UsageError(flag + " " + folder.string() + ": cannot be made a folder");
}

PlotFolder::PlotFolder(const std::string& folder, bool overwrite)
    : folder_(folder), overwrite_(overwrite) {
  if (!folder_.empty()) make_folder("--plots", folder_);
}

std::vector<io::OutputFile> PlotFolder::write(const std::vector<NamedPlot>& plots) const {
  std::vector<io::OutputFile> files;
  if (folder_.empty()) return files;
  for (const NamedPlot& plot : plots) {
    files.emplace_back(folder_ / plot.name, overwrite_);
    files.back().write(plot.svg.data(), plot.svg.size());
  }
  return files;
}

}  // namespace thiessen::cli
