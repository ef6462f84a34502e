// SPDX-License-Identifier: Apache-2.0
//
// Keys of the search by candidates, in units of work (search.hpp), and what is known of them on a
// box of cells. A kind of key has
//
//   key()          of sites at the centre of a box
//   lead()         a lower bound of key(site) − key(rival) on a box
//   greatest()     an upper bound of the key of a site on a box
//   least()        a lower bound of the keys of a node's sites on a box
//   beats_node()   whether a site beats all sites of a node on a box
//   terms()        at least the sum of the absolute values of the terms of a key
//
// Notation: delta is the way from a site to the centre of the box and half the half lengths of the
// box, both along each axis in units of work. Every bound has a margin for the rounding of doubles:
// a key is a sum of at most 40 rounded terms, so that 2^-46 of the sum of their absolute values is
// more than enough.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_CANDIDATES_KEYS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_CANDIDATES_KEYS_INL
#undef THIESSEN_CPU_CANDIDATES_KEYS_INL
#else
#define THIESSEN_CPU_CANDIDATES_KEYS_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "cpu/candidates/write-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::candidates {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

inline constexpr double kRounding = 0x1p-46;

/// The cells of a tile: their centres lie in a box.
///
/// Here and below, small structs are read where they lie, and not copied: a copy by vectors of what
/// single words have just written waits for all writes before, also to the outputs.
struct Box {
  const Tile& tile;
  std::array<double, kAxes> centre{};  ///< in cells
  std::array<double, kAxes> half{};    ///< in units of work
  double square = 0;                   ///< the sum of the squares of `half`
  double rounding = kRounding;         ///< of lead(); 0 where keys are exact

  HWY_INLINE Box(const Sites& sites, const Tile& of, std::size_t first_axis) : tile(of) {
    if (sites.are_keys_exact) rounding = 0;
    const double cells = 0.5 * static_cast<double>(of.edge - 1);
    for (std::size_t axis = first_axis; axis < kAxes; ++axis) {
      centre[axis] = static_cast<double>(of.first[axis]) + cells;
      half[axis] = cells * sites.length[axis];
      square += half[axis] * half[axis];
    }
  }
};

/// One site, as seen from the centre of a box.
struct Seen {
  std::uint32_t site = 0;
  std::array<double, kAxes> delta{};
  double weight = 0;
  double scale = 1;
  Symmetric<double> form;
};

/// The same of some sites.
struct SeenV {
  DoubleV delta[kAxes];
  DoubleV weight;
  DoubleV scale;
  DoubleV square[kAxes];  ///< of the form
  DoubleV cross[kAxes];
};

/// The squared length of the way from a site.
template <std::size_t kFirst>
HWY_INLINE double square_of(const Seen& seen) {
  double square = 0;
  for (std::size_t axis = kFirst; axis < kAxes; ++axis)
    square += seen.delta[axis] * seen.delta[axis];
  return square;
}
template <std::size_t kFirst>
HWY_INLINE DoubleV square_of(const SeenV& seen) {
  auto square = hn::Mul(seen.delta[kAxes - 1], seen.delta[kAxes - 1]);
  for (std::size_t axis = kFirst; axis + 1 < kAxes; ++axis)
    square = hn::Add(square, hn::Mul(seen.delta[axis], seen.delta[axis]));
  return square;
}

/// The square of the way from a site to the farthest place of a box.
template <std::size_t kFirst>
HWY_INLINE double farthest_square(const Box& box, const Seen& seen) {
  double square = 0;
  for (std::size_t axis = kFirst; axis < kAxes; ++axis) {
    const double far = std::fabs(seen.delta[axis]) + box.half[axis];
    square += far * far;
  }
  return square;
}

/// The way between a box and the box of a node, along an axis; 0 if they meet there.
HWY_INLINE double gap(const Sites& sites, const Box& box, const Node& node, std::size_t axis) {
  const double length = sites.length[axis];
  const double below = (node.low[axis] - box.centre[axis]) * length - box.half[axis];
  const double above = (box.centre[axis] - node.high[axis]) * length - box.half[axis];
  return std::max({0.0, below, above});
}

/// Along an axis, the ends of a box as seen from a node, >= 0, and from a site.
struct Ends {
  double node[2];
  double site[2];

  HWY_INLINE Ends(const Sites& sites, const Box& box, const Node& node_of, const Seen& seen,
                  std::size_t axis) {
    const double length = sites.length[axis];
    for (const int end : {0, 1}) {
      const double half = end == 0 ? -box.half[axis] : box.half[axis];
      const double before = (node_of.low[axis] - box.centre[axis]) * length - half;
      const double behind = (box.centre[axis] - node_of.high[axis]) * length + half;
      node[end] = std::max({0.0, before, behind});
      site[end] = seen.delta[axis] + half;
    }
  }
};

/// A lower bound, on a box, of scale_n·D_n − scale_t·D_t, where D are squared distances from the
/// box of a node and from a site, and of the sum of the absolute values of its terms. Along each
/// axis, with scale_n <= scale_t, the difference is concave, so that its least value is at an end.
struct SquareLead {
  double least = 0;
  double terms = 0;

  HWY_INLINE void add(const Ends& ends, double scale_of_node, double scale_of_site) {
    double at[2];
    for (const int end : {0, 1}) {
      const double node = scale_of_node * ends.node[end] * ends.node[end];
      const double site = scale_of_site * ends.site[end] * ends.site[end];
      at[end] = node - site;
      terms += node + site;
    }
    least += std::min(at[0], at[1]);
  }
};

/// The least value of bend·x² ± slope·x for |x| <= half and slope >= 0, at the vertex or at an end.
HWY_INLINE DoubleV least_of_parabola(DoubleV bend, DoubleV slope, double half) {
  const Doubles d;
  const auto is_up = hn::Gt(bend, hn::Zero(d));
  const auto four = hn::Mul(hn::IfThenElse(is_up, bend, hn::Set(d, 1)), hn::Set(d, 4));
  const auto ends =
      hn::Sub(hn::Mul(bend, hn::Set(d, half * half)), hn::Mul(slope, hn::Set(d, half)));
  const auto vertex = hn::Neg(hn::Div(hn::Mul(slope, slope), four));
  const auto has_vertex = hn::And(is_up, hn::Lt(slope, hn::Mul(bend, hn::Set(d, 2 * half))));
  return hn::IfThenElse(has_vertex, vertex, ends);
}

/// |key| and twice |w|, for keys whose other terms are all >= 0.
HWY_INLINE double plain_terms(double key, double weight) {
  return std::fabs(key) + 2 * std::fabs(weight);
}
HWY_INLINE DoubleV plain_terms(DoubleV key, DoubleV weight) {
  const Doubles d;
  return hn::Add(hn::Abs(key), hn::Mul(hn::Abs(weight), hn::Set(d, 2)));
}

/// S − w. Without weights the squared distance.
template <std::size_t kFirst>
struct PowerKey {
  static constexpr Metric kMetric = Metric::euclidean;
  static constexpr bool kHasScale = false;
  static constexpr bool kHasForm = false;

  HWY_INLINE static double terms(const Seen& seen, double key) {
    return plain_terms(key, seen.weight);
  }
  HWY_INLINE static DoubleV terms(const SeenV& seen, DoubleV key) {
    return plain_terms(key, seen.weight);
  }

  HWY_INLINE static double key(const Seen& seen) { return square_of<kFirst>(seen) - seen.weight; }
  HWY_INLINE static DoubleV key(const SeenV& seen) {
    return hn::Sub(square_of<kFirst>(seen), seen.weight);
  }

  /// The difference of two keys is linear.
  HWY_INLINE static DoubleV lead(const Box& box, const SeenV& seen, DoubleV key_of,
                                 const Seen& rival) {
    const Doubles d;
    auto fall = hn::Zero(d);
    for (std::size_t axis = kFirst; axis < kAxes; ++axis) {
      const auto apart = hn::Abs(hn::Sub(seen.delta[axis], hn::Set(d, rival.delta[axis])));
      fall = hn::Add(fall, hn::Mul(apart, hn::Set(d, 2 * box.half[axis])));
    }
    const double own = 4 * (square_of<kFirst>(rival) + box.square) + std::fabs(rival.weight);
    const auto terms = hn::Add(hn::Abs(key_of), hn::Abs(seen.weight));
    const auto margin =
        hn::Add(hn::Set(d, box.rounding * own), hn::Mul(terms, hn::Set(d, 4 * box.rounding)));
    return hn::Sub(hn::Sub(hn::Sub(key_of, hn::Set(d, key(rival))), fall), margin);
  }

  HWY_INLINE static double greatest(const Box& box, const Seen& seen) {
    const double square = farthest_square<kFirst>(box, seen);
    return square - seen.weight + kRounding * (square + std::fabs(seen.weight));
  }

  HWY_INLINE static double least(const Sites& sites, const Box& box, const Node& node) {
    double square = 0;
    for (std::size_t axis = kFirst; axis < kAxes; ++axis) {
      const double apart = gap(sites, box, node, axis);
      square += apart * apart;
    }
    return square - node.weight - kRounding * (4 * (square + box.square) + std::fabs(node.weight));
  }

  HWY_INLINE static bool beats_node(const Sites& sites, const Box& box, const Seen& seen,
                                    const Node& node) {
    SquareLead lead;
    for (std::size_t axis = kFirst; axis < kAxes; ++axis)
      lead.add(Ends(sites, box, node, seen, axis), 1, 1);
    return lead.least - (node.weight - seen.weight) >
           4 * kRounding * (lead.terms + std::fabs(node.weight) + std::fabs(seen.weight));
  }
};

/// √S − w.
template <std::size_t kFirst>
struct AdditiveKey {
  static constexpr Metric kMetric = Metric::euclidean;
  static constexpr bool kHasScale = false;
  static constexpr bool kHasForm = false;

  HWY_INLINE static double terms(const Seen& seen, double key) {
    return plain_terms(key, seen.weight);
  }
  HWY_INLINE static DoubleV terms(const SeenV& seen, DoubleV key) {
    return plain_terms(key, seen.weight);
  }

  HWY_INLINE static double key(const Seen& seen) {
    return std::sqrt(square_of<kFirst>(seen)) - seen.weight;
  }
  HWY_INLINE static DoubleV key(const SeenV& seen) {
    return hn::Sub(hn::Sqrt(square_of<kFirst>(seen)), seen.weight);
  }

  /// The greatest of three lower bounds.
  ///   √a − √b = (a − b) / (√a + √b). The numerator is linear, and the denominator is that of the
  ///   centre to within twice the half diagonal.
  ///   A distance is at least its tangent at the centre. That of the rival is at most its own
  ///   tangent and R² / 2(r − R), for the half diagonal R and the distance r from the centre, as
  ///   the curvature is at most 1 / (r − R).
  ///   The difference of two distances is at least minus the distance of the sites.
  HWY_INLINE static DoubleV lead(const Box& box, const SeenV& seen, DoubleV, const Seen& rival) {
    const Doubles d;
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    const double radius = std::sqrt(box.square);
    const double of_rival = std::sqrt(square_of<kFirst>(rival));
    const auto root = hn::Sqrt(square_of<kFirst>(seen));
    const auto inverse = hn::Div(hn::Set(d, 1), hn::Max(root, hn::Set(d, 0x1p-500)));
    const double inverse_of_rival = 1 / std::max(of_rival, 0x1p-500);
    auto fall = hn::Zero(d);
    auto tangents = hn::Zero(d);
    auto square = hn::Zero(d);
    for (std::size_t axis = kFirst; axis < kAxes; ++axis) {
      const auto half = hn::Set(d, box.half[axis]);
      const auto apart = hn::Abs(hn::Sub(seen.delta[axis], hn::Set(d, rival.delta[axis])));
      fall = hn::Add(fall, hn::Mul(apart, hn::Add(half, half)));
      square = hn::Add(square, hn::Mul(apart, apart));
      const auto turn = hn::Sub(hn::Mul(seen.delta[axis], inverse),
                                hn::Set(d, rival.delta[axis] * inverse_of_rival));
      tangents = hn::Add(tangents, hn::Mul(hn::Abs(turn), half));
    }
    const auto sum = hn::Add(root, hn::Set(d, of_rival));
    const auto at_centre = hn::Sub(root, hn::Set(d, of_rival));
    const auto numerator = hn::Sub(hn::Mul(at_centre, sum), fall);
    const auto narrow = hn::Sub(sum, hn::Set(d, 2 * radius));
    const auto is_narrow = hn::Gt(narrow, hn::Mul(sum, hn::Set(d, 0.125)));
    const auto is_ahead = hn::Gt(numerator, hn::Zero(d));
    const auto denominator = hn::IfThenElse(is_ahead, hn::Add(sum, hn::Set(d, 2 * radius)), narrow);
    const auto quotient = hn::IfThenElse(hn::Or(is_ahead, is_narrow),
                                         hn::Div(numerator, denominator), hn::Set(d, -kInfinite));
    const double bend =
        of_rival > 1.125 * radius ? box.square / (2 * (of_rival - radius)) : kInfinite;
    const auto linear = hn::Sub(hn::Sub(at_centre, tangents), hn::Set(d, bend));
    const auto away = hn::Neg(hn::Sqrt(square));
    const auto of_roots = hn::Max(hn::Max(quotient, linear), away);
    const auto terms =
        hn::Add(hn::Add(sum, hn::Abs(seen.weight)), hn::Set(d, radius + std::fabs(rival.weight)));
    return hn::Sub(hn::Sub(of_roots, hn::Sub(seen.weight, hn::Set(d, rival.weight))),
                   hn::Mul(terms, hn::Set(d, 64 * kRounding)));
  }

  HWY_INLINE static double greatest(const Box& box, const Seen& seen) {
    const double root = std::sqrt(farthest_square<kFirst>(box, seen));
    return root - seen.weight + kRounding * (root + std::fabs(seen.weight));
  }

  HWY_INLINE static double least(const Sites& sites, const Box& box, const Node& node) {
    double square = 0;
    for (std::size_t axis = kFirst; axis < kAxes; ++axis) {
      const double apart = gap(sites, box, node, axis);
      square += apart * apart;
    }
    const double root = std::sqrt(square);
    return root - node.weight -
           kRounding * (4 * (root + std::sqrt(box.square)) + std::fabs(node.weight));
  }

  HWY_INLINE static bool beats_node(const Sites& sites, const Box& box, const Seen& seen,
                                    const Node& node) {
    SquareLead lead;
    double far = 0;
    for (std::size_t axis = kFirst; axis < kAxes; ++axis) {
      const Ends ends(sites, box, node, seen, axis);
      lead.add(ends, 1, 1);
      const double side = (node.high[axis] - node.low[axis]) * sites.length[axis];
      const double longest = std::max(ends.node[0], ends.node[1]) + side + 2 * box.half[axis];
      far += longest * longest;
    }
    if (lead.least <= 0) return false;
    const double sum = std::sqrt(far) + std::sqrt(farthest_square<kFirst>(box, seen));
    return lead.least / sum - (node.weight - seen.weight) >
           64 * kRounding * (sum + std::fabs(node.weight) + std::fabs(seen.weight));
  }
};

/// S / w², which orders sites as √S / w does.
template <std::size_t kFirst>
struct MultiplicativeKey {
  static constexpr Metric kMetric = Metric::euclidean;
  static constexpr bool kHasScale = true;
  static constexpr bool kHasForm = false;

  HWY_INLINE static double terms(const Seen& seen, double key) {
    return plain_terms(key, seen.weight);
  }
  HWY_INLINE static DoubleV terms(const SeenV& seen, DoubleV key) {
    return plain_terms(key, seen.weight);
  }

  HWY_INLINE static double key(const Seen& seen) { return square_of<kFirst>(seen) * seen.scale; }
  HWY_INLINE static DoubleV key(const SeenV& seen) {
    return hn::Mul(square_of<kFirst>(seen), seen.scale);
  }

  /// The difference of two keys is a parabola along each axis.
  HWY_INLINE static DoubleV lead(const Box& box, const SeenV& seen, DoubleV key_of,
                                 const Seen& rival) {
    const Doubles d;
    const auto bend = hn::Sub(seen.scale, hn::Set(d, rival.scale));
    auto lead = hn::Sub(key_of, hn::Set(d, key(rival)));
    for (std::size_t axis = kFirst; axis < kAxes; ++axis) {
      const auto slope = hn::Abs(hn::Mul(hn::Sub(hn::Mul(seen.scale, seen.delta[axis]),
                                                 hn::Set(d, rival.scale * rival.delta[axis])),
                                         hn::Set(d, 2)));
      lead = hn::Add(lead, least_of_parabola(bend, slope, box.half[axis]));
    }
    const double own = 4 * (square_of<kFirst>(rival) + box.square) * rival.scale;
    const auto terms = hn::Add(key_of, hn::Mul(seen.scale, hn::Set(d, box.square)));
    return hn::Sub(lead,
                   hn::Add(hn::Set(d, kRounding * own), hn::Mul(terms, hn::Set(d, 4 * kRounding))));
  }

  HWY_INLINE static double greatest(const Box& box, const Seen& seen) {
    return farthest_square<kFirst>(box, seen) * seen.scale * (1 + kRounding);
  }

  HWY_INLINE static double least(const Sites& sites, const Box& box, const Node& node) {
    double square = 0;
    for (std::size_t axis = kFirst; axis < kAxes; ++axis) {
      const double apart = gap(sites, box, node, axis);
      square += apart * apart;
    }
    return node.scale * (square - 4 * kRounding * (square + box.square));
  }

  HWY_INLINE static bool beats_node(const Sites& sites, const Box& box, const Seen& seen,
                                    const Node& node) {
    SquareLead lead;
    const double scale = std::min(node.scale, seen.scale);
    for (std::size_t axis = kFirst; axis < kAxes; ++axis)
      lead.add(Ends(sites, box, node, seen, axis), scale, seen.scale);
    return lead.least > 4 * kRounding * lead.terms;
  }
};

/// dᵀMd − w, with M of the site.
template <std::size_t kFirst>
struct MetricKey {
  static constexpr Metric kMetric = Metric::euclidean;
  static constexpr bool kHasScale = false;
  static constexpr bool kHasForm = true;

  /// As |M_ab| <= (M_aa + M_bb) / 2, no dᵀMd has terms of more than |d|² times the trace.
  HWY_INLINE static double terms(const Seen& seen, double) {
    return trace(seen) * square_of<kFirst>(seen) + std::fabs(seen.weight);
  }
  HWY_INLINE static DoubleV terms(const SeenV& seen, DoubleV) {
    return hn::Add(hn::Mul(trace(seen), square_of<kFirst>(seen)), hn::Abs(seen.weight));
  }

  HWY_INLINE static double key(const Seen& seen) {
    double sum = 0;
    for (std::size_t axis = kFirst; axis < kAxes; ++axis)
      sum += along(seen, axis) * seen.delta[axis];
    return sum - seen.weight;
  }
  HWY_INLINE static DoubleV key(const SeenV& seen) {
    auto sum = hn::Mul(along(seen, kAxes - 1), seen.delta[kAxes - 1]);
    for (std::size_t axis = kFirst; axis + 1 < kAxes; ++axis)
      sum = hn::Add(sum, hn::Mul(along(seen, axis), seen.delta[axis]));
    return hn::Sub(sum, seen.weight);
  }

  /// The difference of two keys is a parabola along each axis, and a product for each two.
  HWY_INLINE static DoubleV lead(const Box& box, const SeenV& seen, DoubleV key_of,
                                 const Seen& rival) {
    const Doubles d;
    auto lead = hn::Sub(key_of, hn::Set(d, key(rival)));
    for (std::size_t axis = kFirst; axis < kAxes; ++axis) {
      const auto bend = hn::Sub(seen.square[axis], hn::Set(d, rival.form.square[axis]));
      const auto slope = hn::Sub(along(seen, axis), hn::Set(d, along(rival, axis)));
      lead = hn::Add(
          lead, least_of_parabola(bend, hn::Mul(hn::Abs(slope), hn::Set(d, 2)), box.half[axis]));
    }
    for (std::size_t other = 0; other < kAxes; ++other) {
      if (kFirst > 0 && other > 0) break;
      const double product = 2 * box.half[(other + 1) % kAxes] * box.half[(other + 2) % kAxes];
      const auto bend = hn::Sub(seen.cross[other], hn::Set(d, rival.form.cross[other]));
      lead = hn::Sub(lead, hn::Mul(hn::Abs(bend), hn::Set(d, product)));
    }
    const auto own = trace(rival) * box.square + terms(rival, 0);
    const auto rest = hn::Mul(trace(seen), hn::Set(d, box.square));
    const auto sum = hn::Add(hn::Add(terms(seen, key_of), rest), hn::Set(d, own));
    return hn::Sub(lead, hn::Mul(sum, hn::Set(d, 4 * kRounding)));
  }

  HWY_INLINE static double greatest(const Box& box, const Seen& seen) {
    double greatest = key(seen);
    for (std::size_t a = kFirst; a < kAxes; ++a) {
      greatest += 2 * std::fabs(along(seen, a)) * box.half[a];
      for (std::size_t b = kFirst; b < kAxes; ++b)
        greatest += std::fabs(seen.form(a, b)) * box.half[a] * box.half[b];
    }
    return greatest + 4 * kRounding * (terms(seen, 0) + trace(seen) * box.square);
  }

  HWY_INLINE static double least(const Sites& sites, const Box& box, const Node& node) {
    double square = 0;
    double along = 0;
    for (std::size_t axis = kFirst; axis < kAxes; ++axis) {
      const double apart = gap(sites, box, node, axis);
      square += apart * apart;
      along = std::max(along, static_cast<double>(node.along[axis]) * apart * apart);
    }
    const double least = std::max(along, node.scale * square);
    return least - node.weight - 32 * kRounding * (least + box.square + std::fabs(node.weight));
  }

  HWY_INLINE static bool beats_node(const Sites&, const Box&, const Seen&, const Node&) {
    return false;
  }

  HWY_INLINE static double trace(const Seen& seen) {
    return seen.form.square[0] + seen.form.square[1] + seen.form.square[2];
  }
  HWY_INLINE static DoubleV trace(const SeenV& seen) {
    const auto two = hn::Add(seen.square[1], seen.square[2]);
    return kFirst == 0 ? hn::Add(two, seen.square[0]) : two;
  }

 private:
  /// M·d along an axis.
  HWY_INLINE static double along(const Seen& seen, std::size_t axis) {
    double sum = 0;
    for (std::size_t other = kFirst; other < kAxes; ++other)
      sum += seen.form(axis, other) * seen.delta[other];
    return sum;
  }
  HWY_INLINE static DoubleV along(const SeenV& seen, std::size_t axis) {
    auto sum = hn::Mul(seen.square[axis], seen.delta[axis]);
    for (std::size_t other = kFirst; other < kAxes; ++other)
      if (other != axis)
        sum = hn::Add(sum, hn::Mul(seen.cross[kAxes - axis - other], seen.delta[other]));
    return sum;
  }
};

/// The sum of the ways along the axes.
template <std::size_t kFirst>
struct ManhattanKey {
  static constexpr Metric kMetric = Metric::manhattan;
  static constexpr bool kHasScale = false;
  static constexpr bool kHasForm = false;

  HWY_INLINE static double terms(const Seen& seen, double key) {
    return plain_terms(key, seen.weight);
  }
  HWY_INLINE static DoubleV terms(const SeenV& seen, DoubleV key) {
    return plain_terms(key, seen.weight);
  }

  HWY_INLINE static double key(const Seen& seen) {
    double sum = 0;
    for (std::size_t axis = kFirst; axis < kAxes; ++axis) sum += std::fabs(seen.delta[axis]);
    return sum;
  }
  HWY_INLINE static DoubleV key(const SeenV& seen) {
    auto sum = hn::Abs(seen.delta[kAxes - 1]);
    for (std::size_t axis = kFirst; axis + 1 < kAxes; ++axis)
      sum = hn::Add(sum, hn::Abs(seen.delta[axis]));
    return sum;
  }

  /// |x − a| − |x − b| is monotone along each axis, so that its least value is at an end.
  HWY_INLINE static DoubleV lead(const Box& box, const SeenV& seen, DoubleV key_of,
                                 const Seen& rival) {
    const Doubles d;
    auto lead = hn::Zero(d);
    for (std::size_t axis = kFirst; axis < kAxes; ++axis) {
      const double half = box.half[axis];
      const auto at = [&](double end) HWY_ATTR {
        return hn::Sub(hn::Abs(hn::Add(seen.delta[axis], hn::Set(d, end))),
                       hn::Set(d, std::fabs(rival.delta[axis] + end)));
      };
      lead = hn::Add(lead, hn::Min(at(-half), at(half)));
    }
    double own = key(rival);
    for (std::size_t axis = kFirst; axis < kAxes; ++axis) own += 2 * box.half[axis];
    const auto terms = hn::Add(key_of, hn::Set(d, own));
    return hn::Sub(lead, hn::Mul(terms, hn::Set(d, box.rounding)));
  }

  HWY_INLINE static double greatest(const Box& box, const Seen& seen) {
    double sum = key(seen);
    for (std::size_t axis = kFirst; axis < kAxes; ++axis) sum += box.half[axis];
    return sum * (1 + kRounding);
  }

  HWY_INLINE static double least(const Sites& sites, const Box& box, const Node& node) {
    double sum = 0;
    double half = 0;
    for (std::size_t axis = kFirst; axis < kAxes; ++axis) {
      sum += gap(sites, box, node, axis);
      half += box.half[axis];
    }
    return sum - kRounding * (sum + 2 * half);
  }

  /// dist(x, node) − |x − site| has its least value at an end of the box, or where x enters or
  /// leaves the box of the node.
  HWY_INLINE static bool beats_node(const Sites& sites, const Box& box, const Seen& seen,
                                    const Node& node) {
    double lead = 0;
    double terms = 0;
    for (std::size_t axis = kFirst; axis < kAxes; ++axis) {
      const Ends ends(sites, box, node, seen, axis);
      double least =
          std::min(ends.node[0] - std::fabs(ends.site[0]), ends.node[1] - std::fabs(ends.site[1]));
      for (const double side : {node.low[axis], node.high[axis]}) {
        const double x = (side - box.centre[axis]) * sites.length[axis];
        if (std::fabs(x) < box.half[axis])
          least = std::min(least, -std::fabs(seen.delta[axis] + x));
      }
      lead += least;
      terms += ends.node[0] + ends.node[1] + std::fabs(ends.site[0]) + std::fabs(ends.site[1]) +
               2 * box.half[axis];
    }
    return lead > 4 * kRounding * terms;
  }
};

/// The greatest of the ways along the axes.
template <std::size_t kFirst>
struct ChessboardKey {
  static constexpr Metric kMetric = Metric::chessboard;
  static constexpr bool kHasScale = false;
  static constexpr bool kHasForm = false;

  HWY_INLINE static double terms(const Seen& seen, double key) {
    return plain_terms(key, seen.weight);
  }
  HWY_INLINE static DoubleV terms(const SeenV& seen, DoubleV key) {
    return plain_terms(key, seen.weight);
  }

  HWY_INLINE static double key(const Seen& seen) {
    double most = 0;
    for (std::size_t axis = kFirst; axis < kAxes; ++axis)
      most = std::max(most, std::fabs(seen.delta[axis]));
    return most;
  }
  HWY_INLINE static DoubleV key(const SeenV& seen) {
    auto most = hn::Abs(seen.delta[kAxes - 1]);
    for (std::size_t axis = kFirst; axis + 1 < kAxes; ++axis)
      most = hn::Max(most, hn::Abs(seen.delta[axis]));
    return most;
  }

  /// Where axis b decides the key of the rival, the key of the site is at least its own way along
  /// b. So the lead is at least the least one along an axis that can decide, as for one axis alone.
  /// It is also at least the least key of the site less the greatest way of the rival along b.
  HWY_INLINE static DoubleV lead(const Box& box, const SeenV& seen, DoubleV key_of,
                                 const Seen& rival) {
    const Doubles d;
    auto least_key = hn::Zero(d);
    double least_of_rival = 0;
    double terms = key(rival);
    for (std::size_t axis = kFirst; axis < kAxes; ++axis) {
      const double half = box.half[axis];
      const auto way = hn::Sub(hn::Abs(seen.delta[axis]), hn::Set(d, half));
      least_key = hn::Max(least_key, way);
      least_of_rival = std::max(least_of_rival, std::fabs(rival.delta[axis]) - half);
      terms += 2 * half;
    }
    auto lead = hn::Set(d, std::numeric_limits<double>::infinity());
    for (std::size_t axis = kFirst; axis < kAxes; ++axis) {
      const double half = box.half[axis];
      const double most = std::fabs(rival.delta[axis]) + half;
      if (most < least_of_rival * (1 - kRounding)) continue;
      const auto at = [&](double end) HWY_ATTR {
        return hn::Sub(hn::Abs(hn::Add(seen.delta[axis], hn::Set(d, end))),
                       hn::Set(d, std::fabs(rival.delta[axis] + end)));
      };
      const auto along = hn::Min(at(-half), at(half));
      lead = hn::Min(lead, hn::Max(along, hn::Sub(least_key, hn::Set(d, most))));
    }
    return hn::Sub(lead, hn::Mul(hn::Add(key_of, hn::Set(d, terms)), hn::Set(d, box.rounding)));
  }

  HWY_INLINE static double greatest(const Box& box, const Seen& seen) {
    double most = 0;
    for (std::size_t axis = kFirst; axis < kAxes; ++axis)
      most = std::max(most, std::fabs(seen.delta[axis]) + box.half[axis]);
    return most * (1 + kRounding);
  }

  HWY_INLINE static double least(const Sites& sites, const Box& box, const Node& node) {
    double most = 0;
    double half = 0;
    for (std::size_t axis = kFirst; axis < kAxes; ++axis) {
      most = std::max(most, gap(sites, box, node, axis));
      half += box.half[axis];
    }
    return most - kRounding * (most + 2 * half);
  }

  HWY_INLINE static bool beats_node(const Sites&, const Box&, const Seen&, const Node&) {
    return false;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::candidates
HWY_AFTER_NAMESPACE();

#endif
