// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Files that are there completely or not at all. Any thread.
#pragma once

#include <string>
#include <string_view>

namespace foothold {

enum class FileOutcome { kDone, kNotOpened, kNotWritten };

// What is there and no regular file (a device, a pipe, a link) is written to and stays what it is. A failure
// leaves its reason in errno.
FileOutcome WriteWholeFile(const std::string& path, std::string_view text);

}  // namespace foothold
