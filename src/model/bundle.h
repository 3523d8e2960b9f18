// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Several models in one file, which share their variables: whole .om files as sections of another. Any
// thread.
#pragma once

#include <memory>
#include <vector>

#include "model/om_file.h"

namespace foothold {

// A bundle is a file of its own kind: what takes one model refuses it.
bool IsBundle(const OmFile& file);

// Throws kInvalidParam for fewer than two models.
std::vector<std::byte> WriteBundle(const std::vector<std::vector<std::byte>>& models);

// Throws kParseModel for a file that is no bundle.
std::size_t BundleSize(const OmFile& file);
std::shared_ptr<const OmFile> BundledModel(const OmFile& file, std::size_t index);

}  // namespace foothold
