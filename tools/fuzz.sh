#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# Runs every fuzzer of build/fuzz for some seconds, from the seeds in tests/fuzz/corpus or build/fuzz/seeds. New inputs are kept in
# build/fuzz/corpus; an input that breaks something is named on the last lines.
#   tools/fuzz.sh SECONDS
set -eu
cd "$(dirname "$0")/.."
seconds=$1
ran=0
for program in build/fuzz/fuzz/fuzz_*; do
  [ -x "$program" ] || continue
  name=$(basename "$program")
  name=${name#fuzz_}
  found=build/fuzz/corpus/$name
  seeds=tests/fuzz/corpus/$name
  [ -d "$seeds" ] || seeds=build/fuzz/seeds/$name
  mkdir -p "$found"
  echo "== $name"
  "$program" -max_total_time="$seconds" -print_final_stats=1 -artifact_prefix="$found-" "$found" "$seeds"
  ran=$((ran + 1))
done
if [ "$ran" -eq 0 ]; then
  echo "tools/fuzz.sh: no fuzzers in build/fuzz/fuzz" >&2
  exit 1
fi
