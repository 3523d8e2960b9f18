// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ggml_peer.h"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string_view>

namespace bench {

struct GgmlContextSize {
  std::size_t bytes;
  void* memory;
  bool no_data;
};

// A function of the library, found by the name it has there.
template <typename Signature>
struct GgmlFunction {
  const char* name;
  Signature* call = nullptr;
  template <typename... Arguments>
  auto operator()(Arguments... arguments) const {
    return call(arguments...);
  }
};

struct GgmlFunctions {
  using T = GgmlTensor;
  // Contexts, which hold tensors, and graphs.
  GgmlFunction<void(void (*)(int, const char*, void*), void*)> set_log{"ggml_log_set"};
  GgmlFunction<void*(GgmlContextSize)> init{"ggml_init"};
  GgmlFunction<void(void*)> free{"ggml_free"};
  GgmlFunction<T*(void*, int, int, const std::int64_t*)> new_tensor{"ggml_new_tensor"};
  GgmlFunction<void*(void*)> new_graph{"ggml_new_graph"};
  GgmlFunction<void(void*, T*)> expand{"ggml_build_forward_expand"};
  GgmlFunction<std::size_t(const T*)> bytes{"ggml_nbytes"};
  GgmlFunction<std::size_t(int, const float*, void*, std::int64_t, std::int64_t, std::int64_t, const float*)>
      quantize{"ggml_quantize_chunk"};
  // Nodes.
  GgmlFunction<T*(void*, T*, T*)> mul_mat{"ggml_mul_mat"};
  GgmlFunction<T*(void*, T*, float)> rms_norm{"ggml_rms_norm"};
  GgmlFunction<T*(void*, T*, T*)> mul{"ggml_mul"};
  GgmlFunction<T*(void*, T*, T*, float, float)> soft_max{"ggml_soft_max_ext"};
  GgmlFunction<T*(void*, T*)> swiglu{"ggml_swiglu"};
  GgmlFunction<T*(void*, T*, T*, T*, int, int, int, float, float, float, float, float, float)> rope{
      "ggml_rope_ext"};
  GgmlFunction<T*(void*, T*, T*, T*, T*, float, float, float)> attention{"ggml_flash_attn_ext"};
  GgmlFunction<T*(void*, T*, int, int, int, int)> permute{"ggml_permute"};
  // The CPU, its memory and its threads.
  GgmlFunction<void*()> cpu_init{"ggml_backend_cpu_init"};
  GgmlFunction<void(void*, int)> set_thread_count{"ggml_backend_cpu_set_n_threads"};
  GgmlFunction<void(void*, void*)> set_threads{"ggml_backend_cpu_set_threadpool"};
  GgmlFunction<void(void*, int)> threads_params{"ggml_threadpool_params_init"};
  GgmlFunction<void*(void*)> new_threads{"ggml_threadpool_new"};
  GgmlFunction<void(void*)> free_threads{"ggml_threadpool_free"};
  GgmlFunction<void(void*)> free_backend{"ggml_backend_free"};
  GgmlFunction<int(void*, void*)> compute{"ggml_backend_graph_compute"};
  GgmlFunction<void*(void*)> device_of{"ggml_backend_get_device"};
  GgmlFunction<void*()> registry{"ggml_backend_cpu_reg"};
  GgmlFunction<void*(void*, const char*)> extra_function{"ggml_backend_reg_get_proc_address"};
  GgmlFunction<bool(void*, const T*)> supports{"ggml_backend_dev_supports_op"};
  GgmlFunction<void*(void*, void*)> place{"ggml_backend_alloc_ctx_tensors_from_buft"};
  GgmlFunction<void*(void*)> usual_kind{"ggml_backend_get_default_buffer_type"};
  GgmlFunction<void(void*)> free_buffer{"ggml_backend_buffer_free"};
  GgmlFunction<void(T*, const void*, std::size_t, std::size_t)> set{"ggml_backend_tensor_set"};
  GgmlFunction<void(const T*, void*, std::size_t, std::size_t)> get{"ggml_backend_tensor_get"};

  template <typename Visit>
  void ForEach(Visit visit) {
    visit(set_log), visit(init), visit(free), visit(new_tensor), visit(new_graph), visit(expand);
    visit(bytes), visit(quantize), visit(mul_mat), visit(rms_norm), visit(mul), visit(soft_max),
        visit(swiglu);
    visit(rope), visit(attention), visit(permute), visit(cpu_init), visit(set_thread_count);
    visit(set_threads), visit(threads_params), visit(new_threads), visit(free_threads);
    visit(free_backend), visit(compute), visit(device_of), visit(registry), visit(extra_function);
    visit(supports), visit(place), visit(usual_kind), visit(free_buffer), visit(set), visit(get);
  }
};

// The memory of one weight, and the context it is made in.
struct GgmlMemory {
  const GgmlFunctions& api;
  void* context;
  void* buffer = nullptr;

  ~GgmlMemory() {
    if (buffer != nullptr) api.free_buffer(buffer);
    api.free(context);
  }
};

namespace {

constexpr std::size_t kContextBytes = 1u << 20;  // of descriptions; the elements lie elsewhere
constexpr std::string_view kPrefix = "libggml-cpu-";

std::filesystem::path Folder() {
#if defined(__aarch64__)
  const std::string machine = "linux-arm64";
#else
  const std::string machine = "linux-x64";
#endif
  return "build/peers/node_modules/@node-llama-cpp/" + machine + "/bins/" + machine;
}

// Zero: this processor cannot run it.
int ScoreOf(void* library) {
  void* const score = library == nullptr ? nullptr : dlsym(library, "ggml_backend_score");
  return score == nullptr ? 0 : reinterpret_cast<int (*)()>(score)();
}

std::filesystem::path BestLibrary() {
  std::filesystem::path best;
  int best_score = 0;
  std::error_code missing;
  for (const auto& file : std::filesystem::directory_iterator(Folder(), missing)) {
    if (file.path().filename().string().rfind(kPrefix, 0) != 0) continue;
    void* const library = dlopen(file.path().c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (const int score = ScoreOf(library); score > best_score) {
      best = file.path();
      best_score = score;
    }
    if (library != nullptr) dlclose(library);
  }
  return best;
}

void* NewContext(const GgmlFunctions& api) {
  return api.init(GgmlContextSize{kContextBytes, nullptr, true});
}

// Threads that stay, as in a program that runs one graph after the other.
void* NewThreads(const GgmlFunctions& api, int count) {
  alignas(16) unsigned char params[4096] = {};
  api.threads_params(static_cast<void*>(params), count);
  return api.new_threads(static_cast<void*>(params));
}

// Where else than in usual memory this processor would have weights; ends with null.
void** ExtraKinds(const GgmlFunctions& api, void* backend) {
  static void* none = nullptr;
  void* const found = api.extra_function(api.registry(), "ggml_backend_dev_get_extra_bufts");
  if (found == nullptr) return &none;
  void** const kinds = reinterpret_cast<void** (*)(void*)>(found)(api.device_of(backend));
  return kinds == nullptr ? &none : kinds;
}

}  // namespace

Ggml::~Ggml() = default;

void* Ggml::Function(const char* name) const {
  void* const found = dlsym(library_, name);
  if (found == nullptr) throw std::runtime_error(std::string("ggml has no function ") + name);
  return found;
}

std::unique_ptr<Ggml> Ggml::Load(std::string& why) {
  const std::filesystem::path path = BestLibrary();
  void* const library = path.empty() ? nullptr : dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    why = "ggml is not in " + Folder().string() + "; tools/peers.sh brings it where npm is installed";
    return nullptr;
  }
  std::unique_ptr<Ggml> ggml(new Ggml);
  ggml->library_ = library;
  ggml->variant_ = path.stem().string().substr(kPrefix.size());
  ggml->functions_ = std::make_unique<GgmlFunctions>();
  ggml->functions_->ForEach([&](auto& function) {
    function.call = reinterpret_cast<decltype(function.call)>(dlsym(library, function.name));
    if (function.call == nullptr) why = std::string("ggml has no function ") + function.name;
  });
  if (!why.empty()) return nullptr;
  ggml->functions_->set_log.call([](int, const char*, void*) {}, nullptr);  // it tells of every weight
  return ggml;
}

GgmlGraph::GgmlGraph(Ggml& ggml, int threads)
    : api_(*ggml.functions_),
      backend_(api_.cpu_init()),
      threads_(NewThreads(api_, threads)),
      context_(NewContext(api_)) {
  api_.set_thread_count(backend_, threads);
  api_.set_threads(backend_, threads_);
}

GgmlGraph::~GgmlGraph() {
  if (buffer_ != nullptr) api_.free_buffer(buffer_);
  api_.free(context_);
  api_.free_backend(backend_);
  api_.free_threads(threads_);
}

GgmlTensor* GgmlGraph::Make(void* context, GgmlType type, const Dims& dims) {
  return api_.new_tensor(context, static_cast<int>(type), static_cast<int>(dims.size()), dims.data());
}

GgmlTensor* GgmlGraph::Input(GgmlType type, const Dims& dims) {
  made_.push_back({Make(context_, type, dims), type, dims[0]});
  return made_.back().tensor;
}

bool GgmlGraph::Accepts(GgmlTensor* weight, std::int64_t depth) const {
  const GgmlMemory aside{api_, NewContext(api_)};
  const std::int64_t dims[] = {depth, 1};
  GgmlTensor* const x = api_.new_tensor(aside.context, static_cast<int>(GgmlType::kF32), 2, dims);
  return api_.supports(api_.device_of(backend_), api_.mul_mat(aside.context, weight, x));
}

std::unique_ptr<GgmlMemory> GgmlGraph::PlaceWeight(void* kind, GgmlType type, const Dims& dims,
                                                   GgmlTensor*& weight) {
  std::unique_ptr<GgmlMemory> memory(new GgmlMemory{api_, NewContext(api_)});
  weight = Make(memory->context, type, dims);
  memory->buffer = api_.place(memory->context, kind);
  const bool taken = memory->buffer != nullptr && Accepts(weight, dims[0]);
  return taken ? std::move(memory) : nullptr;
}

GgmlTensor* GgmlGraph::Weight(GgmlType type, std::int64_t depth, std::int64_t columns) {
  GgmlTensor* weight = nullptr;
  std::unique_ptr<GgmlMemory> memory;
  for (void** kind = ExtraKinds(api_, backend_); *kind != nullptr && memory == nullptr; ++kind)
    memory = PlaceWeight(*kind, type, {depth, columns}, weight);
  repacked_ = memory != nullptr;
  if (memory == nullptr) memory = PlaceWeight(api_.usual_kind(backend_), type, {depth, columns}, weight);
  if (memory == nullptr) throw std::runtime_error("ggml multiplies no weights of this type");
  weights_.push_back(std::move(memory));
  made_.push_back({weight, type, depth});
  return weight;
}

GgmlTensor* GgmlGraph::MulMat(GgmlTensor* weight, GgmlTensor* x) {
  return api_.mul_mat(context_, weight, x);
}
GgmlTensor* GgmlGraph::RmsNorm(GgmlTensor* x, float epsilon) {
  return api_.rms_norm(context_, x, epsilon);
}
GgmlTensor* GgmlGraph::Mul(GgmlTensor* x, GgmlTensor* y) {
  return api_.mul(context_, x, y);
}
GgmlTensor* GgmlGraph::SoftMax(GgmlTensor* x, GgmlTensor* mask, float scale) {
  return api_.soft_max(context_, x, mask, scale, 0.0f);
}
GgmlTensor* GgmlGraph::SwiGlu(GgmlTensor* x) {
  return api_.swiglu(context_, x);
}
GgmlTensor* GgmlGraph::Rope(GgmlTensor* x, GgmlTensor* positions, GgmlRope mode, int dims, float base) {
  GgmlTensor* const factors = nullptr;
  return api_.rope(context_, x, positions, factors, dims, static_cast<int>(mode), 0, base, 1.0f, 0.0f, 1.0f,
                   32.0f, 1.0f);
}
GgmlTensor* GgmlGraph::FlashAttention(GgmlTensor* q, GgmlTensor* k, GgmlTensor* v, GgmlTensor* mask,
                                      float scale) {
  return api_.attention(context_, q, k, v, mask, scale, 0.0f, 0.0f);
}
GgmlTensor* GgmlGraph::Permute(GgmlTensor* x, int first, int second, int third, int fourth) {
  return api_.permute(context_, x, first, second, third, fourth);
}

void GgmlGraph::Finish(GgmlTensor* result) {
  graph_ = api_.new_graph(context_);
  api_.expand(graph_, result);
  buffer_ = api_.place(context_, api_.usual_kind(backend_));
  if (buffer_ == nullptr) throw std::runtime_error("ggml has no memory for the graph");
}

void GgmlGraph::Set(GgmlTensor* tensor, const std::vector<float>& values) {
  const auto kept =
      std::find_if(made_.begin(), made_.end(), [&](const Kept& one) { return one.tensor == tensor; });
  std::vector<unsigned char> bytes(api_.bytes(tensor));
  const auto rows = static_cast<std::int64_t>(values.size()) / kept->row;
  const float* const importance = nullptr;
  api_.quantize(static_cast<int>(kept->type), values.data(), static_cast<void*>(bytes.data()),
                std::int64_t{0}, rows, kept->row, importance);
  api_.set(tensor, static_cast<const void*>(bytes.data()), std::size_t{0}, bytes.size());
}

void GgmlGraph::SetInts(GgmlTensor* tensor, const std::vector<std::int32_t>& values) {
  api_.set(tensor, static_cast<const void*>(values.data()), std::size_t{0},
           values.size() * sizeof(std::int32_t));
}

std::vector<float> GgmlGraph::Get(GgmlTensor* tensor) const {
  std::vector<float> values(api_.bytes(tensor) / sizeof(float));
  api_.get(tensor, static_cast<void*>(values.data()), std::size_t{0}, values.size() * sizeof(float));
  return values;
}

void GgmlGraph::Run() {
  if (api_.compute(backend_, graph_) != 0) throw std::runtime_error("ggml could not compute the graph");
}

}  // namespace bench
