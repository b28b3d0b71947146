// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.filter;

import org.jspecify.annotations.Nullable;

/** What an HTTP filter is to do, for a whole listener or, as an override, for some calls. */
public sealed interface FilterConfig {

  /** Handles all kinds. */
  <R> R accept(Visitor<R> visitor);

  /** One method for each filter. */
  interface Visitor<R> {
    R router(Router config);

    R fault(Fault config);

    R statefulSession(StatefulSession config);

    R forServers(ForServers config);
  }

  /** The filter that hands calls to their clusters. Its configuration is ignored (gRFC A39). */
  record Router() implements FilterConfig {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.router(this);
    }
  }

  /**
   * Delays and fails calls on purpose (gRFC A33).
   *
   * @param delay null for none
   * @param abort null for none
   * @param maxActiveFaults how many faults may be under way at once
   */
  record Fault(@Nullable FaultDelay delay, @Nullable FaultAbort abort, long maxActiveFaults)
      implements FilterConfig {
    /** Where the configuration sets no limit. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.fault(this);
    }
  }

  /**
   * Sends the calls of a session to the same endpoint (gRFC A55).
   *
   * @param cookie what sessions are known by; null if there are none
   */
  record StatefulSession(@Nullable SessionCookie cookie) implements FilterConfig {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.statefulSession(this);
    }
  }

  /**
   * An override for a filter that only servers have. Routes may be meant for both, so that it is
   * accepted (gRFC A39); calls of clients pass it.
   *
   * @param type of the message
   */
  record ForServers(String type) implements FilterConfig {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.forServers(this);
    }
  }
}
