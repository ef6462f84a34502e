// SPDX-License-Identifier: Apache-2.0
//
// Sites as bits of rows: RowTable of row_table.hpp.
//
// A word has the bits of 32 cells of a row. With it are stored the last site before and the first
// one behind, so two reads find the next site along a row.

typedef struct {
  __global const uint* words;
  __global const int* before;  // last site before the word, or -1
  __global const int* after;   // first site behind it, or INT_MAX
} Rows;

// The first site of a row from x on; `row` is the first word of the row.
int first_from(const Rows* rows, size_t row, int x) {
  const size_t word = row + (x >> 5);
  const uint some = rows->words[word] >> (x & 31);
  return some != 0 ? x + (int)popcount((some & -some) - 1) : rows->after[word];
}

// The last site up to x.
int last_to(const Rows* rows, size_t row, int x) {
  const size_t word = row + (x >> 5);
  const uint some = rows->words[word] & 0xffffffffu >> (31 - (x & 31));
  return some != 0 ? (x & ~31) + 31 - (int)clz(some) : rows->before[word];
}
