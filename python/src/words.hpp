// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace thiessen::python {

/// A message of the library in the words of the package: uint8 for u8, True for true, ...
std::string in_words_of_python(std::string_view message);

}  // namespace thiessen::python
