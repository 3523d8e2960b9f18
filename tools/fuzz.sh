#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# Runs every fuzzer of build/fuzz for some seconds, or those that are named, from the seeds in tests/fuzz/corpus and
# build/fuzz/seeds. New inputs are kept in build/fuzz/corpus; an input that breaks something is named on the last lines.
#   tools/fuzz.sh SECONDS [NAME ...]
set -eu
cd "$(dirname "$0")/.."
seconds=$1
shift
# A request for much memory is answered as on a machine that has none left (tests/fuzz/limited_new.cpp). Operators may print.
export ASAN_OPTIONS="allocator_may_return_null=1:max_allocation_size_mb=512:alloc_dealloc_mismatch=0:${ASAN_OPTIONS:-}"
ran=0
for program in build/fuzz/fuzz/fuzz_*; do
  [ -x "$program" ] || continue
  name=$(basename "$program")
  name=${name#fuzz_}
  [ $# -eq 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
  found=build/fuzz/corpus/$name
  mkdir -p "$found"
  echo "== $name"
  "$program" -max_total_time="$seconds" -print_final_stats=1 -timeout=120 -rss_limit_mb=4096 \
    -artifact_prefix="$found-" "$found" $(find tests/fuzz/corpus build/fuzz/seeds -maxdepth 1 -name "$name" -type d)
  ran=$((ran + 1))
done
if [ "$ran" -eq 0 ]; then
  echo "tools/fuzz.sh: no fuzzers in build/fuzz/fuzz" >&2
  exit 1
fi
