// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The attributes a program gives an operator (aclopAttr). Values; one thread at a time.
#pragma once

#include <string>
#include <string_view>

#include "base/host_objects.h"
#include "ir/attribute.h"

namespace foothold {

struct Prototype;

class OpAttributes {
 public:
  // A value that is there already is replaced.
  void Set(std::string_view name, Attribute value);

  const Attributes& values() const { return values_; }
  // The same bytes for the same names and values, and for no others.
  const std::string& key() const { return key_; }

 private:
  Attributes values_;
  std::string key_;
};

using OpAttributeSets = HostObjects<OpAttributes, HandleKind::kOperatorAttributes>;

std::string KeyOf(const Attributes& attributes);

// All attributes the operator has: those given, and the defaults of the others. What it does not declare has
// no meaning for it and is left out. Throws kOpAttrNotMatch for a value of another kind, and if a required
// one is missing. Types may be given as their numbers, and the other way round.
Attributes CompleteAttributes(const Prototype& prototype, const Attributes& given);

}  // namespace foothold
