// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A library of the system that codes pictures or videos: looked for when first needed, never required, never
// unloaded. Any thread.
#pragma once

#include <atomic>

namespace foothold {

class SystemLibrary {
 public:
  // The file, with the number of the interface we were built for, the Debian package that has it, and what
  // needs it, for messages: "JPEG pictures". All literals.
  constexpr SystemLibrary(const char* file, const char* package, const char* purpose)
      : file_(file), package_(package), purpose_(purpose) {}
  SystemLibrary(const SystemLibrary&) = delete;
  SystemLibrary& operator=(const SystemLibrary&) = delete;

  // Loads the library if it was not. Fails with 200001 and a message that names the package if it cannot be
  // loaded, or has no such function; the next call looks again.
  template <typename Function>
  void Find(const char* symbol, Function** out) {
    *out = reinterpret_cast<Function*>(Address(symbol));
  }

 private:
  void* Address(const char* symbol);
  void* Load();

  const char* const file_;
  const char* const package_;
  const char* const purpose_;
  std::atomic<void*> handle_{nullptr};
};

}  // namespace foothold
