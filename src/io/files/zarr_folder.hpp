// SPDX-License-Identifier: Apache-2.0
//
// Recognises the folders of Zarr.
#pragma once

#include <filesystem>

namespace thiessen::io {

/// Whether a folder is an array or a group of Zarr, of format 3 if `is_third`.
inline bool is_zarr_folder(const std::filesystem::path& path, bool is_third) {
  std::error_code none;
  if (is_third) return std::filesystem::exists(path / "zarr.json", none);
  return std::filesystem::exists(path / ".zarray", none) ||
         std::filesystem::exists(path / ".zgroup", none);
}

inline bool is_zarr_folder(const std::filesystem::path& path) {
  return is_zarr_folder(path, false) || is_zarr_folder(path, true);
}

}  // namespace thiessen::io
