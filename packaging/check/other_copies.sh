#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# The tarball in one process with Debian's protobuf and OpenCV, loaded before it and after it.
#   other_copies.sh <tree>
set -euo pipefail
tree=$1
apt-get -qq update
apt-get -qq install -y --no-install-recommends libprotobuf-dev libopencv-dnn406 > /files/apt.log
source "$tree/set_env.sh"
work=$(mktemp -d)
ours="-L$tree/lib64 -lfmk_onnx_parser -lge_runner -lgraph -lascendcl"
others="-lprotobuf -l:libopencv_dnn.so.406"

# Both use their protobuf: the example reads an ONNX model, the other file writes and reads messages of its own.
run_with() { # <name> <libraries in their order>
  g++ -std=c++17 /files/examples/onnx_digits/main.cpp /files/check/uses_protobuf.cpp -I"$tree/include" \
    -Wl,--no-as-needed $2 -pthread -o "$work/$1"
  "$work/$1" /files/examples/onnx_digits/ > "$work/$1.log" || { cat "$work/$1.log" >&2; return 1; }
  grep -q "of 360 images right" "$work/$1.log" && grep -q "other protobuf: 3 fields" "$work/$1.log"
  echo "works: $1"
}
run_with others_first "$others $ours"
run_with ours_first "$ours $others"

load() { # <statements>
  (cd /files && python3 -c "
import ctypes
def others():
    ctypes.CDLL('libopencv_dnn.so.406', ctypes.RTLD_GLOBAL)
$1
assert acl.init() == 0
graph = ctypes.CDLL('$tree/lib64/libfoothold_onnx.so')
")
  echo "works in Python: $1" | tr '\n' ' ' && echo
}
load 'others(); import acl'
load 'import acl; others()'
