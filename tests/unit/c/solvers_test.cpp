// SPDX-License-Identifier: Apache-2.0
//
// Solvers, region statistics and slabs through the C API.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "operations/tables/labels/statistics.hpp"
#include "support/c/call.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using testing::CCall;
using testing::CContext;
using testing::CSolver;
using testing::list_view;

using Indices = std::vector<std::int64_t>;

class CSolvers : public ::testing::Test {
 protected:
  static constexpr std::int64_t kRows = 5, kColumns = 6;
  static Extents extents() { return {kRows, kColumns}; }

  CSolvers() {
    for (std::size_t cell = 0; cell < map_.size(); ++cell)
      map_[cell] = static_cast<float>(1 + cell * 7 % 5);
    sites_[1] = 7;
    sites_[17] = 9;
  }

  View<const std::int32_t> sites() const { return {sites_.data(), extents()}; }
  View<const float> map() const { return {map_.data(), extents()}; }

  /// Runs an update with lists of its inputs.
  void update(const CSolver& solver, const char* operation,
              const std::vector<std::pair<const char*, View<const void>>>& inputs) {
    CCall call(operation);
    for (const auto& [name, view] : inputs) call.input(name, view);
    call.run(solver.get());
  }

  CContext c_;
  std::vector<std::int32_t> sites_ = std::vector<std::int32_t>(kRows * kColumns);
  std::vector<float> map_ = std::vector<float>(kRows * kColumns);
  std::vector<std::int32_t> labels_ = std::vector<std::int32_t>(kRows * kColumns);
};

TEST_F(CSolvers, OfARasterFollowUpdates) {
  CCall problem("nearest_site");
  problem.input("sites", sites()).output("labels", View<std::int32_t>(labels_.data(), extents()));
  const CSolver solver(c_, problem);
  EXPECT_EQ(labels_[0], 7);
  const Indices first = {17}, second = {12}, third = {3};
  const std::vector<std::int32_t> nine = {9}, five = {5}, box = {0, 4};
  CCall solve("solve"), enqueue("enqueue"), changes("changes"), cells("changed_cells");
  update(solver, "remove_sites", {{"sites", list_view(first)}});
  solve.run(solver.get());
  const std::int64_t lost = solve.list<std::int64_t>("cells").at(0);
  EXPECT_GT(lost, 0);
  EXPECT_EQ(solve.list<std::int64_t>("sites"), (Indices{1, 17}));
  cells.run(solver.get());
  EXPECT_EQ(std::ssize(cells.list<std::int64_t>("cell")), lost);
  EXPECT_EQ(cells.list<std::int64_t>("site_before"), Indices(static_cast<std::size_t>(lost), 17));
  const Indices asked = {1, 17};
  CCall find("find_sites");
  find.input("sites", list_view(asked)).run(solver.get());
  EXPECT_EQ(find.list<std::uint8_t>("present"), (std::vector<std::uint8_t>{1, 0}));
  EXPECT_EQ(find.list<std::int64_t>("positions"), Indices{30});
  enqueue.run(solver.get());
  changes.run(solver.get());
  EXPECT_EQ(changes.list<std::int64_t>("cells"), Indices{0});
  EXPECT_TRUE(changes.list<std::int64_t>("first").empty());
  update(solver, "add_sites", {{"cells", list_view(first)}, {"labels", list_view(nine)}});
  update(solver, "add_sites", {{"cells", list_view(second)}, {"labels", list_view(five)}});
  update(solver, "move_sites", {{"from", list_view(second)}, {"to", list_view(third)}});
  update(solver, "update_sites", {{"cells", list_view(first)}, {"values", list_view(five)}});
  CCall corner("update_box");
  corner.input("values", View<const std::int32_t>(box.data(), {1, 2})).integers("first", {1, 0});
  corner.run(solver.get());
  solve.run(solver.get());
  sites_[17] = 5;
  sites_[3] = 5;
  sites_[7] = 4;
  const NearestSite expected = nearest_site(sites());
  const View<const std::int32_t> labels = expected.labels.view<std::int32_t>();
  for (std::int64_t row = 0; row < kRows; ++row)
    for (std::int64_t column = 0; column < kColumns; ++column)
      EXPECT_EQ(labels_[static_cast<std::size_t>(row * kColumns + column)], labels(row, column));

  CCall wrong("remove_sites");
  EXPECT_EQ(wrong.refusal(solver.get()), "sites is missing");
  wrong.input("sites", list_view(second));
  EXPECT_NE(wrong.refusal(solver.get()), "");  // no site is there
  EXPECT_EQ(CCall("update_regions").input("cells", list_view(first)).refusal(solver.get()),
            "update_regions is not for this solver");
  EXPECT_EQ(thiessen_solver_run(nullptr, wrong.get()), THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(CCall("nearest_site").input("sites", sites()).refusal(solver.get()),
            "nearest_site does not run on a solver");
}

TEST_F(CSolvers, OfPointsKeepMemoryOfTheirCall) {
  const std::vector<double> places = {0, 0, 4, 4}, more = {2, 5}, moved = {4, 0};
  thiessen_array labels;
  thiessen_solver* solver = nullptr;
  {
    CCall problem("voronoi");
    problem.input("points", View<const double>(places.data(), {2, 2}));
    problem.integers("shape", {kRows, kColumns}).want("labels");
    ASSERT_EQ(thiessen_solver_new(c_.get(), problem.get(), &solver), THIESSEN_OK);
    labels = problem.get("labels");
  }
  CCall added("add_points"), solve("solve"), move("move_points");
  added.input("points", View<const double>(more.data(), {1, 2})).run(solver);
  EXPECT_EQ(added.list<std::int64_t>("first"), Indices{2});
  const Indices positions = {0};
  move.input("sites", list_view(positions));
  move.input("points", View<const double>(moved.data(), {1, 2})).run(solver);
  solve.run(solver);
  const std::vector<double> now = {4, 0, 4, 4, 2, 5};
  const NearestSite expected =
      voronoi({.coordinates = View<const double>(now.data(), {3, 2})}, {.extents = extents()});
  EXPECT_EQ(testing::bytes_of(labels),
            testing::bytes_of(testing::to_array(expected.labels.view())));
  const std::vector<float> costs = {1};
  EXPECT_EQ(added.input("initial_cost", list_view(costs)).refusal(solver),
            "initial_cost is given; must be missing without costs");
  thiessen_solver_free(solver);
}

TEST_F(CSolvers, OfCostsFollowUpdates) {
  std::vector<float> distance(map_.size());
  CCall problem("cost_distance");
  problem.input("cost", map()).input("sites", sites());
  problem.output("distance", View<float>(distance.data(), extents()));
  const CSolver solver(c_, problem);
  const Indices cells = {3, 4}, site = {17}, next = {20};
  const std::vector<float> values = {9, 0.5F}, box = {2, 2, 2, 2}, start = {0.25F};
  update(solver, "update_map", {{"cells", list_view(cells)}, {"values", list_view(values)}});
  CCall corner("update_box");
  corner.input("values", View<const float>(box.data(), {2, 2})).integers("first", {3, 1});
  corner.run(solver.get());
  update(solver, "set_initial_cost",
         {{"sites", list_view(site)}, {"initial_cost", list_view(start)}});
  update(solver, "move_sites", {{"from", list_view(site)}, {"to", list_view(next)}});
  CCall solve("solve");
  solve.run(solver.get());
  EXPECT_GT(solve.list<std::int64_t>("cells").at(0), 0);
  map_[3] = 9;
  map_[4] = 0.5F;
  for (const std::size_t cell : {19U, 20U, 25U, 26U}) map_[cell] = 2;
  sites_[17] = 0;
  sites_[20] = 9;
  std::vector<float> initial(map_.size());
  initial[20] = 0.25F;
  CostDistance expected = cost_distance(CostMap::cost(map()), sites(), {}, {},
                                        View<const float>(initial.data(), extents()));
  problem.expect_same("distance", expected.distance.view());
  EXPECT_EQ(CCall("update_sites")
                .input("cells", list_view(cells))
                .input("values", list_view(values))
                .refusal(solver.get()),
            "update_sites is not for this solver");
}

TEST_F(CSolvers, CutsGrowBetweenCells) {
  std::vector<std::uint8_t> faces(sites_.size());
  CCall problem("cost_distance");
  problem.input("sites", sites()).input("cost", map());
  problem.output("labels", View<std::int32_t>(labels_.data(), extents()));
  const CSolver solver(c_, problem);
  CCall cut("update_blocked_faces"), solve("solve");
  const std::vector<std::uint8_t> blocked = {1, 1};
  faces[3] = faces[9] = 1;
  cut.input("blocked_faces", View<const std::uint8_t>(blocked.data(), {2, 1}));
  cut.integers("first", {0, 3}).run(solver.get());
  solve.run(solver.get());
  CCall fresh("cost_distance");
  fresh.input("sites", sites()).input("cost", map()).want("labels");
  fresh.input("blocked_faces", View<const std::uint8_t>(faces.data(), extents())).run(c_);
  fresh.expect_same("labels", View<const std::int32_t>(labels_.data(), extents()));
}

TEST_F(CSolvers, RegionsAreKeptUpToDate) {
  CCall problem("region_statistics");
  problem.input("labels", sites()).input("field", map());
  const CSolver solver(c_, problem);
  sites_[2] = 7;
  sites_[17] = 0;
  const Indices cells = {2, 17};
  CCall update("update_regions"), table("region_table"), pairs("region_adjacency");
  CCall changes("region_changes"), bytes("solver_bytes");
  update.input("cells", list_view(cells)).run(solver.get());
  changes.run(solver.get());
  EXPECT_EQ(changes.list<std::int32_t>("labels"), (std::vector<std::int32_t>{7, 9}));
  EXPECT_EQ(changes.get("came_a").extents[0], 0);
  EXPECT_EQ(changes.get("went_b").extents[0], 0);
  bytes.run(solver.get());
  EXPECT_GT(bytes.list<std::int64_t>("bytes").at(0), 0);
  table.run(solver.get());
  table.expect_results(site_statistics(sites(), {.field = map()}));
  pairs.run(solver.get());
  pairs.expect_results(adjacency(sites()));
  const std::vector<std::int32_t> gone = {9};
  table.input("labels", list_view(gone)).run(solver.get());
  EXPECT_EQ(table.get("cells").extents[0], 0);
  const Indices wrong = {99};
  EXPECT_NE(update.input("cells", list_view(wrong)).refusal(solver.get()), "");
}

TEST_F(CSolvers, MakersRefuseNonsense) {
  thiessen_solver* solver = nullptr;
  CCall call("adjacency");
  EXPECT_EQ(thiessen_solver_new(c_.get(), call.get(), &solver), THIESSEN_INVALID_ARGUMENT);
  EXPECT_STREQ(thiessen_last_error(), "adjacency makes no solver");
  EXPECT_EQ(solver, nullptr);
  EXPECT_EQ(thiessen_solver_new(nullptr, call.get(), &solver), THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(thiessen_solver_new(c_.get(), nullptr, &solver), THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(thiessen_solver_new(c_.get(), call.get(), nullptr), THIESSEN_INVALID_ARGUMENT);
  thiessen_solver_free(nullptr);
}

/// A raster in slabs of 2, 2 and 1 rows.
class CSlabs : public CSolvers {
 protected:
  static constexpr std::int64_t kFirst[] = {0, 2, 4};
  static constexpr std::int64_t kHeight[] = {2, 2, 1};

  template <class T>
  static View<T> rows(std::vector<T>& cells, std::int64_t first, std::int64_t count) {
    return {cells.data() + first * kColumns, {count, kColumns}};
  }
  template <class T>
  static View<const T> rows(const std::vector<T>& cells, std::int64_t first, std::int64_t count) {
    return {cells.data() + first * kColumns, {count, kColumns}};
  }

  /// The bytes of slab i out of those of all.
  static std::vector<std::uint8_t> part(const std::vector<std::uint8_t>& bytes,
                                        const Indices& sizes, std::size_t i) {
    std::int64_t begin = 0;
    for (std::size_t before = 0; before < i; ++before) begin += sizes[before];
    return {bytes.begin() + begin, bytes.begin() + begin + sizes[i]};
  }
};

TEST_F(CSlabs, EqualOneCall) {
  std::vector<std::uint8_t> summaries;
  Indices sizes;
  for (std::size_t i = 0; i < 3; ++i) {
    CCall call("summarise_slab");
    call.input("sites", rows(std::as_const(sites_), kFirst[i], kHeight[i]));
    call.integers("shape", {kRows, kColumns}).integer("first", kFirst[i]).run(c_);
    const auto own = call.list<std::uint8_t>("summary");
    summaries.insert(summaries.end(), own.begin(), own.end());
    sizes.push_back(std::ssize(own));
  }
  CCall join("join_slabs");
  const auto upper = part(summaries, sizes, 0), lower = part(summaries, sizes, 1);
  join.input("upper", list_view(upper)).input("lower", list_view(lower)).run(c_);
  EXPECT_FALSE(join.list<std::uint8_t>("summary").empty());
  CCall combine("combine_slabs");
  combine.input("summaries", list_view(summaries)).input("summary_sizes", list_view(sizes));
  combine.integers("shape", {kRows, kColumns}).run(c_);
  const auto neighbours = combine.list<std::uint8_t>("neighbours");
  const auto found = combine.list<std::int64_t>("neighbour_sizes");
  ASSERT_EQ(found.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::vector<std::uint8_t> own = part(neighbours, found, i);
    CCall call("finish_slab");
    call.input("sites", rows(std::as_const(sites_), kFirst[i], kHeight[i]));
    call.input("neighbours", list_view(own)).integers("shape", {kRows, kColumns});
    call.integer("first", kFirst[i]).output("labels", rows(labels_, kFirst[i], kHeight[i]));
    call.run(c_);
  }
  const NearestSite expected = nearest_site(sites());
  EXPECT_EQ(
      testing::bytes_of(testing::to_array(View<const std::int32_t>(labels_.data(), extents()))),
      testing::bytes_of(testing::to_array(expected.labels.view())));

  ++sizes[2];
  combine.input("summary_sizes", list_view(sizes));
  EXPECT_EQ(combine.refusal(c_), "summary_sizes does not add up to the bytes of summaries");
  const std::vector<std::uint8_t> nonsense(9, 1);
  EXPECT_NE(join.input("upper", list_view(nonsense)).refusal(c_), "");
}

TEST_F(CSlabs, OfPointsEqualOneCall) {
  const std::vector<double> places = {0, 0, 4.5, 4, 2, 3};
  const View<const double> points(places.data(), {3, 2});
  const NearestSite expected = voronoi({.coordinates = points}, {.extents = extents()});
  for (std::size_t i = 0; i < 3; ++i) {
    CCall call("voronoi_slab");
    call.input("points", points).integers("shape", {kRows, kColumns}).integer("first", kFirst[i]);
    call.integer("count", kHeight[i]).want("labels").run(c_);
    const View<const std::int32_t> labels = expected.labels.view<std::int32_t>();
    call.expect_same("labels", View<const std::int32_t>(labels.data() + kFirst[i] * kColumns,
                                                        {kHeight[i], kColumns}));
  }
}

TEST_F(CSlabs, NumberComponents) {
  std::vector<std::uint8_t> summaries;
  Indices sizes;
  for (std::size_t i = 0; i < 3; ++i) {
    CCall call("summarise_components");
    call.input("image", rows(std::as_const(map_), kFirst[i], kHeight[i]));
    call.output("labels", rows(labels_, kFirst[i], kHeight[i])).run(c_);
    const auto own = call.list<std::uint8_t>("summary");
    summaries.insert(summaries.end(), own.begin(), own.end());
    sizes.push_back(std::ssize(own));
  }
  CCall combine("combine_components");
  combine.input("summaries", list_view(summaries)).input("summary_sizes", list_view(sizes));
  combine.integers("shape", {kRows, kColumns}).run(c_);
  const Components expected = connected_components(map());
  for (std::size_t i = 0; i < 3; ++i) {
    const std::vector<std::uint8_t> numbers =
        part(combine.list<std::uint8_t>("numbers"), combine.list<std::int64_t>("number_sizes"), i);
    CCall call("number_components");
    EXPECT_EQ(thiessen_want(call.get(), "labels"), THIESSEN_INVALID_ARGUMENT);
    call.input("numbers", list_view(numbers))
        .output("labels", rows(labels_, kFirst[i], kHeight[i]));
    call.run(c_);
    EXPECT_EQ(call.list<std::int64_t>("count"), Indices{expected.count});
  }
  EXPECT_EQ(
      testing::bytes_of(testing::to_array(View<const std::int32_t>(labels_.data(), extents()))),
      testing::bytes_of(testing::to_array(expected.labels.view())));
}

/// What is known of the cells of the whole raster while its slabs are visited.
class CCostSlabs : public CSlabs {
 protected:
  void fill(CCall& call, std::size_t i) {
    CCall place("cost_slab_rows");
    place.integers("shape", {kRows, kColumns}).integer("first", kFirst[i]);
    place.integer("count", kHeight[i]).integer("connectivity", 8).run(c_);
    const std::int64_t first = place.list<std::int64_t>("first").at(0);
    const std::int64_t count = place.list<std::int64_t>("count").at(0);
    call.integers("shape", {kRows, kColumns}).integer("first", kFirst[i]);
    call.integer("count", kHeight[i]).input("cost", rows(std::as_const(map_), first, count));
    call.input("sites", rows(std::as_const(sites_), first, count));
    call.output("resistance", rows(resistance_, first, count));
    call.output("known_cost", rows(cost_, first, count));
    call.output("known_site_index", rows(site_, first, count));
    call.output("known_labels", rows(known_labels_, first, count));
    call.output("known_hops", rows(hops_, first, count));
  }

  void solve(const char* stage) {
    const Indices heights(kHeight, kHeight + 3);
    CCall queue("cost_slab_queue");
    queue.input("heights", list_view(heights));
    const CSolver solver(c_, queue);
    CCall next("next_cost_slab");
    for (;;) {
      next.run(solver.get());
      const std::int64_t slab = next.list<std::int64_t>("slab").at(0);
      if (slab < 0) return;
      const bool is_first = next.list<std::uint8_t>("is_first").at(0) == 1;
      CCall visit(is_first ? "begin_cost_slab" : "continue_cost_slab");
      fill(visit, static_cast<std::size_t>(slab));
      visit.text("stage", stage).run(c_);
      CCall note("add_cost_slab");
      note.integer("slab", slab).numbers("above", visit.list<double>("above"));
      note.numbers("below", visit.list<double>("below")).run(solver.get());
    }
  }

  static constexpr std::size_t kCells = kRows * kColumns;
  std::vector<float> resistance_ = std::vector<float>(kCells);
  std::vector<float> cost_ = std::vector<float>(kCells, std::numeric_limits<float>::infinity());
  Indices site_ = Indices(kCells, -1), hops_ = Indices(kCells, -1);
  std::vector<std::int32_t> known_labels_ = std::vector<std::int32_t>(kCells);
};

TEST_F(CCostSlabs, EqualOneCall) {
  for (const char* const stage : {"costs", "sites", "hops"}) solve(stage);
  const CostDistance expected =
      cost_distance(CostMap::cost(map()), sites(), {}, {.back_link = true});
  for (std::size_t i = 0; i < 3; ++i) {
    CCall call("finish_cost_slab");
    fill(call, i);
    call.want("distance").want("back_link").want("labels").run(c_);
    const auto same = [&](const char* name, const auto* cells) {
      call.expect_same(name, View<const std::remove_cvref_t<decltype(*cells)>>(
                                 cells + kFirst[i] * kColumns, {kHeight[i], kColumns}));
    };
    same("distance", expected.distance.view<float>().data());
    same("labels", expected.labels.view<std::int32_t>().data());
    same("back_link", expected.back_link.data());
  }
  CCall wrong("begin_cost_slab");
  EXPECT_EQ(wrong.refusal(c_), "map is missing; must be one of cost, stiffness");
  EXPECT_EQ(thiessen_set_text(wrong.get(), "stage", "paths"), THIESSEN_INVALID_ARGUMENT);
  CCall note("add_cost_slab");
  EXPECT_EQ(thiessen_set_integer(note.get(), "slab", -1), THIESSEN_INVALID_ARGUMENT);
}

TEST(SlabBytes, GiveBackWhatTheyHold) {
  SlabSummary summary;
  summary.first.site = {1, 2};
  summary.first.labels = {std::byte{3}, std::byte{4}};
  summary.last.row = 9;
  summary.sites = 5;
  const std::vector<std::byte> bytes = slab_bytes(summary);
  EXPECT_EQ(slab_summary(bytes), summary);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(slab_summary({bytes.data(), size}), Error) << size;
  std::vector<std::byte> wrong = bytes;
  wrong[23] = std::byte{0x7f};  // the type of the sites
  EXPECT_THROW(slab_summary(wrong), Error);
  wrong = bytes;
  wrong[39] = std::byte{0x7f};  // the bytes of a vector
  EXPECT_THROW(slab_summary(wrong), Error);
}

}  // namespace
}  // namespace thiessen
