#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# Takes what only debuggers need out of all libraries and programs below a folder.
#   packaging/strip.sh <folder>
set -eu
find "$1" -type f \( -name '*.so' -o -perm -u+x \) | while read -r file; do
  if head -c 4 "$file" | grep -q ELF; then
    strip --strip-unneeded --remove-section=.comment --remove-section=.note "$file"
  fi
done
