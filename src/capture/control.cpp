// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "capture/control.h"

#include "base/error.h"
#include "device/stream.h"

namespace foothold {

Outcome ControlTask::Run(Stream& stream) {
  Fail(kRtStreamModel, "stream {} does not belong to a model, and outside of one this has no meaning",
       stream.id());
}

}  // namespace foothold
