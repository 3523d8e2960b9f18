// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a stream does at one moment, as the library sees it: for those who look whether it can ever go on. A
// plain value.
#pragma once

#include <cstdint>

namespace foothold {

struct StreamFacts {
  const void* key = nullptr;
  int id = 0;
  bool runs = false;      // a task of the library's
  bool blocked = false;   // its task waits for something
  bool function = false;  // a function of the program runs and holds it up
  bool letters = false;   // callbacks that have left it are not over
  std::uint64_t progress = 0;
  // The thread its next callback needs, as pthread_self knows it; 0: none. Whether that is inside
  // aclrtProcessReport now, and whether it ever was.
  std::uint64_t needs = 0;
  bool attended = false, ever_attended = false;
};

}  // namespace foothold
