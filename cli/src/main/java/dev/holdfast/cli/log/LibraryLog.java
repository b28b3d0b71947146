// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.log;

import dev.holdfast.base.SystemTime;
import java.util.Locale;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Passes on what libraries log through the JDK, so that a server has one log in one format. The
 * JDK's own handlers write two lines for each entry.
 */
final class LibraryLog extends Handler {
  private final LineLimit limit = new LineLimit(SystemTime.instance());

  private LibraryLog() {}

  static void install() {
    Logger root = Logger.getLogger("");
    for (Handler handler : root.getHandlers()) {
      root.removeHandler(handler);
    }
    root.addHandler(new LibraryLog());
  }

  @Override
  public void publish(LogRecord entry) {
    String name = entry.getLoggerName() == null ? "unknown" : entry.getLoggerName();
    String note = "";
    if (entry.getLevel().intValue() >= Level.WARNING.intValue() || entry.getThrown() != null) {
      LineLimit.Verdict verdict = limit.count(name);
      if (!verdict.isLogged()) {
        return;
      }
      note = verdict.note();
    }
    LoggingEventBuilder line = LoggerFactory.getLogger(name).atLevel(level(entry.getLevel()));
    if (entry.getThrown() != null) {
      line = line.setCause(entry.getThrown());
    }
    String message = String.valueOf(entry.getMessage());
    Object[] parameters = entry.getParameters();
    String text =
        parameters == null || parameters.length == 0
            ? message
            : new java.text.MessageFormat(message, Locale.ROOT).format(parameters);
    line.log(text + note);
  }

  private static org.slf4j.event.Level level(Level level) {
    if (level.intValue() >= Level.SEVERE.intValue()) {
      return org.slf4j.event.Level.ERROR;
    } else if (level.intValue() >= Level.WARNING.intValue()) {
      return org.slf4j.event.Level.WARN;
    }
    return level.intValue() >= Level.INFO.intValue()
        ? org.slf4j.event.Level.INFO
        : org.slf4j.event.Level.DEBUG;
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
