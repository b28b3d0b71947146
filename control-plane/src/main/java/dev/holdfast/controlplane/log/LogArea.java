// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.log;

import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * What a line of the log is about. Each area has a level of its own; docs/operations.md lists the
 * lines of each.
 */
public enum LogArea {
  /** The admin API: who changed something. */
  ADMIN,
  /** Which replica leads. */
  LEADER,
  /** What became of single objects. */
  OBJECTS,
  /** Proxies that come, go, reject, or differ from the rest of their class. */
  PROXIES,
  /** Trials, searches, and errors of the control plane itself. */
  ROLLOUT,
  /** Ports, certificates, start and end. */
  SERVER,
  /** Where objects come from, and where their status goes. */
  SOURCE,
  /** What is stored. */
  STATE;

  private static final String PREFIX = "holdfast.";

  /** The name in options and in the log. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The name of the logger, by which its level can be set. */
  public String logger() {
    return PREFIX + word();
  }

  /**
   * A line for people who look into something.
   *
   * @param event what happened, a word that does not change
   */
  public LogLine debug(String event) {
    return LogLine.of(this, Level.DEBUG, event);
  }

  /** A line that says what is going on. */
  public LogLine info(String event) {
    return LogLine.of(this, Level.INFO, event);
  }

  /** A line about something that somebody should look at. */
  public LogLine warn(String event) {
    return LogLine.of(this, Level.WARN, event);
  }

  /** A line about something that should never happen, or that keeps the server from its work. */
  public LogLine error(String event) {
    return LogLine.of(this, Level.ERROR, event);
  }

  Logger slf4j() {
    return LoggerFactory.getLogger(logger());
  }
}
