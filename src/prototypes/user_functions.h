// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What programs registered to check nodes of a type and to infer what they produce. The API puts the
// functions here, wrapped so that they take a node; the compiler asks for them. The first function of a kind
// and type stays. Any thread; the functions themselves run on the thread that calls them, without a lock
// held.
#pragma once

#include <functional>
#include <string_view>

namespace foothold {

class Node;

// Throws Error where the program's function refuses the node.
using NodeFunction = std::function<void(Node&)>;

enum class UserFunctionKind { kVerify, kInferFormat, kInferShape };

void RegisterUserFunction(std::string_view type, UserFunctionKind kind, NodeFunction function);

// Empty where a program registered none.
NodeFunction FindUserFunction(std::string_view type, UserFunctionKind kind);

}  // namespace foothold
