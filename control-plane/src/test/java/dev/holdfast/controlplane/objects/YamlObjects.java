// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Value;
import dev.holdfast.config.files.Documents;
import dev.holdfast.config.files.ObjectReader;
import dev.holdfast.config.files.ReadResult;
import dev.holdfast.config.files.YamlReader;
import dev.holdfast.controlplane.objects.read.TypedObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Objects written as YAML. */
final class YamlObjects {
  private YamlObjects() {}

  static List<ConfigObject> objects(String yaml) {
    Documents documents = YamlReader.read("f", yaml.getBytes(StandardCharsets.UTF_8));
    assertThat(documents.problems()).isEmpty();
    List<ConfigObject> objects = new ArrayList<>();
    for (Value document : documents.documents()) {
      ReadResult reading = ObjectReader.read(document);
      assertThat(reading.problems()).isEmpty();
      objects.addAll(reading.objects());
    }
    return objects;
  }

  static DecodedObject decoded(String yaml) {
    List<ConfigObject> objects = objects(yaml);
    assertThat(objects).hasSize(1);
    return ObjectKind.decode(objects.get(0));
  }

  /** Decodes an object that must be valid. */
  static <T extends TypedObject> T valid(Class<T> type, String yaml) {
    DecodedObject decoded = decoded(yaml);
    assertThat(problems(decoded)).isEmpty();
    return decoded.fold(
        valid -> type.cast(valid.object()),
        invalid -> {
          throw new AssertionError(invalid.problems());
        });
  }

  /** All problems as {@code line:column: path: message}. */
  static List<String> problems(String yaml) {
    return problems(decoded(yaml));
  }

  private static List<String> problems(DecodedObject decoded) {
    return decoded.problems().stream()
        .map(
            problem ->
                problem.position().line()
                    + ":"
                    + problem.position().column()
                    + ": "
                    + problem.problem())
        .toList();
  }

  /** A proxy with one route, which has these further fields. */
  static String route(String fields) {
    return proxy("routes:\n- services: [{name: s, port: 80}]\n" + fields.indent(2));
  }

  /** A proxy with this spec, which starts at line 6, column 3. */
  static String proxy(String spec) {
    return """
    apiVersion: projectcontour.io/v1
    kind: HTTPProxy
    metadata:
      name: p
    spec:
    """
        + spec.indent(2);
  }
}
