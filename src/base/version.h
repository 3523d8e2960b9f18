// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The toolkit release whose interface this library follows, and the packages of it that it stands for: the
// ones with a version.info below share/info of an installed tree. Any thread.
#pragma once

#include <string>
#include <string_view>

namespace foothold {

struct Version {
  int major_number;
  int minor_number;
  int patch_number;

  std::string Text() const;
  // Grows with the version; releases leave room for pre-releases below them: 8.5.0 is 80500000.
  int Number() const;
};

inline constexpr Version kInterfaceVersion{8, 5, 0};

// Throws 100000 for a package that is not here (driver, firmware, hccl, ...).
Version PackageVersion(std::string_view package);

}  // namespace foothold
