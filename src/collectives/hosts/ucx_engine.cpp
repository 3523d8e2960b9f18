// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The only file that knows UCX. It is loaded with settings that keep it from changing the process (decision
// 0044), and called with one lock held: its functions, and those it calls back, never run side by side.
#include <dlfcn.h>
#include <fmt/format.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <ucp/api/ucp.h>
#include <unistd.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "base/environment.h"
#include "base/error.h"
#include "base/log.h"
#include "base/per_process.h"
#include "base/process_events.h"
#include "collectives/codes.h"
#include "collectives/hosts/engine.h"
#include "collectives/hosts/ucx_settings.h"
#include "device/sharing/share_channel.h"

namespace foothold::collectives {

class RemoteProcess {
 public:
  using Close = void (*)(Engine& engine, ucp_ep_h endpoint);

  RemoteProcess(Engine& engine, ucp_ep_h endpoint, Close close)
      : engine_(engine), endpoint_(endpoint), close_(close) {}
  ~RemoteProcess() { close_(engine_, endpoint_); }
  RemoteProcess(const RemoteProcess&) = delete;
  RemoteProcess& operator=(const RemoteProcess&) = delete;

  ucp_ep_h endpoint() const { return endpoint_; }

 private:
  Engine& engine_;
  const ucp_ep_h endpoint_;
  const Close close_;
};

namespace {

constexpr const char* kLibrary = "libucp.so.0";
constexpr const char* kSupport = "libucs.so.0";
constexpr unsigned kMessage = 7;                            // the one kind UCX has to tell apart
constexpr std::size_t kEagerBytes = std::size_t{32} << 10;  // more is fetched by who wants it
constexpr Nanoseconds kPatienceAtEnd = 2 * kSecond;
constexpr Nanoseconds kPatienceWithLost = 100 * kMillisecond;  // what they do not take stays for ever
constexpr std::size_t kMostUnused = 64;                        // processes that no communicator has any more
constexpr Nanoseconds kLookEvery = 100 * kMillisecond;
constexpr int kMostSteps = 256;
constexpr int kSleepMs = 100;
constexpr int kNapMs = 1;

// Its functions. Of those that come with each version since 1.13.
struct Functions {
  decltype(&ucp_config_read) config_read;
  decltype(&ucp_config_release) config_release;
  decltype(&ucp_init_version) init_version;
  decltype(&ucp_worker_create) worker_create;
  decltype(&ucp_worker_get_address) worker_get_address;
  decltype(&ucp_worker_release_address) worker_release_address;
  decltype(&ucp_worker_get_efd) worker_get_efd;
  decltype(&ucp_worker_arm) worker_arm;
  decltype(&ucp_worker_progress) worker_progress;
  decltype(&ucp_worker_set_am_recv_handler) worker_set_am_recv_handler;
  decltype(&ucp_worker_flush_nbx) worker_flush_nbx;
  decltype(&ucp_ep_create) ep_create;
  decltype(&ucp_ep_close_nbx) ep_close_nbx;
  decltype(&ucp_am_send_nbx) am_send_nbx;
  decltype(&ucp_am_recv_data_nbx) am_recv_data_nbx;
  decltype(&ucp_am_data_release) am_data_release;
  decltype(&ucp_request_free) request_free;
  decltype(&ucp_request_check_status) request_check_status;
  decltype(&ucs_status_string) status_string;
};

template <typename Function>
void Find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) Fail(kHcclNotSupport, "{} is of another version: it has no {}", kLibrary, name);
}

void* Open(const char* name) {
  void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library != nullptr) return library;
  const char* const why = dlerror();
  Fail(kHcclNotSupport,
       "ranks on several hosts need UCX, the Debian package libucx0, which cannot be loaded: {}",
       why == nullptr ? "no reason given" : why);
}

Functions LoadFunctions() {
  void* const ucp = Open(kLibrary);
  Functions functions{};
  Find(ucp, "ucp_config_read", functions.config_read);
  Find(ucp, "ucp_config_release", functions.config_release);
  Find(ucp, "ucp_init_version", functions.init_version);
  Find(ucp, "ucp_worker_create", functions.worker_create);
  Find(ucp, "ucp_worker_get_address", functions.worker_get_address);
  Find(ucp, "ucp_worker_release_address", functions.worker_release_address);
  Find(ucp, "ucp_worker_get_efd", functions.worker_get_efd);
  Find(ucp, "ucp_worker_arm", functions.worker_arm);
  Find(ucp, "ucp_worker_progress", functions.worker_progress);
  Find(ucp, "ucp_worker_set_am_recv_handler", functions.worker_set_am_recv_handler);
  Find(ucp, "ucp_worker_flush_nbx", functions.worker_flush_nbx);
  Find(ucp, "ucp_ep_create", functions.ep_create);
  Find(ucp, "ucp_ep_close_nbx", functions.ep_close_nbx);
  Find(ucp, "ucp_am_send_nbx", functions.am_send_nbx);
  Find(ucp, "ucp_am_recv_data_nbx", functions.am_recv_data_nbx);
  Find(ucp, "ucp_am_data_release", functions.am_data_release);
  Find(ucp, "ucp_request_free", functions.request_free);
  Find(ucp, "ucp_request_check_status", functions.request_check_status);
  Find(Open(kSupport), "ucs_status_string", functions.status_string);
  return functions;
}

// A message under way.
struct Transfer {
  class UcxEngine* engine;
  PacketHead head;
  BlockRef block;
  Engine::Done done;
};

class UcxEngine : public Engine {
 public:
  explicit UcxEngine(const std::string& interface);

  std::span<const std::byte> address() const override { return address_; }
  std::shared_ptr<RemoteProcess> Reach(const ProcessNumber& number,
                                       std::span<const std::byte> address) override;
  void Forget(const ProcessNumber& number) noexcept override;
  void Register(std::uint64_t group, std::uint32_t rank, std::weak_ptr<LetterTaker> taker) override;
  void Unregister(std::uint64_t group, std::uint32_t rank) noexcept override;
  void Send(RemoteProcess& to, const PacketHead& head, BlockRef block, std::size_t bytes, Done done) override;
  void Fetch(Letter letter, BlockRef into, Done done) override;
  void Drop(void* at_sender) noexcept override;
  void Poll() noexcept override;
  void Drain() noexcept override;

  // At the end of the process: what was sent gets out, and nobody calls UCX any more.
  void Close() noexcept;

 private:
  using Lock = std::lock_guard<std::recursive_mutex>;

  void Check(ucs_status_t status, const char* what) const;
  void Begin();
  void StartThread();
  void Run() noexcept;
  void LookAtAll() noexcept;
  int Move() noexcept;
  int MoveAll() noexcept;
  void Rouse() const noexcept;
  void CloseUnused();
  Transfer* Follow(std::unique_ptr<Transfer> transfer) noexcept;
  void Finish(Transfer* transfer, ucs_status_t status) noexcept;
  ucs_status_t Receive(std::span<const std::byte> head, void* data, std::size_t bytes, bool at_sender);

  static ucs_status_t OnMessage(void* self, const void* header, std::size_t header_length, void* data,
                                std::size_t length, const ucp_am_recv_param_t* param);
  static void CloseEndpoint(Engine& engine, ucp_ep_h endpoint);
  static void OnSent(void* request, ucs_status_t status, void* transfer);
  static void OnFetched(void* request, ucs_status_t status, std::size_t length, void* transfer);

  Functions ucx_{};
  ucp_worker_h worker_ = nullptr;
  int events_ = -1;  // UCX's
  std::vector<std::byte> address_;
  bool naps_ = false;  // its wake-ups may not come
  Descriptor rouse_;
  std::atomic<bool> asleep_{false};

  std::recursive_mutex mutex_;  // held for every call of UCX, and by it for every call back; guards all below
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::weak_ptr<LetterTaker>> takers_;
  std::map<ProcessNumber, std::shared_ptr<RemoteProcess>> reached_;
  std::size_t under_way_ = 0;
  bool has_lost_ = false;
  bool closed_ = false;
};

UcxEngine::UcxEngine(const std::string& interface) : rouse_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  const UcxSettings settings(interface);
  naps_ = settings.is_users("UCX_TLS");
  ucx_ = LoadFunctions();
  Begin();
  StartThread();
}

void UcxEngine::Check(ucs_status_t status, const char* what) const {
  if (status == UCS_OK) return;
  Fail(kHcclNotSupport, "UCX cannot {}: {}", what, ucx_.status_string(status));
}

void UcxEngine::Begin() {
  ucp_config_t* config = nullptr;
  Check(ucx_.config_read(nullptr, nullptr, &config), "read its settings");
  ucp_params_t params{};
  params.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_NAME;
  params.features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP;
  params.name = "foothold";
  ucp_context_h context = nullptr;
  const ucs_status_t begun = ucx_.init_version(UCP_API_MAJOR, UCP_API_MINOR, &params, config, &context);
  ucx_.config_release(config);
  Check(begun, "begin on this host, with these UCX_ variables and interfaces");
  ucp_worker_params_t worker{};
  worker.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
  worker.thread_mode = UCS_THREAD_MODE_SERIALIZED;
  Check(ucx_.worker_create(context, &worker, &worker_), "make a worker");
  ucp_am_handler_param_t handler{};
  handler.field_mask =
      UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB | UCP_AM_HANDLER_PARAM_FIELD_ARG;
  handler.id = kMessage;
  handler.cb = OnMessage;
  handler.arg = this;
  Check(ucx_.worker_set_am_recv_handler(worker_, &handler), "take messages");
  Check(ucx_.worker_get_efd(worker_, &events_), "wait for messages");
  ucp_address_t* address = nullptr;
  std::size_t length = 0;
  Check(ucx_.worker_get_address(worker_, &address, &length), "tell its address");
  const auto* const bytes = reinterpret_cast<const std::byte*>(address);
  address_.assign(bytes, bytes + length);
  ucx_.worker_release_address(worker_, address);
}

void UcxEngine::StartThread() {
  try {
    std::thread([this] { Run(); }).detach();
  } catch (const std::system_error& error) {
    Fail(kHcclMemory, "no thread can be started for messages between hosts: {}", error.what());
  }
}

// Sleeps where UCX says that something happens, and looks now and then in any case.
void UcxEngine::Run() noexcept {
  pthread_setname_np(pthread_self(), "foothold-hosts");
  Nanoseconds looked = Now();
  for (;;) {
    if (Now() - looked >= kLookEvery) {
      LookAtAll();
      looked = Now();
    }
    bool waits;
    {
      Lock lock(mutex_);
      if (closed_) return;
      if (MoveAll() == kMostSteps) continue;  // others want the lock too
      asleep_.store(true);
      if (ucx_.worker_arm(worker_) == UCS_ERR_BUSY) continue;
      waits = under_way_ > 0;
    }
    pollfd polled[] = {{events_, POLLIN, 0}, {rouse_.get(), POLLIN, 0}};
    poll(polled, 2, naps_ && waits ? kNapMs : kSleepMs);
    asleep_.store(false);
    std::uint64_t count = 0;
    if (read(rouse_.get(), &count, sizeof(count)) < 0) {  // nobody called
    }
  }
}

void UcxEngine::LookAtAll() noexcept try {
  std::vector<std::shared_ptr<LetterTaker>> takers;
  {
    Lock lock(mutex_);
    for (const auto& [place, taker] : takers_)
      takers.push_back(taker.lock());
  }
  for (const auto& taker : takers) {
    if (taker) taker->Look();
  }
} catch (const std::bad_alloc&) {  // next time
}

void UcxEngine::Rouse() const noexcept {
  const std::uint64_t one = 1;
  if (asleep_.load() && write(rouse_.get(), &one, sizeof(one)) < 0) {  // full: it is awake
  }
}

// How much was moved. Precondition: the lock is held.
int UcxEngine::Move() noexcept {
  return closed_ ? 0 : static_cast<int>(ucx_.worker_progress(worker_));
}

void UcxEngine::Poll() noexcept {
  const std::unique_lock<std::recursive_mutex> lock(mutex_, std::try_to_lock);
  if (lock) Move();
}

// Until nothing moves, or for a while: how many steps it took. Precondition: the lock is held.
int UcxEngine::MoveAll() noexcept {
  int steps = 0;
  while (steps < kMostSteps && Move() != 0)
    ++steps;
  return steps;
}

void UcxEngine::Drain() noexcept {
  Lock lock(mutex_);
  MoveAll();
}

void UcxEngine::Close() noexcept {
  ucs_status_ptr_t flush = nullptr;
  const Nanoseconds began = Now();
  for (bool first = true;; first = false) {
    {
      Lock lock(mutex_);
      const ucp_request_param_t param{};
      if (first) flush = ucx_.worker_flush_nbx(worker_, &param);
      MoveAll();
      const bool out = !UCS_PTR_IS_PTR(flush) || ucx_.request_check_status(flush) != UCS_INPROGRESS;
      closed_ = out || Now() - began >= (has_lost_ ? kPatienceWithLost : kPatienceAtEnd);
      if (closed_) return;
    }
    usleep(1000);
  }
}

std::shared_ptr<RemoteProcess> UcxEngine::Reach(const ProcessNumber& number,
                                                std::span<const std::byte> address) {
  Lock lock(mutex_);
  if (closed_) Fail(kHcclUnavailable, "the process ends");
  auto& reached = reached_[number];
  if (reached) return reached;
  ucp_ep_params_t params{};
  params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE;
  params.address = reinterpret_cast<const ucp_address_t*>(address.data());
  params.err_mode = UCP_ERR_HANDLING_MODE_NONE;
  ucp_ep_h endpoint = nullptr;
  const ucs_status_t status = ucx_.ep_create(worker_, &params, &endpoint);
  if (status != UCS_OK) {
    reached_.erase(number);
    Fail(kHcclTcpConnect, "UCX finds no way to another process: {}", ucx_.status_string(status));
  }
  reached = std::make_shared<RemoteProcess>(*this, endpoint, &CloseEndpoint);
  const auto made = reached;
  CloseUnused();
  Rouse();
  return made;
}

// Those that may be asked for again are kept. Precondition: the lock is held.
void UcxEngine::CloseUnused() {
  if (reached_.size() <= kMostUnused) return;
  std::erase_if(reached_, [](const auto& one) { return one.second.use_count() == 1; });
}

// What is under way to it gets there first; nobody waits for that.
void UcxEngine::CloseEndpoint(Engine& engine, ucp_ep_h endpoint) {
  auto& self = static_cast<UcxEngine&>(engine);
  Lock lock(self.mutex_);
  if (self.closed_) return;
  const ucp_request_param_t param{};
  const ucs_status_ptr_t request = self.ucx_.ep_close_nbx(endpoint, &param);
  if (UCS_PTR_IS_PTR(request)) self.ucx_.request_free(request);
  self.Rouse();
}

void UcxEngine::Forget(const ProcessNumber& number) noexcept {
  Lock lock(mutex_);
  has_lost_ = true;
  reached_.erase(number);
}

void UcxEngine::Register(std::uint64_t group, std::uint32_t rank, std::weak_ptr<LetterTaker> taker) {
  Lock lock(mutex_);
  takers_[{group, rank}] = std::move(taker);
}

void UcxEngine::Unregister(std::uint64_t group, std::uint32_t rank) noexcept {
  Lock lock(mutex_);
  takers_.erase({group, rank});
}

void UcxEngine::Send(RemoteProcess& to, const PacketHead& head, BlockRef block, std::size_t bytes,
                     Done done) {
  auto transfer = std::make_unique<Transfer>(Transfer{this, head, std::move(block), std::move(done)});
  Lock lock(mutex_);
  if (closed_) return transfer->done("the process ends");
  ucp_request_param_t param{};
  param.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FIELD_FLAGS;
  param.flags = bytes > kEagerBytes ? UCP_AM_SEND_FLAG_RNDV : UCP_AM_SEND_FLAG_EAGER;
  param.cb.send = OnSent;
  const std::byte* const from = transfer->block ? transfer->block->data() : nullptr;
  Transfer* const followed = Follow(std::move(transfer));
  param.user_data = followed;
  const ucs_status_ptr_t status =
      ucx_.am_send_nbx(to.endpoint(), kMessage, &followed->head, sizeof(followed->head), from, bytes, &param);
  if (!UCS_PTR_IS_PTR(status)) Finish(followed, UCS_PTR_RAW_STATUS(status));
}

void UcxEngine::Fetch(Letter letter, BlockRef into, Done done) {
  auto transfer = std::make_unique<Transfer>(Transfer{this, letter.head(), std::move(into), std::move(done)});
  Lock lock(mutex_);
  if (closed_) return transfer->done("the process ends");
  ucp_request_param_t param{};
  param.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  param.cb.recv_am = OnFetched;
  Transfer* const followed = Follow(std::move(transfer));
  param.user_data = followed;
  const ucs_status_ptr_t status =
      ucx_.am_recv_data_nbx(worker_, letter.Release(), followed->block->data(), letter.bytes(), &param);
  if (!UCS_PTR_IS_PTR(status)) Finish(followed, UCS_PTR_RAW_STATUS(status));
}

// UCX has it until it is finished.
Transfer* UcxEngine::Follow(std::unique_ptr<Transfer> transfer) noexcept {
  ++under_way_;
  Rouse();
  return transfer.release();
}

void UcxEngine::Finish(Transfer* transfer, ucs_status_t status) noexcept {
  const std::unique_ptr<Transfer> finished(transfer);
  --under_way_;
  finished->done(status == UCS_OK ? nullptr : ucx_.status_string(status));
}

void UcxEngine::OnSent(void* request, ucs_status_t status, void* data) {
  auto* const transfer = static_cast<Transfer*>(data);
  UcxEngine& engine = *transfer->engine;
  engine.Finish(transfer, status);
  engine.ucx_.request_free(request);
}

void UcxEngine::OnFetched(void* request, ucs_status_t status, std::size_t, void* transfer) {
  OnSent(request, status, transfer);
}

void UcxEngine::Drop(void* at_sender) noexcept {
  Lock lock(mutex_);
  if (!closed_) ucx_.am_data_release(worker_, at_sender);
  Rouse();
}

ucs_status_t UcxEngine::OnMessage(void* self, const void* header, std::size_t header_length, void* data,
                                  std::size_t length, const ucp_am_recv_param_t* param) {
  const std::span head(static_cast<const std::byte*>(header), header_length);
  return static_cast<UcxEngine*>(self)->Receive(head, data, length,
                                                (param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) != 0);
}

// Messages nobody here waits for are dropped.
ucs_status_t UcxEngine::Receive(std::span<const std::byte> bytes, void* data, std::size_t length,
                                bool at_sender) try {
  const auto head = ReadHead(bytes);
  if (!head) return UCS_OK;
  const auto found = takers_.find({head->group, head->to});
  const auto taker = found == takers_.end() ? nullptr : found->second.lock();
  if (!taker) return UCS_OK;
  if (!at_sender) {
    taker->Take(Letter(*head, BlockOf({static_cast<const std::byte*>(data), length}), length));
    return UCS_OK;
  }
  taker->Take(Letter(*head, *this, data, length));
  return UCS_INPROGRESS;
} catch (const std::bad_alloc&) {
  Log(LogLevel::kError, "a message from another host is lost: no memory");
  return UCS_OK;
}

// The engine of this process, made when somebody asks.
struct TheEngine {
  std::mutex mutex;
  std::unique_ptr<UcxEngine> engine;
};

// UCX's threads do not come along into a forked child, and it could not be loaded a second time.
std::atomic<pid_t> loaded_by{0};

void CloseAtExit() {
  TheEngine* const one = PerProcess<TheEngine>::IfMade();
  if (one == nullptr) return;
  std::lock_guard<std::mutex> lock(one->mutex);
  if (one->engine) one->engine->Close();
}

}  // namespace

Engine& Engine::Get(const std::string& interface) {
  TheEngine& one = PerProcess<TheEngine>::Get();
  std::lock_guard<std::mutex> lock(one.mutex);
  if (one.engine) return *one.engine;
  if (loaded_by.load() != 0 && loaded_by.load() != getpid()) {
    Fail(kHcclNotSupport,
         "this process was forked from one that has ranks on several hosts, so it cannot have any itself; "
         "start it as a program (exec, or the spawn method of Python's multiprocessing)");
  }
  one.engine = std::make_unique<UcxEngine>(interface);
  loaded_by.store(getpid());
  AtExit(ExitStage::kConnections, CloseAtExit);
  return *one.engine;
}

}  // namespace foothold::collectives
