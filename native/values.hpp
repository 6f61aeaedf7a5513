// Reading one value, whatever its type: the slow, exact path behind the bytes of level.cpp.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "level.hpp"

namespace misieve {

template <class T>
inline T load_value(const char* p) {
    T value;
    std::memcpy(&value, p, sizeof value);
    return value;
}

constexpr std::int64_t is_missing = -1;
constexpr std::int64_t is_bad = -2;

// The value itself if it is a whole number from 0 to below limit (at most 2^31 - 1), else is_missing or is_bad.
template <class T>
inline std::int64_t code_of(T value, std::int64_t limit, bool minus_one_is_missing) {
    if constexpr (std::is_floating_point_v<T>) {
        if (value >= 0 && value < static_cast<T>(2147483648.0)) {  // a float may not hold the limit itself exactly
            const auto whole = static_cast<std::int64_t>(value);
            return static_cast<T>(whole) == value && whole < limit ? whole : is_bad;
        }
        return std::isnan(value) ? is_missing : is_bad;
    } else if constexpr (std::is_signed_v<T>) {
        if (value >= 0 && value < limit) return value;
        return minus_one_is_missing && value == -1 ? is_missing : is_bad;
    } else {
        return value < static_cast<std::uint64_t>(limit) ? static_cast<std::int64_t>(value) : is_bad;
    }
}

// Calls work(T{}) with the C++ type of `type`.
template <class Work>
inline auto with_type(Type type, Work&& work) {
    switch (type) {
        case Type::i8: return work(std::int8_t{});
        case Type::i16: return work(std::int16_t{});
        case Type::u16: return work(std::uint16_t{});
        case Type::i32: return work(std::int32_t{});
        case Type::u32: return work(std::uint32_t{});
        case Type::i64: return work(std::int64_t{});
        case Type::u64: return work(std::uint64_t{});
        case Type::f32: return work(float{});
        case Type::f64: return work(double{});
        default: return work(std::uint8_t{});  // boolean, u8
    }
}

}  // namespace misieve
