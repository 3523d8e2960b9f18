# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# Instruction sets kernels are not built for. Kernels keep tiles of vectors in registers and structures, which vectors
# whose length is known only at run time cannot be part of: Arm processors use NEON. SSSE3 without SSE4 was last built in
# 2008; a fifth of the time kernels take to compile is not worth it.
set(FOOTHOLD_DISABLED_TARGETS "(HWY_SSSE3|HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128)")
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
