// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ir/port_desc.h"

namespace foothold {

bool PortDetails::empty() const {
  return !origin_dims && !origin_format && ranges.empty() && name.empty() && size == 0 &&
         real_dim_count == 0 && expand_dims_rule.empty() && !reuses_input && constant.empty() &&
         attributes.empty();
}

void PortDesc::SetDetails(PortDetails details) {
  if (details.empty())
    details_.Reset();
  else
    details_.Edit() = std::move(details);
}

PortDetails& PortDesc::Apart::Edit() {
  if (!held_) held_ = std::make_unique<PortDetails>();
  return *held_;
}

// Programs read descriptions in static destructors too.
const PortDetails& PortDesc::Apart::None() {
  static const PortDetails* const none = new PortDetails;
  return *none;
}

}  // namespace foothold
