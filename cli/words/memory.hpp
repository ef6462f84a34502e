// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <string>

#include "thiessen/view.hpp"

namespace thiessen::cli {

/// Throws Error{out_of_memory} if the machine says that it has less memory than so many cells of so
/// many bytes need: an error is better than to be killed half-way. `cause` begins the message: the
/// file that has the cells, or the flags that make them.
void require_memory(std::int64_t cells, std::size_t bytes_per_cell, const std::string& cause = {});

/// The same for a run over so many cells that takes so many bytes.
void require_memory(double bytes, const Extents& extents, const std::string& cause);

/// The words that say how much memory a command may take.
struct MemoryArguments {
  std::string memory, slab_rows;
  bool dry_run = false;

  /// Whether any flag is given.
  bool are_given() const { return !memory.empty() || !slab_rows.empty() || dry_run; }
};

void add_memory_flags(CLI::App& command, MemoryArguments& arguments);

/// The bytes that --memory gives, a number with the letter K, M, G or T (of 1024) or none; without
/// the flag half of what is available, of which each rank on the machine has its share. Throws
/// UsageError.
std::int64_t memory_limit(const MemoryArguments& arguments);

/// From now on the machine gets each array back that is freed. The C library would keep it for
/// others, which in long runs of many arrays fit less and less.
void give_arrays_back();

/// As require_memory(), for the contents of a file that is not compressed, by its size.
void require_memory_for_file(const std::string& path, std::size_t bytes_per_byte);

}  // namespace thiessen::cli
