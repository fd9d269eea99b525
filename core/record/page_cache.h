// The versions of a page source that were asked for lately. May be asked by several threads at once.
#pragma once

#include <atomic>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "core/record/page_source.h"
#include "core/record/page_version.h"

namespace ts {

class PageCache {
 public:
  PageCache(std::uint32_t pages, std::unique_ptr<PageSource> source, std::size_t budget_bytes);

  // Stays as it is once it was asked for. Only the positions mean anything.
  const std::vector<PageVersion>& versions(std::uint32_t page);
  // Of number `version`, from 1 on. What the source cannot read is never written.
  PageContent content(std::uint32_t page, std::uint32_t version);
  bool is_damaged() const { return damaged_; }
  std::size_t used_bytes();

 private:
  struct Kept;
  using Key = std::uint64_t;
  struct Entry {
    Key key;
    std::shared_ptr<const Kept> kept;
  };

  const std::size_t most_entries_;
  std::mutex mutex_;
  std::unique_ptr<PageSource> source_;
  std::vector<std::vector<PageVersion>> versions_;
  std::unique_ptr<std::atomic<bool>[]> listed_;  // by page: `versions_` has it
  std::list<Entry> entries_;                     // the one that was asked for last in front
  std::unordered_map<Key, std::list<Entry>::iterator> places_;
  std::atomic<bool> damaged_ = false;
};

}  // namespace ts
