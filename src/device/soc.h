// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The chip the devices present themselves as. Programs look the name up in tables of their own, so it is that
// of an existing chip; FOOTHOLD_SOC_NAME chooses another. Any thread.
#pragma once

#include <string>
#include <string_view>

namespace foothold {

inline constexpr const char* kDefaultSocName = "Ascend910B1";

std::string SocNameFromEnvironment();

// Whether operators of this chip come as ready kernels for all shapes, as those of 910B and its successors
// do; for the others they are compiled when they are first called.
bool HasBinaryKernels(std::string_view name);

// Variants of one chip differ in the number at the end of their names.
bool SameSocFamily(std::string_view one, std::string_view other);

}  // namespace foothold
