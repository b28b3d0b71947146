// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

/** A mapping gives back the places of its names, however it keeps them. */
class KeyPositionsTest {
  private static final Position HERE = new Position("shop.yaml", 1, 1);

  private static Mapping mapping(Map<String, Position> keys) {
    Map<String, Value> fields = new LinkedHashMap<>();
    keys.forEach((name, unused) -> fields.put(name, new Scalar(name, HERE)));
    return new Mapping(fields, keys, HERE);
  }

  private static Map<String, Position> places(Position... positions) {
    Map<String, Position> places = new LinkedHashMap<>();
    for (Position position : positions) {
      places.put("name" + places.size(), position);
    }
    return places;
  }

  private static void assertKept(Map<String, Position> keys) {
    Mapping mapping = mapping(keys);

    assertThat(mapping.keys()).isEqualTo(keys).hasSameSizeAs(keys);
    assertThat(keys).isEqualTo(mapping.keys());
    assertThat(new ArrayList<>(mapping.keys().entrySet()))
        .isEqualTo(new ArrayList<>(keys.entrySet()));
    assertThat(new ArrayList<>(mapping.keys().keySet())).isEqualTo(new ArrayList<>(keys.keySet()));
    keys.forEach((name, position) -> assertThat(mapping.keyPosition(name)).isEqualTo(position));
    assertThat(mapping.keyPosition("nowhere")).isEqualTo(HERE);
    assertThat(new Mapping(mapping.fields(), mapping.keys(), HERE)).isEqualTo(mapping);
  }

  @Test
  void inOneFile() {
    assertKept(places(new Position("shop.yaml", 2, 3), new Position("shop.yaml", 70_000, 1_000)));
  }

  @Test
  void ofAFileAsAWhole() {
    assertKept(places(Position.of("shop.yaml"), Position.of("shop.yaml")));
  }

  @Test
  void inSeveralFiles() {
    assertKept(places(new Position("shop.yaml", 2, 3), new Position("cart.yaml", 2, 3)));
  }

  @Test
  void atTheLastPlacesThatFitIntoANumber() {
    assertKept(places(new Position("shop.yaml", (1 << 22) - 1, 1_023)));
  }

  @Test
  void farDownAndFarToTheRight() {
    assertKept(places(new Position("shop.yaml", 1 << 22, 3)));
    assertKept(places(new Position("shop.yaml", Integer.MAX_VALUE, 3)));
    assertKept(places(new Position("shop.yaml", 3, 1_024)));
    assertKept(places(new Position("shop.yaml", 3, Integer.MAX_VALUE)));
  }

  @Test
  void ofNoNames() {
    assertKept(places());
  }

  @Test
  void ofManyNames() {
    Map<String, Position> keys = new LinkedHashMap<>();
    for (int i = 1; i < 100; i++) {
      keys.put("name" + i, new Position("shop.yaml", i, 1));
    }

    assertKept(keys);
  }

  @Test
  void neverChange() {
    Map<String, Position> keys = mapping(places(HERE)).keys();
    var entries = keys.entrySet().iterator();
    entries.next();

    assertThatThrownBy(() -> keys.put("more", HERE))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(keys::clear).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(entries::remove).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(entries::next).isInstanceOf(NoSuchElementException.class);
    assertThat(List.copyOf(keys.keySet())).containsExactly("name0");
  }
}
