// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Freeing that waits for the device first. A failure of its tasks is reported, but the memory is freed all
// the same.
#pragma once

namespace foothold {

// Waits for the device that owns the memory.
void SynchronizeAndFree(void* address, const char* api);
// Waits for the current device.
void SynchronizeAndFreeHost(void* address, const char* api);

}  // namespace foothold
