#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# Builds the toolkit tree, then builds and runs examples/pipeline against it as a user's program would be: with
# set_env.sh and a compiler line. Called by make demo.
set -eu
cd "$(dirname "$0")/.."
cmake --build --preset release --target toolkit
. build/toolkit/set_env.sh
mkdir -p build/demo
g++ -std=c++11 -O2 examples/pipeline/main.cpp -I"$ASCEND_TOOLKIT_HOME/include" -L"$ASCEND_TOOLKIT_HOME/lib64" \
  -lascendcl -pthread -o build/demo/pipeline
build/demo/pipeline "$@"
