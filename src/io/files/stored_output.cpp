// SPDX-License-Identifier: Apache-2.0
#include "io/files/stored_output.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>

#include "io/files/descriptor.hpp"
#include "io/files/io_error.hpp"
#include "io/files/object_store.hpp"

namespace thiessen::io {
namespace {

namespace fs = std::filesystem;

/// By which readers find all other files of a Zarr folder.
bool is_zarr_metadata(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.starts_with(".z") || name == "zarr.json";
}

/// Orders the files of an output: those without which it cannot be read come last, and those of the
/// whole after those of its parts.
void put_in_order(std::vector<fs::path>& files, const fs::path& target) {
  const auto rank = [&](const fs::path& file) {
    const bool is_metadata = is_zarr_metadata(file);
    const auto depth = std::distance(file.begin(), file.end());
    return std::tuple(file == target.filename(), is_metadata, is_metadata ? -depth : 0);
  };
  std::sort(files.begin(), files.end(), [&](const fs::path& a, const fs::path& b) {
    return std::tuple(rank(a), a) < std::tuple(rank(b), b);
  });
}

[[noreturn]] void refuse_existing(const fs::path& name) {
  fail(name, "exists already; only --overwrite replaces it");
}

}  // namespace

bool is_name_of_gdal_alone(const fs::path& target) {
  std::error_code problem;
  return target.string().starts_with("/vsi") && !fs::exists(target.parent_path(), problem);
}

fs::path local_place(const fs::path& target) {
  if (!is_name_of_gdal_alone(target)) return target;
  std::error_code problem;
  const fs::path folder = fs::temp_directory_path(problem);
  if (problem)
    fail(target, "is uploaded from the folder for temporary files (TMPDIR), which cannot be used",
         problem.value());
  return folder / target.filename();
}

StoredOutput::StoredOutput(fs::path target, bool overwrite)
    : target_(std::move(target)), overwrite_(overwrite) {
  require_object_store(target_);
  // Whoever may write need not be allowed to look.
  const auto look = [&] {
    try {
      return find_object(target_);
    } catch (const Error&) {
      if (!overwrite_) throw;
      return Stored::nothing;
    }
  };
  const Stored found = look();
  if (found == Stored::folder)
    fail(target_, "is a folder of the store, which is not replaced; remove it first");
  if (found == Stored::object && !overwrite_) refuse_existing(target_);
}

void StoredOutput::put(const fs::path& name, int descriptor, const Checkpoint& checkpoint) {
  bool is_new = false;
  try {
    is_new = find_object(name) == Stored::nothing;
  } catch (const Error&) {
    if (!overwrite_) throw;
  }
  if (!is_new && !overwrite_) refuse_existing(name);
  upload_object(name, descriptor, checkpoint);
  if (is_new) new_.push_back(name);
}

void StoredOutput::upload(const HiddenFile& file, const Checkpoint& checkpoint) {
  put(target_, file.descriptor(), checkpoint);
  forget_companions({});
}

void StoredOutput::upload(const HiddenFolder& folder, const Checkpoint& checkpoint) {
  std::vector<fs::path> files = folder.files();
  put_in_order(files, target_);
  try {
    for (const fs::path& file : files) {
      const fs::path local = folder.inside().parent_path() / file;
      const Descriptor opened(::open(local.c_str(), O_RDONLY | O_CLOEXEC));
      if (opened.get() < 0) fail(target_, "cannot be read back", errno);
      put(target_.parent_path() / file, opened.get(), checkpoint);
    }
  } catch (...) {
    withdraw();
    throw;
  }
  forget_companions(files);
}

/// Removes the companions of a replaced file but those that are among `files`.
void StoredOutput::forget_companions(const std::vector<fs::path>& files) const {
  const bool is_new = std::find(new_.begin(), new_.end(), target_) != new_.end();
  if (!overwrite_ || is_new) return;
  for (const fs::path& companion : companions_of(target_))
    if (std::find(files.begin(), files.end(), companion.filename()) == files.end())
      remove_object(companion);
}

void StoredOutput::withdraw() noexcept {
  for (; !new_.empty(); new_.pop_back()) remove_object(new_.back());
}

}  // namespace thiessen::io
