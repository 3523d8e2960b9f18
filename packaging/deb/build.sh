#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# Makes the Debian packages of what is built in a build folder: the toolkit tree in /usr/lib/foothold with its programs
# on the path, and the Python module.
#   packaging/deb/build.sh <build folder> <version> <output folder>
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1 version=$2 output=$(realpath "$3")
stage=$output/stage
architecture=$(dpkg --print-architecture)
main=$stage/foothold python=$stage/python3-foothold-acl
tree=usr/lib/foothold
module=$tree/python/site-packages

lay_out() {
  rm -rf "$stage"
  cmake --install "$build" --prefix "$main/$tree" > "$output/install.log"
  "$here/../strip.sh" "$main"
  mkdir -p "$main/usr/bin" "$python/$tree" "$python/usr/lib/python3/dist-packages"
  local program
  for program in "$main/$tree/bin"/*; do
    ln -s "../lib/foothold/bin/$(basename "$program")" "$main/usr/bin/"
  done
  mv "$main/$tree/python" "$python/$tree/python"
  ln -s ../../foothold/python/site-packages/acl "$python/usr/lib/python3/dist-packages/acl"
  # $ORIGIN is where the interpreter found the module, which is the link above.
  patchelf --set-rpath "/$tree/lib64" "$python/$module"/acl/*.so
}

# What the files of a package need, as dpkg-shlibdeps has it.
depends_of() { # <package folder>
  local files
  files=$(find "$1" -type f -exec sh -c 'head -c 4 "$1" | grep -q ELF' _ {} \; -print)
  mkdir -p "$output/debian"
  printf 'Source: foothold\n\nPackage: foothold\nArchitecture: any\n' > "$output/debian/control"
  (cd "$output" && dpkg-shlibdeps -O --ignore-missing-info --warnings=0 -S"$main" -l"$main/$tree/lib64" $files 2> "$output/shlibdeps.log") |
    sed -n 's/^shlibs:Depends=//p'
}

# A module for one minor version of the interpreter.
python_range() {
  /usr/bin/python3 -c 'import sys; a, b = sys.version_info[:2]; print(f"python3 (>= {a}.{b}~), python3 (<< {a}.{b + 1})")'
}

document() { # <package folder>
  local docs=$1/usr/share/doc/$(basename "$1") date
  date=$(date -R -d "@${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct)}")
  mkdir -p "$docs"
  cp "$here/copyright" "$docs/copyright"
  printf 'foothold (%s) stable; urgency=medium\n\n  * Release %s.\n\n -- %s  %s\n' "$version" "$version" \
    "$(sed -n 's/^Maintainer: //p' "$here/foothold.control")" "$date" | gzip -9n > "$docs/changelog.gz"
  if [ -e "$here/$(basename "$1").overrides" ]; then
    install -Dm 644 "$here/$(basename "$1").overrides" "$1/usr/share/lintian/overrides/$(basename "$1")"
  fi
}

control() { # <package folder>
  local name=$(basename "$1")
  mkdir -p "$1/DEBIAN"
  sed -e "s/@version@/$version/" -e "s/@architecture@/$architecture/" -e "s/@size@/$(du -sk "$1" | cut -f1)/" \
    -e "s/@depends@/$(depends_of "$1")/" -e "s/@python@/$(python_range)/" "$here/$name.control" > "$1/DEBIAN/control"
  [ ! -e "$here/$name.prerm" ] || install -m 755 "$here/$name.prerm" "$1/DEBIAN/prerm"
}

lay_out
for package in "$main" "$python"; do
  document "$package"
  control "$package"
  chmod -R u+rwX,go+rX,go-w "$package"
  dpkg-deb --root-owner-group -Zxz --build "$package" "$output/$(basename "$package")_${version}_$architecture.deb" >/dev/null
done
rm -rf "$stage" "$output/debian"
