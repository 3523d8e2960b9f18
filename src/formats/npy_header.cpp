// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "formats/npy_header.h"

#include <charconv>

#include "base/error.h"

namespace foothold {
namespace {

constexpr std::size_t kMostDimensions = 32;  // NumPy's own limit

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  NpyDictionary Run() {
    Expect('{');
    while (!Accept('}')) {
      Entry();
      if (Accept(',')) continue;
      Expect('}');
      break;
    }
    SkipBlanks();
    if (at_ != text_.size()) Fail(kParseFile, "something follows the dictionary of its header");
    if (!has_descr_ || !has_order_ || !has_shape_)
      Fail(kParseFile, "its header lacks one of descr, fortran_order and shape");
    return std::move(result_);
  }

 private:
  void SkipBlanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n'))
      ++at_;
  }

  bool Accept(char wanted) {
    SkipBlanks();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  void Expect(char wanted) {
    if (!Accept(wanted)) Fail(kParseFile, "its header lacks a '{}' at byte {}", wanted, at_);
  }

  void Entry() {
    const std::string key = Text();
    Expect(':');
    if (key == "descr") {
      Once(has_descr_, key);
      result_.descr = Text();
    } else if (key == "fortran_order") {
      Once(has_order_, key);
      result_.fortran_order = Truth();
    } else if (key == "shape") {
      Once(has_shape_, key);
      result_.shape = Numbers();
    } else {
      Fail(kParseFile, "its header has the unknown key '{}'", key);
    }
  }

  static void Once(bool& seen, const std::string& key) {
    if (seen) Fail(kParseFile, "its header has the key '{}' twice", key);
    seen = true;
  }

  std::string Text() {
    SkipBlanks();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote == '[')
      Fail(kParseFile, "its elements are records of several values; save one field of them alone");
    if (quote != '\'' && quote != '"') Fail(kParseFile, "its header lacks a text at byte {}", at_);
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) Fail(kParseFile, "a text in its header does not end");
    std::string text(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return text;
  }

  bool Truth() {
    SkipBlanks();
    for (const bool value : {false, true}) {
      const std::string_view name = value ? "True" : "False";
      if (text_.substr(at_, name.size()) != name) continue;
      at_ += name.size();
      return value;
    }
    Fail(kParseFile, "fortran_order in its header is neither True nor False");
  }

  Dims Numbers() {
    Dims numbers;
    Expect('(');
    while (!Accept(')')) {
      if (numbers.size() == kMostDimensions)
        Fail(kParseFile, "its shape has more than {} dimensions", kMostDimensions);
      numbers.push_back(Number());
      if (Accept(',')) continue;
      Expect(')');
      break;
    }
    return numbers;
  }

  std::int64_t Number() {
    SkipBlanks();
    std::int64_t number = 0;
    const char* const first = text_.data() + at_;
    const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), number);
    if (error != std::errc() || number < 0)
      Fail(kParseFile, "its shape has no size at byte {} of the header", at_);
    at_ += static_cast<std::size_t>(end - first);
    return number;
  }

  const std::string_view text_;
  std::size_t at_ = 0;
  NpyDictionary result_;
  bool has_descr_ = false, has_order_ = false, has_shape_ = false;
};

}  // namespace

NpyDictionary ParseNpyDictionary(std::string_view text) {
  return Parser(text).Run();
}

}  // namespace foothold
