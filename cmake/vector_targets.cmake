# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# Instruction sets kernels are not built for. Kernels keep tiles of vectors in registers and structures, which vectors
# whose length is known only at run time cannot be part of: Arm processors use NEON. SSSE3 without SSE4 was last built in
# 2008; a fifth of the time kernels take to compile is not worth it.
set(FOOTHOLD_DISABLED_TARGETS "(HWY_SSSE3|HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128)")
# Kernels take a fifth of the time of a build for each instruction set. A build that stays where it is made has those of this
# machine's processor, beside the portable ones that every build has; packages carry all.
set(FOOTHOLD_KERNELS family CACHE STRING "Instruction sets of kernels: 'family' for this machine's, 'all' for packages")
set_property(CACHE FOOTHOLD_KERNELS PROPERTY STRINGS family all)
if(NOT FOOTHOLD_KERNELS MATCHES "^(family|all)$")
  message(FATAL_ERROR "FOOTHOLD_KERNELS is 'family' or 'all', and not '${FOOTHOLD_KERNELS}'")
endif()
# Instrumented kernels take minutes to compile for each instruction set, and fuzzers and sanitizers look for faults, not for
# speed: all sets have the same source, so AVX2 alone is built where that is to be had.
set(FOOTHOLD_BASELINE_OPTIONS)
if(FOOTHOLD_FUZZ OR FOOTHOLD_SANITIZE)
  string(REPLACE ")" "|HWY_SSE4|HWY_AVX3|HWY_AVX3_DL)" FOOTHOLD_DISABLED_TARGETS "${FOOTHOLD_DISABLED_TARGETS}")
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    set(FOOTHOLD_BASELINE_OPTIONS -march=x86-64-v3 -maes -mpclmul)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU") # takes the sources of a batch for headers, which may be included twice
    list(APPEND FOOTHOLD_BASELINE_OPTIONS -Wno-subobject-linkage)
  endif()
endif()
if(FOOTHOLD_KERNELS STREQUAL "family" AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64" AND NOT FOOTHOLD_BASELINE_OPTIONS)
  if(NOT DEFINED FOOTHOLD_BEST_TARGET)
    try_run(ran compiled ${CMAKE_BINARY_DIR}/best_target ${CMAKE_CURRENT_LIST_DIR}/best_target.cpp
            CMAKE_FLAGS -DCMAKE_CXX_STANDARD=20 LINK_LIBRARIES PkgConfig::HWY RUN_OUTPUT_VARIABLE best)
    if(compiled AND ran EQUAL 0)
      string(STRIP "${best}" best)
    else()
      message(WARNING "this machine's instruction set is not known: kernels are built for all")
      set(best "")
    endif()
    set(FOOTHOLD_BEST_TARGET "${best}" CACHE INTERNAL "The best instruction set of this machine that kernels know")
  endif()
  if(FOOTHOLD_BEST_TARGET)
    set(others SSE4 AVX2 AVX3)
    list(REMOVE_ITEM others ${FOOTHOLD_BEST_TARGET})
    list(TRANSFORM others PREPEND "|HWY_")
    list(JOIN others "" others)
    string(REPLACE ")" "${others})" FOOTHOLD_DISABLED_TARGETS "${FOOTHOLD_DISABLED_TARGETS}")
    message(STATUS "Kernels: ${FOOTHOLD_BEST_TARGET} and portable ones (FOOTHOLD_KERNELS=all for all instruction sets)")
  endif()
endif()
