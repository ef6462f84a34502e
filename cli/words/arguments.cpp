// SPDX-License-Identifier: Apache-2.0
#include "words/arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <type_traits>

namespace thiessen::cli {
namespace {

constexpr std::int64_t kMostCells = std::int64_t{1} << 60;

/// All of `text` as a number, or empty. CLI11's typed options read 010 as 8, and reals as long
/// double by the user's locale, so that some are rounded twice; and none holds a label of any type.
template <class Number>
std::optional<Number> to_number(const std::string& text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  if (result.ec != std::errc{} || result.ptr != end || text.empty()) return std::nullopt;
  return number;
}

std::optional<double> to_finite(const std::string& text) {
  const auto number = to_number<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<LabelValue> to_label(const std::string& text) {
  if (const auto integer = to_number<std::int64_t>(text)) return *integer;
  if (const auto integer = to_number<std::uint64_t>(text)) return *integer;
  if (const auto real = to_number<double>(text)) return *real;
  return std::nullopt;
}

/// Splits a list and has `read` turn each part into a value. A part for which `read` returns
/// nothing breaks the rule.
template <class Read>
auto parse_list(const std::string& flag, const std::string& text, char separator, const Read& read,
                const char* rule) {
  std::vector<typename std::invoke_result_t<Read, std::string>::value_type> values;
  // CLI11 takes a last separator for the end of a part, but here the part behind it is empty.
  for (const std::string& part : CLI::detail::split(text + separator, separator)) {
    const auto value = read(part);
    if (!value) throw UsageError(flag + " " + text + ": '" + part + "' " + rule);
    values.push_back(*value);
  }
  return values;
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
  return parse_list(flag, text, ',', to_finite, "must be a finite number");
}

Extents parse_size(const std::string& flag, const std::string& text) {
  const auto read = [](const std::string& part) {
    const auto size = to_number<std::int64_t>(part);
    return size && *size >= 1 && *size <= kMaxExtent ? size : std::nullopt;
  };
  auto sizes = parse_list(flag, text, 'x', read, "must be a whole number of cells from 1 to 2^30");
  std::reverse(sizes.begin(), sizes.end());
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

void require_plane(const std::string& name, const std::string& what, const Extents& extents) {
  if (extents.rank() != 2)
    throw UsageError(name + ": " + what + " need a grid of 2 axes; this one has 3");
}

std::vector<double> parse_spacing(const std::string& flag, const std::string& text, int rank) {
  const auto read = [](const std::string& part) {
    const auto length = to_finite(part);
    return length && *length > 0 ? length : std::nullopt;
  };
  auto spacing = parse_list(flag, text, ',', read, "must be a finite length > 0");
  std::reverse(spacing.begin(), spacing.end());
  if (spacing.size() != static_cast<std::size_t>(rank))
    throw UsageError(flag + " " + text + ": must be " + (rank == 2 ? "x,y" : "x,y,z") +
                     " for this raster");
  return spacing;
}

std::vector<bool> parse_axes(const std::string& flag, const std::string& text, int rank) {
  const std::string letters = rank == 2 ? "yx" : "zyx";
  const auto read = [&](const std::string& part) {
    const std::size_t axis = part.size() == 1 ? letters.find(part) : std::string::npos;
    return axis == std::string::npos ? std::nullopt : std::optional(axis);
  };
  const char* const rule =
      rank == 2 ? "must be x or y, the axes of this grid" : "must be x, y or z";
  std::vector<bool> axes(letters.size());
  for (const std::size_t axis : parse_list(flag, text, ',', read, rule)) {
    if (axes[axis])
      throw UsageError(flag + " " + text + ": names the axis " + letters[axis] + " twice");
    axes[axis] = true;
  }
  return axes;
}

double parse_positive(const std::string& flag, const std::string& text) {
  const auto number = to_finite(text);
  if (!number || *number <= 0)
    throw UsageError(flag + " " + text + ": must be a finite number > 0");
  return *number;
}

LabelValue parse_label(const std::string& flag, const std::string& text) {
  if (const auto label = to_label(text)) return *label;
  throw UsageError(flag + " " + text + ": must be a number");
}

std::vector<LabelValue> parse_labels(const std::string& flag, const std::string& text) {
  return parse_list(flag, text, ',', to_label, "must be a number");
}

Connectivity parse_connectivity(const std::string& flag, const std::string& text, int rank,
                                bool with_knights) {
  const auto connectivity = find_connectivity(to_number<int>(text).value_or(0), rank);
  if (connectivity && (with_knights || *connectivity != Connectivity::knights))
    return *connectivity;
  throw UsageError(flag + " " + text + ": must be " +
                   (rank == 3      ? "6, 18 or 26 in 3-D"
                    : with_knights ? "4, 8 or 16 in 2-D"
                                   : "4 or 8 in 2-D"));
}

}  // namespace thiessen::cli
