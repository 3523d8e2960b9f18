// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a call has, for mappings that several versions of a function share: later ones have more parameters,
// and some of the same names with "Optional" behind them. Any thread.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "aclnn/mapping.h"

namespace foothold::aclnn {

bool HasParameter(const Call& call, std::string_view name);
// `name`, or that with "Optional" behind it, as the function has it.
std::string Named(const Call& call, const std::string& name);
// There is such a parameter, it is not null, no tensor [0], no list of nothing but null and empty
// tensors, and no array of nothing.
bool IsGiven(const Call& call, std::string_view name);
// No value where it is not given.
Value InIfNamed(Call& call, const std::string& name);

// Throws kFindKernel if one of them is given: "`form` with '`name`'".
void RefuseGiven(const Call& call, const char* form, std::initializer_list<const char*> names);

}  // namespace foothold::aclnn
