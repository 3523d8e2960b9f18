# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# Libraries of others that the library and its tools use; tools/setup.sh installs them.
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(HWY REQUIRED IMPORTED_TARGET libhwy)
# Only its headers: it is loaded where it is needed.
find_path(UCX_INCLUDE_DIR ucp/api/ucp.h REQUIRED)
find_package(Protobuf REQUIRED)
find_package(ONNX REQUIRED)

# Its headers give maps another layout under the thread sanitizer, which the library was not built with.
if(FOOTHOLD_SANITIZE MATCHES "thread")
  set(FOOTHOLD_PROTOBUF_OPTIONS -U__SANITIZE_THREAD__)
endif()

set(FOOTHOLD_PORTABLE "" CACHE PATH "Folder of archives to link instead of shared libraries (cmake/portable.cmake)")
if(FOOTHOLD_PORTABLE)
  include(portable)
endif()
