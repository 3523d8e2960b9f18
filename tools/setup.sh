#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# Installs the Debian packages that are missing, and costs a fraction of a second when none is.
#   tools/setup.sh [bench] [zoo] [fuzz] [coverage] [browser] [aarch64] [package] [chat] [cluster] [media] [training] [torch]
set -eu

packages="build-essential cmake ninja-build ccache mold pkg-config python3 git clang clang-format
  libgtest-dev libgmock-dev libbenchmark-dev libfmt-dev libspdlog-dev nlohmann-json3-dev libhwy-dev libcli11-dev
  libucx-dev protobuf-compiler libprotobuf-dev libonnx-dev libonnx-testdata libxxhash-dev
  pybind11-dev python3-dev python3-numpy libturbojpeg0 libpng16-16 libopenh264-dev libde265-dev"
foreign=
for group in "$@"; do
  case "$group" in
    bench) packages="$packages pocl-opencl-icd ocl-icd-opencl-dev libboost-dev libtbb-dev libonnx-dev
      libopencv-imgproc-dev libyuv-dev libjpeg-dev libopenmpi-dev openmpi-bin" ;;
    fuzz) packages="$packages libclang-rt-14-dev" ;;
    zoo) packages="$packages python3-torch python3-torchvision python3-onnx" ;;
    coverage) packages="$packages gcovr" ;;
    chat) packages="$packages python3-torch libopenblas0-pthread" ;;
    training) packages="$packages python3-torch libopenblas0-pthread" ;;
    torch) packages="$packages python3-venv" ;;
    cluster) packages="$packages iproute2 iptables util-linux libucx0" ;;
    media) packages="$packages libopencv-imgproc-dev libyuv-dev" ;;
    browser) packages="$packages chromium" ;;
    package) packages="$packages dpkg-dev lintian mmdebstrap patchelf python3-yaml" ;;
    aarch64)
      foreign=arm64
      packages="$packages g++-aarch64-linux-gnu qemu-user libgtest-dev:arm64 libhwy-dev:arm64 libfmt-dev:arm64
        libspdlog-dev:arm64"
      ;;
    *)
      echo "tools/setup.sh: unknown group '$group' (bench, zoo, fuzz, coverage, browser, aarch64, package, chat, cluster, media, training, torch)" >&2
      exit 2
      ;;
  esac
done

if ! command -v dpkg-query >/dev/null; then
  echo "tools/setup.sh: not a Debian system; make sure that these are installed:" $packages >&2
  exit 0
fi

format='${db:Status-Status} ${Package}\n${db:Status-Status} ${Package}:${Architecture}\n'
installed=$(dpkg-query -W -f "$format" $packages 2>/dev/null | sed -n 's/^installed //p')
missing=
for package in $packages; do
  case "
$installed
" in
    *"
$package
"*) ;;
    *) missing="$missing $package" ;;
  esac
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "tools/setup.sh: missing packages, and neither root nor sudo to install them:$missing" >&2
    exit 1
  fi
  as_root="sudo"
fi
echo "tools/setup.sh: installing$missing"
[ -z "$foreign" ] || $as_root dpkg --add-architecture "$foreign"
$as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
