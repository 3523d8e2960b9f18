// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What docs/api_status.md says of an entry point, on the line before its definition. A function without such
// a line works; unsupported.h has those that are not supported. tests/structure/api_states.py holds the lines
// to the bodies: what only throws is marked as refused, what only checks its arguments as without effect.
#pragma once

// Its arguments are checked and it answers success; nothing else follows from it.
#define FOOTHOLD_WITHOUT_EFFECT(function) static_assert(true)
// It works, but one of its values or parameters changes nothing.
#define FOOTHOLD_PART_WITHOUT_EFFECT(function, part) static_assert(true)
// Nothing it could be given makes it succeed.
#define FOOTHOLD_ALWAYS_REFUSED(function) static_assert(true)
