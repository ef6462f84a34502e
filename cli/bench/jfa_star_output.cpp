// SPDX-License-Identifier: Apache-2.0
#include "bench/jfa_star_output.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <utility>

#include "bench/line_plot.hpp"
#include "bench/measure.hpp"
#include "words/arguments.hpp"

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
  std::fprintf(stderr, "%-16s %6lld %11.3f %12.5f %12.5f %12lld %12.4g %12lld\n",
               text_of(method).c_str(), static_cast<long long>(method.count()), method.milliseconds,
               percent(answer.comparison.differing, answer), wrong_percent(answer),
               static_cast<long long>(answer.comparison.mismatched), answer.largest_error,
               static_cast<long long>(method.disconnected));
}

void print_heading(const char* before) {
  std::fprintf(stderr, "%s%-16s %6s %11s %12s %12s %12s %12s %12s\n", before, "method", "passes",
               "ms", "differing %", "wrong %", "unreached", "largest", "disconnected");
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

std::string exact_time_text(const CaseResult& result) {
  if (!result.exact_milliseconds) return "";
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", *result.exact_milliseconds);
  return text;
}

/// Prints the document's table, whose columns are methods, and what came of it.
void print_rows_of_document(const CaseResult& result) {
  std::fprintf(stderr, "\n%-6s %-16s %-24s %-18s %-10s %9s  %s\n", "paper", "method",
               "used improvement", "needed steps", "step size", "wrong %", "steps");
  for (const DocumentColumn& column : document_columns(result)) {
    const std::string needed = column.needed + " = " + std::to_string(column.claimed);
    std::fprintf(stderr, "%-6s %-16s %-24s %-18s %-10s %9.4g ", column.name.c_str(),
                 std::string(name_of(column.method->method)).c_str(), column.improvement.c_str(),
                 needed.c_str(), column.step_size.c_str(), wrong_percent(column.method->answer()));
    for (const std::int64_t step : column.steps())
      std::fprintf(stderr, " %lld", static_cast<long long>(step));
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

}  // namespace

std::vector<std::int64_t> DocumentColumn::steps() const {
  std::vector<std::int64_t> steps;
  for (const PassResult& pass : method->passes)
    if (pass.number > 0) steps.push_back(pass.step);
  return steps;
}

std::vector<DocumentColumn> document_columns(const CaseResult& result) {
  const auto cells = static_cast<double>(std::max(result.extents[0], result.extents[1]));
  const auto rounded_up = [](double number) { return static_cast<int>(std::ceil(number)); };
  int iterated = 0;  // log*: how often the logarithm is taken until it is at most 1
  for (auto sites = static_cast<double>(result.sites); sites > 1; sites = std::log2(sites))
    ++iterated;
  const DocumentColumn columns[] = {
      {"JFA*", Method::jfa_star_paper, "noise+selection", "log*(n)", iterated, "p/3^i"},
      {"JFA+", Method::jfa_plus_paper, "noise", "log4(p)", rounded_up(std::log2(cells) / 2),
       "p/2^i"},
      {"JFA", Method::jfa_one_paper, "-", "log2(p)", rounded_up(std::log2(cells)), "p/2^i"}};
  std::vector<DocumentColumn> found;
  for (DocumentColumn column : columns)
    for (const MethodResult& method : result.methods) {
      if (method.method != column.own) continue;
      column.method = &method;
      found.push_back(column);
    }
  return found;
}

nlohmann::ordered_json document_json(const CaseResult& result) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const DocumentColumn& column : document_columns(result))
    json.push_back({{"name", column.name},
                    {"method", name_of(column.own)},
                    {"improvement", column.improvement},
                    {"needed_steps", column.needed},
                    {"claimed", column.claimed},
                    {"step_size", column.step_size},
                    {"steps", column.steps()},
                    {"wrong_percent", wrong_percent(column.method->answer())}});
  return json;
}

void print_case(const CaseResult& result) {
  std::fprintf(stderr, "%s, %lld sites: ms are medians, errors against the exact answer\n",
               size_text(result.extents).c_str(), static_cast<long long>(result.sites));
  print_heading("");
  for (const MethodResult& method : result.methods) print_method(method);
  std::fprintf(stderr, "%-16s %6s %11s %12s %12s %12s %12s %12lld\n", "exact", "",
               exact_time_text(result).c_str(), "", "", "", "",
               static_cast<long long>(result.exact_disconnected));
  print_rows_of_document(result);
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

}  // namespace thiessen::cli
