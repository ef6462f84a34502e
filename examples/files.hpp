// SPDX-License-Identifier: Apache-2.0
//
// Files of the examples: rasters as NPY, which NumPy and the command read, and pictures as PPM.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <stdexcept>
#include <string>

#include "thiessen/thiessen.hpp"

namespace files {

inline void write(const std::filesystem::path& path, std::string header, const void* bytes,
                  std::int64_t count) {
  std::ofstream file(path, std::ios::binary);
  file << header;
  file.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(count));
  file.close();
  if (!file) throw std::runtime_error(path.string() + ": cannot be written");
}

/// `type` is NumPy's name of the element type, such as "<f4"; rows lie one after the other.
template <class T>
void write_npy(const std::filesystem::path& path, const std::string& type,
               const thiessen::View<const T>& raster) {
  std::string about = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" +
                      std::to_string(raster.extent(0)) + ", " + std::to_string(raster.extent(1)) +
                      "), }";
  while ((10 + about.size() + 1) % 64 != 0) about += ' ';
  about += '\n';
  const std::string length{static_cast<char>(about.size() % 256),
                           static_cast<char>(about.size() / 256)};
  write(path, std::string("\x93NUMPY\x01\0", 8) + length + about, raster.data(),
        raster.extents().count() * static_cast<std::int64_t>(sizeof(T)));
}

/// What render() makes: rows of red, green and blue.
inline void write_ppm(const std::filesystem::path& path,
                      const thiessen::View<const std::uint8_t>& pixels) {
  write(
      path,
      "P6 " + std::to_string(pixels.extent(1)) + " " + std::to_string(pixels.extent(0)) + " 255\n",
      pixels.data(), pixels.extents().count());
}

}  // namespace files
