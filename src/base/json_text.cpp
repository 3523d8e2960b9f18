// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/json_text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "base/error.h"

namespace foothold {
namespace {

using Json = nlohmann::json;

class File {
 public:
  // Without O_NONBLOCK, opening a pipe would wait for somebody to write into it.
  explicit File(const char* path) : descriptor_(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

[[noreturn]] void FailToRead(const char* path) {
  Fail(kInvalidFile, "cannot read \"{}\": {}", path, std::strerror(errno));
}

std::string ReadAtMost(const File& file, const char* path, std::size_t limit) {
  std::string text;
  char buffer[1 << 14];
  while (text.size() <= limit) {
    const ssize_t count = read(file.descriptor(), buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) FailToRead(path);
    if (count == 0) return text;
    text.append(buffer, static_cast<std::size_t>(count));
  }
  Fail(kInvalidFileSize, "\"{}\" is larger than {} bytes, the limit for a configuration file", path, limit);
}

// Watches the parser: it accepts any depth, and keeps the last of several equal keys.
class LimitCheck {
 public:
  explicit LimitCheck(const char* text_code) : text_code_(text_code) {}

  bool operator()(Json::parse_event_t event, const Json& parsed) {
    using Event = Json::parse_event_t;
    if (event == Event::object_start) Open(objects_, "objects"), keys_.emplace_back();
    if (event == Event::object_end) --objects_, keys_.pop_back();
    if (event == Event::array_start) Open(arrays_, "arrays");
    if (event == Event::array_end) --arrays_;
    if (event == Event::key) AddKey(parsed.get<std::string>());
    return true;
  }
  bool refused() const { return refused_; }

 private:
  void Open(int& depth, const char* what) {
    if (++depth <= kMaxConfigNesting) return;
    refused_ = true;
    throw Error(kParseFile, fmt::format("{} are nested more than {} deep", what, kMaxConfigNesting),
                text_code_);
  }
  void AddKey(std::string key) {
    const auto [place, added] = keys_.back().insert(std::move(key));
    if (added) return;
    refused_ = true;
    throw Error(kParseFile, fmt::format("key \"{}\" is given twice in one object", *place), text_code_);
  }

  const char* text_code_;
  bool refused_ = false;
  int objects_ = 0;
  int arrays_ = 0;
  std::vector<std::set<std::string>> keys_;  // of each open object
};

// `last` counts the bytes the parser has read, the one that breaks the text included.
std::string Fault(const std::string& text, std::size_t last) {
  if (last > text.size()) return "it ends before it is complete";
  const std::size_t at = last == 0 ? 0 : last - 1;
  const std::string_view before = std::string_view(text).substr(0, at);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const auto column = at - (before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1) + 1;
  const auto byte = static_cast<unsigned char>(text[at]);
  const bool printable = byte > 0x20 && byte < 0x7f;
  return printable ? fmt::format("line {}, column {}: {} cannot stand here", line, column, text[at])
                   : fmt::format("line {}, column {}: byte {:#04x} cannot stand here", line, column, byte);
}

template <typename Watch>
Json Parse(const std::string& text, Watch watch) {
  // The parser takes a zero byte for the end of the text and would not look at what follows.
  if (text.find('\0') != std::string::npos) Fail(kParseFile, "it holds a zero byte");
  try {
    return Json::parse(text, watch);
  } catch (const Json::parse_error& error) {
    Fail(kParseFile, "{}", Fault(text, error.byte));
  } catch (const Json::exception&) {
    Fail(kParseFile, "it has a number that is too large");
  }
}

}  // namespace

std::string ReadConfigFile(const char* path) {
  const File file(path);
  if (file.descriptor() < 0) FailToRead(path);
  struct stat status {};
  if (fstat(file.descriptor(), &status) != 0) FailToRead(path);
  if (!S_ISREG(status.st_mode)) {
    Fail(kInvalidFile, "\"{}\" is {}, not a regular file", path,
         S_ISDIR(status.st_mode) ? "a directory" : "a device or pipe");
  }
  return ReadAtMost(file, path, kMaxConfigBytes);
}

nlohmann::json ParseConfigText(const std::string& text, const char* text_code) {
  LimitCheck check(text_code);
  Json parsed;
  try {
    parsed = Parse(text, [&](int, Json::parse_event_t event, Json& value) { return check(event, value); });
  } catch (const Error& error) {
    if (error.text_code() != nullptr || check.refused()) throw;
    throw Error(kParseFile, fmt::format("the configuration is not valid JSON: {}", error.message()),
                text_code);
  }
  if (!parsed.is_object()) {
    throw Error(
        kParseFile,
        fmt::format("the configuration must be a JSON object such as {{}}, found: {}", parsed.type_name()),
        text_code);
  }
  return parsed;
}

nlohmann::json ParseJson(const std::string& text) {
  return Parse(text, nullptr);
}

}  // namespace foothold
