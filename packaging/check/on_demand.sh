#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# Installs the libraries that are loaded on demand, by the commands foothold doctor gives for those that are missing.
#   on_demand.sh <tree>
set -euo pipefail
commands() { { "$1/bin/foothold" doctor || true; } | grep -oE 'apt-get install lib[a-z0-9-]+' || true; }
missing=$(commands "$1")
[ "$(echo "$missing" | wc -l)" -ge 4 ] || { echo "foothold doctor misses only: $missing" >&2; exit 1; }
apt-get -qq update
echo "$missing" | sed 's/.* //' | xargs apt-get -qq install -y --no-install-recommends > /files/apt.log
left=$(commands "$1")
[ -z "$left" ] || { echo "foothold doctor still says: $left" >&2; exit 1; }
