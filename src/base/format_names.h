// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The names of layouts, as the API and saved graphs spell them. Any thread.
#pragma once

#include <span>

namespace foothold {

// By their numbers (base/format.h), without gaps.
std::span<const char* const> FormatNames() noexcept;

}  // namespace foothold
