// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// For entry points that programs may call before or without aclInit.
#pragma once

namespace foothold {

// Starts the library with defaults unless it runs. Throws 100001 after aclFinalize.
void EnsureStarted();

}  // namespace foothold
