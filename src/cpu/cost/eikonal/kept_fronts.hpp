// SPDX-License-Identifier: Apache-2.0
//
// The fronts of a solver: what Eikonal cost distance (core/cost/eikonal.hpp) knows of each cell,
// and its repair after some values of the map and some sites have changed.
//
//   starts   Straight lines from the sites around a cell, or through a changed cell, are followed
//            again.
//   order    A cell is raised to infinity if neither its start nor its neighbours explain its order
//            any more, until there is none. Then cells are lowered. The equations have one
//            solution, and what is left after raising lies nowhere below it; so any order of work
//            ends there.
//   answers  A cell is answered again if an input of its equation changed, in the new order; those
//            behind it follow if its answer is another one.
#pragma once

#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include "core/cost/site_table.hpp"
#include "core/cost/straight_lines.hpp"
#include "cpu/cost/eikonal/starts.hpp"
#include "cpu/cost/repair.hpp"

namespace thiessen::cpu::eikonal {

class KeptFronts {
 public:
  using Value = double;
  static constexpr bool kHasHops = false;
  /// So many times more cells are repaired than where steps are kept: finding all fronts anew takes
  /// eight times as long as finding all costs of steps, a repair not twice as long.
  static constexpr std::int64_t kRepairsMore = 8;

  /// `arrays` has the map, and gets costs and sites. All references must outlive this object.
  KeptFronts(ContextState& state, const CostProblem& problem,
             const cost::SolverArrays<double>& arrays, const CostSiteTable& sites, bool has_links,
             Scratch::Frame& memory);

  /// Finds all answers anew, and writes costs, and sites by their ranks, into `to`. There are no
  /// blocked faces.
  void find(const CostSites<double>& sites, const PlacedSteps<double>* faces,
            const cost::SolverArrays<double>& to);

  /// As those of cost::Repair.
  bool run(const cost::Edits<double>& edits, std::int64_t most);
  void roll_back() noexcept;
  const std::vector<cost::Touched<double>>& touched() const { return changed_; }
  const std::vector<std::int64_t>& relinked() const { return relinked_; }
  std::uint8_t back_link(std::int64_t cell) const { return numbers_[side_[cell]]; }
  std::size_t bytes() const;

 private:
  /// All that is known of a cell.
  struct Kept {
    std::int64_t cell;
    double start;
    Rank start_site;
    double order;
    double cost;  ///< without the limit
    CellWord word;
    std::int64_t direction[2];
    double written_cost;
    Rank written_site;
    std::uint8_t side;
  };
  struct Waiting {
    double order;
    std::int64_t cell;
    bool operator>(const Waiting& other) const {
      return order > other.order || (order == other.order && cell > other.cell);
    }
  };
  using Queue = std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>>;

  Kept kept(std::int64_t cell) const;
  void touch(std::int64_t cell);
  bool is_too_much() const { return std::ssize(touched_) > most_; }

  bool find_all(const cost::Edits<double>& edits);
  void find_starts(const cost::Edits<double>& edits);
  void restart_around(std::int64_t site_cell);
  void start(std::int64_t cell);
  bool find_order(const cost::Edits<double>& edits);
  bool raise();
  bool lower();
  double lowered(std::int64_t cell) const;
  bool is_explained(std::int64_t cell) const;
  void neighbours(std::int64_t cell, AlongAxes& least, AlongAxes& steepness) const;
  bool find_answers();
  void wait(std::int64_t cell);
  void answer(std::int64_t cell);
  CellWord earlier_sides(std::int64_t cell) const;
  bool touch_region(Rank site);
  void finish();
  void relink();
  std::size_t side_over(std::int64_t cell) const;

  template <class Visit>
  void for_each_side(std::int64_t cell, const Visit& visit) const;
  template <class Visit>
  void for_each_behind(std::int64_t cell, const Visit& visit) const;
  template <class Visit>
  void for_each_line(std::int64_t cell, const Visit& visit) const;

  ContextState& state_;
  const CostProblem& problem_;
  const cost::SolverArrays<double>& arrays_;
  const CostSiteTable& sites_;
  Ground ground_;
  thiessen::eikonal::StraightLines lines_;
  LinksOfSides numbers_;
  double* start_ = nullptr;
  Rank* start_site_ = nullptr;  ///< id
  double* order_ = nullptr;
  Answers answers_;
  std::uint8_t* side_ = nullptr;  ///< null: no links are wanted
  std::vector<std::uint8_t> marks_;

  std::int64_t most_ = 0;
  std::vector<Kept> touched_;            ///< as they were
  std::vector<std::int64_t> restarted_;  ///< cells whose lines were followed again
  std::vector<std::int64_t> pending_;    ///< cells to look at
  std::vector<std::int64_t> raised_;
  std::vector<cost::Touched<double>> changed_;  ///< as others see it
  std::vector<std::int64_t> relinked_;
  Queue queue_;
};

}  // namespace thiessen::cpu::eikonal
