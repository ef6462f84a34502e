// SPDX-License-Identifier: Apache-2.0
#include "bench/raster_errors.hpp"

#include <cstdio>

#include "talk/interrupt.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {
namespace {

struct InexactWay {
  Method method;
  Metric metric;
  bool labels_carried;
};

constexpr InexactWay kInexactWays[] = {
    {Method::chamfer, Metric::octagonal, false},  {Method::dilation, Metric::octagonal, true},
    {Method::expansion, Metric::manhattan, true}, {Method::expansion, Metric::octagonal, true},
    {Method::expansion, Metric::euclidean, true},
};

using SiteIndex = Array<std::int64_t>;

SiteIndex site_index_of(Context& context, const Raster& sites, const NearestSiteOptions& options) {
  SiteIndex index(sites.extents());
  nearest_site(context, sites.view(), options, {.site_index = index.view()});
  return index;
}

}  // namespace

std::vector<RasterError> raster_errors(const Extents& extents, std::int64_t sites,
                                       std::uint64_t seed, int threads) {
  std::vector<RasterError> errors;
  if (sites < 2) return errors;
  Context context({.device = "cpu", .threads = threads});
  const Interruptible interruptible(context);
  Raster raster = Raster::of<std::int32_t>(extents);
  random_sites(context, raster.view(), sites, seed);
  for (const auto& [method, metric, labels_carried] : kInexactWays) {
    throw_if_interrupted();
    const Method exact = metric == Metric::octagonal ? Method::dilation : Method::exact;
    const SiteIndex settled = site_index_of(context, raster, {.method = exact, .metric = metric});
    const SiteIndex found = site_index_of(
        context, raster,
        {.method = method, .metric = metric, .raster = {.labels_carried = labels_carried}});
    const Comparison comparison =
        compare(context, {.site_index_a = settled.view(), .site_index_b = found.view()},
                {.metric = metric});
    errors.push_back({.method = method,
                      .metric = metric,
                      .labels_carried = labels_carried,
                      .extents = extents,
                      .sites = sites,
                      .differing = comparison.differing,
                      .wrong = comparison.differing - comparison.ties,
                      .largest_excess = comparison.largest_excess});
  }
  return errors;
}

void print(const std::vector<RasterError>& errors) {
  if (errors.empty()) return;
  std::fprintf(stderr, "\n%-42s %11s %9s %11s %11s %9s\n",
               "to the letter, against the exact answer", "cells", "sites", "differing", "farther",
               "by cells");
  for (const RasterError& error : errors) {
    const std::string name = std::string(name_of(error.method)) + ", " +
                             std::string(name_of(error.metric)) +
                             (error.labels_carried ? ", labels carried" : "");
    std::fprintf(stderr, "%-42s %11s %9lld %11lld %11lld %9.3g\n", name.c_str(),
                 size_text(error.extents).c_str(), static_cast<long long>(error.sites),
                 static_cast<long long>(error.differing), static_cast<long long>(error.wrong),
                 error.largest_excess);
  }
}

nlohmann::ordered_json to_json(const RasterError& error) {
  return {{"method", name_of(error.method)},
          {"metric", name_of(error.metric)},
          {"labels_carried", error.labels_carried},
          {"extents", {error.extents[0], error.extents[1]}},
          {"sites", error.sites},
          {"differing", error.differing},
          {"wrong", error.wrong},
          {"largest_excess_cells", error.largest_excess}};
}

}  // namespace thiessen::cli
