// SPDX-License-Identifier: Apache-2.0
#include "bench/flooding_case.hpp"

#include <algorithm>
#include <utility>

#include "bench/disconnected.hpp"
#include "bench/local_entropy.hpp"
#include "bench/measure.hpp"
#include "talk/interrupt.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {
namespace {

std::vector<MethodInfo> methods_of(const Context& context) {
  const std::string name(context.device());
  for (const DeviceInfo& device : devices())
    if (device.name == name &&
        std::any_of(device.methods.begin(), device.methods.end(),
                    [](const MethodInfo& method) { return method.flooding; }))
      return device.methods;
  throw UsageError("--device " + name + ": has no method of jump flooding");
}

}  // namespace

FloodingCase::FloodingCase(Context& context, const Extents& extents, std::int64_t sites,
                           std::uint64_t seed)
    : context_(context),
      judge_({.device = "cpu", .threads = context.threads()}),
      seed_(seed),
      count_(sites),
      sites_(Raster::of<std::int32_t>(extents)),
      labels_(Raster::of<std::int32_t>(extents)),
      exact_(Raster::of<std::int64_t>(extents)) {
  random_sites(judge_, sites_.view(), sites, seed);
  nearest_site(judge_, std::as_const(sites_).view(), {},
               {.site_index = exact_.view<std::int64_t>()});
}

CaseResult FloodingCase::run(int rounds, const std::function<void(double)>& advance,
                             const Visit& visit) {
  CaseResult result{.extents = sites_.extents(),
                    .sites = count_,
                    .exact_entropy = local_entropy(exact()),
                    .exact_disconnected = disconnected_cells(exact()),
                    .exact_milliseconds = std::nullopt,
                    .methods = {}};
  const std::vector<MethodInfo> methods = methods_of(context_);
  for (std::size_t i = 0; i < methods.size(); ++i) {
    advance(static_cast<double>(i + 1) / static_cast<double>(methods.size()));
    if (methods[i].method == Method::exact) result.exact_milliseconds = median_time({}, rounds);
    if (!methods[i].flooding) continue;
    if (auto method = run_method(methods[i].method, rounds, visit))
      result.methods.push_back(std::move(*method));
  }
  return result;
}

std::optional<MethodResult> FloodingCase::run_method(Method method, int rounds,
                                                     const Visit& visit) {
  MethodResult result;
  result.method = method;
  NearestSiteOptions options{.method = method};
  options.flooding.seed = seed_;
  options.flooding.on_pass = [&](const FloodingPass& pass) {
    throw_if_interrupted();
    if (visit) visit(method, pass);
    result.passes.push_back(judge(pass));
    if (pass.number == pass.count) result.disconnected = disconnected_cells(pass.site_index);
  };
  try {
    nearest_site(context_, std::as_const(sites_).view(), options, {.labels = labels_.view()});
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unsupported) throw;
    return std::nullopt;
  }
  options.flooding.on_pass = {};
  result.milliseconds = median_time(options, rounds);
  return result;
}

PassResult FloodingCase::judge(const FloodingPass& pass) {
  PassResult result{.number = pass.number, .step = pass.step, .verification = {}};
  result.entropy = local_entropy(pass.site_index);
  const CompareOptions by_cells{.metric = Metric::euclidean};
  result.verification.comparison =
      compare(judge_, {.site_index_a = exact(), .site_index_b = pass.site_index}, by_cells);
  result.verification.largest_error = result.verification.comparison.largest_excess;
  return result;
}

double FloodingCase::median_time(const NearestSiteOptions& options, int rounds) {
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    throw_if_interrupted();
    const double call = milliseconds_of([&] {
      nearest_site(context_, std::as_const(sites_).view(), options, {.labels = labels_.view()});
      context_.synchronize();
    });
    times.push_back(flooding_times(context_, call).without_copies());
  }
  return median(times);
}

nlohmann::ordered_json to_json(const MethodResult& result) {
  nlohmann::ordered_json json{
      {"method", name_of(result.method)}, {"passes", result.count()}, {"ms", result.milliseconds}};
  json.update(to_json(result.answer()));
  json["disconnected"] = result.disconnected;
  for (const PassResult& pass : result.passes) {
    nlohmann::ordered_json each{
        {"pass", pass.number}, {"step", pass.step}, {"entropy", pass.entropy}};
    each.update(to_json(pass.verification));
    each.erase("cells");
    each.erase("worst_cell");
    json["by_pass"].push_back(std::move(each));
  }
  return json;
}

nlohmann::ordered_json to_json(const CaseResult& result) {
  nlohmann::ordered_json json{{"extents", {result.extents[0], result.extents[1]}},
                              {"sites", result.sites}};
  json["exact"] = {{"entropy", result.exact_entropy}, {"disconnected", result.exact_disconnected}};
  if (result.exact_milliseconds) json["exact"]["ms"] = *result.exact_milliseconds;
  for (const MethodResult& method : result.methods) json["methods"].push_back(to_json(method));
  return json;
}

}  // namespace thiessen::cli
