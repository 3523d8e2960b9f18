#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# Builds the toolkit tree and runs the demonstration against it, as a user's program would: nothing but set_env.sh is
# sourced. Called by make demo.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
cmake --build --preset release --target toolkit foothold_demo
. build/toolkit/set_env.sh
exec "$(find build/release -type f -perm -u+x -name foothold_demo | head -n 1)" "$@"
