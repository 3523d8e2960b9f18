// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What is inside an .om file, as text: for `foothold info` and `atc`.
#pragma once

#include <cstddef>
#include <string>

#include "model/description.h"
#include "model/om_file.h"

namespace foothold {

// Lines of a label and a value: name, inputs, outputs, gears.
std::string DescriptionText(const ModelDescription& description);

// The description and the sections of a file, or of all models of a bundle. Throws what is wrong with it.
std::string ReportText(const OmFile& file);

// "1.50 MB", in millions of bytes.
std::string Megabytes(std::size_t bytes);

}  // namespace foothold
