// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "io/files/input_file.hpp"
#include "thiessen/error.hpp"

/// What libFuzzer and replay.cpp call with each input.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace thiessen::fuzz {

/// Calls `read(file)` with these bytes as a file. An Error is an answer; any other failure ends the
/// program.
template <class Read>
void read_bytes(const std::uint8_t* data, std::size_t size, const Read& read) {
  io::InputFile file("input", std::as_bytes(std::span(data, size)));
  try {
    read(file);
  } catch (const Error&) {
  }
}

/// Touches every cell, so that the sanitizers see memory that was never written.
inline void use_cells(const std::byte* cells, std::size_t count) {
  std::byte mixed{};
  for (std::size_t i = 0; i < count; ++i) mixed ^= cells[i];
  volatile std::byte sink = mixed;
  static_cast<void>(sink);
}

}  // namespace thiessen::fuzz
