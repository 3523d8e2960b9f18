// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How the client programs stop: at the first call that does not answer what the program it stands for relies
// on.
#pragma once

#include <cstdio>
#include <cstdlib>

// Ends with _Exit: the program may be inside a destructor that runs at exit.
#define REQUIRE(condition)                                                           \
  do {                                                                               \
    if (!(condition)) {                                                              \
      std::fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      std::_Exit(1);                                                                 \
    }                                                                                \
  } while (false)
