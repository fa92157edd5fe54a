// SPDX-License-Identifier: BSD-3-Clause
#include <boost/iostreams/close.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <new>

#include "io/text/line_fault.hpp"
#include "io/text/text_file.hpp"

namespace dromos::io {
namespace {

namespace streams = boost::iostreams;

LineFault damaged(const char* format, bool cut_off, std::size_t num_bytes, const char* check) {
  const std::string after = ", after " + counted(static_cast<long long>(num_bytes), "byte", "bytes") + " of text";
  return {nullptr,
          std::string("expected complete ") + format + " data, found it " + (cut_off ? "cut off" : "damaged") + after +
              "; fetch the file again (check: " + check + ")",
          false};
}

}  // namespace

Compression compression_of(std::string_view bytes) {
  if (bytes.substr(0, 2) == "\x1F\x8B") return Compression::gzip;
  if (bytes.substr(0, 6) == std::string_view("\xFD\x37zXZ\0", 6)) return Compression::xz;
  return Compression::none;
}

GrowingText decompress(std::string_view bytes, Compression compression) {
  constexpr std::streamsize block = 1 << 16;
  GrowingText text;
  try {
    streams::filtering_streambuf<streams::input> stream;
    if (compression == Compression::gzip) {
      stream.push(streams::gzip_decompressor(streams::zlib::default_window_bits, block));
    } else {
      stream.push(streams::lzma_decompressor(block));
    }
    stream.push(streams::array_source(bytes.data(), bytes.size()), block);
    while (true) {
      if (text.size() == text.capacity()) text.grow();
      const std::streamsize count =
          stream.sgetn(text.data() + text.size(), static_cast<std::streamsize>(text.capacity() - text.size()));
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
    throw damaged("gzip", cut_off, text.size(), "gzip -t");
  } catch (const streams::lzma_error& error) {
    if (error.error() == streams::lzma::mem_error) throw std::bad_alloc();
    constexpr int memory_limit_error = 6;  // LZMA_MEMLIMIT_ERROR, which Boost hands on and has no name for
    if (error.error() == memory_limit_error || error.error() == streams::lzma::options_error) {
      throw LineFault{nullptr,
                      "expected xz data that takes at most 100 MB to decompress (xz -9 takes 65), found a larger "
                      "dictionary or another filter; decompress it first (xz -d)",
                      false};
    }
    throw damaged("xz", error.error() == streams::lzma::buf_error, text.size(), "xz -t");
  }
  return text;
}

}  // namespace dromos::io
