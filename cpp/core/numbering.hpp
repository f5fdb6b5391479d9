// Numbers for distinct items. A type Items gives item i, its hash, equality, and whether it is missing.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

namespace deciban {

// A hash table from items to numbers. Open addressing; doubles before it is half full.
template <class Items>
class Numbering {
 public:
  using Item = typename Items::Item;

  explicit Numbering(const Items& items) : items_(items), slots_(1024, Slot{{}, -1}) { update_shift(); }

  // Returns the number of an item, or -1.
  std::int32_t operator[](const Item& item) const {
    const std::size_t home = items_.hash(item) >> shift_;
    const Slot& first = slots_[home];
    // Almost always the first slot. The search is a separate function, so that the caller's loop stays short.
    return first.code >= 0 && items_.same(first.item, item) ? first.code : slots_[search(item, home)].code;
  }

  void add(const Item& item, std::int32_t code) {
    slots_[find_slot(item)] = {item, code};
    if (2 * ++used_ <= slots_.size()) return;
    std::vector<Slot> old_slots(2 * slots_.size(), Slot{{}, -1});
    old_slots.swap(slots_);
    update_shift();
    for (const Slot& slot : old_slots)
      if (slot.code >= 0) slots_[find_slot(slot.item)] = slot;
  }

 private:
  struct Slot {
    Item item;
    std::int32_t code;
  };

  std::size_t find_slot(const Item& item) const { return search(item, items_.hash(item) >> shift_); }

  [[gnu::noinline]] std::size_t search(const Item& item, std::size_t at) const {
    const Slot* const slots = slots_.data();
    while (slots[at].code >= 0 && !items_.same(slots[at].item, item)) at = (at + 1) & mask_;
    return at;
  }

  void update_shift() {
    mask_ = slots_.size() - 1;
    shift_ = 64 - std::countr_zero(slots_.size());
  }

  const Items& items_;
  std::vector<Slot> slots_;
  std::size_t used_ = 0, mask_;
  int shift_;
};

// Numbers distinct items by first appearance, -1 for a missing item. Returns the index of every first appearance.
template <class Items>
std::vector<std::int64_t> number_items(const Items& items, std::int64_t n, std::int32_t* code) {
  Numbering<Items> numbers(items);
  std::vector<std::int64_t> first;
  const bool may_miss = items.may_miss();
  for (std::int64_t i = 0; i < n; ++i) {
    if (may_miss && items.missing(i)) {
      code[i] = -1;
      continue;
    }
    const auto item = items(i);
    code[i] = numbers[item];
    if (code[i] < 0) [[unlikely]] {
      if (first.size() == static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        throw std::invalid_argument("more than 2147483647 distinct values");
      code[i] = static_cast<std::int32_t>(first.size());
      first.push_back(i);
      numbers.add(item, code[i]);
    }
  }
  return first;
}

}  // namespace deciban
