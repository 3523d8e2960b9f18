// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A JSON text that was read, for what the library reads of its own. The trees of the JSON library need memory
// when they end, and end the process where there is none; this one does not.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace foothold {

class JsonTree {
 public:
  // The text is no JSON, or something else stands where it was looked for.
  class Mismatch : public std::runtime_error {
   public:
    using std::runtime_error::runtime_error;
  };
  using Member = std::pair<std::string, JsonTree>;

  static JsonTree Parse(std::string_view text);

  const JsonTree& at(std::string_view key) const;
  const JsonTree* Find(std::string_view key) const;  // null if there is none
  const std::vector<JsonTree>& items() const;        // of an array
  const std::vector<Member>& members() const;        // of an object

  // A number, a text, or a list of them, and so on.
  template <typename T>
  T get() const {
    T value{};
    Read(value);
    return value;
  }

 private:
  friend class JsonTreeBuilder;

  void Read(std::string& value) const;
  template <typename T>
  requires std::is_integral_v<T>
  void Read(T& value) const {
    const std::int64_t number = Integer();
    if (!std::in_range<T>(number)) throw Mismatch("a number is out of its range");
    value = static_cast<T>(number);
  }
  template <typename T>
  void Read(std::vector<T>& values) const {
    for (const JsonTree& item : items())
      values.push_back(item.get<T>());
  }
  template <typename T, typename U>
  void Read(std::pair<T, U>& pair) const {
    if (items().size() != 2) throw Mismatch("a pair is expected");
    pair = {items()[0].get<T>(), items()[1].get<U>()};
  }
  std::int64_t Integer() const;

  enum class Kind { kOther, kInteger, kText, kArray, kObject };  // nobody asks for the others
  Kind kind_ = Kind::kOther;
  std::int64_t number_ = 0;
  std::string text_;
  std::vector<JsonTree> items_;
  std::vector<Member> members_;
};

// The text as JSON writes it, with its quotation marks.
std::string JsonQuoted(const std::string& text);

}  // namespace foothold
