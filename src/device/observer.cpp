// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/observer.h"

namespace foothold {

constinit DeviceObserver* device_observer = nullptr;

}  // namespace foothold
