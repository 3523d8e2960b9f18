#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# Runs in a fresh system: installs the packages by the container recipe of docs/ci.md, then builds and runs the examples.
[ -n "${BASH_VERSION:-}" ] || exec bash "$0" "$@"
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8

echo "the recipe of docs/ci.md"
mkdir /context
cp /files/packages/*.deb /files/program.cpp /context
(cd /context && bash -e /files/container.sh)

/files/check/on_demand.sh /usr/lib/foothold
apt-get -qq install -y --no-install-recommends python3-numpy > /files/apt.log
/files/check/examples.sh /usr/lib/foothold

echo "programs on the path and the module, without set_env.sh"
cd /context
foothold version
atc --model=/files/examples/onnx_digits/digits.onnx --framework=5 --output=/context/digits > /files/atc.log
foothold run /files/examples/onnx_digits/digits.onnx --shape image:1,1,8,8 > /files/run.log
/usr/bin/python3 -c 'import acl; assert acl.init() == 0; print(acl.__file__)'

echo "removal"
foothold ascend-home link
[ -e /usr/local/Ascend/ascend-toolkit/latest/include/acl/acl.h ]
apt-get -qq remove -y foothold > /files/apt.log
[ ! -e /usr/local/Ascend ] && [ ! -e /usr/lib/foothold ] && [ ! -e /usr/lib/python3/dist-packages/acl ]
