// The inner loops of counting, compiled once per instruction set (level.cpp) and chosen when the module is loaded.
#pragma once
#include <cstddef>
#include <cstdint>

namespace misieve {

enum class Type { boolean, i8, u8, i16, u16, i32, u32, i64, u64, f32, f64 };
constexpr int type_count = 11;
constexpr std::size_t item_size[type_count] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};

// A byte that stands for "look at the value itself": missing, negative, not whole, or 255 and more.
constexpr std::uint8_t unusual = 255;

// The classes of a run of rows. A mask has a bit per row, set where the row has the class; rows after the last have none.
struct ClassBlock {
    const std::uint8_t* codes;
    const std::uint64_t* masks;  // class c at masks + c * mask_stride, words in multiples of eight; null: not in use
    std::size_t mask_stride;
    const std::int64_t* totals;  // rows of each class; null: more classes than max_mask_classes
    std::uint32_t n_classes;     // at most 256
};

constexpr std::size_t max_block = 32768;       // rows in one call of count: pairs of rows fit 16-bit counters
constexpr std::uint32_t max_mask_classes = 16;  // beyond, masks and totals cost more than a histogram

// What count needs to work in, zeroed once: little for few rows, as a large block is mapped anew for every call.
constexpr std::size_t scratch_bytes(std::size_t rows) {
    const std::size_t bytes = 36 * 1024 + 16 * rows;
    return bytes < 160 * 1024 ? bytes : 160 * 1024;
}

// Columns that the kernels _down take side by side: what they read, and where they write, has room for so many.
constexpr std::size_t abreast = 64;

struct Level {
    const char* name;
    // rows x cols values, cols of them adjacent, to one byte each: the value if it is one of 0 .. 254, else `unusual`.
    void (*narrow[type_count])(const char* in, std::ptrdiff_t in_stride, std::size_t rows, std::size_t cols, std::uint8_t* out,
                               std::size_t out_stride);
    // out[c * out_stride + r] = in[r * in_stride + c]; rows and cols are multiples of 16.
    void (*transpose)(const std::uint8_t* in, std::ptrdiff_t in_stride, std::size_t rows, std::size_t cols, std::uint8_t* out,
                      std::size_t out_stride);
    std::uint8_t (*largest)(const std::uint8_t* x, std::size_t n);
    // out[v * n_classes + c] += rows with value v and class c; all of x below n_values <= 256, n <= max_block.
    void (*count)(const std::uint8_t* x, std::size_t n, std::uint32_t n_values, const ClassBlock& y, std::int64_t* out,
                  void* scratch);
    // Bit i of out is set where codes[i] == code, zeros up to a multiple of eight words; returns how many are set.
    std::int64_t (*mask)(const std::uint8_t* codes, std::size_t n, std::uint8_t code, std::uint64_t* out);
    bool uses_masks;
    // Columns side by side, up to `abreast` of them; beyond them memory may be read, and what is found there is of no meaning.
    // Beyond so many values it is quicker to transpose and to count column by column; 0: always.
    std::uint32_t most_abreast;
    // most[k] = the largest byte of column k in n rows.
    void (*most_down)(const std::uint8_t* x, std::size_t stride, std::size_t n, std::size_t cols, std::uint8_t* most);
    // Of column k in n rows: values[k] = 1 + the largest byte that is not unusual, 0 if there is none; how many are unusual.
    void (*unusual_down)(const std::uint8_t* x, std::size_t stride, std::size_t n, std::size_t cols, std::uint8_t* values,
                         std::uint32_t* unusual_ones);
    // out[v * out_stride + k] += those of the rows x + offsets[i] whose byte k is first + v, for v below n_values.
    void (*count_down)(const std::uint8_t* x, const std::uint32_t* offsets, std::size_t n, std::size_t cols,
                       std::uint32_t first, std::uint32_t n_values, std::uint32_t* out, std::size_t out_stride);
    // Whether n values are all 1, and whether n indices rise.
    bool (*all_ones[type_count])(const char* data, std::size_t n);
    bool (*narrow_rise)(const void* indices, std::size_t n);
    bool (*wide_rise)(const void* indices, std::size_t n);
    std::uint64_t (*sum_words)(const char* in, std::size_t words);
};

// The level in use, and those that this build has and this machine can run, slowest first.
const Level& level();
const Level* const* levels();  // ends with a null
bool use_level(const char* name);     // false: not one of levels()

}  // namespace misieve
