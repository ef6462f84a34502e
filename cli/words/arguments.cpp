// SPDX-License-Identifier: Apache-2.0
#include "words/arguments.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>

namespace thiessen::cli {
namespace {

constexpr std::int64_t kMostCells = std::int64_t{1} << 60;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

/// All of `text` as a number, or empty.
template <class Number>
std::optional<Number> to_number(const std::string& text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  if (result.ec != std::errc{} || result.ptr != end || text.empty()) return std::nullopt;
  return number;
}

std::optional<LabelValue> to_label(const std::string& text) {
  if (const auto integer = to_number<std::int64_t>(text)) return *integer;
  if (const auto integer = to_number<std::uint64_t>(text)) return *integer;
  if (const auto real = to_number<double>(text)) return *real;
  return std::nullopt;
}

}  // namespace

std::string check_word(const std::string& word) { return word.empty() ? "must not be empty" : ""; }

std::string check_file_name(const std::string& name) {
  if (name.empty()) return "must name a file";
  if (name[0] == '-') return "'" + name + "' looks like a flag; write ./" + name;
  return {};
}

std::string check_output_name(const std::string& name) {
  return name == "-" ? "" : check_file_name(name);
}

std::string input_name(const std::string& name) {
  return name == "-" || name.starts_with("-|") ? "/dev/stdin" + name.substr(1) : name;
}

std::int64_t parse_integer(const std::string& flag, const std::string& text, std::int64_t least,
                           std::int64_t most) {
  const auto number = to_number<std::int64_t>(text);
  if (!number || *number < least || *number > most)
    throw UsageError(flag + " " + text + ": must be a whole number from " + std::to_string(least) +
                     " to " + std::to_string(most));
  return *number;
}

std::uint64_t parse_seed(const std::string& flag, const std::string& text) {
  const auto number = to_number<std::uint64_t>(text);
  if (!number) throw UsageError(flag + " " + text + ": must be a whole number from 0 to 2^64 - 1");
  return *number;
}

double parse_distance(const std::string& flag, const std::string& text) {
  const auto number = to_number<double>(text);
  if (!number || !(*number >= 0)) throw UsageError(flag + " " + text + ": must be a number >= 0");
  return *number;
}

std::vector<double> parse_reals(const std::string& flag, const std::string& text) {
  std::vector<double> numbers;
  for (const std::string& part : split(text, ',')) {
    const auto number = to_number<double>(part);
    if (!number || !std::isfinite(*number))
      throw UsageError(flag + " " + text + ": '" + part + "' must be a finite number");
    numbers.push_back(*number);
  }
  return numbers;
}

Extents parse_size(const std::string& flag, const std::string& text) {
  const std::vector<std::string> parts = split(text, 'x');
  std::vector<std::int64_t> sizes;
  for (const std::string& part : parts) {
    const auto size = to_number<std::int64_t>(part);
    if (!size || *size < 1 || *size > kMaxExtent)
      throw UsageError(flag + " " + text + ": '" + part +
                       "' must be a whole number of cells from 1 to 2^30");
    sizes.insert(sizes.begin(), *size);
  }
  if (sizes.size() != 2 && sizes.size() != 3)
    throw UsageError(flag + " " + text + ": must be WxH or WxHxD");
  // The product of three such factors may not fit 64 bits, so the bound is divided by the last one.
  if (sizes.size() == 3 && sizes[0] * sizes[1] > kMostCells / sizes[2])
    throw UsageError(flag + " " + text + ": must be at most 2^60 cells in all");
  return Extents(std::span<const std::int64_t>(sizes));
}

std::string size_text(const Extents& extents) {
  std::string text;
  for (int axis = extents.rank() - 1; axis >= 0; --axis)
    text += (text.empty() ? "" : "x") + std::to_string(extents[axis]);
  return text;
}

std::vector<double> parse_spacing(const std::string& flag, const std::string& text, int rank) {
  std::vector<double> spacing;
  for (const std::string& part : split(text, ',')) {
    const auto length = to_number<double>(part);
    if (!length || !std::isfinite(*length) || *length <= 0)
      throw UsageError(flag + " " + text + ": '" + part + "' must be a finite length > 0");
    spacing.insert(spacing.begin(), *length);
  }
  if (spacing.size() != static_cast<std::size_t>(rank))
    throw UsageError(flag + " " + text + ": must be " + (rank == 2 ? "x,y" : "x,y,z") +
                     " for this raster");
  return spacing;
}

std::vector<bool> parse_axes(const std::string& flag, const std::string& text, int rank) {
  const std::string letters = rank == 2 ? "yx" : "zyx";
  std::vector<bool> axes(letters.size());
  for (const std::string& part : split(text, ',')) {
    const std::size_t axis = part.size() == 1 ? letters.find(part) : std::string::npos;
    if (axis == std::string::npos)
      throw UsageError(flag + " " + text + ": '" + part + "' must be " +
                       (rank == 2 ? "x or y, the axes of this grid" : "x, y or z"));
    if (axes[axis]) throw UsageError(flag + " " + text + ": names the axis " + part + " twice");
    axes[axis] = true;
  }
  return axes;
}

double parse_positive(const std::string& flag, const std::string& text) {
  const auto number = to_number<double>(text);
  if (!number || !std::isfinite(*number) || *number <= 0)
    throw UsageError(flag + " " + text + ": must be a finite number > 0");
  return *number;
}

LabelValue parse_label(const std::string& flag, const std::string& text) {
  if (const auto label = to_label(text)) return *label;
  throw UsageError(flag + " " + text + ": must be a number");
}

std::vector<LabelValue> parse_labels(const std::string& flag, const std::string& text) {
  std::vector<LabelValue> labels;
  for (const std::string& part : split(text, ',')) {
    const auto label = to_label(part);
    if (!label) throw UsageError(flag + " " + text + ": '" + part + "' must be a number");
    labels.push_back(*label);
  }
  return labels;
}

Connectivity parse_connectivity(const std::string& flag, const std::string& text, int rank) {
  if (const auto connectivity = find_connectivity(to_number<int>(text).value_or(0), rank))
    return *connectivity;
  throw UsageError(flag + " " + text + ": must be " +
                   (rank == 2 ? "4, 8 or 16 in 2-D" : "6, 18 or 26 in 3-D"));
}

Connectivity parse_components(const std::string& flag, const std::string& text, int rank) {
  const auto connectivity = find_connectivity(to_number<int>(text).value_or(0), rank);
  if (connectivity && *connectivity != Connectivity::knights) return *connectivity;
  throw UsageError(flag + " " + text + ": must be " +
                   (rank == 2 ? "4 or 8 in 2-D" : "6, 18 or 26 in 3-D"));
}

std::string in_one_line(const std::string& text) {
  std::string line;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : '\0');
    const bool of_two_bytes = byte == 0xc2 && next >= 0x80 && next < 0xa0;
    line += byte < ' ' || byte == 0x7f || of_two_bytes ? '?' : text[i];
    if (of_two_bytes) ++i;
  }
  return line;
}

}  // namespace thiessen::cli
