// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a program says of a range or a moment that it marks: the text the timeline shows, and what stands
// beside it.
#pragma once

#include "api/acl/profile_objects.h"

namespace foothold {

// Texts live for ever (trace::Keep).
struct Stamp {
  const char* text = "";
  const char* tag = nullptr;
  const char* category = nullptr;
  const char* call_stack = nullptr;

  // Null where nothing but the text was set.
  const char* Detail() const;
};
using Stamps = ProfileObjects<Stamp>;

}  // namespace foothold
