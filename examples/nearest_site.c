/* SPDX-License-Identifier: Apache-2.0 */
/* The example of docs/c-api.md, as it stands there. */
/* [example] */
#include <stdio.h>
#include <thiessen/thiessen.h>

/* Distance in metres from every cell of 30 m by 30 m to the nearest road; 0, or 1 on failure. */
static int distance_to_roads(const uint8_t* roads, int64_t height, int64_t width, float* metres) {
  const int64_t extents[] = {height, width};
  const double spacing[] = {30.0, 30.0};
  const thiessen_array sites = thiessen_contiguous(roads, THIESSEN_U8, 2, extents);
  const thiessen_array distance = thiessen_contiguous(metres, THIESSEN_F32, 2, extents);

  thiessen_context* context = NULL;
  thiessen_call* call = NULL;
  const int failed = thiessen_context_new("cpu", 0, NULL, &context) != THIESSEN_OK ||
                     thiessen_call_new("nearest_site", &call) != THIESSEN_OK ||
                     thiessen_set_numbers(call, "spacing", spacing, 2) != THIESSEN_OK ||
                     thiessen_set_input(call, "sites", &sites) != THIESSEN_OK ||
                     thiessen_set_output(call, "distance", &distance) != THIESSEN_OK ||
                     thiessen_run(context, call) != THIESSEN_OK;
  if (failed) fprintf(stderr, "%s\n", thiessen_last_error());
  thiessen_call_free(call);
  thiessen_context_free(context);
  return failed;
}

int main(void) {
  const uint8_t roads[] = {0, 0, 1, 0, /* */
                           0, 0, 1, 0};
  float metres[8];
  if (distance_to_roads(roads, 2, 4, metres) != 0) return 1;
  for (int cell = 0; cell < 8; ++cell) printf("%g%c", metres[cell], cell % 4 == 3 ? '\n' : ' ');
  return 0;
}
/* [example] */
