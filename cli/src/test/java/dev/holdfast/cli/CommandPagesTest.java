// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualTime;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * docs/cli has a page for each command that says what its help says. {@code
 * -Dholdfast.pages.write=true} writes them anew.
 */
class CommandPagesTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Path PAGES = DOCS.resolve("cli");

  private static Map<String, String> pages() {
    PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), false, UTF_8);
    Shell shell =
        new Shell(
            InputStream.nullInputStream(),
            nowhere,
            nowhere,
            Map.of(),
            new ManualTime(),
            Shell.Terminal.none());
    Map<String, String> pages = new TreeMap<>();
    collect(Main.commands(shell), pages);
    return pages;
  }

  private static void collect(CommandLine command, Map<String, String> pages) {
    pages.put(CommandPage.fileName(command), CommandPage.of(command));
    command.getSubcommands().values().forEach(inner -> collect(inner, pages));
  }

  @Test
  void thePagesSayWhatTheHelpSays() throws IOException {
    Map<String, String> pages = pages();
    if (Boolean.getBoolean("holdfast.pages.write")) {
      write(pages);
    }
    Map<String, String> written = new TreeMap<>();
    try (Stream<Path> files = Files.list(PAGES)) {
      for (Path file : files.toList()) {
        written.put(String.valueOf(file.getFileName()), Files.readString(file));
      }
    }
    assertThat(written)
        .as("pages in docs/cli; -Dholdfast.pages.write=true writes them anew")
        .isEqualTo(pages);
  }

  private static void write(Map<String, String> pages) throws IOException {
    Files.createDirectories(PAGES);
    try (Stream<Path> files = Files.list(PAGES)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    for (Map.Entry<String, String> page : pages.entrySet()) {
      Files.writeString(PAGES.resolve(page.getKey()), page.getValue());
    }
  }

  @Test
  void everyPageCanBeReached() throws IOException {
    String index = Files.readString(DOCS.resolve("cli.md"));

    assertThat(pages().keySet())
        .allSatisfy(page -> assertThat(index).contains("(cli/" + page + ")"));
  }
}
