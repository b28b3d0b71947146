// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.objects.extension.ExtensionPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The CustomResourceDefinition of ExtensionPolicy matches the decoder. {@code
 * -Dtest.args=-Dschemas.write=true} writes it. {@code interop} applies it to an API server.
 */
class CustomResourceTest {
  private static final Path FILE = Path.of("../deploy/crds/extensionpolicy.yaml");

  @Test
  void definitionMatchesDecoder() throws IOException {
    ObjectKind kind =
        ObjectKind.ALL.stream()
            .filter(each -> each.kind().equals(ExtensionPolicy.KIND))
            .findFirst()
            .orElseThrow();
    String definition = CustomResource.of(new SchemaJson(kind, Descriptions.read()).text());
    if (Boolean.getBoolean("schemas.write")) {
      Files.createDirectories(FILE.getParent());
      Files.writeString(FILE, definition);
    }

    assertThat(Files.readString(FILE)).isEqualTo(definition);
  }
}
