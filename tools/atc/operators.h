// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// `atc --singleop`: every operator of the file becomes an offline model of its own, which aclopSetModelDir
// finds.
#pragma once

#include "atc/flags.h"

namespace foothold::atc {

// Writes all files, or none and throws CannotConvert with the operator that cannot be.
void ConvertOperators(const Flags& flags);

}  // namespace foothold::atc
