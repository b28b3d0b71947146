// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which files there are. */
class ConsoleFilesTest {
  private final ConsoleFiles files = new ConsoleFiles();

  @Test
  void thePageItselfHasNoName() {
    assertThat(files.find(""))
        .hasValueSatisfying(
            page -> assertThat(new String(page.body(), UTF_8)).startsWith("<!doctype html>"));
  }

  @ParameterizedTest
  @CsvSource({
    "index.html, text/html; charset=utf-8",
    "base.css, text/css; charset=utf-8",
    "app.js, text/javascript; charset=utf-8",
    "views/objects.js, text/javascript; charset=utf-8",
    "icon.svg, image/svg+xml",
  })
  void aFileHasTheTypeThatBrowsersExpect(String name, String contentType) {
    assertThat(files.find(name))
        .hasValueSatisfying(file -> assertThat(file.contentType()).isEqualTo(contentType));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nothing.js",
        "ConsoleFiles.class",
        "../admin/Api.class",
        "..%2fadmin/Api.class",
        "views/../app.js",
        "views",
        "views/",
        "/app.js",
        "./app.js",
        "app.js/",
        "app.js\0",
      })
  void nothingElseCanBeHad(String name) {
    assertThat(files.find(name)).isEmpty();
  }

  @Test
  void tagsTellFilesApart() {
    assertThat(files.find("app.js").orElseThrow().tag())
        .matches("\"[0-9a-f]{32}\"")
        .isEqualTo(new ConsoleFiles().find("app.js").orElseThrow().tag())
        .isNotEqualTo(files.find("base.css").orElseThrow().tag());
  }
}
