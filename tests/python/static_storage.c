// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A library that takes 64 bytes of the static block of thread-local storage, as many C++ libraries do. Copies
// of it use the block up.
static __thread char taken[64];

char* taken_storage(void) {
  return taken;
}
