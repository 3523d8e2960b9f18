// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/bootstrap/root_info.h"

#include <fmt/format.h>

#include <cstring>

#include "base/error.h"
#include "collectives/bootstrap/root_server.h"
#include "collectives/bootstrap/white_list.h"
#include "collectives/codes.h"

namespace foothold::collectives {
namespace {

constexpr std::size_t kTextRoom = 64;
constexpr char kMagic[8] = {'F', 'O', 'O', 'T', 'H', 'O', 'L', 'D'};

// Behind the text.
struct Rest {
  char magic[8];
  std::uint32_t version;
  std::uint16_t port;
  std::uint16_t unused;
  Secret secret;
};

}  // namespace

void RootInfo::Write(std::span<char, kBytes> to) const {
  std::memset(to.data(), 0, to.size());
  const std::string text = root.Text();
  std::memcpy(to.data(), text.data(), text.size());
  Rest rest{};
  std::memcpy(rest.magic, kMagic, sizeof(kMagic));
  rest.version = 1;
  rest.port = root.port();
  rest.secret = secret;
  std::memcpy(to.data() + kTextRoom, &rest, sizeof(rest));
}

RootInfo RootInfo::Read(std::span<const char, kBytes> from) {
  Rest rest;
  std::memcpy(&rest, from.data() + kTextRoom, sizeof(rest));
  const std::string text(from.data(), strnlen(from.data(), kTextRoom));
  const auto address = Address::Parse(text, rest.port);
  if (std::memcmp(rest.magic, kMagic, sizeof(kMagic)) != 0 || rest.version != 1 || !address)
    Fail(kHcclPara, "rootInfo was not made by HcclGetRootInfo of this library, or was changed on its way");
  return {*address, rest.secret};
}

RootInfo RootInfo::MakeRoot(std::int64_t patience) {
  RootServer::Options options;
  options.secret = RandomBytes();
  options.patience = patience;
  options.white_list = WhiteList();
  RootInfo info{ChooseHostAddress().address, options.secret};
  OwnSocket listener = ListenAt(info.root, PortsToTry());
  RootServer::Start(std::move(listener), std::move(options));
  return info;
}

}  // namespace foothold::collectives
