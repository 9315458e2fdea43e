// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/on_demand/rtl_library.h"

#include <dlfcn.h>

#include <algorithm>
#include <stdexcept>

#include "base/words.h"
#include "rtl_models/rtl_router.h"

namespace toriscope {
namespace {

/// One line of all that a simulator printed.
std::string on_one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return one_line(text);
}

}  // namespace

rtl_library::rtl_library(const std::string& file)
    : file_(file), handle_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (!handle_)
    throw std::runtime_error(std::string("the RTL that was built cannot be loaded: ") + dlerror());
  const auto entry = reinterpret_cast<const model_abi* (*)()>(dlsym(handle_, model_entry));
  model_ = entry ? entry() : nullptr;
  if (!model_ || model_->version != model_abi::current_version) {
    dlclose(handle_);
    throw std::runtime_error(file + " is not an RTL model of this version of toriscope; remove it");
  }
}

rtl_library::~rtl_library() { dlclose(handle_); }

rtl_instance::rtl_instance(std::shared_ptr<const rtl_library> library, const rtl_instance_start& start)
    : library_(std::move(library)) {
  std::vector<const char*> arguments;
  for (const std::string& argument : start.plus_arguments) arguments.push_back(argument.c_str());
  const model_start plain{start.name.c_str(), arguments.data(), static_cast<std::uint32_t>(arguments.size()),
                          start.random_state_seed};
  model_ = library_->model().create(&plain);
}

rtl_instance::~rtl_instance() { library_->model().destroy(model_); }

rtl_bits rtl_instance::pin(const std::string& name) const {
  const model_abi& m = library_->model();
  for (std::uint32_t i = 0; i < m.pin_count; ++i)
    if (name == m.pins[i].name) return {m.pin_data(model_, i), m.pins[i].bits};
  throw std::out_of_range("the RTL has no port '" + name + "'");
}

void rtl_instance::evaluate() {
  if (const char* const said = library_->model().evaluate(model_)) throw rtl_assertion(on_one_line(said));
}

std::vector<rtl_register> rtl_instance::registers() const {
  std::vector<rtl_register> found;
  library_->model().visit_registers(
      model_,
      [](void* user, const char* scope, const char* name, void* data, std::uint32_t bits, std::uint32_t count,
         std::uint32_t stride) {
        rtl_register r{scope, name, {}};
        for (std::uint32_t i = 0; i < count; ++i)
          r.words.push_back({static_cast<char*>(data) + i * stride, bits});
        static_cast<std::vector<rtl_register>*>(user)->push_back(std::move(r));
      },
      &found);
  return found;
}

void rtl_instance::open_trace(const std::string& file) {
  if (!library_->model().open_trace(model_, file.c_str()))
    throw std::runtime_error("the waveform " + file + " of the RTL cannot be written");
}

}  // namespace toriscope
