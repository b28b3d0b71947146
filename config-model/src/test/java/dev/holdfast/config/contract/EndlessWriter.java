// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.contract;

import static dev.holdfast.config.contract.Samples.NOW;
import static dev.holdfast.config.contract.Samples.accepted;
import static dev.holdfast.config.contract.Samples.happened;
import static dev.holdfast.config.contract.Samples.key;
import static dev.holdfast.config.contract.Samples.status;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.StateStore;
import java.io.PrintStream;
import java.util.Map;

/**
 * A process that goes on committing, from where its predecessor was, until it is killed. It prints
 * the number of each change once it is committed, and the generation that was given before.
 */
public final class EndlessWriter {
  static final ObjectKey MARKER = key("marker");

  /** How many statuses and history entries one change has. */
  static final int WIDTH = 20;

  private EndlessWriter() {}

  /**
   * @param args the class of the factory, and the place of the store
   */
  public static void main(String[] args) throws Exception {
    StoreFactory factory =
        Class.forName(args[0])
            .asSubclass(StoreFactory.class)
            .getDeclaredConstructor()
            .newInstance();
    PrintStream out = new PrintStream(System.out, /* autoFlush= */ true, US_ASCII);
    try (StateStore store = factory.open(args[1])) {
      for (long number = last(store) + 1; ; number++) {
        long generation =
            requireNonNull(
                    store.generations().assign(Map.of(MARKER, "d" + number), NOW).get(MARKER))
                .number();
        store.commit(change(number));
        out.println(number + " " + generation);
      }
    }
  }

  static long last(StateStore store) {
    AcceptedSpec marker = store.load().accepted().get(MARKER);
    return marker == null ? 0 : marker.object().generation();
  }

  private static StateChange change(long number) {
    StateChange.Builder change = StateChange.builder().putAccepted(accepted(MARKER, number));
    for (int i = 0; i < WIDTH; i++) {
      change
          .putStatus(key("o" + i), status(number, "change " + number))
          .append(happened("change " + number).withObject(key("o" + i), number));
    }
    return change.build();
  }
}
