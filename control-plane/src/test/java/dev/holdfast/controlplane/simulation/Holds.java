// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import dev.holdfast.controlplane.ControlPlane;
import dev.holdfast.controlplane.report.HoldReport;
import java.util.Set;

/** Whoever is held can be told why, and is not held for nothing. */
final class Holds {
  private final Author author;
  private final Set<String> classes;

  Holds(Author author, Set<String> classes) {
    this.author = author;
    this.classes = classes;
  }

  void check(Life life) {
    for (HoldReport hold : life.ask(ControlPlane::holds)) {
      boolean explained =
          switch (hold.reason()) {
            case "Rejected", "RejectedNew" ->
                hold.resource() != null
                    && !hold.proxyClass().isEmpty()
                    && !hold.message().isEmpty();
            case "ProxyDied", "ProxyHung" -> !hold.message().isEmpty();
            case "DependencyRejected" -> hold.cause() != null;
            case "Conflict" -> hold.cause() != null || hold.resource() != null;
            case "Invalid", "InvalidNew" -> !hold.message().isEmpty();
            default -> hold.reason().equals("AttributionPending");
          };
      if (!explained) {
        throw new Broken("held without a reason: " + hold);
      }
      if (hold.reason().startsWith("Rejected")
          && !Closure.wasEverFlawed(hold.key(), author, classes)
          && !Closure.mayHaveSetOffAFlaw(hold.key(), author, classes)) {
        throw new Broken("never bad, but held: " + hold);
      }
    }
  }
}
