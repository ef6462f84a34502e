#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Nearest-site maps of real data, by the example program and by the command: `make demo`.
#
# usage: examples/demo.sh [BUILD_FOLDER [OUTPUT_FOLDER]]
set -euo pipefail
export LC_ALL=C # decimal points
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build=${1:-build/release}
out=${2:-out/demo}
start=$EPOCHREALTIME
mkdir -p "$out"

show() {
  printf '\n$ %s\n' "$*"
  "$@"
}

echo "1. Points: the zone whose principal city is nearest, at every place of the world."
show "$build/examples/world_time_zones" data/zone1970.tab "$out"
show "$build/cli/thiessen" render --labels "$out/time-zone-labels.npy" --distance "$out/time-zone-distance.npy" \
  --sites "$out/time-zone-sites.npy" --output "$out/time-zones.png" --overwrite

echo
echo "2. Lines and areas: the nearest coast, border or island between Asia and New Zealand."
echo "   Each connected line or area of the image is one site; a cell is 5 km wide."
show "$build/cli/thiessen" voronoi --sites data/coasts-and-borders.png --components 8 \
  --spacing 5000,5000 --labels "$out/coasts-labels.npy" --distance "$out/coasts-distance.npy" \
  --picture "$out/coasts.png" --timing --overwrite

echo
echo "Written:"
while read -r file what; do
  if [ ! -s "$out/$file" ]; then
    echo "demo: $out/$file is missing or empty" >&2
    exit 1
  fi
  printf '  %-36s %s\n' "$out/$file" "$what"
done << 'FILES'
time-zones.png           picture: a colour for each time zone's cell, its principal city in black
time-zone-sites.npy      the cities as a raster: label of the zone, 0 elsewhere
time-zone-labels.npy     for every cell the label of the nearest city's zone
time-zone-distance.npy   for every cell the distance to that city in metres
coasts.png               picture: a colour for each line's or area's cell, the lines and areas in black
coasts-labels.npy        for every cell the number of the nearest line or area
coasts-distance.npy      for every cell the distance to it in metres
FILES

awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "\nTotal time: %.2f s\n", b - a }'
