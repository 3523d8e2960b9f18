// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The names of all options of the engine, of sessions, of graphs and of models, and which of them do
// something here. Any thread.
#pragma once

#include "options/options.h"

namespace foothold {

// Warns once in a process for each name: those nobody knows, with the nearest that somebody does, where
// GEGetWarningMsg finds it; and in the log those that are known and have no effect.
void WarnAboutOptions(const OptionMap& options);

}  // namespace foothold
