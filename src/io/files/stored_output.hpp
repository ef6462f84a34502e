// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "io/files/hidden_file.hpp"
#include "io/files/output_file.hpp"

namespace thiessen::io {

/// Whether a name is none of this machine's, but one of GDAL's own file systems (/vsis3/a/b.tif).
bool is_name_of_gdal_alone(const std::filesystem::path& target);

/// Where a file lies while it is written, and others that are needed for it: beside its target or,
/// if that is in a store of objects, in the folder for temporary files (TMPDIR, or else /tmp).
/// Throws Error{io} if there is no such folder.
std::filesystem::path local_place(const std::filesystem::path& target);

/// The objects of one output in a store: a file with those beside it, or a folder.
class StoredOutput {
 public:
  /// Throws Error{io} if the target is no place for an object, or if there is one and `overwrite`
  /// is false. What the name of a folder has is never replaced: other objects would stay there.
  StoredOutput(std::filesystem::path target, bool overwrite);

  /// Uploads a file. Throws Error{io}: then nothing of the output is there, but for objects that
  /// were replaced.
  void upload(const HiddenFile& file, const Checkpoint& checkpoint);

  /// The same for all files of a folder. That of the target's name comes last, and so do those by
  /// which readers find the others.
  void upload(const HiddenFolder& folder, const Checkpoint& checkpoint);

  /// Removes what was uploaded, but for objects that were replaced.
  void withdraw() noexcept;

 private:
  void put(const std::filesystem::path& name, int descriptor, const Checkpoint& checkpoint);
  void forget_companions(const std::vector<std::filesystem::path>& files) const;

  std::filesystem::path target_;
  bool overwrite_ = false;
  std::vector<std::filesystem::path> new_;  // objects that were not there before
};

}  // namespace thiessen::io
