// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Huge pages for files in memory. Most systems give such files small pages only, whose first touch costs ten
// times as much, in every process that maps them; but they put small pages together where they are asked to
// (MADV_COLLAPSE, Linux 6.1). Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold {

// Gives the part of a mapping that is made of whole huge pages such pages, with what was there in them. The
// mapping may be written, and file and address are the same number of bytes behind a huge page. False if some
// of it has small ones, of which a few were touched.
bool MakeHuge(std::uintptr_t address, std::size_t bytes) noexcept;

// An unused range of addresses, as far behind a huge page as `offset`, and mapped without access. 0 if there
// is none.
std::uintptr_t ReserveAlike(std::uint64_t offset, std::size_t bytes) noexcept;

}  // namespace foothold
