# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# What is written from the table of the aclnn operators: the data of the functions, their entry points and the headers.
set(aclnn_tools ${PROJECT_SOURCE_DIR}/tools/aclnn)
file(GLOB aclnn_table CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/table/*.txt ${CMAKE_CURRENT_LIST_DIR}/table/*.lst)
list(APPEND aclnn_table ${aclnn_tools}/function_table.py)
# Who is mapped runs, and all others say that they do not.
file(GLOB_RECURSE aclnn_maps CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/maps/*)

set(entry_files 8)
set(aclnn_entries ${CMAKE_CURRENT_BINARY_DIR}/aclnn_entries)
set(entry_sources ${aclnn_entries}/functions.cpp)
math(EXPR last_file "${entry_files} - 1")
foreach(number RANGE ${last_file})
  list(APPEND entry_sources ${aclnn_entries}/entries_${number}.cpp)
endforeach()
add_custom_command(OUTPUT ${entry_sources}
                   COMMAND /usr/bin/python3 ${aclnn_tools}/write_entries.py ${aclnn_entries} ${entry_files}
                   DEPENDS ${aclnn_table} ${aclnn_maps} ${prototype_table} ${aclnn_tools}/write_entries.py
                           ${aclnn_tools}/by_default.py
                   COMMENT "Writing the entry points of the aclnn operators")
add_library(foothold_aclnn_entries OBJECT ${entry_sources})
target_include_directories(foothold_aclnn_entries PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)

# The headers as the toolkit tree has them; a program built in this tree links aclnn_headers to include them.
set(FOOTHOLD_ACLNN_HEADERS ${CMAKE_BINARY_DIR}/aclnn_headers)
set(FOOTHOLD_ALL_ACLNN ${CMAKE_BINARY_DIR}/all_aclnn_functions) # one header, for tests
add_custom_command(OUTPUT ${FOOTHOLD_ACLNN_HEADERS}.written
                   COMMAND ${CMAKE_COMMAND} -E rm -rf ${FOOTHOLD_ACLNN_HEADERS}
                   COMMAND /usr/bin/python3 ${aclnn_tools}/write_headers.py ${FOOTHOLD_ACLNN_HEADERS}
                   COMMAND /usr/bin/python3 ${aclnn_tools}/write_headers.py --all ${FOOTHOLD_ALL_ACLNN}/all_functions.h
                   COMMAND ${CMAKE_COMMAND} -E touch ${FOOTHOLD_ACLNN_HEADERS}.written
                   DEPENDS ${aclnn_table} ${aclnn_tools}/write_headers.py
                   COMMENT "Writing the headers of the aclnn operators")
add_custom_target(write_aclnn_headers ALL DEPENDS ${FOOTHOLD_ACLNN_HEADERS}.written)
add_library(aclnn_headers INTERFACE)
add_dependencies(aclnn_headers write_aclnn_headers)
target_include_directories(aclnn_headers INTERFACE ${FOOTHOLD_ACLNN_HEADERS} ${PROJECT_SOURCE_DIR}/include)
add_library(all_aclnn_functions INTERFACE)
target_link_libraries(all_aclnn_functions INTERFACE aclnn_headers)
target_include_directories(all_aclnn_functions INTERFACE ${FOOTHOLD_ALL_ACLNN})
install(DIRECTORY ${FOOTHOLD_ACLNN_HEADERS}/ DESTINATION include)
