#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# Fetches the sources of the libraries that go into the tarball, in the versions whose headers are installed, from the
# package archives this machine is set up for. apt keeps its lists for sources below build/, not in the system.
#   packaging/third_party/fetch.sh <folder>    makes <folder>/fmtlib, <folder>/spdlog, ...
set -eu
folder=$1
mkdir -p "$folder/lists/partial" "$folder/parts"
cd "$folder"

# The same archives as for binaries, asked for sources.
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
  [ -e "$list" ] || continue
  sed -e 's/^Types:.*/Types: deb-src/' -e 's/^deb /deb-src /' "$list" > "parts/$(basename "$list")"
done
apt="apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts=$PWD/parts -o Dir::State::lists=$PWD/lists
  -o APT::Sandbox::User=root"

version() { # <Version or source:Version> <installed package>
  dpkg-query -W -f "\${$1}" "$2"
}

# Whether the sources of this version are there already.
have() { # <name> <version>
  [ "$(cat "$1.version" 2>/dev/null)" = "$2" ]
}

updated=
source_package() { # <name> <installed package>
  wanted=$(version source:Version "$2")
  have "$1" "$wanted" && return
  [ -n "$updated" ] || $apt update
  updated=yes
  rm -rf "$1" "$1.fetched" && mkdir "$1.fetched"
  (cd "$1.fetched" && $apt source "$1=$wanted" >/dev/null)
  mv "$1.fetched/$1"-*/ "$1"
  rm -rf "$1.fetched"
  echo "$wanted" > "$1.version"
}

# The Python package of ONNX holds the library's C++ sources, patched by Debian; its source package is ten times as
# large for its test data, and not every mirror has it.
onnx_sources() {
  wanted=$(version Version libonnx-dev)
  have onnx "$wanted" && return
  rm -rf onnx onnx.fetched && mkdir onnx.fetched
  (cd onnx.fetched && apt-get -qq -o APT::Sandbox::User=root download "python3-onnx=$wanted" &&
    dpkg-deb -x python3-onnx_*.deb .)
  mv onnx.fetched/usr/lib/python3/dist-packages onnx
  rm -rf onnx.fetched
  echo "$wanted" > onnx.version
}

source_package protobuf libprotobuf-dev
source_package highway libhwy-dev
source_package fmtlib libfmt-dev
source_package spdlog libspdlog-dev
onnx_sources
