// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Cases of samples as graphs of one operator, which goes through the whole compiler; views come as AsStrided
// nodes before it.
#pragma once

#include "samples/cases.h"

namespace samples {

// Fails the test unless values, dimensions and types are as they have to be, and only outputs were written.
void RunGraph(const Case& one);

// Of those tests have numbers of.
std::vector<aclDataType> DeclaredTypes(const std::string& op);

}  // namespace samples
