// SPDX-License-Identifier: Apache-2.0
#include "words.hpp"

#include <algorithm>
#include <utility>

namespace thiessen::python {
namespace {

constexpr std::pair<std::string_view, std::string_view> kWords[] = {
    {"u8", "uint8"},
    {"u16", "uint16"},
    {"u32", "uint32"},
    {"u64", "uint64"},
    {"i8", "int8"},
    {"i16", "int16"},
    {"i32", "int32"},
    {"i64", "int64"},
    {"f32", "float32"},
    {"f64", "float64"},
    {"true", "True"},
    {"false", "False"},
    {"contour_interval", "contours"},
    {"cost_slab_rows", "cost_rows"},
    {"labels_a", "a.labels"},
    {"labels_b", "b.labels"},
    {"site_index_a", "a.site_index"},
    {"site_index_b", "b.site_index"},
    {"distance_a", "a.distance"},
    {"distance_b", "b.distance"},
};

constexpr bool is_of_word(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '_';
}

}  // namespace

std::string in_words_of_python(std::string_view message) {
  std::string text;
  for (auto rest = message.begin(); rest != message.end();) {
    const auto begin = std::find_if(rest, message.end(), is_of_word);
    const auto end = std::find_if_not(begin, message.end(), is_of_word);
    const std::string_view word(begin, end);
    const auto* const found = std::find_if(std::begin(kWords), std::end(kWords),
                                           [&](const auto& pair) { return pair.first == word; });
    text.append(rest, begin).append(found == std::end(kWords) ? word : found->second);
    rest = end;
  }
  return text;
}

}  // namespace thiessen::python
