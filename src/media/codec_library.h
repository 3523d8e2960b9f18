// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A library of the system that codes pictures or videos: looked for when first needed, never required, never
// unloaded. Any thread.
#pragma once

#include <atomic>
#include <initializer_list>
#include <string>

namespace foothold::media {

class CodecLibrary {
 public:
  // The names it may have, in order, the Debian package that has it, and what it does for messages:
  // "JPEG pictures". All literals.
  constexpr CodecLibrary(std::initializer_list<const char*> names, const char* package, const char* purpose)
      : package_(package), purpose_(purpose) {
    int count = 0;
    for (const char* const name : names)
      if (count < kMaxNames) names_[count++] = name;
  }
  CodecLibrary(const CodecLibrary&) = delete;
  CodecLibrary& operator=(const CodecLibrary&) = delete;

  // Loads it, or fails with 200001 and a message that names the package. Failing, it is looked for again next
  // time.
  void Load();
  bool IsThere() noexcept;

  // Precondition: Load succeeded. Fails with 200001 if the library has no such function.
  template <typename Function>
  void Find(const char* symbol, Function** out) const {
    *out = reinterpret_cast<Function*>(Address(symbol));
  }

  const char* package() const { return package_; }
  const char* purpose() const { return purpose_; }
  // What was loaded; empty before.
  const char* name() const { return loaded_name_.load(); }

 private:
  static constexpr int kMaxNames = 6;

  void* Address(const char* symbol) const;
  void* TryLoad(std::string* problem);

  const char* names_[kMaxNames] = {};
  const char* const package_;
  const char* const purpose_;
  std::atomic<void*> handle_{nullptr};
  std::atomic<const char*> loaded_name_{""};
};

}  // namespace foothold::media
