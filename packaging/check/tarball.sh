#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# Runs in a fresh system without any library the tarball brings along: the workflow of docs/ci.md, the libraries that
# foothold doctor asks for, the examples, the Python module for another interpreter, and last the same beside Debian's
# protobuf and OpenCV.
[ -n "${BASH_VERSION:-}" ] || exec bash "$0" "$@"
set -euo pipefail
export HOME=/runner LC_ALL=C.UTF-8
mkdir -p "$HOME"
if ls /usr/lib/*/libprotobuf.so* /usr/lib/*/libfmt.so* 2>/dev/null; then
  echo "this system has libraries the tarball should bring along" >&2
  exit 1
fi

echo "the workflow of docs/ci.md"
mkdir /checkout
cp /files/program.cpp /checkout/program.cpp
(cd /checkout && FOOTHOLD_URL="file://$(ls /files/packages/*.tar.xz)" bash -e /files/workflow.sh)

tree=/shipped
mkdir $tree
tar -xJf /files/packages/*.tar.xz --strip-components=1 -C $tree
/files/check/on_demand.sh "$tree"
/files/check/examples.sh "$tree"

echo "the paths programs hard-code"
"$tree/bin/foothold" ascend-home link
g++ -std=c++11 /files/program.cpp -I/usr/local/Ascend/ascend-toolkit/latest/include \
  -L/usr/local/Ascend/ascend-toolkit/latest/lib64 -lascendcl -o /checkout/hard_coded
(source /usr/local/Ascend/ascend-toolkit/set_env.sh && /checkout/hard_coded)
"$tree/bin/foothold" ascend-home unlink
[ ! -e /usr/local/Ascend ]

echo "the Python module, built here"
"$tree/bin/foothold-build-python" /usr/bin/python3-dbg
(source "$tree/set_env.sh" && python3-dbg -c 'import acl; assert acl.init() == 0; print(acl.__file__)') | grep 311d
mkdir /elsewhere
mv "$tree"/python/site-packages/acl/*.so /elsewhere
if (source "$tree/set_env.sh" && python3 -c 'import acl') 2> /files/message; then
  echo "import acl works without a module" >&2
  exit 1
fi
grep -q "Build it with: $tree/bin/foothold-build-python /usr/bin/python3" /files/message
mv /elsewhere/*.so "$tree/python/site-packages/acl/"

/files/check/other_copies.sh "$tree"
