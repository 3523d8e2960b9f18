#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# Makes the Debian packages and the tarball: build/packages. Called by make package. What leaves this machine has kernels
# for all instruction sets.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
version=$(sed -n 's/^project(foothold VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
output=$PWD/build/packages
rm -rf "$output"
mkdir -p "$output"

echo "Packages: Debian packages from build/packaged"
cmake --preset packaged > "$output/packaged.log"
cmake --build build/packaged --parallel "$jobs" --target toolkit_parts
packaging/deb/build.sh build/packaged "$version" "$output"

echo "Packages: libraries of others, for the tarball (a few minutes the first time)"
packaging/third_party/fetch.sh "$PWD/build/third_party/sources"
cmake -S packaging/third_party -B build/third_party -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DSOURCES="$PWD/build/third_party/sources" > "$output/third_party.log"
cmake --build build/third_party --parallel "$jobs"

echo "Packages: the tarball from build/portable"
cmake --preset packaged -B build/portable \
  -DFOOTHOLD_PORTABLE="$PWD/build/third_party/lib" > "$output/portable.log"
cmake --build build/portable --parallel "$jobs" --target toolkit_parts
packaging/tarball.sh build/portable "$version" "$output"

rm -f "$output"/*.log
ls -l "$output"
