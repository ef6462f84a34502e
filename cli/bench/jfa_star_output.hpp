// SPDX-License-Identifier: Apache-2.0
//
// The output of `bench jfa-star`: text, the table, and plots.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/flooding_case.hpp"
#include "bench/plot_files.hpp"

namespace thiessen::cli {

/// Passes that the document gives JFA* for 2000 sites: log*(2000).
inline constexpr std::int64_t kClaimedPasses = 4;

/// Prints the document's case on stderr: methods, then entropy and errors pass by pass.
void print_case(const CaseResult& result);

/// Prints the other cases on stderr, a line for each method.
void print_sweep(const std::vector<CaseResult>& results);

/// Plots: entropy and errors by pass for the case; time and errors by size for each number of
/// sites.
std::vector<NamedPlot> plots_of(const CaseResult& result, const std::vector<CaseResult>& sweep);

/// A column of the document's table of empirical observations (n sites, p cells along the longest
/// axis), and the method that runs it.
struct DocumentColumn {
  std::string name;
  Method own;
  std::string improvement;
  std::string needed;  ///< steps that the document says are needed
  int claimed = 0;     ///< that number, rounded up
  std::string step_size;
  const MethodResult* method = nullptr;

  std::vector<std::int64_t> steps() const;
};

/// The columns whose methods the device has. `result` must outlive them.
std::vector<DocumentColumn> document_columns(const CaseResult& result);
nlohmann::ordered_json document_json(const CaseResult& result);

}  // namespace thiessen::cli
