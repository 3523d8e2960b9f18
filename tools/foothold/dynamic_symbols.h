// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The names a program or library offers to others and those it wants from them, and texts in it that look
// like names it asks the loader for when it runs.
#pragma once

#include <set>
#include <string>

namespace foothold::doctor {

struct DynamicSymbols {
  std::set<std::string> defined;
  std::set<std::string>
      linked_only;               // of these, those that nobody finds who asks the loader for them by name
  std::set<std::string> wanted;  // without those that may be missing (weak)
};

// Empty where the file has no table of them.
DynamicSymbols ReadDynamicSymbols(const std::string& path);

// Whether a name is one of CANN's, by the beginnings its interfaces have.
bool LooksLikeCann(const std::string& symbol);
// All such names that stand in a file as texts of their own.
std::set<std::string> NamesInTexts(const std::string& path);

// As people read it.
std::string Demangled(const std::string& symbol);

}  // namespace foothold::doctor
