#include "core/data/counter_random.hpp"

namespace headroom::data {

namespace {

std::uint64_t key_of(std::int64_t seed, std::int64_t stream, std::int64_t item) {
  std::uint64_t key = mix64(static_cast<std::uint64_t>(seed));
  key = mix64(key ^ static_cast<std::uint64_t>(stream));
  return mix64(key ^ static_cast<std::uint64_t>(item));
}

}  // namespace

CounterRandom::CounterRandom(std::int64_t seed, std::int64_t stream, std::int64_t item)
    : key_(key_of(seed, stream, item)) {}

std::uint64_t CounterRandom::next() { return mix64(key_ ^ mix64(counter_++)); }

std::int64_t CounterRandom::below(std::int64_t count) {
  // Values above the largest multiple of count are drawn again, so that no remainder is favoured.
  const auto bound = static_cast<std::uint64_t>(count);
  const std::uint64_t excess = (0 - bound) % bound;
  std::uint64_t drawn = next();
  while (drawn < excess) drawn = next();
  return static_cast<std::int64_t>(drawn % bound);
}

double CounterRandom::unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

Permutation::Permutation(std::int64_t size, std::int64_t seed, std::int64_t stream)
    : size_(static_cast<std::uint64_t>(size)), half_bits_(1) {
  while ((std::uint64_t{1} << (2 * half_bits_)) < size_) ++half_bits_;
  for (std::size_t round = 0; round < keys_.size(); ++round) {
    keys_[round] = key_of(seed, stream, static_cast<std::int64_t>(round));
  }
}

std::int64_t Permutation::operator[](std::int64_t position) const {
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  auto value = static_cast<std::uint64_t>(position);
  do {
    std::uint64_t left = value >> half_bits_;
    std::uint64_t right = value & mask;
    for (const std::uint64_t key : keys_) {
      const std::uint64_t mixed = left ^ (mix64(key ^ right) & mask);
      left = right;
      right = mixed;
    }
    value = (left << half_bits_) | right;
  } while (value >= size_);
  return static_cast<std::int64_t>(value);
}

}  // namespace headroom::data
