// SPDX-License-Identifier: Apache-2.0
//
// Turns the words of the command line into the library's types. All throw UsageError naming the
// flag, its value and the rule.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "thiessen/thiessen.hpp"

namespace thiessen::cli {

/// Bad usage or bad input: exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Cells of the longest axis.
inline constexpr std::int64_t kMaxExtent = std::int64_t{1} << 30;

/// For flags that take a word: complains about an empty one, which would pass for a flag not given.
/// Returns an empty text if all is well, as CLI11 wants.
std::string check_word(const std::string& word);

/// For flags that take a file name: complains about an empty one, and about the next flag taken for
/// one.
std::string check_file_name(const std::string& name);

/// The same for an output that may be "-", the standard output.
std::string check_output_name(const std::string& name);

/// The name of an input, for which "-" is the standard input.
std::string input_name(const std::string& name);

/// Calls a function that reads an input file or tests the name of an output: errors in it become
/// the user's.
template <class Call>
auto as_usage_error(const Call& call) {
  try {
    return call();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::io) throw UsageError(error.what());
    throw;
  }
}

/// A whole number from `least` to `most`.
std::int64_t parse_integer(const std::string& flag, const std::string& text, std::int64_t least,
                           std::int64_t most);

/// A whole number from 0 to 2^64 - 1.
std::uint64_t parse_seed(const std::string& flag, const std::string& text);

/// A real number >= 0; "inf" too.
double parse_distance(const std::string& flag, const std::string& text);

/// Finite numbers: "0,0,7.5,5".
std::vector<double> parse_reals(const std::string& flag, const std::string& text);

/// Extents (y, x) or (z, y, x) from "WxH" or "WxHxD", each 1 to 2^30 and at most 2^60 cells in all.
Extents parse_size(const std::string& flag, const std::string& text);

/// The inverse: WxH or WxHxD.
std::string size_text(const Extents& extents);

/// Throws UsageError unless a grid has the two axes that `what` need.
void require_plane(const std::string& name, const std::string& what, const Extents& extents);

/// "x,y" or "x,y,z", as many as the raster has axes, finite and > 0, in array order.
std::vector<double> parse_spacing(const std::string& flag, const std::string& text, int rank);

/// The axes named by their letters, x, y or z, in any order, as one flag for each axis in array
/// order.
std::vector<bool> parse_axes(const std::string& flag, const std::string& text, int rank);

/// A finite number > 0.
double parse_positive(const std::string& flag, const std::string& text);

/// An integer or a real number, nan included.
LabelValue parse_label(const std::string& flag, const std::string& text);

/// A list of labels: "3,7".
std::vector<LabelValue> parse_labels(const std::string& flag, const std::string& text);

/// The names of a choice, such as kMetricNames, as a flag's check takes them.
template <std::size_t kCount>
std::vector<std::string> choice_names(const std::string_view (&names)[kCount]) {
  return {std::begin(names), std::end(names)};
}

/// A number of neighbours: 4, 8 or, with knights, 16 in 2-D, 6, 18 or 26 in 3-D.
Connectivity parse_connectivity(const std::string& flag, const std::string& text, int rank,
                                bool with_knights);

}  // namespace thiessen::cli
