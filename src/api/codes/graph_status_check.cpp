// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The numbers sessions answer with are those of the public headers, where these have a name for them.
#include "acl/error_codes/rt_error_codes.h"
#include "base/graph_codes.h"
#include "ge/ge_api_error_codes.h"

namespace foothold {

static_assert(static_cast<ge::Status>(kGeFailed) == ge::FAILED);
static_assert(static_cast<ge::Status>(kGeNotInitialized) == ge::GE_CLI_GE_NOT_INITIALIZED);
static_assert(static_cast<ge::Status>(kGeSessionManagerNotInit) == ge::GE_SESSION_MANAGER_NOT_INIT);

}  // namespace foothold
