// The classes of all rows, in the forms that the kernels read.
#pragma once
#include <cstdint>
#include <vector>

#include "count.hpp"
#include "values.hpp"

namespace misieve {

class Target {
   public:
    // Rows are taken in blocks of `block_rows` (a multiple of 512) from row 0 on.
    Target(const Codes& y, std::size_t block_rows, const Level& level)
        : n_rows(y.size), n_classes(y.n_classes), block_rows(block_rows), n_blocks((y.size + block_rows - 1) / block_rows) {
        if (n_classes > 256) {
            wide_.resize(n_rows);
            with_type(y.type, [&](auto zero) { copy<decltype(zero)>(y, wide_); });
            return;
        }
        if (y.type == Type::u8) {
            narrow_ = reinterpret_cast<const std::uint8_t*>(y.data);
        } else {
            bytes_.resize(n_rows);
            with_type(y.type, [&](auto zero) { copy<decltype(zero)>(y, bytes_); });
            narrow_ = bytes_.data();
        }
        if (n_classes > max_mask_classes) return;
        totals_.resize(n_blocks * n_classes);
        if (level.uses_masks) {
            mask_stride_ = (n_rows + 511) / 512 * 8;
            masks_.resize(n_classes * mask_stride_);
        }
        for (std::size_t b = 0; b < n_blocks; ++b) {
            for (std::uint32_t c = 0; c < n_classes; ++c) {
                const std::uint8_t* codes = narrow_ + b * block_rows;
                const auto code = static_cast<std::uint8_t>(c);
                totals_[b * n_classes + c] =
                    level.uses_masks ? level.mask(codes, rows(b), code, masks_.data() + c * mask_stride_ + b * block_rows / 64)
                                     : occurrences(codes, rows(b), code);
            }
        }
    }

    std::size_t rows(std::size_t block) const {
        const std::size_t left = n_rows - block * block_rows;
        return left < block_rows ? left : block_rows;
    }
    bool is_narrow() const { return n_classes <= 256; }
    const std::uint8_t* narrow() const { return narrow_; }  // the codes as bytes, if is_narrow()
    std::uint32_t at(std::size_t row) const { return is_narrow() ? narrow_[row] : wide_[row]; }
    ClassBlock block(std::size_t b) const {
        return {narrow_ + b * block_rows, masks_.empty() ? nullptr : masks_.data() + b * block_rows / 64, mask_stride_,
                totals_.empty() ? nullptr : totals_.data() + b * n_classes, n_classes};
    }

    const std::size_t n_rows;
    const std::uint32_t n_classes;
    const std::size_t block_rows, n_blocks;

   private:
    static std::int64_t occurrences(const std::uint8_t* codes, std::size_t n, std::uint8_t code) {
        std::int64_t found = 0;
        for (std::size_t i = 0; i < n;) {
            std::uint8_t some = 0;  // of at most 255 rows, so that compilers may count in bytes
            for (const std::size_t end = n - i < 255 ? n : i + 255; i < end; ++i)
                some = static_cast<std::uint8_t>(some + (codes[i] == code));
            found += some;
        }
        return found;
    }

    template <class T, class Out>
    static void copy(const Codes& y, std::vector<Out>& out) {
        for (std::size_t i = 0; i < y.size; ++i) out[i] = static_cast<Out>(load_value<T>(y.data + i * sizeof(T)));
    }

    const std::uint8_t* narrow_ = nullptr;
    std::vector<std::uint8_t> bytes_;
    std::vector<std::uint32_t> wide_;
    std::vector<std::uint64_t> masks_;
    std::size_t mask_stride_ = 0;
    std::vector<std::int64_t> totals_;
};

}  // namespace misieve
