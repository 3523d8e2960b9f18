// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// From an operator of aclnn to operators of src/ops: one function for each, registered at load time by files
// in maps/:
//
//   const RegisterMapping relu("aclnnRelu", MapRelu);
//
// What is one operator by the table alone needs none (by_default.h). Mappings are called on any thread, once
// for each kind of call.
#pragma once

#include <initializer_list>
#include <string_view>
#include <utility>

#include "aclnn/call.h"

namespace foothold::aclnn {

using Mapping = void (*)(Call& call);

class RegisterMapping {
 public:
  RegisterMapping(const char* function, Mapping mapping);
  explicit RegisterMapping(std::initializer_list<std::pair<const char*, Mapping>> mappings);
};

// Null: nobody has written one, and the table does not say it either.
Mapping FindMapping(std::string_view function);

}  // namespace foothold::aclnn
