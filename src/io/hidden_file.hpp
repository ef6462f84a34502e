// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace thiessen::io {

/// A file beside its destination that gets its name at the end.
///
/// If the file system allows it, the file has no name before: nothing is left, however the process
/// ends. Otherwise it has a hidden name, and a lock (flock) while the process lives. The next
/// process that writes into the folder removes the hidden files of this machine whose lock is free.
///
/// THIESSEN_UNNAMED_FILES=0 in the environment asks for hidden names everywhere.
class HiddenFile {
 public:
  HiddenFile() = default;
  ~HiddenFile() { discard(); }
  HiddenFile(HiddenFile&& other) noexcept;
  HiddenFile& operator=(HiddenFile&&) = delete;

  /// Creates it for reading and writing. It gets the usual mode of new files or, if the destination
  /// exists, its mode and, where permitted, its owner. Returns 0 or a value of errno.
  /// With `named` it has a hidden name in any case, by which other processes open it.
  int create(const std::filesystem::path& destination, bool named = false);

  bool exists() const noexcept { return descriptor_ >= 0; }
  int descriptor() const noexcept { return descriptor_; }

  /// The hidden name; empty if it has none.
  const std::filesystem::path& name() const noexcept { return name_; }

  /// Waits until the contents are on the disk. Returns 0 or a value of errno.
  int sync() const;

  /// Gives it the name of its destination, waits until that is on the disk, and forgets it.
  /// Replaces a file with that name only if `replace` is set. Returns 0 or a value of errno: then
  /// it does not have the name, unless only the waiting failed.
  int give_name(bool replace);

  /// Removes it.
  void discard() noexcept;

 private:
  int create_unnamed();
  int create_named(unsigned mode);
  bool try_to_create_named(unsigned mode);
  void adopt_attributes() const;
  int link_unnamed(bool replace);
  int rename_named(bool replace);

  std::filesystem::path destination_;
  std::filesystem::path name_;  // hidden; empty: the file has none
  int descriptor_ = -1;
};

}  // namespace thiessen::io
