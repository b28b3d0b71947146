// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.Mapping;
import dev.holdfast.config.files.YamlReader;
import dev.holdfast.controlplane.objects.references.FieldPositions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fields are found again by their path. */
class FieldPositionsTest {
  private static final Mapping BODY =
      (Mapping)
          YamlReader.read(
                  "f.yaml",
                  """
                  spec:
                    virtualhost:
                      fqdn: a.com
                    routes:
                      - permitInsecure: true
                      - services:
                          - name: s
                  """
                      .getBytes(UTF_8))
              .documents()
              .get(0);

  @ParameterizedTest
  @CsvSource({
    "spec.virtualhost, f.yaml:2:3, f.yaml:3:5",
    "spec.virtualhost.fqdn, f.yaml:3:5, f.yaml:3:11",
    "spec.routes[1], f.yaml:6:7, f.yaml:6:7",
    "spec.routes[1].services[0].name, f.yaml:7:11, f.yaml:7:17",
    "spec.routes[1].services[4].name, f.yaml:6:7, f.yaml:7:9",
    "spec.nothing, f.yaml:1:1, f.yaml:2:3",
  })
  void nameAndValueHavePositions(String path, String name, String value) {
    assertThat(FieldPositions.ofName(BODY, path)).hasToString(name);
    assertThat(FieldPositions.of(BODY, path)).hasToString(value);
  }
}
