// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Derivatives that several functions share. One thread at a time.
#pragma once

#include "aclnn/maps/formula.h"

namespace foothold::aclnn {

Term Silu(const Term& x);
Term SiluSlope(const Term& x);
Term Gelu(const Term& x, bool tanh_form);
Term GeluSlope(const Term& x, bool tanh_form);

}  // namespace foothold::aclnn
