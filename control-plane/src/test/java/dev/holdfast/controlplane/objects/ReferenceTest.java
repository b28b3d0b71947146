// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The pages of docs/reference match the schemas. {@code -Dtest.args=-Dschemas.write=true} writes
 * both.
 */
class ReferenceTest {
  private static final Path PAGES = Path.of("../docs/reference");
  private static final Path EXAMPLES =
      Path.of("src/test/resources/dev/holdfast/controlplane/objects");

  static List<ObjectKind> kinds() {
    return ObjectKind.ALL;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void pageMatchesSchema(ObjectKind kind) throws IOException {
    Path file = PAGES.resolve(name(kind) + ".md");
    String schema = new SchemaJson(kind, Descriptions.read()).text();
    String page = ReferencePage.of(schema, example(kind));
    if (Boolean.getBoolean("schemas.write")) {
      Files.createDirectories(PAGES);
      Files.writeString(file, page);
    }

    assertThat(Files.readString(file)).isEqualTo(page);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void exampleIsValid(ObjectKind kind) throws IOException {
    List<ConfigObject> objects = YamlObjects.objects(example(kind));

    assertThat(objects).hasSize(1);
    assertThat(objects.get(0).key().kind()).isEqualTo(kind.kind());
    assertThat(YamlObjects.problems(example(kind))).isEmpty();
  }

  @Test
  void everyKindHasAPageAndAnIndexEntry() throws IOException {
    String list = Files.readString(PAGES.resolve("README.md"));
    for (ObjectKind kind : ObjectKind.ALL) {
      assertThat(list).contains("[" + kind.kind() + "](" + name(kind) + ".md)");
    }
    try (Stream<Path> files = Files.list(PAGES)) {
      assertThat(files).hasSize(ObjectKind.ALL.size() + 1);
    }
  }

  private static String example(ObjectKind kind) throws IOException {
    return Files.readString(EXAMPLES.resolve(name(kind) + ".yaml"));
  }

  private static String name(ObjectKind kind) {
    return kind.kind().toLowerCase(Locale.ROOT);
  }
}
