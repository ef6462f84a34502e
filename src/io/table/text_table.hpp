// SPDX-License-Identifier: Apache-2.0
//
// Tables in text: lines, and the fields of a line.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "io/files/input_file.hpp"
#include "io/files/utf8.hpp"

namespace thiessen::io {

inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

/// All of `text` as a number, or empty; a plus sign is allowed.
template <class Number>
std::optional<Number> to_number(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc() || rest != end) return std::nullopt;
  return number;
}

/// The text of a quoted field, in which one quote stands for each pair of them.
inline std::string unquoted(std::string_view field) {
  std::string text(field);
  for (std::size_t i = text.find("\"\""); i != std::string::npos; i = text.find("\"\"", i + 1))
    text.erase(i, 1);
  return text;
}

/// The lines of a text file, without blank ones and comments.
class TextLines {
 public:
  explicit TextLines(InputFile& file) : file_(file), buffer_(kFirstBlock) {
    if (file_.peek(kByteOrderMark.size()) == kByteOrderMark) {
      file_.read(buffer_.data(), kByteOrderMark.size());
    }
    const std::string_view start = file_.peek(2);
    if (start == "\xff\xfe" || start == "\xfe\xff") file_.fail("is UTF-16 text; save it as UTF-8");
  }

  /// The next line, valid until the next call; false at the end.
  bool next(std::string_view& line) {
    while (next_raw(line)) {
      if (line.ends_with('\r')) line.remove_suffix(1);
      const std::string_view text = trimmed(line);
      if (text.empty() || text.starts_with('#')) continue;
      if (std::memchr(line.data(), 0, line.size()) != nullptr)
        fail("holds a NUL byte; no text does");
      return true;
    }
    return false;
  }

  std::uint64_t number() const { return number_; }

  [[noreturn]] void fail(const std::string& what) const { fail_at(number_, what); }

  [[noreturn]] void fail_at(std::uint64_t number, const std::string& what) const {
    file_.fail("line " + std::to_string(number) + " " + what);
  }

  /// The text of a field of the line, unquoted.
  std::string text_of(std::string_view field) const {
    if (!is_utf8(field))
      fail("has text that is not UTF-8: " + excerpt(field) +
           "; save the file as UTF-8, as iconv -f WINDOWS-1252 -t UTF-8 does");
    return unquoted(field);
  }

 private:
  static constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  static constexpr std::size_t kFirstBlock = std::size_t{1} << 12;
  static constexpr std::size_t kLargestBlock = std::size_t{1} << 18;
  static constexpr std::size_t kLongestLine = std::size_t{1} << 20;

  bool next_raw(std::string_view& line) {
    ++number_;
    std::size_t searched = 0;
    for (;;) {
      const std::string_view held(reinterpret_cast<const char*>(buffer_.data()) + first_,
                                  end_ - first_);
      const std::size_t length = held.find('\n', searched);
      if (length != std::string_view::npos || (at_end_ && !held.empty())) {
        line = held.substr(0, length);
        if (line.size() > kLongestLine) break;
        first_ += line.size() + (length != std::string_view::npos ? 1 : 0);
        return true;
      }
      if (at_end_) return false;
      if (held.size() > kLongestLine) break;
      searched = held.size();
      read_on();
    }
    fail("is longer than " + std::to_string(kLongestLine) + " bytes");
  }

  /// Moves the bytes in the buffer to its beginning and reads the next block behind them. Blocks
  /// grow, as most files are small.
  void read_on() {
    const std::size_t held = end_ - first_;
    std::memmove(buffer_.data(), buffer_.data() + first_, held);
    buffer_.resize(std::max(buffer_.size(), held + block_));
    block_ = std::min(2 * block_, kLargestBlock);
    first_ = 0;
    const std::size_t wanted = buffer_.size() - held;
    const std::size_t got = file_.read_some(buffer_.data() + held, wanted);
    end_ = held + got;
    at_end_ = got < wanted;
    if (at_end_) file_.require_no_failure();
  }

  InputFile& file_;
  std::vector<std::byte> buffer_;
  std::size_t block_ = kFirstBlock;  // size of the next block
  std::size_t first_ = 0, end_ = 0;  // of the bytes in the buffer
  bool at_end_ = false;
  std::uint64_t number_ = 0;  // of the line, from 1
};

/// The separator of fields: the first of ; , tab that this line has outside of quotes, or else
/// white space, which is returned as ' '.
inline char separator_of(std::string_view line) {
  bool quoted = false, comma = false, tab = false;
  for (const char c : trimmed(line)) {
    quoted = quoted != (c == '"');
    if (quoted) continue;
    if (c == ';') return ';';
    comma = comma || c == ',';
    tab = tab || c == '\t';
  }
  return comma ? ',' : tab ? '\t' : ' ';
}

/// Splits lines into fields, without the quotes and spaces around them. A quote inside of a quoted
/// field is doubled, and stays doubled.
class FieldSplitter {
 public:
  FieldSplitter(const TextLines& lines, char separator) : lines_(lines), separator_(separator) {}

  void split(std::string_view line, std::vector<std::string_view>& fields) const {
    fields.clear();
    if (separator_ == ' ') line = trimmed(line);
    do {
      fields.push_back(parse_field(line));
    } while (parse_separator(line));
  }

 private:
  static void skip_spaces(std::string_view& rest, std::string_view spaces) {
    rest.remove_prefix(std::min(rest.find_first_not_of(spaces), rest.size()));
  }

  std::string_view parse_field(std::string_view& rest) const {
    skip_spaces(rest, separator_ == '\t' ? " " : " \t");
    if (rest.starts_with('"')) return parse_quoted(rest);
    const std::size_t length =
        separator_ == ' ' ? rest.find_first_of(" \t") : rest.find(separator_);
    const std::string_view field = rest.substr(0, length);
    rest.remove_prefix(field.size());
    return trimmed(field);
  }

  std::string_view parse_quoted(std::string_view& rest) const {
    std::size_t end = rest.find('"', 1);
    while (end != std::string_view::npos && rest.substr(end + 1).starts_with('"')) {
      end = rest.find('"', end + 2);
    }
    if (end == std::string_view::npos) lines_.fail("ends inside of quotes");
    const std::string_view field = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    return trimmed(field);
  }

  /// False at the end of the line.
  bool parse_separator(std::string_view& rest) const {
    if (rest.empty()) return false;
    if (separator_ == ' ') {
      if (rest[0] == ' ' || rest[0] == '\t') return true;
    } else {
      skip_spaces(rest, separator_ == '\t' ? " " : " \t");
      if (rest.empty()) return false;
      if (rest[0] == separator_) {
        rest.remove_prefix(1);
        return true;
      }
    }
    lines_.fail("goes on after a quoted field with " + excerpt(rest));
  }

  const TextLines& lines_;
  char separator_;
};

}  // namespace thiessen::io
