// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the rules of operators with many optional inputs ask of them. Used while inferring and lowering; any
// thread.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string_view>

#include "ops/op.h"

namespace foothold {

// -1: there is no such port, or nothing is connected to it.
int OptionalPort(const OpContext& context, std::string_view name);

// Unsupported for inputs that are there and neither float, float16 nor bfloat16.
void CheckFloats(const OpContext& context, std::initializer_list<std::string_view> names);

// Refuses an input that is there and has another number of elements; `what` says what one is for.
void CheckCount(const OpContext& context, std::string_view name, std::size_t count, std::string_view what);

// Unsupported if an input is there: `why` says what is not known about it.
void CheckAbsent(const OpContext& context, std::initializer_list<std::string_view> names,
                 std::string_view why);

}  // namespace foothold
