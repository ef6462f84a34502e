// SPDX-License-Identifier: Apache-2.0
//
// The text in front of the cells of an NPY file: a Python dictionary of three entries.
#pragma once

#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "io/files/input_file.hpp"
#include "thiessen/view.hpp"

namespace thiessen::io {

struct NpyHeader {
  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::int64_t>> shape;
};

struct NpyType {
  ElementType type = ElementType::u8;
  bool swapped = false;  // the byte order is not that of this machine
};

inline constexpr char kNativeOrder = std::endian::native == std::endian::little ? '<' : '>';

/// Reads the dictionary that NumPy writes, with its keys in any order and any white space.
/// Everything else that Python could evaluate is refused.
class NpyHeaderParser {
 public:
  NpyHeaderParser(const InputFile& file, std::string_view text) : file_(file), text_(text) {}

  NpyHeader parse() {
    expect('{');
    while (!accept('}')) {
      parse_entry();
      if (accept(',')) continue;
      expect('}');
      break;
    }
    skip_space();
    if (!text_.empty()) refuse("text after its end");
    if (!header_.descr || !header_.fortran_order || !header_.shape) {
      refuse("not all of the keys 'descr', 'fortran_order' and 'shape'");
    }
    return header_;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    file_.fail("has an NPY header with " + what +
               (text_.empty() ? " at its end" : " at " + excerpt(text_)));
  }

  void skip_space() {
    const std::size_t count = text_.find_first_not_of(" \t\r\n");
    text_.remove_prefix(count == std::string_view::npos ? text_.size() : count);
  }

  bool accept(char wanted) {
    skip_space();
    if (!text_.starts_with(wanted)) return false;
    text_.remove_prefix(1);
    return true;
  }

  void expect(char wanted) {
    if (!accept(wanted)) refuse(std::string("no '") + wanted + "'");
  }

  bool accept_word(std::string_view word) {
    skip_space();
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }

  std::string parse_string() {
    skip_space();
    const char quote = text_.starts_with('"') ? '"' : '\'';
    const std::size_t end =
        text_.starts_with(quote) ? text_.find(quote, 1) : std::string_view::npos;
    if (end == std::string_view::npos) refuse("no string");
    std::string value(text_.substr(1, end - 1));
    text_.remove_prefix(end + 1);
    return value;
  }

  void parse_entry() {
    const std::string key = parse_string();
    expect(':');
    if (key == "descr" && !header_.descr) {
      header_.descr = parse_descr();
    } else if (key == "fortran_order" && !header_.fortran_order) {
      header_.fortran_order = parse_bool();
    } else if (key == "shape" && !header_.shape) {
      header_.shape = parse_shape();
    } else {
      refuse("the unknown or repeated key " + excerpt(key));
    }
  }

  std::string parse_descr() {
    skip_space();
    if (text_.starts_with('[') || text_.starts_with('(')) {
      file_.fail("holds structured cells, descr " + excerpt(text_) + "; save one field by itself");
    }
    return parse_string();
  }

  bool parse_bool() {
    if (accept_word("True")) return true;
    if (!accept_word("False")) refuse("neither True nor False");
    return false;
  }

  std::vector<std::int64_t> parse_shape() {
    std::vector<std::int64_t> shape;
    expect('(');
    while (!accept(')')) {
      shape.push_back(parse_size());
      if (accept(',')) continue;
      expect(')');
      break;
    }
    return shape;
  }

  std::int64_t parse_size() {
    skip_space();
    std::int64_t size = 0;
    const char* const end = text_.data() + text_.size();
    const auto [rest, problem] = std::from_chars(text_.data(), end, size);
    if (problem != std::errc() || size < 0) refuse("no size of an axis");
    text_.remove_prefix(static_cast<std::size_t>(rest - text_.data()));
    if (text_.starts_with('L')) text_.remove_prefix(1);  // written by Python 2
    return size;
  }

  const InputFile& file_;
  std::string_view text_;  // the part that is not parsed yet
  NpyHeader header_;
};

/// NumPy's name for the kinds of cells that no raster has.
inline std::string foreign_kind(char kind) {
  switch (kind) {
    case 'c':
      return "complex numbers";
    case 'f':
      return "floats that are not of 4 or 8 bytes";
    case 'O':
      return "Python objects";
    case 'S':
    case 'U':
    case 'a':
      return "text";
    case 'V':
      return "structured or raw cells";
    case 'M':
    case 'm':
      return "dates or times";
    default:
      return "cells of an unknown type";
  }
}

/// The code of an element type without its byte order, such as "f4".
inline std::string npy_code_of(ElementType type) {
  const std::string_view name = name_of(type);  // "bool", "u8" … "f64", in bits
  return name.front() + std::to_string(size_of(type));
}

inline std::optional<ElementType> element_type_of(std::string_view code) {
  for (int i = 0; i <= static_cast<int>(ElementType::f64); ++i)
    if (const auto type = static_cast<ElementType>(i); npy_code_of(type) == code) return type;
  return std::nullopt;
}

/// Throws Error{io} for cells that are not one of our element types.
inline NpyType npy_type_of(const InputFile& file, const std::string& descr) {
  std::string_view code = descr;
  const char order = code.empty() ? '=' : code.front();
  const bool has_order = std::string_view("<>=|").find(order) != std::string_view::npos;
  if (has_order && !code.empty()) code.remove_prefix(1);
  const std::optional<ElementType> type = element_type_of(code);
  if (!type || (order == '|' && size_of(*type) > 1)) {
    file.fail("holds " + foreign_kind(type || code.empty() ? '?' : code.front()) + ", descr " +
              excerpt(descr) + "; a raster holds bool, integers of 1 to 8 bytes, f32 or f64");
  }
  return {*type, (order == '<' || order == '>') && order != kNativeOrder};
}

}  // namespace thiessen::io
