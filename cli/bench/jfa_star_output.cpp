// SPDX-License-Identifier: Apache-2.0
#include "bench/jfa_star_output.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <utility>

#include "bench/line_plot.hpp"
#include "bench/measure.hpp"

namespace thiessen::cli {
namespace {

std::string text_of(const MethodResult& method) { return std::string(name_of(method.method)); }

double percent(std::int64_t count, const Verification& of) {
  return 100 * static_cast<double>(count) / static_cast<double>(of.comparison.cells);
}

double wrong_percent(const Verification& verification) {
  return percent(verification.wrong(), verification);
}

void print_method(const MethodResult& method) {
  const Verification& answer = method.answer();
  std::fprintf(stderr, "%-16s %6lld %11.3f %12.5f %12.5f %12lld %12.4g\n", text_of(method).c_str(),
               static_cast<long long>(method.count()), method.milliseconds,
               percent(answer.comparison.differing, answer), wrong_percent(answer),
               static_cast<long long>(answer.comparison.mismatched), answer.largest_error);
}

void print_heading(const char* before) {
  std::fprintf(stderr, "%s%-16s %6s %11s %12s %12s %12s %12s\n", before, "method", "passes", "ms",
               "differing %", "wrong %", "unreached", "largest");
}

/// A line for each method, a number for the start and each pass.
template <class Value>
void print_by_pass(const CaseResult& result, const char* title, const Value& value) {
  std::fprintf(stderr, "\n%s, at the start and after each pass\n", title);
  for (const MethodResult& method : result.methods) {
    std::fprintf(stderr, "%-16s", text_of(method).c_str());
    for (const PassResult& pass : method.passes) std::fprintf(stderr, " %7.4g", value(pass));
    std::fputc('\n', stderr);
  }
}

/// Prints where JFA* does not reach what the document claims.
void print_claim(const CaseResult& result) {
  for (const MethodResult& method : result.methods) {
    if (method.method != Method::jfa_star || method.count() < kClaimedPasses) continue;
    const Verification& early =
        method.passes[static_cast<std::size_t>(kClaimedPasses)].verification;
    std::fprintf(stderr,
                 "\njfa-star: the document claims %lld steps; it does %lld passes. After %lld of "
                 "them %.4g %% of the cells are wrong, by up to %.4g cells; at the end %.4g %%, by "
                 "up to %.4g.\n",
                 static_cast<long long>(kClaimedPasses), static_cast<long long>(method.count()),
                 static_cast<long long>(kClaimedPasses), wrong_percent(early), early.largest_error,
                 wrong_percent(method.answer()), method.answer().largest_error);
  }
}

LinePlot plot_by_pass(const CaseResult& result, const std::string& what) {
  return {.title = what + ", " + size_text(result.extents) + ", " + std::to_string(result.sites) +
                   " sites",
          .x_label = "passes done",
          .y_label = what,
          .series = {}};
}

template <class Value>
void add_passes(const CaseResult& result, LinePlot& plot, const Value& value) {
  for (const MethodResult& method : result.methods) {
    LinePlot::Series series{text_of(method), {}};
    for (const PassResult& pass : method.passes)
      series.points.push_back({static_cast<double>(pass.number), value(pass)});
    plot.series.push_back(std::move(series));
  }
}

/// The plot for one number of sites, by the longest axis. Methods keep their order.
template <class Value>
LinePlot plot_by_size(const std::vector<CaseResult>& cases, const std::string& what,
                      const Value& value) {
  LinePlot plot{.title = what + ", " + std::to_string(cases.front().sites) + " sites",
                .x_label = "size: cells along an axis",
                .y_label = what,
                .x_scale = LinePlot::Scale::binary,
                .y_scale = LinePlot::Scale::decades,
                .series = {}};
  for (const MethodResult& method : cases.front().methods)
    plot.series.push_back({text_of(method), {}});
  for (const CaseResult& each : cases)
    for (std::size_t i = 0; i < each.methods.size(); ++i)
      plot.series[i].points.push_back(
          {static_cast<double>(each.extents[0]), value(each.methods[i])});
  return plot;
}

/// The cells of a state as they are painted: the labels of the sites that they hold.
Raster labels_of(const Raster& sites, const View<const std::int64_t>& state) {
  Raster labels = Raster::of<std::int32_t>(sites.extents());
  const std::int32_t* const site = sites.view<std::int32_t>().data();
  std::int32_t* const label = labels.view<std::int32_t>().data();
  for (std::int64_t i = 0; i < state.extents().count(); ++i)
    label[i] = state.data()[i] < 0 ? 0 : site[state.data()[i]];
  return labels;
}

}  // namespace

void print_case(const CaseResult& result) {
  std::fprintf(stderr, "%s, %lld sites: ms are medians, errors against the exact answer\n",
               size_text(result.extents).c_str(), static_cast<long long>(result.sites));
  print_heading("");
  for (const MethodResult& method : result.methods) print_method(method);
  if (result.exact_milliseconds)
    std::fprintf(stderr, "%-16s %6s %11.3f\n", "exact", "", *result.exact_milliseconds);
  print_by_pass(result, "Local entropy in bits",
                [](const PassResult& pass) { return pass.entropy; });
  std::fprintf(stderr, "%-16s %7.4g\n", "exact", result.exact_entropy);
  print_by_pass(result, "Wrong cells in %",
                [](const PassResult& pass) { return wrong_percent(pass.verification); });
  print_claim(result);
}

void print_sweep(const std::vector<CaseResult>& results) {
  std::fputc('\n', stderr);
  print_heading("     size   sites ");
  for (const CaseResult& result : results)
    for (const MethodResult& method : result.methods) {
      std::fprintf(stderr, "%9s %7lld ", size_text(result.extents).c_str(),
                   static_cast<long long>(result.sites));
      print_method(method);
    }
}

std::vector<NamedPlot> plots_of(const CaseResult& result, const std::vector<CaseResult>& sweep) {
  LinePlot entropy = plot_by_pass(result, "local entropy in bits");
  add_passes(result, entropy, [](const PassResult& pass) { return pass.entropy; });
  LinePlot wrong = plot_by_pass(result, "wrong cells in %");
  wrong.y_scale = LinePlot::Scale::decades;
  add_passes(result, wrong,
             [](const PassResult& pass) { return wrong_percent(pass.verification); });
  std::vector<NamedPlot> plots{{"entropy-by-pass.svg", entropy.svg()},
                               {"wrong-by-pass.svg", wrong.svg()}};
  std::map<std::int64_t, std::vector<CaseResult>> by_sites;
  for (const CaseResult& each : sweep) by_sites[each.sites].push_back(each);
  for (const auto& [sites, cases] : by_sites) {
    const std::string end = "-" + std::to_string(sites) + ".svg";
    const LinePlot time = plot_by_size(
        cases, "time in ms", [](const MethodResult& method) { return method.milliseconds; });
    const LinePlot errors = plot_by_size(cases, "wrong cells in %", [](const MethodResult& method) {
      return wrong_percent(method.answer());
    });
    plots.push_back({"time-by-size" + end, time.svg()});
    plots.push_back({"wrong-by-size" + end, errors.svg()});
  }
  return plots;
}

StepFigure::StepFigure(const Extents& extents)
    : extents_(extents),
      circle_(Raster::of<std::int64_t>(extents)),
      grid_(Raster::of<std::int64_t>(extents)) {}

void StepFigure::take(Method method, const FloodingPass& pass) {
  if (method != Method::jfa_star && method != Method::jfa_one) return;
  if (pass.number != std::min(kClaimedPasses, pass.count)) return;
  Raster& state = method == Method::jfa_star ? circle_ : grid_;
  std::memcpy(state.bytes(), pass.site_index.data(), state.size_bytes());
}

Raster StepFigure::paint(const Raster& sites, const View<const std::int64_t>& exact) const {
  const std::int64_t gap = std::max<std::int64_t>(extents_[1] / 40, 1);
  Raster figure = Raster::of<std::uint8_t>({extents_[0], 3 * extents_[1] + 2 * gap, 3});
  std::memset(figure.bytes(), 0xFF, figure.size_bytes());
  Raster panel = Raster::of<std::uint8_t>({extents_[0], extents_[1], 3});
  Context context({.device = "cpu"});
  const auto row_bytes = static_cast<std::size_t>(3 * extents_[1]);
  std::int64_t left = 0;
  for (const View<const std::int64_t>& state :
       {circle_.view<std::int64_t>(), grid_.view<std::int64_t>(), exact}) {
    const Raster labels = labels_of(sites, state);
    render(context, {.labels = labels.view()}, {.edges = false}, panel.view<std::uint8_t>());
    for (std::int64_t y = 0; y < extents_[0]; ++y)
      std::memcpy(figure.bytes() + 3 * (y * figure.extents()[1] + left),
                  panel.bytes() + static_cast<std::size_t>(y) * row_bytes, row_bytes);
    left += extents_[1] + gap;
  }
  return figure;
}

}  // namespace thiessen::cli
