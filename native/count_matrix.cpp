// A matrix row by row. Some rows are narrowed to bytes in the cache, a tile; where its columns have few values, they are
// compared with each value abreast, and counted down class by class. That costs less than to read values of 64 bits, and
// nothing has to be transposed. Columns of more values are, and then they are counted one by one, as columns that stand apart.
#include "dense.hpp"

namespace misieve {
namespace {

constexpr std::size_t tile_columns = 256;
constexpr std::size_t block_rows = 2048;       // rows that are transposed together
constexpr std::size_t most_tile_rows = 1024;
constexpr std::size_t fewest_tile_rows = 64;   // multiples of this are narrowed at a time
constexpr std::size_t rows_per_class = 256;    // in a tile: what is found in a class is added up once for so many
constexpr std::uint32_t most_classes = 32;     // beyond, a class has too few rows in a tile
constexpr std::size_t few_classes = 4;         // a pass over the rows for each is quicker than to sort them
constexpr std::size_t blocks_per_task = 16;
constexpr std::size_t column_stride = block_rows + 64;  // of transposed columns: no power of two, or they shared cache sets
constexpr std::size_t blocks_per_sum = std::size_t{1} << 20;  // no sum in 32 bits overflows

static_assert(block_rows <= max_block && block_rows % 512 == 0);
static_assert(block_rows % most_tile_rows == 0 && most_tile_rows % fewest_tile_rows == 0 && tile_columns % abreast == 0);

Column column_of(const Matrix& x, std::size_t j) {
    return {x.data + static_cast<std::ptrdiff_t>(j) * x.column_stride, x.row_stride, x.type};
}

// Adds to each of cols adjacent columns how many of its values in n rows are missing.
void add_missing(const char* data, const Matrix& x, std::size_t n, std::size_t cols, bool minus_one_is_missing,
                 std::uint32_t* out) {
    with_type(x.type, [&](auto zero) {
        using T = decltype(zero);
        if (!std::is_floating_point_v<T> && !(std::is_signed_v<T> && minus_one_is_missing)) return;
        for (std::size_t row = 0; row < n; ++row, data += x.row_stride)
            for (std::size_t k = 0; k < cols; ++k)
                out[k] += stands_for_missing(load_value<T>(data + static_cast<std::ptrdiff_t>(k) * x.column_stride));
    });
}

// Whether columns abreast can gain: a few of them are transposed as quickly, and bytes need not even be narrowed.
bool is_for_abreast(const Matrix& x, std::size_t n_columns, const Target& y, const Level& level) {
    const std::size_t fewest = item_size[static_cast<int>(x.type)] == 1 ? 32 : 16;
    return level.most_abreast > 0 && y.n_classes <= most_classes && n_columns >= fewest;
}

// Counts some adjacent columns of a matrix, a group, for one thread.
class Group {
   public:
    Group(const Matrix& x, std::size_t n_columns, const Target& y, const Level& level, bool minus_one_is_missing)
        : x_(x),
          y_(y),
          level_(level),
          minus_one_is_missing_(minus_one_is_missing),
          classes_(is_for_abreast(x, n_columns, y, level) ? y.n_classes : 0),
          tile_rows_(classes_ == 0 ? fewest_tile_rows : std::min(most_tile_rows, classes_ * rows_per_class)),
          strips_((std::min(n_columns, tile_columns) + abreast - 1) / abreast),
          width_(strips_ * abreast),
          tile_(std::min((y.n_rows + 15) / 16 * 16, tile_rows_) * width_),
          offsets_(tile_rows_ + 1),
          sums_(classes_ * level.most_abreast * width_),
          skipped_(classes_ * width_),
          seen_(classes_ * strips_),
          reached_(strips_, 1),
          limits_(width_),
          missing_(width_),
          many_values_((n_columns + abreast - 1) / abreast, classes_ == 0) {}

    // Columns from .. to of blocks first .. last.
    void count(std::size_t from, std::size_t to, std::size_t first, std::size_t last, Counter& counter) {
        from_ = from, to_ = to;
        if (to - from < width_) std::fill(tile_.begin(), tile_.end(), std::uint8_t{0});  // beside the columns
        std::fill(limits_.begin(), limits_.end(), std::uint8_t{255});
        for (std::size_t j = from; j < to; ++j)
            limits_[j - from] = static_cast<std::uint8_t>(std::min<std::int64_t>(counter.limit(j), 255));
        for (std::size_t block = first; block < last; ++block) {
            if (block > first && (block - first) % blocks_per_sum == 0) add_sums(counter);
            take_block(block, counter);
        }
        if (classes_ > 0) add_sums(counter);
    }

   private:
    const char* place(std::size_t row) const {
        const auto down = static_cast<std::ptrdiff_t>(row), across = static_cast<std::ptrdiff_t>(from_);
        return x_.data + down * x_.row_stride + across * x_.column_stride;
    }
    // Sums of a class: a row for each value from 1 on, the last one for what is absent.
    std::uint32_t* sums_of(std::size_t c, std::size_t strip) {
        return sums_.data() + c * level_.most_abreast * width_ + strip * abreast;
    }
    std::size_t used_strips() const { return (to_ - from_ + abreast - 1) / abreast; }
    std::size_t absent() const { return level_.most_abreast - 1; }

    void take_block(std::size_t block, Counter& counter) {
        const std::size_t n = y_.rows(block), start = block * block_rows, strips = used_strips();
        // A strip that turns out to have many values is transposed from the next block on.
        const auto known = many_values_.begin() + static_cast<std::ptrdiff_t>(from_ / abreast);
        transposed_.assign(known, known + static_cast<std::ptrdiff_t>(strips));
        const std::size_t ready = transpose_straight(start, n);
        for (std::size_t row = ready; row < n; row += tile_rows_) {
            take(start + row, std::min(tile_rows_, n - row));
            fill_tile();
            if (classes_ > 0) sort_rows();
            for (std::size_t strip = 0; strip < strips; ++strip) {
                if (transposed_[strip])
                    transpose(strip, row);
                else if (many_values_[from_ / abreast + strip])
                    count_rows(strip, counter);
                else
                    count_strip(strip, counter);
            }
        }
        take(start, n);
        for (std::size_t k = 0; k < to_ - from_; ++k)
            if (transposed_[k / abreast] && !counter.is_bad(from_ + k))
                counter.take(column_of(x_, from_ + k), from_ + k, block, columns_.data() + k * column_stride,
                             [&] { return missing(k); });
    }

    // Bytes of which all columns are transposed need not be put into a tile: so many rows are done at once.
    std::size_t transpose_straight(std::size_t first, std::size_t n) {
        const std::size_t cols = to_ - from_;
        const bool bytes = x_.column_stride == 1 && (x_.type == Type::u8 || x_.type == Type::boolean) && cols % 16 == 0;
        if (!bytes || std::find(transposed_.begin(), transposed_.end(), 0) != transposed_.end()) return 0;
        columns_.resize(width_ * column_stride);
        level_.transpose(reinterpret_cast<const std::uint8_t*>(place(first)), x_.row_stride, n / 16 * 16, cols, columns_.data(),
                         column_stride);
        return n / 16 * 16;
    }

    void take(std::size_t first, std::size_t rows) { first_ = first, rows_ = rows, missing_known_ = false; }

    void fill_tile() {
        const auto narrow = level_.narrow[static_cast<int>(x_.type)];
        const std::size_t cols = to_ - from_, size = item_size[static_cast<int>(x_.type)];
        if (x_.column_stride == static_cast<std::ptrdiff_t>(size))
            return narrow(place(first_), x_.row_stride, rows_, cols, tile_.data(), width_);
        gathered_.resize(cols * size);
        for (std::size_t i = 0; i < rows_; ++i) {
            const char* in = place(first_ + i);
            for (std::size_t k = 0; k < cols; ++k, in += x_.column_stride) std::memcpy(gathered_.data() + k * size, in, size);
            narrow(gathered_.data(), 0, 1, cols, tile_.data() + i * width_, width_);
        }
    }

    // The rows of the tile, class after class. For a few classes the rows are gone through for each, without any branch.
    void sort_rows() {
        const std::uint8_t* codes = y_.narrow() + first_;
        std::uint32_t found = 0;
        if (classes_ <= few_classes) {
            for (std::size_t c = 0; c < classes_; ++c) {
                begins_[c] = found;
                for (std::size_t i = 0; i < rows_; ++i) {
                    offsets_[found] = static_cast<std::uint32_t>(i * width_);
                    found += codes[i] == c;
                }
            }
        } else {
            // A copy, and room for any code: nothing is written elsewhere even if another thread changes them meanwhile.
            std::uint8_t mine[most_tile_rows];
            std::uint32_t next[256] = {};
            std::copy_n(codes, rows_, mine);
            for (std::size_t i = 0; i < rows_; ++i) ++next[mine[i]];
            for (std::size_t c = 0; c < 256; ++c) {
                const std::uint32_t size = next[c];
                if (c < classes_) begins_[c] = found;
                next[c] = found;
                found += size;
            }
            for (std::size_t i = 0; i < rows_; ++i) offsets_[next[mine[i]]++] = static_cast<std::uint32_t>(i * width_);
        }
        begins_[classes_] = found;
    }

    // The columns of a strip abreast. Those with other than small values and missing ones are counted row by row, and are 0 in
    // the tile.
    void count_strip(std::size_t strip, Counter& counter) {
        std::uint8_t values[abreast] = {}, highest = 1, over = 0;
        std::uint32_t unusual_ones[abreast];
        std::uint8_t* bytes = tile_.data() + strip * abreast;
        const std::size_t base = strip * abreast, cols = std::min(abreast, to_ - from_ - base);
        level_.most_down(bytes, width_, rows_, cols, values);
        const bool strange = *std::max_element(values, values + cols) == unusual;
        if (strange)
            level_.unusual_down(bytes, width_, rows_, cols, values, unusual_ones);
        else
            for (std::uint8_t& one : values) ++one;
        for (std::size_t k = 0; k < abreast; ++k) {  // without a branch, so that compilers use vectors
            highest = std::max(highest, values[k]);
            over |= values[k] > limits_[base + k];
        }
        std::uint32_t n_values = highest;
        bool lacking = false;
        if (strange || over || n_values > level_.most_abreast) {
            n_values = ordinary_values(base, cols, values, counter);
            if (n_values > level_.most_abreast) {
                many_values_[from_ / abreast + strip] = true;
                return count_rows(strip, counter);
            }
            for (std::size_t k = 0; k < cols; ++k) {
                const bool lacks = strange && unusual_ones[k] > 0;
                if (counter.is_bad(from_ + base + k) || (values[k] != unusual && !lacks)) continue;
                if (values[k] != unusual && unusual_ones[k] == missing(base + k))
                    lacking = true;
                else
                    set_aside(base + k, counter);
            }
        }
        for (std::size_t c = 0; c < classes_; ++c) {
            const std::uint32_t* rows = offsets_.data() + begins_[c];
            const std::size_t n = begins_[c + 1] - begins_[c];
            level_.count_down(bytes, rows, n, cols, 1, n_values - 1, sums_of(c, strip), width_);
            if (lacking) level_.count_down(bytes, rows, n, cols, unusual, 1, sums_of(c, strip) + absent() * width_, width_);
            seen_[c * strips_ + strip] += n;
        }
        reached_[strip] = std::max(reached_[strip], n_values);
    }

    // How many values the columns of a strip have that keep to their limits; the others are marked.
    std::uint32_t ordinary_values(std::size_t base, std::size_t cols, std::uint8_t* values, const Counter& counter) const {
        std::uint32_t most = 1;
        for (std::size_t k = 0; k < cols; ++k) {
            if (counter.is_bad(from_ + base + k) || values[k] > limits_[base + k])
                values[k] = unusual;
            else
                most = std::max<std::uint32_t>(most, values[k]);
        }
        return most;
    }

    void set_aside(std::size_t k, Counter& counter) {
        take_rows(k, counter);
        for (std::size_t i = 0; i < rows_; ++i) tile_[i * width_ + k] = 0;
        for (std::size_t c = 0; c < classes_; ++c) skipped_[c * width_ + k] += begins_[c + 1] - begins_[c];
    }

    void count_rows(std::size_t strip, Counter& counter) {
        for (std::size_t k = strip * abreast; k < std::min(to_ - from_, (strip + 1) * abreast); ++k) take_rows(k, counter);
    }

    void take_rows(std::size_t k, Counter& counter) {
        if (!counter.is_bad(from_ + k)) counter.take_rows(column_of(x_, from_ + k), from_ + k, first_, rows_);
    }

    void transpose(std::size_t strip, std::size_t row) {
        const std::size_t cols = (std::min(abreast, to_ - from_ - strip * abreast) + 15) / 16 * 16;
        columns_.resize(width_ * column_stride);
        level_.transpose(tile_.data() + strip * abreast, static_cast<std::ptrdiff_t>(width_), (rows_ + 15) / 16 * 16, cols,
                         columns_.data() + strip * abreast * column_stride + row, column_stride);
    }

    // What was counted down the columns goes to the result; value 0 is what is left of the rows.
    void add_sums(Counter& counter) {
        const Counts& out = counter.result();
        for (std::size_t k = 0; k < to_ - from_; ++k) {
            const std::size_t j = from_ + k, strip = k / abreast;
            const auto limit = static_cast<std::uint32_t>(std::min<std::int64_t>(counter.limit(j), reached_[strip]));
            std::int64_t* table = out.tables + out.starts[j] * y_.n_classes;
            for (std::size_t c = 0; c < classes_; ++c) {
                const std::uint32_t* found = sums_.data() + c * level_.most_abreast * width_ + k;
                std::int64_t rest = static_cast<std::int64_t>(seen_[c * strips_ + strip]) - skipped_[c * width_ + k];
                for (std::uint32_t v = 1; v < limit; ++v) {
                    table[v * classes_ + c] += found[(v - 1) * width_];
                    rest -= found[(v - 1) * width_];
                }
                out.missing[j * classes_ + c] += found[absent() * width_];
                table[c] += rest - found[absent() * width_];
            }
        }
        for (std::size_t strip = 0; strip < strips_; ++strip) {
            for (std::size_t c = 0; c < classes_; ++c) {
                for (std::uint32_t v = 1; v < reached_[strip]; ++v)
                    std::fill_n(sums_of(c, strip) + (v - 1) * width_, abreast, 0);
                std::fill_n(sums_of(c, strip) + absent() * width_, abreast, 0);
            }
            reached_[strip] = 1;
        }
        std::fill(skipped_.begin(), skipped_.end(), 0);
        std::fill(seen_.begin(), seen_.end(), 0);
    }

    // How many values of column k are missing in the rows at hand: found for all columns at once, as their rows lie.
    std::size_t missing(std::size_t k) {
        if (!missing_known_) {
            std::fill(missing_.begin(), missing_.end(), 0);
            add_missing(place(first_), x_, rows_, to_ - from_, minus_one_is_missing_, missing_.data());
            missing_known_ = true;
        }
        return missing_[k];
    }

    const Matrix x_;
    const Target& y_;
    const Level& level_;
    const bool minus_one_is_missing_;
    const std::size_t classes_;  // 0: nothing is counted abreast
    const std::size_t tile_rows_, strips_, width_;
    std::size_t from_ = 0, to_ = 0, first_ = 0, rows_ = 0;  // the columns and rows at hand
    std::vector<std::uint8_t> tile_, columns_;
    std::vector<char> gathered_;
    std::vector<std::uint32_t> offsets_;
    std::uint32_t begins_[most_classes + 1] = {};
    std::vector<std::uint32_t> sums_;
    std::vector<std::int64_t> skipped_, seen_;
    std::vector<std::uint32_t> reached_;  // one more than the largest value of each strip
    std::vector<std::uint8_t> limits_;    // of values, up to 255
    std::vector<std::uint32_t> missing_;
    bool missing_known_ = false;
    std::vector<char> many_values_, transposed_;
};

}  // namespace

void count_matrix(const Matrix& x, std::size_t n_columns, const Codes& codes, bool minus_one_is_missing, const Counts& out,
                  std::size_t n_jobs) {
    const auto size = static_cast<std::ptrdiff_t>(item_size[static_cast<int>(x.type)]);
    const auto down = x.row_stride < 0 ? -x.row_stride : x.row_stride;
    const auto across = x.column_stride < 0 ? -x.column_stride : x.column_stride;
    if (down == size || down <= across || n_columns <= 1) {
        count_columns(columns_of(x, codes.size, n_columns), codes, minus_one_is_missing, out, n_jobs);
        return;
    }
    const Level& best = level();
    const Target y(codes, block_rows, best);
    n_jobs = jobs_for(n_columns * y.n_rows, n_jobs);
    const auto cells = static_cast<std::size_t>(out.starts[n_columns]) * y.n_classes;
    // Tasks are groups of columns; where these are few, runs of their blocks, for which each thread has a result of its own.
    const std::size_t groups = (n_columns + tile_columns - 1) / tile_columns;
    const bool apart = n_jobs > 1 && groups < 8 * n_jobs && cells <= private_cells;
    const std::size_t most_blocks = apart ? std::min(blocks_per_task, y.n_blocks / (4 * n_jobs)) : y.n_blocks;
    const std::size_t blocks = std::max<std::size_t>(most_blocks, 1), runs = (y.n_blocks + blocks - 1) / blocks;
    std::vector<std::unique_ptr<Group>> group(n_jobs);
    run(y, minus_one_is_missing, out, n_columns, n_jobs, runs * groups, apart, best,
        [&](Counter& counter, std::size_t worker, std::size_t task) {
            if (!group[worker]) group[worker] = std::make_unique<Group>(x, n_columns, y, best, minus_one_is_missing);
            const std::size_t from = task % groups * tile_columns, first = task / groups * blocks;
            group[worker]->count(from, std::min(n_columns, from + tile_columns), first, std::min(y.n_blocks, first + blocks),
                                 counter);
        });
    clear_bad(out, n_columns, y.n_classes);
}

}  // namespace misieve
