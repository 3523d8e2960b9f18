#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# Installs the packages and unpacks the tarball in two fresh systems made by mmdebstrap, and builds and runs the examples
# there. Called by make package-check.
#   packaging/check/run.sh <folder of packages>
set -euo pipefail
cd "$(dirname "$0")/../.."
packages=$(realpath "$1")
work=$PWD/build/package_check
limit=$((40 * 1024 * 1024))
rm -rf "$work"
mkdir -p "$work/files"

say() { printf '\n=== package-check: %s ===\n' "$1"; }

say "sizes"
for file in "$packages"/*; do
  size=$(stat -c %s "$file")
  echo "$(basename "$file"): $size bytes"
  [ "$size" -lt "$limit" ] || { echo "$file has $size bytes; expected fewer than $limit" >&2; exit 1; }
done

say "lintian"
lintian --allow-root --fail-on error "$packages"/*.deb

say "what the tarball needs and shows"
tar -xJf "$packages"/foothold-*.tar.xz -C "$work"
packaging/check/elf_rules.py "$work"/foothold-*/

# What the fresh systems get of this checkout: packages, examples, and the commands of docs/ci.md.
cp -r "$packages" "$work/files/packages"
cp -r examples "$work/files/examples"
cp -r packaging/check tests/install/program.cpp tests/examples/example_test.py "$work/files"
/usr/bin/python3 packaging/check/page_commands.py workflow docs/ci.md > "$work/files/workflow.sh"
/usr/bin/python3 packaging/check/page_commands.py container docs/ci.md > "$work/files/container.sh"

# The archives and proxies of this machine.
archives=()
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
  [ ! -s "$list" ] || archives+=("$list")
done
apt-config dump | grep -E '^Acquire::(https?::Proxy|Check-Valid-Until)' > "$work/apt.conf" || true

in_fresh_system() { # <script> <packages>
  mmdebstrap --quiet --variant=apt --format=null --aptopt="$work/apt.conf" --include="$2" \
    --skip=cleanup/apt --customize-hook="copy-in \"$work/files\" /" \
    --customize-hook="chroot \"\$1\" sh /files/check/$1" \
    "$(. /etc/os-release && echo "$VERSION_CODENAME")" /dev/null "${archives[@]}"
}

say "the tarball in a fresh system"
in_fresh_system tarball.sh bash,ca-certificates,curl,g++,xz-utils,python3-dev,python3-dbg,python3-numpy
say "the Debian packages in a fresh system"
in_fresh_system debs.sh bash,ca-certificates
say "everything passed"
