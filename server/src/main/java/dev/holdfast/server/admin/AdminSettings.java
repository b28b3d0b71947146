// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import dev.holdfast.base.SystemTime;
import dev.holdfast.base.TimeSource;
import dev.holdfast.server.http.HttpLimits;
import java.time.Duration;

/**
 * The limits of the admin port: together they bound what all callers can use up.
 *
 * @param time clock and timers
 * @param workers how many requests are answered at once
 * @param waiting how many more may wait; others are turned away
 * @param longestRequest how long the answer may take to be made
 * @param reportTimeout how long the control plane may think about an answer
 * @param events how events are told
 * @param http what callers may take
 */
record AdminSettings(
    TimeSource time,
    int workers,
    int waiting,
    Duration longestRequest,
    Duration reportTimeout,
    Events events,
    HttpLimits http) {

  /**
   * How events are told.
   *
   * @param streams how many callers may listen at once
   * @param remembered how many past events are kept for those who come back
   * @param unread how many events may wait for a caller that does not read
   * @param heartbeat how often a caller hears something though nothing happens
   * @param longestWrite how long a caller may take to read anything at all
   */
  record Events(
      int streams, int remembered, int unread, Duration heartbeat, Duration longestWrite) {}

  static AdminSettings defaults() {
    return new AdminSettings(
        SystemTime.instance(),
        /* workers= */ 8,
        /* waiting= */ 64,
        /* longestRequest= */ Duration.ofSeconds(30),
        /* reportTimeout= */ Duration.ofSeconds(10),
        new Events(
            /* streams= */ 32,
            /* remembered= */ 1024,
            /* unread= */ 2048,
            /* heartbeat= */ Duration.ofSeconds(15),
            /* longestWrite= */ Duration.ofSeconds(10)),
        HttpLimits.defaults());
  }

  /** The same with another limit for those who listen to events. */
  AdminSettings withEventStreams(int streams) {
    return new AdminSettings(
        time,
        workers,
        waiting,
        longestRequest,
        reportTimeout,
        new Events(
            streams, events.remembered, events.unread, events.heartbeat, events.longestWrite),
        http);
  }
}
