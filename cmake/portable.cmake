# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# -DFOOTHOLD_PORTABLE=<folder of archives>: the libraries of others are linked in from the archives that
# packaging/third_party builds, and none of their symbols is seen outside. Everything is compiled as without this: the
# headers and definitions are the same, only what is linked differs.
function(link_archive target archive)
  set(path ${FOOTHOLD_PORTABLE}/${archive})
  if(NOT EXISTS ${path})
    message(FATAL_ERROR "${path} is missing: make package builds it")
  endif()
  get_target_property(kind ${target} TYPE)
  if(kind STREQUAL "INTERFACE_LIBRARY")
    set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES ${path})
  else()
    string(TOUPPER "${CMAKE_BUILD_TYPE}" configuration)
    set_target_properties(${target} PROPERTIES IMPORTED_LOCATION_${configuration} ${path} IMPORTED_LOCATION ${path}
                          IMPORTED_CONFIGURATIONS ${configuration})
  endif()
endfunction()

link_archive(fmt::fmt libfmt.a)
link_archive(spdlog::spdlog libspdlog.a)
link_archive(PkgConfig::HWY libhwy.a)
link_archive(protobuf::libprotobuf libprotobuf.a)
link_archive(onnx libonnx.a)
link_archive(onnx_proto libonnx.a)
add_link_options(-Wl,--exclude-libs,ALL)
