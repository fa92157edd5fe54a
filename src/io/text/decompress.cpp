// SPDX-License-Identifier: BSD-3-Clause
#include <boost/iostreams/close.hpp>
#include <boost/iostreams/device/array.hpp>
#ifdef DROMOS_HAS_BZIP2
#include <boost/iostreams/filter/bzip2.hpp>
#endif
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#ifdef DROMOS_HAS_ZSTD
#include <boost/iostreams/filter/zstd.hpp>
#endif
#include <algorithm>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <cstdint>
#include <new>

#include "io/text/line_fault.hpp"
#include "io/text/text_file.hpp"

namespace dromos::io {
namespace {

namespace streams = boost::iostreams;

/// What was read of data that just stop is all there is; of others the place is known by the text before it.
LineFault damaged(const char* format, bool cut_off, std::size_t num_bytes, std::size_t text_bytes, const char* check) {
  const auto bytes = [](std::size_t count) { return counted(static_cast<long long>(count), "byte", "bytes"); };
  const std::string where = cut_off          ? "cut off after " + bytes(num_bytes) + " of it"
                            : text_bytes > 0 ? "damaged after the first " + bytes(text_bytes) + " of its text"
                                             : std::string("damaged near its beginning");
  return {nullptr,
          std::string("expected complete ") + format + " data, found it " + where +
              "; fetch the file again (check: " + check + ")",
          false};
}

std::uint32_t little_endian(std::string_view bytes, std::size_t at, std::size_t count) {
  std::uint32_t value = 0;
  for (std::size_t i = count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

/// Do the frames of zstd data (RFC 8878, section 3.1) end where the data does? Boost takes data that just stop for
/// complete.
///
///   frame: magic 4, descriptor 1, window 0 or 1, dictionary 0 to 4, content size 0 to 8, blocks, checksum 0 or 4
///   block: 3 bytes (last 1 bit, type 2, size 21), then size bytes, or 1 byte that is repeated (type 1)
[[maybe_unused]] bool zstd_is_complete(std::string_view bytes) {
  std::size_t at = 0;
  const auto has = [&](std::size_t count) { return bytes.size() - at >= count; };
  while (at < bytes.size()) {
    if (!has(5)) return false;
    const std::uint32_t magic = little_endian(bytes, at, 4);
    if ((magic & 0xFFFFFFF0u) == 0x184D2A50u) {  // a frame to be skipped
      if (!has(8)) return false;
      const std::size_t size = little_endian(bytes, at + 4, 4);
      at += 8;
      if (!has(size)) return false;
      at += size;
      continue;
    }
    const unsigned descriptor = static_cast<unsigned char>(bytes[at + 4]);
    const bool single_segment = (descriptor & 0x20) != 0;
    constexpr std::size_t dictionary_sizes[] = {0, 1, 2, 4}, content_sizes[] = {0, 2, 4, 8};
    const std::size_t content_size = descriptor >> 6 == 0 ? (single_segment ? 1 : 0) : content_sizes[descriptor >> 6];
    const std::size_t header = 5 + (single_segment ? 0 : 1) + dictionary_sizes[descriptor & 3] + content_size;
    if (!has(header)) return false;
    at += header;
    for (bool last = false; !last;) {
      if (!has(3)) return false;
      const std::uint32_t block = little_endian(bytes, at, 3);
      last = (block & 1) != 0;
      const std::size_t size = (block >> 1 & 3) == 1 ? 1 : block >> 3;
      at += 3;
      if (!has(size)) return false;
      at += size;
    }
    if ((descriptor & 4) != 0) {
      if (!has(4)) return false;
      at += 4;
    }
  }
  return true;
}

}  // namespace

bool has_compression(Compression compression) {
#ifndef DROMOS_HAS_BZIP2
  if (compression == Compression::bzip2) return false;
#endif
#ifndef DROMOS_HAS_ZSTD
  if (compression == Compression::zstd) return false;
#endif
  return compression != Compression::none;
}

Compression compression_of_name(const std::string& path) {
  const auto ends_with = [&](std::string_view end) {
    return path.size() >= end.size() && std::string_view(path).substr(path.size() - end.size()) == end;
  };
  if (ends_with(".gz")) return Compression::gzip;
  if (ends_with(".xz")) return Compression::xz;
  if (ends_with(".bz2")) return Compression::bzip2;
  if (ends_with(".zst")) return Compression::zstd;
  return Compression::none;
}

Compression compression_of(std::string_view bytes) {
  if (bytes.substr(0, 2) == "\x1F\x8B") return Compression::gzip;
  if (bytes.substr(0, 6) == std::string_view("\xFD\x37zXZ\0", 6)) return Compression::xz;
  // "BZh", the size of blocks, and the digits of pi with which the first block begins, or of its root, with which data
  // without one ends.
  if (bytes.substr(0, 3) == "BZh" && bytes.size() >= 10 &&
      (bytes.substr(4, 6) == "1AY&SY" || bytes.substr(4, 6) == std::string_view("\x17\x72\x45\x38\x50\x90", 6))) {
    return Compression::bzip2;
  }
  if (bytes.substr(0, 4) == "\x28\xB5\x2F\xFD") return Compression::zstd;
  return Compression::none;
}

GrowingText decompress(std::string_view bytes, Compression compression) {
  constexpr std::streamsize block = 1 << 16;
  GrowingText text;
  try {
    streams::filtering_streambuf<streams::input> stream;
    if (compression == Compression::gzip) {
      stream.push(streams::gzip_decompressor(streams::zlib::default_window_bits, block));
    } else if (compression == Compression::xz) {
      stream.push(streams::lzma_decompressor(block));
#ifdef DROMOS_HAS_BZIP2
    } else if (compression == Compression::bzip2) {
      stream.push(streams::bzip2_decompressor(false, block));
#endif
#ifdef DROMOS_HAS_ZSTD
    } else if (compression == Compression::zstd) {
      stream.push(streams::zstd_decompressor(block));
#endif
    }
    stream.push(streams::array_source(bytes.data(), bytes.size()), block);
    while (true) {
      if (text.size() == text.capacity()) text.grow();
      // In pieces, so that of damaged data it is known how far they are whole.
      const std::size_t piece = std::min(text.capacity() - text.size(), static_cast<std::size_t>(block));
      const std::streamsize count = stream.sgetn(text.data() + text.size(), static_cast<std::streamsize>(piece));
      if (count <= 0) break;
      text.append(static_cast<std::size_t>(count));
    }
    streams::close(stream);
  } catch (const streams::gzip_error& error) {
    // Where the data just stops, zlib waits for more, which it calls a buffer error. A header or a footer that just
    // stops looks like a bad one.
    constexpr std::size_t least_size = 18;
    const bool cut_off =
        (error.error() == streams::gzip::zlib_error && error.zlib_error_code() == streams::zlib::buf_error) ||
        error.error() == streams::gzip::bad_footer || bytes.size() < least_size;
    throw damaged("gzip", cut_off, bytes.size(), text.size(), "gzip -t");
  } catch (const streams::lzma_error& error) {
    if (error.error() == streams::lzma::mem_error) throw std::bad_alloc();
    constexpr int memory_limit_error = 6;  // LZMA_MEMLIMIT_ERROR, which Boost hands on and has no name for
    if (error.error() == memory_limit_error || error.error() == streams::lzma::options_error) {
      throw LineFault{nullptr,
                      "expected xz data that takes at most 100 MB to decompress (xz -9 takes 65), found a larger "
                      "dictionary or another filter; decompress it first (xz -d)",
                      false};
    }
    throw damaged("xz", error.error() == streams::lzma::buf_error, bytes.size(), text.size(), "xz -t");
#ifdef DROMOS_HAS_BZIP2
  } catch (const streams::bzip2_error& error) {
    if (error.error() == streams::bzip2::mem_error) throw std::bad_alloc();
    throw damaged("bzip2", error.error() == streams::bzip2::unexpected_eof, bytes.size(), text.size(), "bzip2 -t");
#endif
#ifdef DROMOS_HAS_ZSTD
  } catch (const streams::zstd_error&) {
    throw damaged("zstd", false, bytes.size(), text.size(), "zstd -t");
#endif
  }
#ifdef DROMOS_HAS_ZSTD
  if (compression == Compression::zstd && !zstd_is_complete(bytes)) {
    throw damaged("zstd", true, bytes.size(), text.size(), "zstd -t");
  }
#endif
  return text;
}

}  // namespace dromos::io
