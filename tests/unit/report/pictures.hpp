#pragma once

#include <gtest/gtest.h>
#include <png.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "fewdim/error.hpp"

/// What the tests of pictures share: files, a PNG reader, an XML checker.
namespace fewdim::pictures {

inline std::string temporary(const std::string& name) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const std::string path = testing::TempDir() + test->test_suite_name() + "." + test->name() + "." + name;
  std::remove(path.c_str());
  return path;
}

inline std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Draws into a fresh file and gives its bytes back.
template <class Plot>
std::string drawn(const Plot& picture, const std::string& ending) {
  const std::string path = temporary("picture" + ending);
  plot(picture, path);
  std::string bytes = content(path);
  std::remove(path.c_str());
  return bytes;
}

struct Decoded {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;
  std::array<int, 4> at(int x, int y) const {
    const std::uint8_t* p = rgba.data() + (std::size_t(y) * std::size_t(width) + std::size_t(x)) * 4;
    return {p[0], p[1], p[2], p[3]};
  }
  int count(std::array<int, 3> rgb) const {
    int found = 0;
    for (std::size_t i = 0; i < rgba.size(); i += 4)
      found += rgba[i] == rgb[0] && rgba[i + 1] == rgb[1] && rgba[i + 2] == rgb[2] ? 1 : 0;
    return found;
  }
};

/// Read by libpng itself; width 0 when it refuses.
inline Decoded decode_png(const std::string& bytes) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0) return {};
  image.format = PNG_FORMAT_RGBA;
  Decoded out{int(image.width), int(image.height), std::vector<std::uint8_t>(PNG_IMAGE_SIZE(image))};
  if (png_image_finish_read(&image, nullptr, out.rgba.data(), 0, nullptr) == 0) return {};
  return out;
}

inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

/// "" when the text is well-formed XML as far as tags, attributes and entities go, else what is wrong.
inline std::string xml_fault(const std::string& text) {
  std::vector<std::string> open;
  const auto bad_text = [](std::string_view part) {
    for (std::size_t i = 0; i < part.size(); ++i) {
      const auto c = static_cast<unsigned char>(part[i]);
      if (c == '<' || c == '>' || (c < 0x20 && c != '\n')) return true;
      if (c != '&') continue;
      bool known = false;
      for (const std::string_view entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"})
        known = known || part.substr(i, entity.size()) == entity;
      if (!known) return true;
    }
    return false;
  };
  bool rooted = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t tag = text.find('<', at);
    if (bad_text(std::string_view(text).substr(at, tag - at))) return "bad text near byte " + std::to_string(at);
    if (tag == std::string::npos) break;
    const std::size_t end = text.find('>', tag);
    if (end == std::string::npos) return "a tag without end";
    std::string inside = text.substr(tag + 1, end - tag - 1);
    at = end + 1;
    if (inside.starts_with("?")) continue;
    if (inside.starts_with("/")) {
      if (open.empty() || open.back() != inside.substr(1)) return "unexpected </" + inside.substr(1) + ">";
      open.pop_back();
      continue;
    }
    const bool closed = inside.ends_with("/");
    if (closed) inside.pop_back();
    const std::size_t blank = inside.find(' ');
    const std::string name = inside.substr(0, blank);
    for (std::size_t i = blank; i < inside.size();) {  // name="value" pairs
      i = inside.find_first_not_of(' ', i);
      if (i == std::string::npos) break;
      const std::size_t value = inside.find("=\"", i);
      if (value == std::string::npos) return "an attribute without value in <" + name;
      const std::size_t quote = inside.find('"', value + 2);
      if (quote == std::string::npos) return "an attribute without end in <" + name;
      if (bad_text(std::string_view(inside).substr(value + 2, quote - value - 2))) return "a bad attribute in <" + name;
      i = quote + 1;
    }
    if (open.empty() && rooted) return "two roots";
    rooted = true;
    if (!closed) open.push_back(name);
  }
  return open.empty() ? "" : "<" + open.back() + "> is not closed";
}

/// The error's line, or "no error".
template <class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.message(speak_command_line);
  }
  return "no error";
}

}  // namespace fewdim::pictures
