// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.fleet;

import dev.holdfast.controlplane.snapshot.Resource;

/**
 * What one proxy makes of the selection that it is shown. Whoever acts on a verdict switches over
 * {@link #kind} without a default, so that a new kind does not compile until every reader has a
 * rule for it.
 */
public sealed interface Verdict {
  /** The kinds of verdicts. */
  enum Kind {
    /** The proxy has not answered on everything yet. */
    OPEN,
    /** The proxy runs every resource of the selection that it subscribed to. */
    ACCEPTED,
    /** The proxy refuses at least one resource. */
    REFUSED,
    /** The proxy is not connected. */
    GONE
  }

  Kind kind();

  /**
   * See {@link Kind#OPEN}.
   *
   * @param isOurs whether the proxy has answered, and what is open is what we make of it: that is
   *     no silence of the proxy
   */
  record Open(boolean isOurs) implements Verdict {
    @Override
    public Kind kind() {
      return Kind.OPEN;
    }
  }

  /** See {@link Kind#ACCEPTED}. */
  record Accepted() implements Verdict {
    @Override
    public Kind kind() {
      return Kind.ACCEPTED;
    }
  }

  /**
   * See {@link Kind#REFUSED}.
   *
   * @param agent name and version of the proxy, for people
   * @param resource the resource that it refused
   * @param message the proxy's own words
   */
  record Refused(String proxyClass, String agent, Resource resource, String message)
      implements Verdict {
    @Override
    public Kind kind() {
      return Kind.REFUSED;
    }
  }

  /** See {@link Kind#GONE}. */
  record Gone() implements Verdict {
    @Override
    public Kind kind() {
      return Kind.GONE;
    }
  }

  Verdict OPEN = new Open(/* isOurs= */ false);
  Verdict PROBED = new Open(/* isOurs= */ true);
  Verdict ACCEPTED = new Accepted();
  Verdict GONE = new Gone();
}
