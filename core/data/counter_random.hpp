#pragma once
// Random numbers as a pure function of a key and a counter: the k-th draw needs no state, so any
// thread can make it and the result does not depend on the standard library. Values; any thread.

#include <array>
#include <cstdint>

namespace headroom::data {

/// The finalizer of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators,
/// OOPSLA 2014).
[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

/// A stream of draws that belongs to (seed, stream, item); two different triples give unrelated
/// streams.
class CounterRandom {
 public:
  CounterRandom(std::int64_t seed, std::int64_t stream, std::int64_t item);

  [[nodiscard]] std::uint64_t next();
  /// Uniform in 0 … count - 1; count at least 1.
  [[nodiscard]] std::int64_t below(std::int64_t count);
  /// Uniform in [0, 1).
  [[nodiscard]] double unit();
  /// Uniform in [low, high).
  [[nodiscard]] double between(double low, double high) { return low + (high - low) * unit(); }

 private:
  std::uint64_t key_;
  std::uint64_t counter_ = 0;
};

/// A random order of 0 … size - 1 that is computed per position: a six-round Feistel network over
/// the next even power of two, walked until the value is inside (Black and Rogaway: Ciphers with
/// Arbitrary Finite Domains, 2002).
class Permutation {
 public:
  /// size at least 1.
  Permutation(std::int64_t size, std::int64_t seed, std::int64_t stream);

  /// The element at `position`, 0 … size - 1.
  [[nodiscard]] std::int64_t operator[](std::int64_t position) const;

 private:
  std::uint64_t size_;
  std::uint64_t half_bits_;
  std::array<std::uint64_t, 6> keys_{};
};

}  // namespace headroom::data
