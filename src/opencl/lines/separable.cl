// SPDX-License-Identifier: Apache-2.0
//
// Exact nearest site, one axis after the other: only the best site of a row can win in a column,
// and only the best one of a plane can win across planes.
//
//   look_along_rows  x of the nearest site in the row of each cell, from bits (row_table.cl).
//   settle           Along y, and in 3-D then along z: which cell of its line has the best site.
//   combine_axes     From that to the site, and to what it has of S so far; at the end `finish`.
//
// settle: seen from the cells of a line, the part of S across it is a constant of each cell of the
// line, its `base`. A cell p further down beats one further up, in the order (S, site index), from
// some cell on, or never. So winners grow along the line, as positions: between two cells whose
// winners are known only the cells between these can win. The ends of all lines come first, then
// the cells half way between those known, and so on: each of these launches looks at every cell of
// a line once or twice at most, but has work for many more items than there are lines. From its own
// place outward a cell ends where the way along the line alone is longer than S of the best.
// (A. Aggarwal, M. M. Klawe, S. Moran, P. Shor, R. Wilber, "Geometric applications of a
// matrix-searching algorithm", 1987, has the monotony; halving is its simplest use.)
//
// Ties: the left site of a row, the upper row and the lower plane win, which together is the
// smaller site index. A periodic line is unrolled, half its length beyond both ends. Then the row
// that an image stands for decides a tie, and of two images of one row the first. Positions stay
// ordered by "beats from some cell on", as that holds whoever wins a tie.
//
// A line is what an outer number and x name: its cell k is outer * outer_step + k * step + x.
//
// Definitions beside those of measure.cl:
//
//   STATE    uint or ulong: a code, as in jump_flood.cl; beginning with x, axes are added above
//   NO_SITE  the base of a cell without a site: more than any S, by which it can grow

#define NONE ((STATE)-1)
#define NO_WINNER INT_MIN

// A part of all lines along an axis, for one launch. The host has the same struct (separable.cpp).
typedef struct {
  ulong outer_step;
  ulong step;
  ulong first_outer;
  SCALAR factor;
  int length;
  int period;  // the length, or 0
  int first_x;
  int end_x;
} Lines;

__kernel void look_along_rows(__global const uint* words, __global const int* before,
                              __global const int* after, ulong first_row, uint rows, int first_x,
                              int end_x, int width, int period, SCALAR factor,
                              __global SCALAR* base, __global STATE* code) {
  const int x = first_x + (int)get_global_id(0);
  if (x >= end_x || get_global_id(1) >= rows) return;
  const Rows table = {words, before, after};
  const size_t row = first_row + get_global_id(1);
  const size_t word = row * (size_t)((width + 31) / 32);
  int left = last_to(&table, word, x);
  int right = first_from(&table, word, x);
  int to_left = left < 0 ? INT_MAX : x - left;
  int to_right = right == INT_MAX ? INT_MAX : right - x;
  if (period != 0 && left < 0 && right != INT_MAX) {
    left = last_to(&table, word, width - 1);
    to_left = x - left + period;
  }
  if (period != 0 && right == INT_MAX && left >= 0) {
    right = first_from(&table, word, 0);
    to_right = right - x + period;
  }
  const bool is_left = to_left < to_right || (to_left == to_right && left < right);
  const int way = is_left ? to_left : to_right;
  const size_t cell = row * (size_t)width + x;
  base[cell] = way == INT_MAX ? NO_SITE : along(factor, way, 0, GREATEST);
  code[cell] = way == INT_MAX ? NONE : (STATE)(is_left ? left : right);
}

// The place on the line of a position, which may be that of an image.
int unwrap(const Lines* lines, int position) {
  if (PERIODIC && lines->period != 0) {
    if (position < 0) return position + lines->period;
    if (position >= lines->period) return position - lines->period;
  }
  return position;
}

// The best position so far.
typedef struct {
  SCALAR exact;
  int position;
} Best;

// Looks at a position; whether those beyond it can still win. `is_before` says that all positions
// seen so far are greater.
bool look(const Lines* lines, __global const SCALAR* line, int cell, int position, bool is_before,
          Best* best) {
  const int away = abs(position - cell);
  if (PERIODIC && lines->period != 0 && 2 * away > lines->period) return false;
  const SCALAR part = along(lines->factor, away, 0, GREATEST);
  if (part > best->exact) return false;
  const int place = unwrap(lines, position);
  const SCALAR exact = line[place * lines->step] + part;
  bool wins = exact < best->exact || (is_before && exact == best->exact);
  if (PERIODIC && lines->period != 0 && exact == best->exact && best->position != NO_WINNER) {
    const int other = unwrap(lines, best->position);
    wins = place < other || (place == other && position < best->position);
  }
  if (wins) {
    best->exact = exact;
    best->position = position;
  }
  return true;
}

int winner_between(const Lines* lines, __global const SCALAR* line, int cell, int first,
                   int last) {
  Best best = {GREATEST, NO_WINNER};
  int after = clamp(cell, first, last);
  int before = after - 1;
  while (after <= last || before >= first) {
    if (after <= last)
      after = look(lines, line, cell, after, false, &best) ? after + 1 : INT_MAX;
    if (before >= first)
      before = look(lines, line, cell, before, true, &best) ? before - 1 : INT_MIN;
  }
  return best.exact < NO_SITE ? best.position : NO_WINNER;
}

// Finds the winners of the cells half way between those 2 `gap` apart, which are known; gap = 0:
// of both ends of the lines. `cells` is their number on a line.
__kernel void settle(Lines lines, int gap, uint cells, __global const SCALAR* base,
                     __global int* winner) {
  const int x = lines.first_x + (int)get_global_id(0);
  const uint number = (uint)get_global_id(1);
  if (x >= lines.end_x || number >= cells) return;
  const size_t line = (lines.first_outer + get_global_id(2)) * lines.outer_step + x;
  winner += line;
  const int last_cell = lines.length - 1;
  int first = 0;
  int last = last_cell;
  int cell = number == 0 ? 0 : last_cell;
  if (gap != 0) {
    cell = gap * (2 * (int)number + 1);
    first = winner[(cell - gap) * lines.step];
    last = winner[min(cell + gap, last_cell) * lines.step];
  } else if (lines.period != 0) {
    first = -(lines.length / 2);
    last = last_cell + lines.length / 2;
  }
  const bool is_known = gap != 0 && first == last;  // there may be none, too
  winner[cell * lines.step] =
      is_known ? first : winner_between(&lines, base + line, cell, first, last);
}

// The code of the site that wins in a cell of a line, and the base of it for the next axis.
STATE site_of(const Lines* lines, int position, int shift, __global const STATE* code, size_t line) {
  const int place = unwrap(lines, position);
  return (STATE)place << shift | code[line + place * lines->step];
}

__kernel void combine_axes(Lines lines, uint cells, int shift, __global const SCALAR* base,
                           __global const STATE* code, __global const int* winner,
                           __global SCALAR* next_base, __global STATE* next_code) {
  const int x = lines.first_x + (int)get_global_id(0);
  const uint number = (uint)get_global_id(1);
  if (x >= lines.end_x || number >= cells) return;
  const size_t line = (lines.first_outer + get_global_id(2)) * lines.outer_step + x;
  const size_t cell = line + number * lines.step;
  const int position = winner[cell];
  if (position == NO_WINNER) {
    next_base[cell] = NO_SITE;
    next_code[cell] = NONE;
    return;
  }
  const int place = unwrap(&lines, position);
  next_base[cell] = base[line + place * lines.step] +
                    along(lines.factor, abs(position - (int)number), 0, GREATEST);
  next_code[cell] = site_of(&lines, position, shift, code, line);
}

// The codes of the sites that win in a piece of the raster, after the last axis, whose coordinate
// grows every `rows_of_cell` rows.
__kernel void finish(Lines lines, ulong first_row, uint rows, uint rows_of_cell, int width,
                     int shift, __global const STATE* code, __global const int* winner,
                     __global STATE* sites) {
  const int x = lines.first_x + (int)get_global_id(0);
  if (x >= lines.end_x || get_global_id(1) >= rows) return;
  const size_t row = first_row + get_global_id(1);
  const size_t cell = row * width + x;
  const size_t line = cell - row / rows_of_cell * lines.step;
  const int position = winner[cell];
  sites[get_global_id(1) * (lines.end_x - lines.first_x) + get_global_id(0)] =
      position == NO_WINNER ? NONE : site_of(&lines, position, shift, code, line);
}
