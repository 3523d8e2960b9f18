// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Cases of samples as calls of aclnn, by public headers alone.
#pragma once

#include "samples/cases.h"

namespace samples {

// The function with new outputs; or in place, if it changes its first input. Fails the test unless values are
// those of the reference and nothing but outputs was written.
void RunCall(const Case& one, const Sample::Call& call);
// The same with the first output in the place of the first input.
void RunOntoInput(const Case& one, const Sample::Call& call);
// That can be, with these types and dimensions.
bool FitsOntoInput(const Case& one);

}  // namespace samples
