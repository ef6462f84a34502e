// SPDX-License-Identifier: Apache-2.0
//
// Random sites on a raster, and the results of all methods of jump flooding for them, pass by pass.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "results/flooding.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {

/// The state after a pass. The last one is the method's answer.
struct PassResult {
  std::int64_t number = 0;  ///< 0: the start
  std::int64_t step = 0;
  double entropy = 0;  ///< local_entropy()
  Verification verification;
};

struct MethodResult {
  Method method = Method::jfa;
  double milliseconds = 0;  ///< median, without copies to and from a device
  std::vector<PassResult> passes;
  std::int64_t disconnected = 0;  ///< disconnected_cells() of the answer

  std::int64_t count() const { return passes.back().number; }
  const Verification& answer() const { return passes.back().verification; }
};

struct CaseResult {
  Extents extents;
  std::int64_t sites = 0;
  double exact_entropy = 0;
  std::int64_t exact_disconnected = 0;
  std::optional<double> exact_milliseconds;  ///< for the exact method, if the device has it
  std::vector<MethodResult> methods;
};

class FloodingCase {
 public:
  /// Draws the sites and finds the exact answer. `context` must outlive this object.
  FloodingCase(Context& context, const Extents& extents, std::int64_t sites, std::uint64_t seed);

  /// The bytes a cell that a case takes, including those of the methods.
  static constexpr std::size_t kBytesPerCell = 4 + 4 + 8 + 8 + 16 + 16;

  /// Called with each state of each method.
  using Visit = std::function<void(Method method, const FloodingPass& pass)>;

  /// Runs all methods of the device: once to watch, and in `rounds` rounds for the time. Calls
  /// `advance` with the share that is done.
  CaseResult run(int rounds, const std::function<void(double)>& advance, const Visit& visit = {});

  const Raster& sites() const { return sites_; }
  View<const std::int64_t> exact() const { return exact_.view<std::int64_t>(); }

 private:
  /// Nothing of a method that shows no passes.
  std::optional<MethodResult> run_method(Method method, int rounds, const Visit& visit);
  PassResult judge(const FloodingPass& pass);
  double median_time(const NearestSiteOptions& options, int rounds);

  Context& context_;
  Context judge_;  // on the CPU: a call may be running in the other
  std::uint64_t seed_;
  std::int64_t count_;
  Raster sites_, labels_, exact_;
};

/// The passes of a method and their results.
nlohmann::ordered_json to_json(const MethodResult& result);
nlohmann::ordered_json to_json(const CaseResult& result);

}  // namespace thiessen::cli
