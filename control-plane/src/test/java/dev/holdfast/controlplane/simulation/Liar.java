// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.holdfast.testkit.envoy.Validator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A proxy that says what it likes, once it has been taken for one of its class. */
final class Liar implements Validator {
  /** What it says. */
  private enum Habit {
    HONEST,
    ACCEPTS_ALL,
    REFUSES_ALL,
    ALTERNATES
  }

  private final Taste taste;
  private final Chance chance;
  private Habit habit = Habit.HONEST;
  private final Map<ByteString, Boolean> said = new HashMap<>();
  private int asked;

  Liar(Taste taste, Chance chance) {
    this.taste = taste;
    this.chance = chance;
  }

  /** Picks up another habit. */
  String change() {
    habit = chance.one(List.of(Habit.ACCEPTS_ALL, Habit.REFUSES_ALL, Habit.ALTERNATES));
    return habit.name();
  }

  @Override
  public @Nullable String check(Message resource) {
    String error = say(resource);
    said.put(resource.toByteString(), error == null);
    return error;
  }

  /** Whether it refused a resource when it was last asked, whatever its class says. */
  boolean refused(Any resource) {
    return !said.getOrDefault(resource.getValue(), true);
  }

  private @Nullable String say(Message resource) {
    return switch (habit) {
      case HONEST -> taste.check(resource);
      case ACCEPTS_ALL -> null;
      case REFUSES_ALL -> "no";
      case ALTERNATES -> asked++ % 2 == 0 ? "no" : null;
    };
  }
}
