// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The schemas match the decoders exactly. After a change of a decoder or of {@code
 * descriptions.txt}, {@code -Dtest.args=-Dschemas.write=true} writes them, and the pages of
 * docs/reference with them.
 */
class SchemaTest {
  private static final Path SCHEMAS = Path.of("../schemas");

  static List<ObjectKind> kinds() {
    return ObjectKind.ALL;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void schemaMatchesDecoder(ObjectKind kind) throws IOException {
    Path file = SCHEMAS.resolve(fileName(kind));
    String schema = new SchemaJson(kind, Descriptions.read()).text();
    if (Boolean.getBoolean("schemas.write")) {
      Files.createDirectories(SCHEMAS);
      Files.writeString(file, schema);
    }

    assertThat(Files.readString(file)).isEqualTo(schema);
  }

  @Test
  void thereIsNoSchemaWithoutAKind() throws IOException {
    try (Stream<Path> files = Files.list(SCHEMAS)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              ObjectKind.ALL.stream().map(SchemaTest::fileName).toList());
    }
  }

  @Test
  void everyFieldIsDescribedAndEveryDescriptionIsOfAField() {
    Descriptions descriptions = Descriptions.read();
    List<String> undescribed = new ArrayList<>();
    for (ObjectKind kind : ObjectKind.ALL) {
      SchemaJson schema = new SchemaJson(kind, descriptions);
      assertThat(schema.text()).isNotEmpty();
      undescribed.addAll(schema.undescribed());
      assertThat(descriptions.of(kind)).as(kind.kind()).isNotEmpty();
    }

    assertThat(undescribed).as("fields without words").isEmpty();
    assertThat(descriptions.unused()).as("words without a field").isEmpty();
  }

  @Test
  void schemaHasFieldsAtEveryDepth() {
    assertThat(ObjectKind.ALL.get(0).schema().paths())
        .contains(
            "spec.virtualhost.tls.clientValidation.caSecret",
            "spec.routes[].services[].validation.subjectNames",
            "spec.routes[].conditions[].header.treatMissingAsEmpty",
            "spec.tcpproxy.healthCheckPolicy.intervalSeconds");
  }

  private static String fileName(ObjectKind kind) {
    return kind.kind().toLowerCase(Locale.ROOT) + ".json";
  }
}
