// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/hosts/host_group.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "base/log.h"
#include "collectives/codes.h"
#include "collectives/hosts/host_meeting.h"

namespace foothold::collectives {
namespace {

constexpr std::size_t kMostMailboxes = 65536;  // that nobody here has asked for yet
constexpr std::size_t kMostLeftParts = 4096;
constexpr Nanoseconds kPatienceToLeave = 2 * kSecond;
constexpr Nanoseconds kProbeAfter = kSecond;  // of silence
constexpr Nanoseconds kProbeEvery = 500 * kMillisecond;
constexpr Nanoseconds kAskAfter = 5 * kSecond;   // whether the other one runs at all
constexpr Nanoseconds kLostAfter = 2 * kSecond;  // after it was said to
constexpr auto kLook = std::chrono::milliseconds(20);

Failure GoneFrom(const std::string& why, const std::string& name) {
  return std::make_shared<const Error>(kRtSuspectRemote, fmt::format("{}, of communicator {}", why, name));
}

}  // namespace

std::shared_ptr<HostGroup> HostGroup::Make(std::string name, const Joined& joined, std::uint32_t rank,
                                           Engine& engine) {
  std::shared_ptr<HostGroup> group(new HostGroup(std::move(name), joined, rank, engine));
  engine.Register(group->identity(), rank, group);
  return group;
}

HostGroup::HostGroup(std::string name, const Joined& joined, std::uint32_t rank, Engine& engine)
    : WholeGroup(std::move(name), joined, rank),
      engine_(engine),
      sending_(joined.head.ranks),
      silence_(joined.head.ranks),
      hellos_(joined.head.ranks),
      lost_(joined.head.ranks) {}

HostGroup::~HostGroup() {
  engine_.Unregister(identity(), own_rank());
  if (life_line_) life_line_->Close();
}

std::string HostGroup::Describe(std::uint32_t rank) const {
  return fmt::format("rank {} (process {} on {})", rank, member(rank).pid, member(rank).address.data());
}

void HostGroup::Connect(const std::vector<std::vector<std::byte>>& addresses, const Joined& joined,
                        Nanoseconds deadline) {
  processes_.resize(size());
  for (std::uint32_t rank = own_rank() + 1; rank < size(); ++rank)
    Greet(rank, addresses);
  // Two that connect to each other at a time make UCX 1.13 end this process if the other one ends then.
  for (std::uint32_t rank = 0; rank < own_rank(); ++rank) {
    if (!AwaitHello(rank, joined, deadline)) return;
    Greet(rank, addresses);
  }
  connected_.store(true);
  for (std::uint32_t rank = own_rank() + 1; rank < size(); ++rank) {
    if (!AwaitHello(rank, joined, deadline)) return;
  }
}

void HostGroup::Greet(std::uint32_t rank, const std::vector<std::vector<std::byte>>& addresses) {
  processes_[rank] = engine_.Reach(member(rank).process, addresses[rank]);
  SendTo(rank, PacketKind::kHello);
}

// False if the root has something to say: who waits for its word reads why.
bool HostGroup::AwaitHello(std::uint32_t rank, const Joined& joined, Nanoseconds deadline) {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!heard_.wait_for(lock, kLook, [&] { return hellos_[rank]; })) {
    pollfd root{joined.connection.get(), POLLIN, 0};
    if (poll(&root, 1, 0) > 0) return false;
    if (Now() < deadline) continue;
    throw Error(kHcclTimeout,
                fmt::format("rank {} heard nothing from {} over UCX, though the root did: a firewall may be "
                            "between them, or UCX uses another interface (docs/collectives.md)",
                            own_rank(), Unheard()),
                kTextHcclSocketTimeout);
  }
  return true;
}

// Precondition: the lock is held.
std::string HostGroup::Unheard() const {
  std::vector<std::string> names;
  for (std::uint32_t rank = 0; rank < size(); ++rank) {
    if (rank != own_rank() && !hellos_[rank]) names.push_back(Describe(rank));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

void HostGroup::Start(OwnSocket connection, bool root_is_here) {
  LifeLine::News news;
  news.lost = [weak = WeakSelf()](std::uint32_t rank, const std::string& why) {
    if (const auto group = weak.lock()) group->NoteLost(rank, why);
  };
  news.alive = [weak = WeakSelf()](std::uint32_t rank) {
    const auto group = weak.lock();
    if (group && rank < group->size()) group->silence_[rank].alive.store(Now());
  };
  news.parted = [weak = WeakSelf()](const Parting& parting) {
    if (const auto group = weak.lock()) group->NoteParted(parting);
  };
  life_line_ = LifeLine::Open(std::move(connection), std::move(news), root_is_here);
}

std::shared_ptr<Meeting> HostGroup::Meet(const PartLabel& label, SeatingRef seating) {
  return std::make_shared<HostMeeting>(Self(), label, std::move(seating));
}

// What was sent gets out first: a process may end as soon as its communicator is destroyed.
void HostGroup::Leave(std::uint32_t, const Failure&) noexcept {
  for (std::uint32_t rank = 0; rank < size(); ++rank)
    SendTo(rank, PacketKind::kGone);
  const Nanoseconds end = Now() + kPatienceToLeave;
  while (IsSending() && Now() < end) {
    engine_.Drain();
    usleep(200);
  }
  if (life_line_) life_line_->Close();
}

// To a rank that is not lost.
bool HostGroup::IsSending() const {
  for (std::uint32_t rank = 0; rank < size(); ++rank) {
    if (sending_[rank].load() > 0 && !Lost(0, rank)) return true;
  }
  return false;
}

void HostGroup::LeavePart(std::uint64_t part, const SeatingRef& seating, std::uint32_t,
                          const Failure&) noexcept {
  for (const std::uint32_t rank : seating->ranks)
    SendTo(rank, PacketKind::kGone, part);
  try {
    std::lock_guard<std::mutex> lock(mutex_);
    if (left_parts_.size() >= kMostLeftParts) left_parts_.erase(left_parts_.begin());
    left_parts_.insert(part);
    finished_.ForgetPart(part);
    std::erase_if(gone_, [part](const auto& one) { return one.first.first == part; });
  } catch (const std::bad_alloc&) {  // what still comes is kept
  }
}

void HostGroup::SendTo(std::uint32_t rank, PacketKind kind, std::uint64_t part) noexcept {
  if (rank == own_rank() || Lost(0, rank)) return;
  try {
    PacketHead head;
    head.kind = kind;
    head.part = part;
    Send(rank, head, nullptr, 0, nullptr);
  } catch (const std::exception& error) {
    Log(LogLevel::kWarning, "{} does not hear from rank {}: {}", Describe(rank), own_rank(), error.what());
  }
}

std::shared_ptr<Mailbox> HostGroup::OpenMailbox(const PartLabel& label) {
  std::lock_guard<std::mutex> lock(mutex_);
  auto& mailbox = mailboxes_[label];
  if (!mailbox) mailbox = std::make_shared<Mailbox>();
  return mailbox;
}

void HostGroup::CloseMailbox(const PartLabel& label) noexcept {
  std::shared_ptr<Mailbox> closed;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (auto node = mailboxes_.extract(label)) closed = std::move(node.mapped());
    try {
      if (!left_parts_.contains(label.part)) finished_.Add(label);
    } catch (const std::bad_alloc&) {  // what comes too late is kept
    }
  }
  if (closed) closed->Close();
}

void HostGroup::Send(std::uint32_t to, PacketHead head, BlockRef block, std::size_t bytes,
                     const std::shared_ptr<Mailbox>& mailbox) {
  head.group = identity();
  head.from = own_rank();
  head.to = to;
  if (mailbox) mailbox->NoteSending(to, bytes);
  sending_[to].fetch_add(1);
  engine_.Send(*processes_[to], head, std::move(block), bytes,
               [group = Self(), mailbox, to, bytes](const char* why) {
                 group->sending_[to].fetch_sub(1);
                 if (why == nullptr && bytes > 0) group->NoteHeard(to);
                 if (mailbox) mailbox->NoteSent(to, bytes, why);
               });
}

void HostGroup::Fetch(Letter letter, const std::shared_ptr<Mailbox>& mailbox) {
  const PacketHead head = letter.head();
  const std::size_t bytes = letter.bytes();
  BlockRef block = TakeBlock(bytes);
  engine_.Fetch(std::move(letter), block, [group = Self(), head, block, bytes, mailbox](const char* why) {
    group->NoteHeard(head.from);
    if (why == nullptr) return mailbox->Put(Letter(head, block, bytes));
    mailbox->NoteBroken(head.from, why);
  });
}

Failure HostGroup::Lost(std::uint64_t part, std::uint32_t rank) const {
  std::lock_guard<std::mutex> lock(mutex_);
  if (lost_[rank]) return lost_[rank];
  const auto gone = gone_.find({part, rank});
  return gone == gone_.end() ? nullptr : gone->second;
}

Failure HostGroup::Parted(const std::vector<std::uint32_t>& ranks) const {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto has = [&](std::uint32_t rank) {
    return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
  };
  for (const auto& [pair, failure] : parted_) {
    if (has(pair.first) && has(pair.second)) return failure;
  }
  return nullptr;
}

void HostGroup::PartFrom(std::uint32_t rank, const std::string& why) {
  if (life_line_) life_line_->Report({own_rank(), rank});
  NoteLost(rank, why);
}

// Who waits for both in a collective that these two have not come to yet would wait for ever.
void HostGroup::NoteParted(const Parting& parting) {
  if (parting.one >= size() || parting.other >= size()) return;
  if (parting.other == own_rank())
    return NoteLost(parting.one,
                    fmt::format("{} hears nothing from rank {}", Describe(parting.one), own_rank()));
  const auto why =
      fmt::format("{} hears nothing from {} any more", Describe(parting.one), Describe(parting.other));
  engine_.Drain();
  {
    std::lock_guard<std::mutex> lock(mutex_);
    parted_.emplace(std::minmax(parting.one, parting.other), GoneFrom(why, name()));
  }
  WakeAll();
}

// What it sent before comes first, where it has come already.
void HostGroup::NoteLost(std::uint32_t rank, const std::string& why) {
  engine_.Drain();
  for (std::uint32_t one = 0; one < size(); ++one) {
    // Without the root nobody hears of the others.
    const bool lost = one == rank || rank == UINT32_MAX;
    if (!lost || one == own_rank()) continue;
    engine_.Forget(member(one).process);
    std::lock_guard<std::mutex> lock(mutex_);
    if (!lost_[one]) lost_[one] = GoneFrom(why, name());
  }
  WakeAll();
}

// While somebody here waits: whether the others can still be heard. One that is stopped is not lost, but one
// that runs, as the root says, and cannot be heard has no way to this host any more.
void HostGroup::Look() noexcept try {
  bool waits = false;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [label, mailbox] : mailboxes_) {
      waits = waits || mailbox->is_waited_for();
      if (mailbox->broken()) mailbox->Wake();
    }
  }
  for (std::uint32_t rank = 0; rank < size(); ++rank) {
    if (!waits) NoteHeard(rank);
    if (waits && rank != own_rank() && !Lost(0, rank)) LookAt(rank);
  }
} catch (const std::exception& error) {  // looks again soon
  Log(LogLevel::kWarning, "the ranks of {} are not looked at: {}", name(), error.what());
}

void HostGroup::LookAt(std::uint32_t rank) {
  Silence& silence = silence_[rank];
  const Nanoseconds heard = silence.heard.load();
  const Nanoseconds now = Now();
  if (now - heard < kProbeAfter || now - silence.probed < kProbeEvery) return;
  silence.probed = now;
  SendTo(rank, PacketKind::kProbe);
  if (now - heard < kAskAfter) return;
  const Nanoseconds alive = silence.alive.load();
  if (alive > heard && now - alive >= kLostAfter) {
    return PartFrom(rank, fmt::format("{} runs, but nothing comes from it any more", Describe(rank)));
  }
  if (alive <= heard && now - silence.asked >= kProbeAfter && life_line_) {
    silence.asked = now;
    life_line_->Ask(rank);
  }
}

void HostGroup::NoteGone(std::uint64_t part, std::uint32_t rank) {
  const Failure gone = GoneFrom(fmt::format("rank {} has destroyed it or has ended (process {} on {})", rank,
                                            member(rank).pid, member(rank).address.data()),
                                name());
  std::lock_guard<std::mutex> lock(mutex_);
  if (part == 0) {
    if (!lost_[rank]) lost_[rank] = gone;
  } else if (!left_parts_.contains(part)) {
    gone_[{part, rank}] = gone;
  }
}

void HostGroup::WakeAll() noexcept {
  std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [label, mailbox] : mailboxes_)
    mailbox->Wake();
}

void HostGroup::Take(Letter letter) noexcept try {
  const PacketHead& head = letter.head();
  if (head.from >= size()) return;
  NoteHeard(head.from);
  if (head.kind == PacketKind::kProbe && connected_.load()) return SendTo(head.from, PacketKind::kEcho);
  if (head.kind == PacketKind::kProbe || head.kind == PacketKind::kEcho) return;
  if (head.kind == PacketKind::kHello) {
    std::lock_guard<std::mutex> lock(mutex_);
    hellos_[head.from] = true;
    return heard_.notify_all();
  }
  if (head.kind == PacketKind::kGone) {
    NoteGone(head.part, head.from);
    return WakeAll();
  }
  std::shared_ptr<Mailbox> mailbox;
  {
    const PartLabel label{head.part, head.label()};
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = mailboxes_.find(label);
    if (found != mailboxes_.end()) {
      mailbox = found->second;
    } else if (!finished_.Has(label) && !left_parts_.contains(label.part) &&
               mailboxes_.size() < kMostMailboxes) {
      mailbox = mailboxes_[label] = std::make_shared<Mailbox>();
    }
  }
  if (mailbox) mailbox->Put(std::move(letter));
} catch (const std::bad_alloc&) {
  Log(LogLevel::kError, "a message from another host is lost: no memory");
}

}  // namespace foothold::collectives
