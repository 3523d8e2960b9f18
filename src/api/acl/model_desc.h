// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Model descriptions behind their handles, and what the calls that read them share. One thread at a time.
#pragma once

#include <string>

#include "acl/acl_mdl.h"
#include "base/host_objects.h"
#include "model/model_view.h"

namespace foothold {

using ModelDescs = HostObjects<ModelView, HandleKind::kModelDesc>;

// Throws kInvalidParam for more dimensions than the structure holds.
void PutDims(const std::string& name, const Dims& dims, aclmdlIODims* out);

}  // namespace foothold
