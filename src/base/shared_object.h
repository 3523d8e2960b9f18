// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A shared object of the program: checked (elf_check.h), loaded, and kept as long as somebody holds it.
// Constructors and destructors in it are functions of the program: no lock is held when they run, and they
// run only inside Load and CloseUnused, never where the last holder lets go. Immutable; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace foothold {

class SharedObject {
 public:
  enum class Binding { kNow, kLazy };
  enum class Symbol { kNone, kFunction, kVariable };
  struct Found {
    Symbol kind = Symbol::kNone;
    void* address = nullptr;
    std::size_t size = 0;
  };

  // Throw 107000 or 207000 for what cannot be loaded; the second takes a copy.
  static std::shared_ptr<const SharedObject> Load(const std::string& path, Binding binding);
  static std::shared_ptr<const SharedObject> Load(const void* data, std::size_t size, Binding binding);
  ~SharedObject();
  SharedObject(const SharedObject&) = delete;
  SharedObject& operator=(const SharedObject&) = delete;

  // The file, or what messages call bytes from memory.
  const std::string& name() const { return name_; }
  // What it exports itself under this name; its own libraries do not count.
  Found Find(const char* symbol) const;
  // Calls `visit` with the name of each function it exports.
  void ForEachFunction(const std::function<void(const char*)>& visit) const;
  // Its memory, from the first segment to the end of the last.
  void* base() const { return base_; }
  std::size_t span() const { return span_; }

  // Unloads what nobody holds any more. Not under a lock, nor where a function of the program may not run.
  static void CloseUnused();

 private:
  struct Loaded;

  explicit SharedObject(std::string name);
  void Open(const std::string& path, Binding binding);
  void Measure();

  const std::string name_;
  std::unique_ptr<Loaded> loaded_;
  void* base_ = nullptr;
  std::size_t span_ = 0;
};

// What any address in loaded code or data is: in the program itself, its libraries, or shared objects.
// Nothing for an address that is in none of them.
struct SymbolAt {
  std::string name;         // empty if the object does not export it
  void* address = nullptr;  // where it begins; null if unknown
  std::size_t size = 0;     // 0 if unknown
  std::string object;
  void* base = nullptr;  // of that object
};
bool FindSymbolAt(const void* address, SymbolAt* found);

}  // namespace foothold
