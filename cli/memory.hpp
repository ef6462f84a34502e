// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace thiessen::cli {

/// Throws Error{out_of_memory} if the machine says that it has less memory than so many cells of so
/// many bytes need: an error is better than to be killed half-way. `cause` begins the message: the
/// file that has the cells, or the flags that make them.
void require_memory(std::int64_t cells, std::size_t bytes_per_cell, const std::string& cause = {});

/// The same for the contents of a file that is not compressed, by its size.
void require_memory_for_file(const std::string& path, std::size_t bytes_per_byte);

}  // namespace thiessen::cli
