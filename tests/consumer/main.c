/* SPDX-License-Identifier: Apache-2.0 */
#include <thiessen/thiessen.h>

int main(void) {
  const int64_t extents[] = {2, 3};
  const uint8_t sites[] = {0, 0, 7, 0, 0, 0};
  uint8_t labels[6] = {0};
  const thiessen_array input = thiessen_contiguous(sites, THIESSEN_U8, 2, extents);
  thiessen_nearest_site_outputs outputs = {.size = sizeof outputs};
  thiessen_context* context = 0;
  int wrong = 0;
  outputs.labels = thiessen_contiguous(labels, THIESSEN_U8, 2, extents);
  wrong |= thiessen_context_create(0, &context) != THIESSEN_OK;
  wrong |= thiessen_nearest_site(context, &input, 0, &outputs, 0) != THIESSEN_OK;
  for (int i = 0; i < 6; ++i) wrong |= labels[i] != 7;
  thiessen_context_destroy(context);
  return wrong;
}
