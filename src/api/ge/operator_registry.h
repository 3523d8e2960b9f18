// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How programs make operators of types of their own. The first registration of a type stays. What they
// register to check and infer such operators is in prototypes/user_functions.h. Any thread, also while static
// objects are made and destroyed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph/operator_factory.h"

namespace foothold {

// Empty where nothing is registered.
ge::OpCreatorV2 RegisteredCreator(std::string_view type);

// Types with a registered creator, sorted.
std::vector<std::string> CreatableTypes();

}  // namespace foothold
