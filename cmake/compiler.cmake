# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# Language level, warnings, sanitizers, and the fast tools a developer's machine may have.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 99)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM) # paths count from here, so that one checkout finds what another has compiled
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM AND NOT FOOTHOLD_FUZZ)
  add_link_options(-fuse-ld=mold)
endif()

add_compile_options(-Wall -Wextra)
# GCC 12 sees copies of a negative length in texts put together with + when it optimises most (its bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options($<$<CONFIG:Release>:-Wno-restrict>)
endif()
if(FOOTHOLD_WERROR)
  add_compile_options(-Werror)
endif()
if(FOOTHOLD_LOCKS_CHECK)
  add_compile_definitions(FOOTHOLD_LOCKS_CHECK)
  foreach(function IN ITEMS mutex_lock mutex_trylock mutex_unlock rwlock_rdlock rwlock_tryrdlock rwlock_wrlock
                            rwlock_trywrlock rwlock_unlock)
    list(APPEND FOOTHOLD_COUNTED_LOCKS -Wl,--wrap=pthread_${function})
  endforeach()
endif()
if(FOOTHOLD_ADDRESS_OFFSET)
  add_compile_definitions(FOOTHOLD_ADDRESS_OFFSET)
endif()
if(FOOTHOLD_SANITIZE)
  add_compile_options(-fsanitize=${FOOTHOLD_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${FOOTHOLD_SANITIZE})
  # Programs pass any number for an enum, and entry points must be able to look at it before they refuse it.
  add_compile_options(-fno-sanitize=enum)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU") # sees uninitialized values in instrumented code of the standard library
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
endif()
if(FOOTHOLD_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
