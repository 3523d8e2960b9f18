#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# Runs the unit and operator tests of a build for all instruction sets, once with the kernels of each that this machine has.
#   tools/kernels_check.sh <build folder>
set -euo pipefail
tests=$1/tests
for set in SCALAR SSE4 AVX2 AVX3; do
  case "$set" in
    SCALAR) flag=flags ;; SSE4) flag=sse4_2 ;; AVX2) flag=avx2 ;; AVX3) flag=avx512vl ;;
  esac
  if ! grep -qw "$flag" /proc/cpuinfo; then
    echo "kernels_check: this machine has no $set"
    continue
  fi
  for program in unit_tests operator_tests; do
    echo "kernels_check: $program with $set"
    FOOTHOLD_TEST_KERNELS=$set "$tests/$program" --gtest_brief=1
  done
done
