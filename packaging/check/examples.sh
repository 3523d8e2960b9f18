#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# Builds and runs every example as its README says, against an installed tree.
#   examples.sh <tree>
set -euo pipefail
count=0
for readme in /files/examples/*/README.md; do
  example=$(dirname "$readme")
  echo "example $(basename "$example")"
  /usr/bin/python3 /files/example_test.py readme "$example" "$1" "$(mktemp -d)" > /files/example.log 2>&1 ||
    { cat /files/example.log >&2; echo "the example $(basename "$example") failed" >&2; exit 1; }
  count=$((count + 1))
done
echo "$count examples ran"
[ "$count" -ge 20 ]
