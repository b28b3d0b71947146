// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Value;
import dev.holdfast.config.files.Documents;
import dev.holdfast.config.files.ObjectReader;
import dev.holdfast.config.files.ReadResult;
import dev.holdfast.config.files.YamlReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads objects from YAML; each time an object is read it is the next generation. */
final class TestYaml {
  private final Map<ObjectKey, Long> generations = new HashMap<>();
  private final Map<ObjectKey, Instant> created = new HashMap<>();
  private int clock;

  /** The objects of a text, one per document. */
  List<ConfigObject> read(String yaml) {
    Documents documents = YamlReader.read("f.yaml", yaml.getBytes(StandardCharsets.UTF_8));
    assertThat(documents.problems()).isEmpty();
    List<ConfigObject> objects = new ArrayList<>();
    for (Value document : documents.documents()) {
      ReadResult reading = ObjectReader.read(document);
      assertThat(reading.problems()).isEmpty();
      for (ConfigObject object : reading.objects()) {
        ObjectKey key = object.key();
        clock++;
        Instant since = created.computeIfAbsent(key, k -> Instant.ofEpochSecond(clock));
        boolean dated = !object.created().equals(Instant.EPOCH);
        objects.add(
            object.with(generations.merge(key, 1L, Long::sum), dated ? object.created() : since));
      }
    }
    return objects;
  }

  /** The only object of a text. */
  ConfigObject one(String yaml) {
    List<ConfigObject> objects = read(yaml);
    assertThat(objects).hasSize(1);
    return objects.get(0);
  }
}
