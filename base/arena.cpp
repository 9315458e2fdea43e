// SPDX-License-Identifier: Apache-2.0
#include "base/arena.h"

#include <sys/mman.h>

namespace toriscope {
namespace {

constexpr std::size_t huge_page = std::size_t{1} << 21;

class huge_page_resource final : public std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (bytes < huge_page) return std::pmr::new_delete_resource()->allocate(bytes, alignment);
    void* const place = std::pmr::new_delete_resource()->allocate(bytes, huge_page);
    // The rest stays on small pages, so that what is not used of it costs nothing; so would all of it do.
    madvise(place, bytes / huge_page * huge_page, MADV_HUGEPAGE);
    return place;
  }
  void do_deallocate(void* place, std::size_t bytes, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(place, bytes, bytes < huge_page ? alignment : huge_page);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }
};

}  // namespace

std::pmr::memory_resource* huge_pages() {
  // Never destroyed: networks with static storage give their memory back at the end of the process.
  static auto* const resource = new huge_page_resource;
  return resource;
}

}  // namespace toriscope
