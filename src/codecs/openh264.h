// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The library of openh264_decoder.cpp and openh264_encoder.cpp. Any thread.
#pragma once

#include "base/system_library.h"

namespace foothold {

inline constinit SystemLibrary openh264("libopenh264.so.7", "libopenh264-7", "H.264 videos");

}  // namespace foothold
