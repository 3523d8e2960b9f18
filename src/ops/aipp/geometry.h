// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// From what a file or a program says about pictures to what the kernel does with them: sizes that were left
// out are filled in, and everything is looked at, so that the kernel reads no byte outside a picture. Values;
// any thread.
#pragma once

#include <string>

#include "kernels/aipp_picture.h"
#include "ops/aipp/settings.h"

namespace foothold {

struct AippSize {
  std::int64_t width = 0, height = 0;
};

// With the sizes that were left out, which are those of the network; its own may be open (-1), and are left
// out then. Throws kInvalidParam for what the settings must not leave out.
AippSettings Complete(const AippSettings& settings, AippSize network);
// What static settings that are complete do to a picture of this size.
AippPicture PictureOf(const AippSettings& settings, AippSize source);

// Throws kInvalidParam with the field that does not fit: sizes that a format cannot have, a crop that leaves
// the source, colours of which there are none to convert.
void CheckPicture(const AippPicture& picture);
// Throws kInvalidParam unless pictures become what the network takes.
void CheckFits(const AippPicture& picture, AippSize network, std::int64_t channels);

}  // namespace foothold
