// SPDX-License-Identifier: Apache-2.0
//
// Feeds the files of some folders to a fuzz target, one after the other.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "target.hpp"

namespace {

std::vector<std::filesystem::path> files_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(folder)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

void replay(const std::filesystem::path& file) {
  std::printf("%s\n", file.c_str());
  std::fflush(stdout);  // the last name printed is that of the file that ends the program
  std::ifstream stream(file, std::ios::binary);
  // The buffer is exactly as long as the file, so that reading on is noticed.
  const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

}  // namespace

int main(int count, char** arguments) {
  std::size_t replayed = 0;
  for (int i = 1; i < count; ++i) {
    for (const auto& file : files_of(arguments[i])) {
      replay(file);
      ++replayed;
    }
  }
  std::printf("%zu files\n", replayed);
  return replayed > 0 ? 0 : 1;
}
