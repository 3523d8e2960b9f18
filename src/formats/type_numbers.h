// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Element types and layouts as saved graphs name them. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/data_type.h"
#include "base/format.h"

namespace foothold {

// Saved graphs number element types in an order of their own.
int ModelTypeNumber(DataType type) noexcept;
// Throws kInvalidParam for a number that is no type.
DataType TypeOfModelNumber(std::int64_t number);

// Whether the number is that of a layout: -1 for none, or one with a name. Above its lowest byte it may say
// more, such as the groups of FRACTAL_Z.
bool IsLayout(int number) noexcept;

// "NCHW", "ND" ...; a layout without a name is its number.
std::string LayoutName(Format format);
// ND for no name. Throws kInvalidParam for a name that is no layout.
Format LayoutOfName(std::string_view name);

}  // namespace foothold
