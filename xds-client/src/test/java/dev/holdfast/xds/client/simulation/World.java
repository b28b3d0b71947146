// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.simulation;

import dev.holdfast.xds.client.fixture.TestType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * What a server has to serve. There are few contents, so that it often goes back to an earlier one,
 * and versions are digests: the same content has the same version whenever it is served.
 */
final class World {
  static final List<String> NAMES = List.of("a", "b", "c");

  /** What there is to say of one name. */
  sealed interface Fact {
    /** Equal facts have equal versions. */
    String version();
  }

  /** A resource, valid unless its text begins with {@code bad:}. */
  record Served(String text) implements Fact {
    @Override
    public String version() {
      return "v-" + text;
    }

    boolean isValid() {
      return !text.startsWith("bad:");
    }
  }

  /** The server has an error in its place (xRFC TP3). */
  record Denied(int code) implements Fact {
    @Override
    public String version() {
      return "e-" + code;
    }

    boolean isDataError() {
      return code == 5 || code == 7;
    }
  }

  /** There is no such resource. */
  record Absent() implements Fact {
    @Override
    public String version() {
      return "none";
    }
  }

  private final RandomGenerator random;
  private final Map<TestType, Map<String, Fact>> facts = new HashMap<>();

  World(RandomGenerator random) {
    this.random = random;
  }

  private Map<String, Fact> facts(TestType type) {
    return facts.computeIfAbsent(type, t -> new TreeMap<>());
  }

  Fact fact(TestType type, String name) {
    return facts(type).getOrDefault(name, new Absent());
  }

  /** The version of everything there is of a type. */
  String version(TestType type) {
    List<String> all = new ArrayList<>();
    facts(type).forEach((name, fact) -> all.add(name + "=" + fact.version()));
    return all.toString();
  }

  /** Something changes, perhaps back to what it was; returns what. */
  String change(List<TestType> types) {
    TestType type = types.get(random.nextInt(types.size()));
    String name = NAMES.get(random.nextInt(NAMES.size()));
    Fact fact =
        switch (random.nextInt(10)) {
          case 0, 1, 2, 3 -> new Served("x" + random.nextInt(2));
          case 4, 5, 6 -> new Served("bad:" + random.nextInt(2));
          case 7 -> new Absent();
          case 8 -> new Denied(random.nextBoolean() ? 5 : 7);
          default -> new Denied(14);
        };
    if (fact instanceof Absent) {
      facts(type).remove(name);
    } else {
      facts(type).put(name, fact);
    }
    return type + " " + name + " := " + fact;
  }
}
