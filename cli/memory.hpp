// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace thiessen::cli {

/// Throws Error{out_of_memory} if the machine says that it has less memory to give than so many
/// cells of so many bytes: better a clear no than to be killed half-way.
/// `file` is what the message begins with, if they are its cells.
void require_memory(std::int64_t cells, std::size_t bytes_per_cell, const std::string& file = {});

/// The same for what a file holds that is not compressed, by its size.
void require_memory_for_file(const std::string& path, std::size_t bytes_per_byte);

}  // namespace thiessen::cli
