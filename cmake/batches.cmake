# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# Several source files compiled as one: headers are read once a batch. Off, every file is compiled by itself, as
# `make alone-check` does to see that each still can be.
option(FOOTHOLD_BATCHES "Compile several source files as one" ON)

# batched_sources(<result> <name> <root> BYTES <most> SOURCES <file>... [ALONE <file>...])
# What to compile instead of the given files, whose paths below <root> are on the include path. A changed file may need
# another plan, so CMake plans again before the next build.
function(batched_sources result name root)
  cmake_parse_arguments(batch "" "BYTES" "SOURCES;ALONE" ${ARGN})
  if(NOT FOOTHOLD_BATCHES)
    set(${result} ${batch_SOURCES} PARENT_SCOPE)
    return()
  endif()
  set(files)
  foreach(source IN LISTS batch_SOURCES)
    file(RELATIVE_PATH path ${root} ${source})
    list(APPEND files ${path})
  endforeach()
  set(alone)
  foreach(source IN LISTS batch_ALONE)
    list(APPEND alone --alone ${source})
  endforeach()
  execute_process(COMMAND /usr/bin/python3 ${PROJECT_SOURCE_DIR}/cmake/plan_batches.py --root ${root}
                          --out ${CMAKE_BINARY_DIR}/batches/${name} --bytes ${batch_BYTES} ${alone} ${files}
                  OUTPUT_VARIABLE planned OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" planned "${planned}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${batch_SOURCES}
               ${PROJECT_SOURCE_DIR}/cmake/plan_batches.py)
  set(${result} ${planned} PARENT_SCOPE)
endfunction()
