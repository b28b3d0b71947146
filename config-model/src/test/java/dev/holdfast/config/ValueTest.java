// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.base.Problem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValueTest {
  private static final Position HERE = new Position("a.yaml", 2, 5);

  @Test
  void aMappingKeepsTheOrderItWasWrittenIn() {
    Map<String, Value> fields = new LinkedHashMap<>();
    for (String name : List.of("z", "a", "m")) {
      fields.put(name, new Scalar(name, HERE));
    }

    assertThat(new Mapping(fields, HERE).fields().keySet()).containsExactly("z", "a", "m");
  }

  @Test
  void aMappingIsNotChangedThroughWhatItWasMadeOf() {
    Map<String, Value> fields = new LinkedHashMap<>();
    Mapping mapping = new Mapping(fields, HERE);
    fields.put("late", new Scalar(1L, HERE));

    assertThat(mapping.fields()).isEmpty();
    assertThatThrownBy(() -> mapping.fields().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  /** Small and large ones are kept in different ways. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 8, 9, 100})
  void aMappingIsWhatItWasMadeOf(int size) {
    Map<String, Value> fields = new LinkedHashMap<>();
    Map<String, Position> keys = new LinkedHashMap<>();
    for (int i = size; i > 0; i--) {
      fields.put("name" + i, new Scalar((long) i, new Position("a.yaml", i, 1)));
      keys.put("name" + i, new Position("a.yaml", i, 1));
    }
    Mapping mapping = new Mapping(fields, HERE);

    assertThat(mapping.fields()).containsExactlyEntriesOf(fields).isEqualTo(fields);
    assertThat(mapping.keys()).containsExactlyEntriesOf(keys).isEqualTo(keys);
    assertThat(mapping.fields().containsKey("other")).isFalse();
    assertThat(mapping.keys().containsKey("other")).isFalse();
    assertThat(mapping)
        .isEqualTo(new Mapping(fields, keys, HERE))
        .hasSameHashCodeAs(new Mapping(fields, keys, HERE));
    assertThat(new Mapping(mapping.fields(), mapping.keys(), HERE)).isEqualTo(mapping);
    assertThatThrownBy(() -> mapping.fields().put("late", new Scalar(1L, HERE)))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> mapping.keys().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void namesKeepTheirPlacesWhenTheirValuesAreReplaced() {
    Mapping before = new Mapping(Map.of("a", new Scalar(1L, HERE)), HERE);
    Mapping after =
        new Mapping(
            Map.of("a", new Scalar(2L, Position.of("b.yaml"))), before.keys(), Position.of("b"));

    assertThat(after.keyPosition("a")).isEqualTo(HERE);
  }

  @Test
  void aMappingKnowsWhereItsNamesAre() {
    Position key = new Position("a.yaml", 3, 1);
    Mapping mapping =
        new Mapping(Map.of("a", new Scalar(1L, HERE)), Map.of("a", key), Position.of("a.yaml"));

    assertThat(mapping.keyPosition("a")).isEqualTo(key);
    assertThat(mapping.keyPosition("b")).isEqualTo(mapping.position());
    assertThat(mapping.get("b")).isNull();
  }

  @Test
  void aMappingHasAPlaceForEachName() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Mapping(Map.of("a", new Scalar(1L, HERE)), Map.of(), HERE))
        .withMessageContaining("[a]");
  }

  @Test
  void aScalarHoldsNothingButPlainValues() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Scalar(1, HERE))
        .withMessageContaining("java.lang.Integer (expected:");
  }

  @Test
  void aPositionIsPartOfWhatAValueIs() {
    assertThat(new Scalar(1L, HERE)).isNotEqualTo(new Scalar(1L, new Position("a.yaml", 3, 5)));
  }

  @Test
  void aPositionIsWrittenAsEditorsReadIt() {
    assertThat(HERE).hasToString("a.yaml:2:5");
    assertThat(Position.of("a.yaml")).hasToString("a.yaml");
    assertThatIllegalArgumentException().isThrownBy(() -> new Position("a.yaml", 1, 0));
  }

  @Test
  void positionsAreOrderedAsAReaderMeetsThem() {
    assertThat(
            List.of(
                    new Position("b", 1, 1),
                    new Position("a", 10, 1),
                    new Position("a", 9, 2),
                    new Position("a", 9, 1))
                .stream()
                .sorted())
        .extracting(Position::toString)
        .containsExactly("a:9:1", "a:9:2", "a:10:1", "b:1:1");
  }

  @Test
  void aLocatedProblemNamesPlacePathAndCause() {
    Problem problem = new Problem("spec.routes[0]", Problem.Kind.INVALID, "bad");

    assertThat(new LocatedProblem(problem, HERE)).hasToString("a.yaml:2:5: spec.routes[0]: bad");
  }
}
