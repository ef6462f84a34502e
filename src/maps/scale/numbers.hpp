// SPDX-License-Identifier: Apache-2.0
//
// Round numbers, as people read them on a map.
#pragma once

#include <string>
#include <vector>

namespace thiessen::maps {

/// 1, 2 or 5 times a power of ten: the least that is not below `least`, a finite number > 0.
double round_step(double least);

/// The greatest such number that is not above `most`, a finite number > 0.
double round_length(double most);

/// The multiples of a round step between two finite numbers, ends included, `count` at most (2 or
/// more).
std::vector<double> round_ticks(double least, double greatest, int count);

/// With six digits at most, but whole numbers with all of theirs up to 1e15.
std::string number_text(double number);

/// A unit in which the greatest of some numbers has few digits: "km" for 370400 m.
struct ReadableUnit {
  std::string name;
  double factor = 1;  ///< numbers are to be multiplied by this
};
ReadableUnit readable_unit(const std::string& unit, double greatest);

}  // namespace thiessen::maps
