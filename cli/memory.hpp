// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace thiessen::cli {

/// Throws Error{out_of_memory} if the machine says that it has less memory to give than so many
/// cells of so many bytes: better a clear no than to be killed half-way.
void require_memory(std::int64_t cells, std::size_t bytes_per_cell);

/// The same for what a file holds, by its size; what is compressed takes more, as its reader knows.
void require_memory_for_file(const std::string& path, std::size_t bytes_per_byte);

}  // namespace thiessen::cli
