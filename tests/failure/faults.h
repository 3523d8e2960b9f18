// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Takes the place of malloc and pthread_create in this program, the library's calls included, and lets the
// n-th of them fail. Excepted are allocations of the C library for thread-local storage, which ends the
// process itself when it gets none, and those inside of the libraries that decode and encode video, which are
// not ours to mend.
#pragma once

#include <string>

namespace faults {

enum class Kind { kAllocation, kThread };

// The n-th from now on fails, once. 0 only counts.
void Arm(Kind kind, long n);
// Answers how many there were.
long Disarm();
bool Happened();
// Whether it did below a function of a library with this in its name.
bool HappenedIn(const char* library);
// Where the last one happened, as addresses in the files of the process.
void WriteWhere(int file);

// Blocks of memory in use.
long LiveBlocks();
// With FOOTHOLD_FAULT_LEAKS set: who allocated what was allocated since the last call of the first and is
// still there.
void MarkBlocks();
void WriteBlocksSinceMark(int file);

// While it lives, nothing fails on this thread: code of the test.
class Exempt {
 public:
  Exempt();
  ~Exempt();
  Exempt(const Exempt&) = delete;
  Exempt& operator=(const Exempt&) = delete;
};

// The opposite: a call of the library inside code of the test.
class Exposed {
 public:
  Exposed();
  ~Exposed();
  Exposed(const Exposed&) = delete;
  Exposed& operator=(const Exposed&) = delete;

 private:
  int before_;
};

}  // namespace faults
