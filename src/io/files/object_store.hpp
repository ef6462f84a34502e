// SPDX-License-Identifier: Apache-2.0
//
// Stores of objects that GDAL reaches by names such as /vsis3/bucket/a.tif. An object appears when
// its upload ends, whole. gdal_object_store.cpp implements this, or without_gdal.cpp.
#pragma once

#include <filesystem>

#include "io/files/output_file.hpp"

namespace thiessen::io {

/// What a store has under a name.
enum class Stored {
  nothing,
  object,
  folder  ///< objects whose names go on from this one
};

/// Throws Error{io} unless this is the name of an object in a store that shows objects only when
/// they are whole, and the network may be asked.
void require_object_store(const std::filesystem::path& name);

/// Asks the store. Throws Error{io} if it does not tell.
Stored find_object(const std::filesystem::path& name);

/// Puts the whole contents of an open file under this name, in place of what is there. Throws
/// Error{io} with the store's reason, and what the checkpoint throws: the object does not appear
/// then, and one that was there stays.
void upload_object(const std::filesystem::path& name, int descriptor, const Checkpoint& checkpoint);

/// Removes an object, as far as the store lets us.
void remove_object(const std::filesystem::path& name) noexcept;

}  // namespace thiessen::io
