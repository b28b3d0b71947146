// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Generations;
import dev.holdfast.config.ObjectKey;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class GenerationAssignerTest {
  private static final Instant EARLY = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant LATE = Instant.parse("2026-01-02T00:00:00Z");
  private static final ObjectKey KEY = new ObjectKey("Service", "default", "a");

  @Test
  void generationsSurviveTheOneWhoAsks() {
    Generations generations = Generations.inMemory();
    new GenerationAssigner(generations).number(objects(Yaml.service("a", 1)), EARLY);
    new GenerationAssigner(generations).number(objects(Yaml.service("a", 2)), LATE);

    SortedMap<ObjectKey, ConfigObject> again =
        new GenerationAssigner(generations).number(objects(Yaml.service("a", 2)), LATE);

    assertThat(again.get(KEY))
        .isNotNull()
        .extracting(ConfigObject::generation, ConfigObject::created)
        .containsExactly(2L, EARLY);
  }

  @Test
  void anObjectThatOnlyMovedOrWasRelabelledKeepsItsGeneration() {
    GenerationAssigner numbering = new GenerationAssigner(Generations.inMemory());
    numbering.number(objects(Yaml.service("a", 1)), EARLY);

    SortedMap<ObjectKey, ConfigObject> moved =
        numbering.number(
            objects(
                "# comment\n"
                    + Yaml.service("a", 1).replace("name: a", "name: a\n  labels: {x: y}")),
            LATE);

    ConfigObject object = moved.get(KEY);
    assertThat(object).isNotNull();
    assertThat(object.generation()).isEqualTo(1);
    assertThat(object.labels()).containsEntry("x", "y");
    assertThat(object.body().position().line()).isEqualTo(3);
  }

  @Test
  void theNumberInAFileIsNotBelievedButItsDateIs() {
    String text =
        Yaml.service("a", 1)
            .replace(
                "name: a", "name: a\n  generation: 9\n  creationTimestamp: 2020-01-01T00:00:00Z");
    ConfigObject object =
        new GenerationAssigner(Generations.inMemory()).number(objects(text), LATE).get(KEY);

    assertThat(object).isNotNull();
    assertThat(object.generation()).isEqualTo(1);
    assertThat(object.created()).isEqualTo(Instant.parse("2020-01-01T00:00:00Z"));
  }

  @Test
  void onlyWhatChangedIsAskedAbout() {
    List<Map<ObjectKey, String>> asked = new ArrayList<>();
    Generations inMemory = Generations.inMemory();
    GenerationAssigner numbering =
        new GenerationAssigner(
            (digests, counted, now) -> {
              asked.add(digests);
              return inMemory.assign(digests, counted, now);
            });
    numbering.number(objects(Yaml.service("a", 1) + Yaml.service("b", 1)), EARLY);
    numbering.number(objects(Yaml.service("a", 1) + Yaml.service("b", 2)), EARLY);
    numbering.number(objects(Yaml.service("a", 1)), EARLY);

    assertThat(asked).hasSize(2);
    assertThat(asked.get(1)).containsOnlyKeys(new ObjectKey("Service", "default", "b"));
  }

  @Test
  void anAnswerToAnotherQuestionIsRefused() {
    GenerationAssigner forgetful = new GenerationAssigner((digests, counted, now) -> Map.of());

    assertThatThrownBy(() -> forgetful.number(objects(Yaml.service("a", 1)), EARLY))
        .isInstanceOf(IllegalStateException.class);
  }

  private static SortedMap<ObjectKey, ConfigObject> objects(String text) {
    SortedMap<ObjectKey, ConfigObject> objects = new TreeMap<>();
    YamlReader.read("f.yaml", text.getBytes(StandardCharsets.UTF_8)).documents().stream()
        .flatMap(document -> ObjectReader.read(document).objects().stream())
        .forEach(object -> objects.put(object.key(), object));
    return objects;
  }
}
