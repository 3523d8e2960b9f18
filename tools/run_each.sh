#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# Runs every program of a folder whose name matches, one after the other; fails when one fails or there is none.
#   tools/run_each.sh KIND FOLDER PATTERN [ARGUMENT...]
set -eu
kind=$1 folder=$2 pattern=$3
shift 3
programs=$(find "$folder" -maxdepth 1 -type f -perm -u+x -name "$pattern" 2>/dev/null | sort)
if [ -z "$programs" ]; then
  echo "tools/run_each.sh: no $kind in $folder" >&2
  exit 1
fi
for program in $programs; do
  echo "== $(basename "$program")"
  "$program" "$@"
done
