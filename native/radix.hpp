// Sorting doubles that carry a load, in time proportional to their number.
//
// A double becomes an unsigned key of the same order. All keys of a column share the bits above the highest one in which the
// least and the greatest differ; the 33 bits below that are sorted by three passes of counting, and what is left over, nearly
// in order, by insertion. A run that agrees in all 33 bits and is long is sorted by the same method on its remaining bits.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace misieve {

struct Keyed {
    std::uint64_t key;
    std::uint64_t load;
};

// The greater double has the greater key; both zeros have one key. NaN must have been left out.
inline std::uint64_t order_key(double value) {
    value += 0.0;
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return (bits >> 63) != 0 ? ~bits : bits | (std::uint64_t{1} << 63);
}

inline double key_value(std::uint64_t key) {
    const std::uint64_t bits = (key >> 63) != 0 ? key & ~(std::uint64_t{1} << 63) : ~key;
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

inline int bit_width(std::uint64_t x) {
    int width = 0;
    for (; x != 0; x >>= 1) ++width;
    return width;
}

inline void sort_few(Keyed* items, std::size_t n) {
    for (std::size_t i = 1; i < n; ++i) {
        const Keyed moved = items[i];
        std::size_t j = i;
        for (; j > 0 && items[j - 1].key > moved.key; --j) items[j] = items[j - 1];
        items[j] = moved;
    }
}

// Sorts items by key; spare has room for as many. Items with equal keys keep no particular, but always the same, order.
inline void sort_by_key(Keyed* items, Keyed* spare, std::size_t n) {
    constexpr int digit_bits = 11, digits = 3;
    constexpr std::size_t buckets = std::size_t{1} << digit_bits;
    if (n < 32) return sort_few(items, n);
    if (n < 1024) {
        std::sort(items, items + n, [](const Keyed& a, const Keyed& b) { return a.key < b.key; });
        return;
    }
    std::uint64_t least = items[0].key, greatest = items[0].key;
    for (std::size_t i = 1; i < n; ++i) {
        least = std::min(least, items[i].key);
        greatest = std::max(greatest, items[i].key);
    }
    const int width = bit_width(least ^ greatest);
    if (width == 0) return;
    const int shift = std::max(0, width - digit_bits * digits);

    std::vector<std::array<std::size_t, buckets>> counts(digits);
    for (auto& count : counts) count.fill(0);
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint64_t top = items[i].key >> shift;
        for (int d = 0; d < digits; ++d) ++counts[d][(top >> (d * digit_bits)) & (buckets - 1)];
    }
    Keyed *from = items, *to = spare;
    for (int d = 0; d < digits; ++d) {
        auto& place = counts[d];
        const int down = shift + d * digit_bits;
        if (place[(from[0].key >> down) & (buckets - 1)] == n) continue;  // all keys share this digit
        std::size_t next = 0;
        for (auto& start : place) {
            const std::size_t count = start;
            start = next;
            next += count;
        }
        for (std::size_t i = 0; i < n; ++i) to[place[(from[i].key >> down) & (buckets - 1)]++] = from[i];
        std::swap(from, to);
    }
    if (from != items) std::memcpy(items, from, n * sizeof(Keyed));
    if (shift == 0) return;
    for (std::size_t i = 0; i < n;) {
        std::size_t end = i + 1;
        while (end < n && (items[end].key >> shift) == (items[i].key >> shift)) ++end;
        if (end - i > 1) sort_by_key(items + i, spare + i, end - i);
        i = end;
    }
}

}  // namespace misieve
