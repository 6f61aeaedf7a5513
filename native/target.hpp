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
        if (!level.uses_masks || n_classes > max_mask_classes) return;
        mask_stride_ = (n_rows + 511) / 512 * 8;
        masks_.resize(n_classes * mask_stride_);
        totals_.resize(n_blocks * n_classes);
        for (std::size_t b = 0; b < n_blocks; ++b)
            for (std::uint32_t c = 0; c < n_classes; ++c)
                totals_[b * n_classes + c] =
                    level.mask(narrow_ + b * block_rows, rows(b), static_cast<std::uint8_t>(c),
                               masks_.data() + c * mask_stride_ + b * block_rows / 64);
    }

    std::size_t rows(std::size_t block) const {
        const std::size_t left = n_rows - block * block_rows;
        return left < block_rows ? left : block_rows;
    }
    bool is_narrow() const { return n_classes <= 256; }
    std::uint32_t at(std::size_t row) const { return is_narrow() ? narrow_[row] : wide_[row]; }
    ClassBlock block(std::size_t b) const {
        const bool masks = !masks_.empty();
        return {narrow_ + b * block_rows, masks ? masks_.data() + b * block_rows / 64 : nullptr, mask_stride_,
                masks ? totals_.data() + b * n_classes : nullptr, n_classes};
    }

    const std::size_t n_rows;
    const std::uint32_t n_classes;
    const std::size_t block_rows, n_blocks;

   private:
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
