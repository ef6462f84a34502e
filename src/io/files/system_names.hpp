// SPDX-License-Identifier: Apache-2.0
//
// Files without a name, and names that are given or exchanged in one step: what Linux and macOS
// have of their own beside POSIX.
#pragma once

#include <sys/types.h>

#include <filesystem>

namespace thiessen::io {

/// Opens a file without a name in a folder, for reading and writing. Returns its descriptor, or -1
/// and sets errno.
int open_unnamed(const std::filesystem::path& folder, mode_t mode);

/// Gives such a file a name, which nothing else may have. Returns 0 or a value of errno.
int link_descriptor(int descriptor, const std::filesystem::path& to);

/// Renames without replacing anything. Returns 0, ENOTSUP where the file system cannot do that, or
/// another value of errno.
int rename_if_new(const std::filesystem::path& from, const std::filesystem::path& to);

/// Has two files or folders change their names. Returns the same.
int exchange_names(const std::filesystem::path& one, const std::filesystem::path& other);

}  // namespace thiessen::io
