// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.Map;
import java.util.regex.Pattern;

/** JSON as the YAML that people like to read: blocks, and quotes only where they are needed. */
final class YamlText {
  /** Texts that no reader takes for anything but text. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9._/ -]*[A-Za-z0-9._]");

  private static final Pattern WORD = Pattern.compile("(?i)true|false|null|yes|no|on|off|y|n");

  private final StringBuilder out = new StringBuilder();

  private YamlText() {}

  static String of(JsonObject object) {
    YamlText text = new YamlText();
    text.object(object, "");
    return text.out.toString();
  }

  private void object(JsonObject object, String indent) {
    String before = "";
    for (Map.Entry<String, JsonElement> field : object.entrySet()) {
      out.append(before).append(scalar(field.getKey())).append(':');
      value(field.getValue(), indent);
      before = indent;
    }
  }

  private void value(JsonElement value, String indent) {
    if (value instanceof JsonObject object && !object.isEmpty()) {
      out.append('\n').append(indent).append("  ");
      object(object, indent + "  ");
    } else if (value instanceof JsonArray array && !array.isEmpty()) {
      out.append('\n');
      for (JsonElement element : array) {
        out.append(indent).append("- ");
        if (element instanceof JsonObject object) {
          object(object, indent + "  ");
        } else {
          out.append(scalar(element)).append('\n');
        }
      }
    } else {
      out.append(' ').append(scalar(value)).append('\n');
    }
  }

  private static String scalar(JsonElement value) {
    return value.isJsonPrimitive() && value.getAsJsonPrimitive().isString()
        ? scalar(value.getAsString())
        : value.toString();
  }

  private static String scalar(String text) {
    return PLAIN.matcher(text).matches() && !WORD.matcher(text).matches()
        ? text
        : "'" + text.replace("'", "''") + "'";
  }
}
