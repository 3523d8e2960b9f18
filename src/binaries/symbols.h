// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Variables in loaded code, known by their address: in binaries, and in the program itself. They are memory
// of the host like any other. Any thread.
#pragma once

#include <cstddef>

#include "device/copy.h"

namespace foothold {

// Throws 107000 for an address that is in no loaded code.
void CheckSymbol(const void* symbol);
// Throws 107000 if the object it is in does not export it.
std::size_t SizeOfSymbol(const void* symbol);

// A variable or a part of it, and the memory on the other side. The copy keeps the binary loaded.
struct SymbolCopy {
  const void* symbol;
  std::size_t offset;
  void* dst;        // null: to the symbol
  const void* src;  // null: from the symbol
  std::size_t dst_max;
  std::size_t count;
};
void CopySymbol(const SymbolCopy& copy, CopyKind kind);
void PushSymbolCopy(const StreamRef& stream, const char* api, const SymbolCopy& copy, CopyKind kind);

}  // namespace foothold
