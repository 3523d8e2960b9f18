// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/aipp/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "base/data_file.h"
#include "base/edit_distance.h"
#include "base/error.h"
#include "ops/aipp/fields.h"

namespace foothold {
namespace {

constexpr std::size_t kMostBytes = 1 << 20;
constexpr std::size_t kMostOps = 1024;

bool IsWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '+' || c == '-';
}

struct Token {
  enum class Kind { kEnd, kWord, kText, kSign };
  Kind kind = Kind::kEnd;
  std::string text;
  std::size_t line = 1;

  bool Is(char sign) const { return kind == Kind::kSign && text[0] == sign; }
  std::string Name() const { return kind == Kind::kEnd ? "the end of the file" : "\"" + text + "\""; }
};

class Lexer {
 public:
  Lexer(std::string_view text, const std::string& origin) : rest_(text), origin_(origin) { Next(); }

  const Token& now() const { return now_; }
  Token Take() {
    Token taken = std::move(now_);
    Next();
    return taken;
  }

  template <typename... Args>
  [[noreturn]] void Refuse(std::size_t line, fmt::format_string<Args...> format, Args&&... args) const {
    Fail(kParseFile, "{}, line {}: {}", origin_, line, fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  void SkipBlanks() {
    while (!rest_.empty()) {
      if (rest_[0] == '#') rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
      if (rest_.empty() || std::isspace(static_cast<unsigned char>(rest_[0])) == 0) return;
      if (rest_[0] == '\n') ++line_;
      rest_.remove_prefix(1);
    }
  }

  void Next() {
    SkipBlanks();
    now_ = {Token::Kind::kEnd, "", line_};
    if (rest_.empty()) return;
    if (rest_[0] == '"' || rest_[0] == '\'') return TakeText(rest_[0]);
    std::size_t length = 0;
    while (length < rest_.size() && IsWordCharacter(rest_[length]))
      ++length;
    now_.kind = length > 0 ? Token::Kind::kWord : Token::Kind::kSign;
    now_.text = rest_.substr(0, std::max<std::size_t>(length, 1));
    rest_.remove_prefix(now_.text.size());
  }

  void TakeText(char quote) {
    now_.kind = Token::Kind::kText;
    std::size_t i = 1;
    for (; i < rest_.size() && rest_[i] != quote && rest_[i] != '\n'; ++i) {
      if (rest_[i] == '\\' && i + 1 < rest_.size() && rest_[i + 1] != '\n') ++i;
      now_.text += rest_[i];
    }
    if (i >= rest_.size() || rest_[i] != quote)
      Refuse(line_, "a text begins with {} and does not end", quote);
    rest_.remove_prefix(i + 1);
  }

  std::string_view rest_;
  const std::string& origin_;
  std::size_t line_ = 1;
  Token now_;
};

class Parser {
 public:
  Parser(std::string_view text, const std::string& origin) : lexer_(text, origin) {}

  std::vector<AippSettings> Run() {
    std::vector<AippSettings> ops;
    while (lexer_.now().kind != Token::Kind::kEnd) {
      const std::size_t line = lexer_.now().line;
      ops.push_back(ParseOp());
      if (ops.size() > kMostOps) lexer_.Refuse(line, "more than {} aipp_op", kMostOps);
      if (ops.back().dynamic != ops.front().dynamic)
        lexer_.Refuse(line, "aipp_mode: all aipp_op of a file are static or all are dynamic; found both");
    }
    if (ops.empty()) lexer_.Refuse(1, "expected aipp_op {{ ... }}, found nothing");
    return ops;
  }

 private:
  AippSettings ParseOp() {
    const Token name = lexer_.Take();
    if (name.kind != Token::Kind::kWord || name.text != "aipp_op")
      lexer_.Refuse(name.line, "expected aipp_op, found {}", name.Name());
    Skip(':');
    Expect('{', "aipp_op");
    AippSettings settings;
    std::set<std::string> given;
    while (!lexer_.now().Is('}'))
      ParseField(settings, given);
    lexer_.Take();
    SkipSeparators();
    CheckMandatory(settings, given, name.line);
    return settings;
  }

  void ParseField(AippSettings& settings, std::set<std::string>& given) {
    const Token name = lexer_.Take();
    if (name.kind != Token::Kind::kWord)
      lexer_.Refuse(name.line, "expected the name of a field or }}, found {}", name.Name());
    const AippField* field = FindAippField(name.text);
    if (field == nullptr) RefuseName(name);
    if (!given.insert(name.text).second)
      lexer_.Refuse(name.line, "{} stands twice in one aipp_op", name.text);
    Expect(':', name.text);
    const bool list = Skip('[');
    const Token value = lexer_.Take();
    if (value.kind != Token::Kind::kWord && value.kind != Token::Kind::kText)
      lexer_.Refuse(value.line, "{}: expected {}, found {}", name.text, field->expected, value.Name());
    if (list) Expect(']', name.text);
    if (!field->set(settings, {value.text, value.kind == Token::Kind::kText}))
      lexer_.Refuse(value.line, "{}: expected {}, found {}", name.text, field->expected, value.Name());
    SkipSeparators();
  }

  [[noreturn]] void RefuseName(const Token& name) {
    std::vector<std::string_view> names;
    for (const AippField& field : AippFields())
      names.push_back(field.name);
    const std::string_view nearest = NearestName(name.text, names, 3);
    lexer_.Refuse(name.line, "an aipp_op has no field \"{}\"{}", name.text,
                  nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest));
  }

  void CheckMandatory(const AippSettings& settings, const std::set<std::string>& given, std::size_t line) {
    const auto need = [&](const char* name) {
      if (given.count(name) == 0)
        lexer_.Refuse(line, "{}: expected {}, found nothing", name, FindAippField(name)->expected);
    };
    need("aipp_mode");
    need(settings.dynamic ? "max_src_image_size" : "input_format");
    if (settings.dynamic && settings.max_src_image_size < 1)
      lexer_.Refuse(line, "max_src_image_size: expected the bytes of all pictures of a run, found {}",
                    settings.max_src_image_size);
  }

  bool Skip(char sign) {
    const bool there = lexer_.now().Is(sign);
    if (there) lexer_.Take();
    return there;
  }

  void SkipSeparators() {
    if (!Skip(',')) Skip(';');
  }

  void Expect(char sign, std::string_view after) {
    const Token token = lexer_.Take();
    if (!token.Is(sign)) lexer_.Refuse(token.line, "{}: expected {}, found {}", after, sign, token.Name());
  }

  Lexer lexer_;
};

}  // namespace

std::vector<AippSettings> ParseAipp(std::string_view text, const std::string& origin) {
  return Parser(text, origin).Run();
}

std::vector<AippSettings> ReadAippFile(const std::string& path) {
  const DataFile file = DataFile::Open(path);
  if (!file.problem().empty()) Fail(kInvalidFile, "the AIPP file {} {}", path, file.problem());
  if (file.size() > kMostBytes)
    Fail(kInvalidFile, "the AIPP file {} has {} bytes; at most {} are read", path, file.size(), kMostBytes);
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  if (!file.Read(0, reinterpret_cast<std::byte*>(text.data()), text.size()))
    Fail(kInvalidFile, "the AIPP file {} changes while it is read", path);
  return ParseAipp(text, path);
}

std::string ToText(const AippSettings& settings) {
  std::string text = "aipp_op {\n";
  for (const AippField& field : AippFields())
    if (const auto value = field.get(settings)) text += fmt::format("  {}: {}\n", field.name, *value);
  return text + "}\n";
}

}  // namespace foothold
