// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** YAML that means the same to every reader, of version 1.1 or 1.2. */
class YamlTest {
  private static String of(String text) {
    JsonArray array = new JsonArray();
    array.add(text);
    return Yaml.of(array);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "True",
        "False",
        "true",
        "Off",
        "YES",
        "n",
        "null",
        "~",
        "2026-11-16T13:00:24.702Z",
        "2026-11-16",
        "12:30:45",
        "0x1f",
        "017",
        "1_000",
        "+1",
        ".5",
        ".inf",
        "123e45",
        "1.39.0"
      })
  void whatSomeReadersTakeForSomethingElseIsQuoted(String text) {
    assertThat(of(text)).isEqualTo("- '" + text + "'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"web", "shop/web/80", "Programmed", "envoy 1.39.0", "yesterday", "-a"})
  void otherStringsAreAsTheyAre(String text) {
    assertThat(of(text)).isEqualTo("- " + text);
  }

  @Test
  void numbersBooleansAndNothingAreNot() {
    assertThat(Yaml.of(JsonParser.parseString("[1, 2.5, true, null, {\"on\": []}]")))
        .isEqualTo("- 1\n- 2.5\n- true\n- null\n- 'on': []");
  }

  @Test
  void linesStayLines() {
    JsonObject json = new JsonObject();
    json.addProperty("text", "1st\n2nd\n");

    assertThat(Yaml.of(json)).isEqualTo("text: |\n  1st\n  2nd");
  }
}
