// SPDX-License-Identifier: Apache-2.0
#include "bench/jfa_star_figures.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "bench/jfa_star_output.hpp"
#include "bench/local_entropy.hpp"

namespace thiessen::cli {
namespace {

using State = View<const std::int64_t>;

State view_of(const Raster& state) { return state.view<std::int64_t>(); }

/// Panels of one size beside each other, with white between them.
class Panels {
 public:
  Panels(const Extents& panel, std::size_t count)
      : height_(panel[0]), width_(panel[1]), gap_(std::max<std::int64_t>(width_ / 40, 1)) {
    const auto panels = static_cast<std::int64_t>(count);
    picture_ = Raster::of<std::uint8_t>({height_, panels * width_ + (panels - 1) * gap_, 3});
    std::memset(picture_.bytes(), 0xFF, picture_.size_bytes());
  }

  void add(const Raster& panel) {
    const auto row_bytes = static_cast<std::size_t>(3 * width_);
    for (std::int64_t y = 0; y < height_; ++y)
      std::memcpy(picture_.bytes() + 3 * (y * picture_.extents()[1] + left_),
                  panel.bytes() + static_cast<std::size_t>(y) * row_bytes, row_bytes);
    left_ += width_ + gap_;
  }

  Raster take() { return std::move(picture_); }

 private:
  std::int64_t height_, width_, gap_, left_ = 0;
  Raster picture_;
};

/// The labels of the sites that the cells of a state hold.
Raster labels_of(const Raster& sites, const State& state) {
  Raster labels = Raster::of<std::int32_t>(sites.extents());
  const std::int32_t* const site = sites.view<std::int32_t>().data();
  std::int32_t* const label = labels.view<std::int32_t>().data();
  for (std::int64_t i = 0; i < state.extents().count(); ++i)
    label[i] = state.data()[i] < 0 ? 0 : site[state.data()[i]];
  return labels;
}

Raster paint(const Raster& sites, const std::vector<State>& states) {
  const Extents& extents = sites.extents();
  Panels panels(extents, states.size());
  Raster panel = Raster::of<std::uint8_t>({extents[0], extents[1], 3});
  Context context({.device = "cpu"});
  for (const State& state : states) {
    const Raster labels = labels_of(sites, state);
    render(context, {.labels = labels.view()}, {.edges = false}, panel.view<std::uint8_t>());
    panels.add(panel);
  }
  return panels.take();
}

Raster paint_entropy(const Extents& extents, const std::vector<State>& states) {
  constexpr std::int64_t kMostSide = 180, kScale = 2;
  const std::int64_t height = std::min(extents[0], kMostSide);
  const std::int64_t width = std::min(extents[1], kMostSide);
  const std::int64_t top = (extents[0] - height) / 2, left = (extents[1] - width) / 2;
  Panels panels({height * kScale, width * kScale}, states.size());
  Raster panel = Raster::of<std::uint8_t>({height * kScale, width * kScale, 3});
  for (const State& state : states) {
    std::uint8_t* pixel = panel.view<std::uint8_t>().data();
    for (std::int64_t y = 0; y < height * kScale; ++y)
      for (std::int64_t x = 0; x < width * kScale; ++x) {
        const double bits = local_entropy_at(state, top + y / kScale, left + x / kScale);
        const auto grey = static_cast<std::uint8_t>(std::lround(255 * bits / kMostEntropy));
        pixel = std::fill_n(pixel, 3, grey);
      }
    panels.add(panel);
  }
  return panels.take();
}

}  // namespace

JfaStarFigures::JfaStarFigures(const Extents& extents)
    : extents_(extents),
      circle_(Raster::of<std::int64_t>(extents)),
      grid_(Raster::of<std::int64_t>(extents)),
      circle_answer_(Raster::of<std::int64_t>(extents)),
      grid_answer_(Raster::of<std::int64_t>(extents)) {}

void JfaStarFigures::take(Method method, const FloodingPass& pass) {
  const auto keep = [&](Raster& state) {
    std::memcpy(state.bytes(), pass.site_index.data(), state.size_bytes());
  };
  if (pass.number == std::min(kClaimedPasses, pass.count)) {
    if (method == Method::jfa_star) keep(circle_);
    if (method == Method::jfa_one) keep(grid_);
  }
  if (pass.number == pass.count) {
    if (method == Method::jfa_star_paper) keep(circle_answer_);
    if (method == Method::jfa_one_paper) keep(grid_answer_);
  }
}

Raster JfaStarFigures::same_step(const FloodingCase& of) const {
  return paint(of.sites(), {view_of(circle_), view_of(grid_), of.exact()});
}

Raster JfaStarFigures::answers(const FloodingCase& of) const {
  return paint(of.sites(), {view_of(circle_answer_), view_of(grid_answer_)});
}

Raster JfaStarFigures::entropy(const FloodingCase& of) const {
  return paint_entropy(extents_, {view_of(circle_), view_of(grid_), of.exact()});
}

}  // namespace thiessen::cli
