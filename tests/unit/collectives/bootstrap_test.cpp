// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the root of a communicator does with those who come to its port.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>

#include <chrono>
#include <cstring>
#include <future>
#include <vector>

#include "base/error.h"
#include "collectives/bootstrap/join.h"
#include "collectives/bootstrap/rank_table.h"
#include "collectives/bootstrap/root_info.h"
#include "collectives/bootstrap/root_server.h"
#include "collectives/codes.h"
#include "collectives/settings.h"

namespace foothold::collectives {
namespace {

using ::testing::HasSubstr;

TEST(KeyedHash, IsThatOfItsPaper) {
  Secret secret;
  std::vector<std::byte> text;
  for (std::uint8_t i = 0; i < 16; ++i)
    secret[i] = i;
  for (int i = 0; i < 15; ++i)
    text.push_back(static_cast<std::byte>(i));
  EXPECT_EQ(KeyedHash(secret, text), 0xa129ca6149be45e5u);
}

TEST(Interfaces, AreChosenAsTheVariableSays) {
  EXPECT_TRUE(WantsInterface("", "eth0"));
  EXPECT_TRUE(WantsInterface("eth", "eth0"));
  EXPECT_TRUE(WantsInterface("ib,eth", "eth0"));
  EXPECT_FALSE(WantsInterface("eth", "lo"));
  EXPECT_FALSE(WantsInterface("^eth", "eth0"));
  EXPECT_TRUE(WantsInterface("^eth", "lo"));
  EXPECT_TRUE(WantsInterface("=eth0", "eth0"));
  EXPECT_FALSE(WantsInterface("=eth", "eth0"));
  EXPECT_TRUE(WantsInterface("^=eth", "eth0"));
  EXPECT_FALSE(WantsInterface("^=eth0", "eth0"));
}

TEST(Seconds, MayHaveDecimals) {
  EXPECT_EQ(ParseSeconds("2"), 2 * kSecond);
  EXPECT_EQ(ParseSeconds("0.05"), 50 * kMillisecond);
  EXPECT_EQ(ParseSeconds("0"), kForever);
  for (const char* const wrong : {"", ".", "-1", "1s", "1.2.3", "1e3", "99999999999"})
    EXPECT_EQ(ParseSeconds(wrong), std::nullopt) << wrong;
}

TEST(RootInformation, BeginsWithTheAddress) {
  char room[RootInfo::kBytes];
  const RootInfo info{*Address::Parse("::1", 1234), RandomBytes()};
  info.Write(room);
  EXPECT_STREQ(room, "::1");
  const RootInfo read = RootInfo::Read(room);
  EXPECT_EQ(read.root.Text(), "::1");
  EXPECT_EQ(read.root.port(), 1234);
  EXPECT_EQ(read.secret, info.secret);
}

TEST(RankTables, HaveFourForms) {
  const auto old = RankTable::Parse(
      R"({"status":"completed","group_count":"1","group_list":[{"group_name":"x","instance_list":[
          {"pod_name":"a","server_id":"10.0.0.1","devices":[{"device_id":"0","device_ip":"192.0.2.1"}]},
          {"pod_name":"b","server_id":"10.0.0.2","devices":[{"device_id":"3","device_ip":"192.0.2.2"}]}]}]})");
  ASSERT_EQ(old.size(), 2u);
  EXPECT_EQ(old.ranks[1].device, 3);
  EXPECT_EQ(old.Root().Text(), "10.0.0.1");
  const auto pods = RankTable::Parse(
      R"({"status":"completed","version":"1.2","server_list":[{"server_id":"n","host_ip":"10.0.0.7","device":[
          {"device_id":"1","rank_id":"1","super_device_id":"1"},
          {"device_id":"0","rank_id":"0","host_port":"777","super_device_id":"0"}]}],
          "super_pod_list":[{"super_pod_id":"0","server_list":[{"server_id":"n"}]}]})");
  EXPECT_EQ(pods.Root().Text(), "10.0.0.7");
  EXPECT_EQ(pods.Root().port(), 777);
  EXPECT_NE(old.Hash(), pods.Hash());
}

// A root for so many ranks of this process, which are not started.
struct Root {
  Root() {
    info.root = *Address::Parse("127.0.0.1", 0);
    info.secret = RandomBytes();
    const std::uint16_t any = 0;
    OwnSocket listener = ListenAt(info.root, {&any, 1});
    RootServer::Start(std::move(listener), {info.secret, 20 * kSecond, std::nullopt});
  }
  std::future<Joined> Join(std::uint32_t rank, std::uint32_t ranks) const {
    return std::async(std::launch::async, [=, this] {
      JoinOptions options{info.root, info.secret, ranks, false, Now() + 20 * kSecond};
      Joined joined = JoinGroup(options, Myself(rank, 0, "127.0.0.1"));
      AwaitGo(joined, options.deadline);
      return joined;
    });
  }
  RootInfo info;
};

TEST(RootServer, BringsRanksTogether) {
  const Root root;
  auto first = root.Join(0, 2);
  auto second = root.Join(1, 2);
  const Joined joined = first.get();
  EXPECT_EQ(joined.members.size(), 2u);
  EXPECT_EQ(joined.members, second.get().members);
  EXPECT_EQ(joined.head.way, TableHead::kOneProcess);
}

TEST(RootServer, IsNotDisturbedByStrangers) {
  const Root root;
  const Nanoseconds deadline = Now() + 20 * kSecond;
  std::vector<OwnSocket> strangers;
  for (int i = 0; i < 100; ++i) {  // more than it lets wait; some say nothing, some nonsense, some half of it
    strangers.push_back(ConnectTo(root.info.root, deadline, false));
    const char text[] = "GET / HTTP/1.0\r\n\r\nGET / HTTP/1.0\r\n\r\n";
    if (i % 3 == 1) SendAll(strangers.back(), std::as_bytes(std::span(text)), deadline);
    Greeting greeting;
    if (i % 3 == 2) SendAll(strangers.back(), BytesOfMessage(greeting).first(9), deadline);
  }
  auto first = root.Join(0, 2);
  auto second = root.Join(1, 2);
  EXPECT_EQ(first.get().members.size(), 2u);
  second.get();
}

TEST(RootServer, TellsAllWhichRanksDoNotReachEachOther) {
  const Root root;
  std::future<Joined> coming[] = {root.Join(0, 3), root.Join(1, 3), root.Join(2, 3)};
  const Joined ranks[] = {coming[0].get(), coming[1].get(), coming[2].get()};
  const Nanoseconds deadline = Now() + 20 * kSecond;
  for (const Parting parting : {Parting{0, 2}, Parting{1, 2}})  // a rank speaks only for itself
    SendAll(ranks[1].connection, Packed(MessageKind::kParted, BytesOfMessage(parting)), deadline);
  for (const int rank : {0, 2}) {
    MessageHead head{};
    ReceiveAll(ranks[rank].connection, RoomOfMessage(head), deadline);
    ASSERT_EQ(head.kind, MessageKind::kParted);
    Parting parting{};
    ReceiveAll(ranks[rank].connection, RoomOfMessage(parting), deadline);
    EXPECT_EQ(parting.one, 1u);
    EXPECT_EQ(parting.other, 2u);
  }
}

TEST(RootServer, TellsAStrangerNothing) {
  const Root root;
  const Nanoseconds deadline = Now() + 20 * kSecond;
  const OwnSocket stranger = ConnectTo(root.info.root, deadline, false);
  Greeting greeting;
  SendAll(stranger, BytesOfMessage(greeting), deadline);
  Challenge challenge;
  ReceiveAll(stranger, RoomOfMessage(challenge), deadline);
  Joining joining;
  joining.ranks = 1;
  joining.member = Myself(0, 0, "");
  joining.proof = ProofOfRank(Secret{}, greeting.nonce, challenge.nonce, joining);
  SendAll(stranger, BytesOfMessage(joining), deadline);
  std::byte more;
  EXPECT_THROW(ReceiveAll(stranger, {&more, 1}, deadline), Error);
  EXPECT_EQ(root.Join(0, 1).get().members.size(), 1u);
}

// Why a rank was refused; nothing if it was not.
std::string Refusal(std::future<Joined> joining) try {
  joining.get();
  return "";
} catch (const Error& error) {
  EXPECT_EQ(error.code(), kHcclPara);
  return error.message();
}

TEST(RootServer, RefusesRanksThatDoNotFit) {
  const Root root;
  EXPECT_THAT(Refusal(root.Join(5, 2)), HasSubstr("does not exist"));
  // Of two that say they are rank 0, one is.
  auto first = root.Join(0, 2);
  auto second = root.Join(0, 2);
  while (first.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready &&
         second.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready) {
  }
  const bool first_was = first.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  EXPECT_THAT(Refusal(std::move(first_was ? first : second)), HasSubstr("there already"));
  EXPECT_THAT(Refusal(root.Join(1, 3)), HasSubstr("3 ranks"));
  EXPECT_EQ(Refusal(root.Join(1, 2)), "");
  EXPECT_EQ(Refusal(std::move(first_was ? second : first)), "");
}

}  // namespace
}  // namespace foothold::collectives
