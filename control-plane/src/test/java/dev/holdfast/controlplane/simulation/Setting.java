// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a simulated world is like.
 *
 * @param troubles what goes wrong in it, beside refusals and restarts, which are everywhere
 */
record Setting(Set<Trouble> troubles, boolean withApps) {
  enum Trouble {
    /** Authors make mistakes that no proxy is needed for to find. */
    CARELESS_AUTHORS("careless authors"),
    /** The directory with all objects is emptied, and comes back bit by bit. */
    EMPTIED_DIRECTORIES("emptied directories"),
    /** Authors write what proxies die of. */
    DEADLY_POLICIES("deadly policies"),
    /** One proxy of each class refuses what the others accept; they are three at least. */
    ODD_PROXIES("odd proxies"),
    /** One more proxy of each class tries everything first, and serves nobody. */
    SCOUTS("scouts"),
    /**
     * Proxies over Delta get each host as a resource of its own, from some control planes. In each
     * class all proxies speak the same protocol, because those that get hosts in another form are
     * another class.
     */
    HOSTS_ONE_BY_ONE("hosts one by one"),
    /** The control plane has bugs. */
    BUGS("bugs"),
    /** One proxy of each class lies; then the others are three at least. */
    LIARS("liars"),
    /** The liars use the node ids of others. */
    STOLEN_NODE_IDS("stolen node ids");

    private final String words;

    Trouble(String words) {
      this.words = words;
    }
  }

  /** A world with proxies alone. */
  static Setting of(Trouble... troubles) {
    Set<Trouble> set = EnumSet.noneOf(Trouble.class);
    set.addAll(Set.of(troubles));
    return new Setting(set, /* withApps= */ false);
  }

  /** The same with applications that have our own client. */
  Setting withApplications() {
    return new Setting(troubles, /* withApps= */ true);
  }

  boolean has(Trouble trouble) {
    return troubles.contains(trouble);
  }

  @Override
  public String toString() {
    return (withApps ? " with applications" : "")
        + troubles.stream().map(t -> t.words).collect(Collectors.joining(", ", " (", ")"));
  }
}
