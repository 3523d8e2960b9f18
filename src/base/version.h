// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The toolkit release whose interface this library follows, and the packages of it that it stands for, by the
// names of their folders below share/info of an installed tree. Programs switch features on by these. Any
// thread.
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
// The release of the driver and the firmware that belongs to it.
inline constexpr Version kDriverVersion{25, 5, 0};

// Throws 100000 for a package that is none of that release.
Version PackageVersion(std::string_view package);

}  // namespace foothold
