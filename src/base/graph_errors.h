// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What failed calls of the Graph Engine leave behind: the texts behind GEGetErrorMsg and GEGetWarningMsg. A
// text belongs to the thread that recorded it, or to the whole process when that is a thread of the library's
// own, which no program can ask. Every record is logged as well. Any thread, also in a forked child, while a
// thread ends and during static destruction.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace foothold {

class Error;

// A list keeps this many texts, the newest.
inline constexpr std::size_t kMaxGraphMessages = 64;

// `code` is one of the Graph Engine's six-character codes: "E13009", "W11001".
void RecordGraphError(std::string_view code, std::string_view text) noexcept;
void RecordGraphWarning(std::string_view code, std::string_view text) noexcept;

// A failed call: `method` is the public name, such as "Graph::AddOp".
void ReportGraphFailure(std::string_view method, const Error& error) noexcept;

// All texts of this thread since the last call, oldest first, one per line; when there are none, those of the
// process. Empty when nothing was recorded.
std::string TakeGraphErrors();
std::string TakeGraphWarnings();

// While one exists, what its thread records belongs to the process.
class GraphWorkerScope {
 public:
  GraphWorkerScope() noexcept;
  ~GraphWorkerScope();
  GraphWorkerScope(const GraphWorkerScope&) = delete;
  GraphWorkerScope& operator=(const GraphWorkerScope&) = delete;

 private:
  bool before_;
};

}  // namespace foothold
