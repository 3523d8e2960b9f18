#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# Makes the self-contained tarball of what is built in a build folder with -DFOOTHOLD_PORTABLE.
#   packaging/tarball.sh <build folder> <version> <output folder>
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1 version=$2 output=$(realpath "$3")
name=foothold-$version-linux-$(uname -m)
stage=$output/stage/$name

rm -rf "$output/stage"
cmake --install "$build" --prefix "$stage" > "$output/install.log"
"$here/strip.sh" "$stage"
cp "$here/../LICENSE" "$stage/LICENSE"

# The licences of what is linked in.
mkdir -p "$stage/share/doc/third_party"
for package in libfmt-dev libspdlog-dev nlohmann-json3-dev libhwy-dev libcli11-dev libprotobuf-dev libonnx-dev pybind11-dev; do
  cp -L "/usr/share/doc/$package/copyright" "$stage/share/doc/third_party/$package"
done

chmod -R u+rwX,go+rX,go-w "$stage"
tar -C "$output/stage" --sort=name --owner=0 --group=0 --numeric-owner \
  --mtime="@${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct)}" -cf - "$name" | xz -T0 > "$output/$name.tar.xz"
rm -rf "$output/stage"
