// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The rows behind error_catalogue.cpp, one file per family of numbers.
#pragma once

#include <cstddef>
#include <iterator>

#include "base/error_catalogue.h"

namespace foothold {

extern const CatalogueEntry kAclErrors[];
extern const std::size_t kAclErrorsSize;
extern const CatalogueEntry kRuntimeErrors[];
extern const std::size_t kRuntimeErrorsSize;
extern const CatalogueEntry kGraphErrors[];
extern const std::size_t kGraphErrorsSize;

}  // namespace foothold
