// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace thiessen::io {

/// A file or folder beside its destination, which it closes and removes with its class.
class HiddenEntry {
 public:
  bool exists() const noexcept { return descriptor_ >= 0; }

 protected:
  HiddenEntry() = default;
  ~HiddenEntry() = default;
  HiddenEntry(HiddenEntry&& other) noexcept;

  std::filesystem::path destination_;
  std::filesystem::path name_;  // hidden; empty: it has none
  int descriptor_ = -1;
};

/// A file beside its destination that gets its name at the end.
///
/// If the file system allows it, the file has no name before: nothing is left, however the process
/// ends. Otherwise it has a hidden name, and a lock (flock) while the process lives. The next
/// process that writes into the folder removes the hidden files of this machine whose lock is free.
///
/// THIESSEN_UNNAMED_FILES=0 in the environment asks for hidden names everywhere.
class HiddenFile : public HiddenEntry {
 public:
  HiddenFile() = default;
  ~HiddenFile() { discard(); }
  HiddenFile(HiddenFile&& other) noexcept = default;
  HiddenFile& operator=(HiddenFile&&) = delete;

  /// Creates it for reading and writing. It gets the usual mode of new files or, if the destination
  /// exists, its mode and, where permitted, its owner. Returns 0 or a value of errno.
  /// With `named` it has a hidden name in any case, by which other processes open it.
  int create(const std::filesystem::path& destination, bool named = false);

  int descriptor() const noexcept { return descriptor_; }

  /// The hidden name; empty if it has none.
  const std::filesystem::path& name() const noexcept { return name_; }

  /// Waits until the contents are on the disk. Returns 0 or a value of errno.
  int sync() const;

  /// Gives it the name of its destination, waits until that is on the disk, and forgets it.
  /// Replaces a file with that name, and removes its companions, only if `replace` is set. Returns
  /// 0 or a value of errno: then it does not have the name, unless only the waiting failed.
  int move_into_place(bool replace);

  /// Removes it.
  void discard() noexcept;

 private:
  bool try_to_create_named(unsigned mode);
  int link_unnamed(bool replace);
  int rename_named(bool replace);
};

/// A folder beside a destination, for what a library writes by name: a file with those that belong
/// to it, or a folder. It has a hidden name and a lock (flock) while the process lives, and only
/// its owner may enter it. The next process that writes beside it removes it if its lock is free.
class HiddenFolder : public HiddenEntry {
 public:
  HiddenFolder() = default;
  ~HiddenFolder() { discard(); }
  HiddenFolder(HiddenFolder&& other) noexcept = default;
  HiddenFolder& operator=(HiddenFolder&&) = delete;

  /// Creates it. Returns 0 or a value of errno.
  int create(const std::filesystem::path& destination);

  /// The name in it under which the library writes; the last part is that of the destination.
  std::filesystem::path inside() const { return name_ / destination_.filename(); }

  /// Waits until all that it holds is on the disk. Returns 0 or a value of errno.
  int sync() const;

  /// Moves what it holds to its place, the destination last, and removes it. What is replaced
  /// passes its mode and, where permitted, its owner on, and loses its companions. Returns 0 or a
  /// value of errno: then nothing has moved.
  int move_into_place(bool replace);

  /// Removes it with all that it holds.
  void discard() noexcept;

 private:
  bool try_to_create();
  std::vector<std::filesystem::path> files_beside() const;
  int move_destination(bool replace) const;
  int exchange() const;
};

}  // namespace thiessen::io
