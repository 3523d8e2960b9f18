#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# Brings the peers of the benchmarks and comparisons, as their npm packages, to build/peers: ONNX Runtime, and ggml as
# node-llama-cpp ships it. Without npm, or without a registry to ask, it says so and goes on: whoever uses a peer does
# without.
set -eu
folder=build/peers

# bring NAME PACKAGE VERSION
bring() {
  [ ! -e "$folder/node_modules/$2/package.json" ] || return 0
  if ! command -v npm >/dev/null; then
    echo "tools/peers.sh: npm is not installed, so there will be no comparison with $1" >&2
    return 0
  fi
  mkdir -p "$folder"
  npm install --ignore-scripts --no-audit --no-fund --loglevel=error --prefix "$folder" "$2@$3" ||
    echo "tools/peers.sh: npm could not install $2@$3, so there will be no comparison with $1" >&2
}

bring 'ONNX Runtime' onnxruntime-node 1.30.0
case $(uname -m) in
x86_64) bring ggml @node-llama-cpp/linux-x64 3.22.1 ;;
aarch64) bring ggml @node-llama-cpp/linux-arm64 3.22.1 ;;
esac
