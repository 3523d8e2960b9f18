# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# The tree programs build and run against, laid out like the toolkit they expect (docs/toolkit.md). The target `toolkit`
# makes it in build/toolkit; cmake --install makes the same tree anywhere, and it may be moved as a whole. What else
# belongs into it is installed by the folders it is built in, below src and tools.

# The release whose interface the headers follow; version questions are answered with it.
set(FOOTHOLD_INTERFACE_VERSION 8.5.0)

# Every library name that programs link, load or look for, and that this library can honour.
set(FOOTHOLD_LIBRARY_NAMES
    ascendcl acl_rt acl_mdl acl_op_executor acl_op_compiler acl_cblas acl_dvpp acl_dvpp_mpi acl_retr
    acl_tdt_channel acl_tdt_queue ascend_dump ascendalog msprofiler nnopbase opapi opapi_math opapi_nn opapi_cv
    opapi_transformer opapi_legacy hccl hcomm graph graph_base metadef ge_runner ge_runner_v2 ge_compiler
    ge_common_base fmk_onnx_parser fmk_parser register eager_style_graph_builder_base opsproto
    # below the interface: prebuilt programs name them, and call what docs/toolkit.md lists or nothing at all
    runtime ascend_hal profapi slog c_sec platform error_manager ascend_protobuf opt_feature cann_kb compress
    opskernel host_cpu_engine slice aoe_executor acl_dvpp_op)

# All names are links to one file, so the loader sees one library whatever a program asks for. Its SONAME is the name
# programs already carry: what was linked here starts elsewhere, and what was linked elsewhere starts here.
set_target_properties(foothold PROPERTIES NO_SONAME ON)
target_link_options(foothold PRIVATE -Wl,-soname,libascendcl.so)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
file(CREATE_LINK libfoothold.so ${CMAKE_BINARY_DIR}/lib/libascendcl.so SYMBOLIC)

install(TARGETS foothold foothold_onnx_reader LIBRARY DESTINATION lib64)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION include FILES_MATCHING PATTERN "*.h")
install(DIRECTORY DESTINATION bin)
install(CODE "set(names ${FOOTHOLD_LIBRARY_NAMES})\nset(arch ${CMAKE_SYSTEM_PROCESSOR})"
        SCRIPT ${CMAKE_CURRENT_LIST_DIR}/toolkit_links.cmake)

set(generated ${CMAKE_BINARY_DIR}/toolkit_files)
include(CMakePackageConfigHelpers)
configure_file(${CMAKE_CURRENT_LIST_DIR}/FootholdConfig.cmake.in ${generated}/FootholdConfig.cmake @ONLY)
write_basic_package_version_file(${generated}/FootholdConfigVersion.cmake COMPATIBILITY SameMinorVersion)
configure_file(${CMAKE_CURRENT_LIST_DIR}/foothold.pc.in ${generated}/foothold.pc @ONLY)
install(FILES ${generated}/FootholdConfig.cmake ${generated}/FootholdConfigVersion.cmake
        DESTINATION lib64/cmake/Foothold)
install(FILES ${generated}/foothold.pc DESTINATION lib64/pkgconfig)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/set_env.sh DESTINATION .)
# The packages of src/base/version.cpp that have files in a toolkit, and where older and newer programs look for theirs.
foreach(package IN ITEMS toolkit runtime compiler opp opp_kernel hccl ops_math ops_nn ops_cv ops_legacy ops_transformer)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/version.info.in ${generated}/${package}/version.info @ONLY)
  install(FILES ${generated}/${package}/version.info DESTINATION share/info/${package})
endforeach()
set(package toolkit)
configure_file(${CMAKE_CURRENT_LIST_DIR}/version.info.in ${generated}/ascend_toolkit_install.info @ONLY)
install(FILES ${generated}/ascend_toolkit_install.info DESTINATION ${CMAKE_SYSTEM_PROCESSOR}-linux)

# All libraries and programs that are built below a folder.
function(built_below folder result)
  get_property(found DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS found)
    get_target_property(type ${target} TYPE)
    if(type MATCHES "EXECUTABLE|SHARED_LIBRARY|MODULE_LIBRARY")
      list(APPEND targets ${target})
    endif()
  endforeach()
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(below IN LISTS folders)
    built_below(${below} more)
    list(APPEND targets ${more})
  endforeach()
  set(${result} ${targets} PARENT_SCOPE)
endfunction()
built_below(${PROJECT_SOURCE_DIR}/src libraries)
built_below(${PROJECT_SOURCE_DIR}/tools programs)

add_custom_target(toolkit_parts DEPENDS ${libraries} ${programs} write_op_headers write_aclnn_headers)
set(toolkit ${PROJECT_SOURCE_DIR}/build/toolkit)
add_custom_target(toolkit
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${toolkit}
  COMMAND ${CMAKE_COMMAND} --install ${CMAKE_BINARY_DIR} --prefix ${toolkit} > ${generated}/install.log
  COMMAND ${CMAKE_COMMAND} -E echo "The toolkit tree is build/toolkit: source build/toolkit/set_env.sh"
  DEPENDS toolkit_parts VERBATIM COMMENT "Laying out build/toolkit")
