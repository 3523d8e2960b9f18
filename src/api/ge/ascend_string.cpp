// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <string>
#include <string_view>

#include "api/ge/graph_guard.h"
#include "graph/ascend_string.h"

namespace ge {

struct AscendStringImpl {
  std::string text;
};

namespace {

std::shared_ptr<const AscendStringImpl> MakeText(const char* text, size_t length) {
  if (text == nullptr || length == 0) return nullptr;
  return foothold::GuardGraphValue("AscendString", [&] {
    return std::shared_ptr<const AscendStringImpl>(new AscendStringImpl{std::string(text, length)});
  });
}

std::string_view View(const AscendString& value) {
  return {value.GetString(), value.GetLength()};
}

std::string_view View(const char* text) {
  return text == nullptr ? std::string_view() : std::string_view(text);
}

}  // namespace

AscendString::AscendString(const char_t* const name) : AscendString(name, View(name).size()) {}

AscendString::AscendString(const char_t* const name, size_t length) : impl_(MakeText(name, length)) {}

const char_t* AscendString::GetString() const {
  return impl_ == nullptr ? "" : impl_->text.c_str();
}

size_t AscendString::GetLength() const {
  return impl_ == nullptr ? 0 : impl_->text.size();
}

size_t AscendString::Find(const AscendString& ascend_string) const {
  return View(*this).find(View(ascend_string));
}

size_t AscendString::Hash() const {
  return std::hash<std::string_view>()(View(*this));
}

bool AscendString::operator<(const AscendString& d) const {
  return View(*this) < View(d);
}

bool AscendString::operator>(const AscendString& d) const {
  return View(*this) > View(d);
}

bool AscendString::operator<=(const AscendString& d) const {
  return View(*this) <= View(d);
}

bool AscendString::operator>=(const AscendString& d) const {
  return View(*this) >= View(d);
}

bool AscendString::operator==(const AscendString& d) const {
  return View(*this) == View(d);
}

bool AscendString::operator!=(const AscendString& d) const {
  return View(*this) != View(d);
}

bool AscendString::operator==(const char_t* const d) const {
  return View(*this) == View(d);
}

bool AscendString::operator!=(const char_t* const d) const {
  return View(*this) != View(d);
}

}  // namespace ge
