#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# Brings ONNX Runtime, as its npm package, to build/peers for the benchmarks and comparisons. Without npm, or without
# a registry to ask, it says so and goes on: whoever uses the peer does without.
set -eu
package=onnxruntime-node@1.30.0
folder=build/peers
[ ! -e "$folder/node_modules/onnxruntime-node/package.json" ] || exit 0
if ! command -v npm >/dev/null; then
  echo "tools/peers.sh: npm is not installed, so there will be no comparison with ONNX Runtime" >&2
  exit 0
fi
mkdir -p "$folder"
npm install --ignore-scripts --no-audit --no-fund --loglevel=error --prefix "$folder" "$package" ||
  echo "tools/peers.sh: npm could not install $package, so there will be no comparison with ONNX Runtime" >&2
