// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The prototypes of the table, each made from its rows when somebody first asks for it. Any thread.
#pragma once

#include <cstddef>
#include <string_view>

#include "prototypes/prototype.h"

namespace foothold {

std::size_t BuiltInPrototypeCount();
std::string_view BuiltInPrototypeType(std::size_t index);
const Prototype* FindBuiltInPrototype(std::string_view type);

}  // namespace foothold
