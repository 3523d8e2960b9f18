// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What programs register for types of operators: how to make one, how to infer its shapes, how to check it.
// The first registration of a type stays. Any thread, also while static objects are made and destroyed.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/operator_factory.h"

namespace foothold {

// Empty functions where nothing is registered.
ge::OpCreatorV2 RegisteredCreator(std::string_view type);
ge::InferShapeFunc RegisteredInference(std::string_view type);
ge::VerifyFunc RegisteredVerification(std::string_view type);
ge::InferFormatFunc RegisteredFormatInference(std::string_view type);

// Types with a registered creator, sorted.
std::vector<std::string> CreatableTypes();

}  // namespace foothold
