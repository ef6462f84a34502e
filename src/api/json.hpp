// SPDX-License-Identifier: Apache-2.0
//
// JSON, which the library writes without a library.
#pragma once

#include <string>
#include <string_view>

namespace thiessen {

inline std::string quoted(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string json = "\"";
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte < 0x20) {
      json += "\\u00";
      json += kDigits[byte >> 4];
      json += kDigits[byte & 15];
      continue;
    }
    if (letter == '"' || letter == '\\') json += '\\';
    json += letter;
  }
  return json + '"';
}

/// The list of what describe_row() makes of each row.
template <class Rows, class Describe>
std::string json_list(const Rows& rows, const Describe& describe_row,
                      std::string_view separator = ", ") {
  std::string json;
  for (const auto& row : rows)
    json += (json.empty() ? "" : std::string(separator)) + describe_row(row);
  return json;
}

class JsonObject {
 public:
  JsonObject& add(std::string_view name, std::string_view text) {
    return add_json(name, quoted(text));
  }
  JsonObject& add(std::string_view name, bool value) {
    return add_json(name, value ? "true" : "false");
  }
  /// A text that is empty is left out.
  JsonObject& add_text(std::string_view name, std::string_view text) {
    return text.empty() ? *this : add(name, text);
  }
  JsonObject& add_json(std::string_view name, const std::string& json) {
    json_ += (json_.empty() ? "" : ", ") + quoted(name) + ": " + json;
    return *this;
  }
  std::string text() const { return '{' + json_ + '}'; }

 private:
  std::string json_;
};

}  // namespace thiessen
