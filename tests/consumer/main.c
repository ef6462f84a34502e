/* SPDX-License-Identifier: Apache-2.0 */
#include <thiessen/thiessen.h>

int main(void) {
  const int64_t extents[] = {2, 3};
  const uint8_t cells[] = {0, 0, 7, 0, 0, 0};
  uint8_t found[6] = {0};
  const thiessen_array sites = thiessen_contiguous(cells, THIESSEN_U8, 2, extents);
  const thiessen_array labels = thiessen_contiguous(found, THIESSEN_U8, 2, extents);
  thiessen_context* context = 0;
  thiessen_call* call = 0;
  int wrong = THIESSEN_VERSION_MAJOR != 0;
  wrong |= thiessen_context_new(0, 0, 0, &context) != THIESSEN_OK;
  wrong |= thiessen_call_new("nearest_site", &call) != THIESSEN_OK;
  wrong |= thiessen_set_input(call, "sites", &sites) != THIESSEN_OK;
  wrong |= thiessen_set_output(call, "labels", &labels) != THIESSEN_OK;
  wrong |= thiessen_run(context, call) != THIESSEN_OK;
  for (int i = 0; i < 6; ++i) wrong |= found[i] != 7;
  thiessen_call_free(call);
  thiessen_context_free(context);
  return wrong;
}
